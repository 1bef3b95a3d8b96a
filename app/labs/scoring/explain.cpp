// Why a guessed weight is what it is, and where the variance of scores comes from.
#include <fmt/format.h>

#include <cmath>

#include "app/labs/scoring/page.h"
#include "core/attention/scoring.h"
#include "core/attention/softmax.h"

namespace lab::scoring {
namespace {

using writing::equation, writing::result, writing::say;

constexpr int kGuessDigits = 4;

void write_distances(const Scene& scene, Lines& lines) {
  const auto& p = scene.p;
  const VectorD& keys = scene.heights().keys;
  std::vector<writing::Term> terms;
  for (Index i = 0; i < keys.size(); ++i) {
    terms.push_back({fmt::format("{:.5g}", std::abs(keys(i) - p.height)),
                     fmt::format("|{:.5g} - {:.5g}|  ({})", p.height, keys(i), i)});
  }
  equation(lines, scene.w.format("distances"), "= |q - k|");
  writing::sum(lines, terms, static_cast<std::size_t>(p.person));
}

// A quotient of what each person counts by their sum.
void write_share(const Scene& scene, const VectorD& counts, const char* formula, Lines& lines) {
  const PrintedSum printed = printed_sum({counts.begin(), counts.end()}, kGuessDigits);
  equation(lines, fmt::format("p{}", scene.p.person), formula);
  equation(lines, "",
           fmt::format("= {} / {}", printed.parts[static_cast<std::size_t>(scene.p.person)],
                       printed.sum));
}

void write_weight(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  const VectorD distance = (scene.heights().keys.array() - p.height).abs();
  const auto nearest = (distance.array() == distance.minCoeff()).count();
  write_distances(scene, lines);
  switch (p.method) {
    case Method::document:
      if (distance.sum() > 0) write_share(scene, distance, "= |q - k| / Σ |q - k|", lines);
      say(lines, w("The larger the distance, the larger the weight: this listens to whoever is "
                   "least alike, and it is no hardmax."));
      break;
    case Method::first:
    case Method::shared:
      equation(lines, w.format("nearest"), fmt::format("= {:.5g}", distance.minCoeff()));
      if (nearest > 1) equation(lines, "", w.format("{} people are equally near", nearest));
      say(lines, p.method == Method::first
                     ? w("Hardmax of -|q - k|: all weight on the first that is nearest.")
                     : w("Hardmax of -|q - k|, a tie shared: what softmax tends to."));
      break;
    case Method::inverse:
      if (distance.minCoeff() > 0) {
        write_share(scene, distance.cwiseInverse(), "= (1/|q - k|) / Σ 1/|q - k|", lines);
      } else {
        say(lines, w("Someone is exactly as tall: they share all weight."));
      }
      break;
    case Method::gaussian: {
      const MatrixD query = MatrixD::Constant(1, 1, p.height);
      const VectorD scores =
          core::gaussian_scores<double>(query, scene.heights().keys, 1 / p.bandwidth).row(0);
      equation(lines, "a(q, k)", fmt::format("= -((q - k) / {:g})² / 2", p.bandwidth));
      WrittenSoftmax written{scores};
      written.picked = p.person;
      written.first = 0;
      written.weight = scene.guess().weights(p.person);
      write_softmax(w, written, lines);
      return;
    }
  }
  result(lines, "= " + weight_text(scene.guess().weights(p.person)));
}

void write_prediction(const Scene& scene, Lines& lines) {
  const Heights& heights = scene.heights();
  const VectorD& weights = scene.guess().weights;
  writing::heading(lines, scene.w("The prediction"));
  if (std::isnan(scene.guess().value)) return result(lines, "= NaN");
  const VectorD parts = weights.cwiseProduct(heights.values);
  const PrintedSum printed = printed_sum({parts.begin(), parts.end()}, kGuessDigits);
  std::vector<writing::Term> terms;
  for (Index i = 0; i < parts.size(); ++i) {
    terms.push_back({printed.parts[static_cast<std::size_t>(i)],
                     fmt::format("{} · {:.5g} kg", weight_text(weights(i)), heights.values(i))});
  }
  writing::sum(lines, terms, static_cast<std::size_t>(scene.p.person));
  result(lines, fmt::format("= {} kg", printed.sum));
}

}  // namespace

Explanation explain_guess(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Explanation out;
  if (scene.heights().keys.size() == 0) {
    out.title = w("Nobody is known");
    say(out.lines, w("There is nobody to compare with: add people as height, weight."));
    return out;
  }
  out.title = w.format("Person {}, weighed by {}", p.person, scene.method_name(p.method));
  write_weight(scene, out.lines);
  write_prediction(scene, out.lines);
  return out;
}

Explanation explain_width(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const OneWidth& width = scene.width();
  const double scale = core::attention_scale<double>(p.d);
  Explanation out{w.format("Scores of width {}", p.d), {}};
  Lines& lines = out.lines;
  equation(lines, "q·k", "= Σ q_i k_i");
  equation(lines, "Var(q_i k_i)", "= Var(q_i) Var(k_i) = 1");
  equation(lines, "Var(q·k)", fmt::format("= 1 + … + 1 = d = {}", p.d));
  equation(lines, w.format("deviation"), fmt::format("= √{} = {:.4g}", p.d, 1 / scale));
  result(lines, w.format("sampled: {:.4g}", width.point.variance));
  equation(lines, "Var(q·k / √d)", fmt::format("= {0} / {0} = 1", p.d));
  result(lines, w.format("sampled: {:.4g}", width.point.variance * scale * scale));
  const Saturation& mean = p.divided ? width.point.divided : width.point.plain;
  writing::heading(
      lines, p.divided ? w("The first query, divided by √d") : w("The first query, not divided"));
  const VectorD scores = width.scores.row(0).transpose() * (p.divided ? scale : 1);
  const VectorD weights = core::softmax(scores);
  Index largest = 0;
  weights.maxCoeff(&largest);
  WrittenSoftmax written{scores};
  written.picked = largest;
  written.first = 0;
  written.weight = weights(largest);
  write_softmax(w, written, lines);
  equation(lines, w.format("mean of all"),
           w.format("largest weight {}", weight_text(mean.largest)));
  equation(lines, "", w.format("entropy {:.4f} nats", mean.entropy));
  equation(lines, "", w.format("size of the Jacobian {}", weight_text(mean.gradient)));
  say(lines, w("The wider the vectors, the further apart the scores: one weight takes all, and "
               "where a weight is 1 its derivative p (1 - p) is 0."));
  return out;
}

Explanation explain(const Scene& scene) {
  switch (scene.p.view) {
    case View::heights:
      return explain_guess(scene);
    case View::width:
      return explain_width(scene);
    case View::plane:
      break;
  }
  return explain_plane(scene);
}

}  // namespace lab::scoring
