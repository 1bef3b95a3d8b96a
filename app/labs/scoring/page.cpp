#include "app/labs/scoring/page.h"
#include "app/labs/shared/text/text.h"

#include "core/attention/dot_statistics.h"
#include "core/attention/scoring.h"
#include "core/attention/softmax.h"
#include "core/enum_array.h"

namespace lab::scoring {
namespace {

// --- how scores spread with the width, and what that does to softmax

constexpr int kPlainColor = 1, kDividedColor = 4, kByWidthColor = 10;
// The normal densities that scores of wider and wider vectors pass by.
constexpr Index kPassedWidths[] = {16, 64, 256, 1024};
constexpr int kCurvePoints = 241;

// What a histogram is drawn on: the same for every width, so that a spread that grows is seen to.
struct Frame {
  double reach, top;
};
constexpr Frame kPlainFrame{112, 0.13};  // 3.5 deviations of the widest
constexpr Frame kDividedFrame{4.5, 0.75};

// Densities of the sample, as steps from 0.
Band steps_of(const OneWidth::Histogram& histogram, Color color) {
  Band bars{.color = color};
  for (std::size_t k = 0; k < histogram.density.size(); ++k) {
    const double from = histogram.from + histogram.step * to_double(k);
    for (const double x : {from, from + histogram.step}) {
      bars.x.push_back(x);
      bars.lo.push_back(0);
      bars.hi.push_back(histogram.density[k]);
    }
  }
  return bars;
}

void add_passed_width(Index d, Plot& plot) {
  const auto variance = to_double(d);
  Line line{.color = Color(Role::text, 0.28f), .width = 1};
  for (int k = 0; k < kCurvePoints; ++k) {
    const double x = plot.x.lo + (plot.x.hi - plot.x.lo) * k / (kCurvePoints - 1);
    line.add(x, core::normal_density(x, variance));
  }
  plot.add(std::move(line));
}

Plot spread_plot(const Scene& scene, bool divided) {
  const auto& [p, m, w] = scene;
  const OneWidth& width = *m.width;
  const OneWidth::Histogram& histogram = divided ? width.divided : width.plain;
  const Frame& frame = divided ? kDividedFrame : kPlainFrame;
  const double theory = divided ? 1 : p.d, deviation = std::sqrt(theory);
  const double sampled = divided ? width.point.variance / p.d : width.point.variance;
  const int head = divided ? kDividedColor : kPlainColor;
  Plot plot{.id = divided ? "divided" : "plain",
            .title = divided ? w("q·k / √d, finer axis") : w("q·k"),
            .note = w.format("variance {:.4g}, theory {}", sampled, theory),
            .x = {w("score"), -frame.reach, frame.reach},
            .y = {w("density"), 0, frame.top},
            .selected = divided == p.divided,
            .click = sets("divided", divided ? "true" : "false")};
  const double peak = *std::max_element(histogram.exact.begin(), histogram.exact.end());
  if (peak > frame.top) plot.note = w.format("the peak, {:.2f}, lies above", peak);
  plot.add(Rule{true, -deviation, Role::dim});
  plot.add(Rule{.at = deviation,
                .color = Role::dim,
                .label = divided ? "1" : "√d " + equated(deviation, significant(deviation, 3))});
  plot.add(steps_of(histogram, Color::of_head(head, 0.3f)));
  if (!divided) {
    const double near = kDividedFrame.reach;  // as far as the other axis goes
    plot.add(Band{{-near, near}, {0, 0}, {frame.top, frame.top}, Color(Role::text, 0.1f)});
    for (const Index d : kPassedWidths) add_passed_width(d, plot);
  }
  plot.add(Line{histogram.z, histogram.normal, Role::dim, 1.5f, true});
  plot.add(Line{histogram.z, histogram.exact, Color::of_head(head), 2.2f});
  return plot;
}

Figure spread_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("spread", w.format("Scores of random vectors of width {}", p.d),
                             {.span = 8, .height = 300, .columns = 2});
  figure.note = w.format("{} scores", m.width->scores.size());
  figure.caption = w.format(
      "Histogram of {} products q·k of width {} with entries of variance 1, and of the same "
      "divided by √{}; the ground at the left is as wide as the axis at the right. Line: the exact "
      "density; dashed: the normal densities of variance {} and of variance 1; faint: those of "
      "widths 16, 64, 256 and 1024; vertical: one standard deviation. Framed: the scores that "
      "enter the softmax.",
      m.width->scores.size(), p.d, p.d, p.d);
  return with(std::move(figure), spread_plot(scene, false), spread_plot(scene, true));
}

// One row of weights, which saturates where scores are wide and not divided.
Figure row_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const VectorD& weights = p.divided ? m.width->divided_weights : m.width->plain_weights;
  const Saturation& mean = p.divided ? m.width->point.divided : m.width->point.plain;
  Index at = 0;
  const double largest = weights.maxCoeff(&at);
  Figure figure = new_figure("row", w("Softmax of one query"), {.span = 4, .height = 300});
  figure.caption = p.divided
                       ? w.format(
                             "The weights of the first query's {} keys, its scores of width {} "
                             "divided by √{}. The largest weight of a query is {} on average.",
                             p.row_keys, p.d, p.d, weight_text(mean.largest))
                       : w.format(
                             "The weights of the first query's {} keys, its scores of width {} not "
                             "divided. The largest weight of a query is {} on average.",
                             p.row_keys, p.d, weight_text(mean.largest));
  Plot plot = bar_plot({.id = "row",
                        .title = p.divided ? w("softmax(q·k / √d)") : w("softmax(q·k)"),
                        .values = weights,
                        .color = Color::of_head(p.divided ? kDividedColor : kPlainColor),
                        .marked = at,
                        .top = kWeightTop,
                        .x = cell_axis(w("key"), weights.size())});
  plot.note = w.format("largest {:.2f} here, {:.2f} on average", largest, mean.largest);
  plot.add(Rule{false, 1.0 / p.row_keys, Role::dim, true, fmt::format("1/{}", p.row_keys)});
  return with(std::move(figure), std::move(plot));
}

// A quantity of every width, with a click or a drag that chooses the width.
Plot width_plot(const Scene& scene, std::string id, std::string label) {
  Plot plot{.id = std::move(id), .x_param = "d"};
  plot.x = log_axis(scene.w("width d"), 2, kWidest, {.link = "width"});
  plot.y.label = std::move(label);
  plot.add(
      Rule{true, scene.p.d, Color(Role::accent, 0.7f), true, fmt::format("d = {}", scene.p.d)});
  return plot;
}

template <class Value>
void add_curve(const Scene& scene, Value value, int head, std::string label, Plot& plot) {
  Line line{.color = Color::of_head(head), .width = 2, .label = std::move(label)};
  for (const WidthPoint& point : scene.model.widths->points) line.add(point.d, value(point));
  Points points{line.x, line.y, line.color};
  plot.add(std::move(line));
  plot.add(std::move(points));
}

// What `plain` and `divided` give, as two curves.
template <class Plain, class Divided>
void add_both(const Scene& scene, Plain plain, Divided divided, Plot& plot) {
  add_curve(scene, plain, kPlainColor, scene.w("q·k"), plot);
  add_curve(scene, divided, kDividedColor, scene.w("q·k / √d"), plot);
}
void add_both(const Scene& scene, double Saturation::*part, Plot& plot) {
  add_both(
      scene, [part](const WidthPoint& point) { return point.plain.*part; },
      [part](const WidthPoint& point) { return point.divided.*part; }, plot);
}

Figure variance_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure = new_figure("variance", w("Variance of a score"), {.span = 4, .height = 300});
  figure.note = w("dashed: theory");
  figure.caption =
      w("The variance of sampled products q·k against their width, and of the same divided by √d, "
        "and by d; theory: d, 1 and 1/d.");
  Plot plot = width_plot(scene, "variance", w("variance"));
  plot.y = log_axis(w("variance"), 0.25 / kWidest, 4.0 * kWidest);
  plot.add(Line{{2, kWidest}, {2, kWidest}, Role::dim, 1.5f, true});
  plot.add(Line{{2, kWidest}, {1, 1}, Role::dim, 1.5f, true});
  plot.add(Line{{2, kWidest}, {1.0 / 2, 1.0 / kWidest}, Role::dim, 1.5f, true});
  const auto divided = [](const WidthPoint& point) { return point.variance / to_double(point.d); };
  add_both(
      scene, [](const WidthPoint& point) { return point.variance; }, divided, plot);
  add_curve(
      scene, [&](const WidthPoint& point) { return divided(point) / to_double(point.d); },
      kByWidthColor, w("q·k / d"), plot);
  return with(std::move(figure), std::move(plot));
}

Figure saturation_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("saturation", w("The effect on softmax"),
                             {.span = 8, .height = 300, .columns = 2});
  figure.note = w.format("mean of {} queries with {} keys each", p.rows, p.row_keys);
  figure.caption = w.format(
      "Against the width: the largest of {} weights, and the size of the softmax's Jacobian "
      "(Frobenius norm), means over {} queries, with and without division by √d.",
      p.row_keys, p.rows);
  Plot largest = width_plot(scene, "largest", w("largest weight"));
  largest.add(Rule{false, 1.0 / p.row_keys, Role::dim, true, fmt::format("1/{}", p.row_keys)});
  add_both(scene, &Saturation::largest, largest);
  Plot gradient = width_plot(scene, "gradient", w("size of the Jacobian"));
  gradient.y.hi = 0.01;
  for (const WidthPoint& point : m.widths->points) {
    gradient.y.hi = std::max({gradient.y.hi, point.plain.gradient, point.divided.gradient});
  }
  gradient.y.hi *= 1.15;
  add_both(scene, &Saturation::gradient, gradient);
  return with(std::move(figure), std::move(largest), std::move(gradient));
}

std::vector<Readout> width_readouts(const Scene& scene) {
  const Parameters& p = scene.p;
  const Model& m = scene.model;
  const Words& w = scene.w;
  const WidthPoint& point = m.width->point;
  const double scaled = point.variance / p.d;
  std::vector<Readout> out{
      {"variance", w("Variance of q·k"), point.variance,
       w.format("{:.4g}, theory {}", point.variance, p.d), w("Over all sampled pairs")},
      {"scaled_variance", w("Variance after scaling"), scaled,
       w.format("{:.4g}, theory {}", scaled, 1), w("The same pairs, divided by √d")}};
  const auto add = [&scene, &out, &w](const char* id, const std::string& label,
                                      double Saturation::*part, const std::string& help) {
    const double plain = scene.model.width->point.plain.*part;
    const double divided = scene.model.width->point.divided.*part;
    out.push_back({fmt::format("{}_plain", id), w.format("{}, {}", label, "q·k"), plain,
                   weight_text(plain), help});
    out.push_back({fmt::format("{}_divided", id), w.format("{}, {}", label, "q·k / √d"), divided,
                   weight_text(divided), help});
  };
  add("largest", w("Largest weight"), &Saturation::largest,
      w("Mean over the queries of the largest weight"));
  add("entropy", w("Entropy"), &Saturation::entropy, w("Mean over the queries, in nats"));
  add("gradient", w("Size of the Jacobian"), &Saturation::gradient,
      w("Frobenius norm of softmax's Jacobian, mean over the queries"));
  return out;
}

// Where the variance of scores comes from, and what softmax makes of the first query's.
Explanation explain_width(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const OneWidth& width = *m.width;
  const double scale = core::attention_scale<double>(p.d), variance = width.point.variance;
  Derivation d(w);
  d.begin("q·k", "Σ q_i k_i").begin("Var(q_i k_i)", "Var(q_i) Var(k_i) = 1");
  d.begin("Var(q·k)", fmt::format("1 + … + 1 = d = {}", p.d));
  const auto sampled = [&d, &scene](double value) {
    d.line("", {accented(scene.w.format("sampled: {:.4g}", value))});
  };
  sampled(variance);
  d.begin(w("deviation"), fmt::format("√{} ≈ {}", p.d, significant(1 / scale)));
  sampled(std::sqrt(variance));
  d.begin("Var(q·k / √d)", fmt::format("{0} / {0} = 1", p.d));
  sampled(variance * scale * scale);
  const Saturation& mean = p.divided ? width.point.divided : width.point.plain;
  d.heading(p.divided ? w("The first query, divided by √d") : w("The first query, not divided"));
  const VectorD scores = width.scores.row(0).transpose() * (p.divided ? scale : 1);
  Index largest = 0;
  scores.maxCoeff(&largest);
  d.softmax("p", written_row(scores, largest));
  d.is(w("mean of all"), w.format("largest weight {}", weight_text(mean.largest)));
  d.is("", w.format("entropy {:.4f} nats", mean.entropy));
  d.is("", w.format("size of the Jacobian {}", weight_text(mean.gradient)));
  d.say(p.divided ? w("Divided by √d, scores do not spread further as vectors get wider: no weight "
                      "takes all, and its derivative p (1 - p) is not 0.")
                  : w("The wider the vectors, the further apart the scores: one weight takes all, "
                      "and where a weight is 1 its derivative p (1 - p) is 0."));
  return {w.format("Scores of width {}", p.d), d.take()};
}

}  // namespace

std::string number(double value) { return significant(value, 7); }

SoftmaxRow written_row(const VectorD& scores, Index picked) {
  return {.scores = {scores.begin(), scores.end()},
          .picked = to_size(picked),
          .name = [](std::size_t j) { return fmt::format("({})", j); },
          .in_full = true};
}

Page compute(const Parameters& p, const Context& context) {
  constexpr core::EnumArray<View, Page (*)(const Scene&)> kPages{
      {plane_page, heights_page, width_page}};
  const Model model = make_model(p, context);
  Page page = kPages[p.view]({p, model, context.words});
  page.cards = cards("scoring", context.words);
  return page;
}

Page width_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Page page;
  page.made_up = w("random vectors: nothing was learned");
  page.figures = {spread_figure(scene), row_figure(scene), variance_figure(scene),
                  saturation_figure(scene)};
  page.readouts = width_readouts(scene);
  page.formula =
      "\\text{Var}\\left(\\Q{q} \\cdot \\K{k}\\right) = d \\quad \\text{Var}\\left(\\frac{\\Q{q} "
      "\\cdot \\K{k}}{\\sqrt{d}}\\right) = 1";
  page.explanation = explain_width(scene);
  page.status =
      w.format("d = {} · queries {} · keys each {} · seed {}", p.d, p.rows, p.row_keys, p.seed);
  return page;
}

}  // namespace lab::scoring
