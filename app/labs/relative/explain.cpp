// The score and the weight of the pinned pair, down to their inputs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

using figure::Role;
using figure::Span;

constexpr Index kMostProducts = 32;  // of a dot product that are written out; beyond, the first few
constexpr Index kFirstProducts = 12;
constexpr std::size_t kMostKeys = 16;  // of the normaliser; beyond, the strongest few
constexpr std::size_t kStrongestKeys = 11;

std::string cell(const Scene& scene, const char* letter) {
  return fmt::format("{}[{},{}]", letter, scene.model.query, scene.model.key);
}

std::string factor_text(const Scene& scene, double factor) {
  if (factor == 1) return {};
  const auto d = scene.model.content->d();
  return scene.p.scheme == SchemeName::deberta ? fmt::format(" / √{}", 3 * d)
                                               : fmt::format(" / √{}", d);
}

// Whether all terms are divided alike, so that their sum is.
bool one_factor(const Scene& scene) {
  const auto& terms = scene.scheme().terms;
  return std::all_of(terms.begin(), terms.end(),
                     [&](const Term& t) { return t.factor == terms[0].factor; });
}

// The terms as they are added: divided one by one, or together at the end.
void write_terms(const Scene& scene, Lines& lines) {
  const auto& terms = scene.scheme().terms;
  const auto j = static_cast<std::size_t>(scene.model.key);
  const bool together = one_factor(scene) && terms[0].factor != 1;
  std::vector<double> parts;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    parts.push_back(scene.model.row.terms[t][j] / (together ? terms[t].factor : 1));
  }
  const PrintedSum printed = printed_sum(parts);
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const bool chosen = t == scene.term() && terms.size() > 1;
    const std::string symbol = term_symbol(scene, terms[t].id) +
                               (together || terms[t].factor == 1 ? "" : divisor_text(scene));
    lines.push_back({"",
                     {dim(t == 0 ? "  " : "+ "),
                      {printed.parts[t], chosen ? Role::accent : Role::text},
                      dim("  " + symbol)}});
  }
  lines.push_back({"", {plain("= " + printed.sum)}});
  if (!together) return;
  lines.push_back(
      {"s",
       {plain(fmt::format("= {}{} = ", printed.sum, factor_text(scene, terms[0].factor))),
        {fixed(scene.score()), Role::accent}}});
}

void write_term_value(const Scene& scene, Lines& lines) {
  const Term& term = scene.scheme().terms[scene.term()];
  const Index i = scene.model.query, j = scene.model.key;
  if (const auto factors = term_factors(*scene.model.content, term, i, j)) {
    lines.push_back({term_symbol(scene, term.id), {plain("= Σ")}});
    write_products(scene, *factors, lines);
    return;
  }
  if (term.id == TermId::t5) {
    write_bucket(scene, j - i, lines);
  } else {
    write_slope(scene, lines);
    const bool by_key = scene.p.alibi_bias == AlibiBias::key_only;
    const Index place = by_key ? j : -std::abs(j - i);
    lines.push_back({term_symbol(scene, term.id),
                     {plain(fmt::format("= {:.6g} × ({}) = {}", scene.scheme().slope, place,
                                        fixed(term_value(*scene.model.content, term, i, j))))}});
  }
}

// How the shown keys' exponentials add up; past a number of keys the strongest and the rest.
void write_normaliser(const Scene& scene, double factor, Lines& lines) {
  const Row& row = scene.model.row;
  const auto seen = static_cast<std::size_t>(scene.model.pairs->seen(scene.model.query));
  const auto shown = static_cast<std::size_t>(scene.model.key);
  std::vector<std::size_t> keys(seen);
  for (std::size_t j = 0; j < seen; ++j) keys[j] = j;
  if (seen > kMostKeys) {
    std::partial_sort(keys.begin(), keys.begin() + kStrongestKeys, keys.end(),
                      [&](std::size_t a, std::size_t b) {
                        if ((a == shown) != (b == shown)) return a == shown;
                        return row.weights[a] > row.weights[b];
                      });
    keys.resize(kStrongestKeys);
    std::sort(keys.begin(), keys.end());
  }
  std::vector<double> parts;
  double rest = row.sum * factor;
  for (const std::size_t j : keys) {
    parts.push_back(std::exp(row.scores[j] - row.max) * factor);
    rest -= parts.back();
  }
  if (keys.size() < seen) parts.push_back(std::max(0.0, rest));
  const PrintedSum printed = printed_sum(parts);
  lines.push_back({"Σ exp", {plain("= " + printed.sum)}});
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const bool is_rest = k == keys.size();
    const bool is_shown = !is_rest && keys[k] == shown;
    const std::string name = is_rest ? scene.w.format("… {} more keys", seen - keys.size())
                                     : scene.quoted(static_cast<Index>(keys[k])) +
                                           fmt::format(" s = {}", fixed(row.scores[keys[k]]));
    lines.push_back({"",
                     {dim(k == 0 ? "  " : "+ "),
                      {printed.parts[k], is_shown ? Role::accent : Role::text},
                      {"  " + name, is_shown ? Role::key : Role::dim}}});
  }
}

Explanation masked(const Scene& scene, const char* letter, std::string value) {
  Explanation result{scene.w("A masked pair"), {}};
  result.lines.push_back({cell(scene, letter), {{"= " + std::move(value), Role::accent}}});
  result.lines.push_back(sentence_line(
      scene.w.format("key {} comes after query {}: masked", scene.model.key, scene.model.query)));
  return result;
}

}  // namespace

std::string write_products(const Scene& scene, const Factors& factors, Lines& lines) {
  const Index count = factors.left.size();
  const Index written = count > kMostProducts ? kFirstProducts : count;
  std::vector<double> parts;
  for (Index c = 0; c < written; ++c) parts.push_back(factors.left(c) * factors.right(c));
  if (written < count) {
    parts.push_back(factors.left.tail(count - written).dot(factors.right.tail(count - written)));
  }
  const PrintedSum printed = printed_sum(parts);
  for (std::size_t c = 0; c < parts.size(); ++c) {
    const auto at = static_cast<Index>(c);
    Explanation::Line line{"", {dim(c == 0 ? "  " : "+ ")}};
    if (at < written) {
      line.right.push_back({fmt::format("({:.2f})", factors.left(at)), factors.left_role});
      line.right.push_back({fmt::format("({:.2f})", factors.right(at)), factors.right_role});
    } else {
      line.right.push_back(dim(scene.w.format("… {} more terms", count - written)));
    }
    line.right.push_back(dim(" → "));
    line.right.push_back(plain(printed.parts[c]));
    lines.push_back(std::move(line));
  }
  lines.push_back({"", {plain("= " + printed.sum)}});
  return printed.sum;
}

Explanation explain_score(const Scene& scene) {
  if (!scene.allowed()) return masked(scene, "s", "-∞");
  Explanation result{
      scene.model.pinned ? scene.w("The pinned score") : scene.w("The score of the strongest key"),
      {}};
  result.lines.push_back({cell(scene, "s"), {{"= " + fixed(scene.score()), Role::accent}}});
  result.lines.push_back(sentence_line(
      scene.w.format("query {} {}, key {} {}: {}", scene.quoted(scene.model.query),
                     scene.model.query, scene.quoted(scene.model.key), scene.model.key,
                     distance_words(scene, scene.model.key - scene.model.query))));
  write_terms(scene, result.lines);
  write_term_value(scene, result.lines);
  return result;
}

Explanation explain_weight(const Scene& scene) {
  if (!scene.allowed()) return masked(scene, "w", "0");
  const Row& row = scene.model.row;
  const auto j = static_cast<std::size_t>(scene.model.key);
  const bool urpe = scene.p.scheme == SchemeName::urpe;
  Explanation result{scene.model.pinned ? scene.w("The pinned weight")
                                        : scene.w("The largest weight of this query"),
                     {}};
  Lines& lines = result.lines;
  // Large scores are shown relative to the largest one, as they are computed.
  constexpr double kLargestShown = 12;
  const bool shifted = std::abs(row.max) > kLargestShown;
  const double factor = shifted ? 1 : std::exp(row.max);
  const std::string exponent =
      shifted ? fmt::format("{} - {}", fixed(row.scores[j]), fixed(row.max)) : fixed(row.scores[j]);
  lines.push_back({cell(scene, "w"), {{"= " + fixed(row.weights[j]), Role::accent}}});
  lines.push_back({"", {plain(fmt::format("= exp({}) / Σ exp", exponent))}});
  lines.push_back(
      {"",
       {plain(fmt::format("= {} / {}", fixed(std::exp(row.scores[j] - row.max) * factor),
                          fixed(row.sum * factor)))}});
  lines.push_back({scene.w("before"),
                   {plain(fmt::format("= {}  ", fixed(row.plain[j]))),
                    dim(fmt::format("softmax(q·k / √{})", scene.model.content->d()))}});
  if (urpe) {
    const Index r = scene.model.key - scene.model.query;
    lines.push_back({"w c",
                     {plain(fmt::format("= {} × {} = ", fixed(row.weights[j]),
                                        fixed(scene.scheme().after_at(r)))),
                      {fixed(row.after[j]), Role::accent}}});
    lines.push_back(sentence_line(
        scene.w.format("c is that of distance {}; the row is not made to sum to 1 again", r)));
  }
  write_normaliser(scene, factor, lines);
  return result;
}

Explanation explain(const Scene& scene) {
  switch (scene.p.explain) {
    case Explained::score:
      return explain_score(scene);
    case Explained::weight:
      return explain_weight(scene);
    case Explained::distance:
      return explain_distance(scene);
    case Explained::own:
      break;
  }
  return explain_own(scene);
}

}  // namespace lab::relative
