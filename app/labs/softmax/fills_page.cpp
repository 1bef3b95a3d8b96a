// Ways to hide a key, side by side with the right answer.
#include "app/figure/layout.h"
#include "app/labs/softmax/page.h"
#include "core/enum_array.h"

namespace lab::softmax {
namespace {

// What each way does to a hidden key.
constexpr const char* kFinite =
    N_("The fill is a number like any other. It hides a key only while the visible scores lie far "
       "above it.");
constexpr core::EnumArray<Way> kWaySentences{
    {N_("Only visible keys are summed: a hidden key has weight 0, whatever its score."), kFinite,
     kFinite,
     N_("exp(-∞) = 0 hides every key, until none is left: then the largest score is -∞ too."),
     N_("A hidden key has the score 0, not -∞, and exp(0) = 1 stays in the sum."),
     N_("The sum still includes the hidden keys: the remaining weights no longer add up to 1."),
     N_("Divided by the remaining sum, the weights are right, unless the hidden keys had taken "
        "all: then they are 0/0.")}};

std::string way_name(const Scene& scene, Way way) {
  const std::string label = scene.w(kWays[to_size(way)].label);
  if (way == Way::renormalized) return scene.w("weights × mask, renormalised");
  const bool fill = way == Way::million || way == Way::two_to_32 || way == Way::infinity;
  return fill ? scene.w.format("fill {}", label) : label;
}

std::size_t arithmetic(const Scene& scene) { return to_size(scene.p.arithmetic); }
std::string arithmetic_name(const Scene& scene) {
  return std::string(kArithmetics[arithmetic(scene)].id);
}
const EachWay& ways(const Scene& scene) { return scene.model.fills->formats[arithmetic(scene)]; }
const MaskedRow& picked(const Scene& scene) { return ways(scene)[to_size(scene.p.way)]; }

// Differences that rounding in the chosen arithmetic explains are no mistake of the way.
bool is_right(const MaskedRow& masked, std::size_t format) {
  constexpr std::array<double, 3> kTolerance{1e-12, 1e-5, 1e-2};
  return !masked.broken() && masked.error <= kTolerance[format];
}

// --- figures

Figure masked_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const std::string lowered = figure::number_text(p.lowered, 6);
  Figure figure =
      new_figure("hidden", w("A row whose last keys are hidden"), {.height = 280, .columns = 2});
  figure.note = w.format("{} of {} keys visible; each method first lowers the logits by {}",
                         p.visible, p.count, lowered);
  figure.caption = w.format(
      "{} logits, the first {} visible, and the right weights: softmax over the visible logits "
      "alone. Every logit is then lowered by {}, which changes no right weight.",
      p.count, p.visible, lowered);
  Plot logits = logit_plot(scene, p.visible);
  if (p.visible > 0) {
    logits.add(Rule{true, p.visible + 1.0, Role::good});
    logits.add(Handle{
        .x = p.visible + 0.5, .y = 0.88 * logits.y.hi, .x_param = "visible", .color = Role::good});
  }
  Plot right = bar_plot({"right", w("the right weights"), m.fills->right, Role::good,
                         picks_of(1, scene.n(), "weight", sets("way", kWays[0].id)), scene.weight(),
                         kWeightTop});
  right.note = w.format("Σ p = {:.4f}", m.fills->right.sum());
  return with(std::move(figure), std::move(logits), std::move(right));
}

Plot way_plot(const Scene& scene, std::size_t k) {
  const auto& [p, m, w] = scene;
  const MaskedRow& masked = ways(scene)[k];
  const bool chosen = static_cast<Way>(k) == p.way;
  Plot plot =
      bar_plot({fmt::format("way_{}", kWays[k].id), way_name(scene, static_cast<Way>(k)),
                masked.weights, is_right(masked, arithmetic(scene)) ? Role::good : Role::bad,
                picks_of(1, scene.n(), "weight", sets("way", kWays[k].id)),
                chosen ? scene.weight() : -1, kWeightTop});
  plot.click = sets("way", kWays[k].id);
  plot.selected = chosen;
  plot.note = masked.broken() ? "NaN" : w.format("hidden keys get {}", weight_text(masked.leaked));
  if (p.visible < p.count) plot.add(Rule{true, p.visible + 1.0, Role::dim});
  return plot;
}

Figure ways_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("ways", w("Six methods of hiding them"), {.height = 400, .columns = 3});
  figure.note = w.format("{}; green: right", arithmetic_name(scene));
  figure.caption = w.format(
      "The weights when hidden keys are overwritten by a fill before softmax, or multiplied by the "
      "mask before or after it, in {}. Green: equal to the right weights up to rounding.",
      arithmetic_name(scene));
  figure.pointer_caption = w("Amber: the picked key.");
  for (std::size_t k = 1; k < kWays.size(); ++k) figure.plots.push_back(way_plot(scene, k));
  return figure;
}

Figure leak_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("leak", w("What leaks when all logits are low"), {.span = 6, .height = 330});
  figure.note = arithmetic_name(scene);
  figure.caption = w.format(
      "The weight that hidden keys get, against how far every logit is lowered, in {}. A finite "
      "fill cannot hide keys where scores are lower than the fill.",
      arithmetic_name(scene));
  Plot plot{.id = "leak", .x_param = "lowered"};
  plot.x = log_axis(w("logits lowered by"), 1, 1e11);
  plot.y = {w("weight on hidden keys"), 0, 1.08};
  struct Drawn {
    Way way;
    int color;
  };
  for (const Drawn drawn : {Drawn{Way::million, 1}, Drawn{Way::two_to_32, 10},
                            Drawn{Way::infinity, 4}, Drawn{Way::weights_times_mask, 9}}) {
    const bool chosen = drawn.way == p.way;
    plot.add(Line{m.fills->lowered, m.fills->leaks[to_size(drawn.way)],
                  chosen ? Color(Role::accent) : Color::of_head(drawn.color), chosen ? 2.5f : 1.6f,
                  false, way_name(scene, drawn.way)});
  }
  plot.add(Rule{true, p.lowered, Color(Role::accent, 0.6f)});
  return with(std::move(figure), std::move(plot));
}

Figure formats_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("formats", w("Weight on hidden keys, in three formats"),
                             {.span = 6, .height = 330});
  figure.caption =
      w("The weight on hidden keys, by method and number format. Red: some weight is wrong, "
        "whether or not the hidden keys get any; NaN: a weight is 0/0 or ∞ - ∞.");
  figure::Table table;
  table.columns = {{w("method"), 2.2f, -1}};
  for (const auto& format : kArithmetics) table.columns.push_back({std::string(format.id), 1, 1});
  for (std::size_t k = 0; k < kWays.size(); ++k) {
    std::vector<figure::Table::Cell> row{
        {{way_name(scene, static_cast<Way>(k)), Role::text, TextStyle::label}}};
    for (std::size_t f = 0; f < kArithmetics.size(); ++f) {
      const MaskedRow& masked = m.fills->formats[f][k];
      const bool bold = masked.broken() || f == arithmetic(scene);
      row.push_back({{masked.broken() ? "NaN" : weight_text(masked.leaked),
                      is_right(masked, f) ? Role::good : Role::bad,
                      bold ? TextStyle::mono_bold : TextStyle::mono}});
    }
    table.rows.push_back(std::move(row));
    table.picks.push_back(sets("way", kWays[k].id));
  }
  table.marked = to_int(p.way);
  return with_table(std::move(figure), std::move(table));
}

// --- numbers

std::vector<Readout> way_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const MaskedRow& masked = picked(scene);
  const double right = m.fills->right(scene.weight()), weight = masked.weights(scene.weight());
  const auto broken = std::count_if(ways(scene).begin(), ways(scene).end(),
                                    [](const MaskedRow& way) { return way.broken(); });
  return finite(
      {{"right", w("Right weight"), right, weight_text(right),
        w("With hidden keys left out, float64")},
       {"weight", w("Picked weight"), weight, weight_text(weight), w("With the picked method")},
       {"leaked", w("Weight on hidden keys"), masked.leaked, weight_text(masked.leaked),
        w("With the picked method; 0 would be right")},
       {"sum", w("Sum of weights"), masked.sum, weight_text(masked.sum),
        w("With the picked method; 1 would be right, or 0 when no key is visible")},
       {"error", w("Largest error"), masked.error, fmt::format("{:.2e}", masked.error),
        w("Of a weight with the picked method")},
       {"broken", w("Methods that give NaN"), broken, w.format("{} of {}", broken, kWays.size()),
        w("In the chosen number format")}});
}

// --- explanation

// The weight as it was taken out of softmax, before a mask multiplies it.
void write_softmax_weight(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const Index k = scene.weight();
  const bool multiplied = p.way == Way::weights_times_mask || p.way == Way::renormalized;
  const MaskedRow& masked = multiplied ? m.fills->unmasked[arithmetic(scene)] : picked(scene);
  SoftmaxRow row = written_row(masked.scores, k);
  bool all_infinite = true;
  for (Index j = 0; j < scene.n() && p.way == Way::left_out; ++j) {
    row.allowed.push_back(j < p.visible);
    all_infinite = all_infinite && (j >= p.visible || std::isinf(masked.scores(j)));
  }
  if (p.way == Way::left_out && all_infinite) {
    d.say(p.visible == 0
              ? w("No key is left: there is no softmax, and the weights are 0 by definition.")
              : w("Every visible score is -∞ here: there is no softmax, and the weights are 0 by "
                  "definition."));
    d.picked("p", "0");
    return;
  }
  d.softmax("p", row);
  if (p.arithmetic != Arithmetic::float64) {
    d.is(w.format("in {}", arithmetic_name(scene)), "≈ " + weight_text(masked.weights(k)));
  }
}

Explanation explain_way(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const MaskedRow& masked = picked(scene);
  const Index k = scene.weight();
  const bool seen = p.weight <= p.visible;
  const auto text = [](double score) {
    return std::abs(score) >= 1000 && std::isfinite(score) ? score_text(score) : fixed(score, 5);
  };
  Derivation d(w);
  d.say(w(kWaySentences[p.way]));
  d.is(w.format("key {}", p.weight), seen ? w("visible") : w("hidden"));
  d.is(w("score"), fmt::format("≈ {} - {}", fixed(p.x(k), 5), significant(p.lowered, 12)));
  d.is(w("stored"), "≈ " + text(ways(scene)[0].scores(k)));
  if (masked.scores(k) != m.fills->x(k) && !seen) {
    d.begin(w("before softmax"), text(masked.scores(k)));
  }
  write_softmax_weight(scene, d);
  if (p.way == Way::weights_times_mask || p.way == Way::renormalized) {
    const MaskedRow& unmasked = m.fills->unmasked[arithmetic(scene)];
    const std::string weight = significant(unmasked.weights(k)), left = seen ? weight : "0";
    d.begin(w("× mask"), fmt::format("{} · {} = {}", weight, seen ? 1 : 0, left));
    if (p.way == Way::renormalized) {
      const double sum = unmasked.weights.head(p.visible).sum();
      d.is(w("÷ the rest"), fmt::format("≈ {} / {}", left, significant(sum)));
    }
    d.about_result(weight_text(masked.weights(k)));
  }
  d.is(w("right"), "≈ " + weight_text(m.fills->right(k)));
  return {w.format("Weight {}: {}, {}", p.weight, way_name(scene, p.way), arithmetic_name(scene)),
          d.take()};
}

}  // namespace

Page fills_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Page page;
  page.figures = {masked_figure(scene), ways_figure(scene), leak_figure(scene),
                  formats_figure(scene)};
  page.readouts = way_readouts(scene);
  page.formula = "\\softmax\\left(\\text{fill}(x)\\right)";
  page.explanation = explain_way(scene);
  if (p.visible == 0) {
    page.note(
        w.format("Every key is hidden: no softmax is right. This program gives 0, libraries NaN; a "
                 "finite fill gives 1/{} for each.",
                 p.count));
  }
  if (p.arithmetic == Arithmetic::float16) {
    page.note(
        w("float16 overflows beyond 65,504: both fills are stored as -∞, and so is any lower "
          "logit."));
  } else if (p.arithmetic == Arithmetic::float32) {
    page.note(w("float32 cannot hold -4294967295: the fill is stored as -4294967296."));
  }
  page.status = w.format("keys {}, visible {} · {}", p.count, p.visible, arithmetic_name(scene));
  return page;
}

}  // namespace lab::softmax
