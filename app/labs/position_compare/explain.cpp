// Why a score, a weight, a difference or a mean is what it is.
#include "app/labs/position_compare/page.h"
#include "app/labs/shared/derivation/sum.h"
#include "core/enum_array.h"

namespace lab::position_compare {
namespace {

// --- its lines

// Products, and values at a distance, of up to so many terms are written out; else the first few.
constexpr std::size_t kMostTerms = 12, kFirstTerms = 8;

void append(std::vector<Span>& to, const std::vector<Span>& spans) {
  to.insert(to.end(), spans.begin(), spans.end());
}

// A token with its place: "bank" (12), or 12.
std::string indexed(const Scene& scene, Index token) {
  const Labels& labels = scene.model.content->labels;
  return labels ? scene.w.format("\"{}\" ({})", (*labels)[to_size(token)], token)
                : fmt::format("{}", token);
}

// How pair 0 was turned, with numbers; the others turn alike, each at its own rate.
void write_rotation(const Scene& scene, const Scored& scored, Derivation& d) {
  const MatrixD& q = scene.model.content->Q;
  const Index i = scene.model.query;
  const double angle = to_double(i) * scored.inside->theta(0);
  const double cos = std::cos(angle), sin = std::sin(angle);
  const double rotated = q(i, 0) * cos - q(i, 1) * sin;
  d.say(scene.w.format(
      "q rotated by its position: pair 0 by {} θ_0 = {} rad, the others by their own θ", i,
      fixed(angle)));
  d.line(
      "R_iq[0]",
      {plain("= "), {"q", Role::query}, plain("[0] cos − "), {"q", Role::query}, plain("[1] sin")});
  d.about(fmt::format("({:.6f})({:.6f}) − ({:.6f})({:.6f})", q(i, 0), cos, q(i, 1), sin));
  d.about(rotated, 4);
  const double factor = scored.inside->Q(i, 0) / rotated;
  if (scored.scheme == Scheme::xpos && std::isfinite(factor)) {
    d.say(scene.w.format("xPos multiplies it by ζ_0^(i/B) = {}: {}; keys by ζ^(−j/B)",
                         fixed(factor), fixed(scored.inside->Q(i, 0))));
  }
}

// (a + b + c) / √d + bias, as symbols and as numbers, and their sum.
void write_sum(const Breakdown& score, Derivation& d) {
  std::vector<Span> letters, numbers, biases, bias_numbers;
  double sum = 0;
  for (const Part& part : score.parts) {
    const bool first = letters.empty();
    const Span plus = plain(part.inside && first ? "" : " + ");
    append(part.inside ? letters : biases, {plus});
    append(part.inside ? letters : biases, part.symbol);
    append(part.inside ? numbers : bias_numbers, {plus, plain(bracketed(fixed(part.value, 4)))});
    if (part.inside) sum += part.value;
  }
  const auto line = [&d](const char* before, const std::vector<Span>& inside,
                         const std::string& root, const std::vector<Span>& bias) {
    std::vector<Span> spans{plain(before)};
    append(spans, inside);
    append(spans, {plain(root)});
    append(spans, bias);
    d.line("", std::move(spans));
  };
  const std::string root = fmt::format(" / √{}", score.under_root);
  line("= (", letters,
       score.under_root == score.parts.front().a.size() ? ") / √d_k" : ") / √(3d_k)", biases);
  line("≈ (", numbers, ")" + root, bias_numbers);
  if (score.parts.size() == 1) return;
  line("≈ ", {plain(fixed(sum, 4))}, root, bias_numbers);
}

// The lines behind the picked score, without its first.
void write_score(const Scene& scene, std::size_t k, Derivation& d) {
  const Scored& scored = *scene.shown(k).scored;
  const Index i = scene.model.query, j = scene.model.key;
  const Breakdown score = break_down(scene.p, *scene.model.content, scored, i, j, scene.w);
  write_sum(score, d);
  for (const Part& part : score.parts) {
    std::vector<Span> head = part.symbol;
    head.push_back(plain(" ≈ " + fixed(part.value, 4)));
    d.line("", std::move(head));
    if (scored.scheme == Scheme::alibi && !part.inside) {
      d.about(fmt::format("-{}·|{} - {}|", significant(scored.inside->slope, 9), i, j));
    }
    d.products({.left = {part.a.begin(), part.a.end()},
                .right = {part.b.begin(), part.b.end()},
                .left_color = Role::text,
                .right_color = Role::text,
                .most = kMostTerms,
                .first = kFirstTerms,
                .digits = 0});
    if (!part.note.empty()) d.say(part.note);
    if (scored.inside->theta.size() > 0) write_rotation(scene, scored, d);
  }
}

// w = exp(s - max) / Σ exp(s - max), under URPE times c, and what the sum is made of.
void write_weight(const Scene& scene, std::size_t k, const std::string& left, Derivation& d) {
  const Scored& scored = *scene.shown(k).scored;
  const Index i = scene.model.query, j = scene.model.key, n = scene.model.n();
  SoftmaxRow row{.scores = {}, .picked = to_size(j), .name = [&scene](std::size_t key) {
                   return indexed(scene, to_index(key));
                 }};
  for (Index key = 0; key < n; ++key) {
    row.scores.push_back(scored.scores(i, key));
    row.allowed.push_back(scored.mask->allowed(i, key));
  }
  if (scored.scheme == Scheme::urpe) {
    const double c = scored.inside->c(i - j + n - 1);
    d.about_picked(left, weight_text(scored.weights(i, j)));
    d.next("c · p").about(fmt::format("{} · p", significant(c)));
    d.say(scene.w.format("c is the learned number of relative position {}; rows no longer sum to 1",
                         j - i));
    d.softmax("p", row);
  } else {
    d.softmax(left, row);
  }
  d.about("s", scored.scores(i, j), 4);
}

// Why a pair has no value under a scheme.
std::string absence(const Scene& scene, std::size_t k) {
  const Index i = scene.model.query, j = scene.model.key;
  const auto& w = scene.w;
  if (scene.p.mask == MaskKind::causal && j > i) {
    return w.format("masked: key {} comes after query {}", j, i);
  }
  if (scene.scheme(k) == Scheme::learned) {
    return w.format("{} has no row for position {}: it was trained for {}", scene.name(k),
                    std::max(i, j), scene.p.trained_length);
  }
  return w.format("{} has no number for relative position {}: it was trained for {}", scene.name(k),
                  j - i, scene.p.trained_length);
}

// A shown value down to its inputs: of weights the softmax, then the score.
void write_value(const Scene& scene, std::size_t k, const std::string& left, Derivation& d) {
  const Index i = scene.model.query, j = scene.model.key;
  if (!scene.allowed(k, i, j)) {
    d.line(left, {accented("—")}).say(absence(scene, k));
    return;
  }
  if (scene.p.quantity == Quantity::weights) {
    write_weight(scene, k, left, d);
  } else {
    d.about_picked(left, scene.value(k, i, j), 4);
  }
  write_score(scene, k, d);
}

Explanation explain_value(const Scene& scene) {
  const std::size_t k = scene.chosen();
  const Index i = scene.model.query, j = scene.model.key;
  Derivation d(scene.w);
  write_value(scene, k,
              fmt::format("{}[{},{}]", scene.p.quantity == Quantity::scores ? "s" : "w", i, j), d);
  return {
      scene.w.format("{}: query {}, key {}", scene.name(k), indexed(scene, i), indexed(scene, j)),
      d.take()};
}

Explanation explain_difference(const Scene& scene) {
  const std::size_t k = scene.chosen();
  const Index i = scene.model.query, j = scene.model.key;
  Derivation d(scene.w);
  if (scene.allowed(k, i, j) && scene.allowed(0, i, j)) {
    const double a = scene.value(k, i, j), b = scene.value(0, i, j);
    d.about_picked("Δ", a - b, 4);
    d.about(fmt::format("{} - {}", fixed(a, 4), bracketed(fixed(b, 4))));
  } else {
    d.line("Δ", {accented("—")});
  }
  for (const std::size_t one : {k, std::size_t{0}}) {
    d.heading(scene.name(one));
    write_value(scene, one, "", d);
  }
  return {scene.w.format("{} minus {}: query {}, key {}", scene.name(k), scene.name(0),
                         indexed(scene, i), indexed(scene, j)),
          d.take()};
}

Explanation explain_distance(const Scene& scene) {
  const std::size_t k = scene.chosen();
  const Index n = scene.model.n(), distance = scene.model.distance;
  const Curve& curve = scene.shown(k).curve;
  const std::size_t at = scene.at_distance(), count = to_size(curve.pairs[at]);
  const char* letter = scene.p.quantity == Quantity::scores ? "s" : "w";
  Derivation d(scene.w);
  std::string title = scene.w.format("{}: mean at distance {}", scene.name(k), distance);
  if (count == 0) {
    d.line("", {accented("—")}).say(scene.w("no pair has this distance here"));
    return {std::move(title), d.take()};
  }
  std::vector<double> values;
  std::vector<Index> queries;
  double sum = 0, squares = 0;
  for (Index i = 0; i < n; ++i) {
    const Index j = i + distance;
    if (j < 0 || j >= n || !scene.allowed(k, i, j)) continue;
    values.push_back(scene.value(k, i, j));
    queries.push_back(i);
    sum += values.back();
    squares += (values.back() - curve.mean[at]) * (values.back() - curve.mean[at]);
  }
  const auto terms = sum_terms(
      values, {.most = kMostTerms, .shown = kFirstTerms, .digits = 4},
      [&](std::size_t of) {
        return fmt::format("{}[{},{}]", letter, queries[of], queries[of] + distance);
      },
      [&](std::size_t more) { return scene.w.format("… more pairs: {}", more); });
  d.about_picked("μ", curve.mean[at], 4).next(fmt::format("Σ {} / {}", letter, count));
  d.about(fmt::format("{} / {}", fixed(sum, 4), count)).terms(terms);
  d.begin("σ", fmt::format("√(Σ ({} − μ)² / {})", letter, count));
  d.about(fmt::format("√({} / {})", significant(squares), count));
  d.about(curve.deviation[at], 4);
  d.say(scene.w(
      "The spread comes from the words and, under an absolute scheme, from where the pair stands"));
  return {std::move(title), d.take()};
}

}  // namespace

Breakdown break_down(const SchemeKnobs& p, const Content& content, const Scored& scored, Index i,
                     Index j, const Words& w) {
  Breakdown result;
  result.parts = {product({kQ, plain("·"), kK}, row(content.Q, i), row(content.K, j))};
  if (const auto parts = compared_as(scored.scheme).parts) {
    parts({p, content, *scored.inside, i, j, w}, result.parts);
  }
  result.under_root = core::model::entry(scored.scheme).products * content.d_k();
  double inside = 0, outside = 0;
  for (const Part& part : result.parts) (part.inside ? inside : outside) += part.value;
  result.score = inside / std::sqrt(to_double(result.under_root)) + outside;
  return result;
}

Explanation explain(const Scene& scene) {
  constexpr core::EnumArray<Explained, Explanation (*)(const Scene&)> kExplanations{
      {explain_value, explain_difference, explain_distance, explain_cost, explain_time}};
  return kExplanations[scene.p.explain](scene);
}

}  // namespace lab::position_compare
