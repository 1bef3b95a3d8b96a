// The alignment, and one step of training in slow motion.
#include "app/labs/alignment/page.h"

namespace lab::alignment {
namespace {

using core::task::SlowStage, core::task::SlowStep;

// --- the stages of a step

std::string stage_name(const Scene& scene, const SlowStage& stage) {
  const Words& w = scene.w;
  switch (stage.kind) {
    case SlowStage::Kind::batch: return w("batch");
    case SlowStage::Kind::loss: return w("loss");
    case SlowStage::Kind::clip: return w("clip");
    case SlowStage::Kind::update: return w("update");
    case SlowStage::Kind::forward:
    case SlowStage::Kind::backward: break;
  }
  if (stage.token >= 0) return fmt::format("{}", stage.token + 1);
  if (stage.part == "encoder") return w("embed");
  if (stage.part == "encoder.0.forward") return w("read →");
  if (stage.part == "encoder.0.backward") return w("read ←");
  if (stage.part.empty()) return w("begin");
  return w("embed");
}

// What a stage is and does, in a sentence.
std::string stage_sentence(const Scene& scene, const SlowStage& stage) {
  const auto& [p, model, w] = scene;
  const SlowStep& slow = *model.slow;
  switch (stage.kind) {
    case SlowStage::Kind::batch:
      return w.format("Pairs drawn: {}; the first is \"{}\" and \"{}\".", slow.batch.size(),
                      slow.batch.front().source, slow.batch.front().target);
    case SlowStage::Kind::loss:
      return w.format("The loss is the mean of -ln P of the right tokens: {:.4f} nats.", slow.loss);
    case SlowStage::Kind::clip:
      return slow.clipped_to < slow.gradient_norm
                 ? w.format("The whole gradient has norm {:.4f}: it is clipped to {:.4f}.",
                            slow.gradient_norm, slow.clipped_to)
                 : w.format("The whole gradient has norm {:.4f}, not more than 1: it stays.",
                            slow.gradient_norm);
    case SlowStage::Kind::update:
      return w.format(
          "AdamW moves every parameter against its gradient, with the learning rate {:.5f}; the "
          "bars show how far, as a share of its own norm.",
          slow.rate);
    case SlowStage::Kind::forward:
      if (stage.token >= 0) {
        return w.format(
            "Token {}: the decoder attends to what was read and takes a step; the right token "
            "before it is given.",
            stage.token + 1);
      }
      if (stage.part == "encoder.0.forward") return w("The encoder reads from the left.");
      if (stage.part == "encoder.0.backward") return w("The encoder reads from the right.");
      if (stage.part.empty()) {
        return w("The last states become the decoder's first state, and the keys are computed.");
      }
      return w("Tokens become vectors.");
    case SlowStage::Kind::backward: break;
  }
  return stage.token >= 0
             ? w.format(
                   "Backward through token {}: its gradient is added to that of later tokens. The "
                   "bars are the norms so far.",
                   stage.token + 1)
             : w("Backward through this part. The bars are the norms of the gradient so far.");
}

Color stage_color(SlowStage::Kind kind) {
  switch (kind) {
    case SlowStage::Kind::forward: return Color(Role::query, 0.2F);
    case SlowStage::Kind::backward: return Color(Role::key, 0.2F);
    case SlowStage::Kind::loss: return Color(Role::value, 0.3F);
    default: return Color(Role::dim, 0.2F);
  }
}

// Forward from left to right, then below it backward from right to left: a part lies over itself.
Plot stages_plot(const Scene& scene) {
  const SlowStep& slow = *scene.model.slow;
  const auto forward =
      to_size(std::count_if(slow.stages.begin(), slow.stages.end(), [](const SlowStage& stage) {
        return stage.kind == SlowStage::Kind::forward;
      }));
  Plot plot{.id = "stages"};
  plot.x = {.hi = to_double(forward + 2), .visible = false};
  plot.y = {.hi = 2.2, .visible = false};
  figure::Boxes boxes;
  boxes.style = TextStyle::small;
  for (std::size_t k = 0; k < slow.stages.size(); ++k) {
    const SlowStage& stage = slow.stages[k];
    // batch, forward, loss; then back, clip under the batch, update under clip's left.
    const bool below = k > forward + 1;
    double x = to_double(k);
    if (below) x = to_double(2 * (forward + 1)) - to_double(k) + 0.0;
    if (stage.kind == SlowStage::Kind::clip) x = 0;
    if (stage.kind == SlowStage::Kind::update) x = to_double(forward + 1);
    const double y = below ? 0.1 : 1.2;
    boxes.boxes.push_back({.x0 = x + 0.03,
                           .y0 = y,
                           .x1 = x + 0.97,
                           .y1 = y + 0.9,
                           .text = stage_name(scene, stage),
                           .fill = stage_color(stage.kind),
                           .marked = to_int(k) == scene.stage(),
                           .pick = sets("stage", k),
                           .tooltip = stage_sentence(scene, stage)});
  }
  plot.add(std::move(boxes));
  return plot;
}

// The parameters in the words of the stages that use them.
struct Group {
  std::string_view prefix, name;
};
constexpr Group kGroups[] = {{"source.", N_("source")},
                             {"encoder.0.forward.", N_("read →")},
                             {"encoder.0.backward.", N_("read ←")},
                             {"begin.", N_("begin")},
                             {"target.", N_("target")},
                             {"decoder.attention.", N_("attention")},
                             {"decoder.joined.", N_("joined")},
                             {"decoder.0.", N_("state")},
                             {"decoder.output.", N_("output")}};

Plot norms_plot(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const SlowStep& slow = *model.slow;
  const bool update = slow.stages[to_size(scene.stage())].kind == SlowStage::Kind::update;
  // The norm of all parameters of a group at a stage; of the update as a share of their own.
  const auto norm = [&](const Group& group, Index row) {
    double squares = 0, sizes = 0;
    for (std::size_t k = 0; k < slow.parameters.size(); ++k) {
      if (!slow.parameters[k].starts_with(group.prefix)) continue;
      const auto at = to_index(k);
      squares += slow.norms(row, at) * slow.norms(row, at);
      sizes += slow.sizes(at) * slow.sizes(at);
    }
    return update ? std::sqrt(sizes > 0 ? squares / sizes : 0) : std::sqrt(squares);
  };
  Bars bars{.values = {}, .color = update ? Role::value : Role::key};
  std::vector<std::string> names;
  Extent extent;
  extent.add(0);
  for (const Group& group : kGroups) {
    const bool used = std::any_of(slow.parameters.begin(), slow.parameters.end(),
                                  [&](const auto& name) { return name.starts_with(group.prefix); });
    if (!used) continue;
    names.push_back(w(group.name));
    bars.values.push_back(norm(group, scene.stage()));
    // The axis is that of the whole gradient from the first stage on: bars grow into it.
    extent.add(norm(group, slow.norms.rows() - (update ? 1 : 3)));
  }
  Plot plot{.id = "norms"};
  plot.x = cell_axis(w("parameters of"), to_index(names.size()), {.labels = labels(names)});
  plot.y = fitted_axis(update ? w("update / parameter") : w("norm of the gradient"), extent, 0.12);
  plot.y.lo = 0;
  plot.add(std::move(bars));
  return plot;
}

}  // namespace

Figure alignment_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("alignment", w("Where each written token looks"), {.span = 7, .height = 400});
  figure.caption = w("Row: the token written; column: the token read. Each row sums to 1.");
  if (scene.learned().task().kind == core::task::Kind::dates) {
    figure.caption = w.format("{} {}", figure.caption,
                              w("The hyphens of a date have no source, and their rows spread."));
  }
  Plot plot{.id = "alignment"};
  const Labels rows = written_names(scene.learned(), scene.reading(), w);
  const Labels cols = source_names(scene.learned(), scene.reading(), w);
  plot.x = cell_axis(w("token read"), to_index(cols->size()), "source");
  plot.y = cell_axis(w("token written"), to_index(rows->size()), "written");
  plot.x.labels = cols;
  plot.y.labels = rows;
  plot.x.color = Role::key;
  plot.y.color = Role::query;
  plot.y.marked = to_int(model.row);
  Heatmap map = lab::heatmap(model.weights, weight_scale(1));
  map.row_param = "row";
  map.col_param = "token";
  map.also = explains("weight");
  map.bar_label = w("weight");
  if (model.key) {
    map.pinned = {model.row, *model.key};
    plot.x.marked = to_int(*model.key);
  }
  plot.add(std::move(map));
  return with(std::move(figure), std::move(plot));
}

namespace {

// States of one network, a row a token; a click picks a number of one.
struct StatesOf {
  States states;
  const char *id, *name;  // of the plot; of the trace
  std::string title;
  Labels tokens;
  const char* row_param;
  Index row;
  bool written = false;
};

Plot states_plot(const Scene& scene, const StatesOf& of) {
  const auto& [p, model, w] = scene;
  const Matrix cells = row_matrix(scene.reading().traced(of.name));
  const bool picked = p.explained == Explained::state && p.states == of.states;
  Plot plot{.id = fmt::format("states_{}", of.id), .title = of.title};
  plot.x = cell_axis(w("feature"), cells.cols());
  plot.y = cell_axis(
      of.written ? w("token written") : w("token read"), cells.rows(),
      {.link = of.written ? "written" : "source", .labels = of.tokens, .marked = to_int(of.row)});
  const Index unit = std::min<Index>(p.unit, cells.cols() - 1);
  Heatmap map = lab::heatmap(cells, signed_scale(1));
  map.row_param = of.row_param;
  map.col_param = "number";
  map.also = sets("explain", "state", "states", of.id);
  map.bar_label = w("state");
  map.color_bar = of.states == States::backward;
  if (picked) map.pinned = {of.row, unit};
  plot.add(std::move(map));
  return plot;
}

}  // namespace

Figure states_figure(const Scene& scene) {
  const Words& w = scene.w;
  const Labels read = source_names(scene.learned(), scene.reading(), w);
  Figure figure = new_figure("states", w("The states"), {.height = 330, .columns = 3});
  figure.caption =
      w("A row for each token, a column for each component of the state after it: the decoder's as "
        "it writes, the encoder's as it reads from the left and from the right.");
  figure.pointer_caption =
      w("A click works out a component at the side: its gates, its input and the state before.");
  return with(std::move(figure),
              states_plot(scene, {States::decoder, "decoder", "decoder.0.states", w("decoder s"),
                                  written_names(scene.learned(), scene.reading(), w), "row",
                                  scene.model.row, true}),
              states_plot(scene, {States::forward, "forward", "encoder.0.forward.states",
                                  w("encoder h, from the left"), read, "token", scene.read()}),
              states_plot(scene, {States::backward, "backward", "encoder.0.backward.states",
                                  w("encoder h, from the right"), read, "token", scene.read()}));
}

Figure slow_figure(const Scene& scene) {
  const SlowStage& stage = scene.model.slow->stages[to_size(scene.stage())];
  Figure figure =
      new_figure("slow", scene.w.format("Step {} in slow motion", scene.learned().step + 1),
                 {.height = 460, .columns = 1});
  figure.caption = scene.w(
      "One step of training: the batch, forward from left to right, the loss, backward from right "
      "to left under it, and the update. Below: the gradient of each parameter at the marked "
      "stage.");
  figure.footer = {{stage_sentence(scene, stage), Role::text, TextStyle::body}};
  figure.plays = "stage";
  return with(std::move(figure), stages_plot(scene), norms_plot(scene));
}

}  // namespace lab::alignment
