// What one scheme alone has: a row of its table, a bucket, a head, a row sum.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

using figure::Role;

// How many pairs of the sequence, masked ones left out, read the chosen row.
Index pairs_reading(const Scene& scene, Index row) {
  const Index n = scene.model.n();
  Index count = 0;
  for (Index r = 1 - n; r < (scene.model.pairs->causal ? 1 : n); ++r) {
    if (scene.scheme().row_of(r) == row) count += n - std::abs(r);
  }
  return count;
}

void write_readers(const Scene& scene, Index row, Lines& lines) {
  const Index n = scene.model.n();
  const Index all = scene.model.pairs->causal ? n * (n + 1) / 2 : n * n;
  lines.push_back(sentence_line(
      scene.w.format("{} of the {} pairs shown read it", pairs_reading(scene, row), all)));
}

Explanation own_shaw(const Scene& scene, Index row) {
  const Index k = scene.p.clip, r = row - k;
  Explanation result{scene.w.format("Row {} of the tables", row), {}};
  result.lines.push_back({"j - i", {plain(fmt::format("= {} - {} = {}", row, k, r))}});
  if (std::abs(r) == k) {
    result.lines.push_back(
        sentence_line(r < 0   ? scene.w.format("and every distance below {}", -k)
                      : r > 0 ? scene.w.format("and every distance above {}", k)
                              : scene.w("every distance: with k = 0 there is one row only")));
  }
  write_readers(scene, row, result.lines);
  const Factors factors{scene.model.content->Q.row(scene.model.query).transpose(),
                        scene.scheme().keys->row(row).transpose(), figure::Role::query};
  result.lines.push_back({fmt::format("q·a^K_{}", r), {plain("= Σ")}});
  write_products(scene, factors, result.lines);
  return result;
}

Explanation own_deberta(const Scene& scene, Index row) {
  const Index k = scene.p.span;
  Explanation result{scene.w.format("Row δ = {} of the tables", row), {}};
  result.lines.push_back({"i - j", {plain(fmt::format("= {} - {} = {}", row, k, row - k))}});
  if (row == 0)
    result.lines.push_back(sentence_line(scene.w.format("and every i - j below {}", -k)));
  if (row == 2 * k - 1) {
    result.lines.push_back(sentence_line(scene.w.format("and every i - j above {}", k - 1)));
  }
  write_readers(scene, row, result.lines);
  const Content& content = *scene.model.content;
  result.lines.push_back({fmt::format("q·k_{}", row), {plain("= Σ")}});
  write_products(scene,
                 {content.Q.row(scene.model.query).transpose(),
                  scene.scheme().keys->row(row).transpose(), figure::Role::query},
                 result.lines);
  result.lines.push_back({fmt::format("k·q_{}", row), {plain("= Σ")}});
  write_products(
      scene,
      {scene.scheme().queries->row(row).transpose(), content.K.row(scene.model.key).transpose(),
       figure::Role::text, figure::Role::key},
      result.lines);
  return result;
}

// One entry of R.
Explanation own_sinusoid(const Scene& scene, Index column) {
  const Sinusoids& s = *scene.scheme().sinusoids;
  const Index half = s.width / 2, f = column % half, t = -scene.p.distance;
  const bool sine = column < half;
  const double theta =
      std::pow(scene.p.base, -2 * static_cast<double>(f) / static_cast<double>(s.width));
  const double angle = static_cast<double>(t) * theta;
  const MatrixD R = s.rows(VectorD::Constant(1, -static_cast<double>(t)));
  const char* name = sine ? "sin" : "cos";
  Explanation result{scene.w.format("Column {} of R at distance i - j = {}", column, t), {}};
  result.lines.push_back(
      {"θ", {plain(fmt::format("= {:g}^(-2·{}/{}) = {:.6g}", scene.p.base, f, s.width, theta))}});
  result.lines.push_back(
      {"R", {plain(fmt::format("= {}({} θ) = {}({:.6g})", name, t, name, angle))}});
  result.lines.push_back({"", {plain("= "), {fixed(R(0, column)), Role::accent}}});
  result.lines.push_back(
      sentence_line(scene.w.format("one turn in {:.4g} tokens", 2 * std::numbers::pi / theta)));
  return result;
}

Explanation own_bucket(const Scene& scene, Index bucket) {
  const core::T5Buckets& buckets = *scene.scheme().buckets;
  const auto& first = buckets.first_distances();
  const auto side = static_cast<Index>(first.size());
  const Index b = bucket % side;
  const bool ahead = bucket >= side;
  const auto at = static_cast<std::size_t>(b);
  Explanation result{scene.w.format("Bucket {}", bucket), {}};
  const Index from = first[at];
  if (b + 1 == side) {
    result.lines.push_back({"t", {plain(fmt::format("≥ {}", from))}});
  } else if (first[at + 1] <= from) {
    result.lines.push_back(sentence_line(scene.w("no whole distance falls into it")));
  } else if (ahead && from == 0 && first[at + 1] == 1) {
    result.lines.push_back(
        sentence_line(scene.w("distance 0 counts as before: no pair is ever in it")));
  } else {
    result.lines.push_back({"t", {plain(fmt::format("= {} … {}", from, first[at + 1] - 1))}});
  }
  result.lines.push_back(sentence_line(ahead ? scene.w("keys ahead of the query")
                                             : scene.w("keys before the query, and itself")));
  write_readers(scene, bucket, result.lines);
  result.lines.push_back({fmt::format("b[{}]", bucket),
                          {{"= " + fixed(scene.scheme().scalars(bucket)), Role::accent}}});
  return result;
}

Explanation own_head(const Scene& scene) {
  Explanation result{scene.w.format("The reach of head {}", scene.p.head), {}};
  Lines& lines = result.lines;
  write_slope(scene, lines);
  const double slope = scene.scheme().slope, drop = std::log(1 / scene.p.epsilon);
  lines.push_back(
      sentence_line(scene.w("The penalty m t is ln(1/ε) at the distance t where an equal key has ε "
                            "times the weight of one beside the query:")));
  lines.push_back({"t",
                   {plain(fmt::format("= ln(1/{:g}) / m = {} / {:.6g}", scene.p.epsilon,
                                      fixed(drop), slope))}});
  lines.push_back({"", {plain("= "), {fmt::format("{:.3f}", drop / slope), Role::accent}}});
  lines.push_back(sentence_line(scene.w.format(
      "With all contents equal and an endless past, the keys up to distance {} hold at least {:g} "
      "of the weight: 1 - e^(-m (r + 1)) = {:.6f}",
      reach_of(slope, scene.p.epsilon), 1 - scene.p.epsilon,
      1 - std::exp(-slope * static_cast<double>(reach_of(slope, scene.p.epsilon) + 1)))));
  return result;
}

// Σ w c of the query: its largest parts, and the rest.
Explanation own_row_sum(const Scene& scene) {
  constexpr std::size_t kMost = 16;
  const Row& row = scene.model.row;
  const auto seen = static_cast<std::size_t>(scene.model.pairs->seen(scene.model.query));
  std::vector<std::size_t> keys(seen);
  std::iota(keys.begin(), keys.end(), std::size_t{0});
  if (seen > kMost) {
    std::partial_sort(keys.begin(), keys.begin() + kMost, keys.end(),
                      [&](std::size_t a, std::size_t b) { return row.after[a] > row.after[b]; });
    keys.resize(kMost);
    std::sort(keys.begin(), keys.end());
  }
  std::vector<double> parts;
  double rest = std::accumulate(row.after.begin(), row.after.end(), 0.0);
  for (const std::size_t j : keys) {
    parts.push_back(row.after[j]);
    rest -= row.after[j];
  }
  if (keys.size() < seen) parts.push_back(rest);
  const PrintedSum printed = printed_sum(parts);
  Explanation result{scene.w.format("What row {} sums to", scene.model.query), {}};
  result.lines.push_back({"Σ w c", {{"= " + printed.sum, Role::accent}}});
  for (std::size_t k = 0; k < parts.size(); ++k) {
    std::string what = scene.w.format("… {} more keys", seen - keys.size());
    if (k < keys.size()) {
      const Index r = static_cast<Index>(keys[k]) - scene.model.query;
      what = fmt::format("{} × {}  c[{:+}]", fixed(row.weights[keys[k]]),
                         fixed(scene.scheme().after_at(r)), r);
    }
    result.lines.push_back(
        {"", {dim(k == 0 ? "  " : "+ "), plain(printed.parts[k]), dim("  " + what)}});
  }
  result.lines.push_back(sentence_line(scene.w("The weights w alone sum to 1")));
  return result;
}

}  // namespace

Explanation explain_own(const Scene& scene) {
  const Index entry = std::clamp<Index>(scene.p.entry, 0, std::max(1, entry_count(scene.p)) - 1);
  switch (scene.p.scheme) {
    case SchemeName::shaw:
      return own_shaw(scene, entry);
    case SchemeName::transformer_xl:
    case SchemeName::xlnet:
      return own_sinusoid(scene, entry);
    case SchemeName::t5:
      return own_bucket(scene, entry);
    case SchemeName::deberta:
      return own_deberta(scene, entry);
    case SchemeName::urpe:
      return own_row_sum(scene);
    case SchemeName::alibi:
      break;
  }
  return own_head(scene);
}

}  // namespace lab::relative
