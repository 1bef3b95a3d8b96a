#include "app/labs/position_compare/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lab::position_compare {
namespace {

std::shared_ptr<const Measured> measured(const Parameters& p, const Context& context) {
  if (!p.measure) {
    // Forgotten, so that switching it on again measures anew.
    context.memo.get("measured", std::tuple(0, 0, 0.0), [] { return Measured{}; });
    return nullptr;
  }
  return context.memo.get("measured", std::tuple(p.d_model, p.heads, p.base),
                          [&] { return measure(p.d_model, p.heads, p.base, context.cancel); });
}

// The value of the picked pair under each scheme, where it has one.
void add_values(const Scene& scene, std::vector<Readout>& result) {
  const auto& w = scene.w;
  const Index i = scene.model.query, j = scene.model.key;
  for (std::size_t k = 0; k < scene.count(); ++k) {
    if (!scene.shown(k).scored->mask->allowed(i, j)) continue;
    const double value = scene.shown(k).values(scene.p.quantity)(i, j);
    result.push_back({fmt::format("value_{}", k + 1), w.format("{}, picked pair", scene.name(k)),
                      value, fixed(value),
                      w("The shown value of the picked query and key under this scheme")});
  }
}

void add_shifts(const Scene& scene, std::vector<Readout>& result) {
  const auto& w = scene.w;
  for (std::size_t k = 0; k < scene.count(); ++k) {
    const double error = scene.model.shift_error[k];
    result.push_back({fmt::format("shift_{}", k + 1), w.format("{}, moved by 1", scene.name(k)),
                      error, fmt::format("{:.2g}", error),
                      w("All tokens equal: the largest change of a score when query and key both "
                        "move by one. A relative scheme leaves only rounding")});
  }
}

void add_differences(const Scene& scene, std::vector<Readout>& result) {
  const auto& w = scene.w;
  for (std::size_t k = 1; k < scene.count(); ++k) {
    const Shown& shown = scene.shown(k);
    const auto value = static_cast<double>(shown.largest_difference);
    result.push_back(
        {fmt::format("difference_{}", k + 1), w.format("{}, largest Δ", scene.name(k)), value,
         fmt::format("{:.3f} [{},{}]", value, shown.difference_row, shown.difference_col),
         w("The largest difference to the first scheme, in size, over all pairs that both have, "
           "with its query and key")});
  }
}

void add_operations(const Scene& scene, std::vector<Readout>& result) {
  const auto& w = scene.w;
  for (std::size_t k = 0; k < scene.count(); ++k) {
    const auto count =
        static_cast<double>(core::scheme_cost(scene.scheme(k), scene.p.size()).operations());
    result.push_back({fmt::format("operations_{}", k + 1),
                      w.format("{}, operations", scene.name(k)), count, short_count(count),
                      w("Additions and multiplications that one pass over the counted length adds, "
                        "all layers")});
  }
}

// The second document's two open questions, whatever is shown.
void add_answers(const Scene& scene, std::vector<Readout>& result) {
  const auto& w = scene.w;
  const core::PositionCost cost = core::position_cost(scene.p.size().model);
  const double ratio =
      static_cast<double>(cost.rotary_flops) / static_cast<double>(cost.additive_flops);
  const double share =
      static_cast<double>(cost.rotary_flops) / static_cast<double>(cost.projection_flops);
  const double tables =
      static_cast<double>(cost.rotary_table_size) / static_cast<double>(cost.sinusoidal_table_size);
  result.push_back({"rope_over_adding", w("RoPE, operations over adding"), ratio,
                    fmt::format("{:.0f} ×", ratio),
                    w("6 operations an entry in each of L layers, against 1 addition once: 6 L")});
  result.push_back({"rope_share", w("RoPE, share of the projections"), share,
                    percent_text(share) + " %",
                    w("6 n d L over 8 n d² L = 3 / (4 d): little, at any length")});
  result.push_back(
      {"rope_table", w("RoPE's table over sines'"), tables, fmt::format("{:.3g} ×", tables),
       w("n d_k against n d numbers: all heads and layers share one. Neither learns any of them")});
}

void add_times(const Scene& scene, std::vector<Readout>& result) {
  if (!scene.measured) return;
  const auto& w = scene.w;
  const auto add = [&](std::string id, std::string label, const Timing& timing) {
    result.push_back(
        {std::move(id), std::move(label), timing.nanoseconds,
         w.format("{:.1f} ns", timing.nanoseconds),
         w("For a token, measured on this machine now: one thread, the median sample")});
  };
  add("time_add", w("Add a table, time"), scene.measured->add);
  add("time_rotate", w("Rotate by a table, time"), scene.measured->rotate);
  add("time_on_the_fly", w("Rotate, angles anew, time"), scene.measured->on_the_fly);
  add("time_projections", w("Projections of a layer, time"), scene.measured->projections);
}

std::vector<Card> cards(const words::Words& w) {
  return {
      {w("RoPE is more efficient than adding sinusoids."),
       w("It takes more arithmetic: 6 n d operations in every layer, against n d additions once. "
         "Both are little beside the projections, 8 n d² a layer."),
       "Su et al. 2021, eq. 34"},
      {w("RoPE needs no table of positions."),
       w("It needs cosines and sines of n d_k angles: kept in a table or computed anew. What it "
         "does without is a learned table, and so do sinusoids."),
       "Su et al. 2021, eq. 34"},
      {w("RoPE multiplies by a matrix, so it must be far slower than adding."),
       w("The matrix has two nonzeros a row and is never formed: x cos + rotate(x) sin, entry by "
         "entry. Adding and rotating both grow as n d."),
       "Su et al. 2021, section 3.4.2"},
      {w("RoPE is invariant to scale, so it extrapolates."),
       w("It is invariant to moving both positions (here: i+1, j+1). Beyond the trained length "
         "plain RoPE fails, which interpolation and its successors mend."),
       "Chen et al. 2023, abstract"},
      {w("Word and position embeddings are concatenated."),
       w("They are added. Adding is what concatenated one-hot vectors become in one linear map."),
       "Vaswani et al. 2017, section 3.5"},
      {w("ALiBi costs no operations."),
       w("True where a mask is added to the scores anyway: the bias is put into it. Otherwise it "
         "is one addition for each pair and head, as counted here."),
       "Press et al. 2022, section 3"}};
}

void add_drawn_note(const Scene& scene, std::vector<std::string>& notes) {
  std::string names;
  std::vector<Scheme> told;
  for (std::size_t k = 0; k < scene.count(); ++k) {
    const Scheme scheme = scene.scheme(k);
    const bool drawn = !parameter_terms(scheme, scene.p.size()).empty();
    if (!drawn || std::find(told.begin(), told.end(), scheme) != told.end()) continue;
    told.push_back(scheme);
    names += (names.empty() ? "" : ", ") + scene.name(k);
  }
  if (!names.empty()) {
    notes.push_back(
        scene.w.format("{}: the learned numbers are drawn at random (seed {}, size {}); training "
                       "would have chosen them.",
                       names, scene.p.seed, scene.p.table_size));
  }
}

void add_notes(const Scene& scene, Page& page) {
  const auto& w = scene.w;
  if (scene.model.content->cut) {
    page.notes.push_back(
        w.format("The text has more tokens: its first {} are used. Raise the length to see more.",
                 scene.model.n()));
  }
  add_drawn_note(scene, page.notes);
  for (std::size_t k = 0; k < scene.count(); ++k) {
    if (scene.shown(k).scored->missing > 0) {
      page.notes.push_back(
          w.format("{} was trained for {} tokens: {} pairs have no position and are absent.",
                   scene.name(k), scene.p.trained_length, scene.shown(k).scored->missing));
    }
  }
  if (scene.p.shows({Scheme::t5})) {
    page.notes.emplace_back(
        w("T5 does not divide by √d_k but starts from smaller W_q; the same q and k are divided "
          "here as under the other schemes."));
  }
  if (scene.p.shows({Scheme::xpos}) && scene.p.mask == MaskKind::full) {
    page.notes.emplace_back(
        w("xPos is meant for causal attention: for keys ahead its factor exceeds 1 and grows."));
  }
  if (scene.p.quantity == Quantity::scores && scene.p.shows({Scheme::urpe})) {
    page.notes.emplace_back(
        w("URPE acts after the softmax: its scores are those without position. Show weights."));
  }
  if (scene.p.counted_length > scene.p.trained_length && scene.p.shows({Scheme::learned})) {
    page.notes.push_back(
        w.format("Counted for {} tokens, the learned table of {} rows would not do: its additions "
                 "are those of a table that is long enough.",
                 grouped(scene.p.counted_length), scene.p.trained_length));
  }
  if (scene.measured) {
    page.notes.emplace_back(
        w("Times are measured on this machine now and differ from run to run; all other numbers of "
          "this page are the same everywhere."));
  }
}

std::string status(const Scene& scene) {
  return scene.w.format("n = {} · {} schemes · head {} of {} · d {} · d_k {} · seed {}",
                        scene.model.n(), scene.count(), scene.p.head, scene.p.heads,
                        scene.p.d_model, scene.p.d_k(), scene.p.seed);
}

Page empty_page(const Parameters& p, const words::Words& w) {
  Page page;
  page.formula = facts(p.scheme_1).formula;
  page.cards = cards(w);
  page.notes.emplace_back(w("There is no token yet: type some text."));
  page.status = w.format("n = {} · {} schemes · head {} of {} · d {} · d_k {} · seed {}", 0,
                         p.schemes().size(), p.head, p.heads, p.d_model, p.d_k(), p.seed);
  return page;
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  auto content = make_content(p, context);
  if (content->n() == 0) return empty_page(p, context.words);
  const Model model = make_model(p, std::move(content), context);
  const Scene scene{p, model, context.words, measured(p, context)};
  context.cancel.poll();
  Page page;
  page.figures = figures(scene);
  add_values(scene, page.readouts);
  add_answers(scene, page.readouts);
  add_times(scene, page.readouts);
  add_operations(scene, page.readouts);
  add_differences(scene, page.readouts);
  add_shifts(scene, page.readouts);
  page.formula = facts(scene.scheme(scene.chosen())).formula;
  page.explanation = explain(scene);
  page.cards = cards(context.words);
  add_notes(scene, page);
  page.status = status(scene);
  return page;
}

}  // namespace lab::position_compare
