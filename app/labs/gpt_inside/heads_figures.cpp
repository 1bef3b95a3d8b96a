// The text, every head's map, what heads are called by, and the picked head.
#include "app/labs/gpt_inside/page.h"
#include "app/labs/shared/drawing/table_numbers.h"
#include "app/labs/shared/drawing/token_flow.h"
#include "app/labs/shared/drawing/token_map.h"
#include "app/labs/shared/model/likeliest.h"
#include "app/labs/shared/model/written_heads.h"

namespace lab::gpt_inside {
namespace {

using core::task::HeadScores, core::task::NamedScore, core::task::named_scores;

constexpr Index kTextLine = 32, kMostLines = 12;  // tokens in a line; lines of a published text
constexpr double kLinePitch = 1.2;
// With more heads, the layers around the picked one are drawn, and the heads with high scores
// listed.
constexpr Index kSheetColumns = 16;
constexpr int kNamedColumns = 8;
constexpr std::size_t kMostListed = 48;

PairMap text_map(const Scene& scene) {
  return reading_map(scene.tokens(), scene.tokens(), scene.text_labels(), scene.model.token,
                     scene.model.key, scene.w);
}

const HeadScores& scores_of(const Scene& scene, const HeadIndex& at) {
  return (*scene.side().scores)[to_size(at.layer)][to_size(at.head)];
}

// Layers [first, second) that are drawn head by head.
std::pair<Index, Index> sheet_layers(const Model& model) {
  const Subject& of = model.subject;
  if (!model.opened) return {0, of.layers};
  return lab::sheet_layers(of.layers, of.heads, model.place.layer);
}

std::vector<HeadIndex> sheet_places(const Model& model) {
  const auto [first, end] = sheet_layers(model);
  std::vector<HeadIndex> all = model.places();
  std::erase_if(all, [first = first, end = end](const HeadIndex& at) {
    return at.layer < first || at.layer >= end;
  });
  return all;
}

Index sheet_columns(const Model& model) {
  return model.opened ? std::min(model.subject.heads, kSheetColumns) : model.subject.heads;
}

bool is_wide(const Model& model) { return sheet_columns(model) > 6; }

// Where there are more layers than are drawn.
std::string sheet_caption(const Scene& scene, std::string caption) {
  const auto [first, end] = sheet_layers(scene.model);
  if (end - first == scene.model.subject.layers) return caption;
  return scene.w.format("{} {}", caption,
                        scene.w.format("Of {} layers, {} to {} are drawn.",
                                       scene.model.subject.layers, first + 1, end));
}

std::vector<NamedScore> scores_here(const Model& model) {
  using Of = NamedScore::Of;
  std::vector<NamedScore> all(named_scores().begin(), named_scores().end());
  std::erase_if(
      all, [&](const NamedScore& one) { return one.of == (model.opened ? Of::task : Of::text); });
  return all;
}

// All of few heads; of many those whose scores are farthest above even ones, and the picked one.
std::vector<HeadIndex> listed_heads(const Scene& scene) {
  std::vector<HeadIndex> all = scene.model.places();
  if (all.size() <= kMostListed) return all;
  const auto height = [&](const HeadIndex& at) {
    const HeadScores& scores = scores_of(scene, at);
    const auto which = called(scores);
    return which ? above_even(scores, *which) : 0.0;
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const HeadIndex& a, const HeadIndex& b) { return height(a) > height(b); });
  all.resize(kMostListed);
  if (std::find(all.begin(), all.end(), scene.model.place) == all.end()) {
    all.back() = scene.model.place;
  }
  return all;
}

// The knob's text with this head too, or without it.
std::string toggled(const Model& model, const HeadIndex& at) {
  std::string text;
  for (const HeadIndex& one : model.places()) {
    if (model.is_ablated(one) == (one == at)) continue;
    text += (text.empty() ? "" : " ") + head_name(one);
  }
  return text;
}

std::string seen_as(const Scene& scene, const HeadIndex& at) {
  return scene.model.after_shown && scene.model.is_ablated(at)
             ? scene.w("knocked out")
             : called_name(scores_of(scene, at), scene.w);
}

// In how many of the texts that have a place for it the score that a head is called by stands out;
// empty where it has no name, or no such texts.
std::string held_on(const Scene& scene, const HeadIndex& at) {
  const auto& held = scene.side().held_out;
  const auto which = called(scores_of(scene, at));
  if (!held || !which || (scene.model.after_shown && scene.model.is_ablated(at))) return {};
  const auto& count = held->counts[to_size(at.layer)][to_size(at.head)][*which];
  return scene.w.format("{} of {} texts", count.texts, count.of);
}

// The even score stands below: what equal weights would have.
figure::Table::Cell score_cell(const core::task::HeadScore& score, bool high) {
  if (score.positions == 0) return {dim("–")};
  return {{fixed(score.mean, 3), high ? Role::accent : Role::text,
           high ? TextStyle::mono_bold : TextStyle::mono},
          {fixed(score.even, 3), Role::dim, TextStyle::mono_small}};
}

figure::Boxes::Box token_box(const Scene& scene, Index at, const Matrix& weights) {
  const auto& [p, model, w] = scene;
  const float given = weights(model.token, at);
  const bool unseen = core::is_masked(given), masked = model.after_shown && model.masked == at;
  const float weight = unseen ? 0 : given;
  const std::string name = scene.name(scene.reading().ids[to_size(at)]);
  figure::Boxes::Box box;
  box.text = masked ? "(" + name + ")" : name;
  box.fill = Color(Role::key, unseen ? 0.0F : 0.06F + 0.8F * weight);
  box.marked = at == model.token;
  box.pick = sets("token", at);
  const double loss = scene.reading().loss[to_size(at)];
  box.tooltip = w.format("{}: \"{}\", weight {:.3f}", at, name, weight);
  if (!std::isnan(loss)) {
    box.tooltip += " · " + w.format("loss of the next token {:.3f} nats", loss);
  }
  return box;
}

}  // namespace

std::string called_name(const HeadScores& scores, const Words& w) {
  const auto which = called(scores);
  return which ? w(named_scores()[*which].name) : w("unnamed");
}

namespace {

// Long tokens have boxes as wide as they are.
std::pair<Plot, Index> flowing_text(const Scene& scene, const Matrix& weights) {
  const auto& ids = scene.reading().ids;
  const TokenFlow flow = token_flow(scene.tokens(), scene.model.token, kMostLines, [&](Index t) {
    return letters_of(scene.name(ids[to_size(t)]));
  });
  return {
      flow_plot("text", flow, kLinePitch, [&](Index t) { return token_box(scene, t, weights); }),
      flow.lines};
}

std::pair<Plot, Index> lined_text(const Scene& scene, const Matrix& weights) {
  const Index n = scene.tokens(), lines = core::ceil_div(n, kTextLine);
  figure::Boxes boxes;
  for (Index t = 0; t < n; ++t) {
    figure::Boxes::Box box = token_box(scene, t, weights);
    box.x0 = to_double(t % kTextLine) + 0.04;
    box.x1 = box.x0 + 0.92;
    box.y1 = -kLinePitch * to_double(t / kTextLine);
    box.y0 = box.y1 - 1;
    boxes.boxes.push_back(std::move(box));
  }
  Plot plot{.id = "text"};
  plot.x = {.hi = to_double(kTextLine), .visible = false};
  plot.y = {.lo = -kLinePitch * to_double(lines), .hi = 0.2, .visible = false};
  plot.add(std::move(boxes));
  return {std::move(plot), lines};
}

}  // namespace

Figure text_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Matrix weights = scene.reading().weights(model.place.layer, model.place.head);
  auto [plot, lines] = (model.opened ? flowing_text : lined_text)(scene, weights);
  Figure figure = new_figure("text", w("The text"), {.height = 64 + 34 * to_float(lines)});
  figure.note = w.format("loss {:.3f} nats per token", scene.reading().mean_loss);
  figure.plays = "token";
  figure.caption = w.format(
      "The text, token by token: the stronger a token's colour, the more head {} attends to it "
      "from the marked token.",
      head_name(model.place));
  figure.pointer_caption = w("Click a token to mark it.");
  return with(std::move(figure), std::move(plot));
}

Figure next_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const ForcedToken forced(*model.opened, model.text->whole, model.token + 1);
  Figure figure = new_figure("next", w("The next token"), {.height = 250});
  figure.caption =
      w.format("The likeliest of {} tokens after token {}.", model.subject.vocabulary, model.token);
  figure.pointer_caption = w("Click a token: the text goes on with it; what followed is left out.");
  const LikeliestTokens tokens{
      .id = "next",
      .name = [&](std::int32_t id) { return scene.name(id); },
      .pick = [&](std::size_t, std::int32_t id) { return forced.pick(id); },
      .loss = [&](std::int32_t id) { return forced.loss(id, scene.w); }};
  return with(std::move(figure), likeliest_plot(scene.side().said->cast<double>(), tokens, w));
}

Figure sheet_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto columns = to_int(std::max<Index>(sheet_columns(model), 2));
  const auto all = sheet_places(model);
  const Index rows = core::ceil_div(to_index(all.size()), columns);
  const float row = rows < 2 ? 260.0F : columns <= 4 ? 190.0F : columns <= 8 ? 120.0F : 86.0F;
  Figure figure = new_figure(
      "heads", w("Every head of every layer"),
      {.span = is_wide(model) ? 12 : 7, .height = 60 + row * to_float(rows), .columns = columns});
  figure.caption = sheet_caption(
      scene, model.opened ? w("Layer and head, counted from 1, and the head's name "
                              "by its scores over other texts; row: query, column: key.")
                          : w("Layer and head, and the head's name by its scores on "
                              "sequences of its task; row: query, column: key."));
  figure.pointer_caption = w("Click a head to choose it.");
  const PairMap map = text_map(scene);
  for (const HeadIndex& at : all) {
    // With many heads side by side a name stands over the large map alone, and no name nowhere.
    std::string title = head_name(at);
    if (columns <= kNamedColumns && !(is_wide(model) && !called(scores_of(scene, at)))) {
      title += " " + seen_as(scene, at);
    }
    Plot plot = map.plot("head_" + head_name(at), std::move(title));
    Heatmap cells = lab::heatmap(scene.reading().weights(at.layer, at.head), weight_scale(1));
    cells.bar_label = w("weight");
    figure.plots.push_back(thumbnail(std::move(plot), std::move(cells), at == model.place,
                                     sets("layer", at.layer + 1, "head", at.head + 1)));
  }
  return figure;
}

namespace {

std::string means_over(const Model& model, const Words& w) {
  if (!model.opened) return w.format("Means over {} sequences of its task.", kHeldOut);
  const std::size_t texts = model.opened->held_out.size();
  if (texts == 0) return w("Means over the tokens of this text.");
  return w.format(
      "Means over {} texts that it did not learn from. Below a name: in how many of them, of those "
      "that have a place for its score, that score stands out.",
      texts);
}

}  // namespace

Figure scores_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  figure::Table table{.columns = {{w("head"), 0.6F}, {w("name"), 1.3F}}};
  const std::vector<NamedScore> named = scores_here(model);
  for (const NamedScore& one : named) {
    table.columns.push_back({w(one.name), 1, 1, w.format("{}: {}", w(one.name), w(one.help))});
  }
  const auto all = listed_heads(scene);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const HeadScores& scores = scores_of(scene, all[k]);
    const auto name = called(scores);
    figure::Table::Cell called_cell{{seen_as(scene, all[k]), Role::text, TextStyle::label}};
    if (const std::string held = held_on(scene, all[k]); !held.empty()) {
      called_cell.push_back({held, Role::dim, TextStyle::small});
    }
    std::vector<figure::Table::Cell> row{{mono(head_name(all[k]))}, std::move(called_cell)};
    for (const NamedScore& one : named) {
      const bool high = name && named_scores()[*name].score == one.score;
      row.push_back(score_cell(scores.*one.score, high));
    }
    table.rows.push_back(std::move(row));
    for (const NamedScore& one : named) {
      const auto& score = scores.*one.score;
      if (score.positions == 0) continue;
      const std::string even = fmt::format("{}, of equal weights", one.name);
      add_numbers(table, {{one.name, score.mean}, {even, score.even}});
    }
    table.picks.push_back(sets("layer", all[k].layer + 1, "head", all[k].head + 1));
    if (all[k] == model.place) table.marked = to_int(k);
  }
  const std::size_t texts = model.opened ? model.opened->held_out.size() : 0;
  Figure figure = new_figure("scores",
                             texts > 0 ? w.format("What each head does over {} other texts", texts)
                                       : w("What each head does, in numbers"),
                             {.height = 110 + 40 * to_float(all.size())});
  constexpr std::string_view kNamed =
      N_("Below each, the score of equal weights. A head is named by the score that stands "
         "farthest above that, by a fifth of the way to 1 at least; uniform, from 0.9 on, is a "
         "name where no other fits.");
  figure.caption = w.format("{} {}", means_over(model, w), w(kNamed));
  if (all.size() < model.places().size()) {
    figure.caption = w.format("{} {}", figure.caption,
                              w.format("Of {} heads the {} with the highest are listed.",
                                       model.places().size(), all.size()));
  }
  return with_table(std::move(figure), std::move(table));
}

Figure map_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const PairMap map = text_map(scene);
  Matrix cells = scene.reading().weights(model.place.layer, model.place.head);
  Figure figure =
      new_figure("map", w.format("Head {}", head_name(model.place)),
                 {.span = is_wide(model) ? 12 : 5, .height = is_wide(model) ? 560.0F : 430.0F});
  const std::string held = held_on(scene, model.place);
  figure.note = seen_as(scene, model.place) + (held.empty() ? "" : " · " + held);
  figure.caption = w("Row: query; column: key.");
  figure.pointer_caption = w("A click works out a weight.");
  return with(std::move(figure),
              map.plot("map", w("weights"), std::make_shared<DenseSource>(std::move(cells)),
                       weight_scale(1)));
}

Figure ablation_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  figure::Boxes boxes;
  boxes.style = TextStyle::small;
  const auto all = sheet_places(model);
  const Index columns = sheet_columns(model);
  const Index rows = core::ceil_div(to_index(all.size()), columns);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const HeadIndex& at = all[k];
    const bool out = model.is_ablated(at);
    const auto number = to_index(k);
    const double x = to_double(number % columns), y = -1.2 * to_double(number / columns);
    boxes.boxes.push_back(
        {.x0 = x + 0.03,
         .y0 = y - 1,
         .x1 = x + 0.97,
         .y1 = y,
         .text = head_name(at) + (out ? " " + w("out") : ""),
         .fill = out ? Color(Role::bad, 0.35F) : Color(Role::value, 0.2F),
         .marked = at == model.place,
         .pick = sets("knocked", toggled(model, at)),
         .tooltip = out ? w.format("Head {} is knocked out; click to restore it", head_name(at))
                        : w.format("Click to knock out head {}", head_name(at))});
  }
  Plot plot{.id = "knock"};
  plot.x = {.hi = to_double(columns), .visible = false};
  plot.y = {.lo = -1.2 * to_double(rows), .hi = 0.2, .visible = false};
  plot.add(std::move(boxes));
  Figure figure = new_figure("knock", w("Knock out heads"),
                             {.span = 4, .height = std::max(230.0F, 80 + 40 * to_float(rows))});
  const bool zero = p.replacement == Replacement::zero || model.opened;
  figure.caption =
      zero ? w("Red: the output of the head is replaced by 0.")
           : w("Red: the output of the head is replaced by its mean over sequences of its task.");
  figure.pointer_caption = w("Click a head to knock it out, click again to restore it.");
  return with(std::move(figure), std::move(plot));
}

Figure change_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  figure::Table table{.columns = {{w("measured"), 2.2F},
                                  {model.opened ? w("as published") : w("as trained"), 1, 1},
                                  {w("changed"), 1, 1},
                                  {w("difference"), 1, 1}}};
  const auto row = [&table, &model = model](std::string what, double before, double after) {
    const Role role = model.changes ? Role::accent : Role::dim;
    table.rows.push_back({{{std::move(what), Role::text, TextStyle::label}},
                          {mono(fixed(before, 4))},
                          {{fixed(after, 4), role, TextStyle::mono_small}},
                          {{fmt::format("{:+.4f}", after - before), role, TextStyle::mono_small}}});
  };
  const auto& [before, after] = std::tie(model.before, model.after);
  const bool held = !model.opened && core::task::holds_out(model.story.task());
  if (!model.opened) {
    row(held ? w("accuracy (held out)") : w("accuracy (trained on)"),
        before.changed->score.accuracy(), after.changed->score.accuracy());
    row(held ? w("loss (held out)") : w("loss (trained on)"), before.changed->score.loss,
        after.changed->score.loss);
  }
  row(w("loss of this text"), before.reading->mean_loss, after.reading->mean_loss);
  row(w.format("logit of {}", scene.quoted(model.wanted)), model.logit(before), model.logit(after));
  row(w.format("probability of {}", scene.quoted(model.wanted)), model.probability(before),
      model.probability(after));
  Figure figure = new_figure("change", w("What changes"), {.span = 8, .height = 230});
  figure.note = model.changes ? "" : w("nothing is changed");
  figure.caption =
      model.opened
          ? w.format("In this text, with its weights as published. The logit is at token {}.",
                     model.token)
      : held ? w.format(
                   "Held out: {} sequences never trained on, with heads, positions and precision "
                   "as changed; tokens are hidden or swapped only in this text. The logit is at "
                   "token {}.",
                   kHeldOut, model.token)
             : w.format(
                   "On {} sequences it was trained on, for none of its text was held out, with "
                   "heads, positions and precision as changed; tokens are hidden or swapped only "
                   "in this text. The logit is at token {}.",
                   kHeldOut, model.token);
  return with_table(std::move(figure), std::move(table));
}

}  // namespace lab::gpt_inside
