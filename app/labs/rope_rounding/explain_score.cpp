// Why a score and a weight come out differently.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/labs/rope_rounding/page.h"

namespace lab::rope_rounding {
namespace {

using figure::Role;

constexpr std::size_t kMostTerms = 16;  // written out; beyond, the largest few
constexpr std::size_t kLargestTerms = 10;
constexpr double kLargestShown = 12;  // scores beyond are shown relative to the row's largest

// Which of the values are written out, in their order: all, or the largest and `always`.
std::vector<std::size_t> written(const std::vector<double>& values, std::size_t always) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() <= kMostTerms) return order;
  std::partial_sort(order.begin(), order.begin() + kLargestTerms, order.end(),
                    [&](std::size_t a, std::size_t b) {
                      if ((a == always) != (b == always)) return a == always;
                      return std::abs(values[a]) > std::abs(values[b]);
                    });
  order.resize(kLargestTerms);
  std::sort(order.begin(), order.end());
  return order;
}

// The values, each with how it came about, the rest, and their sum.
template <class Describe>
std::string add_sum(const std::vector<double>& values, std::size_t marked, std::string rest_name,
                    Describe&& describe, Lines& lines) {
  const std::vector<std::size_t> chosen = written(values, marked);
  std::vector<double> parts;
  double rest = std::accumulate(values.begin(), values.end(), 0.0);
  for (const std::size_t k : chosen) {
    parts.push_back(values[k]);
    rest -= values[k];
  }
  const bool cut = chosen.size() < values.size();
  if (cut) parts.push_back(rest);
  const PrintedSum printed = printed_sum(parts);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    Explanation::Line line{"", {dim(k == 0 ? "  " : "+ "), dim(describe(chosen[k])), dim(" → ")}};
    line.right.push_back({printed.parts[k], chosen[k] == marked ? Role::accent : Role::text});
    lines.push_back(std::move(line));
  }
  if (cut) {
    lines.push_back(
        {"", {dim("+ "), dim(std::move(rest_name)), dim(" → "), plain(printed.parts.back())}});
  }
  lines.push_back({"", {{"= " + printed.sum, Role::accent}}});
  return printed.sum;
}

std::vector<double> list_of(const VectorD& values) { return {values.begin(), values.end()}; }

// One way of attending, exact or rounded.
struct Way {
  const core::Attended<double>& attended;
  std::string title;
  std::string weight;  // as printed
};

void add_way(const Scene& scene, const Way& way, Lines& lines) {
  const auto& [p, model, w] = scene;
  const Window& window = *model.window;
  const Index row = p.query - window.start, col = p.key - window.start;
  lines.push_back({"", {sentence(way.title)}});
  lines.push_back({"w", {{"= " + way.weight, Role::accent}}});
  const auto scores = way.attended.scaled.row(row).head(row + 1);
  const double largest = scores.maxCoeff(), score = scores(col);
  const double shift = std::abs(largest) > kLargestShown ? largest : 0;
  std::vector<double> terms;
  for (const double s : scores) terms.push_back(std::exp(s - shift));
  const double sum = std::accumulate(terms.begin(), terms.end(), 0.0);
  lines.push_back({"", {plain(shift != 0 ? "= exp(s - max) / Σ exp" : "= exp(s) / Σ exp")}});
  lines.push_back({"",
                   {plain(shift != 0 ? fmt::format("= exp({} - {}) / {}", fixed(score),
                                                   fixed(largest), fixed(sum))
                                     : fmt::format("= exp({}) / {}", fixed(score), fixed(sum)))}});
  lines.push_back({"Σ exp", {}});
  add_sum(
      terms, static_cast<std::size_t>(col), w("… the other keys"),
      [&](std::size_t k) {
        return scene.w.format("key {}, s = {}", window.start + static_cast<Index>(k),
                              fixed(scores(static_cast<Index>(k))));
      },
      lines);
}

}  // namespace

Explanation explain_score(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index t = p.query - p.key;
  Explanation result{w.format("The score of query {} and key {}", p.query, p.key), {}};
  Lines& lines = result.lines;
  const VectorD exact = model.exact_terms(static_cast<double>(t));
  const VectorD rounded = model.rounded_terms(p.query, p.key);
  lines.push_back({"s", {plain("= Σ q_i·k_i / √d")}});
  lines.push_back({"", {sentence(w("over the pairs i, each turned by its angle"))}});
  const double error = rounded.sum() - exact.sum();
  if (!std::isfinite(error)) {
    lines.push_back({w("exact"), {plain("= " + fixed(exact.sum()))}});
    lines.push_back({w("rounded"), {plain("= NaN")}});
    lines.push_back({"", {sentence(w("An angle is not finite, and has no cosine."))}});
    return result;
  }
  const PrintedSum printed = printed_sum({exact.sum(), error});
  lines.push_back({w("rounded"), {plain("= " + printed.sum)}});
  lines.push_back({w("exact"), {plain("= " + printed.parts[0])}});
  lines.push_back({w("error"), {{"= " + printed.parts[1], Role::accent}}});
  lines.push_back({"", {sentence(w("which is, pair by pair, rounded minus exact:"))}});
  std::vector<double> errors = list_of(rounded - exact);
  add_sum(
      errors, static_cast<std::size_t>(p.pair),
      w.format("… the other pairs ({})",
               errors.size() > kMostTerms ? errors.size() - kLargestTerms : 0),
      [&](std::size_t i) {
        const auto k = static_cast<Index>(i);
        return fmt::format("{:<2} {} - ({})", i, fixed(rounded(k)), fixed(exact(k)));
      },
      lines);
  lines.push_back(
      {"",
       {sentence(w.format(
           "Pair {}: off by {} at the query and {} at the key; only what they differ by counts.",
           p.pair, radians(model.entry.error()), radians(model.key_entry.error())))}});
  return result;
}

Explanation explain_weight(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Window& window = *model.window;
  Explanation result{w.format("How much query {} looks at key {}", p.query, p.key), {}};
  Lines& lines = result.lines;
  const Index row = p.query - window.start, col = p.key - window.start;
  if (col < 0) {
    lines.push_back({"",
                     {sentence(w.format("The key lies before the block of tokens shown, {} to {}.",
                                        window.start, window.start + window.n - 1))}});
    return result;
  }
  const double exact = window.exact.weights(row, col);
  const double rounded = window.rounded.weights(row, col);
  if (!std::isfinite(rounded)) {
    const Way way{window.exact, w("Exact"), fixed(exact, 4)};
    lines.push_back({"w", {{"= NaN", Role::accent}}});
    lines.push_back(
        {"",
         {sentence(
             w("An angle in this row is not finite: it has no cosine, and the row no weights."))}});
    add_way(scene, way, lines);
    return result;
  }
  const PrintedSum printed = printed_sum({exact, rounded - exact}, 4);
  lines.push_back({"Δw", {plain("= " + printed.sum + " - " + printed.parts[0])}});
  lines.push_back({"", {{"= " + printed.parts[1], Role::accent}}});
  add_way(scene, {window.rounded, w("Rounded"), printed.sum}, lines);
  add_way(scene, {window.exact, w("Exact"), printed.parts[0]}, lines);
  return result;
}

}  // namespace lab::rope_rounding
