// What the model says: the next tokens, what it would say after each layer, and what it writes.
#include "app/labs/checkpoint/page.h"
#include "app/labs/shared/drawing/token_flow.h"
#include "app/labs/shared/model/likeliest.h"
#include "core/text/printable.h"

namespace lab::checkpoint {
namespace {

using core::checkpoint::Kind;

constexpr double kWrittenPitch = 1.2;
constexpr Index kPooledShown = 256;

std::string place_name(const Scene& scene, std::size_t place) {
  return place == 0 ? scene.w("embedding") : scene.w.format("layer {}", place);
}

figure::Boxes::Box lens_box(const Scene& scene, std::size_t place, Index column) {
  const auto& [p, model, w] = scene;
  const Lens::Cell& cell = model.lens->cells[place][to_size(column)];
  const std::int32_t last = model.lens->cells.back()[to_size(column)].best;
  figure::Boxes::Box box;
  box.fill_cell(to_double(column), to_double(place), 0.02, 0.05);
  box.text = scene.name(cell.best);
  box.fill = Color(cell.best == last ? Role::good : Role::key, to_float(0.05 + 0.75 * cell.chance));
  const Index token = model.lens->first + column;
  box.marked = token == model.query;
  box.pick = sets("token", token);
  box.tooltip =
      w.format("token {}, {}: likeliest \"{}\" with {:.3f}; \"{}\", the final prediction, {:.3f}",
               token, place_name(scene, place), scene.name(cell.best), cell.chance,
               scene.name(last), cell.of_wanted);
  return box;
}

}  // namespace

Figure next_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD& all = *model.said;
  Plot plot = likeliest_plot(
      all,
      {.id = "next",
       .most = kListed,
       .marked = to_int(std::min<Index>(p.rank, std::min<Index>(kListed, all.size()) - 1)),
       .name = [&](std::int32_t id) { return scene.name(id); },
       .pick = [](std::size_t rank, std::int32_t) { return sets("rank", rank); }},
      w);
  const bool masked = model.facts().kind == Kind::encoder;
  Figure figure = new_figure("next", masked ? w("What could stand there") : w("The next token"),
                             {.span = 5, .height = 330});
  const Index row = model.row;
  figure.caption = masked ? w.format("The likeliest tokens (of {}) at the position of token {}.",
                                     model.facts().vocabulary, row)
                          : w.format("The likeliest of {} tokens after token {}.",
                                     model.facts().vocabulary, row);
  figure.pointer_caption = w("A click takes a probability apart.");
  return with(std::move(figure), std::move(plot));
}

Figure lens_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Lens& lens = *model.lens;
  figure::Boxes boxes;
  auto rows = std::make_shared<std::vector<std::string>>();
  for (std::size_t place = 0; place < lens.cells.size(); ++place) {
    rows->push_back(place_name(scene, place));
    for (Index t = 0; t < lens.tokens; ++t) boxes.boxes.push_back(lens_box(scene, place, t));
  }
  const auto& ids = model.tokens->ids;
  const std::vector<std::int32_t> read(ids.begin() + lens.first,
                                       ids.begin() + lens.first + lens.tokens);
  Plot plot{.id = "lens"};
  plot.x = cell_axis(w("token read"), lens.tokens,
                     {.labels = scene.names(read), .marked = to_int(model.query - lens.first)});
  plot.y = cell_axis("", to_index(rows->size()), {.labels = rows});
  plot.add(std::move(boxes));
  Figure figure =
      new_figure("lens", w("What it would say after each layer"),
                 {.span = 7, .height = std::max(330.0F, 90 + 26 * to_float(rows->size()))});
  figure.caption =
      w("In each cell the likeliest next token if no layer followed (last norm and head on the "
        "residual stream: the logit lens), the stronger the colour, the more probable; green where "
        "it is the model's final prediction.");
  return with(std::move(figure), std::move(plot));
}

Figure continuation_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto& tokens = model.continuation->tokens;
  const TokenFlow flow = token_flow(to_index(tokens.size()), 0, kMostWritten, [&](Index k) {
    return letters_of(scene.name(tokens[to_size(k)].id));
  });
  std::vector<std::int32_t> ids;
  Plot plot = flow_plot("continuation", flow, kWrittenPitch, [&](Index k) {
    const auto& one = tokens[to_size(k)];
    ids.push_back(one.id);
    const double probability = std::exp(one.log_probability);
    figure::Boxes::Box box;
    box.text = scene.name(one.id);
    box.fill = Color(Role::value, to_float(0.06 + 0.8 * probability));
    box.tooltip =
        scene.w.format("{}: \"{}\", id {}, probability {:.4f}", k, box.text, one.id, probability);
    return box;
  });
  Figure figure =
      new_figure("continuation", w("What it writes"), {.height = 90 + 34 * to_float(flow.lines)});
  figure.note = model.facts().kind == Kind::encoder_decoder
                    ? w("with a cache of keys and values; the encoder reads its text once")
                    : w("with a cache of keys and values");
  if (model.opened->tokenizer) {
    figure.footer = {
        {core::printable(model.opened->tokenizer->decode(ids), 2000), Role::text, TextStyle::body}};
  }
  figure.caption =
      p.samples
          ? w.format(
                "Tokens drawn one after another at temperature {}; the colour is the probability.",
                p.temperature)
          : w("The likeliest token each time; the colour is its probability.");
  if (model.continuation->ended)
    figure.caption = w.format("{} {} ends it.", figure.caption, scene.name(tokens.back().id));
  return with(std::move(figure), std::move(plot));
}

Figure pooled_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto& pooled = model.reading->trace.pooled;
  const Index shown = std::min<Index>(pooled.size(), kPooledShown);
  Matrix cells = pooled.head(shown).transpose();
  Plot plot{.id = "pooled",
            .x = cell_axis(w("dimension"), shown),
            .y = cell_axis("", 1),
            .marks = {lab::heatmap(cells, signed_scale(1))}};
  plot.y.visible = false;
  Figure figure = new_figure("pooled", w("The pooled output"), {.height = 150});
  figure.caption = w.format(
      "tanh of a projection of the first token's last state: {} numbers, the first {} of them.",
      pooled.size(), shown);
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::checkpoint
