// The picked tensor large, and how its numbers are spread.
#include "app/labs/transformer/page.h"

namespace lab::transformer {
namespace {

constexpr int kBins = 31;

std::vector<double> finite_values(const MatrixD& cells) {
  std::vector<double> values;
  for (Index k = 0; k < cells.size(); ++k) {
    if (std::isfinite(cells.data()[k])) values.push_back(cells.data()[k]);
  }
  return values;
}

}  // namespace

std::string named(const Labels& names, Index at) {
  if (!names) return fmt::format("{}", at);
  return fmt::format("{} “{}”", at, (*names)[to_size(at)]);
}

std::string block_title(const Scene& scene, Block block) {
  const bool relative = facts(block).kind == Kind::norm && !scene.spot(block).normed();
  if (relative) return scene.w("Addition");
  if (facts(block).kind == Kind::norm && scene.spot(block).norm_first()) return scene.w("Norm");
  if (facts(block).kind == Kind::norm && !scene.spot(block).adds()) return scene.w("Norm");
  return scene.w(facts(block).title);
}

std::string tensor_title(const Scene& scene, const Tensor& tensor) {
  const auto& w = scene.w;
  const BlockFacts& info = facts(tensor.block);
  const std::string title = block_title(scene, tensor.block);
  if (info.kind == Kind::input || info.kind == Kind::out || info.kind == Kind::output) {
    return w.format("{}: {}", title, tensor.symbol);
  }
  const Index layer = scene.spot(tensor.block).layer + 1;
  return info.decoder ? w.format("{}, decoder layer {}: {}", title, layer, tensor.symbol)
                      : w.format("{}, encoder layer {}: {}", title, layer, tensor.symbol);
}

Figure tensor_figure(const Scene& scene) {
  const auto& w = scene.w;
  const Tensor t = scene.shown();
  const Index head = t.of_heads ? scene.head() : 0, row = scene.row(t), col = scene.col(t);
  std::string title = tensor_title(scene, t);
  if (t.of_heads) title = w.format("{}, head {}", title, head + 1);
  if (scene.p.backward) title = "∂ " + title;
  Figure figure = new_figure("tensor", title, {.span = 8, .height = 360});
  figure.note = t.shape();
  figure.caption = w.format("{}: {}. The picked number stands in row {}, column {}.", title,
                            t.shape(), named(t.rows, row), named(t.cols, col));
  const bool pairs = t.of_heads;
  const auto axis = [&](std::string_view name, const Labels& names, Index at, Index count,
                        Role role) {
    return cell_axis(w(name), count,
                     {.labels = names, .color = pairs ? role : Role::dim, .marked = to_int(at)});
  };
  return with(std::move(figure),
              Plot{.id = "tensor",
                   .x = axis(t.col_name, t.cols, col, t.col_count(), Role::key),
                   .y = axis(t.row_name, t.rows, row, t.row_count(), Role::query),
                   .marks = {Heatmap{.source = source_of(t, head),
                                     .scale = colors(t),
                                     .row_param = "row",
                                     .col_param = "col",
                                     .also = sets("explain", "tensor"),
                                     .pinned = std::pair{row, col}}},
                   .square = pairs});
}

Figure spread_figure(const Scene& scene) {
  const auto& w = scene.w;
  const Tensor t = scene.shown();
  const std::vector<double> values = finite_values(t.of(t.of_heads ? scene.head() : 0));
  Extent extent;
  extent.add(values);
  if (extent.hi <= extent.lo) extent = {extent.lo - 0.5, extent.lo + 0.5};
  std::vector<double> counts(kBins, 0);
  double sum = 0, squares = 0;
  for (const double v : values) {
    const double share = (v - extent.lo) / (extent.hi - extent.lo);
    ++counts[std::min<std::size_t>(kBins - 1, to_size(share * kBins))];
    sum += v;
    squares += v * v;
  }
  const double count = to_double(values.size()), mean = sum / count;
  Figure figure = new_figure("spread", w("How its numbers are spread"), {.span = 4, .height = 360});
  figure.caption = w.format(
      "How many of its {} numbers fall into each of {} equal steps from the smallest to the "
      "largest.",
      values.size(), kBins);
  Plot plot{.id = "spread",
            .x = {w("value"), extent.lo, extent.hi},
            .y = {w("how many"), 0, 1.05 * largest_size(counts)}};
  const double step = (extent.hi - extent.lo) / kBins;
  Band band{.color = Color(Role::accent, 0.55f)};
  for (int k = 0; k < kBins; ++k) {
    for (const double x : {extent.lo + k * step, extent.lo + (k + 1) * step}) {
      band.x.push_back(x);
      band.lo.push_back(0);
      band.hi.push_back(counts[to_size(k)]);
    }
  }
  plot.add(std::move(band));
  plot.add(
      Rule{.at = mean, .color = Role::text, .label = w.format("mean {}", significant(mean, 3))});
  figure.footer = {
      {w.format("deviation {}",
                significant(std::sqrt(std::max(0.0, squares / count - mean * mean)), 3)),
       Role::dim},
      {w.format("{} to {}", significant(extent.lo, 2), significant(extent.hi, 2)), Role::dim}};
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::transformer
