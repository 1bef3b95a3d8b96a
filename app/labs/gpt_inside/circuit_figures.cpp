// Heads as maps over the vocabulary, and which heads are in line.
#include "app/labs/gpt_inside/page.h"

namespace lab::gpt_inside {
namespace {

constexpr Index kMostMappedLayers = 2;

std::string through_name(const Scene& scene, const HeadIndex& earlier) {
  return scene.w.format("what head {} adds when it attends to a token", head_name(earlier));
}

std::string map_title(const Scene& scene, const CircuitMap& map) {
  const auto& [p, model, w] = scene;
  switch (p.circuit) {
    case Circuit::qk: return w.format("QK circuit of head {}", head_name(model.place));
    case Circuit::ov:
      return map.options.value_through
                 ? w.format("OV circuit of head {} through head {}", head_name(model.place),
                            head_name(*map.options.value_through))
                 : w.format("OV circuit of head {}", head_name(model.place));
    case Circuit::direct: break;
  }
  return w("From token to logits with no layer between");
}

std::string map_caption(const Scene& scene, const CircuitMap& map) {
  const auto& [p, model, w] = scene;
  std::string text = p.circuit == Circuit::qk
                         ? w("Row: the query's token; column: the key's token; cell: the score, "
                             "without the norms' scale and all biases.")
                         : w("Row: a token; column: a logit; cell: how much attending to the token "
                             "adds to it, without the norms' scale and all biases.");
  if (map.options.key_through) {
    text = w.format("{} {}", text,
                    w.format("The key is {}.", through_name(scene, *map.options.key_through)));
  }
  if (map.options.query_through) {
    text = w.format("{} {}", text,
                    w.format("The query is {}.", through_name(scene, *map.options.query_through)));
  }
  return text;
}

// Rows of the later layer's heads, columns of the first layer's; Q, K and V one after another.
Matrix compositions(const Scene& scene, int which) {
  const auto& [p, model, w] = scene;
  const Index heads = model.story.heads_of_layer();
  Matrix cells(heads, heads);
  for (Index later = 0; later < heads; ++later) {
    for (Index earlier = 0; earlier < heads; ++earlier) {
      const core::task::Composition one = core::task::composition(
          *scene.changed().model, scene.changed().numbers(), {0, earlier}, {1, later});
      cells(later, earlier) = to_float(which == 0 ? one.query : which == 1 ? one.key : one.value);
    }
  }
  return cells;
}

Labels heads_of(const Scene& scene, Index layer) {
  return labels(each(scene.model.story.heads_of_layer(), [&](Index head) {
    return head_name({layer, head});
  }));
}

}  // namespace

Labels Scene::text_labels() const {
  return labels(each(reading().ids, [&](const std::int32_t id) { return name(id); }));
}

Labels Scene::vocabulary() const {
  const auto& of = *model.story.model;
  return labels(each(to_index(of.tokens.size()),
                     [&](Index id) { return story_token(of, static_cast<std::int32_t>(id)); }));
}

std::optional<CircuitMap> circuit_map(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (model.story.layers() > kMostMappedLayers) return std::nullopt;
  CircuitMap map{.factors = {}, .cells = {}, .options = {.folded = p.folded}};
  map.options.distance = std::min<Index>(p.distance, model.form().positions.longest - 1);
  if (p.through > 0 && model.place.layer > 0) {
    const HeadIndex earlier{0, std::min<Index>(p.through, model.story.heads_of_layer()) - 1};
    auto& through = p.circuit == Circuit::ov   ? map.options.value_through
                    : p.side == Through::query ? map.options.query_through
                                               : map.options.key_through;
    through = earlier;
  }
  const Changed& of = scene.changed();
  switch (p.circuit) {
    case Circuit::qk:
      map.factors = core::task::qk_circuit(*of.model, of.numbers(), model.place, map.options);
      break;
    case Circuit::ov:
      map.factors = core::task::ov_circuit(*of.model, of.numbers(), model.place, map.options);
      break;
    case Circuit::direct:
      map.factors = core::task::direct_circuit(*of.model, of.numbers(), map.options);
      break;
  }
  map.cells = map.factors.cells();
  return map;
}

Index distances_of(const core::task::SequenceTask& task) {
  return std::min<Index>(kMostDistance + 1, core::task::longest_sequence(task));
}

std::optional<double> highest_here(const Scene& scene, const CircuitMap& map) {
  const auto& [p, model, w] = scene;
  const Changed& of = scene.changed();
  if (p.circuit != Circuit::qk || !of.model->decoder.stack.positions.query_rotations) {
    return std::nullopt;
  }
  const Index first = core::task::first_used(of.model->task), count = map.cells.rows() - first;
  const auto used = [&](const MatrixD& cells) {
    return cells.bottomRightCorner(count, count).eval();
  };
  MatrixD others = MatrixD::Constant(count, count, -std::numeric_limits<double>::infinity());
  core::task::CircuitOptions options = map.options;
  const Index end = distances_of(of.model->task);
  for (options.distance = 0; options.distance < end; ++options.distance) {
    if (options.distance == map.options.distance) continue;
    const auto one = core::task::qk_circuit(*of.model, of.numbers(), model.place, options);
    others = others.cwiseMax(used(one.cells()));
  }
  return to_double((used(map.cells).array() > others.array()).count()) / to_double(count * count);
}

Figure circuit_figure(const Scene& scene, const CircuitMap& map) {
  const auto& [p, model, w] = scene;
  const Index words = map.cells.rows();
  const Matrix cells = map.cells.cast<float>();
  const Labels names = scene.vocabulary();
  const bool looks = p.circuit == Circuit::qk;
  Plot plot{.id = "circuit",
            .x = cell_axis(looks ? w("key's token") : w("logit"), words,
                           {.labels = names, .color = Role::key}),
            .y = cell_axis(looks ? w("query's token") : w("token"), words,
                           {.labels = names, .color = Role::query}),
            .marks = {Heatmap{.source = cells_of(cells),
                              .scale = signed_scale(cells),
                              .row_param = "row",
                              .col_param = "col",
                              .pinned = std::pair{std::min<Index>(p.row, words - 1),
                                                  std::min<Index>(p.col, words - 1)}}},
            .square = true};
  Figure figure = new_figure("circuit", map_title(scene, map), {.span = 8, .height = 560});
  figure.caption = map_caption(scene, map);
  return with(std::move(figure), std::move(plot));
}

Figure composition_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("composition", w("Composition of heads"),
                             {.span = 4, .height = 560, .columns = 1});
  const double chance = 1 / std::sqrt(to_double(model.form().layer.d_model));
  figure.caption = w.format(
      "How much of what a head of layer 1 writes is read by the queries, keys and values of a head "
      "of layer 2; for randomly rotated matrices about 1/√d = {:.3f}.",
      chance);
  constexpr std::string_view kNames[] = {N_("by queries (Q)"), N_("by keys (K)"),
                                         N_("by values (V)")};
  constexpr const char* kIds[] = {"composition_q", "composition_k", "composition_v"};
  for (int which = 0; which < 3; ++which) {
    Matrix cells = compositions(scene, which);
    const auto axis = [&](std::string label, Index layer) {
      return cell_axis(std::move(label), cells.rows(),
                       {.labels = heads_of(scene, layer), .named = true});
    };
    figure.plots.push_back({.id = kIds[which],
                            .title = w(kNames[which]),
                            .x = axis(w("layer 1"), 0),
                            .y = axis(w("layer 2"), 1),
                            .marks = {lab::heatmap(cells, {.hi = 1})}});
  }
  return figure;
}

}  // namespace lab::gpt_inside
