// Why a dial, a score, a bound, an xPos score or a weight of the text is what it is.
#include <complex>

#include "app/labs/rotary/page.h"
#include "app/labs/shared/derivation/sum.h"

namespace lab::rotary {
namespace {

using figure::Span;

// The terms, each with how it came about, and their sum.
template <class Describe>
void write_terms(const Scene& scene, const std::vector<double>& terms, const Describe& describe,
                 Derivation& lines, int marked = -1) {
  const std::vector<std::size_t> written =
      written_of(terms, {.most = 32, .shown = 12, .which = Written::largest_in_order});
  double sum = 0;
  for (const double term : terms) sum += term;
  double rest = sum;
  for (const std::size_t k : written) {
    rest -= terms[k];
    std::vector<Span> spans = describe(k);
    spans.insert(spans.begin(), dim(k == written.front() ? "  " : "+ "));
    spans.push_back(dim(" ≈ "));
    spans.push_back({fixed(terms[k], 4), to_int(k) == marked ? Role::accent : Role::text});
    spans.push_back(dim(fmt::format("  [{}]", k)));
    lines.line("", std::move(spans));
  }
  if (written.size() < terms.size()) {
    lines.line("",
               {dim("+ "), dim(scene.w.format("… more pairs: {}", terms.size() - written.size())),
                dim(" ≈ "), plain(fixed(rest, 4))});
  }
  lines.about_result(sum);
}

// One vector's pair before and after its turn; returns the pair turned.
std::complex<double> write_rotation(const Scene& scene, const Pair& pair, bool query,
                                    Derivation& lines) {
  const std::string name = query ? "q" : "k", letter = query ? "m" : "n";
  const Role role = query ? Role::query : Role::key;
  const double a = query ? pair.q_a : pair.k_a, b = query ? pair.q_b : pair.k_b;
  const int at = query ? scene.p.m : scene.p.n;
  const double angle = at * pair.theta;
  const std::complex<double> rotation = std::polar(1.0, angle),
                             rotated = std::complex(a, b) * rotation;
  const auto two = [](std::complex<double> z) {
    return fmt::format("({:.4f}, {:.4f})", z.real(), z.imag());
  };
  const std::string theta = significant(pair.theta), turns = significant(angle / kTurn);
  lines.is(letter + "θ", fmt::format("{}{} · {}", equals(pair.theta, theta), at, theta));
  lines.is("", equated(angle, significant(angle)) + " rad");
  lines.is("", equals(angle / kTurn, turns) + scene.w.format("{} turns", turns));
  lines.is("cos", equated(rotation.real(), fixed(rotation.real(), 4)));
  lines.is("sin", equated(rotation.imag(), fixed(rotation.imag(), 4)));
  lines.line(name, {plain("= (a, b) ≈ "), {two({a, b}), role}});
  lines.begin("R" + name, "(a cos - b sin, a sin + b cos)");
  lines.line("", {plain("≈ "), {two(rotated), role}});
  return rotated;
}

Explanation explain_dial(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Pair& pair = model.chosen(p);
  Derivation lines(w);
  if (pair.rotates) {
    const std::string theta = significant(pair.theta);
    lines.begin("θ", "base^(-2i/r)");
    lines.next(fmt::format("{}^(-{}/{})", significant(p.base), 2 * p.pair, p.rotated_width()));
    lines.line("", {accented(equals(pair.theta, theta) + w.format("{} rad per position", theta))});
    lines.say(w.format("One turn takes {} positions.", significant(kTurn / pair.theta)));
  } else {
    lines.say(w("These columns do not turn: θ = 0 at every position."));
  }
  const std::complex<double> q = write_rotation(scene, pair, true, lines);
  const std::complex<double> k = write_rotation(scene, pair, false, lines);
  const double x = q.real() * k.real(), y = q.imag() * k.imag();
  lines.is("Rq·Rk", fmt::format("≈ ({:.4f})({:.4f}) + ({:.4f})({:.4f})", q.real(), k.real(),
                                q.imag(), k.imag()));
  lines.about(fixed(x, 4) + " + " + bracketed(fixed(y, 4))).about_result(x + y);
  lines.next("|q||k| cos(q, k)");
  lines.line("", {plain("≈ "),
                  {fixed(pair.q_size, 4), Role::query},
                  plain(" · "),
                  {fixed(pair.k_size, 4), Role::key},
                  plain(fmt::format(" · cos({:.4f})", std::arg(k * std::conj(q))))});
  lines.say(w.format(
      "The angle from q to k is φ + (n - m) θ with n - m = {}: it depends only on the distance.",
      model.distance));
  return {w.format("Pair {}, columns {} and {}", p.pair, pair.a, pair.b), lines.take()};
}

Explanation explain_score(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double t = to_double(model.distance);
  Derivation lines(w);
  lines.begin("t", fmt::format("n - m = {} - {} = {}", p.n, p.m, model.distance));
  lines.begin("q·k", "Σ |q_i||k_i| cos(φ_i + t θ_i)");
  std::vector<double> terms;
  for (const Pair& pair : model.pairs) terms.push_back(pair.term(t));
  // "1.20325·0.87114·cos(-2.31001)"
  const auto product = [&](std::size_t i) -> std::vector<Span> {
    const Pair& pair = scene.model.pairs[i];
    const double angle = pair.k_angle - pair.q_angle + t * pair.theta;
    return {{fixed(pair.q_size, 5), Role::query},
            dim("·"),
            {fixed(pair.k_size, 5), Role::key},
            dim(fmt::format("·cos({:.5f})", std::remainder(angle, kTurn)))};
  };
  write_terms(scene, terms, product, lines, p.pair);
  const Index shift = model.moved.own_place - model.earlier;
  lines.say(w("The same from the rotated vectors, both moved:"));
  lines.begin("m + s",
              fmt::format("{} + {} = {}", p.m, bracketed(fmt::format("{}", shift)), p.m + shift));
  lines.begin("n + s",
              fmt::format("{} + {} = {}", p.n, bracketed(fmt::format("{}", shift)), p.n + shift));
  lines.about("Rq·Rk", model.moved.own);
  lines.say(w.format("differs by {:.1e}", std::abs(model.moved.own - model.score)));
  return {w.format("The score at distance {}", model.distance), lines.take()};
}

Explanation explain_bound(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::RotaryScores& s = model.scores;
  const double t = to_double(model.size_of_distance());
  // h_(r/2) = 0.
  const auto h = [&](Index i) {
    return i < s.theta.size() ? std::complex(s.re(i), s.im(i)) : std::complex<double>();
  };
  const auto gap = [&](Index i) { return std::abs(h(i + 1) - h(i)); };
  Index widest = 0;
  for (Index i = 0; i < s.theta.size(); ++i)
    if (gap(i) > gap(widest)) widest = i;
  Derivation lines(w);
  lines.is("|s|", "≤ max |h_(i+1) - h_i| Σ |S_j|").begin("h_i", "(q_a + i q_b)(k_a - i k_b)");
  for (const Index i : {widest, widest + 1}) {
    lines.is(fmt::format("h_{}", i),
             fmt::format("≈ {:.4f} {} {:.4f}i", h(i).real(), h(i).imag() < 0 ? "-" : "+",
                         std::abs(h(i).imag())));
  }
  lines.about("max", gap(widest), 4).begin("S_j", "Σ_(i<j) exp(i t θ_i)");
  std::complex<double> partial = 0;
  std::vector<double> sizes;
  double total = 0;
  for (const double theta : s.theta) {
    partial += std::polar(1.0, t * theta);
    sizes.push_back(std::abs(partial));
    total += sizes.back();
  }
  lines.line("Σ |S_j|", {});
  const auto name = [](std::size_t j) {
    return std::vector<Span>{dim(fmt::format("|S_{}|", j + 1))};
  };
  write_terms(scene, sizes, name, lines);
  const double bound = gap(widest) * total, own = std::abs(model.score - s.still);
  lines.is(w("bound"), fmt::format("≈ {} · {}", fixed(gap(widest), 4), fixed(total)));
  lines.about_result(bound, 2);
  lines.about("|s|", own);
  if (bound > 0) lines.about(w.format("{:.1f} % of its bound", 100 * own / bound));
  lines.say(
      w.format("As a share, as drawn: Σ |S_j| / (r/2) ≈ {:.3f}", total / to_double(sizes.size())));
  return {w.format("The bound at distance {}", model.size_of_distance()), lines.take()};
}

Explanation explain_xpos(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double distance = to_double(model.distance);
  Derivation lines(w);
  lines.begin("s", "Σ ζ_i^(-t/B) |q_i||k_i| cos(φ_i + t θ_i)");
  lines.begin("ζ_i", "(i/(r/2) + γ) / (1 + γ)");
  lines.begin("γ", significant(p.gamma)).begin("B", significant(p.scale_base));
  lines.begin("t", fmt::format("n - m = {} - {} = {}", p.n, p.m, model.distance));
  const VectorD& zeta = model.xpos_curves->zeta;
  std::vector<double> terms, factors, bare;
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    const Pair& pair = model.pairs[i];
    factors.push_back(pair.rotates ? std::pow(zeta(to_index(i)), -distance / p.scale_base) : 1.0);
    bare.push_back(pair.term(distance));
    terms.push_back(factors.back() * bare.back());
  }
  const auto product = [&](std::size_t i) {
    return std::vector<Span>{plain(fixed(factors[i], 5) + " · " + bracketed(fixed(bare[i], 5)))};
  };
  write_terms(scene, terms, product, lines, p.pair);
  if (model.ahead()) {
    lines.say(
        w("The key comes after the query, where a causal mask hides it: xPos is not meant for "
          "that, and its factors exceed 1."));
  }
  return {w.format("The xPos score at distance {}", model.distance), lines.take()};
}

// One way of attending: the weight of the picked pair, down to queries and keys.
void write_way(const Scene& scene, const std::string& title, const MatrixD& Q, const MatrixD& K,
               const core::Attended<double>& result, Derivation& lines) {
  const Index i = scene.p.query, j = scene.p.key;
  const auto row = result.scaled.row(i).head(scene.p.causal ? i + 1 : K.rows());
  const auto q = Q.row(i), k = K.row(j);
  const SoftmaxRow scores{{row.begin(), row.end()}, to_size(j), [&](std::size_t at) {
                            return scene.model.text->labels->at(at);
                          }};
  lines.say(title).weight("w", scores);
  const std::string sum = lines.product(
      "q·k", {.left = {q.begin(), q.end()}, .right = {k.begin(), k.end()}, .digits = 0});
  lines.begin("s", "q·k / √d").about(fmt::format("{} / √{}", sum, Q.cols()));
  lines.about(result.scaled(i, j), 4).normalizer(scores);
}

Explanation explain_weight(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const TextModel& text = *model.text;
  Derivation lines(w);
  if (p.causal && p.key > p.query) {
    lines.picked("w", "0").say(w.format("masked: key {} comes after query {}", p.key, p.query));
  } else {
    const double with = text.rotated.weights(p.query, p.key);
    const double without = text.none.weights(p.query, p.key);
    lines.is("Δw", fmt::format("≈ {} - {}", weight_text(with), weight_text(without)));
    lines.about_result(with - without, 4);
    write_way(scene,
              p.text_variant == Variant::xpos
                  ? w.format("With xPos, q rotated by position {} and k by {}", p.query, p.key)
                  : w.format("With RoPE, q rotated by position {} and k by {}", p.query, p.key),
              text.rotated_Q, text.rotated_K, text.rotated, lines);
    write_way(scene, w("Without position"), text.Q, text.K, text.none, lines);
  }
  return {w.format("How much {} attends to {}", scene.token(p.query), scene.token(p.key)),
          lines.take()};
}

}  // namespace

Explained explained(const Scene& scene) {
  const bool no_weight = scene.p.explained == Explained::weight && scene.model.text->n() == 0;
  return no_weight ? Explained::score : scene.p.explained;
}

Explanation explain(const Scene& scene) {
  switch (explained(scene)) {
    case Explained::dial: return explain_dial(scene);
    case Explained::bound: return explain_bound(scene);
    case Explained::xpos: return explain_xpos(scene);
    case Explained::weight: return explain_weight(scene);
    case Explained::score: break;
  }
  return explain_score(scene);
}

}  // namespace lab::rotary
