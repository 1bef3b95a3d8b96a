// The figures: the kernel and its weights, and the data with what is fitted.
#include "app/figure/layout.h"
#include "app/labs/pooling/page.h"
#include "core/enum_array.h"

namespace lab::pooling {
namespace {

using core::PoolingKernel;

// --- the four kernels, what each bandwidth would be worth, and the steps of training

constexpr double kReach = 3;  // in bandwidths
constexpr int kSteps = 300;   // of the curve on each side
constexpr Index kMostKeys = 2000;
constexpr std::size_t kMostDots = 60;

// In the order of PoolingKernel.
constexpr struct {
  const char *id, *word, *formula;
} kKernels[] = {{"gaussian", N_("Gaussian"), "K(u) = e^(-u²/2) / √2π"},
                {"boxcar", N_("boxcar"), "K(u) = 1/2, |u| ≤ 1"},
                {"epanechnikov", N_("Epanechnikov"), "K(u) = 3/4 (1 - u²), |u| ≤ 1"},
                {"triangular", N_("triangular"), "K(u) = 1 - |u|, |u| ≤ 1"}};
static_assert(std::size(kKernels) == core::kEnumerators<PoolingKernel>);

// The curve, and on it the keys of the picked query.
Plot kernel_plot(const Scene& scene, PoolingKernel kernel) {
  const auto& [id, word, formula] = kKernels[to_size(kernel)];
  const bool chosen = kernel == scene.p.kernel;
  Plot plot{.id = fmt::format("kernel_{}", id),
            .title = scene.w(word),
            .note = formula,
            .x = {.label = "u = (q - x) / h", .lo = -kReach, .hi = kReach, .link = "u"},
            .y = {.hi = 1.1},
            .selected = chosen,
            .click = sets("kernel", id)};
  Line line{.color = chosen ? Role::accent : Role::dim, .width = 2};
  for (int k = -kSteps; k <= kSteps; ++k) {
    const double u = kReach * k / kSteps;
    line.add(u, core::pooling_kernel(kernel, u));
  }
  plot.add(std::move(line));
  if (!chosen || scene.data().size() > kMostKeys) return plot;
  Points keys{.color = Role::key};
  for (const double x : scene.data().x) {
    const double u = (scene.query() - x) / scene.p.bandwidth;
    if (std::abs(u) > kReach) continue;
    keys.add(u, core::pooling_kernel(kernel, u));
  }
  plot.add(std::move(keys));
  return plot;
}

// One value a step; a click goes to the step.
Plot step_curve(const Scene& scene, std::string id, std::string label,
                double Training::State::*value, Role color) {
  const auto& [p, model, w] = scene;
  Plot plot{.id = std::move(id),
            .x = {.label = w("steps of training"), .hi = to_double(p.epochs), .link = "step"},
            .y = {.label = std::move(label)},
            .click = explains("training"),
            .x_param = "step"};
  Line line{.color = color, .width = 2};
  for (const Training::State& state : model.training->states) line.add(line.x.size(), state.*value);
  Extent extent;
  extent.add(line.y);
  const double height = extent.hi - extent.lo;
  const double room = height > 0 ? 0.08 * height : std::max(1e-6, 0.1 * std::abs(extent.hi));
  plot.y.lo = extent.lo - room;
  plot.y.hi = extent.hi + room;
  plot.marks = {line};
  if (line.x.size() <= kMostDots) plot.add(Points{line.x, line.y, color});
  if (p.uses_rate_after()) {
    plot.add(Rule{true, p.change_at, Role::dim, true, w.format("rate {}", number(p.rate_after))});
  }
  const double step = to_double(model.step);
  plot.add(Rule{true, step, Role::accent});
  plot.add(picked_point(step, model.state().*value));
  return plot;
}

// --- the points with the curve through them, and the weights that queries give to them

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Index kMostPicked = 2000;  // points that can be clicked one by one
constexpr Index kMostStems = 400;
constexpr std::size_t kSizes = 9;  // of points, by weight

Assignments picks(Index key) { return sets("key", key, "explain", "prediction"); }

std::string short_number(double value) { return significant(value == 0 ? 0 : value, 4); }

// Names, ranges and what a place sets, for every figure over x. Places set the query.
Axis x_axis(const Scene& scene) {
  const Data& data = scene.data();
  const VectorD& queries = scene.model.pooled->queries;
  const double room = 0.01 * (data.hi - data.lo);
  return {.label = scene.x_name(),
          .lo = data.lo - room,
          .hi = data.hi + room,
          .link = "x",
          .origin = queries(0),
          .unit = queries(1) - queries(0)};
}

std::vector<double> truths(const VectorD& x) {
  std::vector<double> y;
  for (const double place : x) y.push_back(truth(place));
  return y;
}

// Room for the points and for the bump of the kernel below them.
Extent y_range(const Scene& scene) {
  Extent range;
  for (const double y : scene.data().y) range.add(y);
  for (const double y : scene.model.fit->y) range.add(y);
  if (scene.data().known) range.add(truths(scene.model.fit->x));
  if (range.empty()) range = {0, 1};
  const double height = std::max(range.hi - range.lo, 1e-9 * std::max(1.0, std::abs(range.hi)));
  range = {range.lo - 0.22 * height, range.hi + 0.08 * height};
  return scene.p.clicked() ? Extent{std::min(range.lo, -1.0), std::max(range.hi, 5.0)} : range;
}

// 0 to 1, by the weight of a key as a part of the largest.
double part_of(const Scene& scene, Index j) {
  const double largest = scene.row().largest();
  return largest > 0 ? scene.weight(j) / largest : 0;
}

// Points drawn in a few sizes: what has more weight is larger and darker.
void add_points(const Scene& scene, Plot& plot) {
  const Data& data = scene.data();
  const bool many = data.size() > kMostPicked;
  std::array<Points, kSizes> sizes;
  for (Index j = 0; j < data.size(); ++j) {
    const auto size = to_size(std::ceil(part_of(scene, j) * (kSizes - 1)));
    Points& points = sizes[std::min(size, kSizes - 1)];
    points.add(data.x(j), data.y(j));
    if (!many) points.picks.push_back(picks(j));
  }
  for (std::size_t k = 0; k < kSizes; ++k) {
    const auto part = to_float(k) / (kSizes - 1);
    sizes[k].radius = many ? 1 + 0.8f * part : 2.5f + 3.5f * part;
    sizes[k].color = Color(Role::value, 0.28f + 0.72f * part);
    if (!sizes[k].x.empty()) plot.add(std::move(sizes[k]));
  }
}

// Clicked points can be dragged; their indices are those of clicking.
void add_handles(const Scene& scene, Plot& plot) {
  const Data& data = scene.data();
  for (Index j = 0; j < data.size(); ++j) {
    const auto part = to_float(part_of(scene, j));
    plot.add(Handle{.x = data.x(j),
                    .y = data.y(j),
                    .color = Color(Role::value, 0.35f + 0.65f * part),
                    .radius = 3 + 4 * part,
                    .points_param = "points",
                    .point = to_size(data.clicked[to_size(j)])});
  }
}

// The weight a key anywhere would have, as a bump at the foot of the plot.
Band bump(const Scene& scene, const Extent& range) {
  Band band{.color = Color(Role::query, 0.22f)};
  const double height = 0.13 * (range.hi - range.lo);
  const auto& [kernel, bandwidth] = scene.model.weighing;
  for (const double x : scene.model.fit->x) {
    const double u = (scene.query() - x) / bandwidth;
    band.x.push_back(x);
    band.lo.push_back(range.lo);
    band.hi.push_back(range.lo +
                      height * core::pooling_kernel(kernel, u) / core::pooling_kernel(kernel, 0));
  }
  return band;
}

Rule query_rule(const Scene& scene) {
  return {true, scene.query(), Color(Role::query, 0.8f), true, "q"};
}

Handle query_handle(const Scene& scene, const Extent& range) {
  const bool there = !scene.model.empty() && !scene.row().empty();
  return {.x = scene.query(),
          .y = there ? scene.row().prediction() : range.lo + 0.05 * (range.hi - range.lo),
          .x_param = "query",
          .also = explains("prediction"),
          .color = Role::query};
}

void add_key(const Scene& scene, Plot& plot, double (*height)(const Scene&, Index)) {
  if (const auto key = scene.key()) {
    plot.add(picked_point(scene.data().x(*key), height(scene, *key), 4));
  }
}

void add_curves(const Scene& scene, Plot& plot) {
  const Fit& fit = *scene.model.fit;
  const std::vector<double> x(fit.x.begin(), fit.x.end());
  if (scene.data().known) plot.add(Line{x, truths(fit.x), Role::dim, 1.5f, true, scene.w("truth")});
  if (scene.model.empty()) return;
  plot.add(Line{x, {fit.y.begin(), fit.y.end()}, Role::accent, 2.5f, false, scene.w("f")});
}

std::string method_name(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (p.method == Method::average) return w("average");
  if (p.method == Method::kernel) {
    return w.format("{}, h = {}", kernel_word(p.kernel, w), short_number(p.bandwidth));
  }
  const std::string size = short_number(1 / model.weighing.bandwidth);
  return model.training ? w.format("|w| = {} at step {}", size, model.step)
                        : w.format("|w| = {}", size);
}

Plot weight_map(const Scene& scene, std::string id, std::string title, const Pooled& pooled,
                double largest) {
  const auto& [p, model, w] = scene;
  const PairMap map{.queries = p.queries,
                    .keys = model.data->size(),
                    .query = p.query,
                    .key = scene.key().value_or(-1),
                    .pinned = scene.key().has_value(),
                    .pool = p.pool,
                    .query_label = w("query i"),
                    .key_label = w("key j, in order of x"),
                    .query_link = "queries",
                    .key_link = "keys"};
  const auto hi = to_float(largest > 0 ? largest * (1 + 1e-6) : 1);
  Plot plot =
      map.plot(std::move(id), std::move(title), pooled.cells, {.hi = hi}, explains("prediction"));
  plot.square = false;
  plot.x.marked = -1;
  std::get<Heatmap>(plot.marks.front()).bar_label = w("weight α");
  return plot;
}

// Those asked for, or, where training stopped, those that were made.
int steps(const Scene& scene) {
  const Training& training = *scene.model.training;
  return training.fault.empty() ? scene.p.epochs : training.made();
}

// "0.5", or "20, from step 3 on 0.1".
std::string rates(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (!p.uses_rate_after()) return number(p.rate);
  return w.format("{}, from step {} on {}", number(p.rate), p.change_at, number(p.rate_after));
}

}  // namespace

std::string kernel_word(PoolingKernel kernel, const Words& w) {
  return w(kKernels[to_size(kernel)].word);
}

Figure kernels_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("kernels", w("How weight falls with distance"), {.height = 240, .columns = 4});
  figure.pointer_note = w("click a kernel");
  figure.caption = w.format(
      "Four kernels K(u) over the distance u from query to key in bandwidths; the {} one carries "
      "the keys up to {} bandwidths from the query at {}.",
      kernel_word(scene.p.kernel, w), kReach, number(scene.query()));
  return with(std::move(figure), kernel_plot(scene, PoolingKernel::gaussian),
              kernel_plot(scene, PoolingKernel::boxcar),
              kernel_plot(scene, PoolingKernel::epanechnikov),
              kernel_plot(scene, PoolingKernel::triangular));
}

Figure sweep_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto& [bandwidths, errors] = *model.sweep;
  Figure figure = new_figure("sweep", w("Which bandwidth is best"), {.span = 5, .height = 340});
  figure.caption = w.format(
      p.kernel == PoolingKernel::gaussian
          ? N_("Mean squared error of points predicted from all the others ({} kernel) against the "
               "bandwidth h.")
          : N_("Mean squared error of points predicted from all the others ({} kernel) against the "
               "bandwidth h; a point with no other within reach is predicted as 0."),
      kernel_word(p.kernel, w));
  Plot plot{.id = "sweep",
            .x = log_axis(w("bandwidth h"), 0.01, 10),
            .y = {w("left-out error")},
            .x_param = "bandwidth"};
  if (bandwidths.empty()) {
    plot.note = w("at least two points are needed");
  } else {
    plot.x.lo = std::min(bandwidths.front(), p.bandwidth);
    plot.x.hi = std::max(bandwidths.back(), p.bandwidth);
    plot.y.hi = 1.08 * std::max(largest_size(errors), model.fit->left_out_error);
  }
  if (!(plot.y.hi > 0)) plot.y.hi = 1;
  plot.marks = {Line{bandwidths, errors, Role::text, 2},
                Rule{true, p.bandwidth, Role::accent, true, "h"}};
  if (model.can_leave_out()) {
    plot.add(picked_point(p.bandwidth, model.fit->left_out_error));
  }
  return with(std::move(figure), std::move(plot));
}

Figure loss_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("loss", w("The loss, step by step"), {.span = 6, .height = 260});
  figure.note = w.format("{} at step {}", number(model.state().loss), model.step);
  figure.caption = w.format(
      "Loss over gradient descent (steps: {}) with learning rate {}: squared errors of {} points, "
      "each predicted from all the others, {}.",
      steps(scene), rates(scene), model.data->size(),
      scene.mean_loss() ? w("their mean") : w("summed"));
  return with(
      std::move(figure),
      step_curve(scene, "loss", scene.mean_loss() ? w("mean squared error") : w("squared errors"),
                 &Training::State::loss, Role::bad));
}

Figure width_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("w", w("w, step by step"), {.span = 6, .height = 260});
  const double size = std::abs(model.state().w);
  figure.note =
      size > 0 ? w.format("a bandwidth of {}", number(1 / size)) : w("an infinite bandwidth");
  figure.caption = w.format("w over gradient descent (steps: {}) from {} with learning rate {}.",
                            steps(scene), number(p.w0), rates(scene));
  return with(std::move(figure), step_curve(scene, "w", "w", &Training::State::w, Role::query));
}

Figure data_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("data", w("Points and prediction"), {.span = 7, .height = 380});
  if (p.trains()) figure.plays = "step";
  figure.note = method_name(scene);
  const bool alike = std::isinf(model.weighing.bandwidth);
  figure.caption = w.format(
      alike
          ? N_("Points (x, y), {} in all, and f, the mean of y weighted by attention ({}). All "
               "points have the same weight for the query at {} = {}, and for every other.")
          : N_("Points (x, y), {} in all, and f, the mean of y weighted by attention ({}). Larger "
               "points have more weight for the query at {} = {}; the bump below is its kernel."),
      model.data->size(), figure.note, scene.x_name(), number(scene.query()));
  const Extent range = y_range(scene);
  Plot plot{.id = "data",
            .x = x_axis(scene),
            .y = {scene.y_name(), range.lo, range.hi},
            .click = explains("prediction"),
            .x_param = "query"};
  if (p.clicked()) {
    plot.points_param = "points";
    plot.pointer_note = w("click adds a point, drag moves it, right-click removes it");
  }
  if (!model.empty()) plot.add(bump(scene, range));
  if (!model.empty() && !p.clicked()) add_points(scene, plot);
  add_curves(scene, plot);
  if (p.clicked()) add_handles(scene, plot);
  add_key(scene, plot, [](const Scene& of, Index key) { return of.data().y(key); });
  plot.add(query_rule(scene));
  plot.add(query_handle(scene, range));
  return with(std::move(figure), std::move(plot));
}

Figure weights_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Data& data = *model.data;
  Figure figure = new_figure("weights", w("The weights of the query"), {.span = 5, .height = 380});
  figure.note = w.format("q = {}", number(scene.query()));
  const bool none = !model.empty() && scene.row().empty();
  figure.caption =
      w.format(none ? N_("The weight of each key for the query at {} = {}: no key is within reach, "
                         "and all are 0.")
                    : N_("The weight of each key for the query at {} = {}; they add up to 1."),
               scene.x_name(), number(scene.query()));
  const double largest = model.empty() ? 0 : scene.row().largest();
  Plot plot{.id = "weights",
            .x = x_axis(scene),
            .y = {w("weight α"), 0, largest > 0 ? 1.1 * largest : 1},
            .marks = {query_rule(scene)},
            .x_param = "query"};
  const bool many = data.size() > kMostStems;
  Line stems{.color = Color(Role::key, 0.6f)};
  Points tops{.color = Role::key, .radius = many ? 1.2f : 3};
  for (Index j = 0; j < data.size(); ++j) {
    const double x = data.x(j), weight = scene.weight(j);
    if (!many) {
      stems.x.insert(stems.x.end(), {x, x, x});
      stems.y.insert(stems.y.end(), {0, weight, kNan});
    }
    tops.add(x, weight);
    if (data.size() <= kMostPicked) tops.picks.push_back(picks(j));
  }
  if (!stems.x.empty()) plot.add(std::move(stems));
  plot.add(std::move(tops));
  add_key(scene, plot, [](const Scene& of, Index key) { return of.weight(key); });
  if (none) plot.note = w("no key is within the bandwidth: all weights are 0");
  return with(std::move(figure), std::move(plot));
}

Figure attention_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("attention", w("Attention: every query over every key"),
                             {.span = model.sweep ? 7 : 12, .height = 340});
  const Index keys = model.data->size();
  const double mine = model.pooled->largest;
  if (!model.before) {
    figure.pointer_note = w("click a cell");
    figure.caption =
        w.format("Attention weights, a row for each query ({}) and a column for each key ({}).",
                 p.queries, keys);
    return with(std::move(figure), weight_map(scene, "attention", "", *model.pooled, mine));
  }
  const double largest = std::max(mine, model.before->largest);
  const std::string before = number(p.w0), after = number(model.state().w);
  const auto noted = [](Plot plot, const std::string& weight) {
    plot.note = fmt::format("w = {}", weight);
    return plot;
  };
  figure.columns = 2;
  figure.note = w("one colour scale");
  figure.caption = w.format(
      "Attention weights, a row for each query ({}) and a column for each key ({}), before "
      "training (w = {}) and after step {} (w = {}), on one colour scale.",
      p.queries, keys, before, model.step, after);
  return with(
      std::move(figure),
      noted(weight_map(scene, "attention_before", w("before training"), *model.before, largest),
            before),
      noted(weight_map(scene, "attention", w.format("after step {}", model.step), *model.pooled,
                       largest),
            after));
}

}  // namespace lab::pooling
