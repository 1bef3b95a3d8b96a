// What several views of the lab are made of.
#include "app/labs/softmax/page.h"
#include "app/labs/shared/text/text.h"
#include "core/enum_array.h"

namespace lab::softmax {
namespace {

Index marked_logit(const Scene& scene) {
  return scene.p.is_learning() ? scene.logit() : scene.weight();
}

// The bar of a logit: dim when it is hidden. Its number stands on the other side of zero, where no
// handle covers it.
void add_logit(const Scene& scene, Index k, Plot& plot) {
  const double value = scene.p.x(k), gap = 0.07 * (plot.y.hi - plot.y.lo);
  const bool picked = k == marked_logit(scene);
  plot.add(Note{to_double(k) + 1.5, value >= 0 ? -gap : gap, fmt::format("{:.2f}", value),
                picked ? Role::accent : Role::dim, TextStyle::mono_small, 0});
  plot.add(Handle{.x = to_double(k) + 1.5,
                  .y = value,
                  .y_param = fmt::format("logit_{}", k + 1),
                  .also = sets(scene.p.is_learning() ? "logit" : "weight", k + 1),
                  .color = picked ? Color(Role::accent) : Color::of_head(kLogitColor),
                  .radius = 5});
}

Plot weight_plot(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const bool loss = p.view == View::loss;
  Plot plot =
      bar_plot({"weights", w("weights p = softmax(x / T)"), m.row.p, Color::of_head(kWeightColor),
                picks_of(1, scene.n(), loss ? "label" : "weight",
                         p.view == View::weights ? explains("weight") : Assignments{}),
                loss ? scene.label() : scene.weight(), 1.12});
  plot.note = loss ? w.format("true class: {}", p.label) : w.format("Σ p = {:.4f}", m.row.p.sum());
  return plot;
}

}  // namespace

std::string Scene::fill_name() const { return std::string(kFills[to_size(p.fill)].label); }

// --- figures

std::vector<Assignments> picks_of(Index first, Index last, const std::string& id,
                                  const Assignments& also) {
  std::vector<Assignments> picks;
  for (Index k = first; k <= last; ++k) {
    picks.push_back(sets(id, k));
    picks.back().insert(picks.back().end(), also.begin(), also.end());
  }
  return picks;
}

Plot logit_plot(const Scene& scene, Index visible) {
  const auto& p = scene.p;
  Plot plot{.id = "logits", .title = scene.w("logits x"), .x = counted_axis("", scene.n())};
  Bars bars{.color = Color::of_head(kLogitColor), .numbers = false};
  Bars dim{.color = Role::faint, .numbers = false};
  double largest = 0;
  for (Index k = 0; k < scene.n(); ++k) {
    largest = std::max(largest, std::abs(p.x(k)));
    bars.values.push_back(k < visible ? p.x(k) : 0);
    dim.values.push_back(k < visible ? 0 : p.x(k));
  }
  plot.y.hi = std::max(4.0, std::ceil(1.25 * largest));
  plot.y.lo = -plot.y.hi;
  (marked_logit(scene) < visible ? bars : dim).marked = to_int(marked_logit(scene));
  if (visible < scene.n()) plot.add(std::move(dim));
  plot.add(std::move(bars));
  for (Index k = 0; k < scene.n(); ++k) add_logit(scene, k, plot);
  return plot;
}

Figure row_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("row", w("From logits to weights"), {.height = 300, .columns = 2});
  figure.note = p.view == View::weights && p.shift != 0
                    ? w.format("T = {:.3g}, {:+g} added to every logit", p.temperature, p.shift)
                    : w.format("T = {:.3g}", p.temperature);
  figure.caption = w.format(
      "{} logits x and their softmax at temperature T = {:.4g}: each weight is exp(x/T) divided by "
      "the sum of all exp(x/T).",
      p.count, p.temperature);
  return with(std::move(figure), logit_plot(scene, scene.n()), weight_plot(scene));
}

Plot temperature_plot(const Scene& scene, std::string id, std::string label) {
  Plot plot{.id = std::move(id)};
  plot.x = log_axis(scene.w("temperature T"), 0.01, 100, {.link = "temperature"});
  plot.x_param = "temperature";
  plot.y.label = std::move(label);
  return plot;
}

void mark_temperature(const Scene& scene, double y, Plot& plot) {
  plot.add(Rule{true, scene.p.temperature, Role::accent});
  plot.add(Handle{.x = scene.p.temperature, .y = y, .x_param = "temperature", .radius = 5});
}

// --- numbers

std::vector<Readout> row_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const bool loss = p.view == View::loss;
  const double log_sum = m.row.max / p.temperature + std::log(m.row.sum);
  const double own = m.row.p(loss ? scene.label() : scene.weight());
  const double effective = std::exp(m.row.entropy), error = std::abs(m.row.p.sum() - 1);
  return {
      loss ? Readout{"true_class", w("True class"), own, weight_text(own),
                     w("Its probability, which should be 1")}
           : Readout{"weight", w("Picked weight"), own, weight_text(own),
                     w("p of the picked logit")},
      {"log_sum_exp", w("log Σ exp(x/T)"), log_sum, fixed(log_sum, 4),
       w("Subtracted from each x/T, it gives log p: a smooth maximum")},
      {"entropy", w("Entropy"), m.row.entropy, w.format("{:.4f} nats", m.row.entropy),
       w("-Σ p log p: 0 when one weight is 1, ln n when all are equal")},
      {"effective", w("Effective number"), effective, w.format("{:.2f} equal weights", effective),
       w("exp of the entropy: how many equal weights would have this entropy")},
      {"row_sum_error", w("Sum to 1 within"), error, fmt::format("{:.1e}", error),
       w("Rounding of float64")}};
}

// --- explanations

SoftmaxRow written_row(const VectorD& scores, Index picked, Index first) {
  return {.scores = {scores.begin(), scores.end()},
          .picked = to_size(picked),
          .name = [first](std::size_t j) { return fmt::format("({})", j + to_size(first)); },
          .score = "x",
          .in_full = true};
}

std::string row_status(const Scene& scene) {
  return scene.w.format("logits {} · T = {:.4g}", scene.p.count, scene.p.temperature);
}

Page compute(const Parameters& p, const Context& context) {
  constexpr core::EnumArray<View, Page (*)(const Scene&)> kPages{
      {weights_page, jacobian_page, loss_page, lengths_page, masks_page, fills_page}};
  const Model model = make_model(p, context);
  Page page = kPages[p.view]({p, model, context.words});
  page.cards = cards("softmax", context.words);
  return page;
}

}  // namespace lab::softmax
