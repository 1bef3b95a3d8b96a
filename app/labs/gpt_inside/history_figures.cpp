// What heads did at the steps of a training that were kept: when each became what it is.
#include "app/labs/gpt_inside/page.h"

namespace lab::gpt_inside {
namespace {

using core::checkpoint::AllHeadScores, core::checkpoint::ScoreHistory;
using core::task::HeadScores, core::task::kNamedScores, core::task::named_scores;

const HeadScores& at(const AllHeadScores& all, const HeadIndex& place) {
  return all[to_size(place.layer)][to_size(place.head)];
}

Labels step_labels(const ScoreHistory& history) {
  return labels(each(history.steps, [](const auto& step) { return grouped(step.step); }));
}

// Since which step, by its number among those that were kept, some head has this name without a
// break up to the last one; none: no head has it then.
std::optional<std::size_t> named_since(const ScoreHistory& history, std::size_t which,
                                       const std::vector<HeadIndex>& places) {
  const auto any = [&](const ScoreHistory::Step& step) {
    return std::any_of(places.begin(), places.end(), [&](const HeadIndex& place) {
      return called(at(step.heads, place)) == which;
    });
  };
  std::size_t since = history.steps.size();
  while (since > 0 && any(history.steps[since - 1])) --since;
  if (since == history.steps.size()) return std::nullopt;
  return since;
}

// The names that heads have in the end, in the order in which they came to be.
std::vector<std::pair<std::size_t, std::size_t>> names_by_step(
    const ScoreHistory& history, const std::vector<HeadIndex>& places) {
  std::vector<std::pair<std::size_t, std::size_t>> all;  // since, name
  for (std::size_t k = 0; k < kNamedScores; ++k) {
    if (const auto since = named_since(history, k, places)) all.emplace_back(*since, k);
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::string in_order(const Scene& scene, const ScoreHistory& history) {
  std::string text;
  for (const auto& [since, which] : names_by_step(history, scene.model.places())) {
    text += (text.empty() ? "" : scene.w(", ")) +
            scene.w.format("{} since step {}", scene.w(named_scores()[which].name),
                           grouped(history.steps[since].step));
  }
  return text;
}

figure::Boxes::Box name_box(const Scene& scene, const ScoreHistory::Step& step,
                            const HeadIndex& place) {
  const auto& w = scene.w;
  const HeadScores& scores = at(step.heads, place);
  const auto which = called(scores);
  figure::Boxes::Box box;
  box.text = which ? w(named_scores()[*which].name) : "";
  box.fill = which ? Color::of_head(to_int(*which), 0.35F) : Color(Role::dim, 0.05F);
  box.marked = place == scene.model.place;
  box.pick = sets("layer", place.layer + 1, "head", place.head + 1);
  box.tooltip = w.format("Head {} at step {}: {}", head_name(place), grouped(step.step),
                         called_name(scores, w));
  if (which) box.tooltip += fmt::format(" {:.3f}", (scores.*named_scores()[*which].score).mean);
  return box;
}

Plot lines_plot(const Scene& scene, const ScoreHistory& history, std::size_t which) {
  const Words& w = scene.w;
  const auto& model = scene.model;
  const core::task::NamedScore& score = named_scores()[which];
  Plot plot{.id = fmt::format("history_{}", which), .title = w(score.name)};
  plot.x = cell_axis(w("step"), to_index(history.steps.size()),
                     {.link = "history", .labels = step_labels(history), .named = true});
  plot.y = value_axis(w("score"), 0, 1.05);
  std::vector<HeadIndex> places = model.places();
  const auto is_named = [&](const HeadIndex& place) {
    return called(at(history.steps.back().heads, place)) == which;
  };
  // Those that are called so lie above the others, the picked one above all.
  std::stable_partition(places.begin(), places.end(),
                        [&](const HeadIndex& place) { return !is_named(place); });
  std::stable_partition(places.begin(), places.end(),
                        [&](const HeadIndex& place) { return place != model.place; });
  for (const HeadIndex& place : places) {
    const bool named = is_named(place), picked = place == model.place;
    Line line{.color = picked  ? Color(Role::accent)
                       : named ? Color::of_head(to_int(which))
                               : Color(Role::dim, 0.25F),
              .width = picked || named ? 2.0F : 1.0F,
              .label = picked || named ? head_name(place) : ""};
    for (std::size_t k = 0; k < history.steps.size(); ++k) {
      line.add(to_double(k) + 0.5, (at(history.steps[k].heads, place).*score.score).mean);
    }
    plot.add(std::move(line));
  }
  return plot;
}

}  // namespace

Figure became_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const ScoreHistory& history = *model.opened->history;
  const auto places = model.places();
  figure::Boxes boxes;
  boxes.style = TextStyle::small;
  auto rows = std::make_shared<std::vector<std::string>>();
  for (std::size_t h = 0; h < places.size(); ++h) {
    rows->push_back(head_name(places[h]));
    for (std::size_t k = 0; k < history.steps.size(); ++k) {
      figure::Boxes::Box box = name_box(scene, history.steps[k], places[h]);
      box.fill_cell(to_double(k), to_double(h), 0.02, 0.06);
      boxes.boxes.push_back(std::move(box));
    }
  }
  Plot plot{.id = "became"};
  plot.x = cell_axis(w("step"), to_index(history.steps.size()),
                     {.link = "history", .labels = step_labels(history), .named = true});
  plot.y = cell_axis(w("head"), to_index(rows->size()), {.labels = rows, .named = true});
  plot.add(std::move(boxes));
  Figure figure = new_figure("became", w("When which head became what"),
                             {.height = 110 + 21 * to_float(places.size())});
  const auto& last = history.steps.back();
  figure.note = w.format("{} tokens", grouped(last.tokens));
  figure.caption = w.format(
      "The name of each head at steps of the model's own training, from a file beside it, by its "
      "scores over {} texts that it did not learn from. Names that last: {}.",
      history.texts, in_order(scene, history));
  figure.pointer_caption = w("Click a head to choose it.");
  return with(std::move(figure), std::move(plot));
}

Figure history_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const ScoreHistory& history = *model.opened->history;
  Figure figure = new_figure("history", w("Scores over training"), {.columns = 3});
  for (const auto& [since, which] : names_by_step(history, model.places())) {
    figure.plots.push_back(lines_plot(scene, history, which));
  }
  Plot bits{.id = "bits", .title = w("bits a byte")};
  bits.x = cell_axis(w("step"), to_index(history.steps.size()),
                     {.link = "history", .labels = step_labels(history), .named = true});
  Line line{.color = Role::text, .label = w("these texts")};
  Line training{.color = Role::good, .label = w("all that was held out")};
  for (std::size_t k = 0; k < history.steps.size(); ++k) {
    line.add(to_double(k) + 0.5, history.steps[k].bits);
    if (const auto& reported = history.steps[k].training)
      training.add(to_double(k) + 0.5, *reported);
  }
  bits.marks = {std::move(line), std::move(training)};
  bits.y = fitted_axis(w("bits a byte"), heights(bits.marks));
  figure.plots.push_back(std::move(bits));
  figure.height = 250 * to_float(core::ceil_div(to_index(figure.plots.size()), 3));
  figure.caption = w.format(
      "A line is a head, coloured where it has that name after the last step; numbers are from the "
      "file beside the model, over the first {} tokens of each text.",
      history.text_tokens);
  return figure;
}

}  // namespace lab::gpt_inside
