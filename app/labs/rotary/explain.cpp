// Why a dial, a score, a bound or an xPos score is what it is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "app/labs/rotary/page.h"

namespace lab::rotary {
namespace {

using figure::Role;
using figure::Span;

constexpr std::size_t kMostTerms = 32;  // written out; beyond, the largest few
constexpr std::size_t kLargestTerms = 12;

std::string two(double a, double b) { return fmt::format("({:.3f}, {:.3f})", a, b); }

// A few digits of any size.
std::string digits(double value) { return fmt::format("{:.5g}", value); }

// Which terms are written out, in their order: all, or the largest.
std::vector<std::size_t> written_terms(const std::vector<double>& terms) {
  std::vector<std::size_t> order(terms.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  if (order.size() <= kMostTerms) return order;
  std::partial_sort(
      order.begin(), order.begin() + kLargestTerms, order.end(),
      [&](std::size_t a, std::size_t b) { return std::abs(terms[a]) > std::abs(terms[b]); });
  order.resize(kLargestTerms);
  std::sort(order.begin(), order.end());
  return order;
}

// The terms, each with how it came about, and their sum; returns the sum as printed.
template <class Describe>
std::string add_terms(const Scene& scene, const std::vector<double>& terms, Describe&& describe,
                      Lines& lines, int marked = -1) {
  const std::vector<std::size_t> written = written_terms(terms);
  std::vector<double> values;
  double rest = 0;
  for (const double term : terms) rest += term;
  for (const std::size_t k : written) {
    values.push_back(terms[k]);
    rest -= terms[k];
  }
  if (written.size() < terms.size()) values.push_back(rest);
  const PrintedSum printed = printed_sum(values);
  for (std::size_t k = 0; k < written.size(); ++k) {
    const bool chosen = static_cast<int>(written[k]) == marked;
    Explanation::Line line{"", {dim(k == 0 ? "  " : "+ ")}};
    for (Span& span : describe(written[k])) line.right.push_back(std::move(span));
    line.right.push_back(dim(" → "));
    line.right.push_back({printed.parts[k], chosen ? Role::accent : Role::text});
    lines.push_back(std::move(line));
  }
  if (written.size() < terms.size()) {
    lines.push_back(
        {"",
         {dim("+ "), dim(scene.w.format("… {} more pairs", terms.size() - written.size())),
          dim(" → "), plain(printed.parts.back())}});
  }
  lines.push_back({"", {{"= " + printed.sum, Role::accent}}});
  return printed.sum;
}

// One vector's pair before and after its turn.
void add_turn(const Scene& scene, const Pair& pair, bool query, Lines& lines) {
  const std::string name = query ? "q" : "k", letter = query ? "m" : "n";
  const Role role = query ? Role::query : Role::key;
  const double a = query ? pair.q_a : pair.k_a, b = query ? pair.q_b : pair.k_b;
  const int at = query ? scene.p.m : scene.p.n;
  const double angle = at * pair.theta, cosine = std::cos(angle), sine = std::sin(angle);
  lines.push_back({letter + "θ", {plain(fmt::format("= {} · {}", at, digits(pair.theta)))}});
  lines.push_back({"", {plain(fmt::format("= {} rad", digits(angle)))}});
  lines.push_back({"", {plain(scene.w.format("= {} turns", digits(angle / kTurn)))}});
  lines.push_back({name, {plain("= (a, b) = "), {two(a, b), role}}});
  lines.push_back({"R" + name, {plain("= (a cos - b sin, a sin + b cos)")}});
  lines.push_back({"", {plain(fmt::format("cos = {:.4f}, sin = {:.4f}", cosine, sine))}});
  lines.push_back({"", {plain("= "), {two(a * cosine - b * sine, a * sine + b * cosine), role}}});
}

Explanation explain_dial(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Pair& pair = model.chosen(p);
  Explanation result{w.format("Pair {}, columns {} and {}", p.pair, pair.a, pair.b), {}};
  Lines& lines = result.lines;
  if (pair.turns) {
    lines.push_back({"θ", {plain("= base^(-2i/r)")}});
    lines.push_back(
        {"", {plain(fmt::format("= {}^(-{}/{})", digits(p.base), 2 * p.pair, rotated_width(p)))}});
    lines.push_back({"", {{w.format("= {} rad per position", digits(pair.theta)), Role::accent}}});
    lines.push_back(
        {"", {sentence(w.format("One turn takes {} positions.", digits(kTurn / pair.theta)))}});
  } else {
    lines.push_back({"", {sentence(w("These columns do not turn: θ = 0 at every position."))}});
  }
  add_turn(scene, pair, true, lines);
  add_turn(scene, pair, false, lines);
  const double q = pair.q_angle + p.m * pair.theta, k = pair.k_angle + p.n * pair.theta;
  const double x = pair.q_size * std::cos(q) * pair.k_size * std::cos(k);
  const double y = pair.q_size * std::sin(q) * pair.k_size * std::sin(k);
  const PrintedSum printed = printed_sum({x, y});
  lines.push_back({"Rq·Rk", {plain("= " + printed.parts[0] + " + " + printed.parts[1])}});
  lines.push_back({"", {{"= " + printed.sum, Role::accent}}});
  lines.push_back({"", {plain("= |q||k| cos(q, k)")}});
  lines.push_back({"",
                   {plain("= "),
                    {fixed(pair.q_size), Role::query},
                    plain(" · "),
                    {fixed(pair.k_size), Role::key},
                    plain(fmt::format(" · cos({:.4f})", std::remainder(q - k, kTurn)))}});
  lines.push_back(
      {"",
       {sentence(w.format("The angle is φ + (m - n) θ with m - n = {}: it knows the distance only.",
                          model.distance))}});
  return result;
}

// How the term of pair i came about: "3  1.20·0.87·cos(-2.310)".
std::vector<Span> product_of(const Pair& pair, std::size_t i, double t) {
  const double angle = std::remainder(pair.q_angle - pair.k_angle + t * pair.theta, kTurn);
  return {dim(fmt::format("{:<2} ", i)),
          {fmt::format("{:.2f}", pair.q_size), Role::query},
          dim("·"),
          {fmt::format("{:.2f}", pair.k_size), Role::key},
          dim(fmt::format("·cos({:.3f})", angle))};
}

Explanation explain_score(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto t = static_cast<double>(model.distance);
  Explanation result{w.format("The score at distance {}", model.distance), {}};
  Lines& lines = result.lines;
  lines.push_back({"q·k", {plain("= Σ |q_i||k_i| cos(φ_i + t θ_i)")}});
  lines.push_back({"", {plain(fmt::format("t = m - n = {} - {} = {}", p.m, p.n, model.distance))}});
  std::vector<double> terms;
  for (const Pair& pair : model.pairs) terms.push_back(pair.term(t));
  add_terms(
      scene, terms, [&](std::size_t i) { return product_of(scene.model.pairs[i], i, t); }, lines,
      p.pair);
  const Index shift = p.moved_to - model.earlier;
  lines.push_back({"", {sentence(w("The same from the turned vectors, both moved:"))}});
  lines.push_back({"", {plain(fmt::format("m + s = {}, n + s = {}", p.m + shift, p.n + shift))}});
  lines.push_back({"", {plain("= " + fixed(model.moved.own))}});
  lines.push_back(
      {"", {plain(w.format("differs by {:.1e}", std::abs(model.moved.own - model.score)))}});
  return result;
}

std::complex<double> product_h(const core::RotaryScores& s, Index i) {
  return i < s.theta.size() ? std::complex<double>(s.re(i), s.im(i)) : std::complex<double>();
}

std::string complex_text(std::complex<double> z) {
  return fmt::format("({:.3f} {} {:.3f}i)", z.real(), z.imag() < 0 ? "-" : "+", std::abs(z.imag()));
}

Explanation explain_bound(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::RotaryScores& s = model.scores;
  const auto t = static_cast<double>(model.size_of_distance());
  Index widest = 0;
  for (Index i = 0; i < s.theta.size(); ++i) {
    const auto gap = [&](Index k) { return std::abs(product_h(s, k + 1) - product_h(s, k)); };
    if (gap(i) > gap(widest)) widest = i;
  }
  const std::complex<double> h0 = product_h(s, widest), h1 = product_h(s, widest + 1);
  const double step = std::abs(h1 - h0);
  Explanation result{w.format("The bound at distance {}", model.size_of_distance()), {}};
  Lines& lines = result.lines;
  lines.push_back({"|s|", {plain("≤ max |h_(i+1) - h_i| Σ |S_j|")}});
  lines.push_back({"h_i", {plain("= (q_a + i q_b)(k_a - i k_b)")}});
  lines.push_back({fmt::format("h_{}", widest), {plain("= " + complex_text(h0))}});
  lines.push_back({fmt::format("h_{}", widest + 1), {plain("= " + complex_text(h1))}});
  lines.push_back({"max", {plain("= " + fixed(step))}});
  lines.push_back({"S_j", {plain("= Σ_(i<j) exp(i t θ_i)")}});
  std::complex<double> partial = 0;
  std::vector<double> sizes;
  for (const double theta : s.theta) {
    partial += std::polar(1.0, t * theta);
    sizes.push_back(std::abs(partial));
  }
  lines.push_back({"Σ |S_j|", {}});
  const std::string sum = add_terms(
      scene, sizes,
      [](std::size_t j) { return std::vector<Span>{dim(fmt::format("|S_{}|", j + 1))}; }, lines);
  double total = 0;
  for (const double size : sizes) total += size;
  lines.push_back({"bound", {plain("= " + fixed(step) + " · " + sum)}});
  lines.push_back({"", {{"= " + fixed(step * total), Role::accent}}});
  const double own = std::abs(core::score_at(s, t) - s.still);
  lines.push_back({"|s|", {plain("= " + fixed(own))}});
  if (step * total > 0) {
    lines.push_back({"", {plain(w.format("= {:.1f} % of its bound", 100 * own / (step * total)))}});
  }
  lines.push_back({"",
                   {sentence(w.format("As a share, as drawn: Σ |S_j| / (r/2) = {:.3f}",
                                      total / static_cast<double>(sizes.size())))}});
  return result;
}

Explanation explain_xpos(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index size = model.size_of_distance();
  const auto t = static_cast<double>(size);
  Explanation result{w.format("The score under xPos at distance {}", size), {}};
  Lines& lines = result.lines;
  lines.push_back({"s", {plain("= Σ ζ_i^(t/B) |q_i||k_i| cos(φ_i + t θ_i)")}});
  lines.push_back({"ζ_i", {plain("= (i/(r/2) + γ) / (1 + γ)")}});
  lines.push_back({"",
                   {plain(fmt::format("γ = {}, B = {}, t = {}", digits(p.gamma),
                                      digits(p.scale_base), size))}});
  const VectorD zeta = model.xpos_curves->zeta;
  std::vector<double> terms, factors, bare;
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    const Pair& pair = model.pairs[i];
    factors.push_back(pair.turns ? std::pow(zeta(static_cast<Index>(i)), t / p.scale_base) : 1.0);
    bare.push_back(pair.term(t));
    terms.push_back(factors.back() * bare.back());
  }
  add_terms(
      scene, terms,
      [&](std::size_t i) {
        return std::vector<Span>{dim(fmt::format("{:<2} ", i)),
                                 plain(fmt::format("{:.4f} · {:.3f}", factors[i], bare[i]))};
      },
      lines, p.pair);
  if (model.distance < 0) {
    lines.push_back({"",
                     {sentence(w("Taken with the query behind the key, as a causal mask has it: "
                                 "ahead of it the factors exceed 1."))}});
  }
  return result;
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explained) {
    case Explained::dial:
      return explain_dial(scene);
    case Explained::bound:
      return explain_bound(scene);
    case Explained::xpos:
      return explain_xpos(scene);
    case Explained::weight:
      if (scene.model.text->n() > 0) return explain_weight(scene);
      break;
    case Explained::score:
      break;
  }
  return explain_score(scene);
}

}  // namespace lab::rotary
