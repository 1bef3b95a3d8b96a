// How operations were counted and times were taken.
#include <fmt/format.h>

#include "app/labs/position_compare/page.h"

namespace lab::position_compare {
namespace {

// One step: what it does, its formula, its numbers.
void write_step(const Scene& scene, const core::StepCost& step, Derivation& d) {
  Term term = step_term(step, scene.scheme(scene.chosen()), scene.p.size());
  if (step.every_layer) term.push_back({"L", scene.p.layers});
  d.say(scene.w(step_of(step.step).words)).next(symbols({term})).next(numbers({term}));
  d.next(grouped(value(term)));
}

void write_count(std::string_view what, const std::vector<Term>& terms, Derivation& d) {
  d.say(what).next(symbols(terms));
  if (!terms.empty()) d.next(numbers(terms)).next(grouped(value(terms)));
}

void write_timing(const Scene& scene, std::string_view what, const Timing& timing, Index operations,
                  Derivation& d) {
  const auto& w = scene.w;
  d.say(what).about_picked("t", w.format("{:.1f} ns", timing.nanoseconds));
  d.line("", {dim(w.format("{:.1f} to {:.1f} ns over {} samples", timing.fastest, timing.slowest,
                           scene.measured->samples))});
  if (operations == 0) return;
  d.line("", {plain(fmt::format("{} / {:.1f}", grouped(operations), timing.nanoseconds)),
              dim(w.format(" ≈ {:.2f} operations a nanosecond",
                           to_double(operations) / timing.nanoseconds))});
}

}  // namespace

Explanation explain_cost(const Scene& scene) {
  const auto& w = scene.w;
  const Scheme scheme = scene.scheme(scene.chosen());
  const core::SchemeSize size = scene.p.size();
  const core::SchemeCost cost = core::scheme_cost(scheme, size);
  Derivation d(w);
  d.picked("ops", grouped(cost.operations()));
  if (!cost.steps.empty()) d.next(operations_formula(scheme, size));
  for (const core::StepCost& step : cost.steps) write_step(scene, step, d);
  d.line("", {dim(w.format("{} additions, {} multiplications", grouped(cost.additions),
                           grouped(cost.multiplications)))});
  write_count(w("Numbers that are learned"), parameter_terms(scheme, size), d);
  write_count(w("Numbers held besides, by one layer at a time"), held_terms(scheme, size), d);
  if (cost.functions > 0) {
    d.say(
        w.format("Filling that table takes {} sines and cosines, once for all passes; without it "
                 "they are computed in each.",
                 grouped(cost.functions)));
  }
  const Index all = core::position_cost(size.model).projection_flops;
  d.say(w("Beside the projections Q, K, V and output")).is("", "8·n·d²·L = " + grouped(all));
  d.is("", fmt::format("{} / {} ≈ {}", grouped(cost.operations()), grouped(all),
                       percent(to_double(cost.operations()) / to_double(all))));
  return {w.format("{}: operations in one pass", scene.name(scene.chosen())), d.take()};
}

Explanation explain_time(const Scene& scene) {
  const auto& w = scene.w;
  const Index d_model = scene.p.d_model;
  Derivation d(w);
  if (!scene.measured) {
    d.begin("add", "d = " + grouped(d_model)).begin("rotate", "6·d = " + grouped(6 * d_model));
    d.say(
        w("These are counted operations. Switch \"Measure now\" on to time them on this "
          "machine."));
    return {w("Time for a token"), d.take()};
  }
  const Measured& m = *scene.measured;
  d.say(
      w.format("Measured on this machine just now: one thread, {} tokens at a time, the median "
               "sample. Other runs give other numbers.",
               m.tokens));
  write_timing(scene, w("Add a row of the table: d additions, once"), m.add, d_model, d);
  write_timing(scene, w("Rotate q and k by a table: 6·d operations, each layer"), m.rotate,
               6 * d_model, d);
  write_timing(scene, w("Rotate, each token's d_k sines and cosines computed anew"), m.on_the_fly,
               0, d);
  write_timing(scene, w("For comparison: the four projections of one layer, 8·d²"), m.projections,
               8 * d_model * d_model, d);
  d.say(w("The whole model")).is("add", "≈ " + w.format("{:.1f} ns", m.add.nanoseconds));
  d.is("rotate", fmt::format("≈ {} × {:.3f}", scene.p.layers, m.rotate.nanoseconds));
  d.about(w.format("{:.1f} ns", scene.p.layers * m.rotate.nanoseconds));
  return {w("Time for a token"), d.take()};
}

}  // namespace lab::position_compare
