// Loss by position of trained models on texts longer than those they were trained on.
#include "app/labs/extrapolation/losses.h"

#include "app/labs/shared/derivation/sum.h"
#include "app/labs/shared/drawing/table_numbers.h"
#include "app/labs/shared/text/text.h"

namespace lab::extrapolation {
namespace {

constexpr double kRises = 0.05;  // nats: less is no rise

Color reader_color(Reader reader) {
  static constexpr core::EnumArray<Reader, int> kColors{{0, 6, 7, 9, -1, -1, 1, 3, 10, 4}};
  if (reader == Reader::rotary) return Role::text;
  if (reader == Reader::none) return Role::dim;
  return Color::of_head(kColors[reader]);
}

std::vector<Reader> shown_readers(const LossScene& scene, bool scaled) {
  std::vector<Reader> all;
  for (int k = 0; k < kReaders; ++k) {
    const auto reader = static_cast<Reader>(k);
    const bool belongs =
        scaled ? is_scaled(reader) || reader == Reader::rotary : !is_scaled(reader);
    if (belongs && scene.measured.by(reader)) all.push_back(reader);
  }
  return all;
}

// The curve of a reader, and discs that pick a place of it.
void add_curve(const LossScene& scene, Reader reader, Plot& plot) {
  const ReaderLosses& losses = *scene.measured.by(reader);
  const bool chosen = reader == scene.p.reader, up_to = scene.p.losses == Losses::up_to;
  Line line{
      .color = reader_color(reader), .width = chosen ? 2.5f : 1.5f, .label = scene.name(reader)};
  Points points{{}, {}, reader_color(reader), chosen ? 3.0f : 2.0f};
  for (Index first = 0; first + scene.bin() <= losses.length(); first += scene.bin()) {
    const Index end = first + scene.bin();
    const double loss = up_to ? losses.mean(0, end) : losses.mean(first, scene.bin());
    const double x = up_to ? to_double(end) : to_double(first) + to_double(scene.bin()) / 2;
    line.add(x, loss);
    points.x.push_back(x), points.y.push_back(loss);
    points.picks.push_back(sets("reader", reader_id(reader), "place", first + scene.bin() / 2));
  }
  plot.add(std::move(line));
  plot.add(std::move(points));
}

Axis loss_axis(const LossScene& scene, const std::vector<Plot>& plots) {
  Extent extent;
  for (const Plot& plot : plots) {
    for (const Mark& mark : plot.marks) {
      if (const auto* line = std::get_if<Line>(&mark)) extent.add(line->y);
    }
  }
  return fitted_axis(scene.w("loss (nats per token)"), extent, 0.08, {.link = "loss"});
}

Figure losses_figure(const LossScene& scene) {
  const auto& [p, measured, w] = scene;
  Figure figure = new_figure("losses", w("Loss by position"), {.height = 420, .columns = 2});
  const Index n = measured.length(), texts = to_index(measured.texts->begins.size());
  figure.note = w.format("{} held-out texts of {} tokens", texts, n);
  const auto plot_of = [&](bool scaled) {
    Plot plot{
        .id = scaled ? "loss_scaling" : "loss_schemes",
        .title = scene.w(scaled ? N_("RoPE, turned in other ways") : N_("Six models, six schemes")),
        .x = value_axis(scene.w("position (tokens)"), 0, n, {.link = "place"}),
        .x_param = "place"};
    for (const Reader reader : shown_readers(scene, scaled)) add_curve(scene, reader, plot);
    return plot;
  };
  for (const bool scaled : {false, true}) {
    if (p.readers == (scaled ? Readers::schemes : Readers::scaling)) continue;
    if (!shown_readers(scene, scaled).empty()) figure.plots.push_back(plot_of(scaled));
  }
  const Axis axis = loss_axis(scene, figure.plots);
  for (Plot& plot : figure.plots) {
    plot.y = axis;
    plot.add(Rule{.at = measured.trained(), .label = w("trained length")});
    plot.add(Rule{true, to_double(scene.place()), Role::accent});
  }
  figure.caption = w.format(
      "The mean loss of the next token over {} held-out texts, each point of {} positions; models "
      "were trained on texts of {} tokens and read {}.",
      texts, scene.bin(), measured.trained(), n);
  if (p.losses == Losses::up_to) {
    figure.caption = w.format(
        "The mean loss over all positions of texts of so many tokens, {} held-out texts; models "
        "were trained on texts of {} tokens and read {}.",
        texts, measured.trained(), n);
  }
  return figure;
}

std::string loss_text(double loss) { return std::isnan(loss) ? "–" : fixed(loss); }
std::string signed_text(double value) {
  return std::isnan(value) ? "–" : (value < 0 ? "" : "+") + fixed(value);
}

// Lengths of which the table tells the loss: 1, 2, 4, ... times the trained one.
std::vector<Index> listed_times(const LossScene& scene) {
  std::vector<Index> all;
  for (Index times = 1; times < scene.p.times; times *= 2) all.push_back(times);
  all.push_back(scene.p.times);
  return all;
}

Figure lengths_figure(const LossScene& scene) {
  const auto& [p, measured, w] = scene;
  const Index trained = measured.trained(), half = trained / 2, n = measured.length();
  Figure figure =
      new_figure("lengths", w("Loss at the trained length and beyond"), {.height = 400});
  figure::Table table;
  table.columns = {{w("Positions"), 1.5f, -1}};
  for (const Index times : listed_times(scene)) {
    table.columns.push_back({w.format("to {}", times * trained), 0.8f, 1});
  }
  table.columns.push_back({w.format("the last, having read {}", trained), 1.3f, 1});
  table.columns.push_back({w("difference"), 0.8f, 1});
  for (int k = 0; k < kReaders; ++k) {
    const auto reader = static_cast<Reader>(k);
    const ReaderLosses* losses = measured.by(reader);
    if (!losses) continue;
    std::vector<figure::Table::Cell> row{{{scene.name(reader), Role::text, TextStyle::label}}};
    for (const Index times : listed_times(scene)) {
      row.push_back({mono(loss_text(measured.at_times(reader, times)))});
    }
    const double whole = losses->mean(n - half, half), excess = losses->excess(n);
    row.push_back({mono(loss_text(whole - excess))});
    row.push_back({mono(signed_text(excess), excess > kRises ? Color(Role::bad) : Role::text)});
    if (reader == p.reader) table.marked = to_int(table.rows.size());
    table.rows.push_back(std::move(row));
    table.picks.push_back(sets("reader", reader_id(reader)));
    add_numbers(table, {{"loss at the trained length (nats)", measured.at_times(reader, 1)},
                        {"loss at the end (nats)", whole},
                        {"loss at the end with the trained length alone (nats)", whole - excess},
                        {"difference (nats)", excess}});
  }
  figure.caption = w.format(
      "The mean loss of {} positions up to the trained length and up to multiples of it; the last "
      "ones also as they are read in texts of {} tokens that end with them: the same tokens, so "
      "that the difference is what the longer text does.",
      half, trained);
  return with_table(std::move(figure), std::move(table));
}

Figure papers_figure(const LossScene& scene) {
  const auto& [p, measured, w] = scene;
  Figure figure =
      new_figure("papers", w("What the papers found, and what is found here"), {.height = 360});
  figure::Table table;
  table.columns = {{w("Paper"), 0.8f, -1},
                   {w("It found"), 2, -1},
                   {w("Here"), 0.6f, -1},
                   {w("Numbers"), 1.6f, -1}};
  for (const Finding& one : findings(scene)) {
    table.rows.push_back({{{one.paper, Role::text, TextStyle::label}},
                          {{one.said, Role::text, TextStyle::label}},
                          {{one.here ? w("the same") : w("not so"),
                            one.here ? Role::good : Role::bad, TextStyle::label_bold}},
                          {mono(one.numbers)}});
    add_numbers(table, {{"found here (1: yes)", one.here ? 1 : 0}});
  }
  const double parameters =
      to_double(measured.texts->shipped->models.front().layout.learned()) / 1e6;
  figure.note = w.format("{:.2f} million parameters, trained on {} tokens, never trained further",
                         parameters, measured.trained());
  figure.caption = w.format(
      "What these papers found, with models a hundred times as large and more, on texts of 512 to "
      "131,072 tokens; beside it, the six models, each with {:.2f} million parameters. Numbers are "
      "differences as in the table above, in nats.",
      parameters);
  return with_table(std::move(figure), std::move(table));
}

std::vector<Readout> readouts(const LossScene& scene) {
  const auto& [p, measured, w] = scene;
  std::vector<Readout> all;
  const auto add = [&](std::string id, std::string label, double value, std::string text,
                       std::string help) {
    all.push_back({std::move(id), std::move(label), value, std::move(text), std::move(help)});
  };
  add("read", w("Tokens read"),
      to_double(to_index(measured.texts->begins.size()) * measured.length()),
      grouped(to_index(measured.texts->begins.size()) * measured.length()),
      w("Held-out tokens that each model reads; none of them was learned from"));
  if (scene.chosen()) {
    const double at = measured.at_times(p.reader, 1), end = measured.at_times(p.reader, p.times);
    add("trained_loss", w("Loss at the trained length"), at, loss_text(at),
        w("Of the chosen reader: the mean over the second half of the trained length"));
    add("long_loss", w("Loss at the end"), end, loss_text(end),
        w("Of the chosen reader: the mean over the last positions, half a trained length"));
    add("perplexity", w("Perplexity at the end"), std::exp(end), loss_text(std::exp(end)),
        w("exp of the loss: among so many equally likely tokens it is as unsure"));
  }
  for (int k = 0; k < kReaders; ++k) {
    const auto reader = static_cast<Reader>(k);
    const ReaderLosses* losses = measured.by(reader);
    if (!losses || losses->last.size() == 0) continue;
    const double excess = losses->excess(measured.length());
    add(fmt::format("excess_{}", reader_id(reader)), w.format("Difference, {}", scene.name(reader)),
        excess, signed_text(excess),
        w("By how many nats the last tokens' loss is above what it is with the trained length "
          "alone"));
  }
  return all;
}

void add_notes(const LossScene& scene, Page& page) {
  const auto& [p, measured, w] = scene;
  if (measured.done < measured.wanted) {
    page.note(w.format("Reading: {} of {} done", measured.done, measured.wanted));
    return;
  }
  std::vector<std::pair<double, Reader>> all;
  for (int k = 0; k < kReaders; ++k) {
    const auto reader = static_cast<Reader>(k);
    if (reader == Reader::learned || !measured.by(reader)) continue;
    all.emplace_back(measured.by(reader)->excess(measured.length()), reader);
  }
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  page.note(
      w.format("At {} times the trained length the last tokens' loss, beside what it is with {} "
               "tokens alone: {} at best ({}), {} at worst ({}).",
               p.times, measured.trained(), signed_text(least->first), scene.name(least->second),
               signed_text(most->first), scene.name(most->second)));
  if (is_read(p, Reader::learned)) {
    page.note(
        w.format("Learned positions have {} rows: no text may be longer.", measured.trained()));
  }
  // The fastest pair turns by 1 radian from one token to the next.
  const double turns = to_double(measured.trained()) / kTurn;
  if (is_read(p, Reader::yarn) && turns < p.beta) {
    page.note(
        w.format("Within {} tokens even the fastest pair turns only {} times, less than β: YaRN "
                 "slows every pair, the papers' models keep their fast ones.",
                 measured.trained(), fixed(turns, 1)));
  }
  const auto texts = to_int(measured.texts->begins.size());
  if (texts < p.texts) {
    page.note(w.format("There are {} held-out texts of that length, no more.", texts));
  }
}

}  // namespace

std::string LossScene::name(Reader reader) const {
  static constexpr core::EnumArray<Reader> kNames{
      {N_("sinusoidal"), N_("learned"), N_("T5 bias"), N_("ALiBi"), N_("RoPE"), N_("none"),
       N_("interpolation"), N_("NTK-aware"), N_("dynamic NTK"), N_("YaRN")}};
  return reader == Reader::none ? w("no positions") : w(kNames[reader]);
}

std::vector<Finding> findings(const LossScene& scene) {
  const auto& [p, measured, w] = scene;
  std::vector<Finding> all;
  const auto excess = [&m = measured](Reader of) { return m.by(of)->excess(m.length()); };
  const auto add = [&](const char* paper, std::string said, std::initializer_list<Reader> of,
                       const auto& holds) {
    std::string numbers;
    for (const Reader reader : of) {
      if (!scene.measured.by(reader)) return;
      numbers +=
          (numbers.empty() ? "" : ", ") + scene.name(reader) + " " + signed_text(excess(reader));
    }
    all.push_back({paper, std::move(said), holds(), std::move(numbers)});
  };
  // By less than kRises is no difference.
  const auto less = [&](Reader a, Reader b) { return excess(a) < excess(b) - kRises; };
  using enum Reader;
  constexpr const char *kPress = "Press et al. 2022", *kChen = "Chen et al. 2023",
                       *kPeng = "Peng et al. 2023";
  add(kPress, w("Sinusoidal positions: the loss rises beyond the trained length"), {sinusoidal},
      [&] { return excess(sinusoidal) > kRises; });
  add(kPress, w("RoPE: it rises too, less than with sinusoidal positions"), {rotary, sinusoidal},
      [&] { return excess(rotary) > kRises && less(rotary, sinusoidal); });
  add(kPress, w("T5's bias: it rises less than with RoPE"), {t5, rotary},
      [&] { return less(t5, rotary); });
  add(kPress, w("ALiBi: it does not rise"), {alibi}, [&] { return excess(alibi) <= kRises; });
  add(kChen, w("Interpolation without further training: it rises less than with RoPE as it is"),
      {interpolation, rotary}, [&] { return less(interpolation, rotary); });
  add(kPeng, w("NTK-aware scaling without further training: it rises less than with interpolation"),
      {ntk, interpolation}, [&] { return less(ntk, interpolation); });
  add(kPeng, w("Dynamic NTK: nothing changes up to the trained length"), {dynamic, rotary}, [&] {
    const Measured& m = scene.measured;
    return m.by(dynamic)->mean(0, m.trained()) == m.by(rotary)->mean(0, m.trained());
  });
  add(kPeng, w("YaRN: it rises least of all ways to turn RoPE"),
      {yarn, interpolation, ntk, dynamic},
      [&] { return less(yarn, interpolation) && less(yarn, ntk) && less(yarn, dynamic); });
  return all;
}

Explanation explain_loss(const LossScene& scene) {
  const auto& [p, measured, w] = scene;
  Derivation d(w);
  const std::string title =
      w.format("Loss at position {}, {}", scene.place(), scene.name(p.reader));
  const ReaderLosses* losses = scene.chosen();
  const Index place = scene.place(), text = scene.text();
  if (!losses) {
    d.say(w("This reader is not shown: choose it under Readers."));
    return {title, d.take()};
  }
  if (place >= losses->length()) {
    d.say(w.format("It has learned positions up to {} and cannot read further.",
                   losses->length() - 1));
    return {title, d.take()};
  }
  const Texts& texts = *measured.texts;
  const auto& tokenizer = *texts.shipped->tokenizer;
  const std::int32_t* tokens = texts.at(0)[to_size(text)];
  constexpr Index kBefore = 12;
  std::string before;
  for (Index k = std::max<Index>(0, place - kBefore); k <= place; ++k) {
    before += tokenizer.shown(tokens[k]);
  }
  d.heading(w.format("Text {}: what comes after “{}”", text + 1, before));
  const double loss = losses->whole.loss(text, place),
               logit = to_double(losses->whole.logit(text, place));
  d.say(w.format("It is “{}”, with the logit z:", tokenizer.shown(tokens[place + 1])));
  d.is("z", equated(logit, fixed(logit, 5)));
  d.is("ln Σ exp", equated(loss + logit, fixed(loss + logit, 5)));
  d.begin(w("loss"), "ln Σ exp - z");
  d.is("", fmt::format("≈ {} - {}", fixed(loss + logit, 5), bracketed(fixed(logit, 5))));
  d.about_result(loss, 4);
  // What the curve shows there: of one point's positions, or of all up to its end.
  const Index begin = place / scene.bin() * scene.bin(), end = begin + scene.bin();
  const Index first = p.losses == Losses::up_to ? 0 : begin, span = end - first;
  const Index count = to_index(texts.begins.size());
  d.heading(w.format("The point of the curve: positions {} to {}", first, end - 1));
  std::vector<double> means;
  for (Index k = 0; k < count; ++k) {
    means.push_back(losses->whole.loss.row(k).segment(first, span).mean());
  }
  const double sum = std::accumulate(means.begin(), means.end(), 0.0);
  d.say(w.format("The mean of {} losses in each text, and of these the mean:", span));
  d.about("Σ", sum, 5)
      .terms(sum_terms(
          means, {.always = to_size(text)},
          [&](std::size_t k) { return scene.w.format("text {}", k + 1); },
          [&](std::size_t rest) { return scene.w.format("{} more texts", rest); }));
  d.is(w("loss"), fmt::format("≈ {} / {}", fixed(sum, 5), count));
  d.about_result(sum / to_double(count), 4);
  return {title, d.take()};
}

Page losses_page(const LossScene& scene) {
  const auto& [p, measured, w] = scene;
  Page page;
  page.figures.push_back(losses_figure(scene));
  page.figures.push_back(lengths_figure(scene));
  if (!findings(scene).empty()) page.figures.push_back(papers_figure(scene));
  page.readouts = readouts(scene);
  page.formula = "\\text{loss}_{t} = -\\log p(x_{t+1} | x_{0}, ..., x_{t})";
  page.explanation = explain_loss(scene);
  page.cards = cards("extrapolation", w);
  add_notes(scene, page);
  page.status = w.format("{} times {} tokens · {} texts · {}", p.times, measured.trained(),
                         measured.texts->begins.size(), scene.name(p.reader));
  return page;
}

}  // namespace lab::extrapolation
