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
              N_("Of the next token: from rules that are written by hand, from a small decoder "
                 "that was trained, or from a published model"),
              {{"rules", N_("by hand")},
               {"model", N_("of a model")},
               {"published", N_("of a published model")}});
  list.text(p.rules, "rules", N_("Rules"),
            N_("Tokens with their probabilities, A:0.4 B:0.6, or logits, A=2 B=-1; after a "
               "semicolon what follows a token, A > A:0.1 B:0.9. The longest context that fits "
               "decides; a rule without one holds elsewhere"),
            4096, {.active = by_hand});
  describe_story_model(p.story, list, p.from == From::model);
  describe_published(p.published, list, p.from == From::published);
  list.group(N_("Text"));
  list.text(p.prompt, "prompt", N_("Prompt"),
            N_("What stands before: tokens apart by spaces, or for a model any text; without one a "
               "model begins with an example of its task, a published one with a sentence"),
            100'000);
  list.text(p.end, "end", N_("End"),
            N_("The token after which nothing is written; empty: none, or the model's own"), 64);
}

void describe_filters(Parameters& p, param::List& list) {
  list.group(N_("Filters"));
  list.stack(p.filters, "filters", N_("Filters"),
             N_("What is done to the distribution before a token is chosen, from the top down: "
                "each works on what the last one left"),
             filter_catalogue(), kMostFilters);
  list.choice(
      p.form, "form", N_("Form"),
      N_("Where Hugging Face transformers differs from the paper. Top-k: ties with the last "
         "are kept; top-p: one token more at a sum of exactly p, until 2022; penalty: "
         "negative logits are multiplied"),
      {{"paper", N_("as the paper")}, {"library", N_("as the library")}}, {.active = has_forms(p)});
}

void describe_search(Parameters& p, param::List& list) {
  const bool penalty = p.penalty != LengthPenalty::Kind::none;
  list.group(N_("Search"));
  list.integer(p.steps, "steps", N_("Steps"), N_("Tokens that each way writes at most"),
               {.unit = N_("tokens"), .min = 1, .max = kMostSteps, .plays = 1});
  list.integer(p.width, "width", N_("Beam width"),
               N_("Branches that live on after each step; 1 is greedy search"),
               {.min = 1, .max = kMostWidth});
  list.choice(p.penalty, "penalty", N_("Length penalty"),
              N_("What a branch's sum is divided by: nothing, a power of its length L, or that of "
                 "Google's translation system, ((5 + L) / 6)^α"),
              {{"none", N_("none")}, {"power", N_("L^α")}, {"gnmt", N_("GNMT")}});
  list.real(p.alpha, "alpha", N_("α"), N_("How much length counts; 1 with L^α is the mean"),
            {.min = -2, .max = 3, .active = penalty});
  list.flag(p.penalized, "penalised", N_("At every step"),
            N_("Scores decide at every step which branches live; otherwise sums do, and scores "
               "only in the end"),
            {.active = penalty});
  list.flag(p.beam_filters, "beam_filters", N_("Filters in the beam"),
            N_("The search goes by the distributions after the filters, and not by the model's"));
  list.integer(p.shown, "shown", N_("Drawn of each"),
               N_("Of each branch so many of the likeliest next tokens are drawn, whatever became "
                  "of them"),
               {.min = 1, .max = kMostShown});
}

void describe_looks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.text(p.taken, "taken", N_("Your branch"),
            N_("Tokens apart by spaces, of a published model their numbers; a click in the tree "
               "takes a branch"),
            1024);
  describe_explained(
      p.explained,
      {{"probability", N_("probability")}, {"branch", N_("branch")}, {"draw", N_("draw")}}, list);
  list.integer(
      p.token, "token", N_("Token picked"),
      N_("By its place in the vocabulary, from 0; -1: the likeliest after the filters. A "
         "click on a bar chooses it"),
      {.min = -1, .max = to_double(kMostVocabulary) - 1, .slides_to = 999, .unpinned = -1});
  list.integer(p.stage, "stage", N_("After filter"),
               N_("Whose number is taken apart: 0 is the model's own"),
               {.min = 0,
                .max = to_double(p.filters.size()),
                .active = p.explained == Explained::probability});
  list.group(N_("Draws"));
  describe_seed(p.seed, N_("The same seed draws the same tokens"), list);
  list.integer(p.samples, "samples", N_("Draws"), N_("How often the next token is drawn"),
               {.unit = N_("draws"), .min = 1, .max = kMostSamples, .scale = Scale::log});
  list.integer(p.draw, "draw", N_("Draw picked"), N_("Which draw is taken apart, from 0"),
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
        {{"k", N_("k"), N_("How many are kept"), 1, 200, 3, Scale::log}}},
       {"top_p",
        N_("Top-p"),
        N_("Keeps the fewest of the likeliest whose probabilities reach p: the nucleus"),
        {{"p", N_("p"), N_("What their sum reaches"), 0, 1000, 900, Scale::linear, 1000}}},
       {"min_p",
        N_("Min-p"),
        N_("Keeps what is at least p times as likely as the likeliest"),
        {{"p", N_("p"), N_("The share of the likeliest"), 0, 1000, 100, Scale::linear, 1000}}},
       {"repetition",
        N_("Repetition penalty"),
        N_("Divides the logits of what the text already has"),
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
  list.found_ranges({"token"}, opened_source(list));
  list.found_ranges({"steps"}, opened_prompt(list));
  if (p.from == From::published) {
    list.essential({"from", "published", "folder", "prompt", "filters", "steps", "width"});
  } else {
    list.essential({"from", "rules", "model", "prompt", "filters", "steps", "width", "seed"});
  }
}

Lab lab() { return from_text("decoding", live(describe, compute)); }

}  // namespace lab::decoding
