// Why a cell of the table is what it is, scheme by scheme, down to the inputs.
#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

constexpr int kCellDigits = 6;

std::string six(double value) { return fixed(value, kCellDigits); }

std::string cell_name(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (p.grid()) return fmt::format("PE[{},{}|{}]", p.grid_y, p.grid_x, p.column);
  return fmt::format("PE[{},{}]", model.position, p.column);
}

// A frequency with so many digits that `place` times it is right to the last one printed.
std::string frequency_text(double theta, Index place) {
  const auto of_place = static_cast<int>(fmt::formatted_size("{}", place));
  return significant(theta, kCellDigits + 2 + of_place);
}

// The angle without its whole turns, and amplitude times its sine or cosine.
void write_wave(const Scene& scene, double angle, bool sine, double amplitude, Derivation& lines) {
  const double turns = std::floor(angle / kTurn), rest = std::fma(-turns, kTurn, angle);
  if (turns != 0) lines.say(scene.w.format("{} whole turns taken away:", turns));
  lines.begin(scene.w("reduced"), fmt::format("{} - {} · 2π", six(angle), turns))
      .about(fmt::format("{} ≈ {:.1f}°", six(rest), rest * 360 / kTurn));
  const std::string name = sine ? "sin" : "cos", wave = fmt::format("{}({})", name, six(rest));
  const double value = amplitude * (sine ? std::sin(rest) : std::cos(rest));
  if (amplitude == 1) {
    lines.is(name, fmt::format("≈ {} ≈ {}", wave, six(value)));
  } else {
    lines.is("r " + name, fmt::format("≈ {} · {}", six(amplitude), wave)).about(six(value));
  }
}

// θ_i from the base, with the exponent that the rule has.
void write_frequency(const Scene& scene, Index i, Index place, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const double theta = model.table->theta(i);
  const std::string left = fmt::format("θ{}", i);
  if (p.scheme == Scheme::sinusoidal && p.rule == core::FrequencyRule::tensor2tensor) {
    lines.begin(left, "base^(-i/(d/2-1))")
        .next(fmt::format("{}^(-{}/{})", p.base, i, std::max(1, p.width / 2 - 1)));
  } else {
    const bool half = p.grid() && p.exponent == core::AxisExponent::half_width;
    lines.begin(left, "base^(-2i/d)")
        .next(fmt::format("{}^(-{}/{})", p.base, 2 * i, half ? p.width / 2 : p.width));
  }
  lines.line("", {plain("≈ " + frequency_text(theta, place)), dim("  "),
                  dim(w.format("a turn takes {:.4g} positions", kTurn / theta))});
}

void explain_wave(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Column column = column_of(p, p.column);
  const bool x = follows_x(p, column);
  const Index place = !p.grid() ? model.position : x ? p.grid_x : p.grid_y;
  if (p.grid()) {
    lines.say(x ? w("this half of the dimensions encodes x")
                : w("this half of the dimensions encodes y"));
  }
  lines
      .next(fmt::format("{}({} · θ{})", column.sine ? "sin" : "cos",
                        !p.grid() ? "p"
                        : x       ? "x"
                                  : "y",
                        column.i))
      .begin("i", fmt::format("{}", column.i));
  write_frequency(scene, column.i, place, lines);
  const double theta = model.table->theta(column.i), angle = to_double(place) * theta;
  lines.is(w("angle"), fmt::format("≈ {} · {}", place, frequency_text(theta, place)))
      .about(six(angle));
  write_wave(scene, angle, column.sine, 1, lines);
}

void explain_learned(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Learned& learned = *model.table->learned;
  int row = p.position;
  if (row >= p.rows) {
    if (p.beyond == core::BeyondTable::zeros) {
      lines.say(w.format("the table ends at {}: this position gets zeros", p.rows - 1));
      return;
    }
    row = p.beyond == core::BeyondTable::wrap ? row % p.rows : p.rows - 1;
    lines.say(w.format("the table ends at {}: this position gets the row of {}", p.rows - 1, row));
  }
  const double before = learned.initial(row, p.column), after = learned.fit.table(row, p.column);
  lines.line("", {plain("= "), dim(w("drawn at the beginning")), plain(" + "), dim(w("learned"))})
      .about(fmt::format("{} + ({})", six(before), six(after - before)))
      .about(six(after));
  lines.say(
      row >= p.seen
          ? w.format("no training text reached position {}: no gradient, nothing learned", row)
          : w.format("the sum of {} steps of gradient descent", p.steps));
}

// The slopes of one step in the picked dimension.
std::vector<double> slopes(const Scene& scene, double t, const VectorD& y, double h) {
  const core::Dynamics& f = scene.table().flow->h;
  const Index c = scene.p.column;
  const VectorD k1 = f(t, y);
  if (scene.p.integrator == core::Integrator::euler) return {k1(c)};
  const VectorD k2 = f(t + h / 2, y + h / 2 * k1);
  if (scene.p.integrator == core::Integrator::midpoint) return {k1(c), k2(c)};
  const VectorD k3 = f(t + h / 2, y + h / 2 * k2);
  return {k1(c), k2(c), k3(c), f(t + h, y + h * k3)(c)};
}

void explain_step(const Scene& scene, double t, const VectorD& y, double change,
                  Derivation& lines) {
  const double h = 1.0 / scene.p.substeps;
  const std::vector<double> k = slopes(scene, t, y, h);
  lines.say(scene.w.format("the last step, from τ = {:.4g} over {:.4g}:", t, h))
      .begin("s", fmt::format("1/{}", scene.p.substeps));
  for (std::size_t at = 0; at < k.size(); ++at) {
    lines.is(fmt::format("k{}", at + 1), "= h(τ, p) ≈ " + six(k[at]));
  }
  const std::string s = fmt::format("1/{} · ", scene.p.substeps);
  if (k.size() == 4) {
    lines.begin("Δ", "s (k1 + 2 k2 + 2 k3 + k4) / 6")
        .about(fmt::format("{}({} + 2·({}) + 2·({}) + ({})) / 6", s, six(k[0]), six(k[1]),
                           six(k[2]), six(k[3])));
  } else {
    lines.begin("Δ", fmt::format("s k{}", k.size())).about(s + bracketed(six(k.back())));
  }
  lines.about(six(change));
}

void explain_course(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Flow& flow = *model.table->flow;
  if (p.position == 0) {
    lines.say(w("where the course begins: sin 0 or cos 0"));
    return;
  }
  const double h = 1.0 / p.substeps;
  VectorD y = flow.rows.row(p.position - 1).transpose(), last = y;
  // One digit more than their sum.
  const auto term = [](double value) { return fixed(value, kCellDigits + 1); };
  std::vector<Derivation::Term> terms = {
      {term(y(p.column)), fmt::format("PE[{},{}]", p.position - 1, p.column)}};
  double at = 0;
  for (int s = 0; s < p.substeps; ++s) {
    at = p.position - 1.0 + s * h;
    last = y;
    y = core::integrate_step(flow.h, p.integrator, at, y, h);
    terms.push_back({term(y(p.column) - last(p.column)), w.format("step {}", s + 1)});
  }
  lines.next("p(τ) + ∫ h(τ, p) dτ").terms(terms).about(six(y(p.column)));
  explain_step(scene, at, last, y(p.column) - last(p.column), lines);
  const double finer = flow.fine(kFine * p.position, p.column);
  lines.line(w("finer"), {plain("≈ " + six(finer)),
                          dim("  " + w.format("error {:.2g}", scene.cell() - finer))});
}

void explain_turn(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Turned& turned = *model.table->turned;
  const Index word = turned.ids[to_size(model.position)], i = p.column / 2;
  const bool sine = p.column % 2 == 0;
  const double r = turned.table.amplitude(word, i), omega = turned.table.frequency(word, i);
  const double phi = turned.table.phase(word, i);
  const std::string omega_text = frequency_text(omega, model.position);
  const auto number = [&lines](const char* name, const std::string& text, const std::string& what) {
    lines.line(name, {plain("≈ " + text), dim("  " + what)});
  };
  lines.next(sine ? "Im r e^(i(ωp + φ))" : "Re r e^(i(ωp + φ))")
      .say(w.format("of the word \"{}\", complex dimension {}:", turned.names[to_size(word)], i));
  number("r", six(r), w("amplitude"));
  number("ω", omega_text, w("frequency"));
  number("φ", six(phi), w("phase"));
  const double angle = omega * to_double(model.position) + phi;
  lines.is(w("angle"), fmt::format("≈ {} · {} + ({})", omega_text, model.position, six(phi)))
      .about(six(angle));
  write_wave(scene, angle, sine, r, lines);
}

}  // namespace

void explain_cell(const Scene& scene, Derivation& lines) {
  constexpr void (*kSchemes[])(const Scene&, Derivation&) = {
      explain_wave, explain_wave, explain_learned, explain_course, explain_turn};
  const auto& [p, model, w] = scene;
  if (!scene.has_row()) {
    lines.line(cell_name(scene), {{w("does not exist"), Role::bad}})
        .say(w.format("the table has rows 0 to {}; an embedding layer refuses position {}",
                      p.rows - 1, model.position));
    return;
  }
  lines.about_picked(cell_name(scene), six(scene.cell()));
  kSchemes[to_size(Index(p.scheme))](scene, lines);
}

}  // namespace lab::absolute
