#include "app/labs/scoring/page.h"

namespace lab::scoring {

Plot weight_bars(std::string id, std::string title, const VectorD& weights, Color color, int marked,
                 std::vector<Assignments> picks) {
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = cell_axis("", std::max<Index>(1, weights.size()));
  plot.y.hi = kTop;
  plot.marks.emplace_back(figure::Bars{.values = {weights.begin(), weights.end()},
                                       .color = color,
                                       .picks = std::move(picks),
                                       .marked = marked});
  return plot;
}

std::string number(double value) { return significant(value, 7); }

SoftmaxRow written_row(const VectorD& scores, Index picked) {
  return {.scores = {scores.begin(), scores.end()},
          .picked = to_size(picked),
          .name = [](std::size_t j) { return fmt::format("({})", j); },
          .in_full = true};
}

std::vector<Card> cards(const words::Words& w) {
  return {
      {w("Hardmax weighs by |q - k| / Σ |q - k|."),
       w("That grows with the distance: asked for 179 cm it gives 4/6 to whoever is 175 cm tall, "
         "and says 72.83 kg. Hardmax puts all weight on the nearest."),
       w("Preset: mistaken for hardmax")},
      {w("The variance of q·k is √d."),
       w("It is d; √d is its standard deviation. That is why dividing by √d makes the variance 1."),
       w("Preset: why divide by √d?")},
      {w("Dot products are linear, so additive attention was invented later to be non-linear."),
       w("The dot product is bilinear, and additive attention (2014) is older than the scaled dot "
         "product (2017). It also takes queries and keys of different widths."),
       "Bahdanau et al. 2014; Vaswani et al. 2017"},
      {w("Dot-product attention has a lower complexity than additive attention."),
       w("In theory they are alike; the dot product is faster and leaner in practice, because it "
         "is one matrix product."),
       "Vaswani et al. 2017, section 3.2.1"},
      {w("A longer key fits better."),
       w("By dot product it does: twice as long is twice the score, whatever the query near it. By "
         "Gaussian score the nearest key wins."),
       w("Preset: a long key takes all")},
      {w("The score is a probability."),
       w("A score can be any number. Softmax over all scores makes weights of them, and those add "
         "up to 1."),
       w("Figure: five scoring functions")}};
}

Page compute(const Parameters& p, const Context& context) {
  constexpr std::array kPages{plane_page, heights_page, width_page};
  const Model model = make_model(p, context);
  Page page = kPages[static_cast<std::size_t>(p.view)]({p, model, context.words});
  page.cards = cards(context.words);
  return page;
}

}  // namespace lab::scoring
