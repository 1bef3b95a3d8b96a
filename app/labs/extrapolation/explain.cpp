// Every picked value down to its inputs: the formula, the formula with numbers, the result.
#include "app/labs/extrapolation/page.h"

namespace lab::extrapolation {
namespace {

constexpr std::size_t kMostTerms = 32;   // of a score that are written out; beyond, the first few
constexpr std::size_t kFirstTerms = 12;  // these few

// Six digits: enough to check a line from the one before.
std::string six(double value) { return significant(value); }

// "= " where six digits are all that these numbers have, else "≈ ".
std::string sign(std::initializer_list<double> values) {
  const bool rounded = std::any_of(values.begin(), values.end(),
                                   [](double value) { return equals(value, six(value)) != "= "; });
  return rounded ? "≈ " : "= ";
}

// "= 8", "≈ 0.749894"
void write_number(double value, Derivation& lines) { lines.is("", equated(value, six(value))); }

// The same with a unit: a format such as "{} turns".
void write_number(const Scene& scene, double value, std::string_view unit, Derivation& lines) {
  lines.is("", equals(value, six(value)) + scene.w.format(unit, six(value)));
}

void write_untouched(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  lines.begin("θ", "b^(-2i/d)");
  lines.is("", sign({p.base}) + fmt::format("{}^(-2·{}/{})", six(p.base), p.pair, p.d));
  write_number(scene, model.theta(p.pair), N_("{} radians per position"), lines);
}

void write_stretch(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  if (p.stretch == Stretch::fixed) {
    lines.is("s", equated(model.s, six(model.s)));
    return;
  }
  lines.begin("s", "max(1, n / L)").next(fmt::format("max(1, {} / {})", p.length, p.trained));
  write_number(model.s, lines);
}

void write_larger_base(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const std::string exponent = fmt::format("({}/{})", p.d, p.d - 2);
  const double base = scene.rotation().base, s = model.s;
  if (p.method == Method::ntk) {
    lines.begin("b′", "b s^(d/(d-2))");
    lines.is("", sign({p.base, s}) + fmt::format("{}·{}^{}", six(p.base), six(s), exponent));
  } else if (p.length <= p.trained) {
    lines.begin("b′", "b").say(w("The context is no longer than the trained one"));
  } else if (p.dynamic == core::DynamicNtk::factor) {
    lines.begin("b′", "b (s n/L - (s - 1))^(d/(d-2))");
    lines.is("", sign({p.base, s}) + fmt::format("{}·({}·{}/{} - {})^{}", six(p.base), six(s),
                                                 p.length, p.trained, six(s - 1), exponent));
  } else {
    lines.begin("b′", "b (n/L)^(d/(d-2))");
    lines.is("", sign({p.base}) +
                     fmt::format("{}·({}/{})^{}", six(p.base), p.length, p.trained, exponent));
  }
  write_number(base, lines);
  lines.begin("θ′", "b′^(-2i/d)");
  lines.is("", sign({base}) + fmt::format("{}^(-2·{}/{})", six(base), p.pair, p.d));
}

void write_turns(const Scene& scene, std::string name, std::string formula, int length,
                 double theta, Derivation& lines) {
  lines.begin(std::move(name), std::move(formula));
  lines.about(fmt::format("{}·{} / {}", length, six(theta), six(kTurn)));
  lines.about(scene.w.format("{} turns", six(length * theta / kTurn)));
}

// γ as the paper or the code has it.
void write_ramp(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  double ramp = 0;
  if (p.yarn == YarnForm::paper) {
    const double r = model.trained_turns(p.pair);
    write_turns(scene, "r", "L θ / 2π", p.trained, model.theta(p.pair), lines);
    lines.begin("γ", "(r - α) / (β - α)");
    lines.about(
        fmt::format("({} - {}) / ({} - {})", six(r), six(p.alpha), six(p.beta), six(p.alpha)));
    ramp = (r - p.alpha) / (p.beta - p.alpha);
  } else {
    const core::YarnCode code = core::yarn_code({.d = p.d,
                                                 .base = p.base,
                                                 .trained_length = to_double(p.trained),
                                                 .s = model.s,
                                                 .slow = p.alpha,
                                                 .fast = p.beta});
    lines.begin("low", "max(0, ⌊d ln(L / 2πβ) / (2 ln b)⌋)").next(fmt::format("{}", code.low));
    lines.begin("high", "min(d - 1, ⌈d ln(L / 2πα) / (2 ln b)⌉)");
    lines.next(fmt::format("{}", code.high)).begin("γ", "1 - (i - low) / (high - low)");
    // The code's guard against a ramp of no width.
    const bool flat = code.high <= code.low;
    const double width = flat ? 0.001 : to_double(code.high - code.low);
    lines.next(fmt::format("1 - ({} - {}) / {}", p.pair, code.low,
                           flat ? "0.001" : fmt::format("({} - {})", code.high, code.low)));
    ramp = 1 - to_double(p.pair - code.low) / width;
  }
  write_number(ramp, lines);
  if (ramp < 0 || ramp > 1) {
    lines.begin(w("clipped to 0 … 1"), fmt::format("max(0, min(1, {}))", six(ramp)));
    write_number(model.ramp(p.pair), lines);
  }
}

// γ and the sum (1 - γ) θ/s + γ θ.
void write_mixed(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const double ramp = model.ramp(p.pair), theta = model.theta(p.pair);
  write_ramp(scene, lines);
  lines.begin("θ′", "(1 - γ) θ/s + γ θ");
  lines.is("", sign({ramp, 1 - ramp, theta, model.s}) +
                   fmt::format("{}·{}/{} + {}·{}", six(1 - ramp), six(theta), six(model.s),
                               six(ramp), six(theta)));
  const double squeezed = (1 - ramp) * theta / model.s, kept = ramp * theta;
  lines.is("", sign({squeezed, kept}) + six(squeezed) + " + " + six(kept));
}

// theta' of the chosen method for the chosen pair.
void write_frequency(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const double theta = model.theta(p.pair);
  write_untouched(scene, lines);
  if (p.method == Method::none || scene.alibi()) {
    lines.begin("θ′", "θ");
    return;
  }
  write_stretch(scene, lines);
  if (p.method == Method::interpolation) {
    lines.begin("θ′", "θ / s");
    lines.is("", sign({theta, model.s}) + six(theta) + " / " + six(model.s));
  } else if (p.method == Method::yarn) {
    write_mixed(scene, lines);
  } else {
    write_larger_base(scene, lines);
  }
  write_number(scene, scene.rotation().theta(p.pair), N_("{} radians per position"), lines);
}

Explanation explain_angle(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double reached = scene.rotation().turns(p.pair), trained = model.trained_turns(p.pair);
  Derivation lines(w);
  write_frequency(scene, lines);
  write_turns(scene, w("in the context"), "n θ′ / 2π", p.length, scene.rotation().theta(p.pair),
              lines);
  write_turns(scene, w("in training"), "L θ / 2π", p.trained, model.theta(p.pair), lines);
  if (trained >= 1) {
    lines.say(
        w("A whole turn or more in training: this pair has seen every angle, however far it turns "
          "now."));
  } else if (reaches_unseen(reached, trained)) {
    lines.say(
        w.format("Out of range: it turns {} times as far as in training, through angles that no "
                 "weight was ever fitted to.",
                 number(reached / trained)));
  } else {
    lines.say(w("In range: less than a turn in training, and no further now."));
  }
  return {w.format("How far pair {} turns", p.pair), lines.take()};
}

Explanation explain_wavelength(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double untouched = model.theta(p.pair);
  Derivation lines(w);
  write_untouched(scene, lines);
  lines.begin("λ", "2π / θ").about(six(kTurn) + " / " + six(untouched));
  lines.about(w.format("{} positions per turn", six(kTurn / untouched)));
  write_stretch(scene, lines);
  lines.say(w("Under each method: θ′, and λ′ = 2π / θ′ as a multiple of λ"));
  for (int m = 0; m < kRotating; ++m) {
    const auto method = static_cast<Method>(m);
    const double theta = model.rotation(method).theta(p.pair);
    lines.line(
        "",
        {{fmt::format("{:.5e}  {} ≈ {} λ", theta, number(kTurn / theta), number(untouched / theta)),
          method == p.method ? Role::accent : Role::text},
         dim("  " + scene.name(method))});
  }
  return {w.format("Pair {} before and after", p.pair), lines.take()};
}

Explanation explain_ramp(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double ramp = model.ramp(p.pair);
  Derivation lines(w);
  write_untouched(scene, lines);
  write_stretch(scene, lines);
  write_mixed(scene, lines);
  const double mixed = (1 - ramp) * model.theta(p.pair) / model.s + ramp * model.theta(p.pair);
  write_number(scene, mixed, N_("{} radians per position"), lines);
  if (ramp >= 1 && model.trained_turns(p.pair) < p.beta) {
    lines.say(
        w("γ = 1: kept. It turned fewer than β times, but the code's ramp does not begin before "
          "the first pair."));
  } else if (ramp >= 1) {
    lines.say(w("γ = 1: kept. It turned at least β times in training and has seen every angle."));
  } else if (ramp <= 0) {
    lines.say(
        w("γ = 0: interpolated. It turned at most α times in training, so all of its angles are "
          "squeezed into the range seen."));
  } else {
    lines.say(w("In between: partly squeezed."));
  }
  return {w.format("YaRN's ramp at pair {}", p.pair), lines.take()};
}

void write_alibi_score(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const double penalty = model.slope(p) * p.distance;
  lines.begin(w.format("logit({})", p.distance), "q·k/√d - slope · t");
  lines.about(fmt::format("{} - {}·{}", fixed(model.content, 4), six(model.slope(p)), p.distance));
  lines.about(fmt::format("{} - {}", fixed(model.content, 4), fixed(penalty, 4)));
  lines.about_result(model.content - penalty);
  lines.is("q·k/√d", fmt::format("≈ {} / √{}", fixed(model.q.dot(model.k), 4), p.d));
  lines.about(model.content, 4).say(w("The same at every position: no angle enters."));
}

// Each pair's part of the logit: |h_i| cos(t θ'_i + φ_i), scaled.
void write_terms(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const core::RotaryScores& scores = model.scores[to_size(p.method)];
  const VectorD terms = core::score_terms(scores, p.distance);
  const auto count = to_size(terms.size());
  const std::size_t written = count > kMostTerms ? kFirstTerms : count;
  lines.begin(w.format("logit({})", p.distance), "Σ a_i cos(t θ′_i + φ_i)");
  lines.about_result(terms.sum());
  for (Index i = 0; i < to_index(written); ++i) {
    const double phase = std::atan2(scores.im(i), scores.re(i));
    const double angle = std::remainder(p.distance * scores.theta(i) + phase, kTurn);
    lines.line(
        "",
        {dim(i == 0 ? "  " : "+ "),
         plain(fmt::format("{:.5f} cos({:.5f})", std::hypot(scores.re(i), scores.im(i)), angle)),
         dim(" ≈ "), plain(fixed(terms(i), 4)), dim(fmt::format("  [{}]", i))});
  }
  if (written == count) return;
  lines.line("", {dim("+ "), dim(w.format("… more pairs: {}", count - written)), dim(" ≈ "),
                  plain(fixed(terms.tail(to_index(count - written)).sum(), 4))});
}

Explanation explain_score(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double root = model.attention_factor;
  Derivation lines(w);
  if (scene.alibi()) {
    write_alibi_score(scene, lines);
  } else {
    write_terms(scene, lines);
    lines.say(
        w("a_i and φ_i: size and angle of (q_2i + i q_2i+1)(k_2i - i k_2i+1) / √d; angles are "
          "shown modulo whole turns"));
  }
  if (p.method == Method::yarn && root != 1) {
    if (p.attention == Attention::formula) {
      lines.begin("√(1/t)", "0.1 ln s + 1")
          .about(fmt::format("0.1·{} + 1", six(std::log(model.s))));
      lines.about(six(root));
    } else {
      lines.is("√(1/t)", equated(root, six(root)));
    }
    lines.say(w.format("It multiplies both q and k, so every a_i contains its square, {}.",
                       six(root * root)));
  }
  return {w.format("The score at distance {}, {}", p.distance, scene.chosen_name()), lines.take()};
}

Explanation explain_bias(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double slope = model.slope(p), penalty = slope * p.distance;
  const core::AlibiExponent exponent = core::alibi_exponent(p.head, p.heads, p.slopes);
  Derivation lines(w);
  if (exponent.of == p.heads) {
    lines.begin(w("slope"), "2^(-8 j/h)").next(fmt::format("2^(-8·{}/{})", exponent.k, p.heads));
    write_number(slope, lines);
  } else {
    lines.is(w("slope"), equated(slope, six(slope)));
    lines.say(
        w.format("{} heads are not a power of two: the released code takes the slopes of the next "
                 "lower power, then every other one of the next higher.",
                 p.heads));
  }
  const auto times_slope = [&](std::string name, const char* formula, int length) {
    lines.begin(std::move(name), formula);
    lines.is("", sign({slope}) + fmt::format("{}·{}", six(slope), length));
    lines.line("", {accented(equated(slope * length, six(slope * length)))});
  };
  times_slope(w("penalty"), "slope · t", p.distance);
  lines.is(w("weight"), sign({penalty}) + "exp(-" + six(penalty) + ")");
  write_number(std::exp(-penalty), lines);
  lines.say(w("of an equal key's weight at distance 0"));
  times_slope(w("in training"), "slope · L", p.trained);
  return {w.format("ALiBi's penalty in head {}", p.head), lines.take()};
}

Explanation explain_cell(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (scene.alibi()) return explain_bias(scene);
  const double theta = scene.rotation().theta(p.pair), angle = p.distance * theta;
  const double turns = angle / kTurn, part = turns - std::floor(turns);
  const double trained = model.trained_turns(p.pair);
  Derivation lines(w);
  write_frequency(scene, lines);
  // Nine digits, of which many thousand whole turns leave enough.
  const auto nine = [](double value) { return significant(value, 9); };
  lines.begin(w("angle"), "p θ′");
  lines.is("", sign({theta}) + fmt::format("{}·{}", p.distance, nine(theta)));
  lines.is("", equals(angle, nine(angle)) + w.format("{} radians", nine(angle)));
  lines.about(w.format("{} turns", nine(angle) + " / " + nine(kTurn)));
  lines.about(w.format("{} turns", nine(turns)));
  const int whole = turns < 1 ? 0 : 1 + to_int(std::log10(turns));
  lines.is(w("less whole turns"), fmt::format("≈ {} - {:.0f}", nine(turns), std::floor(turns)));
  lines.about_result(w.format("{} turns", fixed(part, std::clamp(9 - whole, 0, 6))));
  lines.is("cos", equated(std::cos(angle), six(std::cos(angle))));
  write_turns(scene, w("in training"), "L θ / 2π", p.trained, model.theta(p.pair), lines);
  if (trained >= 1) {
    lines.say(w("A whole turn or more in training: every angle was seen."));
  } else if (core::angle_unseen(turns, trained)) {
    lines.say(w("This angle lies beyond all seen in training."));
  } else {
    lines.say(w("This angle lies within the range of training."));
  }
  return {w.format("Pair {} at position {}", p.pair, p.distance), lines.take()};
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explained) {
    case Explained::angle: return scene.alibi() ? explain_bias(scene) : explain_angle(scene);
    case Explained::wavelength: return explain_wavelength(scene);
    case Explained::ramp: return explain_ramp(scene);
    case Explained::score: return explain_score(scene);
    case Explained::cell: return explain_cell(scene);
    case Explained::bias: break;
  }
  return explain_bias(scene);
}

}  // namespace lab::extrapolation
