#include "core/task/sequence/sequence_recipes.h"

#include <algorithm>
#include <utility>

#include "core/refuse.h"

namespace core::task {
namespace {

// A decoder of attention alone, the norm first.
model::DecoderForm attention_only(Index layers, Index d_model, model::Scheme scheme) {
  return {.layer = {.d_model = d_model, .feed_forward = {.width = 0}, .norm_first = true},
          .layers = layers,
          .positions = {.scheme = scheme}};
}

model::DecoderForm with_feed_forward(Index layers, Index heads, model::Scheme scheme) {
  return {.layer = {.d_model = 64,
                    .heads = heads,
                    .key_heads = heads,
                    .feed_forward = {.width = 128},
                    .norm_first = true},
          .layers = layers,
          .positions = {.scheme = scheme}};
}

FitOptions at_rate(double rate, Index warmup, Index batch) {
  return {.schedule = {.rate = rate, .warmup = warmup}, .batch = batch};
}

// Down to a twentieth of the rate at the last step.
FitOptions falling(double rate, Index batch, Index steps) {
  return {.schedule = {.kind = model::Schedule::Kind::cosine,
                       .rate = rate,
                       .warmup = 50,
                       .steps = steps,
                       .last = 0.05},
          .batch = batch};
}

SequenceTask letters(Story story, Index symbols, Index shortest, bool repeats) {
  return {
      .story = story, .symbols = symbols, .shortest = shortest, .longest = 10, .repeats = repeats};
}

SequenceRecipe made(Recipe which) {
  using model::Scheme;
  constexpr Index kCharacters = 26, kWithDigits = 36, kComparedWidth = 48, kComparedHeads = 4;
  SequenceRecipe out;
  double rate = 0.01;
  Index batch = 64;
  switch (which) {
    case Recipe::induction:
      return {{}, attention_only(2, 32, Scheme::rotary), at_rate(0.01, 50, 32), 250};
    case Recipe::copy:
      return {letters(Story::copy, kCharacters, 10, true), attention_only(1, 32, Scheme::learned),
              at_rate(0.01, 20, 64), 80};
    case Recipe::reverse:
      return {letters(Story::reverse, kCharacters, 10, true),
              attention_only(1, 32, Scheme::learned), at_rate(0.01, 20, 64), 80};
    case Recipe::copy_any_length:
    case Recipe::reverse_any_length: {
      const Story story = which == Recipe::copy_any_length ? Story::copy : Story::reverse;
      out = {letters(story, kWithDigits, 1, false),
             attention_only(2, kComparedWidth, Scheme::rotary),
             {},
             1000};
      out.form.layer.heads = out.form.layer.key_heads = kComparedHeads;
      break;
    }
    case Recipe::sort:
      out = {letters(Story::sort, kCharacters, 1, false),
             attention_only(1, 64, Scheme::none),
             {},
             400};
      break;
    case Recipe::addition:
      out = {{.story = Story::addition}, with_feed_forward(2, 4, Scheme::learned), {}, 800};
      rate = 0.005;
      batch = 128;
      break;
    case Recipe::brackets:
      out = {{.story = Story::brackets, .shortest = 1, .longest = 12},
             attention_only(2, 32, Scheme::learned),
             {},
             500};
      break;
    case Recipe::text_english:
    case Recipe::text_chinese: {
      const bool english = which == Recipe::text_english;
      out.task = {.story = Story::text,
                  .length = english ? 96 : 48,
                  .language = english ? Language::english : Language::chinese};
      out.form = with_feed_forward(2, english ? 4 : 2, Scheme::rotary);
      out.steps = english ? 3000 : 700;
      rate = 0.005;
      batch = 16;
      break;
    }
    case Recipe::own:
      out = {
          {.story = Story::own, .length = 64}, with_feed_forward(2, 4, Scheme::rotary), {}, 1500};
      rate = 0.005;
      batch = 16;
      break;
  }
  out.options = falling(rate, batch, out.steps);
  return out;
}

SequenceRecipe with_positions(SequenceRecipe out, model::Scheme scheme) {
  out.form.positions = {.scheme = scheme};
  // Rows of positions that are never trained would say nothing.
  if (scheme == model::Scheme::learned) {
    out.form.positions.longest = longest_sequence(out.task);
  }
  return out;
}

// The seeds of the shipped ones, in the order of kComparedSchemes.
constexpr std::uint64_t kMiddleSeeds[std::size(kComparedRecipes)][std::size(kComparedSchemes)] = {
    {0, 1, 1, 2, 1, 2},   // copy
    {1, 1, 0, 2, 2, 0}};  // reverse

}  // namespace

bool is_compared(Recipe which) {
  return std::find(std::begin(kComparedRecipes), std::end(kComparedRecipes), which) !=
         std::end(kComparedRecipes);
}

SequenceRecipe recipe(Recipe which) {
  const SequenceRecipe out = made(which);
  const model::Scheme scheme = out.form.positions.scheme;
  return is_compared(which) ? recipe(which, scheme) : with_positions(out, scheme);
}

SequenceRecipe recipe(Recipe which, model::Scheme positions) {
  const auto task = std::find(std::begin(kComparedRecipes), std::end(kComparedRecipes), which);
  const auto scheme =
      std::find(std::begin(kComparedSchemes), std::end(kComparedSchemes), positions);
  if (task == std::end(kComparedRecipes) || scheme == std::end(kComparedSchemes)) {
    refuse("recipe", "a task and a scheme that are compared", "others");
  }
  SequenceRecipe out = with_positions(made(which), positions);
  out.options.seed =
      kMiddleSeeds[task - std::begin(kComparedRecipes)][scheme - std::begin(kComparedSchemes)];
  return out;
}

}  // namespace core::task
