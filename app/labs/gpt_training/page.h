// The page of the lab in which a decoder alone learns: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/gpt_training/model.h"
#include "app/labs/shared/parts.h"

namespace lab::gpt_training {

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  const LearnedStory& learned() const { return model.learned; }
  const Probe& probe() const { return *model.probe; }
  const core::task::SequenceTask& task() const { return learned().task(); }
  bool text() const { return core::task::flows(task().story); }
  std::string token(std::int32_t id) const { return story_token(*learned().model, id); }
  Labels tokens() const { return story_tokens(*learned().model, probe().sequence.ids); }
  std::string here() const { return token(probe().sequence.ids[to_size(model.place)]); }
};

Figure text_figure(const Scene& scene);
Figure map_figure(const Scene& scene);
Figure maps_figure(const Scene& scene);
Figure next_figure(const Scene& scene);
Figure curves_figure(const Scene& scene);
Figure heads_figure(const Scene& scene);
Figure places_figure(const Scene& scene);
Figure lengths_figure(const Scene& scene);
Figure samples_figure(const Scene& scene);

Explanation explain(const Scene& scene);
Page compute(const Parameters& p, const Context& context);

}  // namespace lab::gpt_training
