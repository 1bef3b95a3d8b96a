#include "core/task/sequence_recipes.h"

#include <algorithm>
#include <utility>

namespace core::task {
namespace {

// Of attention alone, the norm first.
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
  constexpr Index kCharacters = 26, kWithDigits = 36;
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
      out = {letters(Story::copy, kWithDigits, 1, false),
             attention_only(2, 32, Scheme::rotary),
             {},
             500};
      break;
    case Recipe::reverse_any_length:
      out = {letters(Story::reverse, kWithDigits, 1, false),
             attention_only(2, 32, Scheme::rotary),
             {},
             300};
      break;
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
  // One start in four is slow to find the way by content: not this one.
  if (which == Recipe::copy_any_length) out.options.seed = 2;
  return out;
}

}  // namespace

namespace {

SequenceRecipe with_its_rows(SequenceRecipe out) {
  // Rows of positions that are never trained would say nothing.
  if (out.form.positions.scheme == model::Scheme::learned) {
    out.form.positions.longest = longest_sequence(out.task);
  }
  return out;
}

}  // namespace

SequenceRecipe recipe(Recipe which) { return with_its_rows(made(which)); }

SequenceRecipe recipe(Recipe which, model::Scheme positions) {
  SequenceRecipe out = made(which);
  if (out.form.positions.scheme == positions) return with_its_rows(std::move(out));
  out.form.positions = {.scheme = positions};
  // Others are slower.
  constexpr Index kPatient = 1000;
  out.steps = out.options.schedule.steps = std::max(out.steps, kPatient);
  if (positions == model::Scheme::alibi) {
    constexpr Index kHeads = 8, kWidth = 64;
    model::TransformerForm& layer = out.form.layer;
    layer.d_model = std::max(layer.d_model, kWidth);
    layer.heads = layer.key_heads = kHeads;
    out.options.schedule.rate = 0.005;
  }
  return with_its_rows(std::move(out));
}

}  // namespace core::task
