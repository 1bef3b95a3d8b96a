// Why a score, a weight, a difference or a mean is what it is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/position_compare/page.h"
#include "app/labs/shared/rounded_sum.h"

namespace lab::position_compare {
namespace {

using figure::Role;
using figure::Span;
using figure::TextStyle;

constexpr std::size_t kMostTerms = 12;  // of a product that are written out; beyond, the first few
constexpr std::size_t kFirstTerms = 8;
constexpr std::size_t kMostKeys = 16;  // of a normaliser; beyond, the strongest few
constexpr std::size_t kStrongestKeys = 11;
constexpr int kDigits = 3;

Explanation::Line words_line(std::string text) { return {"", {sentence(std::move(text))}}; }

// How a part is written.
std::vector<Span> symbol(PartKind kind) {
  const Span q{"q", Role::query}, k{"k", Role::key};
  switch (kind) {
    case PartKind::content:
      return {q, plain("·"), k};
    case PartKind::content_position:
      return {q, plain("·p_j"), {"W_k", Role::key}};
    case PartKind::position_content:
      return {plain("p_i"), {"W_q", Role::query}, plain("·"), k};
    case PartKind::position_position:
      return {plain("p_i"), {"W_q", Role::query}, plain("·p_j"), {"W_k", Role::key}};
    case PartKind::turned:
      return {plain("R_i"), q, plain("·R_j"), k};
    case PartKind::alibi:
      return {plain("-m|i-j|")};
    case PartKind::t5:
      return {plain("b")};
    case PartKind::shaw:
      return {q, plain("·a")};
    case PartKind::xl_distance:
      return {q, plain("·r")};
    case PartKind::xl_content:
      return {plain("u·"), k};
    case PartKind::xl_position:
      return {plain("v·r")};
    case PartKind::deberta_to_position:
      return {q, plain("·Kr")};
    case PartKind::deberta_from_position:
      return {k, plain("·Qr")};
  }
  return {};
}

void append(std::vector<Span>& to, std::vector<Span> spans) {
  to.insert(to.end(), spans.begin(), spans.end());
}

// The products of a part; the parts printed add up to `sum`, in units of the last digit.
void add_products(const Scene& scene, const Part& part, Lines& lines) {
  const auto count = static_cast<std::size_t>(part.a.size());
  const std::size_t written = count > kMostTerms ? kFirstTerms : count;
  std::vector<double> terms;
  double rest = part.value;
  for (std::size_t i = 0; i < written; ++i) {
    const auto at = static_cast<Index>(i);
    terms.push_back(part.a(at) * part.b(at));
    rest -= terms.back();
  }
  if (written < count) terms.push_back(rest);
  const PrintedSum printed = printed_sum(terms, kDigits);
  for (std::size_t i = 0; i < written; ++i) {
    const auto at = static_cast<Index>(i);
    lines.push_back(
        {"",
         {dim(i == 0 ? "  " : "+ "), plain(fmt::format("({:.2f})({:.2f})", part.a(at), part.b(at))),
          dim(" → "), plain(printed.parts[i])}});
  }
  if (written < count) {
    lines.push_back({"",
                     {dim("+ "), dim(scene.w.format("… {} more terms", count - written)),
                      dim(" → "), plain(printed.parts.back())}});
  }
}

// How pair 0 was turned, with numbers; the others turn alike, each at its own rate.
void add_turning(const Scene& scene, const Scored& scored, Lines& lines) {
  const MatrixD& q = scene.model.content->Q;
  const Index i = scene.model.query;
  const double angle = static_cast<double>(i) * scored.inside.theta(0);
  lines.push_back(words_line(
      scene.w.format("q turned by its place: pair 0 by {} θ_0 = {} rad, the others by their own θ",
                     i, fixed(angle))));
  lines.push_back({"R_iq[0]",
                   {plain("= "),
                    {"q", Role::query},
                    plain("[0] cos − "),
                    {"q", Role::query},
                    plain("[1] sin")}});
  lines.push_back({"",
                   {plain(fmt::format("= ({:.3f})({:.3f}) − ({:.3f})({:.3f})", q(i, 0),
                                      std::cos(angle), q(i, 1), std::sin(angle)))}});
  const double turned = q(i, 0) * std::cos(angle) - q(i, 1) * std::sin(angle);
  lines.push_back({"", {plain("= " + fixed(turned))}});
  if (scored.scheme == Scheme::xpos) {
    const double factor = scored.inside.Q(i, 0) / turned;
    if (std::isfinite(factor)) {
      lines.push_back(
          words_line(scene.w.format("xPos multiplies it by ζ_0^(i/B) = {}: {}; keys by ζ^(−j/B)",
                                    fixed(factor), fixed(scored.inside.Q(i, 0)))));
    }
  }
}

// What was looked up, where a part is not only a product.
void add_note(const Scene& scene, const Part& part, const Scored& scored, Lines& lines) {
  const Index i = scene.model.query, j = scene.model.key;
  switch (part.kind) {
    case PartKind::alibi:
      lines.push_back({"", {plain(fmt::format("= -{:.6g}·|{} - {}|", scored.inside.slope, i, j))}});
      lines.push_back(words_line(scene.w.format("m is the slope of head {}", scene.p.head)));
      break;
    case PartKind::t5:
      lines.push_back(words_line(
          scene.w.format("distance {} is in bucket {}; its number is learned", i - j, part.row)));
      break;
    case PartKind::shaw:
      lines.push_back(words_line(scene.w.format("a is row {} of the table: j − i = {}, cut to ±{}",
                                                part.row, j - i, scene.p.clip)));
      break;
    case PartKind::xl_distance:
      lines.push_back(
          words_line(scene.w.format("r is the sinusoid of distance {} times W_kR", i - j)));
      break;
    case PartKind::deberta_to_position:
      lines.push_back(words_line(scene.w.format("Kr is row δ(i, j) = {}", part.row)));
      break;
    case PartKind::deberta_from_position:
      lines.push_back(words_line(scene.w.format("Qr is row δ(j, i) = {}", part.row)));
      break;
    case PartKind::turned:
      add_turning(scene, scored, lines);
      break;
    default:
      break;
  }
}

// (a + b + c) / √d + bias, as symbols and as numbers.
void add_sum(const Breakdown& score, Lines& lines) {
  std::vector<Span> letters{plain("= (")}, numbers{plain("= (")}, biases, bias_numbers;
  long long units = 0;
  bool first = true;
  for (const Part& part : score.parts) {
    const std::string value = fixed(part.value, kDigits);
    if (!part.inside) {
      biases.push_back(plain(" + "));
      append(biases, symbol(part.kind));
      bias_numbers.push_back(plain(" + " + value));
      continue;
    }
    if (!first) {
      letters.push_back(plain(" + "));
      numbers.push_back(plain(" + "));
    }
    append(letters, symbol(part.kind));
    numbers.push_back(plain(value));
    units += rounded_parts({part.value}, kDigits).front();
    first = false;
  }
  letters.push_back(
      plain(score.under_root == score.parts.front().a.size() ? ") / √d_k" : ") / √(3d_k)"));
  const std::string root = fmt::format(" / √{}", score.under_root);
  numbers.push_back(plain(")" + root));
  append(letters, biases);
  append(numbers, bias_numbers);
  lines.push_back({"", std::move(letters)});
  lines.push_back({"", std::move(numbers)});
  if (score.parts.size() == 1 && bias_numbers.empty()) return;
  std::vector<Span> summed{plain("= " + units_text(units, kDigits) + root)};
  append(summed, bias_numbers);
  lines.push_back({"", std::move(summed)});
}

std::string pair_text(const Scene& scene, const char* letter) {
  return fmt::format("{}[{},{}]", letter, scene.model.query, scene.model.key);
}

bool allowed(const Scene& scene, std::size_t k) {
  return scene.shown(k).scored->mask->allowed(scene.model.query, scene.model.key);
}

// Why a pair has no value under a scheme.
std::string absence(const Scene& scene, std::size_t k) {
  const Index i = scene.model.query, j = scene.model.key;
  if (scene.p.mask == MaskKind::causal && j > i) {
    return scene.w.format("masked: key {} comes after query {}", j, i);
  }
  if (scene.scheme(k) == Scheme::learned) {
    return scene.w.format("{} has no row for position {}: it was trained for {}", scene.name(k),
                          std::max(i, j), scene.p.trained_length);
  }
  return scene.w.format("{} has no number for distance {}: it was trained for {}", scene.name(k),
                        i - j, scene.p.trained_length);
}

// The keys whose exponentials are written out: all, or the strongest in their order.
std::vector<Index> written_keys(const Scored& scored, Index query, Index shown) {
  std::vector<Index> keys;
  for (Index j = 0; j < scored.scores.cols(); ++j) {
    if (scored.mask->allowed(query, j)) keys.push_back(j);
  }
  if (keys.size() <= kMostKeys) return keys;
  std::partial_sort(keys.begin(), keys.begin() + static_cast<long>(kStrongestKeys), keys.end(),
                    [&](Index a, Index b) {
                      if ((a == shown) != (b == shown)) return a == shown;
                      return scored.scores(query, a) > scored.scores(query, b);
                    });
  keys.resize(kStrongestKeys);
  std::sort(keys.begin(), keys.end());
  return keys;
}

// w = exp(s - max) / Σ exp(s - max), and what the sum is made of.
void add_softmax(const Scene& scene, std::size_t k, Lines& lines) {
  const Scored& scored = *scene.shown(k).scored;
  const Index i = scene.model.query, j = scene.model.key;
  const core::KeyRange range = scored.mask->range(i);
  const auto row = scored.scores.row(i).segment(range.begin, range.size());
  const double max = row.maxCoeff();
  const double sum = (row.array() - max).exp().sum();
  const double own = std::exp(scored.scores(i, j) - max);
  const bool factor = scored.scheme == Scheme::urpe;
  const double c = factor ? scored.inside.c(i - j + scene.model.n() - 1) : 1;
  lines.push_back({"", {plain(factor ? "= c · exp(s - max) / Σ exp" : "= exp(s - max) / Σ exp")}});
  lines.push_back({"",
                   {plain(fmt::format("= {}exp({} - {}) / Σ exp", factor ? fixed(c) + " · " : "",
                                      fixed(scored.scores(i, j)), fixed(max)))}});
  lines.push_back({"",
                   {plain(fmt::format("= {}{} / {}", factor ? fixed(c) + " · " : "", fixed(own),
                                      fixed(sum)))}});
  if (factor) {
    lines.push_back(words_line(
        scene.w.format("c is the learned number of distance {}; rows no longer sum to 1", i - j)));
  }
  const std::vector<Index> keys = written_keys(scored, i, j);
  std::vector<double> terms;
  double rest = sum;
  for (const Index key : keys) {
    terms.push_back(std::exp(scored.scores(i, key) - max));
    rest -= terms.back();
  }
  const auto more = static_cast<std::size_t>(range.size()) - keys.size();
  if (more > 0) terms.push_back(std::max(0.0, rest));
  const PrintedSum printed = printed_sum(terms, kDigits);
  lines.push_back({"Σ exp", {plain("= " + printed.sum)}});
  for (std::size_t t = 0; t < keys.size(); ++t) {
    const Role role = keys[t] == j ? Role::accent : Role::text;
    lines.push_back({"",
                     {dim(t == 0 ? "  " : "+ "),
                      {printed.parts[t], role},
                      dim("  " + scene.indexed(keys[t]))}});
  }
  if (more > 0) {
    lines.push_back({"",
                     {dim("+ "), plain(printed.parts.back()),
                      dim("  " + scene.w.format("… {} more keys", more))}});
  }
}

// A shown value down to its inputs: of weights the softmax, then the score.
void add_value(const Scene& scene, std::size_t k, const std::string& left, Role role,
               Lines& lines) {
  const Shown& shown = scene.shown(k);
  const Index i = scene.model.query, j = scene.model.key;
  if (!allowed(scene, k)) {
    lines.push_back({left, {{"—", role}}});
    lines.push_back(words_line(absence(scene, k)));
    return;
  }
  lines.push_back({left, {{"= " + fixed(shown.values(scene.p.quantity)(i, j)), role}}});
  if (scene.p.quantity == Quantity::weights) {
    add_softmax(scene, k, lines);
    lines.push_back({"s", {plain("= " + fixed(shown.scored->scores(i, j)))}});
  }
  const Lines score = score_lines(scene, k);
  lines.insert(lines.end(), score.begin(), score.end());
}

Explanation explain_value(const Scene& scene) {
  const std::size_t k = scene.chosen();
  Explanation result;
  result.title = scene.w.format("{}: query {}, key {}", scene.name(k),
                                scene.indexed(scene.model.query), scene.indexed(scene.model.key));
  add_value(scene, k, pair_text(scene, scene.p.quantity == Quantity::scores ? "s" : "w"),
            Role::accent, result.lines);
  return result;
}

Explanation explain_difference(const Scene& scene) {
  const std::size_t k = scene.chosen();
  Explanation result;
  result.title = scene.w.format("{} minus {}: query {}, key {}", scene.name(k), scene.name(0),
                                scene.indexed(scene.model.query), scene.indexed(scene.model.key));
  const Index i = scene.model.query, j = scene.model.key;
  if (allowed(scene, k) && allowed(scene, 0)) {
    const double a = scene.shown(k).values(scene.p.quantity)(i, j);
    const double b = scene.shown(0).values(scene.p.quantity)(i, j);
    const PrintedSum printed = printed_sum({a, -b}, kDigits);
    result.lines.push_back({"Δ", {{"= " + printed.sum, Role::accent}}});
    result.lines.push_back(
        {"", {plain("= " + printed.parts[0] + " + (" + printed.parts[1] + ")")}});
  } else {
    result.lines.push_back({"Δ", {{"—", Role::accent}}});
  }
  result.lines.push_back(words_line(scene.name(k)));
  add_value(scene, k, "", Role::text, result.lines);
  result.lines.push_back(words_line(scene.name(0)));
  add_value(scene, 0, "", Role::text, result.lines);
  return result;
}

// The values of all pairs at the distance, in the order of the queries.
std::vector<std::pair<Index, double>> values_at(const Scene& scene, std::size_t k) {
  const Shown& shown = scene.shown(k);
  std::vector<std::pair<Index, double>> values;
  for (Index i = 0; i < scene.model.n(); ++i) {
    const Index j = i - scene.model.distance;
    if (j < 0 || j >= scene.model.n() || !shown.scored->mask->allowed(i, j)) continue;
    values.emplace_back(i, shown.values(scene.p.quantity)(i, j));
  }
  return values;
}

Explanation explain_distance(const Scene& scene) {
  const std::size_t k = scene.chosen();
  Explanation result;
  result.title = scene.w.format("{}: mean at distance {}", scene.name(k), scene.model.distance);
  const auto values = values_at(scene, k);
  if (values.empty()) {
    result.lines.push_back({"", {{"—", Role::accent}}});
    result.lines.push_back(words_line(scene.w("no pair has this distance here")));
    return result;
  }
  const std::size_t written = values.size() > kMostTerms ? kFirstTerms : values.size();
  std::vector<double> terms;
  double rest = 0, squares = 0;
  const auto at = static_cast<std::size_t>(scene.model.distance + scene.model.n() - 1);
  const Curve& curve = scene.shown(k).curve;
  for (std::size_t t = 0; t < values.size(); ++t) {
    const double value = values[t].second;
    squares += (value - curve.mean[at]) * (value - curve.mean[at]);
    if (t < written) {
      terms.push_back(value);
    } else {
      rest += value;
    }
  }
  if (written < values.size()) terms.push_back(rest);
  const PrintedSum printed = printed_sum(terms, kDigits);
  const char* letter = scene.p.quantity == Quantity::scores ? "s" : "w";
  result.lines.push_back({"mean", {{"= " + fixed(curve.mean[at]), Role::accent}}});
  result.lines.push_back({"", {plain(fmt::format("= Σ {} / {}", letter, values.size()))}});
  result.lines.push_back({"", {plain(fmt::format("= {} / {}", printed.sum, values.size()))}});
  for (std::size_t t = 0; t < written; ++t) {
    const Index i = values[t].first;
    result.lines.push_back(
        {"",
         {dim(t == 0 ? "  " : "+ "), plain(printed.parts[t]),
          dim(fmt::format("  {}[{},{}]", letter, i, i - scene.model.distance))}});
  }
  if (written < values.size()) {
    result.lines.push_back(
        {"",
         {dim("+ "), plain(printed.parts.back()),
          dim("  " + scene.w.format("… {} more pairs", values.size() - written))}});
  }
  result.lines.push_back(
      {"spread", {plain(fmt::format("= √(Σ ({} − mean)² / {})", letter, values.size()))}});
  result.lines.push_back({"",
                          {plain(fmt::format("= √({:.4g} / {}) = {}", squares, values.size(),
                                             fixed(curve.deviation[at])))}});
  result.lines.push_back(words_line(
      scene.w("The spread is what the words do; with equal words a relative scheme has none")));
  return result;
}

}  // namespace

Lines score_lines(const Scene& scene, std::size_t k) {
  const Scored& scored = *scene.shown(k).scored;
  const Breakdown score =
      break_down(scene.p, *scene.model.content, scored, scene.model.query, scene.model.key);
  Lines lines;
  add_sum(score, lines);
  for (const Part& part : score.parts) {
    Explanation::Line head{"", symbol(part.kind)};
    head.right.push_back(plain(" = " + fixed(part.value, kDigits)));
    lines.push_back(std::move(head));
    add_note(scene, part, scored, lines);
    add_products(scene, part, lines);
  }
  return lines;
}

Explanation explain(const Scene& scene) {
  switch (scene.p.explain) {
    case Explained::difference:
      return explain_difference(scene);
    case Explained::distance:
      return explain_distance(scene);
    case Explained::cost:
      return explain_cost(scene);
    case Explained::time:
      return explain_time(scene);
    case Explained::value:
      break;
  }
  return explain_value(scene);
}

}  // namespace lab::position_compare
