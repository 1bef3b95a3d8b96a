// Why a count of the table is what it is.
#include <fmt/format.h>

#include <cmath>

#include "app/labs/cost/page.h"

namespace lab::cost {
namespace {

using figure::Role;

std::string whole(double value) { return grouped(static_cast<Index>(value)); }

// The formula, the numbers, the product.
void add_operations(const Scene& scene, LayerKind kind, Lines& lines) {
  const auto size = scene.p.size();
  lines.push_back({"ops", {plain("= " + std::string(facts(kind).operations))}});
  lines.push_back({"", {plain("= " + operations_numbers(kind, size))}});
  lines.push_back({"", {accented("= " + whole(core::layer_operations(kind, size)))}});
}

std::string_view operations_reason(LayerKind kind) {
  switch (kind) {
    case LayerKind::self_attention:
      return N_("Each of n queries meets each of n keys, d products a pair.");
    case LayerKind::recurrent:
      return N_("In each of n steps a d × d matrix is applied to the state.");
    case LayerKind::convolution:
      return N_("At each of n positions k matrices of d × d are applied, one a neighbour.");
    case LayerKind::separable_convolution:
      return N_(
          "Each of d channels is convolved on its own, k products, then one d × d matrix mixes the "
          "channels, at each of n positions.");
    case LayerKind::restricted:
      return N_("Each of n queries meets r keys, d products a pair.");
  }
  return {};
}

Explanation explain_operations(const Scene& scene) {
  const LayerKind kind = scene.p.layer;
  Explanation e;
  e.title = scene.w.format("{}: multiply-adds", scene.name(kind));
  e.lines.push_back(sentence_line(scene.w(operations_reason(kind))));
  add_operations(scene, kind, e.lines);
  e.lines.push_back(
      sentence_line(scene.w("This is the order of the paper's table with constant 1: projections "
                            "and constant factors are left out, so compare kinds, not programs.")));
  if (kind == LayerKind::self_attention) return e;
  const double own = core::layer_operations(kind, scene.p.size());
  const double first = core::layer_operations(LayerKind::self_attention, scene.p.size());
  e.lines.push_back(sentence_line(scene.w("Beside self-attention")));
  e.lines.push_back(
      {"", {plain(fmt::format("{} / {} = {:.4g}", whole(own), whole(first), own / first))}});
  return e;
}

Explanation explain_steps(const Scene& scene) {
  const auto& p = scene.p;
  const bool waits = p.layer == LayerKind::recurrent;
  Explanation e;
  e.title = scene.w.format("{}: sequential steps", scene.name(p.layer));
  e.lines.push_back(sentence_line(
      waits ? scene.w("The state at position t needs the state at t - 1, so the n steps of one "
                      "layer wait for one another, however many processors there are.")
            : scene.w("Every position is computed from the layer's input alone, so all of them can "
                      "be computed at once.")));
  e.lines.push_back({"steps", {plain(waits ? "= n" : "= 1")}});
  e.lines.push_back({"", {accented("= " + grouped(core::sequential_steps(p.layer, p.size())))}});
  return e;
}

std::string_view path_reason(LayerKind kind, Dilation dilation) {
  switch (kind) {
    case LayerKind::self_attention:
      return N_("One layer connects every pair of positions.");
    case LayerKind::recurrent:
      return N_("A signal passes from state to state, one position a step.");
    case LayerKind::restricted:
      return N_("A layer carries a signal r positions to each side; the two ends are n - 1 apart.");
    case LayerKind::convolution:
    case LayerKind::separable_convolution:
      break;
  }
  return dilation == Dilation::contiguous ? N_("L layers of width k see 1 + L (k - 1) positions; "
                                               "both ends meet when those are n.")
                                          : N_("With layer l dilated by k^l, L layers see k^L "
                                               "positions; both ends meet when those are n.");
}

Explanation explain_path(const Scene& scene) {
  const auto& p = scene.p;
  const LayerKind kind = p.layer;
  const Index layers = core::layers_to_meet(kind, p.size(), p.dilation);
  Explanation e;
  e.title = scene.w.format("{}: longest path", scene.name(kind));
  e.lines.push_back(sentence_line(scene.w(path_reason(kind, p.dilation))));
  e.lines.push_back({"L", {plain("= " + path_formula(kind, p.dilation))}});
  e.lines.push_back({"", {plain("= " + path_numbers(kind, p))}});
  e.lines.push_back({"", {accented("= " + grouped(layers))}});
  if (p.n == 1) e.lines.push_back(sentence_line(scene.w("At least one layer is counted.")));
  if (!is_convolution(kind)) return e;
  e.lines.push_back(sentence_line(scene.w("What so many layers see, and one fewer")));
  for (const Index count : {layers, layers - 1}) {
    const bool contiguous = p.dilation == Dilation::contiguous;
    const std::string formula = contiguous ? fmt::format("1 + {}·{}", grouped(count), p.k - 1)
                                           : fmt::format("{}^{}", p.k, count);
    e.lines.push_back(
        {"",
         {plain(fmt::format("{} = {}", formula,
                            grouped(core::convolution_field(p.k, count, p.dilation))))}});
  }
  return e;
}

Explanation explain_memory(const Scene& scene) {
  const auto& p = scene.p;
  const double numbers = core::layer_memory(p.layer, p.size(), p.heads);
  Explanation e;
  e.title = scene.w.format("{}: memory", scene.name(p.layer));
  if (numbers == 0) {
    e.lines.push_back(sentence_line(
        scene.w("A convolution reads its input where it lies: it holds nothing besides.")));
    e.lines.push_back({"M", {accented("= 0")}});
    return e;
  }
  e.lines.push_back(
      sentence_line(p.layer == LayerKind::recurrent
                        ? scene.w("One state of d numbers is carried along.")
                        : scene.w("A score for each pair that is looked at, in every head: heads "
                                  "share the width d but not their scores.")));
  e.lines.push_back({"M", {plain("= " + memory_formula(p.layer))}});
  e.lines.push_back({"", {plain("= " + memory_numbers(p.layer, p))}});
  e.lines.push_back({"", {plain("= " + whole(numbers))}});
  e.lines.push_back({"",
                     {plain(fmt::format("{} · {} B = ", whole(numbers), p.bytes)),
                      accented(bytes_text(numbers * p.bytes))}});
  if (p.layer == LayerKind::self_attention) {
    e.lines.push_back(
        sentence_line(scene.w("A streaming softmax never holds them: for each row and head it "
                              "keeps the largest score and the sum, 2·h·n numbers")));
    const double rows = 2.0 * p.heads * p.n;
    e.lines.push_back(
        {"", {plain(fmt::format("2·{}·{} = {}", p.heads, grouped(p.n), whole(rows)))}});
    e.lines.push_back(
        {"",
         {plain(fmt::format("{} · {} B = {}", whole(rows), p.bytes, bytes_text(rows * p.bytes)))}});
  }
  return e;
}

// Both costs at the crossing and at the sizes at hand.
void compare_at_hand(const Scene& scene, Lines& lines) {
  const auto& p = scene.p;
  lines.push_back(
      sentence_line(scene.w.format("With n = {} and d = {}", grouped(p.n), grouped(p.d))));
  double costs[2];
  int at = 0;
  for (const LayerKind kind : {p.layer, p.other}) {
    costs[at] = core::layer_operations(kind, p.size());
    lines.push_back({"", {plain(std::string(facts(kind).operations) + " = " + whole(costs[at]))}});
    ++at;
  }
  lines.push_back({"",
                   {plain(fmt::format("{} / {} = {:.4g}", whole(costs[0]), whole(costs[1]),
                                      costs[0] / costs[1]))}});
}

Explanation explain_crossover(const Scene& scene) {
  const auto& p = scene.p;
  const auto& w = scene.w;
  const auto crossing = crossover_at(p.layer, p.other, p, p.against);
  const std::string letter = p.against == Against::length ? "n" : "d";
  Explanation e;
  e.title = w.format("{} against {}", scene.name(p.layer), scene.name(p.other));
  if (p.layer == p.other) {
    e.lines.push_back(sentence_line(w("One kind against itself: choose another one.")));
    return e;
  }
  const std::string_view own = facts(p.layer).each, others = facts(p.other).each;
  e.lines.push_back({"",
                     {plain(std::string(facts(p.layer).operations) + " = " +
                            std::string(facts(p.other).operations))}});
  e.lines.push_back(sentence_line(w("Both divided by n·d")));
  e.lines.push_back({"", {plain(fmt::format("{} = {}", own, others))}});
  if (!crossing) {
    e.lines.push_back(
        sentence_line(w.format("No {} makes these equal, with the other sizes as they are: one "
                               "kind is cheaper throughout.",
                               letter)));
  } else {
    e.lines.push_back({letter,
                       {plain("= " + crossover_formula(p.layer, p.other, p.against)),
                        accented(fmt::format(" = {:.6g}", crossing->at))}});
    e.lines.push_back(sentence_line(w("There both take")));
    e.lines.push_back({"ops",
                       {plain("= " + (crossing->operations == std::floor(crossing->operations)
                                          ? whole(crossing->operations)
                                          : fmt::format("{:.6g}", crossing->operations)))}});
  }
  compare_at_hand(scene, e.lines);
  return e;
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explain) {
    case Explained::operations:
      return explain_operations(scene);
    case Explained::steps:
      return explain_steps(scene);
    case Explained::path:
      return explain_path(scene);
    case Explained::memory:
      return explain_memory(scene);
    case Explained::crossover:
      return explain_crossover(scene);
    case Explained::kernel:
      return explain_kernel(scene);
    case Explained::time:
      return explain_time(scene);
  }
  return {};
}

}  // namespace lab::cost
