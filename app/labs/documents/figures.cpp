// The document as running text, both levels' weights, and what comes of them.
#include "app/labs/documents/page.h"
#include "app/labs/shared/drawing/bars.h"
#include "app/labs/shared/model/training_curves.h"

namespace lab::documents {
namespace {

constexpr double kLine = 1.25;  // height of a line of text, of which 1 is a box

// Columns of a fixed-width font; a Chinese character takes two.
double columns_of(const std::string& text) {
  double columns = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0u) != 0x80u) columns += byte >= 0xe0u ? 2 : 1;
  }
  return columns;
}

// The knob's text with one place more, or one fewer.
std::string toggled(const Reading& reading, WordPosition at) {
  auto positions = reading.out;
  if (!positions.erase({at.sentence, at.word})) positions.emplace(at.sentence, at.word);
  std::string text;
  for (const auto& [sentence, word] : positions) {
    text += (text.empty() ? "" : " ") + position_text({sentence, word});
  }
  return text;
}

// A box that is as strong as its weight.
Color shade(Role role, double weight) { return Color(role, 0.06F + 0.8F * to_float(weight)); }

figure::Boxes::Box word_box(const Scene& scene, WordPosition at) {
  const Reading& reading = scene.reading();
  const bool out = !reading.in_kept(at).has_value();
  const std::string& word = reading.word(at);
  figure::Boxes::Box box;
  box.text = out ? "(" + word + ")" : word;
  box.fill = out ? Color(Role::dim, 0.0F) : shade(Role::key, reading.weight(at));
  box.marked = scene.model.picked == at;
  box.pick = sets("deleted", toggled(reading, at));
  box.tooltip = out ? scene.w.format("\"{}\" is left out; a click puts it back", word)
                    : scene.w.format(
                          "\"{}\": weight {:.3f} in its sentence, {:.3f} in the document; a click "
                          "leaves it out",
                          word, reading.word_weight(at), reading.weight(at));
  return box;
}

// Where a sentence has weight 0 its words have, too; its own box says how strong it is.
figure::Boxes::Box sentence_box(const Scene& scene, Index sentence) {
  const double weight = scene.reading().sentence_weight(sentence);
  figure::Boxes::Box box;
  box.text = fixed(weight, 2);
  box.fill = shade(Role::query, weight);
  box.pick = sets("at_sentence", sentence + 1, "at_word", 0, "explain", "sentence");
  box.tooltip = scene.w.format("Sentence {}: weight {:.3f}", sentence + 1, weight);
  return box;
}

}  // namespace

std::string class_name(const core::task::DocumentTask& task, Index label, const Words& w) {
  if (task.kind == DocumentKind::opinions) return label == 0 ? w("for") : w("against");
  switch (label) {
    case 0: return w("sport");
    case 1: return w("cooking");
    case 2: return w("music");
    default: return w("weather");
  }
}

Figure document_figure(const Scene& scene) {
  // As wide as the longest sentence, within what a small window has room for; longer ones go on in
  // another line.
  constexpr double kNarrowest = 40, kWidest = 56, kIndent = 8, kGap = 0.8;
  const Reading& reading = scene.reading();
  const Words& w = scene.w;
  double longest = kNarrowest;
  for (Index s = 0; s < reading.sentences(); ++s) {
    double x = kIndent;
    for (Index t = 0; t < reading.count(s); ++t) x += columns_of(reading.word({s, t})) + 2 + kGap;
    longest = std::max(longest, x);
  }
  const double room = std::min(longest, kWidest);
  figure::Boxes boxes;
  double top = 0;
  const auto position = [&](figure::Boxes::Box box, double x, double width) {
    box.x0 = x;
    box.x1 = x + width;
    box.y0 = -top - 1;
    box.y1 = -top;
    boxes.boxes.push_back(std::move(box));
  };
  for (Index s = 0; s < reading.sentences(); ++s, top += kLine) {
    position(sentence_box(scene, s), 0, kIndent - 2);
    double x = kIndent;
    for (Index t = 0; t < reading.count(s); ++t) {
      figure::Boxes::Box box = word_box(scene, {s, t});
      const double width = std::min(columns_of(box.text) + 2, room - kIndent);
      if (x > kIndent && x + width > room) {
        x = kIndent;
        top += kLine;
      }
      position(std::move(box), x, width);
      x += width + kGap;
    }
  }
  Plot plot{.id = "document"};
  plot.x = {.hi = room, .visible = false};
  plot.y = {.lo = -std::max(top, kLine), .hi = 0.2, .visible = false};
  plot.add(std::move(boxes));
  Figure figure = new_figure("document", w("The document"), {.height = 70 + 27 * to_float(top)});
  const auto& task = scene.trained().model->task;
  figure.note = w.format("read as: {}", class_name(task, reading.label(), w));
  if (reading.known) {
    figure.note +=
        reading.label() == reading.document.label
            ? " · " + w("right")
            : " · " + w.format("correct: {}", class_name(task, reading.document.label, w));
  }
  figure.caption =
      w("One sentence per line, after its weight; the stronger a word's colour, the larger its "
        "weight in the document: its weight in the sentence times the sentence's weight.");
  figure.pointer_caption = w("Click a word to leave it out, click again to put it back.");
  return with(std::move(figure), std::move(plot));
}

Figure weights_figure(const Scene& scene) {
  const Reading& reading = scene.reading();
  const Words& w = scene.w;
  const Index rows = std::max<Index>(reading.sentences(), 1);
  Index cols = 1;
  for (Index s = 0; s < reading.sentences(); ++s) cols = std::max(cols, reading.count(s));
  Matrix cells = Matrix::Constant(rows, cols, core::kMasked);
  Bars bars{.color = Role::query};
  for (Index s = 0; s < reading.sentences(); ++s) {
    for (Index t = 0; t < reading.count(s); ++t) {
      if (reading.in_kept({s, t})) cells(s, t) = to_float(reading.word_weight({s, t}));
    }
    bars.values.push_back(reading.sentence_weight(s));
    bars.picks.push_back(sets("at_sentence", s + 1, "at_word", 0, "explain", "sentence"));
  }
  if (bars.values.empty()) bars.values.push_back(0);
  const auto& picked = scene.model.picked;
  if (picked) bars.marked = to_int(picked->sentence);

  Plot words{.id = "words", .title = w("Words in their sentence")};
  words.x = counted_axis(w("word"), cols);
  words.y = counted_axis(w("sentence"), rows, "sentence");
  words.y.color = Role::query;
  if (reading.sentences() > 0) {
    words.x_param = "at_word";
    words.y_param = "at_sentence";
    words.click = explains("word");
  }
  Heatmap map = lab::heatmap(cells, weight_scale(1));
  map.bar_label = w("weight");
  if (picked) map.pinned = {picked->sentence, picked->word};
  words.add(std::move(map));

  Plot sentences{.id = "sentences", .title = w("Sentences in the document")};
  sentences.x = counted_axis(w("sentence"), rows, "sentence_bars");
  sentences.y = {.label = w("weight"), .hi = 1.08};
  sentences.add(std::move(bars));
  Figure figure =
      new_figure("weights", w("Both levels' weights"), {.span = 8, .height = 300, .columns = 2});
  figure.caption =
      w("Left, a row for each sentence: the weights of its words, which sum to 1. Right: the "
        "weights of the sentences, which sum to 1 as well.");
  figure.pointer_caption = w("A click works out a weight.");
  return with(std::move(figure), std::move(words), std::move(sentences));
}

Figure outcome_figure(const Scene& scene) {
  const Reading& reading = scene.reading();
  const Words& w = scene.w;
  const Index classes = reading.chances.size();
  std::vector<std::string> names;
  Bars bars{.color = Role::value, .marked = to_int(reading.label())};
  Points before{.color = Role::text, .radius = 5};
  for (Index c = 0; c < classes; ++c) {
    names.push_back(class_name(scene.trained().model->task, c, w));
    bars.values.push_back(reading.chances[c]);
    bars.picks.push_back(explains("outcome"));
    before.add(to_double(c) + 0.5, reading.whole_chances[c]);
  }
  Plot plot{.id = "outcome"};
  plot.x = cell_axis(w("class"), classes, {.labels = labels(std::move(names))});
  plot.y = {.label = w("probability"), .hi = 1.12, .end = 1};
  plot.add(std::move(bars));
  if (!reading.out.empty()) plot.add(std::move(before));
  Figure figure = new_figure("outcome", w("The decision"), {.span = 4, .height = 300});
  figure.caption =
      reading.out.empty()
          ? w("The probability of each class.")
          : w("The probability of each class without the words left out; dots: with them.");
  return with(std::move(figure), std::move(plot));
}

Figure worth_figure(const Scene& scene) {
  const Reading& reading = scene.reading();
  const Words& w = scene.w;
  Points here{.color = Role::accent, .radius = 4.5F};
  Extent x, y;
  x.add(0);
  y.add(0);
  for (Index s = 0; s < reading.sentences(); ++s) {
    for (Index t = 0; t < reading.count(s); ++t) {
      const auto at = reading.in_kept({s, t});
      if (!at) continue;
      here.add(reading.weight({s, t}), reading.worth_of(*at),
               sets("at_sentence", s + 1, "at_word", t + 1, "explain", "word"));
    }
  }
  Plot plot{.id = "worth"};
  plot.x = {.label = w("weight in the document")};
  plot.y = {.label = w("fall of the log-odds without it")};
  if (scene.model.focus) {
    Points held{.x = scene.model.focus->weights,
                .y = scene.model.focus->worth,
                .color = Color(Role::dim, 0.5F),
                .radius = 2};
    x.add(held.x);
    y.add(held.y);
    plot.add(std::move(held));
  }
  x.add(here.x);
  y.add(here.y);
  fit(plot.x, x, 0.04);
  fit(plot.y, y, 0.06);
  plot.add(Rule{false, 0, Role::dim});
  const auto& picked = scene.model.picked;
  if (picked) {
    const auto at = *reading.in_kept(*picked);
    // Beside the point, at its left where there is no room at its right.
    const bool left = reading.weight(*picked) > 0.7 * plot.x.hi;
    const std::string word = reading.word(*picked);
    plot.add(Note{.x = reading.weight(*picked),
                  .y = reading.worth_of(at),
                  .text = left ? word + "   " : "   " + word,
                  .color = Role::text,
                  .align = left ? 1 : -1});
  }
  if (!here.x.empty()) plot.add(std::move(here));
  Figure figure = new_figure("worth", w("Does attention explain?"), {.span = 7, .height = 340});
  const auto& [with_size, with_fall] =
      std::tie(scene.model.all_size_correlation, scene.model.all_correlation);
  if (with_size && with_fall) {
    figure.note = w.format("rank correlation {:.2f}, with the fall {:.2f}", *with_size, *with_fall);
  }
  figure.caption = w.format(
      "A point for each word: its weight, and by how much the log-odds of the likeliest class fall "
      "when it alone is left out; below 0 they rise. Large: this document; small: {} held-out "
      "documents. Rank correlations: of the weight with the size of the change, and with the fall "
      "itself.",
      scene.model.focus ? scene.model.focus->documents : 0);
  return with(std::move(figure), std::move(plot));
}

namespace {

// Bars from 0 to 1.
Plot share_plot(std::string id, std::string title, std::string axis, std::vector<std::string> names,
                std::vector<double> values) {
  Axis x = cell_axis("", to_index(values.size()), {.labels = labels(std::move(names))});
  Plot one = bar_plot({.id = std::move(id),
                       .title = std::move(title),
                       .values = std::move(values),
                       .color = Role::key,
                       .top = 1.12,
                       .x = std::move(x)});
  one.y.label = std::move(axis);
  return one;
}

}  // namespace

Figure found_figure(const Scene& scene) {
  const Words& w = scene.w;
  const core::task::Focus& focus = *scene.model.focus;
  Figure figure = new_figure("found", w("Does it find the deciding place?"),
                             {.span = 5, .height = 340, .columns = 2});
  figure.caption = w.format(
      "Over {} held-out documents: how often the largest weight lies on a telling sentence, and in "
      "such sentences on the telling word; how often leaving out that word changes most; and what "
      "equal weights, as in average pooling, find.",
      focus.documents);
  return with(
      std::move(figure),
      share_plot("found_sentences", w("Sentences"), w("found"), {w("weights"), w("equal")},
                 {focus.sentence, focus.sentence_chance}),
      share_plot("found_words", w("Words"), w("found"), {w("weights"), w("left out"), w("equal")},
                 {focus.word, focus.left_out, focus.word_chance}));
}

namespace {

// The kept word whose leaving out changes most what the other one says.
std::optional<WordPosition> strongest_of(const Reading& reading, const Reading& other) {
  std::optional<WordPosition> best;
  double most = -1;
  for (Index s = 0; s < reading.sentences(); ++s) {
    for (Index t = 0; t < reading.count(s); ++t) {
      const auto at = reading.in_kept({s, t});
      if (!at || std::abs(other.worth_of(*at)) <= most) continue;
      most = std::abs(other.worth_of(*at));
      best = WordPosition{s, t};
    }
  }
  return best;
}

}  // namespace

Figure mean_figure(const Scene& scene) {
  const Reading& reading = scene.reading();
  const Seen& mean = *scene.model.mean;
  const Words& w = scene.w;
  const auto& task = scene.trained().model->task;
  Points here{.color = Role::accent, .radius = 4.5F};
  Extent x, y;
  x.add(0);
  y.add(0);
  Plot plot{.id = "mean"};
  plot.x = {.label = w("fall of the log-odds, attention")};
  plot.y = {.label = w("fall of the log-odds, average pooling")};
  if (scene.model.focus && mean.focus) {
    Points held{.x = scene.model.focus->worth,
                .y = mean.focus->worth,
                .color = Color(Role::dim, 0.5F),
                .radius = 2};
    x.add(held.x);
    y.add(held.y);
    plot.add(std::move(held));
  }
  for (Index s = 0; s < reading.sentences(); ++s) {
    for (Index t = 0; t < reading.count(s); ++t) {
      const auto at = reading.in_kept({s, t});
      if (!at) continue;
      here.add(reading.worth_of(*at), mean.reading->worth_of(*at),
               sets("at_sentence", s + 1, "at_word", t + 1, "explain", "word"));
    }
  }
  x.add(here.x);
  y.add(here.y);
  fit(plot.x, x, 0.04);
  fit(plot.y, y, 0.06);
  plot.add(Rule{false, 0, Role::dim});
  plot.add(Rule{true, 0, Role::dim});
  const auto named = [&](WordPosition word) {
    const auto at = *reading.in_kept(word);
    const double worth = reading.worth_of(at);
    plot.add(Note{.x = worth,
                  .y = mean.reading->worth_of(at),
                  .text = "  " + reading.word(word) + "  ",
                  .color = Role::text,
                  .align = worth > plot.x.lo + 0.7 * (plot.x.hi - plot.x.lo) ? 1 : -1});
  };
  if (const auto strongest = strongest_of(reading, *mean.reading)) named(*strongest);
  if (!here.x.empty()) plot.add(std::move(here));
  Figure figure =
      new_figure("mean", w("With attention and without"), {.height = 330, .columns = 3});
  figure.note = w.format("average pooling reads: {}", class_name(task, mean.reading->label(), w));
  figure.caption = w(
      "Average pooling is the same network with equal weights. A point for each word: by how much "
      "the log-odds of the likeliest class fall when it alone is left out, horizontally with "
      "attention, vertically with average pooling; large: this document, whose named word moves "
      "average pooling most.");
  if (scene.model.focus && mean.focus) {
    figure.caption = w.format(
        "{} {}", figure.caption,
        w.format("Left: {} held-out documents, read by both. Middle: in {} of them, how often "
                 "leaving out the telling word changes the result most within its sentence.",
                 kScoredDocuments, kFocusDocuments));
    const std::vector<std::string> both{w("attention"), w("mean")};
    figure.plots = {
        share_plot("mean_right", w("Accuracy"), w("documents right"), both,
                   {scene.model.score.accuracy(), mean.score.accuracy()}),
        share_plot("mean_found", w("Where each looks"), w("telling word found by leave-one-out"),
                   both, {scene.model.focus->left_out, mean.focus->left_out})};
  }
  return with(std::move(figure), std::move(plot));
}

Figure curves_figure(const Scene& scene) {
  const Trained& t = scene.trained();
  const Words& w = scene.w;
  return training_curves(
      {.course = t,
       .loss = w("loss (nats per document)"),
       .accuracy = w("accuracy (held out)"),
       .caption =
           w.format("Training (steps: {}): the loss on the documents of each step and on held-out "
                    "documents; the share of held-out documents read correctly, every ten steps; "
                    "and the norm of the gradient before it is clipped to 1.",
                    t.steps),
       .name = scene.model.mean ? w("attention") : "",
       .beside = scene.model.mean ? &scene.model.mean->trained : nullptr,
       .beside_name = w("average pooling")},
      w);
}

}  // namespace lab::documents
