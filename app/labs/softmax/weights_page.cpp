// One row: its weights, the other forms beside softmax, and what temperature does to odds, weights
// and entropy.
#include "app/labs/softmax/page.h"
#include "core/attention/softmax.h"

namespace lab::softmax {
namespace {

constexpr std::array<double, 4> kOthers{0.25, 0.5, 2, 4};  // temperatures beside the chosen one
constexpr int kPoints = 161;

// The logit that the picked one is compared with: the other picked one, or a neighbour where both
// are the same. Counted from 0.
Index other(const Scene& scene) {
  if (scene.logit() != scene.weight()) return scene.logit();
  return scene.weight() > 0 ? scene.weight() - 1 : 1;
}

// --- figures

Figure forms_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("forms", w("Beside softmax"), {.height = 230, .columns = 3});
  figure.caption = w.format(
      "For the same {} logits: hardmax, the logarithm of softmax, and softmax as written, without "
      "subtracting the largest logit, in float32.",
      p.count);
  const auto picks = [&](const char* form) {
    return picks_of(1, scene.n(), "weight", explains(form));
  };
  const bool none = m.row.naive.array().isNaN().any();
  Plot naive = bar_plot({"naive", w("exp(x/T) / Σ exp(x/T) in float32"), m.row.naive, Role::dim,
                         picks("naive"), scene.weight(), none ? 0 : kWeightTop});
  return with(std::move(figure),
              bar_plot({"hardmax", w("hardmax"), m.row.hardmax, Color::of_head(kWeightColor),
                        picks("hardmax"), scene.weight(), kWeightTop}),
              bar_plot({"log_weights", w("log p"), m.row.log_p, Color::of_head(kOtherColor),
                        picks("log_weight"), scene.weight()}),
              std::move(naive));
}

// The first weight of a row of two logits.
double first_of_two(double difference, double T) {
  return core::softmax(VectorD{{difference, 0}}, T)(0);
}

Line share_curve(double reach, double T, Color color, float width) {
  Line line{.color = color, .width = width, .label = fmt::format("T = {:.3g}", T)};
  for (int k = 0; k < kPoints; ++k) {
    const double difference = reach * (2.0 * k / (kPoints - 1) - 1);
    line.add(difference, first_of_two(difference, T));
  }
  return line;
}

Figure pair_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Index second = other(scene) + 1;
  const double difference = m.row.x(scene.weight()) - m.row.x(other(scene));
  const double share = first_of_two(difference, p.temperature);
  Figure figure =
      new_figure("pair", w("Two logits: only their difference counts"), {.span = 4, .height = 300});
  figure.caption = w.format(
      "The share of the first of two logits in their common weight against their difference, at "
      "several temperatures; dashed: hardmax, the limit. Logits {} and {} at T = {:.4g}.",
      p.weight, second, p.temperature);
  const double reach = std::max(5.0, std::ceil(1.2 * std::abs(difference)));
  Plot plot{.id = "pair"};
  plot.x = {w.format("difference x{} - x{}", p.weight, second), -reach, reach};
  plot.y.label = w.format("p{0} / (p{0} + p{1})", p.weight, second);
  plot.click = explains("pair");
  plot.add(Line{{-reach, 0, 0, reach}, {0, 0, 1, 1}, Role::dim, 1, true});
  for (const double T : kOthers) plot.add(share_curve(reach, T, Role::dim, 1.2f));
  plot.add(share_curve(reach, p.temperature, Role::accent, 2.5f));
  plot.add(Rule{true, difference, Color(Role::accent, 0.5f)});
  plot.add(Points{{difference}, {share}, Role::accent, 5, {explains("pair")}});
  figure.footer = {{w.format("difference {:.3f} → share {}", difference, weight_text(share)),
                    Role::accent, TextStyle::label}};
  return with(std::move(figure), std::move(plot));
}

Figure melting_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("melting", w("Weights over temperature"), {.span = 4, .height = 300});
  figure.caption = w.format(
      "Each of {} weights against the temperature: hardmax at the left, all equal at the right.",
      p.count);
  Plot plot = temperature_plot(scene, "melting", w("weights p"));
  plot.click = explains("weight");
  for (std::size_t k = 0; k < m.sweep->weights.size(); ++k) {
    const bool picked = k == to_size(scene.weight());
    plot.add(Line{m.sweep->temperatures, m.sweep->weights[k],
                  picked ? Color(Role::accent) : Color::of_head(kWeightColor, 0.8f),
                  picked ? 2.5f : 1.3f, false, fmt::format("p{}", k + 1)});
  }
  plot.add(Rule{false, 1.0 / p.count, Role::dim, true, fmt::format("1/{}", p.count)});
  mark_temperature(scene, m.row.p(scene.weight()), plot);
  return with(std::move(figure), std::move(plot));
}

Figure entropy_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("entropy", w("Entropy"), {.span = 4, .height = 300});
  figure.note = w.format("{:.3f} nats", m.row.entropy);
  const auto ties = (m.row.x.array() == m.row.max).count();
  figure.caption = w.format(
      "The entropy of the weights against the temperature. Cold, the largest logits ({}) share the "
      "weight: ln {} = {:.3f}; hot, all do: ln {} = {:.3f}.",
      ties, ties, m.sweep->tie_entropy, p.count, std::log(p.count));
  Plot plot = temperature_plot(scene, "entropy", w("entropy (nats)"));
  plot.y.hi = 1.15 * std::log(p.count);
  plot.click = explains("entropy");
  plot.add(Rule{false, std::log(p.count), Role::dim, true, fmt::format("ln {}", p.count)});
  plot.add(Line{m.sweep->temperatures, m.sweep->entropy, Color::of_head(kWeightColor), 2});
  mark_temperature(scene, m.row.entropy, plot);
  return with(std::move(figure), std::move(plot));
}

// --- explanations

void write_weight(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const Index i = scene.weight();
  if (p.shift != 0) {
    d.is(fmt::format("x{}", p.weight),
         fmt::format("≈ {} {} {} ≈ {}", fixed(p.x(i), 4), p.shift < 0 ? "-" : "+",
                     fixed(std::abs(p.shift), 4), fixed(m.row.x(i), 4)));
  }
  SoftmaxRow row = written_row(m.row.x, i);
  row.temperature = p.temperature;
  d.softmax(fmt::format("p{}", p.weight), row);
}

void write_hardmax(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const auto ties = (m.row.x.array() == m.row.max).count();
  d.about("max x", m.row.max, 4);
  d.about(fmt::format("x{}", p.weight), m.row.x(scene.weight()), 4);
  if (ties > 1) {
    d.is(w("ties"), w.format("{} logits are largest", ties));
    d.say(p.ties == Ties::shared
              ? w("Each gets the same share: the limit of softmax as T falls to 0.")
              : w("Only the first gets the weight, as argmax would choose. Softmax shares it at "
                  "every T."));
  }
  const double weight = m.row.hardmax(scene.weight());
  const std::string left = fmt::format("p{}", p.weight);
  if (weight == 0 || weight == 1) {
    d.picked(left, fixed(weight, 0));
  } else {
    d.begin(left, fmt::format("1 / {}", ties)).about_result(weight_text(weight));
  }
  d.say(
      w("A small change of a logit changes either nothing or everything: the derivative is 0 "
        "almost everywhere, and no gradient flows through it."));
}

void write_log_weight(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const Index i = scene.weight();
  const double T = p.temperature, total = m.row.max / T + std::log(m.row.sum);
  const std::string log = fmt::format("log p{}", p.weight), sum = fixed(total, 4);
  d.begin(log, "x/T - log Σ exp(x/T)").begin("log Σ exp", "max/T + log Σ exp((x - max)/T)");
  d.about(fmt::format("{} + log {}", fixed(m.row.max / T, 4), fixed(m.row.sum, 4))).about(sum);
  d.is(log, fmt::format("≈ {} - {}", fixed(m.row.x(i) / T, 4), bracketed(sum)));
  d.about_result(m.row.log_p(i), 4).is("exp", "≈ " + weight_text(m.row.p(i)));
  d.say(
      w("It is never the logarithm of a computed weight: where that weight underflows to 0, its "
        "logarithm would be -∞, while this stays finite."));
}

void write_naive(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const Index i = scene.weight();
  const auto number = [](double value) {
    return std::isinf(value) ? std::string("= ∞") : "≈ " + significant(value);
  };
  const double own = m.row.naive_exp(i), sum = to_double(m.row.naive_exp.cast<float>().sum());
  d.is(fmt::format("exp(x{}/T)", p.weight), "≈ exp(" + fixed(m.row.x(i) / p.temperature, 6) + ")");
  d.is("", number(own)).is("Σ exp(x/T)", number(sum));
  const std::string left = fmt::format("p{}", p.weight);
  if (std::isfinite(sum) && sum > 0) {
    d.is(left, fmt::format("≈ {} / {}", significant(own), significant(sum)));
    d.about_result(weight_text(m.row.naive(i)));
  } else {  // a number over ∞, ∞/∞ or 0/0
    d.picked(left, std::isnan(m.row.naive(i)) ? "NaN" : "0");
  }
  d.is(w("stable"), "≈ " + weight_text(m.row.p(i)));
  d.say(
      w("The largest number of float32 is exp(88.7228). A larger x/T makes its quotient ∞/∞, and "
        "if every x/T is below about -104 the quotient is 0/0: not a number. Even earlier, the sum "
        "of several large exponentials is ∞, and every weight is a number over ∞: 0. Subtracting "
        "the largest logit first changes no weight and makes every exponential at most 1."));
}

void write_pair(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const Index second = other(scene) + 1;
  const double difference = m.row.x(scene.weight()) - m.row.x(other(scene));
  const double exponent = difference / p.temperature, odds = std::exp(exponent);
  d.begin(fmt::format("p{} / p{}", p.weight, second),
          fmt::format("exp((x{} - x{}) / T)", p.weight, second));
  d.about(fmt::format("exp({} / {})", significant(difference, 8), significant(p.temperature, 8)));
  d.about("exp(" + significant(exponent, 8) + ")").about(significant(odds, 5));
  d.begin(w("share"), "1 / (1 + exp(-Δ/T))").about_result(weight_text(1 / (1 + 1 / odds)));
  d.say(
      w("All other logits cancel: the odds of two weights depend only on the difference of their "
        "logits."));
}

void write_entropy(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const auto terms = each(m.row.p, [&](const double weight) {
    return Derivation::Term{fixed(weight > 0 ? -weight * std::log(weight) : 0, 4),
                            fmt::format("-{0} log {0}", significant(weight))};
  });
  d.begin("H", "-Σ p log p").terms(terms, to_size(scene.weight()));
  d.line("", {accented("≈ " + w.format("{:.4f} nats", m.row.entropy))});
  d.is("exp(H)", w.format("≈ {:.3f} of {} weights", std::exp(m.row.entropy), p.count));
  d.say(
      w("exp(H) is the number of equal weights with the same entropy: 1 for hardmax, all of them "
        "at high temperature."));
}

Explanation explain_form(const Scene& scene) {
  const auto& [p, m, w] = scene;
  constexpr std::array kWriters{write_weight, write_hardmax, write_log_weight,
                                write_naive,  write_pair,    write_entropy};
  const std::array titles{w.format("Weight {}", p.weight),
                          w.format("Hardmax of logit {}", p.weight),
                          w.format("The logarithm of weight {}", p.weight),
                          w.format("Weight {} as written, in float32", p.weight),
                          w.format("The odds of weights {} and {}", p.weight, other(scene) + 1),
                          w("The entropy of the weights")};
  const auto which = to_size(p.explained);
  Derivation d(w);
  kWriters[which](scene, d);
  return {titles[which], d.take()};
}

std::vector<std::string> row_notes(const Scene& scene) {
  const auto& [p, m, w] = scene;
  std::vector<std::string> notes;
  if (m.row.naive.array().isNaN().any()) {
    notes.push_back(
        w("Written as exp(x/T) / Σ exp(x/T), float32 overflows or underflows here: the quotient is "
          "NaN. With the largest logit subtracted, the weights come out right."));
  }
  const auto ties = (m.row.x.array() == m.row.max).count();
  if (ties > 1) {
    notes.push_back(w.format(
        "{} logits are largest: however low the temperature, softmax shares the weight among them.",
        ties));
  }
  return notes;
}

}  // namespace

Page weights_page(const Scene& scene) {
  Page page;
  page.figures = {row_figure(scene), forms_figure(scene), pair_figure(scene), melting_figure(scene),
                  entropy_figure(scene)};
  page.readouts = finite(row_readouts(scene));
  page.formula = "p_{i} = \\frac{\\exp(x_{i} / T)}{\\sum_{j} \\exp(x_{j} / T)}";
  page.explanation = explain_form(scene);
  page.notes = row_notes(scene);
  page.status = row_status(scene);
  return page;
}

}  // namespace lab::softmax
