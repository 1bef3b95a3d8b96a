// The picked weight, the prediction and the step of training, down to their inputs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/labs/pooling/page.h"

#include "app/labs/shared/writing.h"

namespace lab::pooling {
namespace {

using core::PoolingKernel;

constexpr std::size_t kMostTerms = 6;  // of a sum that are written out
constexpr int kDigits = 4;

// In parentheses when it is negative.
std::string bracketed(const std::string& text) {
  return text.starts_with('-') ? "(" + text + ")" : text;
}
std::string factor(double value) { return bracketed(number(value)); }
std::string short_factor(double value) { return bracketed(short_number(value)); }

// Terms with the first of them in words of their own, the others as one; they add up to `sum`.
struct Sum {
  std::vector<std::string> products;  // "0.1234·2.5"
  std::vector<double> values;         // of the products; then the rest, if any
  Index rest = 0;                     // how many terms the last value stands for
};

// "0.3085 + 0.2 - 0.1 (44 more)", then "= 0.4085".
void write(const Scene& scene, const Sum& sum, Writer& lines) {
  std::string products;
  for (const std::string& product : sum.products) {
    products += (products.empty() ? "" : " + ") + product;
  }
  if (sum.rest > 0) products += " + …";
  if (!products.empty()) lines.next(products);
  const PrintedSum printed = printed_sum(sum.values, kDigits);
  std::string text;
  for (std::size_t k = 0; k < printed.parts.size(); ++k) {
    const std::string& part = printed.parts[k];
    const bool negative = part.starts_with('-');
    if (k > 0) text += negative ? " - " : " + ";
    text += k > 0 && negative ? part.substr(1) : part;
  }
  if (sum.rest > 0) text += " " + scene.w.format("(the last: {} more)", sum.rest);
  lines.next(text).result(printed.sum);
}

// The keys with the largest size first; all of [begin, end).
template <class Size>
std::vector<Index> largest_first(Index begin, Index end, const Size& size) {
  std::vector<Index> keys(static_cast<std::size_t>(end - begin));
  std::iota(keys.begin(), keys.end(), begin);
  const std::size_t most = std::min(kMostTerms, keys.size());
  std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(most), keys.end(),
                    [&](Index a, Index b) { return size(a) > size(b); });
  return keys;
}

// f(q) = sum of weight times value.
void explain_prediction(const Scene& scene, Writer& lines) {
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
  Sum sum;
  double written = 0;
  for (std::size_t k = 0; k < std::min(kMostTerms, keys.size()); ++k) {
    const double weight = row.weight(data.x(keys[k])), value = data.y(keys[k]);
    sum.products.push_back(fmt::format("{}·{}", short_number(weight), short_factor(value)));
    sum.values.push_back(weight * value);
    written += weight * value;
  }
  sum.rest = static_cast<Index>(keys.size() - sum.products.size());
  if (sum.rest > 0) sum.values.push_back(row.prediction() - written);
  lines.begin("f(q)", "Σ α_j y_j");
  write(scene, sum, lines);
  lines.say(scene.w.format("the largest weights first, of {} keys", data.size()));
}

// Kernels that end: K(u), the sum of all, and their quotient.
void explain_kernel_weight(const Scene& scene, Index j, Writer& lines) {
  const auto& [kernel, bandwidth] = scene.model.weighing;
  const core::PoolingRow& row = scene.row();
  const double x = scene.data().x(j), u = (scene.query() - x) / bandwidth;
  lines.begin("u", "(q - x_j) / h")
      .next(fmt::format("({} - {}) / {}", number(scene.query()), factor(x), number(bandwidth)))
      .next(number(u));
  const double share = row.share(x);
  if (std::abs(u) > 1) {
    lines.begin("K(u)", "0").say(scene.w("|u| is more than 1: out of reach"));
  } else if (kernel == PoolingKernel::epanechnikov) {
    lines.begin("K(u)", "3/4 (1 - u²)").next(number(share));
  } else if (kernel == PoolingKernel::triangular) {
    lines.begin("K(u)", "1 - |u|").next(number(share));
  } else {
    lines.begin("K(u)", "1/2").say(scene.w("|u| is at most 1: within reach"));
  }
  lines.begin("Σ K", scene.w.format("over {} keys within reach", row.end() - row.begin()))
      .next(number(row.sum()));
  lines.begin("α", "K(u) / Σ K");
  if (row.empty()) {
    lines.result("0");
    return;
  }
  lines.next(fmt::format("{} / {}", number(share), number(row.sum())))
      .result(number(row.weight(x)));
}

// A Gaussian: the softmax of scores.
void explain_softmax_weight(const Scene& scene, Index j, Writer& lines) {
  const auto& p = scene.p;
  const double bandwidth = scene.model.weighing.bandwidth;
  const core::PoolingRow& row = scene.row();
  const double q = scene.query(), x = scene.data().x(j);
  const double w = std::isinf(bandwidth) ? 0 : 1 / bandwidth;
  const double score = -0.5 * (q - x) * w * (q - x) * w;
  if (p.trains()) {
    const double learned = scene.model.training ? scene.model.state().w : p.w0;
    lines.begin("s_j", "-((q - x_j) w)² / 2")
        .next(fmt::format("-(({} - {})·{})² / 2", number(q), factor(x), factor(learned)))
        .next(number(score));
  } else {
    lines.begin("s_j", "-((q - x_j) / h)² / 2")
        .next(fmt::format("-(({} - {}) / {})² / 2", number(q), factor(x), number(bandwidth)))
        .next(number(score));
  }
  const auto best = largest_first(row.begin(), row.end(), [&](Index k) {
                      return row.share(scene.data().x(k));
                    }).front();
  const double near = scene.data().x(best), top = -0.5 * (q - near) * w * (q - near) * w;
  lines.begin("max s", number(top))
      .say(scene.w.format("of the nearest key, {} = {}", scene.x_name(), number(near)));
  lines.begin("Σ", "Σ e^(s - max s)").next(number(row.sum()));
  lines.begin("α", "e^(s_j - max s) / Σ")
      .next(fmt::format("e^({}) / {}", number(score - top), number(row.sum())))
      .next(fmt::format("{} / {}", number(row.share(x)), number(row.sum())))
      .result(number(row.weight(x)));
}

void explain_weight(const Scene& scene, Index j, Writer& lines) {
  const Data& data = scene.data();
  lines.begin("q", number(scene.query()));
  lines.begin("x_j", number(data.x(j)));
  lines.begin("y_j", number(data.y(j)));
  if (scene.p.method == Method::average) {
    lines.begin("α", "1 / n")
        .next(fmt::format("1 / {}", data.size()))
        .result(number(scene.weight(j)));
  } else if (scene.model.weighing.kernel == PoolingKernel::gaussian) {
    explain_softmax_weight(scene, j, lines);
  } else {
    explain_kernel_weight(scene, j, lines);
  }
}

// L(w), its slope, and the step that follows from it.
Explanation explain_training(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Data& data = scene.data();
  const Training::State& now = model.state();
  const Weighing weighing = weighing_of(now.w);
  const double share = p.loss == Loss::mean ? 1 / static_cast<double>(data.size()) : 1;
  Writer lines;
  lines.begin("w", number(now.w));
  if (std::isfinite(weighing.bandwidth)) {
    const VectorD errors =
        core::smoothed_left_out(data.x, data.y, weighing.kernel, weighing.bandwidth).prediction -
        data.y;
    const std::vector<Index> points =
        largest_first(0, data.size(), [&](Index i) { return std::abs(errors(i)); });
    Sum sum;
    double written = 0;
    for (std::size_t k = 0; k < std::min(kMostTerms, points.size()); ++k) {
      const double error = errors(points[k]);
      sum.products.push_back(fmt::format("({} - {})²", short_number(error + data.y(points[k])),
                                         short_factor(data.y(points[k]))));
      sum.values.push_back(error * error);
      written += error * error;
    }
    sum.rest = data.size() - static_cast<Index>(sum.products.size());
    if (sum.rest > 0) sum.values.push_back(now.loss / share - written);
    lines.begin("Σ", "Σ (f(x_i) - y_i)²");
    write(scene, sum, lines);
    lines.say(w.format("each of {} points predicted from all the others; the largest errors first",
                       data.size()));
  }
  lines.begin("L(w)", share == 1 ? std::string("Σ") : fmt::format("Σ / {}", data.size()))
      .next(number(now.loss));
  lines.begin("dL/dw", "2 Σ (f - y_i) df/dw" + std::string(share == 1 ? "" : " / n"))
      .next(number(now.gradient))
      .say(w("with df/dw = -w Σ α_j (x_i - x_j)² (y_j - f)"));
  const double next = now.w - p.rate * now.gradient;
  lines.begin("w′", "w - η dL/dw")
      .next(fmt::format("{} - {}·{}", number(now.w), number(p.rate), factor(now.gradient)))
      .result(number(next));
  if (static_cast<int>(model.step) == p.epochs) {
    lines.say(w("This was the last step; w′ would be the next one's."));
  }
  return {w.format("Step {} of the training", model.step), lines.take()};
}

}  // namespace

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (model.empty()) {
    Writer lines;
    lines.say(w("There are no points yet: click into the plot."));
    return {w("No points"), lines.take()};
  }
  if (p.explained == Explained::training && scene.shows_training()) return explain_training(scene);
  Writer lines;
  const auto key = scene.key();
  if (key) explain_weight(scene, *key, lines);
  explain_prediction(scene, lines);
  return {key ? w.format("Query {}, key {}", p.query, *key)
              : w.format("The prediction of query {}, q = {}", p.query, number(scene.query())),
          lines.take()};
}

}  // namespace lab::pooling
