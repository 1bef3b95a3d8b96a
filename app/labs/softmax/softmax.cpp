#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"
#include "app/labs/softmax/page.h"
#include "core/attention/masked_softmax.h"
#include "core/enum_array.h"

namespace lab::softmax {
namespace {

using Names = std::array<std::string_view, 12>;

constexpr Names kLogitIds{"logit_1", "logit_2", "logit_3", "logit_4",  "logit_5",  "logit_6",
                          "logit_7", "logit_8", "logit_9", "logit_10", "logit_11", "logit_12"};
constexpr Names kLogitLabels{N_("Logit 1"), N_("Logit 2"),  N_("Logit 3"),  N_("Logit 4"),
                             N_("Logit 5"), N_("Logit 6"),  N_("Logit 7"),  N_("Logit 8"),
                             N_("Logit 9"), N_("Logit 10"), N_("Logit 11"), N_("Logit 12")};
constexpr Names kLengthIds{"length_1", "length_2", "length_3", "length_4",
                           "length_5", "length_6", "length_7", "length_8"};
constexpr Names kLengthLabels{N_("Length 1"), N_("Length 2"), N_("Length 3"), N_("Length 4"),
                              N_("Length 5"), N_("Length 6"), N_("Length 7"), N_("Length 8")};

void describe_view(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.choice(p.view, "view", N_("Part"),
              N_("Weights: from logits to probabilities. Jacobian: what each logit does to each "
                 "weight. Loss: cross-entropy and its gradient. Lengths, masks: batches whose keys "
                 "are hidden. Fills: ways to hide a key, side by side"),
              {{"weights", N_("weights")},
               {"jacobian", N_("Jacobian")},
               {"loss", N_("loss")},
               {"lengths", N_("lengths")},
               {"masks", N_("masks")},
               {"fills", N_("fills")}},
              {.tabs = true});
}

void describe_logits(Parameters& p, param::List& list) {
  const bool row = p.is_row() || p.view == View::fills;
  list.group(N_("Logits"));
  list.integer(p.count, "count", N_("How many"), N_("The length of the row of logits"),
               {.unit = N_("logits"), .min = 2, .max = kMostLogits, .active = row});
  for (std::size_t k = 0; k < p.logits.size(); ++k) {
    list.real(p.logits[k], kLogitIds[k], kLogitLabels[k],
              N_("A score before softmax. Drag the end of its bar"),
              {.min = -kLargestLogit, .max = kLargestLogit, .active = row && to_int(k) < p.count});
  }
  list.real(p.shift, "shift", N_("Added to all"),
            N_("A constant c added to every logit. The weights do not change: only differences "
               "count. Softmax computed as written overflows in float32 once x/T exceeds 88.7228, "
               "its sum even earlier"),
            {.min = -1000, .max = 1000, .active = p.view == View::weights});
  list.integer(
      p.weight, "weight", N_("Weight picked"),
      N_("Which weight is worked out; a click on its bar chooses it"),
      {.min = 1,
       .max = to_double(p.count),
       .active = p.view == View::weights || p.view == View::jacobian || p.view == View::fills});
  list.integer(p.logit, "logit", N_("Logit picked"),
               N_("The logit that the weight, or the loss, is differentiated by; for the odds of "
                  "two weights, the other one, or a neighbour if both are the same"),
               {.min = 1, .max = to_double(p.count), .active = p.is_row()});
}

void describe_softmax(Parameters& p, param::List& list) {
  list.group(N_("Softmax"));
  list.real(p.temperature, "temperature", N_("Temperature"),
            N_("Every logit is divided by T. Towards 0 the largest takes all; towards infinity all "
               "weights are equal"),
            {.min = 0.01, .max = 100, .scale = param::Scale::log, .active = p.is_row()});
  list.choice(p.ties, "ties", N_("Hardmax of a tie"),
              N_("When several logits tie for the largest: all weight on the first, as argmax "
                 "does, or an equal share for each, the limit of softmax"),
              {{"first", N_("the first")}, {"shared", N_("shared")}},
              {.active = p.view == View::weights});
  describe_explained(p.explained,
                     {{"weight", N_("weight")},
                      {"hardmax", N_("hardmax")},
                      {"log_weight", N_("log p")},
                      {"naive", N_("as written")},
                      {"pair", N_("two logits")},
                      {"entropy", N_("entropy")}},
                     list, p.view == View::weights);
}

void describe_loss(Parameters& p, param::List& list) {
  const bool on = p.view == View::loss;
  list.group(N_("Loss"));
  list.integer(p.label, "label", N_("True class"),
               N_("The class whose probability should be 1; a click on the weights chooses it"),
               {.min = 1, .max = to_double(p.count), .active = on});
  list.real(p.step, "step", N_("Step h"),
            N_("How far a logit is moved when its derivative is estimated from differences"),
            {.min = 1e-14, .max = 1, .scale = param::Scale::log, .active = on});
  list.choice(
      p.explained_loss, "explain_loss", N_("Explained"),
      N_("What is worked out; a click on a figure chooses it too"),
      {{"gradient", N_("gradient")}, {"loss", N_("loss")}, {"difference", N_("difference")}},
      {.active = on});
}

void describe_scores(Parameters& p, param::List& list) {
  const bool on = p.view == View::lengths || p.view == View::masks;
  const bool masks = p.view == View::masks;
  list.group(N_("Scores"));
  describe_seed(p.seed, N_("Another seed gives other scores"), list, on);
  list.real(p.spread, "spread", N_("Spread"), N_("The standard deviation of the scores"),
            {.min = 0, .max = 10, .active = on});
  list.choice(p.fill, "fill", N_("Fill"),
              N_("The value that overwrites masked scores before softmax"),
              {kFills.begin(), kFills.end()}, {.active = on});
  list.integer(p.query, "query", N_("Query"),
               N_("The query whose row is worked out; a click on a cell chooses it"),
               {.min = 0, .max = to_double((masks ? p.tokens : p.queries) - 1), .active = on});
  list.integer(p.key, "key", N_("Key"),
               N_("The key whose weight is worked out; a click on a cell chooses it"),
               {.min = 0, .max = to_double((masks ? p.tokens : p.keys) - 1), .active = on});
}

void describe_lengths(Parameters& p, param::List& list) {
  const bool on = p.view == View::lengths;
  list.group(N_("Valid lengths"));
  list.choice(p.form, "form", N_("One length"),
              N_("1-D: one length per sequence, shared by all its queries. 2-D: one per query"),
              {{"per_sequence", N_("per sequence")}, {"per_query", N_("per query")}},
              {.active = on});
  list.integer(p.sequence, "sequence", N_("Sequence picked"),
               N_("Which sequence of the batch is worked out"),
               {.min = 1, .max = kSequences, .active = on});
  list.integer(p.queries, "queries", N_("Queries"), N_("Rows of scores in each sequence"),
               {.unit = N_("queries"), .min = 1, .max = kMostQueries, .active = on});
  list.integer(p.keys, "keys", N_("Keys"), N_("Columns of scores, including padding"),
               {.unit = N_("keys"), .min = 1, .max = kMostKeys, .active = on});
  for (std::size_t k = 0; k < p.lengths.size(); ++k) {
    list.integer(p.lengths[k], kLengthIds[k], kLengthLabels[k],
                 N_("How many keys are real; the others are padding. Drag the edge in the scores. "
                    "Per query: the rows of sequence 1 first, then of sequence 2"),
                 {.unit = N_("keys"),
                  .min = 0,
                  .max = kLongest,
                  .active = on && to_int(k) < p.length_count()});
  }
}

void describe_masks(Parameters& p, param::List& list) {
  const bool on = p.view == View::masks;
  list.group(N_("Masks"));
  list.integer(p.tokens, "tokens", N_("Tokens"), N_("As many queries as keys"),
               {.unit = N_("tokens"), .min = 2, .max = kMostTokens, .active = on});
  list.integer(p.valid, "valid", N_("Real tokens"),
               N_("The others are padding, as queries and as keys"),
               {.unit = N_("tokens"), .min = 0, .max = to_double(p.tokens), .active = on});
  list.flag(p.key_mask, "key_mask", N_("Key mask"),
            N_("Scores of padding keys are overwritten by the fill"), {.active = on});
  list.flag(p.future_mask, "future_mask", N_("Future mask"),
            N_("Scores of keys after the query are overwritten too"), {.active = on});
  list.flag(p.query_mask, "query_mask", N_("Query mask"),
            N_("Rows of padding queries are multiplied by 0"), {.active = on});
  list.choice(p.query_rule, "query_rule", N_("It multiplies"),
              N_("The scores before softmax, as in the document: a row of zeros becomes uniform. "
                 "Or the weights after softmax: the row becomes 0"),
              {{"scores_before", N_("scores")}, {"weights_after", N_("weights")}},
              {.active = on && p.query_mask});
}

void describe_fills(Parameters& p, param::List& list) {
  const bool on = p.view == View::fills;
  list.group(N_("Hidden keys"));
  list.integer(
      p.visible, "visible", N_("Visible keys"),
      N_("How many of the first keys are visible; all others are masked. 0 masks the whole row"),
      {.unit = N_("keys"), .min = 0, .max = to_double(p.count), .active = on});
  list.real(p.lowered, "lowered", N_("Lowered by"),
            N_("Subtracted from every logit. Without a mask it changes nothing; with a finite fill "
               "it does"),
            {.min = 1, .max = 1e11, .scale = param::Scale::log, .active = on});
  list.choice(p.arithmetic, "arithmetic", N_("Number format"),
              N_("The format in which scores, fill and weights are stored; float16 computes in "
                 "float32 in between"),
              {kArithmetics.begin(), kArithmetics.end()}, {.active = on});
  list.choice(p.way, "way", N_("Method picked"), N_("Which method of hiding keys is worked out"),
              {kWays.begin(), kWays.end()}, {.active = on});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_view(p, list);
  describe_logits(p, list);
  describe_softmax(p, list);
  describe_loss(p, list);
  describe_lengths(p, list);
  describe_masks(p, list);
  describe_scores(p, list);
  describe_fills(p, list);
  list.essential({"view",    "count",    "temperature", "shift",      "weight",
                  "explain", "logit",    "label",       "step",       "explain_loss",
                  "form",    "sequence", "length_1",    "length_2",   "fill",
                  "valid",   "key_mask", "future_mask", "query_mask", "query_rule",
                  "visible", "lowered",  "arithmetic",  "way"});
}

Lab lab() { return from_text("softmax", live(describe, compute)); }

double fill_value(Fill fill) {
  constexpr core::EnumArray<Fill, double> kValues{
      {core::kD2lFill, -4294967296.0 + 1, -std::numeric_limits<double>::infinity()}};
  return kValues[fill];
}

}  // namespace lab::softmax
