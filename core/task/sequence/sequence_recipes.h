// How each story is learned in a few hundred steps: a task, the smallest model that learns it, and
// how that is trained.
#pragma once

#include "core/task/sequence/sequence_fit.h"

namespace core::task {

enum class Recipe {
  induction,           // two layers of attention alone: a head that looks one back, and one that
                       // looks behind the last time (Olsson et al. 2022)
  copy,                // one length: one head of learned positions draws the diagonal
  reverse,             // likewise, the other diagonal
  copy_any_length,     // lengths mixed: by content, through two layers
  reverse_any_length,  // likewise
  sort,                // any length: one head without positions
  addition,            // the lowest digit first
  brackets,            // of two kinds
  text_english,
  text_chinese,
  own  // a person's own text: the recipe lacks its corpus, and where it ends depends on the text
};
// Those whose sequences are drawn.
inline constexpr Recipe kRecipes[] = {
    Recipe::induction,          Recipe::copy,        Recipe::reverse,  Recipe::copy_any_length,
    Recipe::reverse_any_length, Recipe::sort,        Recipe::addition, Recipe::brackets,
    Recipe::text_english,       Recipe::text_chinese};

struct SequenceRecipe {
  SequenceTask task;
  model::DecoderForm form;
  FitOptions options;
  Index steps = 0;  // after which 99 % of what is held out is right; of text, its loss near its end
};
SequenceRecipe recipe(Recipe which);

// Copying and reversing of any length are trained with each of these schemes, alike in all else:
// task, heads, width, layers, steps, rate and batch are those of the recipe. Four heads, since the
// slopes of ALiBi belong to heads.
inline constexpr model::Scheme kComparedSchemes[] = {
    model::Scheme::rotary, model::Scheme::learned, model::Scheme::sinusoidal,
    model::Scheme::alibi,  model::Scheme::t5,      model::Scheme::none};
inline constexpr Recipe kComparedRecipes[] = {Recipe::copy_any_length, Recipe::reverse_any_length};
// Each is trained from each of these seeds. Shipped is the middle one of them by
// LengthScore::beyond, and where that is the same by LengthScore::within: assets/models/lengths.csv
// has all of them.
inline constexpr std::uint64_t kComparedSeeds[] = {0, 1, 2};
bool is_compared(Recipe which);

// The same recipe with other positions. Of a compared recipe and scheme the seed is that of the
// shipped model. InputError for a recipe or scheme that is not compared.
SequenceRecipe recipe(Recipe which, model::Scheme positions);

}  // namespace core::task
