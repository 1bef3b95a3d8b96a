// Every picked value down to its inputs: the formula, the formula with numbers, the result.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/extrapolation/page.h"
#include "core/position/frequency.h"

#include "app/labs/shared/writing.h"

namespace lab::extrapolation {
namespace {

using figure::Role;
using figure::Span;

constexpr std::size_t kMostTerms = 32;   // of a score that are written out; beyond, the first few
constexpr std::size_t kFirstTerms = 12;  // these few

// Six digits: enough to check a line from the one before.
std::string six(double value) { return fmt::format("{:.6g}", value); }

void explain_untouched(const Scene& scene, Writer& lines) {
  const auto& [p, model, w] = scene;
  lines.begin("θ", "b^(-2i/d)")
      .next(fmt::format("{}^(-2·{}/{})", six(p.base), p.pair, p.d))
      .next(w.format("{} radians per position", six(model.theta(p.pair))));
}

void explain_stretch(const Scene& scene, Writer& lines) {
  const auto& [p, model, w] = scene;
  if (p.stretch == Stretch::fixed) {
    lines.begin("s", six(model.s));
  } else {
    lines.begin("s", "max(1, n / L)").next(fmt::format("max(1, {} / {})", p.length, p.trained));
    lines.next(six(model.s));
  }
}

void explain_larger_base(const Scene& scene, Method method, Writer& lines) {
  const auto& [p, model, w] = scene;
  const std::string exponent = fmt::format("({}/{})", p.d, p.d - 2);
  const double base = model.rotation(method).base;
  if (method == Method::ntk) {
    lines.begin("b′", "b s^(d/(d-2))")
        .next(fmt::format("{}·{}^{}", six(p.base), six(model.s), exponent));
  } else if (p.length <= p.trained) {
    lines.begin("b′", "b").say(w("The context is no longer than the trained one"));
  } else if (p.dynamic == core::DynamicNtk::factor) {
    lines.begin("b′", "b (s n/L - (s - 1))^(d/(d-2))")
        .next(fmt::format("{}·({}·{}/{} - {})^{}", six(p.base), six(model.s), p.length, p.trained,
                          six(model.s - 1), exponent));
  } else {
    lines.begin("b′", "b (n/L)^(d/(d-2))")
        .next(fmt::format("{}·({}/{})^{}", six(p.base), p.length, p.trained, exponent));
  }
  lines.next(six(base));
  lines.begin("θ′", "b′^(-2i/d)").next(fmt::format("{}^(-2·{}/{})", six(base), p.pair, p.d));
}

// r, γ and the sum (1 - γ) θ/s + γ θ, whose printed parts add up.
void explain_mixed(const Scene& scene, Writer& lines) {
  const auto& [p, model, w] = scene;
  const double r = model.trained_turns(p.pair), ramp = model.ramp(p.pair);
  if (p.yarn == YarnForm::paper) {
    lines.begin("r", "L θ / 2π")
        .next(fmt::format("{}·{} / {}", p.trained, six(model.theta(p.pair)), six(kTurn)))
        .next(w.format("{} turns", six(r)));
    lines.begin("γ", "(r - α) / (β - α)")
        .next(fmt::format("({} - {}) / ({} - {})", six(r), six(p.alpha), six(p.beta), six(p.alpha)))
        .next(six((r - p.alpha) / (p.beta - p.alpha)))
        .say(w("cut to the range from 0 to 1:"));
  } else {
    const core::YarnCode code = core::yarn_code({.d = p.d,
                                                 .base = p.base,
                                                 .trained_length = static_cast<double>(p.trained),
                                                 .s = model.s,
                                                 .slow = p.alpha,
                                                 .fast = p.beta});
    lines.begin("low", "⌊d ln(L / 2πβ) / (2 ln b)⌋").next(fmt::format("{}", code.low));
    lines.begin("high", "⌈d ln(L / 2πα) / (2 ln b)⌉").next(fmt::format("{}", code.high));
    lines.begin("γ", "1 - (i - low) / (high - low)")
        .next(fmt::format("1 - ({} - {}) / ({} - {})", p.pair, code.low, code.high, code.low))
        .say(w("cut to the range from 0 to 1:"));
  }
  lines.next(six(ramp));
  lines.begin("θ′", "(1 - γ) θ/s + γ θ")
      .next(fmt::format("{}·{}/{} + {}·{}", six(1 - ramp), six(model.theta(p.pair)), six(model.s),
                        six(ramp), six(model.theta(p.pair))));
  const double theta = model.theta(p.pair);
  const int digits =
      std::clamp(5 - static_cast<int>(std::floor(std::log10(theta / model.s))), 3, 15);
  const PrintedSum sum = printed_sum({(1 - ramp) * theta / model.s, ramp * theta}, digits);
  lines.next(sum.parts[0] + " + " + sum.parts[1]).next(sum.sum);
}

// theta' of the chosen method for the chosen pair.
void explain_frequency(const Scene& scene, Writer& lines) {
  const auto& [p, model, w] = scene;
  explain_untouched(scene, lines);
  if (p.method == Method::none || scene.alibi()) {
    lines.begin("θ′", "θ");
    return;
  }
  explain_stretch(scene, lines);
  if (p.method == Method::interpolation) {
    lines.begin("θ′", "θ / s").next(fmt::format("{} / {}", six(model.theta(p.pair)), six(model.s)));
  } else if (p.method == Method::yarn) {
    explain_mixed(scene, lines);
    return;
  } else {
    explain_larger_base(scene, p.method, lines);
  }
  lines.next(w.format("{} radians per position", six(scene.rotation().theta(p.pair))));
}

std::string trained_turns_text(const Scene& scene) {
  const auto& [p, model, w] = scene;
  return fmt::format("{}·{} / {}", p.trained, six(model.theta(p.pair)), six(kTurn));
}

Explanation explain_angle(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double reached = scene.rotation().turns(p.pair), trained = model.trained_turns(p.pair);
  Writer lines;
  explain_frequency(scene, lines);
  lines.begin(w("in the context"), "n θ′ / 2π")
      .next(fmt::format("{}·{} / {}", p.length, six(scene.rotation().theta(p.pair)), six(kTurn)))
      .result(w.format("{} turns", six(reached)));
  lines.begin(w("in training"), "L θ / 2π")
      .next(trained_turns_text(scene))
      .next(w.format("{} turns", six(trained)));
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
  Writer lines;
  explain_untouched(scene, lines);
  lines.begin("λ", "2π / θ")
      .next(fmt::format("{} / {}", six(kTurn), six(model.theta(p.pair))))
      .next(w.format("{} positions per turn", six(kTurn / model.theta(p.pair))));
  explain_stretch(scene, lines);
  lines.say(w("Under each method: θ′, and λ′ = 2π / θ′ as a multiple of λ"));
  for (int m = 0; m < kRotating; ++m) {
    const auto method = static_cast<Method>(m);
    const double theta = model.rotation(method).theta(p.pair);
    const bool chosen = method == p.method;
    lines.add({"",
               {{fmt::format("{:.5e}  {} = {} λ", theta, number(kTurn / theta),
                             number(model.theta(p.pair) / theta)),
                 chosen ? Role::accent : Role::text},
                dim("  " + scene.name(method))}});
  }
  return {w.format("Pair {} before and after", p.pair), lines.take()};
}

Explanation explain_ramp(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Writer lines;
  explain_untouched(scene, lines);
  explain_stretch(scene, lines);
  explain_mixed(scene, lines);
  const double ramp = model.ramp(p.pair);
  if (ramp >= 1) {
    lines.say(w("γ = 1: kept. It turned at least β times in training and has seen every angle."));
  } else if (ramp <= 0) {
    lines.say(
        w("γ = 0: interpolated. It turned at most α times in training, so all of its angles are "
          "squeezed into the range that was seen."));
  } else {
    lines.say(w("In between: partly squeezed."));
  }
  return {w.format("YaRN's ramp at pair {}", p.pair), lines.take()};
}

void explain_alibi_score(const Scene& scene, Writer& lines) {
  const auto& [p, model, w] = scene;
  const double penalty = model.slope(p) * p.distance;
  const PrintedSum sum = printed_sum({model.content, -penalty});
  lines.begin(w.format("logit({})", p.distance), "q·k/√d - slope · t")
      .next(fmt::format("{} - {}·{}", fixed(model.content), six(model.slope(p)), p.distance))
      .next(fmt::format("{} + ({})", sum.parts[0], sum.parts[1]))
      .result(sum.sum);
  lines.begin("q·k/√d", fmt::format("{} / √{}", fixed(model.q.dot(model.k)), p.d))
      .next(fixed(model.content));
  lines.say(w("The same at every place; no angle enters."));
}

// Each pair's part of the logit: |h_i| cos(t θ'_i + φ_i), scaled.
void explain_terms(const Scene& scene, Writer& lines) {
  const auto& [p, model, w] = scene;
  const core::RotaryScores& scores = model.scores[static_cast<std::size_t>(p.method)];
  const VectorD all = core::score_terms(scores, p.distance);
  const auto count = static_cast<std::size_t>(all.size());
  const std::size_t written = count > kMostTerms ? kFirstTerms : count;
  std::vector<double> terms(all.begin(), all.begin() + static_cast<long>(written));
  if (written < count) terms.push_back(all.tail(all.size() - static_cast<Index>(written)).sum());
  const PrintedSum sum = printed_sum(terms);
  lines.begin(w.format("logit({})", p.distance), "Σ a_i cos(t θ′_i + φ_i)");
  lines.result(sum.sum);
  for (std::size_t i = 0; i < written; ++i) {
    const auto pair = static_cast<Index>(i);
    const double size = std::hypot(scores.re(pair), scores.im(pair));
    const double phase = std::atan2(scores.im(pair), scores.re(pair));
    const double angle = std::remainder(p.distance * scores.theta(pair) + phase, kTurn);
    lines.add(
        {"",
         {dim(i == 0 ? "  " : "+ "), dim(fmt::format("{:<3} ", i)),
          plain(fmt::format("{:.3f} cos({:.3f})", size, angle)), dim(" → "), plain(sum.parts[i])}});
  }
  if (written < count) {
    lines.add({"",
               {dim("+ "), dim(w.format("… {} more pairs", count - written)), dim(" → "),
                plain(sum.parts.back())}});
  }
}

Explanation explain_score(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Writer lines;
  if (scene.alibi()) {
    explain_alibi_score(scene, lines);
  } else {
    explain_terms(scene, lines);
    lines.say(
        w("a_i and φ_i: size and angle of (q_2i + i q_2i+1)(k_2i - i k_2i+1) / √d; angles are "
          "shown less whole turns"));
    if (p.method == Method::yarn && model.attention_factor != 1) {
      const bool formula = p.attention == Attention::formula;
      lines.begin("√(1/t)", formula ? "0.1 ln s + 1" : six(model.attention_factor));
      if (formula) {
        lines.next(fmt::format("0.1·{} + 1", six(std::log(model.s))))
            .next(six(model.attention_factor));
      }
      lines.say(w.format("It multiplies q and k each, so every a_i holds its square, {}.",
                         six(model.attention_factor * model.attention_factor)));
    }
  }
  return {w.format("The score at distance {}, {}", p.distance, scene.chosen_name()), lines.take()};
}

Explanation explain_bias(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double slope = model.slope(p), penalty = slope * p.distance;
  const bool geometric =
      p.slopes == core::AlibiSlopeRule::geometric || (p.heads & (p.heads - 1)) == 0;
  Writer lines;
  if (geometric) {
    lines.begin(w("slope"), "2^(-8 j/h)")
        .next(fmt::format("2^(-8·{}/{})", p.head, p.heads))
        .next(six(slope));
  } else {
    lines.begin(w("slope"), six(slope))
        .say(w.format("{} heads are no power of two: the released code takes the slopes of the "
                      "next lower power, then every other one of the next higher.",
                      p.heads));
  }
  lines.begin(w("penalty"), "slope · t")
      .next(fmt::format("{}·{}", six(slope), p.distance))
      .result(six(penalty));
  lines.begin(w("weight"), "exp(-" + six(penalty) + ")")
      .next(six(std::exp(-penalty)))
      .say(w("of that of an equal key at distance 0"));
  lines.begin(w("in training"), "slope · L")
      .next(fmt::format("{}·{}", six(slope), p.trained))
      .next(six(slope * p.trained));
  return {w.format("ALiBi's penalty in head {}", p.head), lines.take()};
}

Explanation explain_cell(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (scene.alibi()) return explain_bias(scene);
  const double angle = p.distance * scene.rotation().theta(p.pair);
  const double turns = angle / kTurn, part = turns - std::floor(turns);
  const double trained = model.trained_turns(p.pair);
  Writer lines;
  explain_frequency(scene, lines);
  lines.begin(w("angle"), "p θ′")
      .next(fmt::format("{}·{}", p.distance, six(scene.rotation().theta(p.pair))))
      .next(w.format("{} radians", six(angle)))
      .next(w.format("{:.0f} turns + {}", std::floor(turns), fixed(part, 6)))
      .result(w.format("{} turns", fixed(part, 6)));
  lines.begin("cos", six(std::cos(angle)));
  lines.begin(w("in training"), "L θ / 2π")
      .next(trained_turns_text(scene))
      .next(w.format("{} turns", six(trained)));
  if (trained >= 1) {
    lines.say(w("A whole turn or more in training: every angle was seen."));
  } else if (core::angle_unseen(turns, trained)) {
    lines.say(w("This angle lies beyond all that were seen in training."));
  } else {
    lines.say(w("This angle lies within what was seen in training."));
  }
  return {w.format("Pair {} at position {}", p.pair, p.distance), lines.take()};
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explained) {
    case Explained::angle:
      return scene.alibi() ? explain_bias(scene) : explain_angle(scene);
    case Explained::wavelength:
      return explain_wavelength(scene);
    case Explained::ramp:
      return explain_ramp(scene);
    case Explained::score:
      return explain_score(scene);
    case Explained::cell:
      return explain_cell(scene);
    case Explained::bias:
      break;
  }
  return explain_bias(scene);
}

}  // namespace lab::extrapolation
