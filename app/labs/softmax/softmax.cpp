#include "app/labs/softmax/page.h"

#include "app/labs/shared/papers.h"

namespace lab::softmax {
namespace {

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

}  // namespace

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

}  // namespace lab::softmax
