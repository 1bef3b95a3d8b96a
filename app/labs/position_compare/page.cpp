#include "app/labs/position_compare/page.h"
#include "app/labs/shared/text/text.h"

namespace lab::position_compare {
namespace {

// Nothing while it is switched off, so that switching it on again measures anew.
std::optional<Measured> measured(bool on, Index d_model, Index heads, double base, const Run& run) {
  if (!on) return std::nullopt;
  return time_positions(d_model, heads, base, run.cancel);
}

// The second document's two open questions, whatever is shown.
void add_answers(const Scene& scene, std::vector<Readout>& all) {
  const auto& w = scene.w;
  const core::PositionCost cost = core::position_cost(scene.size().model);
  const double rotary = to_double(cost.rotary_flops);
  const double ratio = rotary / to_double(cost.additive_flops);
  const double share = rotary / to_double(cost.projection_flops);
  const double tables = to_double(cost.rotary_table_size) / to_double(cost.sinusoidal_table_size);
  all.push_back({"rope_over_adding", w("RoPE, operations over adding"), ratio,
                 fmt::format("{:.0f} ×", ratio),
                 w("6 operations per entry in each of L layers, against 1 addition once: 6 L")});
  all.push_back({"rope_share", w("RoPE, share of the projections"), share, percent(share),
                 w("6 n d L over 8 n d² L = 3 / (4 d): small, at any length")});
  all.push_back(
      {"rope_table", w("RoPE's table over sines'"), tables, fmt::format("{:.3g} ×", tables),
       w("n d_k against n d numbers: all heads and layers share one. Neither table is learned")});
}

void add_times(const Scene& scene, std::vector<Readout>& all) {
  if (!scene.measured) return;
  const auto& w = scene.w;
  const Measured& m = *scene.measured;
  const auto add = [&](std::string id, std::string label, const Timing& timing) {
    all.push_back({std::move(id), std::move(label), timing.nanoseconds,
                   w.format("{:.1f} ns", timing.nanoseconds),
                   w("Per token, measured on this machine now: one thread, the median sample")});
  };
  add("time_add", w("Add a table, time"), m.add);
  add("time_rotate", w("Rotate by a table, time"), m.rotate);
  add("time_on_the_fly", w("Rotate without table, time"), m.on_the_fly);
  add("time_projections", w("Projections of a layer, time"), m.projections);
}

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, m, w, timings] = scene;
  std::vector<Readout> all;
  for (std::size_t k = 0; k < scene.count(); ++k) {
    if (!scene.allowed(k, m.query, m.key)) continue;
    const double value = scene.value(k, m.query, m.key);
    all.push_back({fmt::format("value_{}", k + 1), w.format("{}, picked pair", scene.name(k)),
                   value, fixed(value),
                   w("The shown value of the picked query and key with this scheme")});
  }
  add_answers(scene, all);
  add_times(scene, all);
  for (std::size_t k = 0; k < scene.count(); ++k) {
    const double count =
        to_double(core::model::scheme_cost(scene.scheme(k), scene.size()).operations());
    all.push_back({fmt::format("operations_{}", k + 1), w.format("{}, operations", scene.name(k)),
                   count, short_count(count),
                   w("Additions and multiplications that one pass over the counted length adds, "
                     "all layers")});
  }
  for (std::size_t k = 1; k < scene.count(); ++k) {
    const Shown& shown = scene.shown(k);
    all.push_back({fmt::format("difference_{}", k + 1), w.format("{}, largest Δ", scene.name(k)),
                   to_double(shown.largest_difference),
                   fmt::format("{:.3f} [{},{}]", shown.largest_difference, shown.difference_row,
                               shown.difference_col),
                   w("The largest absolute difference from the first scheme, over all pairs that "
                     "both have, with its query and key")});
  }
  for (std::size_t k = 0; k < scene.count(); ++k) {
    const double error = m.shift_error[k];
    all.push_back({fmt::format("shift_{}", k + 1), w.format("{}, moved by 1", scene.name(k)), error,
                   fmt::format("{:.2g}", error),
                   w("All tokens equal: the largest change of a score when query and key both move "
                     "by one. A relative scheme leaves only rounding errors")});
  }
  return all;
}

void add_drawn_note(const Scene& scene, std::vector<std::string>& notes) {
  std::vector<std::string> names;
  std::vector<Scheme> listed;
  for (std::size_t k = 0; k < scene.count(); ++k) {
    const Scheme scheme = scene.scheme(k);
    const bool drawn = !parameter_terms(scheme, scene.size()).empty();
    if (!drawn || std::find(listed.begin(), listed.end(), scheme) != listed.end()) continue;
    listed.push_back(scheme);
    names.push_back(scene.name(k));
  }
  if (!names.empty()) {
    notes.push_back(scene.w.format(
        "{}: the learned numbers are drawn at random (seed {}, size {}), in place of training.",
        scene.w.list(names), scene.p.seed, scene.p.table_size));
  }
}

void add_notes(const Scene& scene, Page& page) {
  const auto& w = scene.w;
  if (scene.model.content->cut) {
    page.note(
        w.format("The text has more tokens: its first {} are used. Raise the length to see more.",
                 scene.model.n()));
  }
  add_drawn_note(scene, page.notes);
  for (std::size_t k = 0; k < scene.count(); ++k) {
    if (scene.shown(k).scored->missing > 0) {
      page.note(
          w.format("{} was trained for lengths up to {}. Pairs without a position are absent: {}.",
                   scene.name(k), scene.p.trained_length, scene.shown(k).scored->missing));
    }
  }
  if (scene.p.shows(Scheme::t5)) {
    page.note(
        w("T5 does not divide by √d_k but starts from smaller W_q; here the same q and k are "
          "divided as with the other schemes."));
  }
  if (scene.p.shows(Scheme::xpos) && scene.p.mask == MaskKind::full) {
    page.note(
        w("xPos is meant for causal attention: for keys ahead its factor exceeds 1 and grows."));
  }
  if (scene.p.quantity == Quantity::scores && scene.p.shows(Scheme::urpe)) {
    page.note(
        w("URPE acts after the softmax: its scores are those without positions. Show weights."));
  }
  if (scene.size().model.n > scene.p.trained_length && scene.p.shows(Scheme::learned)) {
    page.note(
        w.format("For {} tokens the learned table (rows: {}) is too short: additions are counted "
                 "for a table that is long enough.",
                 grouped(scene.size().model.n), scene.p.trained_length));
  }
  if (scene.measured) {
    page.note(
        w("Times are measured on this machine now and differ from run to run; all other numbers of "
          "this page are reproducible."));
  }
}

std::string status(const Parameters& p, Index n, const Words& w) {
  return w.format("n = {} · {} schemes · head {} of {} · d {} · d_k {} · seed {}", n,
                  p.schemes().size(), p.head, p.heads, p.d_model, p.d_k(), p.seed);
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  const auto& w = context.words;
  const Model model = make_model(p, context);
  Page page;
  page.cards = cards("position_compare", w);
  page.status = status(p, model.n(), w);
  find_length(p, model.n(), model.content->cut, w, page);
  if (model.n() == 0) {
    page.formula = compared_as(p.scheme_1).formula;
    page.notes = {w("There is no token yet: type some text.")};
    return page;
  }
  const auto timings =
      context.stage("measured", measured, p.measure, Index{p.d_model}, Index{p.heads}, p.base);
  const Scene scene{p, model, w, *timings};
  page.figures = {side_figure(scene), difference_figure(scene), curves_figure(scene),
                  table_figure(scene), operations_figure(scene)};
  if (scene.measured) page.figures.push_back(time_figure(scene));
  page.readouts = readouts(scene);
  page.made_up = w("untrained: what a model would learn is drawn at random");
  page.formula = compared_as(scene.scheme(scene.chosen())).formula;
  page.explanation = explain(scene);
  add_notes(scene, page);
  return page;
}

}  // namespace lab::position_compare
