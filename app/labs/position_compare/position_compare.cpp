#include "app/labs/position_compare/page.h"
#include "app/labs/shared/text/text.h"

namespace lab::position_compare {
namespace {

// "scheme_1" to "scheme_4".
void describe_scheme(Scheme& scheme, std::string_view id, std::string_view label,
                     std::string_view help, bool may_be_off, param::List& list) {
  std::vector<Scheme> offered(kCompared.begin(), kCompared.end());
  std::vector<param::Option> options;
  for (const Scheme one : offered) options.push_back({id_of(one), name_of(one)});
  if (may_be_off) {
    offered.push_back(kOff);
    options.push_back({"off", N_("off")});
  }
  list.choice_of(scheme, std::move(offered), id, label, help, std::move(options));
}

void describe_schemes(Parameters& p, param::List& list) {
  list.group(N_("Schemes"));
  describe_scheme(
      p.scheme_1, "scheme_1", N_("First scheme"),
      N_("The scheme the others are compared with: each difference is that scheme minus this one"),
      false, list);
  describe_scheme(p.scheme_2, "scheme_2", N_("Second scheme"),
                  N_("How positions enter the scores of the second picture"), false, list);
  describe_scheme(p.scheme_3, "scheme_3", N_("Third scheme"),
                  N_("How positions enter the scores of a third picture, if there is one"), true,
                  list);
  describe_scheme(p.scheme_4, "scheme_4", N_("Fourth scheme"),
                  N_("How positions enter the scores of a fourth picture, if there is one"), true,
                  list);
  list.choice(p.quantity, "quantity", N_("Show"),
              N_("Scores as they enter the softmax, or the weights that multiply the values"),
              {{"scores", N_("scores")}, {"weights", N_("weights")}});
  list.choice(p.colors, "colors", N_("Colours"),
              N_("One colour scale for all pictures, so equal colours are equal numbers, or one "
                 "for each, so a scheme with large numbers does not wash out the others"),
              {{"common", N_("common")}, {"own", N_("own")}});
  list.choice(p.mask, "mask", N_("Mask"),
              N_("Whether a query sees every key or only those up to itself. It decides which "
                 "pairs are scored, and so the cost"),
              {{"full", N_("full")}, {"causal", N_("causal")}});
}

void describe_content(Parameters& p, param::List& list) {
  describe_sequence(p, kMostTokens, list);
  list.choice(p.projection, "projection", N_("Projections"),
              N_("W for queries and keys: one random matrix for both, so equal words score high, "
                 "or two independent ones"),
              {{"tied", N_("tied")}, {"random", N_("random")}});
  describe_seed(p.seed,
                N_("Chooses the random embeddings, projections and the tables that training would "
                   "have learned"),
                list);
}

void describe_size(Parameters& p, param::List& list) {
  list.group(N_("Model"));
  list.integer(p.heads, "heads", N_("Heads h"),
               N_("h: biases are added in every head; a rotary table serves all of them"),
               {.min = 1, .max = 32});
  // Every head has an even width, since sines and cosines come in pairs.
  const double step = 2.0 * p.heads;
  list.integer(
      p.d_model, "d_model", N_("Width d"),
      N_("d: the dimension of a token's vector; each head has d / h dimensions, an even number"),
      {.min = step,
       .max = step * std::floor(kMostWidth / step),
       .step = step,
       .scale = param::Scale::log});
  list.integer(
      p.layers, "layers", N_("Layers L"),
      N_("L: schemes added to the embeddings are applied once; all others work in every layer"),
      {.min = 1, .max = 96, .scale = param::Scale::log});
  list.choice(p.counted, "counted", N_("Costs for"),
              N_("n of the table of costs: as many tokens as the pictures show, or a length too "
                 "large for a picture"),
              {{"shown", N_("the tokens shown")}, {"length", N_("another length")}});
  list.integer(p.counted_length, "counted_length", N_("Counted length"),
               N_("n of the table of costs: how many tokens the operations are counted for, "
                  "whatever the pictures show"),
               {.unit = N_("tokens"),
                .min = 1,
                .max = 1048576,
                .scale = param::Scale::log,
                .active = p.counted == Counted::length});
}

void describe_inside(Parameters& p, param::List& list) {
  list.group(N_("Inside the schemes"));
  const auto uses = [shown = p.schemes()](bool Uses::*knob) {
    return std::any_of(shown.begin(), shown.end(),
                       [&](Scheme one) { return compared_as(one).uses.*knob; });
  };
  list.real(p.base, "base", N_("Base"),
            N_("Frequencies are base^(-2i/d): a larger base rotates more slowly"),
            {.min = 1e2, .max = 1e7, .scale = param::Scale::log, .active = uses(&Uses::base)});
  list.real(p.scale_base, "scale_base", N_("xPos scale B"),
            N_("Pair p of a score is multiplied by ζ_p^((i − j) / B): a smaller B decays sooner"),
            {.unit = N_("tokens"),
             .min = 16,
             .max = 8192,
             .scale = param::Scale::log,
             .active = uses(&Uses::scale_base)});
  const bool t5 = uses(&Uses::buckets);
  list.integer(p.buckets, "buckets", N_("T5 buckets"),
               N_("How many learned biases a head has; half of them serve one short distance each, "
                  "the others share the long ones"),
               {.min = 4, .max = 128, .step = 2, .active = t5});
  list.integer(p.max_distance, "max_distance", N_("T5 last distance"),
               N_("From this distance on all keys share one bias"),
               {.unit = N_("tokens"),
                .min = to_double(p.buckets / 2 + 1),
                .max = 4096,
                .scale = param::Scale::log,
                .active = t5});
  list.integer(p.clip, "clip", N_("Clip at k"),
               N_("Shaw and DeBERTa: distances beyond k count as k"),
               {.unit = N_("tokens"),
                .min = 1,
                .max = 512,
                .scale = param::Scale::log,
                .active = uses(&Uses::clip)});
  list.integer(p.trained_length, "trained_length", N_("Trained length"),
               N_("Rows of the learned table, and one more than URPE's largest distance: beyond, "
                  "these two are undefined"),
               {.unit = N_("tokens"),
                .min = 1,
                .max = 8192,
                .scale = param::Scale::log,
                .active = uses(&Uses::trained_length)});
  list.real(p.table_size, "table_size", N_("Learned size"),
            N_("Nothing is trained here: what training would have learned is drawn at random, with "
               "this standard deviation (URPE: about 1)"),
            {.min = 0, .max = 4, .step = 0.05, .active = uses(&Uses::table_size)});
}

void describe_picks(Parameters& p, param::List& list, int tokens) {
  const double last = std::max(0, tokens - 1);
  list.group(N_("Time"));
  list.flag(p.measure, "measure", N_("Measure now"),
            N_("Runs adding and rotating on this machine and shows the time per token. The numbers "
               "differ from run to run"),
            {.measures = true});
  list.group(N_("Look at"));
  describe_explained(p.explain,
                     {{"value", N_("value")},
                      {"difference", N_("difference")},
                      {"distance", N_("distance")},
                      {"cost", N_("cost")},
                      {"time", N_("time")}},
                     list);
  list.integer(
      p.scheme, "scheme", N_("Scheme"),
      N_("The scheme that is worked out, counted from 1 in the order of the pictures"),
      {.min = 1, .max = to_double(p.schemes().size()), .active = p.explain != Explained::time});
  list.integer(
      p.head, "head", N_("Head"),
      N_("Which head's pictures are shown; ALiBi's slope and T5's biases differ from head to head"),
      {.min = 1, .max = to_double(p.heads)});
  list.integer(p.query, "query", N_("Query"), N_("The query's token: a row, counted from 0"),
               {.min = 0, .max = last});
  list.integer(p.key, "key", N_("Key"), N_("The key's token: a column, counted from 0"),
               {.min = 0, .max = last});
  list.integer(p.distance, "distance", N_("Distance"),
               N_("Key minus query, j − i: the point read from the curves; above 0 the key comes "
                  "after the query"),
               {.unit = N_("tokens"), .min = -last, .max = p.mask == MaskKind::causal ? 0 : last});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_schemes(p, list);
  describe_content(p, list);
  const int tokens = p.token_count(kMostTokens);
  describe_size(p, list);
  describe_inside(p, list);
  describe_picks(p, list, tokens);
  list.essential({"scheme_1", "scheme_2", "scheme_3", "quantity", "mask", "text", "measure"});
}

Lab lab() { return from_text("position_compare", live(describe, compute)); }

std::vector<Scheme> Parameters::schemes() const {
  std::vector<Scheme> result{scheme_1, scheme_2};
  if (scheme_3 != kOff) result.push_back(scheme_3);
  if (scheme_4 != kOff) result.push_back(scheme_4);
  return result;
}

bool Parameters::shows(Scheme which) const {
  const std::vector<Scheme> shown = schemes();
  return std::find(shown.begin(), shown.end(), which) != shown.end();
}

core::model::SchemeSize Parameters::size(Index tokens) const {
  return {.model = {counted == Counted::shown ? tokens : counted_length, d_model, heads, layers},
          .causal = mask == MaskKind::causal,
          .learned_rows = trained_length,
          .buckets = buckets,
          .clip = clip};
}

}  // namespace lab::position_compare
