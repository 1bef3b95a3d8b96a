#include "app/labs/low_precision_math/page.h"
#include "app/labs/shared/text/text.h"

#include "app/figure/layout.h"

namespace lab::low_precision_math {
namespace {

using figure::number_text;

std::vector<Readout> dot_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Run& run = *m.run;
  std::vector<Readout> out;
  const auto add = [&](std::string id, std::string_view label, double value,
                       std::string_view help) {
    if (!std::isfinite(value)) return;
    out.push_back(
        {std::move(id), std::string(label), value, number_text(value, 7), std::string(help)});
  };
  add("exact", w("q·k"), run.true_product, w("For the original vectors, in double"));
  add("stored", w("As computed"), run.stored[scene.method()],
      w("The resulting number of the format"));
  const double before = run.before_store[scene.method()], of_rounded = run.exact(p.d - 1);
  const double share = before == of_rounded ? 0 : std::abs(before - of_rounded) / run.absolute_sum;
  add("share", w("Lost in summation"), share,
      w("The difference from the exact product of the rounded vectors, as a share of Σ |q k|"));
  add("bound", w("Bound of the loss"), core::dot_error_factor(p.d, m.how),
      w("The bound γ = m u / (1 - m u) on the same share, barring overflow and underflow"));
  if (run.stalls && p.method == Method::in_format) {
    add("stalls", w("The sum stalls after"), to_double(*run.stalls),
        w("The last term that changed the running sum in the format"));
  }
  return out;
}

std::vector<Readout> softmax_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const auto& s = m.softmax(p);
  std::vector<Readout> out;
  if (!s || !std::isfinite(s->total)) return out;
  out.push_back({"total", w("Sum of the weights"), s->total, number_text(s->total, 7),
                 w("Of the drawn row, added exactly")});
  Index zeros = 0;
  for (const double weight : s->weights) zeros += weight == 0 ? 1 : 0;
  out.push_back({"zeros", w("Weights that became 0"), to_double(zeros),
                 w.format("{} of {}", zeros, p.n),
                 w("Too small for the format; no exact weight is 0")});
  if (std::isfinite(s->max_error)) {
    out.push_back({"weight_error", w("Largest error of a weight"), s->max_error,
                   number_text(s->max_error, 4), w("In the drawn row, absolute")});
  }
  return out;
}

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, m, w] = scene;
  const Run& run = *m.run;
  if (!std::isfinite(run.stored[scene.method()])) {
    page.note(w.format("The dot product overflows {}: the result is {}.", m.name,
                       number_words(run.stored[scene.method()])));
  } else if (run.stalls && p.method == Method::in_format) {
    page.note(w.format("The running sum in {} stops at {} after {} of {} terms.", m.name,
                       number_words(run.in_format.sums(p.d - 1)), *run.stalls, p.d));
  }
  if (!m.softmax(p)) {
    page.note(w.format("A score of the row is too large for {}: there is no softmax.", m.name));
  }
  const Index lost = m.dot_errors->of[scene.method()].lost;
  if (lost > 0) {
    page.note(
        w.format("{} of the repeated dot products overflowed: their points are left out.", lost));
  }
  const Index rows = m.softmax_errors->largest[scene.method()].lost;
  if (rows > 0) {
    page.note(
        w.format("Repeated rows without a finite error: {}. Their points are left out.", rows));
  }
}

std::string status(const Scene& scene) {
  const auto& [p, m, w] = scene;
  return fmt::format("{} · {} · d {} · n {} · ", m.name, scene.method_name(p.method), p.d, p.n) +
         w.format("seed {}", p.seed);
}

}  // namespace

std::string Scene::method_name(Method method) const {
  switch (method) {
    case Method::in_format: return w.format("in {}", model.name);
    case Method::pairwise: return w("by halves");
    case Method::in_float: break;
  }
  return w("in float32");
}

Color method_color(Method method, float alpha) { return Color::of_head(to_int(method), alpha); }

Addition Scene::addition() const {
  const core::LowRunning& steps = running();
  const Index i = p.step - 1;
  Addition a;
  a.before = i > 0 ? steps.sums(i - 1) : 0;
  a.term = steps.terms(i);
  a.exact = a.before + a.term;
  a.after = steps.sums(i);
  return a;
}

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = {run_figure(scene),        bits_figure(scene),
                  dot_errors_figure(scene), softmax_errors_figure(scene),
                  row_figure(scene),        total_figure(scene)};
  page.readouts = dot_readouts(scene);
  for (Readout& readout : softmax_readouts(scene)) page.readouts.push_back(std::move(readout));
  page.formula = "\\text{fl}(a + b) = (a + b)(1 + δ), \\; |δ| \\le u";
  page.explanation = explain(scene);
  page.made_up = scene.w("made-up numbers, not from a model");
  page.cards = cards("low_precision_math", context.words);
  add_notes(scene, page);
  page.status = status(scene);
  return page;
}

}  // namespace lab::low_precision_math
