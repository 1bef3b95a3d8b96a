// The picked weight, the prediction and the step of training, down to their inputs.
#include "app/labs/pooling/page.h"

namespace lab::pooling {
namespace {

using core::PoolingKernel;

constexpr std::size_t kMostTerms = 6;  // of a sum that are written out
// Significant digits of what is given, and of what is on the way to a result with six: so that the
// next line can be worked out again from the printed ones.
constexpr int kGiven = 12, kBetween = 8;

std::string given(double value) { return significant(value, kGiven); }
std::string factor(double value) { return bracketed(given(value)); }
std::string between(double value) { return significant(value, kBetween); }
// An exponent: what counts are its decimals.
std::string exponent(double value) { return fixed(value, kBetween); }

// The keys with the largest size first; all of [begin, end).
template <class Size>
std::vector<Index> largest_first(Index begin, Index end, const Size& size) {
  std::vector<Index> keys(to_size(end - begin));
  std::iota(keys.begin(), keys.end(), begin);
  const std::size_t most = std::min(kMostTerms, keys.size());
  std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(most), keys.end(),
                    [&](Index a, Index b) { return size(a) > size(b); });
  return keys;
}

// The largest terms of a sum, the others as one, and the sum with so many significant digits.
struct Sum {
  std::vector<std::pair<double, std::string>> parts;  // each with what it is made of
  double total;
  std::size_t count;  // of all terms
};
void write_sum(const Scene& scene, const Sum& sum, int digits, Derivation& lines) {
  double rest = sum.total, largest = std::abs(sum.total);
  for (const auto& [value, what] : sum.parts) {
    rest -= value;
    largest = std::max(largest, std::abs(value));
  }
  const int before = largest > 0 ? to_int(std::floor(std::log10(largest))) + 1 : 1;
  const int decimals = std::clamp(digits - before, 0, 300);
  std::vector<Derivation::Term> terms;
  for (const auto& [value, what] : sum.parts) terms.push_back({fixed(value, decimals + 1), what});
  if (sum.parts.size() < sum.count) {
    terms.push_back({fixed(rest, decimals + 1),
                     scene.w.format("… more terms: {}", sum.count - sum.parts.size())});
  }
  lines.terms(terms).about_result(sum.total, decimals);
}

// f(q) = sum of weight times value.
void explain_prediction(const Scene& scene, Derivation& lines) {
  const core::PoolingRow& row = scene.row();
  const Data& data = scene.data();
  if (row.empty()) {
    lines.begin("f(q)", "0")
        .say(scene.w(
            "No key is within the bandwidth: there are no weights, and nothing to predict from."));
    return;
  }
  const std::vector<Index> keys =
      largest_first(row.begin(), row.end(), [&](Index j) { return row.weight(data.x(j)); });
  Sum sum{{}, row.prediction(), keys.size()};
  for (std::size_t k = 0; k < std::min(kMostTerms, keys.size()); ++k) {
    const double weight = row.weight(data.x(keys[k])), value = data.y(keys[k]);
    sum.parts.emplace_back(weight * value,
                           fmt::format("{}·{}", between(weight), bracketed(between(value))));
  }
  lines.begin("f(q)", "Σ α_j y_j");
  write_sum(scene, sum, 5, lines);
  lines.say(scene.w.format("the largest weights first; keys in all: {}", data.size()));
}

// Kernels that end: K(u), the sum of all, and their quotient.
void explain_kernel_weight(const Scene& scene, Index j, Derivation& lines) {
  const auto& [kernel, bandwidth] = scene.model.weighing;
  const core::PoolingRow& row = scene.row();
  const double x = scene.data().x(j), u = (scene.query() - x) / bandwidth, share = row.share(x);
  lines.begin("u", "(q - x_j) / h")
      .about(fmt::format("({} - {}) / {}", given(scene.query()), factor(x), given(bandwidth)))
      .about(between(u));
  if (std::abs(u) > 1) {
    lines.begin("K(u)", "0").say(scene.w("|u| is more than 1: out of reach"));
  } else if (kernel == PoolingKernel::epanechnikov) {
    lines.begin("K(u)", "3/4 (1 - u²)").about(between(share));
  } else if (kernel == PoolingKernel::triangular) {
    lines.begin("K(u)", "1 - |u|").about(between(share));
  } else {
    lines.begin("K(u)", "1/2").say(scene.w("|u| is at most 1: within reach"));
  }
  lines.begin("Σ K", scene.w.format("over the keys within reach ({})", row.end() - row.begin()))
      .about(between(row.sum()))
      .begin("α", "K(u) / Σ K");
  if (row.empty()) {
    lines.result("0");
    return;
  }
  lines.about(fmt::format("{} / {}", between(share), between(row.sum())))
      .about_result(number(row.weight(x)));
}

// A Gaussian: the softmax of scores.
void explain_softmax_weight(const Scene& scene, Index j, Derivation& lines) {
  const auto& [p, model, words] = scene;
  const core::PoolingRow& row = scene.row();
  const Data& data = *model.data;
  const double h = model.weighing.bandwidth, q = scene.query();
  const auto score = [&data, h, q](Index k) {
    const double u = std::isinf(h) ? 0 : (q - data.x(k)) / h;
    return -0.5 * u * u;
  };
  const std::string apart = fmt::format("{} - {}", given(q), factor(data.x(j)));
  if (p.trains()) {
    const double w = model.training ? model.state().w : p.w0;
    lines.begin("s_j", "-((q - x_j) w)² / 2")
        .about(fmt::format("-(({})·{})² / 2", apart, factor(w)));
  } else {
    lines.begin("s_j", "-((q - x_j) / h)² / 2")
        .about(fmt::format("-(({}) / {})² / 2", apart, given(h)));
  }
  const Index best = largest_first(row.begin(), row.end(), [&row, &data](Index k) {
                       return row.share(data.x(k));
                     }).front();
  lines.about(exponent(score(j)))
      .is("max s", "≈ " + exponent(score(best)))
      .say(words.format("of the nearest key, {} = {}", scene.x_name(), number(data.x(best))))
      .begin("Σ", "Σ e^(s - max s)")
      .about(between(row.sum()))
      .begin("α", "e^(s_j - max s) / Σ")
      .about(fmt::format("e^({}) / {}", exponent(score(j) - score(best)), between(row.sum())))
      .about(fmt::format("{} / {}", between(row.share(data.x(j))), between(row.sum())))
      .about_result(number(row.weight(data.x(j))));
}

void explain_weight(const Scene& scene, Index j, Derivation& lines) {
  const Data& data = scene.data();
  const double q = scene.query(), weight = scene.weight(j);
  lines.is("q", equated(q, given(q)))
      .is("x_j", equated(data.x(j), given(data.x(j))))
      .is("y_j", equated(data.y(j), given(data.y(j))));
  if (scene.p.method == Method::average) {
    lines.begin("α", "1 / n")
        .next(fmt::format("1 / {}", data.size()))
        .line("", {accented(equated(weight, number(weight)))});
  } else if (scene.model.weighing.kernel == PoolingKernel::gaussian) {
    explain_softmax_weight(scene, j, lines);
  } else {
    explain_kernel_weight(scene, j, lines);
  }
}

// Σ (f(x_i) - y_i)².
void explain_errors(const Scene& scene, double total, Derivation& lines) {
  const Data& data = scene.data();
  const auto& [kernel, bandwidth] = scene.model.weighing;
  const VectorD errors =
      core::smoothed_left_out(data.x, data.y, kernel, bandwidth).prediction - data.y;
  const std::vector<Index> points =
      largest_first(0, data.size(), [&](Index i) { return std::abs(errors(i)); });
  Sum sum{{}, total, points.size()};
  for (std::size_t k = 0; k < std::min(kMostTerms, points.size()); ++k) {
    const double error = errors(points[k]), y = data.y(points[k]);
    sum.parts.emplace_back(error * error, fmt::format("({} - {})²", given(error + y), factor(y)));
  }
  lines.begin("Σ", "Σ (f(x_i) - y_i)²");
  write_sum(scene, sum, 7, lines);
  lines.say(scene.w.format(
      "each of {} points predicted from all the others; the largest errors first", data.size()));
}

// L(w), its slope, and the step that follows from it.
void explain_training(const Scene& scene, Derivation& lines) {
  const auto& [p, model, words] = scene;
  const auto& [w, loss, gradient] = model.state();
  const bool mean = scene.mean_loss();
  const double rate = p.rate_at(to_index(model.step));
  lines.is("w", equated(w, given(w)));
  if (std::isfinite(model.weighing.bandwidth)) {
    explain_errors(scene, mean ? loss * to_double(model.data->size()) : loss, lines);
  }
  lines.begin("L(w)", mean ? fmt::format("Σ / {}", model.data->size()) : "Σ").about(number(loss));
  lines.begin("dL/dw", mean ? "2 Σ (f - y_i) df/dw / n" : "2 Σ (f - y_i) df/dw")
      .about(given(gradient))
      .say(words("with df/dw = -w Σ α_j (x_i - x_j)² (y_j - f)"))
      .begin("w′", "w - η dL/dw")
      .about(fmt::format("{} - {}·{}", given(w), given(rate), factor(gradient)))
      .about_result(number(w - rate * gradient));
  if (to_int(model.step) == p.epochs) {
    lines.say(words("This was the last step; w′ would be the next w."));
  }
}

}  // namespace

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Derivation lines(w);
  if (model.empty()) {
    lines.say(w("There are no points yet: click in the plot."));
    return {w("No points"), lines.take()};
  }
  if (p.explained == Explained::training && model.training) {
    explain_training(scene, lines);
    return {w.format("Step {} of the training", model.step), lines.take()};
  }
  const auto key = scene.key();
  if (key) explain_weight(scene, *key, lines);
  explain_prediction(scene, lines);
  return {key ? w.format("Query {}, key {}", p.query, *key)
              : w.format("The prediction of query {}, q = {}", p.query, number(scene.query())),
          lines.take()};
}

}  // namespace lab::pooling
