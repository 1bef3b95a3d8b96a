// Where an entry of the Jacobian, and of the loss's gradient, comes from.
#include <fmt/format.h>

#include <cmath>

#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

using writing::equation, writing::result, writing::say;

std::string over(double T) { return T == 1 ? std::string() : fmt::format(" / {:.4g}", T); }

// One weight as a quotient of exponentials.
void add_weight(const Scene& scene, Index i, Lines& lines) {
  const Row& row = scene.model.row;
  equation(lines, fmt::format("p{}", i + 1),
           fmt::format("= {:.4f} / {:.4f} = {}", row.exps(i), row.sum, weight_text(row.p(i))));
}

void explain_gradient(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  const Index j = scene.logit();
  const bool own = j == scene.label();
  equation(lines, fmt::format("dL/dx{}", p.logit),
           p.temperature == 1 ? fmt::format("= p{0} - [{0} = y]", p.logit)
                              : fmt::format("= (p{0} - [{0} = y]) / T", p.logit));
  add_weight(scene, j, lines);
  equation(lines, "y", fmt::format("= {}", p.label));
  equation(lines, "",
           p.temperature == 1 ? fmt::format("= {} - {}", weight_text(m.row.p(j)), own ? 1 : 0)
                              : fmt::format("= ({} - {}){}", weight_text(m.row.p(j)), own ? 1 : 0,
                                            over(p.temperature)));
  result(lines, "= " + weight_text(m.loss->gradient(j)));
  say(lines, own ? w("The true class: negative, so a step against the gradient raises its logit, "
                     "the more the less likely it was.")
                 : w("Another class: positive, so a step against the gradient lowers its logit, by "
                     "as much as it was believed."));
  equation(lines, "Σ dL/dx", fmt::format("= {:.1g}", m.loss->gradient.sum()));
  say(lines, w("All entries together are 0: what one class gains the others lose."));
}

void explain_value(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  const Index y = scene.label();
  equation(lines, "L", fmt::format("= -log p{}", p.label));
  add_weight(scene, y, lines);
  const double T = p.temperature, total = m.row.max / T + std::log(m.row.sum);
  equation(lines, "L", T == 1 ? "= log Σ exp(x) - x" : "= log Σ exp(x/T) - x/T");
  equation(lines, "",
           fmt::format("= {:.4f} - {}", total,
                       m.row.x(y) < 0 ? fmt::format("({:.4f})", m.row.x(y) / T)
                                      : fmt::format("{:.4f}", m.row.x(y) / T)));
  result(lines, w.format("= {:.4f} nats", m.loss->value));
  say(lines,
      w("0 when the true class has all weight; ln of their number when all weigh the same."));
}

void explain_difference(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  const Index j = scene.logit();
  const Loss& loss = *m.loss;
  equation(lines, w.format("central"), "= (L(x+h) - L(x-h)) / 2h");
  equation(lines, "h", fmt::format("= {:.3g}", p.step));
  result(lines, fmt::format("= {:.10g}", loss.central(j)));
  equation(lines, w.format("exact"), fmt::format("= {:.10g}", loss.gradient(j)));
  equation(lines, w.format("error"), fmt::format("= {:.2g}", loss.central(j) - loss.gradient(j)));
  equation(lines, w.format("forward"), "= (L(x+h) - L(x)) / h");
  equation(lines, "", fmt::format("= {:.10g}", loss.forward(j)));
  equation(lines, w.format("error"), fmt::format("= {:.2g}", loss.forward(j) - loss.gradient(j)));
  say(lines, w("The curve bends the estimate by about h² times the third derivative, rounding by "
               "about 1e-16 divided by h. The best central step lies near the cube root of 1e-16, "
               "about 5e-6; a forward one near 1e-8."));
}

}  // namespace

Explanation explain_jacobian(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Index i = scene.weight(), j = scene.logit();
  const double value = m.jacobian(i, j);
  Explanation out{w.format("What logit {} does to weight {}", p.logit, p.weight), {}};
  Lines& lines = out.lines;
  equation(lines, fmt::format("dp{}/dx{}", p.weight, p.logit),
           p.temperature == 1 ? "= p_i ([i = j] - p_j)" : "= p_i ([i = j] - p_j) / T");
  add_weight(scene, i, lines);
  if (i != j) add_weight(scene, j, lines);
  equation(lines, "",
           fmt::format("= {} ({} - {}){}", weight_text(m.row.p(i)), i == j ? 1 : 0,
                       weight_text(m.row.p(j)), over(p.temperature)));
  result(lines, "= " + weight_text(value));
  say(lines, i == j ? w("A weight rises with its own logit, fastest when it is one half.")
                    : w("A weight falls when another logit rises, in proportion to both weights."));
  const VectorD column = m.jacobian.col(j);
  const PrintedSum printed = printed_sum({column.begin(), column.end()}, 4);
  equation(lines, w.format("column {}", p.logit), "Σ_i = " + printed.sum);
  std::vector<writing::Term> terms;
  for (Index k = 0; k < column.size(); ++k) {
    terms.push_back(
        {printed.parts[static_cast<std::size_t>(k)], fmt::format("dp{}/dx{}", k + 1, p.logit)});
  }
  writing::sum(lines, terms, static_cast<std::size_t>(i));
  say(lines, w("The weights always add up to 1, so their changes add up to 0."));
  return out;
}

Explanation explain_loss(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Explanation out;
  switch (p.explained_loss) {
    case ExplainedLoss::gradient:
      out.title = w.format("The loss by logit {}", p.logit);
      explain_gradient(scene, out.lines);
      break;
    case ExplainedLoss::loss:
      out.title = w("The loss");
      explain_value(scene, out.lines);
      break;
    case ExplainedLoss::difference:
      out.title = w.format("The loss by logit {}, estimated", p.logit);
      explain_difference(scene, out.lines);
      break;
  }
  return out;
}

}  // namespace lab::softmax
