// A whole lab, as small as one can be: app/labs/README.md says what each part is for. A larger lab
// has describe and lab() in LAB.cpp, make_model in model.cpp, figures, explain and compute in
// page.cpp and further files; what these share is declared in model.h and page.h.
#include "example_lab/example.h"

#include "app/labs/shared/drawing/bars.h"
#include "app/labs/shared/parts.h"
#include "app/labs/shared/text/text.h"
#include "core/attention/softmax.h"

namespace lab::example {

// 1. What can be set: a statement for each field. The last one names three to seven knobs that are
// shown at first.
void describe(Parameters& p, param::List& list) {
  list.group(N_("Scores"));
  list.real(p.first, "first", N_("First"), N_("The score of key 1"), {.min = -8, .max = 8});
  list.real(p.second, "second", N_("Second"), N_("The score of key 2"), {.min = -8, .max = 8});
  list.real(p.temperature, "temperature", N_("Temperature"), N_("Scores are divided by it"),
            {.min = 0.1, .max = 10, .scale = param::Scale::log});
  list.group(N_("Look at"));
  list.integer(p.key, "key", N_("Key"), N_("Whose weight is explained"), {.min = 1, .max = 2});
  list.essential({"first", "second", "temperature"});
}

// 2. What the page needs. A newer value of a knob cancels this computation: it asks at least once,
// and so does every long loop.
Model make_model(const Parameters& p, const Context& context) {
  context.cancel.poll();
  const VectorD scores{{p.first, p.second}};
  return {scores, core::softmax(scores, p.temperature)};
}

namespace {

// 3. A figure, as data, with its caption. A click on a bar sets `key`.
Figure weights_figure(const Parameters& p, const Model& model, const Words& w) {
  Figure figure = new_figure("weights", w("Weights"), {.span = 6, .height = 270});
  figure.caption = w.format("The larger weight is {}.", weight_text(model.weights.maxCoeff()));
  return with(std::move(figure), bar_plot({.id = "weights",
                                           .values = model.weights,
                                           .color = Role::key,
                                           .picks = {sets("key", 1), sets("key", 2)},
                                           .marked = p.key - 1,
                                           .top = kWeightTop}));
}

// 4. Why the picked value is what it is.
Explanation explain(const Parameters& p, const Model& model, const Words& w) {
  Derivation lines(w);
  lines.softmax(fmt::format("p{}", p.key),
                {.scores = model.scores,
                 .picked = to_size(p.key - 1),
                 .name = [](std::size_t k) { return fmt::format("key {}", k + 1); },
                 .temperature = p.temperature});
  return {w.format("The weight of key {}", p.key), lines.take()};
}

}  // namespace

// 5. The page: all of it but notes is what every lab has.
Page compute(const Parameters& p, const Context& context) {
  const Words& w = context.words;
  const Model model = make_model(p, context);
  const double larger = model.weights.maxCoeff(), entropy = core::entropy(model.weights);
  Page page;
  page.figures = {weights_figure(p, model, w)};
  page.readouts = {{"larger", w("Larger weight"), larger, weight_text(larger), w("Of the two")},
                   {"entropy", w("Entropy"), entropy, significant(entropy, 3) + " nats",
                    w("How undecided the weights are")}};
  page.formula = "p_{k} = \\frac{e^{s_{k}/T}}{Σ_{j} e^{s_{j}/T}}";
  page.explanation = explain(p, model, w);
  page.cards = cards("example", w);
  fill(page.cards, "hot", w, weight_text(larger));
  page.status = w.format("2 keys · T = {:.3g}", p.temperature);
  return page;
}

// 6. The lab, with the words of example.md. What it is called here stands in list.inc.
Lab lab() { return from_text("example", live(describe, compute)); }

}  // namespace lab::example
