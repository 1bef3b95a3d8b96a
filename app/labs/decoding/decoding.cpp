#include "app/labs/decoding/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::decoding {
namespace {

using param::Scale;

// Whether a filter has two forms.
bool has_forms(const Parameters& p) {
  const auto filters = p.filter_list();
  return std::any_of(filters.begin(), filters.end(), [](const Filter& filter) {
    return filter.kind == Filter::Kind::top_k || filter.kind == Filter::Kind::top_p ||
           filter.kind == Filter::Kind::repetition;
  });
}

void describe_source(Parameters& p, param::List& list) {
  const bool by_hand = p.by_hand();
  list.group(N_("Distribution"));
  list.choice(p.from, "from", N_("Probabilities"),
              N_("For the next token: from rules written by hand, from a small trained decoder, or "
                 "from a published model"),
              {{"rules", N_("by hand")},
               {"model", N_("of a model")},
               {"published", N_("of a published model")}});
  list.text(p.rules, "rules", N_("Rules"),
            N_("Tokens with their probabilities, A:0.4 B:0.6, or logits, A=2 B=-1; after a "
               "semicolon what follows a token, A > A:0.1 B:0.9. The longest matching context "
               "decides; a rule without one holds elsewhere"),
            4096, {.active = by_hand});
  describe_story_model(p.story, list, p.from == From::model);
  describe_published(p.published, list, p.from == From::published);
  list.group(N_("Text"));
  list.text(p.prompt, "prompt", N_("Prompt"),
            N_("The text so far: tokens separated by spaces, or for a model any text; if empty, a "
               "model begins with an example of its task, a published one with a sentence"),
            100'000);
  list.text(p.end, "end", N_("End"),
            N_("The token that ends the text; empty: none, or the model's own"), 64);
}

void describe_filters(Parameters& p, param::List& list) {
  list.group(N_("Filters"));
  list.stack(p.filters, "filters", N_("Filters"),
             N_("What is done to the distribution before a token is chosen, from the top down: "
                "each works on what the one before left"),
             filter_catalogue(), kMostFilters);
  list.choice(p.form, "form", N_("Form"),
              N_("Where Hugging Face transformers differs from the paper. Top-k: ties with the "
                 "last are kept; top-p: one more token at a sum of exactly p, until 2022; penalty: "
                 "negative logits are multiplied"),
              {{"paper", N_("as in the paper")}, {"library", N_("as in the library")}},
              {.active = has_forms(p)});
}

void describe_search(Parameters& p, param::List& list) {
  const bool penalty = p.penalty != LengthPenalty::Kind::none;
  list.group(N_("Search"));
  list.integer(p.steps, "steps", N_("Steps"), N_("The most tokens that each method writes"),
               {.unit = N_("tokens"), .min = 1, .max = kMostSteps, .plays = 1});
  list.integer(p.width, "width", N_("Beam width"),
               N_("Branches kept after each step; 1 is greedy search"),
               {.min = 1, .max = kMostWidth});
  list.choice(p.penalty, "penalty", N_("Length penalty"),
              N_("What a branch's sum is divided by: nothing, a power of its length L, or the "
                 "penalty of Google's translation system, ((5 + L) / 6)^α"),
              {{"none", N_("none")}, {"power", N_("L^α")}, {"gnmt", N_("GNMT")}});
  list.real(p.alpha, "alpha", N_("α"), N_("How much length counts; with L^α, 1 gives the mean"),
            {.min = -2, .max = 3, .active = penalty});
  list.flag(p.penalized, "penalised", N_("At every step"),
            N_("Scores decide at every step which branches are kept; otherwise sums do, and scores "
               "only at the end"),
            {.active = penalty});
  list.flag(p.beam_filters, "beam_filters", N_("Filters in the beam"),
            N_("The search uses the filtered distributions, not the model's"));
  list.integer(p.shown, "shown", N_("Drawn per branch"),
               N_("How many of the likeliest next tokens of each branch are drawn, kept or not"),
               {.min = 1, .max = kMostShown});
}

void describe_looks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.text(p.taken, "taken", N_("Your branch"),
            N_("Tokens separated by spaces, for a published model their ids; a click in the tree "
               "takes a branch"),
            1024);
  describe_explained(
      p.explained,
      {{"probability", N_("probability")}, {"branch", N_("branch")}, {"draw", N_("draw")}}, list);
  list.integer(
      p.token, "token", N_("Token picked"),
      N_("By its index in the vocabulary, from 0; -1: the likeliest after the filters. A click on "
         "a bar chooses it"),
      {.min = -1, .max = to_double(kMostVocabulary) - 1, .slides_to = 999, .unpinned = -1});
  list.integer(p.stage, "stage", N_("After filter"),
               N_("Whose probability is worked out: 0 is the model's own"),
               {.min = 0,
                .max = to_double(p.filters.size()),
                .active = p.explained == Explained::probability});
  const bool published = p.from == From::published;
  list.integer(p.layer, "layer", N_("Layer"),
               N_("Of the head whose attention is drawn for each token written; counted from 1"),
               {.min = 1, .max = double{kMostLayers}, .active = published});
  list.integer(p.head, "head", N_("Head"), N_("Counted from 1; the head shown large"),
               {.min = 1, .max = double{kMostHeads}, .active = published});
  list.group(N_("Draws"));
  describe_seed(p.seed, N_("The same seed draws the same tokens"), list);
  list.integer(p.samples, "samples", N_("Draws"), N_("How often the next token is drawn"),
               {.unit = N_("draws"), .min = 1, .max = kMostSamples, .scale = Scale::log});
  list.integer(p.draw, "draw", N_("Draw picked"), N_("Which draw is worked out, from 0"),
               {.min = 0,
                .max = to_double(p.samples - 1),
                .active = p.explained == Explained::draw && p.samples > 1});
}

}  // namespace

const std::shared_ptr<const param::Catalogue>& filter_catalogue() {
  // In the order of Filter::Kind.
  static const auto all = std::make_shared<const param::Catalogue>(param::Catalogue{
      {},
      {{"temperature",
        N_("Temperature"),
        N_("Divides the logits by T: below 1 sharper, above 1 flatter"),
        {{"t", N_("T"), N_("The temperature"), 5, 1000, 70, Scale::log, 100}}},
       {"top_k",
        N_("Top-k"),
        N_("Keeps the k likeliest"),
        {{"k", N_("k"), N_("How many tokens are kept"), 1, 200, 3, Scale::log}}},
       {"top_p",
        N_("Top-p"),
        N_("Keeps the fewest of the likeliest whose probabilities reach p: the nucleus"),
        {{"p", N_("p"), N_("The sum they must reach"), 0, 1000, 900, Scale::linear, 1000}}},
       {"min_p",
        N_("Min-p"),
        N_("Keeps tokens at least p times as likely as the likeliest"),
        {{"p", N_("p"), N_("The share of the largest probability"), 0, 1000, 100, Scale::linear,
          1000}}},
       {"repetition",
        N_("Repetition penalty"),
        N_("Divides the logits of tokens already in the text"),
        {{"penalty", N_("θ"), N_("1 changes nothing"), 10, 1000, 120, Scale::log, 100}}}}});
  return all;
}

std::string opened_source(param::List& list) {
  return values_of(list, {"from", "rules", "model", "story_file", "published", "folder"});
}

std::string opened_prompt(param::List& list) {
  return opened_source(list) + values_of(list, {"prompt", "around"});
}

void describe(Parameters& p, param::List& list) {
  describe_source(p, list);
  describe_filters(p, list);
  describe_search(p, list);
  describe_looks(p, list);
  list.found_ranges({"token", "layer", "head"}, opened_source(list));
  list.found_ranges({"steps"}, opened_prompt(list));
  if (p.from == From::published) {
    list.essential({"from", "published", "folder", "prompt", "filters", "steps", "width"});
  } else {
    list.essential({"from", "rules", "model", "prompt", "filters", "steps", "width", "seed"});
  }
}

Lab lab() { return from_text("decoding", live(describe, compute)); }

}  // namespace lab::decoding
