// The text, every head's map as layers are computed, the picked head, and what heads do in numbers.
#include "app/labs/checkpoint/page.h"
#include "app/labs/shared/drawing/token_flow.h"
#include "app/labs/shared/drawing/token_map.h"
#include "app/labs/shared/model/written_heads.h"

namespace lab::checkpoint {
namespace {

namespace published = core::checkpoint;

constexpr Index kTextLines = 8;
constexpr double kLinePitch = 1.9;

using SharedMask = std::shared_ptr<const Mask>;

// What is not seen is drawn as absent.
SharedMask mask_of(const Model& model, Index layer) {
  if (!model.causal()) return nullptr;
  const Index n = model.queries(), window = model.window(layer);
  const Mask causal = Mask::causal(n, n);
  return std::make_shared<const Mask>(window > 0 ? causal & Mask::local(n, n, window - 1) : causal);
}

std::shared_ptr<const TileSource> weights_source(const Model& model, Index layer, Index head,
                                                 const SharedMask& mask) {
  const core::HeadWeights& weights = model.attending(layer)->weights[to_size(head)];
  return std::make_shared<DenseSource>(model.layer(layer), weights.data(), weights.rows(),
                                       weights.cols(), mask);
}

PairMap map_of(const Scene& scene) {
  const Model& model = scene.model;
  return reading_map(model.queries(), model.keys(), scene.names(model.query_ids()), model.query,
                     model.key, scene.w);
}

Plot map_plot(const Scene& scene, std::string id, std::string title) {
  Plot plot = map_of(scene).plot(std::move(id), std::move(title));
  plot.x.labels = scene.names(scene.model.key_ids());
  return plot;
}

struct Strip {
  std::string id, lead;
  const std::vector<std::int32_t>* ids;
  std::string sets;  // what a click sets
  Index marked;
  bool weighed;  // as bright as the picked head looks at it
};

figure::Boxes::Box strip_box(const Scene& scene, const Strip& strip, Index t) {
  const auto& [p, model, w] = scene;
  const std::int32_t id = (*strip.ids)[to_size(t)];
  figure::Boxes::Box box;
  box.text = scene.name(id);
  box.marked = t == strip.marked;
  box.pick = sets(strip.sets, t);
  const std::string bytes = model.opened->bytes(id);
  box.tooltip = bytes.empty() ? w.format("token {}: id {}", t, id)
                              : w.format("token {}: id {}, bytes {}", t, id, bytes);
  box.fill = Color(Role::key, 0.06F);
  const auto* looks = model.attending();
  if (!strip.weighed || !looks || !model.sees(model.query, t)) return box;
  const float weight = looks->weights[to_size(model.place.head)](model.query, t);
  box.fill = Color(Role::key, 0.06F + 0.8F * weight);
  box.tooltip += " · " + w.format("weight {:.3f}", weight);
  return box;
}

// The lines around the marked token.
TokenFlow flow_of(const Scene& scene, const Strip& strip) {
  const auto& ids = *strip.ids;
  return token_flow(to_index(ids.size()), strip.marked, kTextLines, [&](Index t) {
    const std::int32_t id = ids[to_size(t)];
    return std::max(letters_of(scene.name(id)), letters_of(fmt::format("{}", id)));
  });
}

// Each token with its id under it.
Plot strip_plot(const Scene& scene, const Strip& strip, const TokenFlow& flow) {
  Plot plot = flow_plot(strip.id, flow, kLinePitch);
  plot.lead = strip.lead;
  figure::Boxes boxes{.value_name = "token id"};
  for (const TokenFlow::Place& place : flow.places) {
    figure::Boxes::Box box = strip_box(scene, strip, place.token);
    box.value = (*strip.ids)[to_size(place.token)];
    place_box(box, place, kLinePitch);
    plot.add(Note{.x = (box.x0 + box.x1) / 2,
                  .y = box.y0 - 0.38,
                  .text = fmt::format("{}", (*strip.ids)[to_size(place.token)]),
                  .color = Role::dim,
                  .style = TextStyle::mono_small,
                  .align = 0});
    boxes.boxes.push_back(std::move(box));
  }
  plot.add(std::move(boxes));
  return plot;
}

std::pair<Index, Index> sheet_layers(const Model& model) {
  if (model.reading && model.reading->only) return {model.place.layer, model.place.layer + 1};
  return lab::sheet_layers(model.layers(), model.facts().heads, model.place.layer);
}

struct NamedStatistic {
  std::string_view id, name;
  double HeadStatistics::*value;
  enum class Of { all, one_text, past } of = Of::all;  // which attentions have it
  bool share = true;                                   // from 0 to 1
};
using Of = NamedStatistic::Of;
constexpr std::array<NamedStatistic, 7> kStatistics{
    {{"previous", N_("previous token"), &HeadStatistics::previous, Of::one_text},
     {"first", N_("first token"), &HeadStatistics::first},
     {"self", N_("itself"), &HeadStatistics::diagonal, Of::one_text},
     {"entropy", N_("entropy"), &HeadStatistics::entropy_share},
     {"distance", N_("distance"), &HeadStatistics::distance, Of::one_text, false},
     {"duplicate", N_("same token"), &HeadStatistics::duplicate, Of::past},
     {"induction", N_("behind the same"), &HeadStatistics::induction, Of::past}}};

bool has_statistic(const Model& model, const NamedStatistic& one) {
  if (one.of == Of::past) return model.causal();
  return one.of == Of::all || !model.place.cross;
}

Plot statistic_plot(const Scene& scene, const NamedStatistic& one) {
  const Model& model = scene.model;
  const Index layers = model.layers(), heads = model.facts().heads;
  Matrix cells = Matrix::Constant(layers, heads, core::kMasked);
  float largest = 0;
  for (std::size_t l = 0; l < model.statistics->size(); ++l) {
    const auto& of = (*model.statistics)[l];
    for (std::size_t h = 0; h < of.size(); ++h) {
      const auto value = to_float(of[h].*one.value);
      if (std::isnan(value)) continue;  // no token had a choice
      cells(to_index(l), to_index(h)) = value;
      largest = std::max(largest, value);
    }
  }
  return {.id = "statistic_" + std::string(one.id),
          .title = scene.w(one.name),
          .x = counted_axis(scene.w("head"), heads, "head"),
          .y = counted_axis(scene.w("layer"), layers, "layer"),
          .marks = {Heatmap{.source = cells_of(cells),
                            .scale = {.hi = one.share ? 1 : std::max(largest, 1.0F)},
                            .pinned = std::pair{model.place.layer, model.place.head}}},
          .x_param = "head",
          .y_param = "layer"};
}

}  // namespace

std::string Scene::head_name() const { return lab::head_name(model.place.layer, model.place.head); }

Labels Scene::names(const std::vector<std::int32_t>& ids) const {
  return labels(each(ids, [&](const std::int32_t id) { return name(id); }));
}

Figure text_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool cross = model.place.cross;
  Figure figure = new_figure("text", w("The text in tokens"), {.columns = 1});
  std::vector<Strip> strips{{"text", "", &model.query_ids(), "token", model.query, !cross}};
  if (cross) {
    strips.push_back({"source", "", &model.key_ids(), "key", model.key.value_or(-1), true});
  }
  std::vector<TokenFlow> flows;
  Index lines = 1;
  for (const Strip& strip : strips) {
    flows.push_back(flow_of(scene, strip));
    lines = std::max(lines, flows.back().lines);
  }
  for (std::size_t k = 0; k < strips.size(); ++k) {
    const Index n = to_index(strips[k].ids->size());
    if (figure.note.empty() && flows[k].end() - flows[k].begin() < n) {
      figure.note =
          w.format("{} tokens, those around token {}", n, std::max<Index>(strips[k].marked, 0));
    }
    flows[k].lines = lines;  // plots of a figure are of one height
    figure.plots.push_back(strip_plot(scene, strips[k], flows[k]));
  }
  figure.height = 46 + to_float(strips.size()) * (24 + 46 * to_float(lines));
  figure.caption = w.format(
      "Each token and its id; the stronger the colour, the more head {} attends to it from the "
      "marked one. Bytes that are no whole character are written as \\x...",
      scene.head_name());
  figure.pointer_caption = w("A click marks another; the pointer shows the token's own bytes.");
  return figure;
}

Figure sheet_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto [first, end] = sheet_layers(model);
  const Index heads = model.facts().heads;
  const int columns = sheet_columns(heads);
  const Index rows = (end - first) * core::ceil_div(heads, columns);
  Figure figure =
      new_figure("heads", w("Every head"),
                 {.span = columns <= 6 ? 7 : 12,
                  .height = 60 + sheet_row(columns) * to_float(std::max<Index>(rows, 2)),
                  .columns = columns});
  if (end - first < model.layers()) {
    figure.note = w.format("layers {} to {} of {}", first + 1, end, model.layers());
  }
  if (!model.reading || !model.reading->whole) figure.note = w("layers are being computed");
  figure.caption = w("Layer and head, counted from 1; row: the query, column: the key.");
  figure.pointer_caption = w("Click a head to choose it.");
  for (Index layer = first; layer < end; ++layer) {
    const SharedMask mask = mask_of(model, layer);
    const auto* looks = model.attending(layer);
    for (Index head = 0; head < heads; ++head) {
      const std::string name = lab::head_name(layer, head);
      Plot plot = map_plot(scene, "head_" + name, name);
      plot.thumbnail = true;
      plot.selected = layer == model.place.layer && head == model.place.head;
      plot.click = sets("layer", layer + 1, "head", head + 1);
      if (looks) {
        plot.add(Heatmap{.source = weights_source(model, layer, head, mask),
                         .scale = weight_scale(1),
                         .color_bar = false});
      }
      figure.plots.push_back(std::move(plot));
    }
  }
  return figure;
}

Figure map_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool wide = model.facts().heads > 6;
  Figure figure = new_figure("map", w.format("Head {}", scene.head_name()),
                             {.span = wide ? 12 : 5, .height = wide ? 620.0F : 500.0F});
  if (const Index window = model.window(model.place.layer); window > 0) {
    figure.note = w.format("the last {} tokens", window);
  }
  figure.caption = w("Row: query; column: key.");
  figure.pointer_caption = w("A click works out a weight.");
  Plot plot = map_plot(scene, "map", w("weights"));
  plot.add(map_of(scene).cells(
      weights_source(model, model.place.layer, model.place.head, mask_of(model, model.place.layer)),
      weight_scale(1)));
  return with(std::move(figure), std::move(plot));
}

Figure statistics_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure(
      "statistics", w("What heads attend to, on average over this text"),
      {.height = 200 + 12 * to_float(std::min<Index>(model.layers(), 24)), .columns = 4});
  figure.caption =
      model.place.cross
          ? w("Means over the tokens that see more than one: the weight on the first token; the "
              "entropy by that of equal weights.")
          : w("Means over the tokens that see more than one: the weight on the token before, on "
              "the first token and on the token itself; the entropy by that of equal weights; the "
              "distance in tokens; of causal heads also, for every token that occurred before, the "
              "weight on its earlier positions, and on the tokens after those.");
  for (const NamedStatistic& one : kStatistics) {
    if (!has_statistic(model, one)) continue;
    figure.plots.push_back(statistic_plot(scene, one));
  }
  if (figure.plots.size() > 4) figure.height *= 1.8F;
  return figure;
}

}  // namespace lab::checkpoint
