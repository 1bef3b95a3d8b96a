#include "app/labs/documents/page.h"

#include "app/labs/shared/found_in.h"
#include "app/labs/shared/text/text.h"

namespace lab::documents {
namespace {

void add_outcome(const Scene& scene, std::vector<Readout>& list) {
  const Reading& reading = scene.reading();
  const Words& w = scene.w;
  const Index label = reading.label();
  const std::string name = class_name(scene.trained().model->task, label, w);
  const double chance = reading.chances[label];
  list.push_back({"probability", w.format("Probability of \"{}\"", name), chance, fixed(chance, 4),
                  w("For the likeliest class")});
  const double odds = core::task::log_odds(reading.looked.logits, label);
  list.push_back({"log_odds", w("Log-odds"), odds, fixed(odds, 3),
                  w("ln(P / (1 - P)) for that class, in nats")});
  if (reading.out.empty()) return;
  Index before = 0;
  reading.whole.logits.maxCoeff(&before);
  const double fall = core::task::log_odds(reading.whole.logits, before) -
                      core::task::log_odds(reading.looked.logits, before);
  list.push_back(
      {"fall", w("Fall of the log-odds"), fall, fixed(fall, 3),
       w.format(
           "For \"{}\", the class of the whole text, when the words are left out; below 0: a rise",
           class_name(scene.trained().model->task, before, w))});
}

void add_picked(const Scene& scene, std::vector<Readout>& list) {
  const auto& [p, model, w] = scene;
  if (!model.picked) return;
  const Reading& reading = scene.reading();
  const auto at = *reading.in_kept(*model.picked);
  const std::string& word = reading.word(*model.picked);
  const double weight = reading.weight(*model.picked);
  list.push_back({"weight", w.format("Weight of \"{}\"", word), weight, weight_text(weight),
                  w("In the document: its weight in its sentence times the sentence's weight")});
  const double worth = reading.worth_of(at);
  list.push_back({"worth", w.format("Effect of \"{}\"", word), worth, fixed(worth, 3),
                  w("By how much the log-odds fall when it alone is left out")});
}

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::vector<Readout> list;
  add_outcome(scene, list);
  add_picked(scene, list);
  const auto add = [&list](const char* id, std::string label, const std::optional<double>& value,
                           std::string help) {
    if (value) list.push_back({id, std::move(label), *value, fixed(*value, 3), std::move(help)});
  };
  add("size_correlation", w("Rank correlation here"), model.size_correlation,
      w("Spearman's, between the words' weights and the change of the log-odds, in either "
        "direction, when each is left out, in this document"));
  add("all_size_correlation", w("Rank correlation, held out"), model.all_size_correlation,
      w("The same over all words of the held-out documents"));
  add("correlation", w("With the fall, here"), model.correlation,
      w("Rank correlation of the weights with the fall; a rise counts as below 0"));
  add("all_correlation", w("With the fall, held out"), model.all_correlation,
      w("The same over all words of the held-out documents"));
  if (model.focus) {
    list.push_back(
        {"found_sentence", w("Telling sentence found"), model.focus->sentence,
         percent(model.focus->sentence, 1),
         w("Share of documents whose largest sentence weight lies on a telling sentence")});
    list.push_back(
        {"found_word", w("Telling word found"), model.focus->word, percent(model.focus->word, 1),
         w("Share of telling sentences whose largest word weight lies on the telling word")});
    list.push_back({"accuracy", w("Held-out documents right"), model.score.accuracy(),
                    percent(model.score.accuracy(), 1),
                    w.format("Among {} never trained on", model.score.documents)});
    list.push_back({"held_loss", w("Held-out loss"), model.score.loss, fixed(model.score.loss, 4),
                    w("Cross-entropy per document, in nats")});
  }
  if (model.mean && model.mean->focus) {
    const double accuracy = model.mean->score.accuracy();
    list.push_back({"mean_accuracy", w("With average pooling"), accuracy, percent(accuracy, 1),
                    w("Held-out documents the same network gets right without attention")});
    list.push_back({"mean_left_out", w("Word found by leave-one-out, mean"),
                    model.mean->focus->left_out, percent(model.mean->focus->left_out, 1),
                    w("Share of telling sentences in which leaving out the telling word changes "
                      "the result of average pooling most")});
  }
  const auto parameters = scene.trained().model->layout.learned();
  list.push_back(
      {"parameters", w("Parameters"), parameters, grouped(parameters), w("Learned numbers")});
  return list;
}

std::vector<std::string> notes(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Reading& reading = scene.reading();
  std::vector<std::string> all;
  add_stopped_note(model.trained, w, all);
  if (!reading.unknown.empty()) {
    all.push_back(
        w.format("Never seen in this task, read as unknown: {}.", quoted(reading.unknown)));
  }
  if (!p.training.file.empty()) {
    all.push_back(
        w("A model from a file is shown alone: train here to compare one with average pooling."));
  }
  if (!model.picked) {
    all.push_back(
        w("There is no word to read: the result is the network's answer to an empty text."));
  }
  return all;
}

std::string status(const Scene& scene) {
  const Reading& reading = scene.reading();
  Index words = 0;
  for (Index s = 0; s < reading.sentences(); ++s) words += reading.count(s);
  const Words& w = scene.w;
  return w.format("sentences {}, words {}, left out {}", reading.sentences(), words,
                  reading.out.size()) +
         " · " + w.format("step {} of {}", scene.trained().step, scene.trained().steps);
}

param::Names names_of_positions(const Reading& reading) {
  auto names = std::make_shared<std::vector<param::Named>>();
  for (const WordPosition& at : reading.positions()) names->push_back({position_text(at)});
  return names;
}

// The numbers of a state, or of u, of the levels that there are.
void add_widths(const Scene& scene, const FoundIn& of_model, param::List& list,
                param::Facts& found) {
  const auto& [p, model, w] = scene;
  if (p.explained == Explained::state || p.explained == Explained::vector) {
    const bool words = p.taken == Taken::words;
    const auto& level = words ? scene.reading().looked.words : scene.reading().looked.sentences;
    FoundIn{of_model.of + values_of(list, {"level"}), of_model.in}.add(
        "number", 0, to_double(level.states.cols() - 1), found);
  }
  const auto& net = scene.trained().model->net;
  const auto& keyed = p.explained == Explained::sentence ? net.sentences : net.words;
  if (keyed.form.mean) return;  // without any u
  FoundIn{of_model.of + values_of(list, {"explain"}), of_model.in}.add(
      "dim", 0, to_double(keyed.form.width - 1), found);
}

// The sentences, words and numbers that there are.
void add_ranges(const Scene& scene, param::Facts& found) {
  const auto& [p, model, w] = scene;
  const Reading& reading = scene.reading();
  Parameters same = p;
  param::List list = listed(same, describe);
  if (model.picked) {
    add_widths(scene, {opened_model(list), name_of_model(p.training.file, w)}, list, found);
  }
  const FoundIn of_text{opened_text(list), w("this text")};
  of_text.add("at_sentence", 0, to_double(reading.sentences()), found);
  if (const auto positions = names_of_positions(reading); !positions->empty()) {
    found["deleted"] = {of_text.of, positions, {}, of_text.in};
  }
  if (p.sentence < 1 || p.sentence > reading.sentences()) return;
  FoundIn{of_text.of + values_of(list, {"at_sentence"}), w("this sentence")}.add(
      "at_word", 0, to_double(reading.count(p.sentence - 1)), found);
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = {document_figure(scene), weights_figure(scene), outcome_figure(scene),
                  worth_figure(scene)};
  if (model.picked) page.figures.push_back(states_figure(scene));
  if (model.focus) page.figures.push_back(found_figure(scene));
  if (model.mean) page.figures.push_back(mean_figure(scene));
  page.figures.push_back(curves_figure(scene));
  page.readouts = readouts(scene);
  page.formula = p.explained == Explained::sentence
                     ? "β_{i} = \\softmax_{i}\\left(\\Q{u_{s}} \\cdot \\tanh(\\K{h_{i}} W + "
                       "b)\\right), v = Σ β_{i} \\V{h_{i}}"
                     : "α_{it} = \\softmax_{t}\\left(\\Q{u_{w}} \\cdot \\tanh(\\K{h_{it}} W + "
                       "b)\\right), s_{i} = Σ α_{it} \\V{h_{it}}";
  page.explanation = explain(scene);
  page.cards = cards("documents", context.words);
  page.notes = notes(scene);
  page.status = status(scene);
  add_ranges(scene, page.found);
  page.model = [trained = model.trained] { return model_bytes(trained); };
  return page;
}

}  // namespace lab::documents
