// Every tensor of the picked layer, a number of which can be taken apart.
#include "app/labs/translation/page.h"
#include "core/model/pass_tensors.h"

namespace lab::translation {
namespace {

using core::model::BlockKind, core::model::BlockPlace, core::model::SublayerNames,
    core::model::TensorPart;

// Tensors of one place, as they are gathered.
class Gathering {
 public:
  explicit Gathering(const Scene& scene) : scene_(scene) {}

  void attention() {
    const SublayerNames names = scene_.model.names();
    add(TensorId::input, names.stream(), "x");
    if (names.norm_first()) add(TensorId::normed, names.after_norm(), scene_.w("norm"));
    if (names.has_course()) add(TensorId::given, names.given(), "x + p");
    const BlockPlace made{names, BlockKind::attention};
    add(TensorId::query, made, TensorPart::queries);
    add(TensorId::key, made, TensorPart::keys);
    add(TensorId::value, made, TensorPart::values);
    add(TensorId::heads, made, TensorPart::heads);
    add(TensorId::output, made, TensorPart::result);
    add(TensorId::sum, {names, BlockKind::norm}, TensorPart::sum);
    if (names.norm_after()) add(TensorId::after, names.after_norm(), scene_.w("norm"));
    // The decoder looks at what was read before its feed-forward network.
    const bool feeds = names.form.layer.feed_forward.width > 0;
    if (scene_.model.place.part != Part::decoder && feeds) forward();
  }

  // What a norm at the end of the stack makes of the last layer's output.
  void result() {
    const Place& place = scene_.model.place;
    const SublayerNames names = scene_.model.names();
    if (!names.norm_first() || place.part == Part::decoder) return;
    if (place.layer + 1 < scene_.model.layers(place.part)) return;
    add(TensorId::result, names.side() + ".out", scene_.w("norm"));
  }

  std::vector<TensorOf> take() { return std::move(all_); }

 private:
  void forward() {
    const SublayerNames names = scene_.model.names(core::model::Sublayer::feed_forward);
    if (names.norm_first()) add(TensorId::second_normed, names.after_norm(), scene_.w("norm"));
    const BlockPlace made{names, BlockKind::feed_forward};
    add(TensorId::up, made, TensorPart::up);
    add(TensorId::active, made, TensorPart::active);
    add(TensorId::down, made, TensorPart::result);
    add(TensorId::second_sum, {names, BlockKind::norm}, TensorPart::sum);
    if (names.norm_after()) add(TensorId::second_after, names.after_norm(), scene_.w("norm"));
  }
  void add(TensorId vector, std::string name, std::string symbol, bool of_keys = false) {
    all_.push_back({vector, std::move(name), std::move(symbol), of_keys});
  }
  void add(TensorId vector, const BlockPlace& place, TensorPart part) {
    const core::model::TensorFacts facts = core::model::tensor_facts(place, part);
    add(vector, facts.name, facts.symbol, facts.rows == core::model::TensorAxis::key_token);
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
