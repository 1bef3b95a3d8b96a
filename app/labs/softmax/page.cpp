#include "app/labs/softmax/page.h"

namespace lab::softmax {

std::vector<Card> cards(const words::Words& w) {
  return {{w("Padding beyond the valid length is masked and set to 0."),
           w("It is set to -10⁶ before softmax. Its weight is then 0 as long as some key is real "
             "and the logits lie well above -10⁶; a wholly masked row becomes uniform."),
           w("Preset: a row with nothing to see")},
          {w("Padding with -2³²+1 makes the weight 0."),
           w("It is a number: a wholly masked row becomes uniform. float32 stores it as -2³², "
             "float16 as -∞."),
           w("Preset: below the fill")},
          {w("The query mask multiplies the scores before softmax, which makes the attention 0."),
           w("A row of zeros becomes the uniform row 1/n, and hidden keys come back. Multiply the "
             "weights after softmax, or the output."),
           w("Preset: a query mask in the wrong place")},
          {w("Large inputs saturate softmax, small ones flatten it."),
           w("Only differences count: adding 1000 to every logit changes nothing. Large "
             "differences saturate it."),
           w("Preset: only differences count")},
          {w("The derivative of the attention weight is p - 1."),
           w("p_y - 1 is the derivative of the cross-entropy loss by the true class's logit; by "
             "another class's it is p_j. A weight's own derivative is p_i ([i = j] - p_j)."),
           w("Preset: p minus one-hot")},
          {w("Hardmax divides each score by the sum of all."),
           w("That is plain normalisation. Hardmax gives the largest score all the weight, and is "
             "the limit of softmax as T falls to 0; its derivative is 0 almost everywhere."),
           w("Preset: towards hardmax")}};
}

Page compute(const Parameters& p, const Context& context) {
  constexpr std::array kPages{weights_page, jacobian_page, loss_page,
                              lengths_page, masks_page,    fills_page};
  const Model model = make_model(p, context);
  Page page = kPages[static_cast<std::size_t>(p.view)]({p, model, context.words});
  page.cards = cards(context.words);
  return page;
}

}  // namespace lab::softmax
