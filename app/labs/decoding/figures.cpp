// What follows the branch before and after each filter, what each way writes, and what many draws
// come to.
#include "app/labs/decoding/page.h"
#include "core/enum_array.h"

namespace lab::decoding {
namespace {

constexpr std::size_t kMostHandles = 16;  // tokens whose bars are dragged
constexpr double kOver = 1.18;            // room over the highest bar, for its number

Labels token_labels(const Scene& scene, const std::vector<std::int32_t>& order) {
  auto names = each(order, [&](const std::int32_t id) { return scene.token(id); });
  return labels(std::move(names));
}

// Where a token stands among the bars.
int place_of(const std::vector<std::int32_t>& order, std::int32_t token) {
  return to_int(std::find(order.begin(), order.end(), token) - order.begin());
}

Axis token_axis(const Scene& scene, const std::vector<std::int32_t>& order) {
  Axis axis = cell_axis("", to_index(order.size()), "vocabulary");
  axis.labels = token_labels(scene, order);
  axis.marked = place_of(order, scene.model.token);
  axis.color = Role::accent;
  return axis;
}

// Values by token in the order of the bars.
std::vector<double> in_order(const VectorD& values, const std::vector<std::int32_t>& order) {
  std::vector<double> out;
  for (const std::int32_t id : order) out.push_back(values(id));
  return out;
}

std::vector<Assignments> token_picks(const std::vector<std::int32_t>& order, Index stage) {
  return each(order, [&](const std::int32_t id) {
    return sets("token", id, "stage", stage, "explain", "probability");
  });
}

// Numbers of the rule, to be dragged over the bars of their tokens.
void add_handles(const Scene& scene, const std::vector<std::int32_t>& order, Plot& plot) {
  const Rules::Rule* rule = scene.rule();
  if (!rule || order.size() > kMostHandles) return;
  for (const Rules::Entry& entry : rule->entries) {
    const int place = place_of(order, entry.token);
    Handle handle{.x = place + 0.5, .y = entry.value, .color = Role::query, .radius = 5};
    const Around text = around(scene.p.rules, entry, rule->logits);
    handle.text_param = "rules";
    handle.before = text.before;
    handle.after = text.after;
    handle.also = sets("token", entry.token);
    plot.add(std::move(handle));
  }
}

// What filters took away stands hollow where it stood last, with a cross.
void add_cut(const Scene& scene, Index stage, const std::vector<std::int32_t>& order, Plot& plot) {
  Bars ghosts{.values = std::vector<double>(order.size(), 0),
              .color = Color(Role::dim, 0.25f),
              .numbers = false};
  std::vector<Note> crosses;
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  for (Index k = 1; k <= stage; ++k) {
    const Distribution& before = scene.model.distribution(k - 1);
    const Distribution& after = scene.model.distribution(k);
    for (std::size_t place = 0; place < order.size(); ++place) {
      const std::int32_t id = order[place];
      if (before.logits(id) == kNever || after.logits(id) > kNever) continue;
      const double top = before.probabilities(id);
      ghosts.values[place] = top;
      crosses.push_back({.x = to_double(place) + 0.5,
                         .y = std::max(top, 0.1 * plot.y.hi) + 0.06 * plot.y.hi,
                         .text = "✕",
                         .color = Role::bad,
                         .align = 0});
    }
  }
  if (crosses.empty()) return;
  plot.add(std::move(ghosts));
  for (Note& cross : crosses) plot.add(std::move(cross));
}

Index kept_at(const Scene& scene, Index stage) {
  const VectorD& p = scene.model.distribution(stage).probabilities;
  return (p.array() > 0).count();
}

double highest(const Scene& scene) {
  double top = 0;
  for (Index stage = 0; stage < scene.model.stages(); ++stage) {
    top = std::max(top, scene.model.distribution(stage).probabilities.maxCoeff());
  }
  return top;
}

Plot stage_plot(const Scene& scene, Index stage, const std::vector<std::int32_t>& order) {
  const bool dragged = scene.rule() && !scene.rule()->logits && order.size() <= kMostHandles;
  Plot plot{.id = fmt::format("stage_{}", stage)};
  plot.title =
      stage == 0 ? scene.stage_name(0) : fmt::format("{}. {}", stage, scene.stage_name(stage));
  plot.note = scene.share(kept_at(scene, stage));
  if (!scene.draws_all()) {
    const std::vector<double> drawn =
        in_order(scene.model.distribution(stage).probabilities, order);
    const double others = 1 - std::accumulate(drawn.begin(), drawn.end(), 0.0);
    plot.note += " · " + scene.w.format("others {}", fixed(std::max(0.0, others), 3));
  }
  plot.x = token_axis(scene, order);
  plot.y = {
      .label = scene.w("probability"), .hi = std::min(1.18, kOver * highest(scene)), .end = 1};
  // A scale that ran away from the hand could not be dragged along.
  if (dragged) plot.y.hi = kOver;
  plot.selected = stage == scene.model.stage && scene.p.explained == Explained::probability;
  add_cut(scene, stage, order, plot);
  plot.add(Bars{.values = in_order(scene.model.distribution(stage).probabilities, order),
                .color = stage == 0 ? Color(Role::query) : Color(Role::value),
                .numbers = order.size() <= kMostHandles,
                .picks = token_picks(order, stage),
                .marked = place_of(order, scene.model.token)});
  if (dragged && stage == 0) add_handles(scene, order, plot);
  return plot;
}

// Logits that were typed: what softmax turns into the first bars.
Plot logit_plot(const Scene& scene, const std::vector<std::int32_t>& order) {
  Plot plot{.id = "logits"};
  plot.title = scene.w("logits");
  plot.x = token_axis(scene, order);
  std::vector<double> logits = in_order(scene.model.filtered.before.logits, order);
  for (double& logit : logits) {
    if (!std::isfinite(logit)) logit = std::numeric_limits<double>::quiet_NaN();
  }
  Extent extent;
  extent.add(logits);
  extent.add({-5, 5});
  plot.y = fitted_axis(scene.w("logit"), extent);
  plot.add(Bars{.values = std::move(logits),
                .color = Role::query,
                .picks = token_picks(order, 0),
                .marked = place_of(order, scene.model.token)});
  add_handles(scene, order, plot);
  return plot;
}

void add_row(const Scene& scene, const Text& text, Index best, figure::Table& table) {
  const auto index = to_index(table.rows.size());
  const Color of_score = index == best ? Color(Role::good) : Color(Role::text);
  table.rows.push_back({{{text_name(text, scene.w), way_color(text.way), TextStyle::label_bold}},
                        {{scene.text(text.ids), Role::text, TextStyle::mono}},
                        {mono(fixed(text.sum, 3))},
                        {mono(weight_text(std::exp(text.sum)))},
                        {mono(fmt::format("{}", text.ids.size()))},
                        {mono(fixed(text.score, 3), of_score)}});
  table.picks.push_back(sets("taken", scene.source().knob(text.ids), "explain", "branch"));
}

}  // namespace

std::string Scene::text(const Ids& ids) const {
  return ids.empty() ? w("(nothing)") : source().name(ids);
}

std::string Scene::shortened(const Ids& ids) const {
  constexpr std::ptrdiff_t kMost = 12;
  if (std::ssize(ids) <= kMost) return text(ids);
  return "… " + source().name({ids.end() - kMost, ids.end()});
}

const Rules::Rule* Scene::rule() const {
  const auto& rules = source().rules;
  return rules ? &rules->after(source().text(model.at)) : nullptr;
}

std::string Scene::stage_name(Index stage) const {
  if (stage == 0) {
    return !rule() ? w("the model") : rule()->logits ? w("softmax of the logits") : w("as typed");
  }
  const param::StackItem& item = p.filters[to_size(stage - 1)];
  const auto& entry = filter_catalogue()->entries[to_size(item.entry)];
  return fmt::format("{} {}", w(entry.label),
                     entry.arguments.front().serialize(item.arguments.front()));
}

std::string Scene::share(Index tokens) const {
  const Index all = source().size();
  return all == 1 ? w.format("{} of 1 token", tokens) : w.format("{} of {} tokens", tokens, all);
}

std::vector<std::int32_t> Scene::order() const {
  // What is dragged must not change places under the hand.
  if (source().rules) {
    std::vector<std::int32_t> all(source().tokens.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  const VectorD& probabilities = model.filtered.before.probabilities;
  if (draws_all()) return core::decode::by_probability(probabilities);
  std::vector<std::int32_t> some = core::decode::likeliest(probabilities, kBarsOfMany);
  if (to_size(place_of(some, model.token)) == some.size()) some.push_back(model.token);
  return some;
}

std::string way_name(Way way, const Words& w) {
  switch (way) {
    case Way::greedy: return w("greedy");
    case Way::beam: return w("beam");
    case Way::exact: return w("best of all");
    case Way::sample: return w("sample");
    case Way::own: break;
  }
  return w("yours");
}

Color way_color(Way way, float alpha) {
  constexpr core::EnumArray<Way, Role> kRoles{
      {Role::query, Role::value, Role::text, Role::key, Role::accent}};
  return Color(kRoles[way], alpha);
}

std::string text_name(const Text& text, const Words& w) {
  switch (text.way) {
    case Way::beam: return w.format("beam, rank {}", text.number + 1);
    case Way::sample: return w.format("sample {}", text.number + 1);
    default: return way_name(text.way, w);
  }
}

Figure filters_figure(const Scene& scene) {
  const Words& w = scene.w;
  const std::vector<std::int32_t> order = scene.order();
  const bool logits = scene.rule() && scene.rule()->logits;
  const Index plots = scene.model.stages() + (logits ? 1 : 0);
  const int columns = plots <= 4 ? to_int(plots) : to_int((plots + 1) / 2);
  const Ids text = scene.source().text(scene.model.at);
  Figure figure = new_figure(
      "filters",
      text.empty() ? w("What comes first, filter by filter")
                   : w.format("What follows “{}”, filter by filter", scene.shortened(text)),
      {.height = plots <= 4 ? 290.f : 500.f, .columns = columns});
  figure.caption =
      scene.draws_all()
          ? w("The whole vocabulary before and after each filter, in the order of the list: each "
              "works on what the one before left. A cross: cut, with the bar from before.")
          : w.format(
                "The {} likeliest of {} tokens, and the picked one, before and after each filter, "
                "in the order of the list; others: the sum over tokens not drawn. A cross: cut, "
                "with the bar from before.",
                kBarsOfMany, scene.source().size());
  figure.pointer_caption = w("Click a bar to see its number worked out.");
  if (scene.source().rules && order.size() <= kMostHandles) {
    figure.pointer_caption =
        w.format("{} {}", figure.pointer_caption, w("Drag a dot to change a number of the rule."));
  }
  if (logits) figure.plots.push_back(logit_plot(scene, order));
  for (Index stage = 0; stage < scene.model.stages(); ++stage) {
    figure.plots.push_back(stage_plot(scene, stage, order));
  }
  return figure;
}

Figure texts_figure(const Scene& scene) {
  const Words& w = scene.w;
  figure::Table table;
  table.columns = {{w("method"), 1.3f, -1}, {w("text"), 3.2f, -1},  {w("Σ log p"), 1, 1},
                   {w("p"), 1, 1},          {w("length"), 0.8f, 1}, {w("score"), 1, 1}};
  Index best = -1;
  double score = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < scene.model.texts.size(); ++k) {
    if (scene.model.texts[k].way == Way::own || !(scene.model.texts[k].score > score)) continue;
    score = scene.model.texts[k].score;
    best = to_index(k);
  }
  for (const Text& text : scene.model.texts) {
    if (text.way == Way::own && text.ids == scene.model.taken) {
      table.marked = to_int(table.rows.size());
    }
    add_row(scene, text, best, table);
  }
  Plot plot{.id = "texts"};
  const float rows = to_float(table.rows.size());
  plot.add(std::move(table));
  Figure figure =
      new_figure("texts", w("What each method writes"), {.span = 7, .height = 96 + 27 * rows});
  figure.caption =
      w("Greedy search and samples choose after the filters; the beam and the best of all go by "
        "the sums. Score: the sum divided by the length penalty.");
  figure.pointer_caption = w("Click a row to take its text as your branch.");
  return with(std::move(figure), std::move(plot));
}

Figure samples_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::vector<std::int32_t> order = scene.order();
  Figure figure = new_figure("samples", w.format("draws of the next token: {}", grouped(p.samples)),
                             {.span = 5, .height = 330});
  figure.caption =
      w("Bars: how often each token was drawn; green dots: its probability after the filters; grey "
        "dots: the model's own. Each draw has its own random number, which follows from the seed.");
  Plot plot{.id = "samples"};
  plot.note = w.format("distance from the filters {}, from the model {}",
                       fixed(model.samples->from_filtered, 3), fixed(model.samples->from_model, 3));
  plot.x = token_axis(scene, order);
  plot.y = {.label = w("share"), .lo = 0};
  Bars bars{.color = Color(way_color(Way::sample, 0.75f)), .numbers = false};
  figure::Points filtered{.color = Role::value, .radius = 4}, own{.color = Role::dim, .radius = 3};
  double top = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::int32_t id = order[k];
    bars.values.push_back(model.samples->share[to_size(id)]);
    bars.picks.push_back(sets("token", id, "explain", "draw"));
    const double after = model.filtered.after().probabilities(id),
                 before = model.filtered.before.probabilities(id);
    own.add(to_double(k) + 0.5, before);
    filtered.add(to_double(k) + 0.5, after);
    top = std::max({top, bars.values.back(), after, before});
  }
  plot.y.hi = 1.1 * top;
  bars.marked = place_of(order, model.token);
  plot.add(std::move(bars));
  plot.add(std::move(own));
  plot.add(std::move(filtered));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::decoding
