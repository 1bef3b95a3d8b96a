// All maps of the model, and the one that is picked.
#include "app/labs/translation/page.h"

namespace lab::translation {
namespace {

const char* id_of(Part part) {
  return part == Part::cross ? "cross" : part == Part::encoder ? "encoder" : "decoder";
}

Plot empty_map(const Scene& scene, Part part, std::string id, std::string title) {
  const Labels rows = scene.queries(part), cols = scene.keys(part);
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = cell_axis(part == Part::decoder ? scene.w("token before") : scene.w("token read"),
                     to_index(cols->size()), fmt::format("{}_keys", id_of(part)));
  plot.y = cell_axis(part == Part::encoder ? scene.w("token read") : scene.w("token written"),
                     to_index(rows->size()), fmt::format("{}_queries", id_of(part)));
  plot.x.labels = cols;
  plot.y.labels = rows;
  plot.x.color = Role::key;
  plot.y.color = Role::query;
  return plot;
}

}  // namespace

Labels Scene::queries(Part part) const {
  return part == Part::encoder ? source_names(learned(), reading(), w)
                               : written_names(learned(), reading(), w);
}

Labels Scene::keys(Part part) const {
  return part == Part::decoder ? given_names(learned(), reading(), w)
                               : source_names(learned(), reading(), w);
}

std::string part_name(Part part, const Words& w) {
  switch (part) {
    case Part::encoder: return w("Encoder self-attention");
    case Part::decoder: return w("Decoder self-attention");
    case Part::cross: break;
  }
  return w("Cross-attention");
}

Figure maps_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  constexpr Index kMostInARow = 8;
  const Index heads = model.heads();
  Index maps = 0;
  for (const Part part : {Part::encoder, Part::decoder, Part::cross}) {
    maps += heads * model.layers(part);
  }
  const Index columns = std::min(kMostInARow, std::max<Index>(maps, 1));
  const Index rows = core::ceil_div(maps, columns);
  Figure figure = new_figure("maps", w("All heads"),
                             {.height = 60 + 150 * to_float(rows), .columns = to_int(columns)});
  figure.caption = w.format(
      "Every head of the model on this text. Row: query; column: key. In the encoder both are "
      "tokens read; the decoder attends to the tokens it wrote before, and to the encoder's "
      "output.");
  for (const Part part : {Part::encoder, Part::decoder, Part::cross}) {
    for (Index layer = 0; layer < model.layers(part); ++layer) {
      for (Index head = 0; head < heads; ++head) {
        const Place place{part, layer, head};
        Plot plot =
            empty_map(scene, part, fmt::format("{}_{}_{}", id_of(part), layer + 1, head + 1),
                      w.format("{} {}.{}",
                               part == Part::encoder   ? w("encoder")
                               : part == Part::decoder ? w("decoder")
                                                       : w("cross"),
                               layer + 1, head + 1));
        Heatmap map = lab::heatmap(model.weights_of(place), weight_scale(1));
        map.bar_label = w("weight");
        figure.plots.push_back(
            thumbnail(std::move(plot), std::move(map), place == model.place,
                      sets("part", id_of(part), "layer", layer + 1, "head", head + 1)));
      }
    }
  }
  return figure;
}

Figure map_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Place& place = model.place;
  Figure figure = new_figure(
      "map",
      w.format("{}: layer {}, head {}", part_name(place.part, w), place.layer + 1, place.head + 1),
      {.span = 7, .height = 400});
  figure.caption = w.format("The weights of one head; each row sums to 1. {}",
                            place.part == Part::encoder ? w("Row and column: the tokens read.")
                            : place.part == Part::decoder
                                ? w("Row: the token written; column: those before it.")
                                : w("Row: the token written; column: the token read."));
  Plot plot = empty_map(scene, place.part, "map", "");
  Heatmap map = lab::heatmap(model.weights, weight_scale(1));
  map.row_param = "row";
  map.col_param = "token";
  map.also = explains("weight");
  map.bar_label = w("weight");
  if (model.key) map.pinned = {model.row, *model.key};
  plot.y.marked = to_int(model.row);
  if (model.key) plot.x.marked = to_int(*model.key);
  plot.add(std::move(map));
  return with(std::move(figure), std::move(plot));
}

std::vector<float> looked_at(const Scene& scene) {
  const Model& model = scene.model;
  if (model.form().decoder_layers == 0) return {};
  // The picked head's row where it looks at the source, else the first cross-attention's.
  const bool own = model.place.part != Part::decoder;
  const Place place = own ? model.place : Place{Part::cross, model.form().decoder_layers - 1, 0};
  const Matrix weights = head_matrix(model.traced(place, "weights"), place.head);
  const Index row =
      std::min<Index>(place.part == Part::encoder ? model.row : model.step, weights.rows() - 1);
  return {weights.row(row).begin(), weights.row(row).end()};
}

}  // namespace lab::translation
