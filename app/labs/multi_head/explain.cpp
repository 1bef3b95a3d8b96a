#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/labs/multi_head/page.h"

namespace lab::multi_head {
namespace {

using figure::Role;
using figure::Span;
using figure::TextStyle;

constexpr std::size_t kMostTerms = 64;   // of q.k that are written out; beyond, the first few
constexpr std::size_t kFirstTerms = 12;  // these few
constexpr std::size_t kMostKeys = 16;    // of the normaliser; beyond, the strongest few
constexpr std::size_t kStrongestKeys = 11;

// q and k of the shown pair.
struct Pair {
  std::vector<double> q, k;
};

Pair pair_of(const Model& model) {
  const Projected& p = *model.projected;
  Pair pair;
  for (Index i = 0; i < p.d_k; ++i) {
    pair.q.push_back(static_cast<double>(p.Q(model.query, model.head * p.d_k + i)));
    pair.k.push_back(static_cast<double>(p.K(model.key, model.head * p.d_k + i)));
  }
  return pair;
}

// The products q_i k_i, term by term, and their sum; past kMostTerms the rest is one term.
std::string explain_score(const Scene& scene, Lines& lines) {
  const Pair pair = pair_of(scene.model);
  const std::size_t count = pair.q.size();
  const std::size_t written = count > kMostTerms ? kFirstTerms : count;
  std::vector<double> terms;
  for (std::size_t i = 0; i < written; ++i) terms.push_back(pair.q[i] * pair.k[i]);
  if (written < count) {
    terms.push_back(std::inner_product(pair.q.begin() + static_cast<long>(written), pair.q.end(),
                                       pair.k.begin() + static_cast<long>(written), 0.0));
  }
  const PrintedSum printed = printed_sum(terms);
  lines.push_back({"q·k", {plain("= Σ "), {"q", Role::query}, {"k", Role::key}}});
  for (std::size_t i = 0; i < written; ++i) {
    lines.push_back({"",
                     {dim(i == 0 ? "  " : "+ "),
                      {fmt::format("({:.2f})", pair.q[i]), Role::query},
                      {fmt::format("({:.2f})", pair.k[i]), Role::key},
                      dim(" → "),
                      plain(printed.parts[i])}});
  }
  if (written < count) {
    lines.push_back({"",
                     {dim("+ "), dim(scene.w.format("… {} more terms", count - written)),
                      dim(" → "), plain(printed.parts.back())}});
  }
  lines.push_back({"", {plain("= " + printed.sum)}});
  return printed.sum;
}

// From q.k to what enters the softmax.
void explain_scaling(const Scene& scene, const std::string& score, Lines& lines) {
  const bool cooled = scene.p.temperature != 1;
  if (!scene.p.scaled && !cooled) return;
  Explanation::Line formula{"s", {plain("= "), {"q", Role::query}, plain("·"), {"k", Role::key}}};
  Explanation::Line numbers{"", {plain("= " + score)}};
  if (scene.p.scaled) {
    formula.right.push_back(plain(" / √d_k"));
    numbers.right.push_back(plain(fmt::format(" / √{}", scene.model.d_k())));
  }
  if (cooled) {
    formula.right.push_back(plain(" / T"));
    numbers.right.push_back(plain(fmt::format(" / {}", scene.p.temperature)));
  }
  lines.push_back(std::move(formula));
  lines.push_back(std::move(numbers));
  const double scaled = scene.model.row.scaled[static_cast<std::size_t>(scene.model.key)];
  lines.push_back({"", {plain("= " + fixed(scaled))}});
}

// The keys whose exponentials are written out: all, or the strongest in their order.
std::vector<std::size_t> written_keys(const Row& row, std::size_t shown) {
  std::vector<std::size_t> keys;
  for (std::size_t j = 0; j < row.allowed.size(); ++j) {
    if (row.allowed[j]) keys.push_back(j);
  }
  if (keys.size() <= kMostKeys) return keys;
  std::partial_sort(keys.begin(), keys.begin() + static_cast<long>(kStrongestKeys), keys.end(),
                    [&](std::size_t a, std::size_t b) {
                      if ((a == shown) != (b == shown)) return a == shown;  // it is always there
                      return row.weights[a] > row.weights[b];
                    });
  keys.resize(kStrongestKeys);
  std::sort(keys.begin(), keys.end());
  return keys;
}

// The exponentials of the row relative to `shift`, and their sum.
void explain_normaliser(const Scene& scene, double factor, Lines& lines) {
  const Row& row = scene.model.row;
  const auto shown = static_cast<std::size_t>(scene.model.key);
  const auto allowed =
      static_cast<std::size_t>(std::count(row.allowed.begin(), row.allowed.end(), true));
  const std::vector<std::size_t> keys = written_keys(row, shown);
  std::vector<double> terms;
  double rest = row.sum * factor;
  for (const std::size_t j : keys) {
    terms.push_back(row.exponentials[j] * factor);
    rest -= terms.back();
  }
  if (keys.size() < allowed) terms.push_back(std::max(0.0, rest));
  const PrintedSum printed = printed_sum(terms);
  lines.push_back({"Σ exp", {plain("= " + printed.sum)}});
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const bool is_shown = keys[k] == shown;
    lines.push_back(
        {"",
         {dim(k == 0 ? "  " : "+ "),
          {printed.parts[k], is_shown ? Role::accent : Role::text},
          {"  " + scene.name(static_cast<Index>(keys[k])), is_shown ? Role::key : Role::dim}}});
  }
  if (keys.size() < allowed) {
    lines.push_back({"",
                     {dim("+ "), plain(printed.parts.back()),
                      dim("  " + scene.w.format("… {} more keys", allowed - keys.size()))}});
  }
}

std::string cell(const Model& model) { return fmt::format("w[{},{}]", model.query, model.key); }

Explanation explain_masked(const Scene& scene) {
  Explanation result{
      scene.model.pinned ? scene.w("The pinned weight") : scene.w("This query has no weights"), {}};
  result.lines.push_back({cell(scene.model), {{"= 0", Role::accent}}});
  result.lines.push_back(
      {"",
       {{scene.w.format("masked: {}; its weight is exactly 0", mask_reason(scene)), Role::text,
         TextStyle::body}}});
  return result;
}

// How the order of tokens entered the numbers, where it did.
void explain_position(const Scene& scene, Lines& lines) {
  if (scene.p.position == Position::rope) {
    lines.push_back(
        {"",
         {{scene.w.format(
               "RoPE turned q by position {} and k by {}: the score knows their distance {}",
               scene.model.query, scene.model.key, scene.model.key - scene.model.query),
           Role::dim, TextStyle::small}}});
  } else if (scene.p.position == Position::sinusoidal) {
    lines.push_back({"",
                     {{scene.w("Sines and cosines of both positions were added to the embeddings "
                               "before q and k were made"),
                       Role::dim, TextStyle::small}}});
  }
}

}  // namespace

std::string mask_reason(const Scene& scene) {
  const Index query = scene.model.query, key = scene.model.key;
  switch (scene.p.mask) {
    case MaskKind::causal:
      return scene.w.format("key {} comes after query {}", key, query);
    case MaskKind::local:
      return scene.w.format("key {} is {} tokens from query {}, and the reach is {}", key,
                            std::abs(key - query), query, scene.p.reach);
    case MaskKind::key_padding:
      return scene.w.format("key {} is padding, which begins at {}", key, scene.p.valid);
    case MaskKind::query_padding:
      return scene.w.format("query {} is padding, which begins at {}", query, scene.p.valid);
    case MaskKind::full:
      break;
  }
  return {};
}

Explanation explain(const Scene& scene) {
  const Model& model = scene.model;
  if (!scene.shown_allowed()) return explain_masked(scene);
  const Row& row = model.row;
  const auto at = static_cast<std::size_t>(model.key);
  Explanation result{
      model.pinned ? scene.w("The pinned weight") : scene.w("The largest weight of this query"),
      {}};
  // Large scores are shown relative to the largest one, as they are computed; small ones as they
  // stand, which is the formula.
  constexpr double kLargestShown = 12;
  const bool shifted = row.max > kLargestShown || row.max < -kLargestShown;
  const double factor = shifted ? 1 : std::exp(row.max);
  const std::string exponent = shifted
                                   ? fmt::format("{} - {}", fixed(row.scaled[at]), fixed(row.max))
                                   : fixed(row.scaled[at]);
  result.lines.push_back({cell(model), {{"= " + weight_text(row.weights[at]), Role::accent}}});
  result.lines.push_back({"", {plain(shifted ? "= exp(s - max) / Σ exp" : "= exp(s) / Σ exp")}});
  result.lines.push_back({"", {plain(fmt::format("= exp({}) / Σ exp", exponent))}});
  result.lines.push_back({"",
                          {plain(fmt::format("= {} / {}", fixed(row.exponentials[at] * factor),
                                             fixed(row.sum * factor)))}});
  const std::string score = explain_score(scene, result.lines);
  explain_scaling(scene, score, result.lines);
  explain_normaliser(scene, factor, result.lines);
  explain_position(scene, result.lines);
  return result;
}

}  // namespace lab::multi_head
