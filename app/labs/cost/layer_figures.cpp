// The table of the kinds of layer, their operations, paths and memory.
#include <fmt/format.h>

#include <cmath>

#include "app/labs/cost/curves.h"
#include "app/labs/cost/page.h"

namespace lab::cost {
namespace {

using figure::Figure;
using figure::Plot;
using figure::Role;
using figure::Rule;
using figure::Span;
using figure::Table;
using figure::TextStyle;

Span small(std::string text) { return {std::move(text), Role::dim, TextStyle::small}; }

figure::Assignments pick(std::string_view explain, LayerKind kind) {
  return {{"explain", std::string(explain)}, {"layer", std::string(facts(kind).id)}};
}

bool chosen(const Scene& scene, Explained explained, LayerKind kind) {
  return scene.p.explain == explained && scene.p.layer == kind;
}

Table::Cell operations_cell(const Scene& scene, LayerKind kind) {
  const double count = core::layer_operations(kind, scene.p.size());
  const double first = core::layer_operations(LayerKind::self_attention, scene.p.size());
  return {mono(std::string(facts(kind).operations)), mono("= " + short_count(count)),
          small(fmt::format("{:.3g} ×", count / first))};
}

Table::Cell path_cell(const Scene& scene, LayerKind kind) {
  const auto& p = scene.p;
  const Index layers = core::layers_to_meet(kind, p.size(), p.dilation);
  Table::Cell cell{mono(path_formula(kind, p.dilation))};
  if (kind != LayerKind::self_attention) cell.push_back(mono("= " + grouped(layers)));
  cell.push_back(small(std::string(path_order_text(kind, p.dilation))));
  return cell;
}

Table::Cell steps_cell(const Scene& scene, LayerKind kind) {
  if (kind != LayerKind::recurrent) return {mono("1")};
  return {mono("n"), mono("= " + grouped(core::sequential_steps(kind, scene.p.size())))};
}

Table::Cell memory_cell(const Scene& scene, LayerKind kind) {
  const double numbers = core::layer_memory(kind, scene.p.size(), scene.p.heads);
  if (numbers == 0) return {mono("0")};
  return {mono(memory_formula(kind)), mono("= " + short_count(numbers)),
          small(bytes_text(numbers * scene.p.bytes))};
}

// A point for each kind at the length or width at hand.
void add_kinds(const Scene& scene, Plot& plot, double x, Explained explained,
               std::string_view explain, const std::function<double(LayerKind)>& y) {
  for (const LayerKind kind : kLayers) {
    if (!(y(kind) > 0)) continue;
    add_point(plot, x, y(kind), layer_color(kind), chosen(scene, explained, kind),
              pick(explain, kind));
  }
}

// Where two curves cross: a small dot to click at, and a rule through the one that is explained.
void add_crossovers(const Scene& scene, Plot& plot, Against against) {
  const auto& p = scene.p;
  for (std::size_t a = 0; a < kLayers.size(); ++a) {
    for (std::size_t b = a + 1; b < kLayers.size(); ++b) {
      const auto crossing = crossover_at(kLayers[a], kLayers[b], p, against);
      if (!crossing || crossing->at < plot.x.lo || crossing->at > plot.x.hi) continue;
      const bool here = p.explain == Explained::crossover && p.against == against &&
                        ((p.layer == kLayers[a] && p.other == kLayers[b]) ||
                         (p.layer == kLayers[b] && p.other == kLayers[a]));
      add_point(plot, crossing->at, crossing->operations, Role::text, here,
                {{"explain", "crossover"},
                 {"layer", std::string(facts(kLayers[a]).id)},
                 {"other", std::string(facts(kLayers[b]).id)},
                 {"axis", against == Against::length ? "length" : "width"}});
      if (!here) continue;
      const char* letter = against == Against::length ? "n" : "d";
      plot.marks.emplace_back(
          Rule{.vertical = true, .at = crossing->at, .color = Role::text, .label = {}});
      // At its left, above the curves: the rule of the length at hand may stand close at its right.
      plot.marks.emplace_back(figure::Note{.x = crossing->at / 1.3,
                                           .y = plot.y.hi / 3,
                                           .text = fmt::format("{} = {:.6g}", letter, crossing->at),
                                           .color = Role::text,
                                           .align = 1});
    }
  }
}

Plot operations_plot(const Scene& scene, Against against) {
  const auto& p = scene.p;
  const bool length = against == Against::length;
  Plot plot = log_plot(length ? "operations_n" : "operations_d",
                       length ? scene.w("length n (tokens)") : scene.w("width d"), 1,
                       length ? kLongestSequence : kWidest, scene.w("multiply-adds"));
  for (const LayerKind kind : kLayers) {
    const auto operations = [&](double x) {
      core::LayerSize size = p.size();
      (length ? size.n : size.d) = static_cast<Index>(x);
      return core::layer_operations(kind, size);
    };
    add_curve(plot, operations,
              {.color = layer_color(kind),
               .label = scene.name(kind),
               .width = chosen(scene, Explained::operations, kind) ? 2.5f : 1.5f});
  }
  const double now = length ? p.n : p.d;
  plot.marks.emplace_back(Rule{.vertical = true, .at = now, .color = Role::accent});
  add_kinds(scene, plot, now, Explained::operations, "operations",
            [&](LayerKind kind) { return core::layer_operations(kind, p.size()); });
  add_crossovers(scene, plot, against);
  settle(plot);
  plot.x_param = length ? "n" : "d";
  return plot;
}

// Kinds that agree everywhere share one curve and its name.
Plot steps_plot(const Scene& scene) {
  const auto& p = scene.p;
  Plot plot = log_plot("steps", scene.w("length n (tokens)"), 1, kLongestSequence,
                       scene.w("steps in a row"));
  plot.title = scene.w("Sequential steps");
  add_curve(
      plot, [](double n) { return n; },
      {.color = layer_color(LayerKind::recurrent), .label = scene.name(LayerKind::recurrent)});
  add_curve(plot, [](double) { return 1.0; }, {.color = Role::dim, .label = scene.w("all others")});
  plot.marks.emplace_back(Rule{.vertical = true, .at = 1.0 * p.n, .color = Role::accent});
  add_kinds(scene, plot, p.n, Explained::steps, "steps", [&](LayerKind kind) {
    return static_cast<double>(core::sequential_steps(kind, p.size()));
  });
  settle(plot);
  plot.x_param = "n";
  return plot;
}

Plot path_plot(const Scene& scene) {
  const auto& p = scene.p;
  Plot plot = log_plot("path", scene.w("length n (tokens)"), 1, kLongestSequence,
                       scene.w("layers until both ends meet"));
  plot.title = scene.w("Longest path");
  // The separable convolution reaches as far as the other one.
  for (const LayerKind kind : {LayerKind::self_attention, LayerKind::recurrent,
                               LayerKind::convolution, LayerKind::restricted}) {
    const auto layers = [&](double n) {
      return static_cast<double>(
          core::layers_to_meet(kind, p.size_at(static_cast<Index>(n)), p.dilation));
    };
    add_curve(
        plot, layers,
        {.color = layer_color(kind),
         .label = kind == LayerKind::convolution ? scene.w("convolutions") : scene.name(kind)});
  }
  plot.marks.emplace_back(Rule{.vertical = true, .at = 1.0 * p.n, .color = Role::accent});
  add_kinds(scene, plot, p.n, Explained::path, "path", [&](LayerKind kind) {
    return static_cast<double>(core::layers_to_meet(kind, p.size(), p.dilation));
  });
  settle(plot);
  plot.x_param = "n";
  return plot;
}

Plot memory_plot(const Scene& scene) {
  const auto& p = scene.p;
  Plot plot = log_plot("memory", scene.w("length n (tokens)"), 1, kLongestSequence,
                       scene.w("memory (bytes)"));
  const auto bytes = [&](LayerKind kind, double n) {
    return p.bytes * core::layer_memory(kind, p.size_at(static_cast<Index>(n)), p.heads);
  };
  for (const LayerKind kind :
       {LayerKind::self_attention, LayerKind::recurrent, LayerKind::restricted}) {
    add_curve(plot, [&](double n) { return bytes(kind, n); },
              {.color = layer_color(kind), .label = scene.name(kind)});
  }
  add_curve(plot, [&](double n) { return 2.0 * p.bytes * p.heads * n; },
            {.color = layer_color(LayerKind::self_attention),
             .label = scene.w("streaming softmax"),
             .dashed = true});
  add_curve(plot, [&](double n) { return 2.0 * p.bytes * n * p.d; },
            {.color = Role::dim, .label = scene.w("K and V"), .dashed = true});
  plot.marks.emplace_back(Rule{.vertical = true, .at = 1.0 * p.n, .color = Role::accent});
  add_kinds(scene, plot, p.n, Explained::memory, "memory",
            [&](LayerKind kind) { return bytes(kind, p.n); });
  settle(plot);
  plot.x_param = "n";
  return plot;
}

}  // namespace

Figure table_figure(const Scene& scene) {
  const auto& p = scene.p;
  const auto& w = scene.w;
  Table table;
  table.columns = {{w("Layer"), 1.1f},
                   {w("Multiply-adds"), 1.3f},
                   {w("Sequential steps"), 0.8f},
                   {w("Layers until both ends meet"), 1.3f},
                   {w("Numbers held besides"), 1.2f}};
  for (const LayerKind kind : kLayers) {
    table.rows.push_back({{{scene.name(kind), layer_color(kind), TextStyle::label_bold}},
                          operations_cell(scene, kind),
                          steps_cell(scene, kind),
                          path_cell(scene, kind),
                          memory_cell(scene, kind)});
    table.picks.push_back({{"layer", std::string(facts(kind).id)}});
  }
  table.marked = static_cast<int>(p.layer);
  Plot plot{.id = "table"};
  plot.marks.emplace_back(std::move(table));
  Figure figure = new_figure("table", w("One layer over a sequence, by its kind"), {.height = 372});
  figure.note = w.format("n = {}, d = {}, h = {}, k = {}, r = {}", grouped(p.n), grouped(p.d),
                         p.heads, p.k, grouped(p.r));
  figure.caption = w.format(
      "Table 1 of Vaswani et al. with numbers: multiply-adds by their order with constant 1 (and "
      "as a multiple of self-attention's), steps that must follow one another, layers until the "
      "first and the last position interact, and what is held besides input and output; n = {}, d "
      "= {}, h = {}, k = {}, r = {}.",
      grouped(p.n), grouped(p.d), p.heads, p.k, grouped(p.r));
  figure.plots = {std::move(plot)};
  return figure;
}

Figure operations_figure(const Scene& scene) {
  const auto& p = scene.p;
  Figure figure = new_figure("operations", scene.w("Multiply-adds, and where they cross"),
                             {.height = 340, .columns = 2});
  figure.note = scene.w("click a crossing to have it worked out");
  figure.caption = scene.w.format(
      "Multiply-adds of one layer against the length (d = {}) and against the width (n = {}), k = "
      "{}, r = {}; dots where two kinds cost the same.",
      grouped(p.d), grouped(p.n), p.k, grouped(p.r));
  figure.plots = {operations_plot(scene, Against::length), operations_plot(scene, Against::width)};
  return figure;
}

Figure path_figure(const Scene& scene) {
  const auto& p = scene.p;
  Figure figure = new_figure("paths", scene.w("What has to wait, and how far signals travel"),
                             {.height = 320, .columns = 2});
  figure.caption = scene.w.format(
      "Steps that must follow one another in one layer, and the layers it takes until the first "
      "and the last position interact, against the length; k = {}, r = {}, convolutions {}.",
      p.k, grouped(p.r),
      p.dilation == Dilation::dilated ? scene.w("dilated") : scene.w("contiguous"));
  figure.plots = {steps_plot(scene), path_plot(scene)};
  return figure;
}

Figure memory_figure(const Scene& scene) {
  const auto& p = scene.p;
  Figure figure = new_figure("memory", scene.w("Memory besides input and output"),
                             {.span = scene.measured ? 12 : 6, .height = 340});
  figure.note = scene.w.format("{} heads, {} bytes a number", p.heads, p.bytes);
  figure.caption = scene.w.format(
      "Bytes held besides input and output against the length, {} heads, d = {}, r = {}, {} bytes "
      "a number: the scores of all heads, or with a streaming softmax only each row's maximum and "
      "sum; keys and values for comparison.",
      p.heads, grouped(p.d), grouped(p.r), p.bytes);
  figure.plots = {memory_plot(scene)};
  return figure;
}

}  // namespace lab::cost
