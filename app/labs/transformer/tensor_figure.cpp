// The picked tensor large, and how its numbers are spread.
#include "app/labs/transformer/page.h"
#include "core/histogram.h"

namespace lab::transformer {

namespace {

// "3 “cat”", or 3 where the axis has no names.
std::string named(const Labels& names, Index at) {
  if (!names) return fmt::format("{}", at);
  return fmt::format("{} “{}”", at, (*names)[to_size(at)]);
}

}  // namespace

std::string block_title(const Scene& scene, Block block) {
  const auto& w = scene.w;
  const Spot spot = scene.spot(block);
  switch (spot.block) {
    case Kind::input: return w("Embedding and position");
    case Kind::attention:
      return spot.cross()    ? w("Cross-attention")
             : spot.causal() ? w("Causal self-attention")
                             : w("Self-attention");
    case Kind::norm:
      if (!spot.normed()) return w("Addition");
      return spot.norm_after() && spot.adds() ? w("Add & norm") : w("Norm");
    case Kind::feed_forward: return w("Feed-forward");
    case Kind::out: return spot.decoder ? w("Decoder's output") : w("Encoder's output");
    case Kind::output: break;
  }
  return w("Linear and softmax");
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
  const Index head = t.of_heads ? scene.head() : 0, row = scene.row(t.of(0)),
              col = scene.col(t.of(0));
  std::string title = tensor_title(scene, t);
  if (t.of_heads) title = w.format("{}, head {}", title, head + 1);
  if (scene.p.backward) title = "∂ " + title;
  Figure figure = new_figure("tensor", title, {.span = 8, .height = 360});
  figure.note = t.shape();
  figure.caption = w.format("{}: {}. The picked number is in row {}, column {}, counted from 0.",
                            title, t.shape(), named(t.row_labels, row), named(t.col_labels, col));
  const bool pairs = t.of_heads;
  const auto axis = [&](core::model::TensorAxis counts, const Labels& names, Index at, Index count,
                        Role role) {
    return cell_axis(w(axis_name(counts)), count,
                     {.labels = names, .color = pairs ? role : Role::dim, .marked = to_int(at)});
  };
  return with(std::move(figure),
              Plot{.id = "tensor",
                   .x = axis(t.cols, t.col_labels, col, t.col_count(), Role::key),
                   .y = axis(t.rows, t.row_labels, row, t.row_count(), Role::query),
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
  const core::Histogram all = core::histogram(t.of(t.of_heads ? scene.head() : 0), 31);
  Figure figure = new_figure("spread", w("How its numbers are spread"), {.span = 4, .height = 360});
  figure.caption = w.format(
      "How many of its numbers ({} in all) fall into each of {} equal steps from the smallest to "
      "the largest.",
      all.size, all.counts.size());
  Band band{.color = Color(Role::accent, 0.55f)};
  for (std::size_t k = 0; k < all.counts.size(); ++k) {
    band.add(all.lo + to_double(k) * all.step, 0, all.counts[k]);
    band.add(all.lo + to_double(k + 1) * all.step, 0, all.counts[k]);
  }
  figure.footer = {
      {w.format("deviation {}", significant(all.deviation, 3)), Role::dim},
      {w.format("{} to {}", significant(all.lo, 2), significant(all.hi, 2)), Role::dim}};
  return with(std::move(figure),
              Plot{.id = "spread",
                   .x = {w("value"), all.lo, all.hi},
                   .y = {w("how many"), 0, 1.05 * largest_size(all.counts)},
                   .marks = {std::move(band),
                             Rule{.at = all.mean,
                                  .color = Role::text,
                                  .label = w.format("mean {}", significant(all.mean, 3))}}});
}

}  // namespace lab::transformer
