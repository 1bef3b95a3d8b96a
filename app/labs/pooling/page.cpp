#include "app/labs/pooling/page.h"
#include "app/labs/shared/text/text.h"

#include <filesystem>

#include "core/text/printable.h"

namespace lab::pooling {
namespace {

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::vector<Readout> list;
  const auto add = [&list](std::string id, std::string label, double value, std::string help) {
    list.push_back({std::move(id), std::move(label), value, number(value), std::move(help)});
  };
  if (!model.empty()) {
    const core::PoolingRow& row = scene.row();
    add("prediction", w("Prediction f(q)"), row.prediction(),
        w("The mean of y weighted by attention, at the picked query"));
    add("neighbours", w("Effective neighbours"), row.neighbors(),
        w("1 / Σ α²: n when all weights are equal, 1 when one key has all the weight"));
    add("largest", w("Largest weight"), row.largest(), w("For the picked query"));
  }
  if (model.can_leave_out()) {
    add("left_out_error", w("Left-out error"), model.fit->left_out_error,
        w("Mean squared error of each point predicted from all the others"));
  }
  if (model.data->known) {
    add("truth_error", w("Error against the truth"), model.pooled->truth_error,
        w("Mean of (f - truth)² over the queries"));
  }
  add("empty", w("Empty queries"), to_double(model.pooled->empty),
      w("Queries with no key within reach; their prediction is 0"));
  if (!model.training) return list;
  const auto& [now, loss, gradient] = model.state();
  add("w", "w", now, w("At the step shown"));
  if (now != 0) {
    add("width", w("Bandwidth 1 / |w|"), 1 / std::abs(now),
        w("The bandwidth of the Gaussian kernel"));
  }
  add("loss", w("Loss"), loss,
      scene.mean_loss()
          ? w("Mean squared error of the training points, each predicted from all the others")
          : w("Squared errors of the training points, each predicted from all the others, summed"));
  add("gradient", w("Gradient of the loss"), gradient, w("dL/dw, which gives the step"));
  return list;
}

std::string formula(const Parameters& p) {
  if (p.method == Method::average) return "f(\\Q{q}) = \\frac{1}{n} \\sum_{j} \\V{y}_{j}";
  if (p.method == Method::parametric) {
    return "f(\\Q{q}) = \\sum_{j} \\text{softmax}_{j}\\left(-\\frac{((\\Q{q} - \\K{x}_{j}) "
           "w)^{2}}{2}\\right) \\V{y}_{j}";
  }
  return "f(\\Q{q}) = \\sum_{j} \\frac{K((\\Q{q} - \\K{x}_{j}) / h)}{\\sum_{i} K((\\Q{q} - "
         "\\K{x}_{i}) / h)} \\V{y}_{j}";
}

// Why the training has stopped, and how it goes on.
std::string stopped_note(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const int last = model.training->made();
  std::string said =
      w.format("Training stopped after step {}: {}.", last, model.training->fault.in(w));
  if (p.step > last) said = w.format("{} {}", said, w.format("Step {} was not reached.", p.step));
  if (last > 0) {
    said = w.format(
        "{} {}", said,
        w.format("It can go on from step {} with another learning rate: let the rate change there.",
                 last));
  }
  return said;
}

// The step that came to nothing once more, with a tenth of its rate.
Offer smaller_rate(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (!model.training || model.training->fault.empty()) return {};
  const int last = model.training->made();
  const auto tenth = fmt::format("{:.6g}", std::max(p.rate_at(last) / 10, kLeastRate));
  const std::string label = w.format("Rate {} from step {} on", tenth, last);
  const std::string help =
      w("Repeats the failed step with a tenth of the learning rate; earlier steps stay");
  if (last == 0) return {label, help, sets("rate", tenth)};
  return {label, help, sets("change_at", last, "rate_after", tenth)};
}

std::vector<std::string> notes(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::vector<std::string> all;
  if (model.empty()) all.push_back(w("There are no points yet: click in the plot."));
  if (p.trains() && !model.can_leave_out()) all.push_back(w("Training needs at least two points."));
  if (model.training && !model.training->fault.empty()) all.push_back(stopped_note(scene));
  if (model.pooled->empty > 0) {
    all.push_back(
        w.format("Queries with no key within reach: {} of {}. They have no weights, and their "
                 "prediction is 0.",
                 model.pooled->empty, p.queries));
  }
  if (p.from_file() && model.data->header) {
    all.push_back(w.format("Line 1 of the file is read as its header: \"{}\", \"{}\".",
                           core::printable(model.data->x_name),
                           core::printable(model.data->y_name)));
  }
  if (p.from_file() && model.data->decimal_comma) {
    all.push_back(w("The commas in the file's numbers are read as decimal commas."));
  }
  return all;
}

std::string status(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::string text = w.format("n = {} · queries {}", model.data->size(), p.queries);
  if (p.from_file()) text += " · " + std::filesystem::path(p.file).filename().string();
  if (model.training) text += " · " + w.format("step {} of {}", model.step, p.epochs);
  return text;
}

std::vector<Figure> figures(const Scene& scene) {
  const Model& model = scene.model;
  std::vector<Figure> all = {data_figure(scene), weights_figure(scene)};
  if (!model.empty()) all.push_back(attention_figure(scene));
  if (model.sweep) {
    all.push_back(sweep_figure(scene));
    all.push_back(kernels_figure(scene));
  }
  if (model.training) {
    all.push_back(loss_figure(scene));
    all.push_back(width_figure(scene));
  }
  return all;
}

// The columns to choose from.
param::Facts names(const Parameters& p, const Data& data, const Words& w) {
  if (!p.from_file()) return {};
  std::vector<param::Named> columns;
  for (const core::CsvColumn& column : data.columns) {
    const auto place = columns.size() + 1;
    columns.push_back({column.name, column.from_header ? "" : w.format(N_("column {}"), place)});
  }
  const auto shared = std::make_shared<const std::vector<param::Named>>(std::move(columns));
  return {{"x_column", {p.file, shared}}, {"y_column", {p.file, shared}}};
}

// The same whatever the knobs stand at.
std::vector<Card> filled_cards(const Words& w) {
  std::vector<Card> made = cards("pooling", w);
  fill(made, "epanechnikov", w, core::pooling_kernel(core::PoolingKernel::epanechnikov, 0.5),
       core::pooling_kernel(core::PoolingKernel::triangular, 0.5));
  fill(made, "rate", w, 50, 0.5 * 50);
  return made;
}

Page page_of(const Parameters& p, const Model& model, const Words& words) {
  const Scene scene{p, model, words};
  return {.figures = figures(scene),
          .readouts = readouts(scene),
          .formula = formula(p),
          .explanation = explain(scene),
          .cards = filled_cards(words),
          .notes = notes(scene),
          .status = status(scene),
          .made_up = {},
          .offer = smaller_rate(scene),
          .found = names(p, *model.data, words)};
}

}  // namespace

std::string number(double value) { return significant(value == 0 ? 0 : value); }

Page compute(const Parameters& p, const Context& context) {
  const DataPointer data = data_of(p, context);
  if (!data->fault.empty()) {
    Page page;
    page.found = names(p, *data, context.words);
    page.fault = data->fault;
    return page;
  }
  const Model model = make_model(p, context);
  return page_of(p, model, context.words);
}

}  // namespace lab::pooling
