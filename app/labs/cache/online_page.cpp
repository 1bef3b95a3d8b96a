// One row of attention, its keys taken in block by block.
#include "app/labs/cache/page.h"

namespace lab::cache {
namespace {

using core::OnlineStep;

constexpr std::array kOutputColors{kWholeColor, kSinkColor, kOtherColor};

Index step_at(const Scene& scene) {
  return std::min<Index>(scene.p.step, to_index(scene.model.online->steps.size())) - 1;
}
const OnlineStep& step(const Scene& scene) {
  return scene.model.online->steps[to_size(step_at(scene))];
}

Axis key_axis(const Scene& scene) { return cell_axis(scene.w("key"), scene.p.count); }

Figure row_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const OnlineStep& now = step(scene);
  Figure figure = new_figure("row", w("The row so far"), {.height = 290, .columns = 2});
  figure.plays = "step";
  const Index number = step_at(scene) + 1;
  const std::string max = fixed(now.max, 3);
  figure.caption =
      now.count == 1
          ? w.format(
                "Step {}: key {} is read, and the running maximum is {}. Weights so far are a "
                "softmax over the keys read; in the end they are the softmax of the whole row.",
                number, now.first, max)
          : w.format(
                "Step {}: keys {} to {} are read, and the running maximum is {}. Weights so far "
                "are a softmax over the keys read; in the end they are the softmax of the whole "
                "row.",
                number, now.first, now.first + now.count - 1, max);
  Plot scores{.id = "scores", .title = w("scores"), .x = key_axis(scene)};
  Bars seen{.color = Color::of_head(kWholeColor), .numbers = false},
      ahead{.color = Role::faint, .numbers = false};
  Bars weights{.color = Color::of_head(kSinkColor)};
  for (Index j = 0; j < p.count; ++j) {
    const bool came = j < now.first + now.count;
    seen.values.push_back(came ? m.online->scores(j) : 0);
    ahead.values.push_back(came ? 0 : m.online->scores(j));
    weights.values.push_back(came ? std::exp(m.online->scores(j) - now.max) / now.sum : 0);
    seen.picks.push_back(sets("step", j / p.block + 1));
  }
  ahead.picks = weights.picks = seen.picks;
  const double top = std::max(1.0, 1.25 * m.online->scores.cwiseAbs().maxCoeff());
  scores.y = {"", -top, top};
  scores.add(std::move(ahead));
  scores.add(std::move(seen));
  scores.add(Band{{to_double(now.first), to_double(now.first + now.count)},
                  {-top, -top},
                  {top, top},
                  Color(Role::accent, 0.15F)});
  for (Index j = 0; j < now.first + now.count; ++j) {
    const double score = m.online->scores(j);
    scores.add(Note{to_double(j) + 0.5, (score < 0 ? 0.08 : -0.08) * top, fixed(score, 2),
                    Role::dim, TextStyle::mono_small, 0});
  }
  scores.add(Rule{false, now.max, Role::accent, true, w("maximum")});
  Plot so_far{.id = "so_far", .title = w("weights so far"), .x = key_axis(scene)};
  so_far.y = {"", 0, 1.15};
  so_far.add(std::move(weights));
  return with(std::move(figure), std::move(scores), std::move(so_far));
}

Plot run_plot(const Scene& scene, const std::string& id, std::string title) {
  Plot plot{.id = id, .title = std::move(title), .x_param = "step"};
  plot.x = {scene.w("step"), 0.5, to_double(scene.model.online->steps.size()) + 0.5};
  plot.add(Rule{true, step_at(scene) + 1, Color(Role::accent, 0.6F)});
  return plot;
}

Line along(const Scene& scene, const std::function<double(const OnlineStep&)>& value, Color color,
           std::string label = {}) {
  Line line{.color = color, .label = std::move(label)};
  for (const OnlineStep& one : scene.model.online->steps) line.add(line.x.size() + 1, value(one));
  return line;
}

void add_line(Plot& plot, Line line) {
  Points points{.x = line.x, .y = line.y, .color = line.color};
  plot.add(std::move(line));
  plot.add(std::move(points));
}

Figure state_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("state", w("What is kept between steps"), {.height = 290, .columns = 3});
  figure.caption = w.format(
      "The running maximum, the sum of exponentials relative to it, and the output: {} numbers a "
      "row, however long the row is. Dashed: the output of the whole row at once.",
      2 + kOutputs);
  Plot max = run_plot(scene, "max", w("maximum m"));
  add_line(max, along(
                    scene, [](const OnlineStep& s) { return s.max; }, Role::accent));
  Plot sum = run_plot(scene, "sum", w("sum l"));
  add_line(sum, along(
                    scene, [](const OnlineStep& s) { return s.sum; }, Color::of_head(kOtherColor)));
  Plot output = run_plot(scene, "output", w("output o / l"));
  Extent extent, maxima, sums;
  for (Index c = 0; c < kOutputs; ++c) {
    const Color color = Color::of_head(kOutputColors[to_size(c)]);
    Line line = along(
        scene, [c](const OnlineStep& s) { return s.output()(c); }, color);
    extent.add(line.y);
    add_line(output, std::move(line));
    output.add(Rule{false, m.online->output(c), color});
    extent.add(m.online->output(c));
  }
  for (const OnlineStep& s : m.online->steps) maxima.add(s.max), sums.add(s.sum);
  fit(max.y, maxima), fit(sum.y, sums), fit(output.y, extent);
  return with(std::move(figure), std::move(max), std::move(sum), std::move(output));
}

Figure steps_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("steps", w("Step by step"),
                             {.height = 110.F + 24.F * to_float(m.online->steps.size())});
  figure.caption =
      w("Each step: the new maximum, the factor that rescales all before, and the sum and the "
        "output after it. Where the maximum stays, the factor is 1.");
  figure::Table table;
  table.columns = {{w("step"), 0.6F, 1}, {w("keys read"), 0.8F, 1}, {w("maximum m"), 1, 1},
                   {w("factor"), 1, 1},  {w("sum l"), 1, 1},        {w("output o / l"), 2.4F, 1}};
  Index k = 0;
  for (const OnlineStep& s : m.online->steps) {
    const VectorD o = s.output();
    const std::string keys =
        s.count == 1 ? grouped(s.first) : fmt::format("{}..{}", s.first, s.first + s.count - 1);
    table.rows.push_back(
        {cell(grouped(++k)), cell(keys), cell(fixed(s.max, 4)), cell(fixed(s.factor, 4)),
         cell(fixed(s.sum, 4)),
         cell(fmt::format("{}  {}  {}", fixed(o(0), 4), fixed(o(1), 4), fixed(o(2), 4)))});
    table.picks.push_back(sets("step", k));
  }
  table.marked = to_int(step_at(scene));
  return with_table(std::move(figure), std::move(table));
}

Explanation explain_online(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Index k = step_at(scene);
  const OnlineStep& now = step(scene);
  const bool begins = k == 0;
  Derivation d(w);
  std::string scores;
  for (Index j = 0; j < now.count; ++j) {
    scores += (j ? ", " : "") + fixed(m.online->scores(now.first + j), 4);
  }
  d.is("m", fmt::format("≈ max({}{})", begins ? "" : fixed(now.max_before, 4) + ", ", scores));
  d.about(now.max, 4);
  double before = 0;
  VectorD accumulated = VectorD::Zero(kOutputs);
  if (!begins) {
    const OnlineStep& last = m.online->steps[to_size(k - 1)];
    before = last.sum, accumulated = last.accumulated;
    d.is(w("factor"),
         fmt::format("≈ exp({} - {})", fixed(now.max_before, 4), bracketed(fixed(now.max, 4))));
    d.about(significant(now.factor, 6));
  } else {
    d.say(w("Nothing came before: nothing is rescaled."));
  }
  d.is("l", begins ? "= Σ exp(s - m)" : w("= factor · l + Σ exp(s - m)"));
  std::vector<Derivation::Term> terms;
  if (!begins) {
    terms.push_back(
        {significant(now.factor * before, 6),
         w.format("factor · l: {} · {}", significant(now.factor, 6), significant(before, 6))});
  }
  for (Index j = 0; j < now.count; ++j) {
    terms.push_back(
        {significant(now.exponentials(j), 6),
         w.format("key {}: exp({} - {})", now.first + j, fixed(m.online->scores(now.first + j), 4),
                  bracketed(fixed(now.max, 4)))});
  }
  d.terms(terms);
  d.about(significant(now.sum, 6));
  d.say(w("The output's first component, in the same way:"));
  std::string sum =
      fmt::format("≈ {}·{}", significant(now.factor, 6), bracketed(significant(accumulated(0), 6)));
  for (Index j = 0; j < now.count; ++j) {
    sum += fmt::format(" + {}·{}", significant(now.exponentials(j), 6),
                       bracketed(significant(m.online->values(now.first + j, 0), 6)));
  }
  d.is("o", sum);
  d.about(significant(now.accumulated(0), 6));
  d.is("o / l",
       fmt::format("≈ {} / {}", significant(now.accumulated(0), 6), significant(now.sum, 6)));
  d.about_result(significant(now.output()(0), 6));
  return {w.format("Step {}", k + 1), d.take()};
}

}  // namespace

Page online_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const OnlineStep& now = step(scene);
  const double error = (m.online->steps.back().output() - m.online->output).cwiseAbs().maxCoeff();
  Page page;
  page.figures = {row_figure(scene), state_figure(scene), steps_figure(scene)};
  page.readouts = {
      {"max", w("Maximum so far"), now.max, fixed(now.max, 4), w("m after this step")},
      {"factor", w("Factor"), now.factor, significant(now.factor, 4),
       w("What the sum and the output so far are multiplied by; 0 at the first step")},
      {"sum", w("Sum so far"), now.sum, significant(now.sum, 6), w("l after this step")},
      {"error", w("Final error"), error, fmt::format("{:.1e}", error),
       w("The largest difference between the last output and that of the whole row at once: "
         "rounding alone")}};
  page.formula = "l' = e^{m - m'} \\, l + \\sum e^{s - m'}";
  page.explanation = explain_online(scene);
  page.made_up = w("made-up scores and values: only the arithmetic counts");
  page.status = w.format("{} keys in blocks of {} · step {} of {}", p.count, p.block,
                         step_at(scene) + 1, m.online->steps.size());
  return page;
}

}  // namespace lab::cache
