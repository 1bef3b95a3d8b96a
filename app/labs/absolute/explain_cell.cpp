// Why a cell of the table is what it is, scheme by scheme, down to the inputs.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

using figure::Role;

std::string cell_name(const Scene& scene) {
  if (scene.p.grid()) {
    return fmt::format("PE[{},{}|{}]", scene.p.grid_y, scene.p.grid_x, scene.p.column);
  }
  return fmt::format("PE[{},{}]", scene.model.position, scene.p.column);
}

double value_of(const Scene& scene) {
  return scene.table().row(scene.model.position)(scene.p.column);
}

void add_result(const Scene& scene, Lines& lines) {
  lines.push_back({cell_name(scene), {{"= " + fixed(value_of(scene), 6), Role::accent}}});
}

// The angle without its whole turns.
void add_reduced(const Scene& scene, double angle, bool sine, double amplitude, Lines& lines) {
  const double turn = 2 * std::numbers::pi;
  const double turns = std::floor(angle / turn);
  const double rest = std::fma(-turns, turn, angle);
  if (turns != 0) {
    lines.push_back({"", {sentence(scene.w.format("{} whole turns taken away:", turns))}});
  }
  lines.push_back(
      {scene.w("reduced"), {plain(fmt::format("= {} - {} · 2π", fixed(angle, 6), turns))}});
  lines.push_back(
      {"", {plain(fmt::format("= {} = {:.1f}°", fixed(rest, 6), rest * 180 / std::numbers::pi))}});
  const double wave = sine ? std::sin(rest) : std::cos(rest);
  const std::string name = sine ? "sin" : "cos";
  if (amplitude == 1) {
    lines.push_back(
        {name, {plain(fmt::format("= {}({}) = {}", name, fixed(rest, 6), fixed(wave, 6)))}});
  } else {
    lines.push_back(
        {fmt::format("r {}", name),
         {plain(fmt::format("= {} · {}({})", fixed(amplitude, 6), name, fixed(rest, 6)))}});
    lines.push_back({"", {plain("= " + fixed(amplitude * wave, 6))}});
  }
}

// θ_i from the base, with the exponent that the rule has.
void add_frequency(const Scene& scene, Index i, double theta, Lines& lines) {
  const Parameters& p = scene.p;
  const std::string left = fmt::format("θ{}", i);
  if (p.scheme == Scheme::sinusoidal && p.rule == core::FrequencyRule::tensor2tensor) {
    lines.push_back({left, {plain("= base^(-i/(d/2-1))")}});
    lines.push_back(
        {"", {plain(fmt::format("= {}^(-{}/{})", p.base, i, std::max(1, p.width / 2 - 1)))}});
  } else {
    const int width =
        p.grid() && p.exponent == core::AxisExponent::half_width ? p.width / 2 : p.width;
    lines.push_back({left, {plain("= base^(-2i/d)")}});
    lines.push_back({"", {plain(fmt::format("= {}^(-{}/{})", p.base, 2 * i, width))}});
  }
  lines.push_back(
      {"",
       {plain(fmt::format("= {:.6g}", theta)), dim("  "),
        dim(scene.w.format("a turn takes {:.4g} positions", 2 * std::numbers::pi / theta))}});
}

void explain_wave(const Scene& scene, Lines& lines) {
  const Parameters& p = scene.p;
  const Column column = column_of(p, p.column);
  const double theta = scene.table().theta(column.i);
  Index place = scene.model.position;
  std::string letter = "p";
  if (p.grid()) {
    const bool x = column.second == (p.axis_order == core::AxisOrder::height_first);
    place = x ? p.grid_x : p.grid_y;
    letter = x ? "x" : "y";
    lines.push_back({"",
                     {sentence(x ? scene.w("this half of the dimensions encodes x")
                                 : scene.w("this half of the dimensions encodes y"))}});
  }
  lines.push_back(
      {"", {plain(fmt::format("= {}({} · θ{})", column.sine ? "sin" : "cos", letter, column.i))}});
  lines.push_back({"i", {plain(fmt::format("= {}", column.i))}});
  add_frequency(scene, column.i, theta, lines);
  const double angle = static_cast<double>(place) * theta;
  lines.push_back({scene.w("angle"), {plain(fmt::format("= {} · {:.6g}", place, theta))}});
  lines.push_back({"", {plain("= " + fixed(angle, 6))}});
  add_reduced(scene, angle, column.sine, 1, lines);
}

void explain_learned(const Scene& scene, Lines& lines) {
  const Parameters& p = scene.p;
  const Learned& learned = *scene.table().learned;
  const int at = p.position;
  int row = at;
  if (at >= p.rows) {
    switch (p.beyond) {
      case core::BeyondTable::zeros:
        lines.push_back({"",
                         {sentence(scene.w.format("the table ends at {}: this position gets zeros",
                                                  p.rows - 1))}});
        return;
      case core::BeyondTable::last:
        row = p.rows - 1;
        break;
      case core::BeyondTable::wrap:
        row = at % p.rows;
        break;
      case core::BeyondTable::refuse:
        break;
    }
    lines.push_back(
        {"",
         {sentence(scene.w.format("the table ends at {}: this position gets the row of {}",
                                  p.rows - 1, row))}});
  }
  const double before = learned.initial(row, p.column), after = learned.fit.table(row, p.column);
  const PrintedSum sum = printed_sum({before, after - before}, 6);
  lines.push_back({"",
                   {plain("= "), dim(scene.w("drawn at the beginning")), plain(" + "),
                    dim(scene.w("learned"))}});
  lines.push_back({"", {plain(fmt::format("= {} + ({})", sum.parts[0], sum.parts[1]))}});
  lines.push_back({"", {plain("= " + sum.sum)}});
  if (row >= p.seen) {
    lines.push_back(
        {"",
         {sentence(scene.w.format(
             "no training text reached position {}: no gradient, nothing learned", row))}});
  } else {
    lines.push_back(
        {"", {sentence(scene.w.format("the sum of {} steps of gradient descent", p.steps))}});
  }
}

// The slopes of one step in the picked dimension, as the integrator weighs them.
struct Slopes {
  std::vector<double> k;        // at the places where h is asked
  std::vector<double> weights;  // sum to 1
};
Slopes slopes(const Scene& scene, double t, const VectorD& y, double h) {
  const core::Dynamics& f = scene.table().flow->h;
  const Index c = scene.p.column;
  const VectorD k1 = f(t, y);
  switch (scene.p.integrator) {
    case core::Integrator::euler:
      return {{k1(c)}, {1}};
    case core::Integrator::midpoint:
      return {{k1(c), f(t + h / 2, y + h / 2 * k1)(c)}, {0, 1}};
    case core::Integrator::rk4:
      break;
  }
  const VectorD k2 = f(t + h / 2, y + h / 2 * k1);
  const VectorD k3 = f(t + h / 2, y + h / 2 * k2);
  const VectorD k4 = f(t + h, y + h * k3);
  return {{k1(c), k2(c), k3(c), k4(c)}, {1.0 / 6, 2.0 / 6, 2.0 / 6, 1.0 / 6}};
}

void add_last_step(const Scene& scene, double t, const VectorD& y, double h, Lines& lines) {
  const Slopes s = slopes(scene, t, y, h);
  lines.push_back(
      {"", {sentence(scene.w.format("the last step, from τ = {:.4g} over {:.4g}:", t, h))}});
  for (std::size_t k = 0; k < s.k.size(); ++k) {
    lines.push_back({fmt::format("k{}", k + 1), {plain("= h(τ, p) = " + fixed(s.k[k], 6))}});
  }
  std::string rule;
  switch (scene.p.integrator) {
    case core::Integrator::euler:
      rule = "= s k1";
      break;
    case core::Integrator::midpoint:
      rule = "= s k2";
      break;
    case core::Integrator::rk4:
      rule = "= s (k1 + 2 k2 + 2 k3 + k4) / 6";
      break;
  }
  lines.push_back({"Δ", {plain(rule)}});
  std::vector<double> terms;
  for (std::size_t k = 0; k < s.k.size(); ++k) {
    if (s.weights[k] != 0) terms.push_back(h * s.weights[k] * s.k[k]);
  }
  const PrintedSum sum = printed_sum(terms, 6);
  std::string text = "=";
  for (std::size_t k = 0; k < sum.parts.size(); ++k) {
    text += (k == 0 ? " (" : " + (") + sum.parts[k] + ")";
  }
  lines.push_back({"", {plain(text)}});
  lines.push_back({"", {plain("= " + sum.sum)}});
}

void explain_course(const Scene& scene, Lines& lines) {
  const Parameters& p = scene.p;
  const Flow& flow = *scene.table().flow;
  if (p.position == 0) {
    lines.push_back({"", {sentence(scene.w("where the course begins: sin 0 or cos 0"))}});
    return;
  }
  const double h = 1.0 / p.substeps;
  VectorD y = flow.rows.row(p.position - 1).transpose(), last = y;
  std::vector<double> terms = {y(p.column)};
  double at = p.position - 1.0;
  for (int s = 0; s < p.substeps; ++s) {
    at = p.position - 1.0 + s * h;
    last = y;
    y = core::integrate_step(flow.h, p.integrator, at, y, h);
    terms.push_back(y(p.column) - last(p.column));
  }
  const PrintedSum sum = printed_sum(terms, 6);
  lines.push_back({"", {plain("= p(τ) + ∫ h(τ, p) dτ")}});
  lines.push_back({"",
                   {dim("  "), plain(sum.parts[0]),
                    dim(fmt::format("  PE[{},{}]", p.position - 1, p.column))}});
  for (int s = 0; s < p.substeps; ++s) {
    lines.push_back({"",
                     {dim("+ "), plain(sum.parts[static_cast<std::size_t>(s) + 1]),
                      dim(scene.w.format("  step {}", s + 1))}});
  }
  lines.push_back({"", {plain("= " + sum.sum)}});
  add_last_step(scene, at, last, h, lines);
  const double finer = flow.fine(kFine * p.position, p.column);
  lines.push_back({scene.w("finer"),
                   {plain("= " + fixed(finer, 6)),
                    dim("  " + scene.w.format("error {:.2g}", value_of(scene) - finer))}});
}

void explain_turn(const Scene& scene, Lines& lines) {
  const Turned& turned = *scene.table().turned;
  const Index word = turned.ids[static_cast<std::size_t>(scene.model.position)];
  const Index i = scene.p.column / 2;
  const bool sine = scene.p.column % 2 == 0;
  const double r = turned.table.amplitude(word, i), omega = turned.table.frequency(word, i);
  const double phi = turned.table.phase(word, i);
  lines.push_back({"", {plain(sine ? "= Im r e^(i(ωp + φ))" : "= Re r e^(i(ωp + φ))")}});
  lines.push_back({"",
                   {sentence(scene.w.format("of the word \"{}\", complex dimension {}:",
                                            turned.names[static_cast<std::size_t>(word)], i))}});
  lines.push_back({"r", {plain("= " + fixed(r, 6)), dim("  " + scene.w("amplitude"))}});
  lines.push_back({"ω", {plain(fmt::format("= {:.6g}", omega)), dim("  " + scene.w("frequency"))}});
  lines.push_back({"φ", {plain("= " + fixed(phi, 6)), dim("  " + scene.w("phase"))}});
  const double angle = omega * static_cast<double>(scene.model.position) + phi;
  lines.push_back(
      {scene.w("angle"),
       {plain(fmt::format("= {:.6g} · {} + ({})", omega, scene.model.position, fixed(phi, 6)))}});
  lines.push_back({"", {plain("= " + fixed(angle, 6))}});
  add_reduced(scene, angle, sine, r, lines);
}

}  // namespace

Explanation explain_cell(const Scene& scene) {
  Explanation result{scene.w("The picked cell of the table"), {}};
  Lines& lines = result.lines;
  if (!scene.has_row()) {
    lines.push_back({cell_name(scene), {{scene.w("does not exist"), Role::bad}}});
    lines.push_back({"",
                     {sentence(scene.w.format(
                         "the table has rows 0 to {}; an embedding layer refuses position {}",
                         scene.p.rows - 1, scene.model.position))}});
    return result;
  }
  add_result(scene, lines);
  switch (scene.p.scheme) {
    case Scheme::learned:
      explain_learned(scene, lines);
      break;
    case Scheme::floater:
      explain_course(scene, lines);
      break;
    case Scheme::complex:
      explain_turn(scene, lines);
      break;
    case Scheme::sinusoidal:
    case Scheme::grid:
      explain_wave(scene, lines);
  }
  return result;
}

}  // namespace lab::absolute
