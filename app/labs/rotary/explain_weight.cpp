// Why a weight of the text is what it is, with position and without it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/rotary/page.h"

namespace lab::rotary {
namespace {

using figure::Role;

constexpr Index kMostColumns = 32, kFirstColumns = 12;  // of q.k that are written out
constexpr std::size_t kMostKeys = 16, kStrongestKeys = 11;
constexpr double kLargestShown = 12;  // scores beyond are shown relative to the row's largest

// One way of attending: its queries, keys and what came of them.
struct Way {
  const MatrixD& Q;
  const MatrixD& K;
  const core::Attended<double>& result;
  std::string weight;  // of the picked pair, as printed
};

std::string explain_product(const Scene& scene, const Way& way, Lines& lines) {
  const auto q = way.Q.row(scene.p.query), k = way.K.row(scene.p.key);
  const Index d = q.size(), written = d > kMostColumns ? kFirstColumns : d;
  std::vector<double> terms;
  for (Index c = 0; c < written; ++c) terms.push_back(q(c) * k(c));
  if (written < d) terms.push_back(q.tail(d - written).dot(k.tail(d - written)));
  const PrintedSum printed = printed_sum(terms);
  lines.push_back({"q·k", {plain("= Σ "), {"q", Role::query}, {"k", Role::key}}});
  for (Index c = 0; c < written; ++c) {
    lines.push_back({"",
                     {dim(c == 0 ? "  " : "+ "),
                      {fmt::format("({:.2f})", q(c)), Role::query},
                      {fmt::format("({:.2f})", k(c)), Role::key},
                      dim(" → "),
                      plain(printed.parts[static_cast<std::size_t>(c)])}});
  }
  if (written < d) {
    lines.push_back({"",
                     {dim("+ "), dim(scene.w.format("… {} more terms", d - written)), dim(" → "),
                      plain(printed.parts.back())}});
  }
  lines.push_back({"", {plain("= " + printed.sum)}});
  return printed.sum;
}

// The exponentials of the row relative to `shift`, and their sum.
void explain_normaliser(const Scene& scene, const Way& way, double shift, Lines& lines) {
  const Index last = scene.p.causal ? scene.p.query + 1 : way.K.rows();
  std::vector<std::size_t> keys;
  std::vector<double> all;
  double sum = 0;
  for (Index j = 0; j < last; ++j) {
    keys.push_back(static_cast<std::size_t>(j));
    all.push_back(std::exp(way.result.scaled(scene.p.query, j) - shift));
    sum += all.back();
  }
  const auto shown = static_cast<std::size_t>(scene.p.key);
  if (keys.size() > kMostKeys) {
    std::partial_sort(keys.begin(), keys.begin() + kStrongestKeys, keys.end(),
                      [&](std::size_t a, std::size_t b) {
                        if ((a == shown) != (b == shown)) return a == shown;
                        return all[a] > all[b];
                      });
    keys.resize(kStrongestKeys);
    std::sort(keys.begin(), keys.end());
  }
  std::vector<double> terms;
  double rest = sum;
  for (const std::size_t j : keys) {
    terms.push_back(all[j]);
    rest -= all[j];
  }
  if (keys.size() < all.size()) terms.push_back(std::max(0.0, rest));
  const PrintedSum printed = printed_sum(terms);
  lines.push_back({"Σ exp", {plain("= " + printed.sum)}});
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const bool is_shown = keys[k] == shown;
    lines.push_back(
        {"",
         {dim(k == 0 ? "  " : "+ "),
          {printed.parts[k], is_shown ? Role::accent : Role::text},
          {"  " + scene.model.text->labels->at(keys[k]), is_shown ? Role::key : Role::dim}}});
  }
  if (keys.size() < all.size()) {
    lines.push_back({"",
                     {dim("+ "), plain(printed.parts.back()),
                      dim("  " + scene.w.format("… {} more keys", all.size() - keys.size()))}});
  }
}

void explain_way(const Scene& scene, const Way& way, const std::string& title, Lines& lines) {
  const Index i = scene.p.query, j = scene.p.key;
  const auto row = way.result.scaled.row(i).head(scene.p.causal ? i + 1 : way.K.rows());
  const double largest = row.maxCoeff(), score = way.result.scaled(i, j);
  const double shift = std::abs(largest) > kLargestShown ? largest : 0;
  lines.push_back({"", {sentence(title)}});
  lines.push_back({"w", {{"= " + way.weight, Role::accent}}});
  lines.push_back({"", {plain(shift != 0 ? "= exp(s - max) / Σ exp" : "= exp(s) / Σ exp")}});
  const std::string exponent =
      shift != 0 ? fmt::format("{} - {}", fixed(score), fixed(largest)) : fixed(score);
  lines.push_back(
      {"",
       {plain(fmt::format("= exp({}) / {}", exponent, fixed((row.array() - shift).exp().sum())))}});
  const std::string product = explain_product(scene, way, lines);
  lines.push_back({"s", {plain(fmt::format("= q·k / √d = {} / √{}", product, way.Q.cols()))}});
  lines.push_back({"", {plain("= " + fixed(score))}});
  explain_normaliser(scene, way, shift, lines);
}

}  // namespace

Explanation explain_weight(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const TextModel& text = *model.text;
  Explanation result{w.format("How much {} looks at {}", scene.token(p.query), scene.token(p.key)),
                     {}};
  if (p.causal && p.key > p.query) {
    result.lines.push_back({"w", {{"= 0", Role::accent}}});
    result.lines.push_back(
        {"", {sentence(w.format("masked: key {} comes after query {}", p.key, p.query))}});
    return result;
  }
  const double with = text.turned.weights(p.query, p.key);
  const double without = text.none.weights(p.query, p.key);
  // What is left and what position took away or added make up the weight with position.
  const PrintedSum printed = printed_sum({without, with - without}, 4);
  result.lines.push_back({"Δw", {plain("= " + printed.sum + " - " + printed.parts[0])}});
  result.lines.push_back({"", {{"= " + printed.parts[1], Role::accent}}});
  const Way turned{text.turned_Q, text.turned_K, text.turned, printed.sum};
  const Way none{text.Q, text.K, text.none, printed.parts[0]};
  explain_way(scene, turned,
              p.text_scheme == TextScheme::xpos
                  ? w.format("With xPos, q turned by position {} and k by {}", p.query, p.key)
                  : w.format("With RoPE, q turned by position {} and k by {}", p.query, p.key),
              result.lines);
  explain_way(scene, none, w("Without position"), result.lines);
  return result;
}

}  // namespace lab::rotary
