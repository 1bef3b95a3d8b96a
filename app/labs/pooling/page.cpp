#include "app/labs/pooling/page.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "core/text/printable.h"

namespace lab::pooling {
namespace {

class Readouts {
 public:
  void add(std::string id, std::string_view label, double value, std::string_view help) {
    list_.push_back({std::move(id), std::string(label), value, number(value), std::string(help)});
  }
  std::vector<Readout> take() { return std::move(list_); }

 private:
  std::vector<Readout> list_;
};

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Readouts list;
  if (!model.empty()) {
    const core::PoolingRow& row = scene.row();
    list.add("prediction", w("Prediction f(q)"), row.prediction(),
             w("The mean of y weighted by attention, at the picked query"));
    list.add("neighbours", w("Effective neighbours"), row.neighbours(),
             w("1 / Σ α²: n when all weights are alike, 1 when one key has everything"));
    list.add("largest", w("Largest weight"), row.largest(), w("Of the picked query"));
  }
  if (model.can_leave_out()) {
    list.add("left_out_error", w("Left-out error"), model.fit->left_out_error,
             w("Mean squared error of each point predicted from all the others"));
  }
  if (scene.data().known) {
    list.add("truth_error", w("Error against the truth"), model.pooled->truth_error,
             w("Mean of (f - truth)² over the queries"));
  }
  list.add("empty", w("Empty queries"), static_cast<double>(model.pooled->empty),
           w("Queries that no key is in reach of; their prediction is 0"));
  if (!model.training) return list.take();
  const Training::State& now = model.state();
  list.add("w", "w", now.w, w("At the step that is shown"));
  if (now.w != 0) {
    list.add("width", w("Bandwidth 1 / |w|"), 1 / std::abs(now.w),
             w("The Gaussian kernel that w is"));
  }
  list.add(
      "loss", w("Loss"), now.loss,
      p.loss == Loss::mean
          ? w("Mean squared error of the training points, each predicted from all the others")
          : w("Squared errors of the training points, each predicted from all the others, summed"));
  list.add("gradient", w("Slope of the loss"), now.gradient, w("dL/dw, of which a step follows"));
  return list.take();
}

std::string formula(const Parameters& p) {
  switch (p.method) {
    case Method::average:
      return "f(\\Q{q}) = \\frac{1}{n} \\sum_{j} \\V{y}_{j}";
    case Method::parametric:
      return "f(\\Q{q}) = \\sum_{j} \\text{softmax}_{j}\\left(-\\frac{((\\Q{q} - \\K{x}_{j}) "
             "w)^{2}}{2}\\right) \\V{y}_{j}";
    case Method::kernel:
      break;
  }
  return "f(\\Q{q}) = \\sum_{j} \\frac{K((\\Q{q} - \\K{x}_{j}) / h)}{\\sum_{i} K((\\Q{q} - "
         "\\K{x}_{i}) / h)} \\V{y}_{j}";
}

std::vector<Card> cards(const words::Words& w) {
  const double flat = core::pooling_kernel(core::PoolingKernel::triangular, 0.5);
  const double round = core::pooling_kernel(core::PoolingKernel::epanechnikov, 0.5);
  return {{w("The Epanechnikov kernel is max(0, 1 - |u|)."),
           w.format("That is the triangular kernel. Epanechnikov's is 3/4 (1 - u²) within |u| ≤ 1: "
                    "at u = 1/2 it is {}, the triangle {}.",
                    round, flat),
           "Epanechnikov 1969, Theory of Probability and Its Applications 14"},
          {w("Kernel regression has no parameters."),
           w("It stores the points, but its bandwidth decides everything; the formula without h "
             "has chosen h = 1. The learnable w is nothing but 1 / h."),
           w("Presets: too narrow, too wide, trained")},
          {w("For every query the weights are a probability distribution."),
           w("With a kernel that ends, a query may have no key in reach: its weights are all 0 and "
             "there is no prediction. A Gaussian never ends."),
           w("Preset: nothing in reach")},
          {w("A learning rate of 0.5 is a learning rate of 0.5."),
           w.format("The loss is a sum over the points, not halved and not a mean: with {} points "
                    "the same steps need a rate of {} on the mean.",
                    50, 0.5 * 50),
           w("Knob: loss")},
          {w("weight(q) = e^(-(q - k_i)²/2) v_i / Σ_j e^(-(q - k_i)²/2)"),
           w("The sum below runs over its own index, and the values are summed too: f(q) = Σ_i "
             "e^(-(q - k_i)²/2) v_i / Σ_j e^(-(q - k_j)²/2)."),
           "Watson 1964, Sankhyā A 26"}};
}

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  if (model.empty()) page.notes.emplace_back(w("There are no points yet: click into the plot."));
  if (p.trains() && !model.can_leave_out()) {
    page.notes.emplace_back(w("Training needs at least two points."));
  }
  if (model.training && model.training->diverged) {
    page.notes.push_back(
        w.format("Training diverged in step {}: w left all bounds. A smaller learning rate helps.",
                 model.training->states.size()));
  }
  if (model.pooled->empty > 0) {
    page.notes.push_back(
        w.format("{} of {} queries have no key in reach: no weights, and 0 as their prediction.",
                 model.pooled->empty, p.queries));
  }
  if (p.from_file() && scene.data().header) {
    page.notes.push_back(w.format("Line 1 of the file is taken for its header: \"{}\", \"{}\".",
                                  core::printable(scene.data().x_name),
                                  core::printable(scene.data().y_name)));
  }
  if (p.from_file() && scene.data().decimal_comma) {
    page.notes.emplace_back(w("The commas in the file's numbers are taken for decimal commas."));
  }
}

std::string status(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::string text = w.format("n = {} · {} queries", scene.data().size(), p.queries);
  if (p.from_file()) text += " · " + std::filesystem::path(p.file).filename().string();
  if (model.training) {
    text += " · " + w.format("step {} of {}", model.step, p.epochs);
  }
  return text;
}

Page page_of(const Parameters& p, const Model& model, const Context& context) {
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = {data_figure(scene), weights_figure(scene)};
  if (!model.empty()) page.figures.push_back(attention_figure(scene));
  if (model.sweep) page.figures.push_back(sweep_figure(scene));
  if (p.method == Method::kernel) page.figures.push_back(kernels_figure(scene));
  if (model.training) {
    page.figures.push_back(loss_figure(scene));
    page.figures.push_back(width_figure(scene));
  }
  page.readouts = readouts(scene);
  page.formula = formula(p);
  page.explanation = explain(scene);
  page.cards = cards(context.words);
  add_notes(scene, page);
  page.status = status(scene);
  return page;
}

}  // namespace

std::string short_number(double value) { return fmt::format("{:.4g}", value == 0 ? 0 : value); }

std::string number(double value) { return fmt::format("{:.6g}", value == 0 ? 0 : value); }

Page compute(const Parameters& p, const Context& context) {
  const auto unfinished = [&](const Model& part) {
    if (context.publish) context.publish(page_of(p, part, context));
  };
  const Model model = make_model(p, context, unfinished);
  context.cancel.poll();
  return page_of(p, model, context);
}

}  // namespace lab::pooling
