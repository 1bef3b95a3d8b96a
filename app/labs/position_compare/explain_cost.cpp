// How operations were counted and times were taken.
#include <fmt/format.h>

#include "app/labs/position_compare/page.h"

namespace lab::position_compare {
namespace {

using figure::Role;

// One step: what it does, its formula, its numbers.
void add_step(const Scene& scene, const core::StepCost& step, Lines& lines) {
  const std::vector<Term> term{step_term(step, scene.scheme(scene.chosen()), scene.p.size())};
  lines.push_back({"", {sentence(scene.w(step_words(step.step)))}});
  const std::string times = step.every_layer ? "·L" : "";
  lines.push_back({"", {plain("= " + symbols(term) + times)}});
  lines.push_back({"",
                   {plain("= " + numbers(term) +
                          (step.every_layer ? "·" + grouped(scene.p.layers) : std::string()))}});
  const Index count = value(term) * (step.every_layer ? scene.p.layers : 1);
  lines.push_back({"", {plain("= " + grouped(count))}});
}

void add_count(std::string left, const std::vector<Term>& terms, Lines& lines) {
  if (terms.empty()) {
    lines.push_back({std::move(left), {plain("= 0")}});
    return;
  }
  lines.push_back({std::move(left), {plain("= " + symbols(terms))}});
  lines.push_back({"", {plain("= " + numbers(terms))}});
  lines.push_back({"", {plain("= " + grouped(value(terms)))}});
}

std::string nanoseconds(const Scene& scene, double value) {
  return scene.w.format("{:.1f} ns", value);
}

void add_timing(const Scene& scene, std::string what, const Timing& timing, Index operations,
                Lines& lines) {
  lines.push_back({"", {sentence(std::move(what))}});
  lines.push_back({"t", {{"= " + nanoseconds(scene, timing.nanoseconds), Role::accent}}});
  lines.push_back({"",
                   {dim(scene.w.format("{:.1f} to {:.1f} ns over {} samples", timing.fastest,
                                       timing.slowest, scene.measured->samples))}});
  if (operations == 0) return;
  lines.push_back({"",
                   {plain(fmt::format("{} / {:.1f}", grouped(operations), timing.nanoseconds)),
                    dim(scene.w.format(" = {:.2f} operations a nanosecond",
                                       static_cast<double>(operations) / timing.nanoseconds))}});
}

}  // namespace

Explanation explain_cost(const Scene& scene) {
  const std::size_t k = scene.chosen();
  const core::SchemeSize size = scene.p.size();
  const core::SchemeCost cost = core::scheme_cost(scene.scheme(k), size);
  Explanation result;
  result.title = scene.w.format("{}: operations in one pass", scene.name(k));
  auto& lines = result.lines;
  lines.push_back({"ops", {{"= " + grouped(cost.operations()), Role::accent}}});
  if (!cost.steps.empty()) {
    lines.push_back({"", {plain("= " + operations_formula(scene.scheme(k), size))}});
  }
  for (const core::StepCost& step : cost.steps) add_step(scene, step, lines);
  lines.push_back({"",
                   {dim(scene.w.format("{} additions, {} multiplications", grouped(cost.additions),
                                       grouped(cost.multiplications)))}});
  lines.push_back({"", {sentence(scene.w("Numbers that are learned"))}});
  add_count("", parameter_terms(scene.scheme(k), size), lines);
  lines.push_back({"", {sentence(scene.w("Numbers held besides, by one layer at a time"))}});
  add_count("", held_terms(scene.scheme(k), size), lines);
  if (cost.functions > 0) {
    lines.push_back(
        {"",
         {sentence(scene.w.format("Filling that table takes {} sines and cosines, once for all "
                                  "passes; without it they are computed in each.",
                                  grouped(cost.functions)))}});
  }
  const Index all = core::position_cost(size.model).projection_flops;
  lines.push_back({"", {sentence(scene.w("Beside the projections Q, K, V and output"))}});
  lines.push_back({"", {plain("8·n·d²·L = " + grouped(all))}});
  lines.push_back({"",
                   {plain(fmt::format("{} / {} = {} %", grouped(cost.operations()), grouped(all),
                                      percent_text(static_cast<double>(cost.operations()) /
                                                   static_cast<double>(all))))}});
  return result;
}

Explanation explain_time(const Scene& scene) {
  const Index d = scene.p.d_model;
  Explanation result;
  result.title = scene.w("Time for a token");
  if (!scene.measured) {
    result.lines.push_back({"add", {plain(fmt::format("= d = {}", grouped(d)))}});
    result.lines.push_back({"rotate", {plain(fmt::format("= 6·d = {}", grouped(6 * d)))}});
    result.lines.push_back({"",
                            {sentence(scene.w("These are counted operations. Switch \"Measure "
                                              "now\" on to time them on this machine."))}});
    return result;
  }
  const Measured& m = *scene.measured;
  auto& lines = result.lines;
  lines.push_back(
      {"",
       {sentence(scene.w.format("Measured on this machine just now: one thread, {} tokens at a "
                                "time, the median sample. Other runs give other numbers.",
                                m.tokens))}});
  add_timing(scene, scene.w("Add a row of the table: d additions, once"), m.add, d, lines);
  add_timing(scene, scene.w("Rotate q and k by a table: 6·d operations, each layer"), m.rotate,
             6 * d, lines);
  add_timing(scene, scene.w("Rotate, each token's d_k sines and cosines computed anew"),
             m.on_the_fly, 0, lines);
  add_timing(scene, scene.w("For comparison: the four projections of one layer, 8·d²"),
             m.projections, 8 * d * d, lines);
  const double layers = static_cast<double>(scene.p.layers);
  lines.push_back({"", {sentence(scene.w("The whole model"))}});
  lines.push_back({"add", {plain("= " + nanoseconds(scene, m.add.nanoseconds))}});
  lines.push_back(
      {"rotate", {plain(fmt::format("= {} × {:.1f}", scene.p.layers, m.rotate.nanoseconds))}});
  lines.push_back({"", {plain("= " + nanoseconds(scene, layers * m.rotate.nanoseconds))}});
  return result;
}

}  // namespace lab::position_compare
