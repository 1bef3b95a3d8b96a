// The table of the kinds of layer, their operations, paths and memory.
#include "app/labs/cost/page.h"
#include "app/labs/shared/drawing/table_numbers.h"

namespace lab::cost {
namespace {

using Cell = figure::Table::Cell;

Assignments pick(std::string_view explain, LayerKind kind) {
  return sets("explain", explain, "layer", facts(kind).id);
}

bool chosen(const Scene& scene, Explained explained, LayerKind kind) {
  return scene.p.explain == explained && scene.p.layer == kind;
}

Cell operations_cell(const Scene& scene, LayerKind kind) {
  const double count = core::layer_operations(kind, scene.p.size());
  const double first = core::layer_operations(LayerKind::self_attention, scene.p.size());
  return {mono(std::string(facts(kind).operations.text)), mono("= " + short_count(count)),
          sentence(fmt::format("{:.3g} ×", count / first))};
}

Cell path_cell(const Scene& scene, LayerKind kind) {
  const PathFacts& path = path_facts(kind, scene.p.dilation);
  const auto layers = core::layers_to_meet(kind, scene.p.size(), scene.p.dilation);
  Cell cell{mono(std::string(path.layers.text))};
  if (kind != LayerKind::self_attention) {
    cell.push_back(mono(layers ? "= " + grouped(*layers) : scene.w("never")));
  }
  cell.push_back(sentence(std::string(path.order)));
  return cell;
}

Cell steps_cell(const Scene& scene, LayerKind kind) {
  if (kind != LayerKind::recurrent) return {mono("1")};
  return {mono("n"), mono("= " + grouped(core::sequential_steps(kind, scene.p.size())))};
}

Cell memory_cell(const Scene& scene, LayerKind kind) {
  const double numbers = core::layer_memory(kind, scene.p.size(), scene.p.heads);
  if (numbers == 0) return {mono("0")};
  return {mono(std::string(facts(kind).memory.text)), mono("= " + short_count(numbers)),
          sentence(bytes_text(numbers * scene.p.bytes))};
}

// The same numbers, unrounded.
void add_counts(const Scene& scene, LayerKind kind, figure::Table& table) {
  const core::LayerSize size = scene.p.size();
  const double count = core::layer_operations(kind, size);
  const auto layers = core::layers_to_meet(kind, size, scene.p.dilation);
  const double held = core::layer_memory(kind, size, scene.p.heads);
  add_numbers(table, {{"multiply-adds", count},
                      {"times self-attention's",
                       count / core::layer_operations(LayerKind::self_attention, size)},
                      {"sequential steps", to_double(core::sequential_steps(kind, size))},
                      {"longest path (layers, or recurrent steps)",
                       layers ? to_double(*layers) : std::numeric_limits<double>::quiet_NaN()},
                      {"numbers held besides", held},
                      {"memory held besides (bytes)", held * scene.p.bytes}});
}

// The length or width at hand, and there a point for each kind that has one.
void add_now(const Scene& scene, double x, Explained explained, std::string_view id,
             const std::function<double(LayerKind)>& y, Marks& marks) {
  marks.emplace_back(Rule{.at = x, .color = Role::accent});
  for (const LayerKind kind : kLayers) {
    if (!(y(kind) > 0)) continue;
    marks.emplace_back(
        point(x, y(kind), layer_color(kind), chosen(scene, explained, kind), pick(id, kind)));
  }
}

// Where two curves cross: a small dot to click at, and a rule through the one that is explained.
void add_crossover(const Scene& scene, LayerKind a, LayerKind b, Against against, const Axis& x,
                   Marks& marks) {
  const auto& p = scene.p;
  const auto crossing = crossover_at(a, b, p, against);
  if (!crossing || crossing->at < x.lo || crossing->at > x.hi) return;
  const bool pair = (p.layer == a && p.other == b) || (p.layer == b && p.other == a);
  const bool here = p.explain == Explained::crossover && p.against == against && pair;
  const bool length = against == Against::length;
  marks.emplace_back(point(crossing->at, crossing->operations, Role::text, here,
                           sets("explain", "crossover", "layer", facts(a).id, "other", facts(b).id,
                                "axis", length ? "length" : "width")));
  if (!here) return;
  marks.emplace_back(Rule{.at = crossing->at, .color = Role::text});
  // At its left, above the curves: the rule of the length at hand may stand close at its right.
  marks.emplace_back(Note{.x = crossing->at / 1.3,
                          .y = heights(marks).hi / 3,
                          .text = fmt::format("{} = {:.6g}", length ? "n" : "d", crossing->at),
                          .color = Role::text,
                          .align = 1});
}

Plot operations_plot(const Scene& scene, Against against) {
  const bool length = against == Against::length;
  const Axis axis = length ? scene.lengths() : Axis{scene.w("width d"), 1, kWidest};
  Marks marks;
  for (const LayerKind kind : kLayers) {
    const auto operations = [&](double x) {
      core::LayerSize size = scene.p.size();
      (length ? size.n : size.d) = to_index(x);
      return core::layer_operations(kind, size);
    };
    const bool picked = chosen(scene, Explained::operations, kind);
    marks.emplace_back(curve(
        axis, operations,
        {.color = layer_color(kind), .width = picked ? 2.5f : 1.5f, .label = scene.name(kind)}));
  }
  const auto now = [&](LayerKind kind) { return core::layer_operations(kind, scene.p.size()); };
  add_now(scene, length ? scene.p.n : scene.p.d, Explained::operations, "operations", now, marks);
  for (std::size_t a = 0; a < kLayers.size(); ++a) {
    for (std::size_t b = a + 1; b < kLayers.size(); ++b) {
      add_crossover(scene, kLayers[a], kLayers[b], against, axis, marks);
    }
  }
  return log_plot(length ? "operations_n" : "operations_d", axis, scene.w("multiply-adds"),
                  length ? "n" : "d", std::move(marks));
}

// A count over lengths, of each kind and of others.
struct Counted {
  std::string id, label;  // of the plot and its y axis
  Explained explained;
  std::function<double(LayerKind kind, Index n)> count;
  std::vector<LayerKind> kinds;  // with a curve of their own
  Marks others = {};
};

Plot length_plot(const Scene& scene, Counted counted) {
  const Axis axis = scene.lengths();
  Marks marks;
  for (const LayerKind kind : counted.kinds) {
    const auto y = [&](double n) { return counted.count(kind, to_index(n)); };
    // The separable convolution reaches as far as the other one.
    marks.emplace_back(curve(
        axis, y,
        {.color = layer_color(kind),
         .label = kind == LayerKind::convolution ? scene.w("convolutions") : scene.name(kind)}));
  }
  marks.insert(marks.end(), counted.others.begin(), counted.others.end());
  // The curve of both convolutions has the colour of one, whose point stands there unless the
  // other is chosen.
  const auto now = [&](LayerKind kind) {
    const bool hidden = kind == LayerKind::separable_convolution && scene.p.layer != kind;
    return hidden ? 0 : counted.count(kind, scene.p.n);
  };
  add_now(scene, scene.p.n, counted.explained, counted.id, now, marks);
  return log_plot(counted.id, axis, counted.label, "n", std::move(marks));
}

// Kinds that agree everywhere share one curve and its name.
Plot steps_plot(const Scene& scene) {
  const auto& w = scene.w;
  const auto steps = [&](LayerKind kind, Index n) {
    return to_double(core::sequential_steps(kind, scene.p.size_at(n)));
  };
  const Line one{.color = Role::dim, .label = w("all others")};
  return length_plot(scene, {"steps",
                             w("sequential steps"),
                             Explained::steps,
                             steps,
                             {LayerKind::recurrent},
                             {curve(
                                 scene.lengths(), [](double) { return 1.0; }, one)}});
}

Plot path_plot(const Scene& scene) {
  const auto& w = scene.w;
  const auto layers = [&](LayerKind kind, Index n) {
    const auto meet = core::layers_to_meet(kind, scene.p.size_at(n), scene.p.dilation);
    return to_double(meet.value_or(0));
  };
  return length_plot(scene, {"path",
                             w("longest path (layers; recurrent: steps)"),
                             Explained::path,
                             layers,
                             {LayerKind::self_attention, LayerKind::recurrent,
                              LayerKind::convolution, LayerKind::restricted}});
}

Plot memory_plot(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  const auto bytes = [&](LayerKind kind, Index n) {
    return scene.p.bytes * core::layer_memory(kind, scene.p.size_at(n), scene.p.heads);
  };
  const auto dashed = [&](double slope, Color color, std::string label) {
    return curve(scene.lengths(), [&](double n) { return slope * n; },
                 {.color = color, .dashed = true, .label = std::move(label)});
  };
  return length_plot(scene,
                     {"memory",
                      w("memory (bytes)"),
                      Explained::memory,
                      bytes,
                      {LayerKind::self_attention, LayerKind::recurrent, LayerKind::restricted},
                      {dashed(2.0 * p.bytes * p.heads, layer_color(LayerKind::self_attention),
                              w("streaming softmax")),
                       dashed(2.0 * p.bytes * p.d, Role::dim, w("K and V"))}});
}

}  // namespace

Figure table_figure(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  figure::Table table;
  table.columns = {{w("Layer"), 1.1f},
                   {w("Multiply-adds"), 1.3f},
                   {w("Sequential steps"), 0.8f},
                   {w("Longest path"), 1.3f},
                   {w("Extra numbers held"), 1.2f}};
  for (const LayerKind kind : kLayers) {
    table.rows.push_back({{{scene.name(kind), layer_color(kind), TextStyle::label_bold}},
                          operations_cell(scene, kind),
                          steps_cell(scene, kind),
                          path_cell(scene, kind),
                          memory_cell(scene, kind)});
    add_counts(scene, kind, table);
    table.picks.push_back(sets("layer", facts(kind).id));
  }
  table.marked = to_int(p.layer);
  Figure figure = new_figure("table", w("One layer over a sequence, by its kind"), {.height = 372});
  figure.note = w.format("n = {}, d = {}, h = {}, k = {}, r = {}", grouped(p.n), grouped(p.d),
                         p.heads, p.k, grouped(p.r));
  figure.caption = w.format(
      "Table 1 of Vaswani et al. with numbers: multiply-adds by order of growth with constant 1 "
      "(and as a multiple of self-attention's), sequential steps, the longest path between two "
      "positions in layers (recurrent: in steps), and numbers held besides input and output; n = "
      "{}, d = {}, h = {}, k = {}, r = {}; a neighbourhood has at most n positions.",
      grouped(p.n), grouped(p.d), p.heads, p.k, grouped(p.r));
  return with_table(std::move(figure), std::move(table));
}

Figure operations_figure(const Scene& scene) {
  const auto& p = scene.p;
  Figure figure = new_figure("operations", scene.w("Multiply-adds, and where they cross"),
                             {.height = 340, .columns = 2});
  figure.pointer_note = scene.w("click a crossing to have it worked out");
  figure.caption = scene.w.format(
      "Multiply-adds of one layer against the length (d = {}) and against the width (n = {}), k = "
      "{}, r = {}; dots where two kinds cost the same.",
      grouped(p.d), grouped(p.n), p.k, grouped(p.r));
  return with(std::move(figure), operations_plot(scene, Against::length),
              operations_plot(scene, Against::width));
}

Figure path_figure(const Scene& scene) {
  const auto& p = scene.p;
  Figure figure = new_figure("paths", scene.w("What must wait, and how far signals travel"),
                             {.height = 320, .columns = 2});
  figure.caption = scene.w.format(
      "Sequential steps of one layer, and the longest path between two positions in layers "
      "(recurrent: in steps), against the length; k = {}, r = {}, convolutions {}.",
      p.k, grouped(p.r),
      p.dilation == Dilation::dilated ? scene.w("dilated") : scene.w("contiguous"));
  return with(std::move(figure), steps_plot(scene), path_plot(scene));
}

Figure memory_figure(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  Figure figure = new_figure("memory", w("Memory besides input and output"),
                             {.span = measured ? 12 : 6, .height = 340});
  figure.note = w.format("heads {}, bytes per number {}", p.heads, p.bytes);
  figure.caption = w.format(
      "Bytes held besides input and output against the length (heads {}, d = {}, r = {}, bytes per "
      "number {}): the scores of all heads, or with a streaming softmax only each row's maximum "
      "and sum beside its output; keys and values for comparison.",
      p.heads, grouped(p.d), grouped(p.r), p.bytes);
  return with(std::move(figure), memory_plot(scene));
}

}  // namespace lab::cost
