#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"
#include "app/labs/softmax/page.h"
#include "core/attention/masked_softmax.h"
#include "core/enum_array.h"

namespace lab::softmax {
namespace {

using Names = std::array<std::string_view, 12>;

std::vector<Preset> presets() {
  return {
      {"first_look", N_("Odds from differences"),
       N_("One logit is 1 above another: its weight is e = 2.718 times as large, whatever the "
          "others are. Drag the bars."),
       ""},
      {"hardmax", N_("Towards hardmax"),
       N_("At T = 0.1 the largest logit takes all but 0.005 % of the weight. The curve of two "
          "logits is nearly a step, and the entropy nearly 0."),
       "temperature=0.1 | explain=hardmax"},
      {"tie", N_("A tie is never broken"),
       N_("Two logits are largest. However low the temperature, softmax shares the weight, and the "
          "entropy falls to ln 2; argmax takes the first."),
       "count=4 | logit_1=1 | logit_2=2 | logit_3=2 | logit_4=-1 | temperature=0.05 | weight=3 | "
       "explain=hardmax"},
      {"only_differences", N_("Only differences count"),
       N_("100 is added to every logit and no weight changes. But exp(100) is too large for "
          "float32: written as it stands, softmax is ∞/∞ = NaN."),
       "shift=100 | explain=naive"},
      {"melted", N_("All alike"),
       N_("At T = 50 five weights lie between 0.19 and 0.21: logits that differ by 4 hardly count, "
          "and the entropy is ln 5 to three digits."),
       "temperature=50 | explain=entropy"},
      {"many", N_("Among many"),
       N_("Twelve logits: the largest, 2.5, gets 0.37 of the weight. Against 2 alone it would get "
          "0.62. Every further logit adds its exponential to the sum."),
       "count=12 | weight=11 | logit=1 | explain=pair"},
      {"jacobian", N_("One rises, the others pay"),
       N_("A weight rises with its own logit and falls with every other, in proportion to both. "
          "Each column of the Jacobian adds up to 0."),
       "view=jacobian | weight=1 | logit=1"},
      {"saturated", N_("Saturated: nothing moves"),
       N_("One logit is 8 above the next: its weight is 0.9995, and no entry of the Jacobian "
          "exceeds 0.0005. Softmax answers, but hardly learns."),
       "view=jacobian | logit_1=10 | logit_3=2 | weight=1 | logit=1"},
      {"gradient", N_("p minus one-hot"),
       N_("The gradient of cross-entropy is the probabilities with 1 taken from the true class. "
          "Central differences agree to ten digits."),
       "view=loss"},
      {"step", N_("Too small a step"),
       N_("With h = 1e-13 the difference of two losses is mostly rounding: it is off by more than "
          "1e-4. At 1e-5 it is off by less than 1e-10."),
       "view=loss | step=1e-13 | explain_loss=difference"},
      {"lengths_1d", N_("One length a sequence"),
       N_("Two sequences of 2 and 4 real keys: every query of a sequence sees the same keys. Drag "
          "the edges."),
       "view=lengths"},
      {"lengths_2d", N_("One length a query"),
       N_("Each query has a length of its own. 9 is longer than the row: all 6 keys are real."),
       "view=lengths | form=per_query | queries=4 | length_1=1 | length_2=3 | length_3=2 | "
       "length_4=5 | length_5=2 | length_6=4 | length_7=6 | length_8=9 | sequence=2"},
      {"empty_row", N_("A row with nothing to see"),
       N_("Length 0: with -10⁶ in every place the row becomes uniform, 1/6 for each padding key. "
          "Left out, it is 0."),
       "view=lengths | length_1=0 | fill=minus_million"},
      {"masks", N_("Key, future, query"),
       N_("Three masks, one after the other. With the query mask after softmax the weights are "
          "those with everything masked left out."),
       "view=masks | query=3 | key=1"},
      {"query_before", N_("A query mask in the wrong place"),
       N_("It multiplies the scores: padding queries have a row of zeros, which softmax makes 1/7 "
          "everywhere, padding and future included."),
       "view=masks | query_rule=scores_before | query=6 | key=6"},
      {"infinite_fill", N_("0 times -∞"),
       N_("The same with a fill of -∞: 0 times -∞ is NaN, and so is every weight of a padding "
          "query."),
       "view=masks | query_rule=scores_before | fill=minus_infinity | query=6 | key=0"},
      {"hidden", N_("Ways to hide a key"),
       N_("Six ways side by side. A fill hides; scores times a mask do not, and weights times a "
          "mask no longer add up to 1."),
       "view=fills"},
      {"below_fill", N_("Below the fill"),
       N_("Every logit is lowered by 2 million. The right weights are the same, but -10⁶ is now "
          "the largest score: hidden keys take everything."),
       "view=fills | lowered=2000000 | weight=4"},
      {"float16", N_("float16 has no -10⁶"),
       N_("It is stored as -∞. That hides keys well, until none is visible: then every weight is "
          "NaN."),
       "view=fills | arithmetic=float16 | visible=0"},
      {"float32", N_("Low logits in float32"),
       N_("Lowered by 3 million, float32 keeps logits to a quarter: 2.1, 1.2 and 0.6 become 2, "
          "1.25 and 0.5 before softmax sees them, and even leaving out is off."),
       "view=fills | arithmetic=float32 | lowered=3000000 | logit_1=2.1 | logit_2=1.2 | "
       "logit_3=0.6 | way=left_out"},
  };
}

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
  list.integer(p.count, "count", N_("How many"), N_("The length of the row that softmax sees"),
               {.unit = N_("logits"), .min = 2, .max = kMostLogits, .active = row});
  for (std::size_t k = 0; k < p.logits.size(); ++k) {
    list.real(p.logits[k], kLogitIds[k], kLogitLabels[k],
              N_("A score before softmax. Drag the end of its bar"),
              {.min = -kLargestLogit, .max = kLargestLogit, .active = row && to_int(k) < p.count});
  }
  list.real(
      p.shift, "shift", N_("Added to all"),
      N_("A constant c added to every logit. The weights do not change: only differences "
         "count. Softmax as it is written overflows in float32 once x/T passes 88.7228, its sum "
         "even before"),
      {.min = -1000, .max = 1000, .active = p.view == View::weights});
  list.integer(
      p.weight, "weight", N_("Weight picked"),
      N_("Which weight is taken apart; a click on its bar chooses it"),
      {.min = 1,
       .max = to_double(p.count),
       .active = p.view == View::weights || p.view == View::jacobian || p.view == View::fills});
  list.integer(p.logit, "logit", N_("Logit picked"),
               N_("The logit that the weight, or the loss, is differentiated by; for the odds of "
                  "two weights, the other one, or a neighbour where both are the same"),
               {.min = 1, .max = to_double(p.count), .active = p.is_row()});
}

void describe_softmax(Parameters& p, param::List& list) {
  list.group(N_("Softmax"));
  list.real(p.temperature, "temperature", N_("Temperature"),
            N_("Every logit is divided by T. Towards 0 the largest takes all; towards infinity all "
               "weigh the same"),
            {.min = 0.01, .max = 100, .scale = param::Scale::log, .active = p.is_row()});
  list.choice(p.ties, "ties", N_("Hardmax of a tie"),
              N_("When several logits are largest: all weight on the first of them, as argmax "
                 "does, or an equal share for each, which is the limit of softmax"),
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
            N_("By how much a logit is moved when its derivative is estimated from differences"),
            {.min = 1e-14, .max = 1, .scale = param::Scale::log, .active = on});
  list.choice(
      p.explained_loss, "explain_loss", N_("Explained"),
      N_("What is taken apart; a click on a figure chooses it too"),
      {{"gradient", N_("gradient")}, {"loss", N_("loss")}, {"difference", N_("difference")}},
      {.active = on});
}

void describe_scores(Parameters& p, param::List& list) {
  const bool on = p.view == View::lengths || p.view == View::masks;
  const bool masks = p.view == View::masks;
  list.group(N_("Scores"));
  describe_seed(p.seed, N_("Another seed, other scores"), list, on);
  list.real(p.spread, "spread", N_("Spread"), N_("The standard deviation of the scores"),
            {.min = 0, .max = 10, .active = on});
  list.choice(p.fill, "fill", N_("Fill"),
              N_("What masked scores are overwritten by before softmax"),
              {kFills.begin(), kFills.end()}, {.active = on});
  list.integer(p.query, "query", N_("Query"),
               N_("Whose row is taken apart; a click on a cell chooses it"),
               {.min = 0, .max = to_double((masks ? p.tokens : p.queries) - 1), .active = on});
  list.integer(p.key, "key", N_("Key"),
               N_("Whose weight is taken apart; a click on a cell chooses it"),
               {.min = 0, .max = to_double((masks ? p.tokens : p.keys) - 1), .active = on});
}

void describe_lengths(Parameters& p, param::List& list) {
  const bool on = p.view == View::lengths;
  list.group(N_("Valid lengths"));
  list.choice(p.form, "form", N_("One length"),
              N_("1-D: one length for each sequence, which all of its queries share. 2-D: one for "
                 "each query"),
              {{"per_sequence", N_("per sequence")}, {"per_query", N_("per query")}},
              {.active = on});
  list.integer(p.sequence, "sequence", N_("Sequence picked"),
               N_("Which sequence of the batch is taken apart"),
               {.min = 1, .max = kSequences, .active = on});
  list.integer(p.queries, "queries", N_("Queries"), N_("Rows of scores in each sequence"),
               {.unit = N_("queries"), .min = 1, .max = kMostQueries, .active = on});
  list.integer(p.keys, "keys", N_("Keys"), N_("Columns of scores, padding included"),
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
              N_("The scores before softmax, as the document has it: a row of zeros becomes "
                 "uniform. Or the weights after softmax: the row becomes 0"),
              {{"scores_before", N_("scores")}, {"weights_after", N_("weights")}},
              {.active = on && p.query_mask});
}

void describe_fills(Parameters& p, param::List& list) {
  const bool on = p.view == View::fills;
  list.group(N_("Hidden keys"));
  list.integer(p.visible, "visible", N_("Visible keys"),
               N_("The first so many; all others are masked. 0 masks the whole row"),
               {.unit = N_("keys"), .min = 0, .max = to_double(p.count), .active = on});
  list.real(p.lowered, "lowered", N_("Lowered by"),
            N_("Subtracted from every logit. Without a mask it changes nothing; beside a fill that "
               "is finite it does"),
            {.min = 1, .max = 1e11, .scale = param::Scale::log, .active = on});
  list.choice(p.arithmetic, "arithmetic", N_("Number format"),
              N_("Which format scores, fill and weights are stored in; float16 computes in float32 "
                 "between"),
              {kArithmetics.begin(), kArithmetics.end()}, {.active = on});
  list.choice(p.way, "way", N_("Way picked"), N_("Which way to hide keys is taken apart"),
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

Lab lab() {
  return {
      .id = "softmax",
      .title = N_("Softmax and masks"),
      .question = N_("How do scores become weights, and what does a mask really do?"),
      .chapter = Chapter::where_attention_comes_from,
      .about = N_("Softmax turns any row of scores into weights that add up to 1, keeps their "
                  "order and can be differentiated. Drag the logits, turn the temperature, look at "
                  "what each logit does to each weight and at the gradient that training follows. "
                  "Then hide keys: by length, by mask, by fill, and see which ways really hide."),
      .sources = {papers::bridle_1990.at(N_("softmax, and its gradient with cross-entropy")),
                  papers::hinton_2015.at(N_("section 2, eq. 1 (temperature)")),
                  papers::vaswani_2017.at(
                      N_("section 3.2.3 (masking out illegal connections by -∞)")),
                  {"Zhang et al., Dive into Deep Learning",
                   N_("section 11.3 (masked softmax, -10⁶)"),
                   "https://d2l.ai/chapter_attention-mechanisms-and-transformers/"
                   "attention-scoring-functions.html"}},
      .presets = presets(),
      .make = live(describe, compute)};
}

double fill_value(Fill fill) {
  constexpr core::EnumArray<Fill, double> kValues{
      {core::kD2lFill, -4294967296.0 + 1, -std::numeric_limits<double>::infinity()}};
  return kValues[fill];
}

}  // namespace lab::softmax
