// Why a weight is what it is: down to every exponential.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

using figure::Role;
using writing::equation, writing::result, writing::say;

constexpr int kDigits = 4;

void explain_weight(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  equation(lines, fmt::format("p{}", p.weight),
           p.temperature == 1 ? "= exp(x) / Σ exp(x)" : "= exp(x/T) / Σ exp(x/T)");
  if (p.shift != 0) {
    equation(lines, fmt::format("x{}", p.weight),
             fmt::format("= {:.3f} {} {:g} = {}", p.x(scene.weight()), p.shift < 0 ? "-" : "+",
                         std::abs(p.shift), score_text(m.row.x(scene.weight()))));
  }
  WrittenSoftmax written{m.row.x};
  written.temperature = p.temperature;
  written.picked = scene.weight();
  written.weight = m.row.p(scene.weight());
  write_softmax(w, written, lines);
}

void explain_hardmax(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  const auto ties = (m.row.x.array() == m.row.max).count();
  equation(lines, "max x", "= " + score_text(m.row.max));
  equation(lines, fmt::format("x{}", p.weight), "= " + score_text(m.row.x(scene.weight())));
  if (ties > 1) {
    equation(lines, w("ties"), w.format("{} logits are largest", ties));
    say(lines, p.ties == Ties::shared
                   ? w("Each of them gets the same share: where softmax goes as T falls to 0.")
                   : w("Only the first of them gets the weight, as argmax would choose. Softmax "
                       "shares it at every T."));
  }
  result(lines, "= " + weight_text(m.row.hardmax(scene.weight())));
  say(lines, w("A small change of a logit changes nothing, or all at once: the derivative is 0 "
               "almost everywhere, and nothing can be learned through it."));
}

void explain_log_weight(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  const Index i = scene.weight();
  const double T = p.temperature;
  equation(lines, fmt::format("log p{}", p.weight), "= x/T - log Σ exp(x/T)");
  equation(lines, "log Σ exp", "= max/T + log Σ exp((x - max)/T)");
  equation(lines, "", fmt::format("= {} + log {:.4f}", score_text(m.row.max / T), m.row.sum));
  const double total = m.row.max / T + std::log(m.row.sum);
  equation(lines, "", "= " + fixed(total, kDigits));
  equation(lines, fmt::format("log p{}", p.weight),
           fmt::format("= {} - {}", fixed(m.row.x(i) / T, kDigits), fixed(total, kDigits)));
  result(lines, "= " + fixed(m.row.log_p(i), kDigits));
  equation(lines, "exp", "= " + weight_text(m.row.p(i)));
  say(lines, w("Never taken as the logarithm of a finished weight: where that has become 0, its "
               "logarithm would be -∞, and this stays finite."));
}

void explain_naive(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  const Index i = scene.weight();
  equation(lines, fmt::format("exp(x{})", p.weight),
           fmt::format(
               "= exp({}) = {}", score_text(m.row.x(i) / p.temperature),
               std::isinf(m.row.naive_exp(i)) ? "∞" : fmt::format("{:.4g}", m.row.naive_exp(i))));
  const double sum = m.row.naive_exp.cast<float>().sum();
  equation(lines, "Σ exp(x)", "= " + (std::isinf(sum) ? "∞" : fmt::format("{:.4g}", sum)));
  result(lines, "= " + weight_text(m.row.naive(i)));
  equation(lines, w("stable"), "= " + weight_text(m.row.p(i)));
  say(lines, w("exp(88.73) is the largest number of float32. Beyond it the quotient is ∞/∞, and "
               "below about -104 it is 0/0: not a number. Subtracting the largest logit first "
               "changes no weight and makes every exponential at most 1."));
}

void explain_pair(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  const Index i = scene.weight(), j = scene.logit();
  const double difference = m.row.x(i) - m.row.x(j), odds = std::exp(difference / p.temperature);
  equation(lines, fmt::format("p{} / p{}", p.weight, p.logit),
           fmt::format("= exp((x{} - x{}) / T)", p.weight, p.logit));
  equation(lines, "", fmt::format("= exp({} / {:.4g})", fixed(difference), p.temperature));
  equation(lines, "", fmt::format("= {:.4g}", odds));
  equation(lines, w("share"), "= 1 / (1 + exp(-Δ/T))");
  result(lines, "= " + weight_text(1 / (1 + 1 / odds)));
  say(lines, w("All other logits cancel: the odds of two weights depend on the difference of their "
               "logits alone."));
}

void explain_entropy(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  std::vector<double> terms;
  for (Index i = 0; i < m.row.p.size(); ++i) {
    terms.push_back(m.row.p(i) > 0 ? -m.row.p(i) * std::log(m.row.p(i)) : 0);
  }
  const PrintedSum printed = printed_sum(terms, kDigits);
  std::vector<writing::Term> written;
  for (Index i = 0; i < m.row.p.size(); ++i) {
    written.push_back({printed.parts[static_cast<std::size_t>(i)],
                       fmt::format("-{0} log {0}", weight_text(m.row.p(i)))});
  }
  equation(lines, "H", "= -Σ p log p");
  writing::sum(lines, written, static_cast<std::size_t>(scene.weight()));
  result(lines, w.format("= {} nats", printed.sum));
  equation(lines, "exp(H)", w.format("= {:.3f} of {} weights", std::exp(m.row.entropy), p.count));
  say(lines, w("exp(H) says as how many equal weights these are: 1 for hardmax, all of them when "
               "the temperature is high."));
}

}  // namespace

Explanation explain_form(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Explanation out;
  switch (p.explained) {
    case Explained::weight:
      out.title = w.format("Weight {}", p.weight);
      explain_weight(scene, out.lines);
      break;
    case Explained::hardmax:
      out.title = w.format("Hardmax of logit {}", p.weight);
      explain_hardmax(scene, out.lines);
      break;
    case Explained::log_weight:
      out.title = w.format("The logarithm of weight {}", p.weight);
      explain_log_weight(scene, out.lines);
      break;
    case Explained::naive:
      out.title = w.format("Weight {} as it is written, in float32", p.weight);
      explain_naive(scene, out.lines);
      break;
    case Explained::pair:
      out.title = w.format("The odds of weights {} and {}", p.weight, p.logit);
      explain_pair(scene, out.lines);
      break;
    case Explained::entropy:
      out.title = w("The entropy of the weights");
      explain_entropy(scene, out.lines);
      break;
  }
  return out;
}

Explanation explain(const Scene& scene) {
  switch (scene.p.view) {
    case View::jacobian:
      return explain_jacobian(scene);
    case View::loss:
      return explain_loss(scene);
    case View::lengths:
      return explain_length(scene);
    case View::masks:
      return explain_steps(scene);
    case View::fills:
      return explain_way(scene);
    case View::weights:
      break;
  }
  return explain_form(scene);
}

}  // namespace lab::softmax
