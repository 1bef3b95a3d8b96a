// The sequence, the heads that look at it, and what comes next.
#include "app/labs/gpt_training/page.h"

namespace lab::gpt_training {
namespace {

// So many tokens fit into a row as the longest of them lets.
Index tokens_a_row(const std::vector<std::string>& names) {
  std::size_t longest = 1;
  for (const std::string& name : names) {
    longest = std::max(longest, core::task::split(name, core::Unit::characters).size());
  }
  return longest <= 2 ? 32 : longest <= 4 ? 16 : longest <= 6 ? 12 : 8;
}

Plot empty_map(const Scene& scene, std::string id, std::string title) {
  const Labels names = scene.tokens();
  const auto n = to_index(names->size());
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = cell_axis(scene.w("key"), n, "keys");
  plot.y = cell_axis(scene.w("token"), n, "queries");
  plot.x.labels = plot.y.labels = names;
  plot.x.color = Role::key;
  plot.y.color = Role::query;
  return plot;
}

// Lines that the card has room for; a character beyond ASCII is as wide as two.
std::vector<std::string> lines_of(const std::vector<std::string>& tokens) {
  constexpr std::size_t kMostWide = 30;
  std::vector<std::string> lines(1);
  std::size_t wide = 0;
  for (const std::string& token : tokens) {
    const std::size_t own = core::task::split(token, core::Unit::characters).size();
    const std::size_t width = token.size() > own ? 2 * own : own;
    if (wide + width > kMostWide) {
      lines.emplace_back();
      wide = 0;
    }
    lines.back() += token;
    wide += width;
  }
  return lines;
}

}  // namespace

Figure text_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Probe& probe = scene.probe();
  const Labels names = scene.tokens();
  const Index a_row = tokens_a_row(*names);
  const Index n = probe.tokens(), rows = core::ceil_div(n, a_row);
  const Matrix weights = model.weights_of(model.layer, model.head);
  Plot plot{.id = "sequence"};
  plot.x = {.hi = to_double(std::clamp<Index>(n, std::min<Index>(16, a_row), a_row)),
            .visible = false};
  plot.y = {.lo = 0, .hi = to_double(rows), .visible = false};
  figure::Boxes boxes;
  for (Index t = 0; t < n; ++t) {
    const double x = to_double(t % a_row), y = to_double(rows - 1 - t / a_row);
    const float given = weights(model.place, t), weight = core::is_masked(given) ? 0 : given;
    boxes.boxes.push_back(
        {.x0 = x + 0.04,
         .y0 = y + 0.3,
         .x1 = x + 0.96,
         .y1 = y + 0.95,
         .text = (*names)[to_size(t)],
         .fill = Color(Role::key, 0.06F + 0.8F * weight),
         .marked = t == model.place,
         .pick = sets("place", t),
         .tooltip = w.format("\"{}\": weight {:.3f}", (*names)[to_size(t)], weight)});
    const std::int32_t next = probe.next(t);
    if (next < 0) continue;
    const double chance = probe.probability(t, next);
    boxes.boxes.push_back(
        {.x0 = x + 0.04,
         .y0 = y + 0.1,
         .x1 = x + 0.96,
         .y1 = y + 0.22,
         .fill = Color(Role::value, to_float(0.05 + 0.9 * chance)),
         .tooltip = w.format("\"{}\" comes next: probability {:.3f}", scene.token(next), chance)});
  }
  plot.add(std::move(boxes));
  Figure figure = new_figure("sequence", w("The text, and how well each next token is guessed"),
                             {.height = 60 + 62 * to_float(rows)});
  figure.caption = w.format(
      "The sequence, token by token. The stronger a token's colour, the more the marked one "
      "attends to it, in layer {}, head {}; the stronger that of the bar under a token, the surer "
      "the model was of the next one.",
      model.layer + 1, model.head + 1);
  return with(std::move(figure), std::move(plot));
}

Figure map_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("map", w.format("Layer {}, head {}", model.layer + 1, model.head + 1),
                             {.span = 7, .height = 420});
  figure.caption = w.format(
      "The weights of one head. Row: the query's token; column: the token it attends to, itself or "
      "an earlier one. Each row sums to 1.");
  Plot plot = empty_map(scene, "map", "");
  Heatmap map = lab::heatmap(model.weights_of(model.layer, model.head), weight_scale(1));
  map.row_param = "place";
  map.col_param = "token";
  map.also = explains("weight");
  map.bar_label = w("weight");
  if (model.key) map.pinned = {model.place, *model.key};
  plot.y.marked = to_int(model.place);
  if (model.key) plot.x.marked = to_int(*model.key);
  plot.add(std::move(map));
  return with(std::move(figure), std::move(plot));
}

Figure maps_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  constexpr Index kMostInARow = 8;
  const Index layers = model.learned.layers(), maps = layers * model.heads();
  const Index columns =
      model.heads() > 1 ? std::min(kMostInARow, model.heads()) : std::min(kMostInARow, maps);
  const Index rows = core::ceil_div(maps, columns);
  Figure figure = new_figure("maps", w("All heads"),
                             {.span = columns > 4 ? 12 : 7,
                              .height = 60 + 170 * to_float(rows),
                              .columns = to_int(columns)});
  figure.caption = w.format(
      "All heads on this sequence; layers: {}, heads per layer: {}. Row: query; column: key.",
      layers, model.heads());
  for (Index layer = 0; layer < layers; ++layer) {
    for (Index head = 0; head < model.heads(); ++head) {
      Plot plot = empty_map(scene, fmt::format("map_{}_{}", layer + 1, head + 1),
                            w.format("layer {}, head {}", layer + 1, head + 1));
      Heatmap map = lab::heatmap(model.weights_of(layer, head), weight_scale(1));
      map.bar_label = w("weight");
      figure.plots.push_back(thumbnail(std::move(plot), std::move(map),
                                       layer == model.layer && head == model.head,
                                       sets("layer", layer + 1, "head", head + 1)));
    }
  }
  return figure;
}

Figure next_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  constexpr std::size_t kShown = 12;
  const Probe& probe = scene.probe();
  const VectorD chances = probe.looked.probabilities.row(model.place).cast<double>().transpose();
  std::vector<std::int32_t> ids = core::decode::by_probability(chances);
  std::erase_if(ids, [&](std::int32_t id) { return id < core::task::first_used(scene.task()); });
  const std::int32_t next = probe.next(model.place);
  // What came stands there whatever its place is.
  const auto came = std::find(ids.begin(), ids.end(), next);
  if (next >= 0 && came - ids.begin() >= static_cast<std::ptrdiff_t>(kShown)) {
    ids[kShown - 1] = next;
  }
  ids.resize(std::min(kShown, ids.size()));
  Bars bars{.color = Role::query};
  auto names = std::make_shared<std::vector<std::string>>();
  for (std::size_t k = 0; k < ids.size(); ++k) {
    bars.values.push_back(chances[ids[k]]);
    names->push_back(scene.token(ids[k]));
    if (ids[k] == next) bars.marked = to_int(k);
  }
  Plot plot{.id = "next"};
  plot.x = cell_axis(w("the next token"), to_index(ids.size()), {.labels = std::move(names)});
  plot.y = {.label = w("probability"), .hi = 1.08, .end = 1};
  plot.add(std::move(bars));
  Figure figure = new_figure("next", w.format("What comes after \"{}\"", scene.here()),
                             {.span = 5, .height = 420});
  figure.caption =
      w.format("The likeliest tokens after position {}, \"{}\", and their probabilities.",
               model.place, scene.here());
  if (next >= 0) {
    figure.caption =
        w.format("{} {}", figure.caption, w("The highlighted one is the actual next token."));
  }
  return with(std::move(figure), std::move(plot));
}

Figure samples_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  struct Shown {
    const Sample& sample;
    std::vector<std::string> lines;
  };
  std::vector<Shown> all;
  double rows = 0;
  for (const Sample& sample : *model.samples) {
    std::vector<std::string> tokens;
    for (const auto& token : sample.written.tokens) tokens.push_back(scene.token(token.id));
    all.push_back({sample, lines_of(tokens)});
    rows += 1.3 + to_double(all.back().lines.size());
  }
  Plot plot{.id = "samples"};
  plot.x = {.hi = 1, .visible = false};
  plot.y = {.lo = 0, .hi = rows, .visible = false};
  double y = rows;
  for (const auto& [sample, lines] : all) {
    plot.add(Note{0.01, y - 0.6,
                  sample.likeliest
                      ? w("likeliest each time")
                      : w.format("sampled, ln P = {:.2f}", sample.written.log_probability),
                  Role::dim});
    y -= 1;
    for (const std::string& line : lines) {
      plot.add(
          Note{0.01, y - 0.5, line, sample.likeliest ? Role::accent : Role::text, TextStyle::mono});
      y -= 1;
    }
    y -= 0.3;
  }
  const auto& ids = scene.probe().sequence.ids;
  std::string prompt;
  for (Index t = 0; t < model.prompt; ++t) prompt += scene.token(ids[to_size(t)]);
  Figure figure =
      new_figure("samples", w("What it writes"), {.span = 5, .height = 60 + 20 * to_float(rows)});
  figure.caption = w.format(
      "What the model writes after \"{}\": with the likeliest token each time, and sampled from "
      "its probabilities at temperature {:g}.",
      prompt, p.temperature);
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::gpt_training
