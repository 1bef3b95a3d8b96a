// Every tensor of the picked layer, a number of which can be taken apart.
#include "app/labs/translation/page.h"

namespace lab::translation {
namespace {

// Tensors of one place, as they are gathered.
class Gathering {
 public:
  explicit Gathering(const Scene& scene) : scene_(scene) {}

  void attention() {
    const Place& place = scene_.model.place;
    const std::string sub = place.prefix();
    const auto& layer = scene_.model.form().layer;
    const bool first = layer.norm_first && layer.normed, behind = layer.normed && !first;
    add(TensorId::input, stream_into(scene_, place), "x");
    if (first) add(TensorId::normed, sub + "normed", scene_.w("norm"));
    add_if_traced(TensorId::given, sub + "given", "x + p");
    add(TensorId::query, sub + "queries", "Q");
    add(TensorId::key, sub + "keys", "K", true);
    add(TensorId::value, sub + "values", "V", true);
    add(TensorId::heads, sub + "heads", "[head₁ … head_h]");
    add(TensorId::output, sub + "output", "· W_O");
    add(TensorId::sum, sub + "sum", "x + f(x)");
    if (behind) add(TensorId::after, sub + "after", scene_.w("norm"));
    // The decoder looks at what was read before its feed-forward network.
    if (place.part != Part::decoder && layer.feed_forward.width > 0) forward(first, behind);
  }

  // What a norm at the end of the stack makes of the last layer's output.
  void result() {
    const Place& place = scene_.model.place;
    const auto& layer = scene_.model.form().layer;
    if (!(layer.norm_first && layer.normed) || place.part == Part::decoder) return;
    if (place.layer + 1 < scene_.model.layers(place.part)) return;
    add(TensorId::result, std::string(side_of(place)) + ".out", scene_.w("norm"));
  }

  std::vector<TensorOf> take() { return std::move(all_); }

 private:
  void forward(bool first, bool behind) {
    const Place& place = scene_.model.place;
    const std::string sub = fmt::format("{}.{}.feed_forward.", side_of(place), place.layer);
    if (first) add(TensorId::second_normed, sub + "normed", scene_.w("norm"));
    add(TensorId::up, sub + "up", "x·W_1 + b_1");
    add(TensorId::active, sub + "active", "f");
    add(TensorId::down, sub + "down", "· W_2 + b_2");
    add(TensorId::second_sum, sub + "sum", "x + f(x)");
    if (behind) add(TensorId::second_after, sub + "after", scene_.w("norm"));
  }
  void add(TensorId vector, std::string name, std::string symbol, bool of_keys = false) {
    all_.push_back({vector, std::move(name), std::move(symbol), of_keys});
  }
  void add_if_traced(TensorId vector, const std::string& name, const char* symbol) {
    if (scene_.reading().looked.trace.find(name)) add(vector, name, symbol);
  }

  const Scene& scene_;
  std::vector<TensorOf> all_;
};

std::string id_of(TensorId vector) { return std::string(vector_options()[to_size(vector)].id); }

Role color_of(TensorId vector) {
  switch (vector) {
    case TensorId::query: return Role::query;
    case TensorId::key: return Role::key;
    case TensorId::value: return Role::value;
    default: return Role::dim;
  }
}

}  // namespace

const char* side_of(const Place& place) {
  return place.part == Part::encoder ? "encoder" : "decoder";
}

std::string stream_into(const Scene& scene, const Place& place) {
  if (place.part == Part::cross) {
    const auto& layer = scene.model.form().layer;
    const bool behind = layer.normed && !layer.norm_first;
    return fmt::format("decoder.{}.self.{}", place.layer, behind ? "after" : "sum");
  }
  if (place.layer == 0) return fmt::format("{}.placed", side_of(place));
  return fmt::format("{}.{}.out", side_of(place), place.layer - 1);
}

std::vector<TensorOf> tensors_of(const Scene& scene) {
  Gathering gathering(scene);
  gathering.attention();
  gathering.result();
  return gathering.take();
}

PickedNumber picked_number(const Scene& scene) {
  const std::vector<TensorOf> all = tensors_of(scene);
  const auto of = [&](TensorId vector) {
    return std::find_if(all.begin(), all.end(),
                        [&](const TensorOf& one) { return one.vector == vector; });
  };
  auto found = of(scene.p.vector);
  if (found == all.end()) found = of(TensorId::query);
  const Matrix cells = row_matrix(scene.reading().traced(found->name));
  const Index row = found->of_keys ? scene.model.key.value_or(0) : scene.model.row;
  return {*found, std::min(row, cells.rows() - 1), std::min<Index>(scene.p.dim, cells.cols() - 1)};
}

Figure numbers_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  constexpr Index kColumns = 4;
  const std::vector<TensorOf> all = tensors_of(scene);
  const PickedNumber picked = picked_number(scene);
  const Index lines = core::ceil_div(to_index(all.size()), kColumns);
  Figure figure = new_figure("numbers",
                             w.format("{}: layer {}, component by component",
                                      part_name(model.place.part, w), model.place.layer + 1),
                             {.height = 60 + 190 * to_float(lines), .columns = to_int(kColumns)});
  figure.caption = w("Every tensor of the layer in the order of computation, one row per token.");
  figure.pointer_caption =
      w("A click works out a component at the side; from there, follow its inputs down to the "
        "embedding and the position.");
  for (const TensorOf& one : all) {
    const Matrix cells = row_matrix(scene.reading().traced(one.name));
    const Labels rows =
        one.of_keys ? scene.keys(model.place.part) : scene.queries(model.place.part);
    Plot plot{.id = fmt::format("numbers_{}", id_of(one.vector)), .title = one.symbol};
    plot.x = cell_axis(w("feature"), cells.cols());
    plot.y = cell_axis(one.of_keys ? w("key's token") : w("token"), cells.rows(),
                       {.labels = rows, .color = color_of(one.vector)});
    Heatmap map = lab::heatmap(cells);
    map.row_param = one.of_keys ? "token" : "row";
    map.col_param = "dim";
    map.also = sets("explain", "number", "vector", id_of(one.vector));
    map.color_bar = false;
    if (p.explained == Explained::number && one.vector == picked.tensor.vector) {
      map.pinned = {picked.row, picked.col};
    }
    plot.add(std::move(map));
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

}  // namespace lab::translation
