#include "app/labs/translation/page.h"

#include "app/labs/shared/found_in.h"
#include "app/labs/shared/text/text.h"

namespace lab::translation {
namespace {

std::vector<Timed> timed_courses(const Model& model, const Words& w) {
  std::vector<Timed> all;
  if (model.time) {
    all.push_back(
        {model.beside ? "Transformer" : "", &model.learned, *model.time, Role::query, Role::value});
  }
  if (model.beside && model.beside->time) {
    all.push_back(
        {w("recurrent"), &model.beside->learned, *model.beside->time, Role::key, Role::dim});
  }
  return all;
}

void add_times(const Model& model, const Words& w, std::vector<Readout>& list) {
  for (const Timed& course : timed_courses(model, w)) {
    const bool own = course.learned == &model.learned;
    const auto labelled = [&](const std::string& label) {
      return course.name.empty() ? label : w.format("{}, {}", label, course.name);
    };
    list.push_back({own ? "step_time" : "step_time_beside", labelled(w("Time per step")),
                    course.time.seconds, seconds_text(course.time.seconds),
                    w("Measured on this machine, the median of a few")});
    if (const auto after = course.learned_after()) {
      list.push_back(
          {own ? "learned_after" : "learned_after_beside", labelled(w("Nine tenths right after")),
           *after, seconds_text(*after),
           w("Steps until nine tenths of held-out texts are right, times the time per step")});
    }
  }
}

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::vector<Readout> list;
  add_reading_readouts(scene.learned(), scene.reading(), model.step, w, list);
  add_training_readouts(scene.learned(), model.score, w, list);
  add_times(model, w, list);
  double entropy = 0;
  double largest = 0;
  for (const float weight : model.weights.row(model.row)) {
    if (!(weight > 0)) continue;  // nor what is masked
    entropy -= to_double(weight) * std::log(to_double(weight));
    largest = std::max(largest, to_double(weight));
  }
  list.push_back({"entropy", w("Entropy of the row"), entropy, w.format("{:.3f} nats", entropy),
                  w("For the picked head: 0 when it attends to one token alone")});
  list.push_back({"largest", w("Largest weight of the row"), largest, weight_text(largest),
                  w("For the picked head")});
  return list;
}

std::string formula(Part part) {
  switch (part) {
    case Part::encoder:
      return "\\softmax\\left(\\frac{(\\Q{X W^{Q}}) (\\K{X W^{K}})^{⊤}}{\\sqrt{d_{k}}}\\right) "
             "\\V{X W^{V}}";
    case Part::decoder:
      return "\\softmax\\left(\\frac{(\\Q{Y W^{Q}}) (\\K{Y W^{K}})^{⊤}}{\\sqrt{d_{k}}} + M\\right) "
             "\\V{Y W^{V}}";
    case Part::cross: break;
  }
  return "\\softmax\\left(\\frac{(\\Q{Y W^{Q}}) (\\K{E W^{K}})^{⊤}}{\\sqrt{d_{k}}}\\right) \\V{E "
         "W^{V}}";
}

std::vector<std::string> notes(const Scene& scene) {
  std::vector<std::string> all;
  add_training_notes(scene.learned(), scene.w, all);
  add_reading_notes(scene.reading(), scene.w, all);
  return all;
}

std::string status(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::string text =
      w.format("tokens read {}, written {} · layers {} + {} · heads {}",
               scene.reading().source_tokens(), scene.reading().steps(),
               model.form().encoder_layers, model.form().decoder_layers, model.heads());
  return text + " · " + w.format("step {} of {}", scene.learned().step, scene.learned().steps);
}

// What is not alike in the two that are compared.
std::string differences(const Model& model, const Parameters& p, const Words& w) {
  const bool here = model.learned.weights == Weights::here;
  const double rate = here ? p.training.rate : Parameters().training.rate;
  return w.format(
      "The Transformer has {} parameters and a learning rate of {}, the recurrent network {} and "
      "{}; each step uses the same number of pairs.",
      grouped(model.learned.parameters()), significant(rate, 3),
      grouped(model.beside->learned.parameters()), significant(model.beside->rate, 3));
}

// The layers, heads, tokens and numbers that there are.
void add_ranges(const Scene& scene, param::Facts& found) {
  const auto& [p, model, w] = scene;
  Parameters same = p;
  param::List list = listed(same, describe);
  const std::string of = opened_model(list), part = values_of(list, {"part"});
  const std::string in = name_of_model(p.training.file, w);
  FoundIn{of, in}.add("head", 1, to_double(model.heads()), found);
  FoundIn{of + part, in}.add("layer", 1, to_double(model.layers(p.part)), found);
  if (p.explained == Explained::number) {
    const Matrix numbers = row_matrix(scene.reading().traced(picked_number(scene).tensor.name));
    FoundIn{opened_tensor(list), w("this tensor")}.add("dim", 0, to_double(numbers.cols() - 1),
                                                       found);
  }
  if (model.learned.going) return;  // what it writes is another with the next step
  const FoundIn of_text{opened_text(list) + part, w("this text")};
  of_text.add("row", 0, to_double(model.weights.rows() - 1), found);
  of_text.add("token", -1, to_double(model.weights.cols() - 1), found);
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  const Words& w = context.words;
  Page page;
  page.figures = {
      text_figure(scene.learned(), scene.reading(), looked_at(scene), model.step, "row", w),
      map_figure(scene),
      next_figure(scene.learned(), scene.reading(), model.step, w),
      numbers_figure(scene),
      maps_figure(scene),
      training_figure(scene.learned(), w, model.beside ? &model.beside->learned : nullptr,
                      w("recurrent"))};
  if (model.beside) {
    std::string& caption = page.figures.back().caption;
    caption = w.format("{} {}", caption, differences(model, p, w));
  }
  const std::vector<Timed> timed = timed_courses(model, w);
  if (!timed.empty()) page.figures.push_back(time_figure(timed, w));
  std::vector<NamedScores> scores;
  if (model.lengths && !model.lengths->lengths.empty()) {
    scores.push_back({model.beside ? "Transformer" : "", &*model.lengths, Role::value});
  }
  if (model.beside && model.beside->lengths && !model.beside->lengths->lengths.empty()) {
    scores.push_back({w("recurrent"), &*model.beside->lengths, Role::key});
  }
  if (!scores.empty()) page.figures.push_back(length_figure(scores, w));
  page.readouts = readouts(scene);
  page.formula = formula(model.place.part);
  page.explanation = explain(scene);
  page.cards = cards("translation", w);
  page.notes = notes(scene);
  page.status = status(scene);
  add_ranges(scene, page.found);
  page.model = [learned = scene.learned()] { return model_bytes(learned); };
  return page;
}

}  // namespace lab::translation
