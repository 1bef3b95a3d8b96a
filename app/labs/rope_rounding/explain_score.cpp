// Why a score and a weight come out differently.
#include "app/labs/rope_rounding/page.h"

namespace lab::rope_rounding {
namespace {

constexpr std::size_t kMostTerms = 16;  // written out; beyond, the largest few
constexpr std::size_t kLargestTerms = 10;

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
void add_sum(const std::vector<double>& values, std::size_t marked, const std::string& rest_name,
             Describe&& describe, Derivation& d) {
  double rest = std::accumulate(values.begin(), values.end(), 0.0);
  const double sum = rest;
  const std::vector<std::size_t> chosen = written(values, marked);
  bool first = true;
  for (const std::size_t k : chosen) {
    d.line("", {dim(std::exchange(first, false) ? "  " : "+ "),
                dim(describe(k)),
                dim(" ≈ "),
                {fixed(values[k], 4), k == marked ? Role::accent : Role::text}});
    rest -= values[k];
  }
  if (chosen.size() < values.size()) {
    d.line("", {dim("+ "), dim(rest_name), dim(" ≈ "), plain(fixed(rest, 4))});
  }
  d.about_result(fixed(sum, 4));
}

std::vector<double> list_of(const VectorD& values) { return {values.begin(), values.end()}; }

// One way of attending, exact or rounded.
void add_way(const Scene& scene, const core::Attended<double>& attended, std::string title,
             Derivation& d) {
  const Window& window = *scene.model.window;
  const Index row = scene.p.query - window.start;
  const auto scores = attended.scaled.row(row).head(row + 1);
  const SoftmaxRow softmax{
      {scores.begin(), scores.end()}, to_size(scene.p.key - window.start), [&](std::size_t k) {
        return scene.w.format("key {}", window.start + static_cast<Index>(k));
      }};
  d.say(title).weight("w", softmax).normaliser(softmax);
}

}  // namespace

Explanation explain_score(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::string title = w.format("The score of query {} and key {}", p.query, p.key);
  const VectorD exact = model.exact_terms(to_double(p.query - p.key));
  const VectorD rounded = model.rounded_terms(p.query, p.key);
  const double error = rounded.sum() - exact.sum();
  Derivation d(w);
  d.begin("s", "Σ q_i·k_i / √d").say(w("over the pairs i, each turned by its angle"));
  if (!std::isfinite(error)) {
    d.is(w("exact"), "≈ " + fixed(exact.sum(), 4)).begin(w("rounded"), "NaN");
    d.say(w("An angle is not finite, and has no cosine."));
    return {title, d.take()};
  }
  d.is(w("rounded"), "≈ " + fixed(rounded.sum(), 4)).is(w("exact"), "≈ " + fixed(exact.sum(), 4));
  d.about_picked(w("error"), fixed(error, 4));
  d.say(w("which is, pair by pair, rounded minus exact:"));
  const std::vector<double> errors = list_of(rounded - exact);
  add_sum(
      errors, to_size(p.pair),
      w.format("… the other pairs ({})",
               errors.size() > kMostTerms ? errors.size() - kLargestTerms : 0),
      [&](std::size_t i) {
        const auto k = static_cast<Index>(i);
        return fmt::format("{:<2} {} - ({})", i, fixed(rounded(k), 5), fixed(exact(k), 5));
      },
      d);
  d.say(w.format(
      "Pair {}: off by {} at the query and {} at the key; only what they differ by counts.", p.pair,
      radians(model.entry.error()), radians(model.key_entry.error())));
  return {title, d.take()};
}

Explanation explain_weight(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Window& window = *model.window;
  const std::string title = w.format("How much query {} looks at key {}", p.query, p.key);
  const Index row = p.query - window.start, col = p.key - window.start;
  Derivation d(w);
  if (col < 0) {
    d.say(w.format("The key lies before the block of tokens shown, {} to {}.", window.start,
                   window.start + window.n - 1));
    return {title, d.take()};
  }
  const double exact = window.exact.weights(row, col);
  const double rounded = window.rounded.weights(row, col);
  if (std::isfinite(rounded)) {
    d.is("Δw", fmt::format("≈ {} - {}", fixed(rounded, 5), fixed(exact, 5)));
    d.about_result(fixed(rounded - exact, 4));
    add_way(scene, window.rounded, w("Rounded"), d);
  } else {
    d.picked("w", "NaN");
    d.say(w("An angle in this row is not finite: it has no cosine, and the row no weights."));
  }
  add_way(scene, window.exact, w("Exact"), d);
  return {title, d.take()};
}

}  // namespace lab::rope_rounding
