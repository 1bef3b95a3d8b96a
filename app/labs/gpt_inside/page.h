// The page of the lab that looks into a trained decoder: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/gpt_inside/model.h"

namespace lab::gpt_inside {

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  const Side& side() const { return model.shown(); }
  const Inside& reading() const { return *side().reading; }
  // Only for a model that was trained here.
  const Changed& changed() const { return *side().changed; }
  // What a training kept of its heads is shown.
  bool past() const { return p.past() && model.opened && model.opened->history; }
  Index tokens() const { return model.text->tokens(); }
  std::string name(std::int32_t id) const { return model.subject.name(id); }
  std::string quoted(std::int32_t id) const { return w.format("\"{}\"", name(id)); }
  // Labels of the tokens as they are read, and of the vocabulary.
  Labels text_labels() const;
  Labels vocabulary() const;
};

std::string called_name(const core::task::HeadScores& scores, const Words& w);

// The residual stream at the token that is looked at, as a sum; none where the model has no such.
struct Shares {
  std::shared_ptr<const StreamParts> parts;
  core::model::LogitDirection to;
  VectorD of_parts;  // what each adds to the logit, or to the difference
  double sum() const { return of_parts.sum() + to.constant; }
  Index picked(int part) const { return std::min<Index>(part, of_parts.size() - 1); }
  const StreamPart& part(Index k) const { return parts->parts[to_size(k)]; }
  // In their order: all of few, of many those that add most, and the picked one.
  std::vector<Index> listed(int part) const;
  // What the others add together.
  double rest(const std::vector<Index>& listed) const;
};
std::optional<Shares> shares_of(const Scene& scene);
std::string part_name(const StreamPart& part, const Words& w);

// The map over the vocabulary that the knobs ask for; none for more than two layers.
struct CircuitMap {
  core::task::VocabularyMap factors;
  MatrixD cells;
  core::task::CircuitOptions options;
};
std::optional<CircuitMap> circuit_map(const Scene& scene);
// Distances, from 0, that sequences of a task have and that the knob reaches.
Index distances_of(const core::task::SequenceTask& task);
// For a QK circuit whose cells depend on the distance: among the pairs of tokens that occur in
// sequences, the share whose score is highest at the map's own distance.
std::optional<double> highest_here(const Scene& scene, const CircuitMap& map);

Figure text_figure(const Scene& scene);
// What a published model says after the marked token.
Figure next_figure(const Scene& scene);
Figure sheet_figure(const Scene& scene);
Figure scores_figure(const Scene& scene);
Figure map_figure(const Scene& scene);
Figure ablation_figure(const Scene& scene);
// The heads' names by step of a training that was kept, and their scores.
Figure became_figure(const Scene& scene);
Figure history_figure(const Scene& scene);
Figure change_figure(const Scene& scene);
Figure lens_figure(const Scene& scene);
Figure shares_figure(const Scene& scene, const Shares& shares);
Figure circuit_figure(const Scene& scene, const CircuitMap& map);
Figure composition_figure(const Scene& scene);

Explanation explain(const Scene& scene, const std::optional<Shares>& shares,
                    const std::optional<CircuitMap>& map);
Page compute(const Parameters& p, const Context& context);

}  // namespace lab::gpt_inside
