// The page of the lab of decoding: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/decoding/model.h"
#include "app/labs/shared/parts.h"

namespace lab::decoding {

// Vocabularies of so many tokens are drawn in full; of larger ones so many bars.
inline constexpr Index kMostDrawn = 128, kBarsOfMany = 32;

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  const Source& source() const { return *model.source; }
  std::string token(std::int32_t id) const { return source().token(id); }
  // "A B", or what stands for nothing.
  std::string text(const Ids& ids) const;
  // The end of it, where it is long.
  std::string shortened(const Ids& ids) const;
  // The rule that holds where the bars are; null: there are no rules.
  const Rules::Rule* rule() const;
  // "the model", "top-p 0.9": what a stage's distribution comes from.
  std::string stage_name(Index stage) const;
  // "3 of 8 tokens": so many of the vocabulary.
  std::string share(Index tokens) const;
  // Tokens in the order of the bars: the model's likeliest first, of many these alone and the
  // picked one.
  std::vector<std::int32_t> order() const;
  bool draws_all() const { return source().size() <= kMostDrawn; }
};

// "greedy", "beam", ...
std::string way_name(Way way, const Words& w);
Color way_color(Way way, float alpha = 1);
// "greedy", "beam 2", "sample 3".
std::string text_name(const Text& text, const Words& w);

Figure tree_figure(const Scene& scene);
Figure filters_figure(const Scene& scene);
Figure texts_figure(const Scene& scene);
Figure samples_figure(const Scene& scene);

// Why a branch is as it is: "finished at step 3", "outscored at step 2: ...".
std::string outcome_text(const Scene& scene, const BeamBranch& branch);

Explanation explain(const Scene& scene);
Page compute(const Parameters& p, const Context& context);

}  // namespace lab::decoding
