#include "app/labs/alignment/page.h"

#include "app/labs/shared/found_in.h"
#include "app/labs/shared/text/text.h"

namespace lab::alignment {
namespace {

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::vector<Readout> list;
  add_reading_readouts(scene.learned(), scene.reading(), model.row, w, list);
  add_training_readouts(scene.learned(), model.shown.score, w, list);
  if (model.fixed && model.fixed->score.pairs > 0) {
    const double accuracy = model.fixed->score.accuracy();
    list.push_back({"fixed_accuracy", w("With a fixed context"), accuracy, percent(accuracy, 1),
                    w("Held-out texts the same network gets right without attention")});
  }
  if (model.weights.size() > 0) {
    double entropy = 0;
    for (const float weight : model.weights.row(model.row)) {
      if (weight > 0) entropy -= to_double(weight) * std::log(to_double(weight));
    }
    list.push_back({"entropy", w("Entropy of the row"), entropy, w.format("{:.3f} nats", entropy),
                    w("0 when the step attends to one token alone")});
  }
  return list;
}

std::string formula(const Scene& scene) {
  const auto& form = scene.model.form().decoder;
  const std::string at = form.query_after ? "t" : "t-1";
  if (!form.attends) return "\\Q{s}_{t} = f(\\Q{s}_{t-1}, y_{t-1}, c)";
  const std::string state = "\\Q{s}_{" + at + "}";
  std::string score;
  switch (form.attention.score) {
    case core::model::Score::additive:
      score = "w^{⊤} \\text{tanh}(W_{q} " + state + " + W_{k} \\K{h}_{j}" +
              (form.attention.bias ? " + b" : "") + ")";
      break;
    case core::model::Score::bilinear: score = state + "^{⊤} W \\K{h}_{j}"; break;
    case core::model::Score::scaled_dot:
      score = "\\frac{" + state + "^{⊤} \\K{h}_{j}}{\\sqrt{d}}";
      break;
    case core::model::Score::dot: score = state + "^{⊤} \\K{h}_{j}"; break;
  }
  return "c_{t} = \\sum_{j} \\text{softmax}_{j}\\left(" + score + "\\right) \\V{h}_{j}";
}

std::string status(const Scene& scene) {
  const auto& [p, model, w] = scene;
  return w.format("tokens read {}, written {} · {} of {} numbers", scene.reading().source_tokens(),
                  scene.steps(),
                  model.form().encoder.cell == core::model::Cell::gru ? "GRU" : "LSTM",
                  model.form().decoder.hidden) +
         " · " + w.format("step {} of {}", scene.learned().step, scene.learned().steps);
}

std::vector<float> looked_at(const Model& model) {
  if (model.weights.size() == 0) return {};
  return {model.weights.row(model.row).begin(), model.weights.row(model.row).end()};
}

std::vector<NamedScores> scores_of(const Model& model, const Words& w) {
  std::vector<NamedScores> all;
  if (model.shown.lengths && !model.shown.lengths->lengths.empty()) {
    all.push_back({model.fixed ? w("attention") : "", &*model.shown.lengths, Role::value});
  }
  if (model.fixed && model.fixed->lengths && !model.fixed->lengths->lengths.empty()) {
    all.push_back({w("fixed context"), &*model.fixed->lengths, Role::dim});
  }
  return all;
}

const char* states_name(States states) {
  switch (states) {
    case States::decoder: break;
    case States::forward: return "encoder.0.forward.states";
    case States::backward: return "encoder.0.backward.states";
  }
  return "decoder.0.states";
}

// The tokens, numbers and stages that there are.
void add_ranges(const Scene& scene, param::Facts& found) {
  const auto& [p, model, w] = scene;
  Parameters same = p;
  param::List list = listed(same, describe);
  const FoundIn of_model{opened_model(list), name_of_model(p.training.file, w)};
  if (model.weights.size() > 0) {
    of_model.add("dim", 0, to_double(traced(scene, "encoder.states").cols() - 1), found);
  }
  if (p.explained == Explained::state) {
    FoundIn{of_model.of + values_of(list, {"states"}), of_model.in}.add(
        "number", 0, to_double(traced(scene, states_name(p.states)).cols() - 1), found);
  }
  if (scene.learned().going) return;  // what it writes is another with the next step
  const FoundIn of_text{opened_text(list), w("this text")};
  of_text.add("row", 0, to_double(scene.steps() - 1), found);
  of_text.add("token", -1, to_double(scene.reading().source_tokens() - 1), found);
  if (model.slow) {
    FoundIn{of_text.of, w("this step")}.add("stage", 0, to_double(model.slow->stages.size() - 1),
                                            found);
  }
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Words& w = context.words;
  const Scene scene{p, model, w};
  Page page;
  page.figures = {
      text_figure(scene.learned(), scene.reading(), looked_at(model), model.row, "row", w)};
  if (model.weights.size() > 0) page.figures.push_back(alignment_figure(scene));
  page.figures.push_back(next_figure(scene.learned(), scene.reading(), model.row, w));
  page.figures.push_back(states_figure(scene));
  if (model.slow) page.figures.push_back(slow_figure(scene));
  page.figures.push_back(training_figure(
      scene.learned(), w, model.fixed ? &model.fixed->learned : nullptr, w("fixed context")));
  if (const auto scores = scores_of(model, w); !scores.empty()) {
    page.figures.push_back(length_figure(scores, w));
  }
  page.readouts = readouts(scene);
  page.formula = formula(scene);
  page.explanation = explain(scene);
  page.cards = cards("alignment", w);
  add_training_notes(scene.learned(), w, page.notes);
  add_reading_notes(scene.reading(), w, page.notes);
  if (!p.training.file.empty()) {
    page.notes.push_back(
        w("A model from a file is shown alone: train here to compare one with a fixed context."));
  }
  page.status = status(scene);
  add_ranges(scene, page.found);
  page.model = [learned = scene.learned()] { return model_bytes(learned); };
  return page;
}

}  // namespace lab::alignment
