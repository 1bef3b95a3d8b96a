// FlashAttention's walk over the matrix, and what it moves.
#include "app/labs/cache/page.h"
#include "app/labs/shared/drawing/table_numbers.h"

namespace lab::cache {
namespace {

using core::Traffic, core::TileStep;

struct Walk {
  const Scene& scene;
  core::TileForm form;
  const core::TiledAttention& all;
  std::size_t at = 0;  // the tile that is worked on
  Traffic plain, least;

  explicit Walk(const Scene& of)
      : scene(of),
        form(TilesKey{of.p.rows, of.p.depth, of.p.memory, of.p.order, of.p.causal, of.p.seed}
                 .form()),
        all(of.model.tiles->attention),
        at(std::min(to_size(of.p.tile), all.steps.size() - 1)),
        plain(core::plain_traffic(of.p.rows, of.p.rows, of.p.depth)),
        least(core::least_traffic(of.p.rows, of.p.rows, of.p.depth)) {}
  const TileStep& tile() const { return all.steps[at]; }
  Traffic of(TileOrder order) const {
    core::TileForm other = form;
    other.order = order;
    return core::tiled_traffic(scene.p.rows, scene.p.rows, scene.p.depth, other);
  }
};

std::string order_name(const Words& w, TileOrder order) {
  return order == TileOrder::keys_outside ? w("keys outside (2022)") : w("queries outside (2023)");
}

// When each pair's tile was worked on; absent where it is still ahead or left out.
Matrix walked(const Walk& walk) {
  const Index n = walk.scene.p.rows;
  Matrix cells = Matrix::Constant(n, n, core::kMasked);
  for (std::size_t k = 0; k <= walk.at; ++k) {
    const TileStep& tile = walk.all.steps[k];
    cells.block(tile.first_row, tile.first_col, tile.rows, tile.cols).setConstant(to_float(k));
  }
  return cells;
}

Plot map_plot(const Walk& walk) {
  const auto& w = walk.scene.w;
  const Index n = walk.scene.p.rows;
  const TileStep& tile = walk.tile();
  Plot plot{.id = "walk", .title = w("order of the tiles")};
  plot.x = cell_axis(w("key"), n);
  plot.y = cell_axis(w("query"), n);
  plot.x.color = Role::key, plot.y.color = Role::query;
  plot.square = true;
  ColorScale scale;
  scale.lo = 0, scale.hi = to_float(walk.all.steps.size());
  plot.add(Heatmap{.source = std::make_shared<DenseSource>(walked(walk)), .scale = scale});
  const double x0 = to_double(tile.first_col), x1 = to_double(tile.first_col + tile.cols);
  const double y0 = to_double(tile.first_row), y1 = to_double(tile.first_row + tile.rows);
  plot.add(Line{
      .x = {x0, x1, x1, x0, x0}, .y = {y0, y0, y1, y1, y0}, .color = Role::accent, .width = 2.5F});
  return plot;
}

Plot so_far_plot(const Walk& walk) {
  const auto& w = walk.scene.w;
  Plot plot{.id = "so_far", .title = w("numbers moved so far"), .x_param = "tile"};
  const auto count = to_double(walk.all.steps.size());
  plot.x = {w("tile"), 0, std::max(1.0, count - 1)};
  Line line{.color = Color::of_head(kSinkColor), .width = 2};
  for (const TileStep& tile : walk.all.steps) line.add(line.x.size(), tile.so_far.total());
  plot.y = {w("numbers"), 0,
            1.15 * std::max(to_double(walk.plain.total()), to_double(walk.all.traffic.total()))};
  plot.add(std::move(line));
  plot.add(Rule{false, walk.plain.total(), Role::bad, true, w("the plain way")});
  plot.add(Rule{false, walk.least.total(), Role::dim, true, w("everything once")});
  plot.add(Rule{true, walk.at, Color(Role::accent, 0.6F)});
  return plot;
}

Figure walk_figure(const Walk& walk) {
  const auto& w = walk.scene.w;
  Figure figure =
      new_figure("walk", w("Over the matrix, tile by tile"), {.height = 420, .columns = 2});
  figure.note = w.format("tiles: queries {}, keys {}", walk.form.sizes.rows, walk.form.sizes.cols);
  figure.plays = "tile";
  figure.caption = w.format(
      walk.form.order == TileOrder::keys_outside
          ? N_("{} by {} scores in tiles that fit {} numbers of fast memory; tile {} is framed. No "
               "tile is ever written to the slow memory: only inputs, outputs and two numbers per "
               "row move, its maximum and its sum. Hatched: not yet done, or skipped.")
          : N_("{} by {} scores in tiles that fit {} numbers of fast memory; tile {} is framed. No "
               "tile is ever written to the slow memory: only inputs, outputs and one number per "
               "row move, the logarithm of its sum. Hatched: not yet done, or skipped."),
      walk.scene.p.rows, walk.scene.p.rows, grouped(walk.scene.p.memory), walk.at);
  return with(std::move(figure), map_plot(walk), so_far_plot(walk));
}

Figure traffic_figure(const Walk& walk) {
  const auto& w = walk.scene.w;
  Figure figure = new_figure("traffic", w("Numbers moved in all"), {.span = 6, .height = 280});
  figure.caption =
      w("Reads and writes of the slow memory: the plain way writes the scores and the weights and "
        "reads both again.");
  figure::Table table;
  table.columns = {
      {"", 1.7F, -1}, {w("read"), 1, 1}, {w("written"), 1, 1}, {w("of the plain way"), 1, 1}};
  const auto row = [&](std::string name, const Traffic& traffic) {
    table.rows.push_back(
        {named_cell(std::move(name)), cell(grouped(traffic.read)), cell(grouped(traffic.written)),
         cell(percent(to_double(traffic.total()) / to_double(walk.plain.total())))});
    add_numbers(table, {{"read (numbers)", to_double(traffic.read)},
                        {"written (numbers)", to_double(traffic.written)},
                        {"share of the plain way",
                         to_double(traffic.total()) / to_double(walk.plain.total())}});
  };
  row(w("the plain way"), walk.plain);
  table.picks.push_back({});
  for (const TileOrder order : {TileOrder::keys_outside, TileOrder::queries_outside}) {
    row(order_name(w, order), walk.of(order));
    table.picks.push_back(sets("order", order == TileOrder::keys_outside ? "keys" : "queries"));
  }
  row(w("everything once"), walk.least);
  table.picks.push_back({});
  table.marked = walk.form.order == TileOrder::keys_outside ? 1 : 2;
  return with_table(std::move(figure), std::move(table));
}

// What the size of the tiles decides, and how it hangs on M.
std::string against_memory(const Walk& walk) {
  const auto& [p, m, w] = walk.scene;
  const bool keys = p.order == TileOrder::keys_outside;
  const Index blocks = core::ceil_div(p.rows, keys ? walk.form.sizes.cols : walk.form.sizes.rows);
  const Index again = (keys ? 3 : 2) * blocks * p.rows * p.depth;
  std::string text =
      keys ? w("Numbers moved against the numbers that fit into fast memory. For every block of "
               "keys, queries and outputs move again: about 12·n²·d²/M, so twice the memory halves "
               "the traffic, until one block holds all keys.")
           : w.format(
                 "Numbers moved against the numbers that fit into fast memory. For every block of "
                 "queries, keys and values move again: about 8·n²·d²/M. Blocks have at most d "
                 "queries, so memory beyond 4·d² = {} numbers saves nothing.",
                 grouped(4 * Index{p.depth} * p.depth));
  if (p.causal) return text;
  return w.format(
      "{} {}", text,
      w.format("Here that is {} of {}.", grouped(again), grouped(walk.all.traffic.total())));
}

Figure memory_figure(const Walk& walk) {
  const auto& [p, m, w] = walk.scene;
  Figure figure =
      new_figure("memory", w("Against the size of fast memory"), {.span = 6, .height = 280});
  figure.caption = against_memory(walk);
  Plot plot{.id = "memory", .x_param = "memory"};
  const Index least = least_memory(p.depth);
  plot.x = log_axis(w("fast memory M (numbers)"), least, kMostMemory);
  plot.y = log_axis(w("numbers moved"), 1, 2);
  Extent extent;
  for (const TileOrder order : {TileOrder::keys_outside, TileOrder::queries_outside}) {
    const bool own = order == p.order;
    Line line{.color = Color::of_head(order == TileOrder::keys_outside ? kSinkColor : kOtherColor),
              .width = own ? 2.5F : 1.5F,
              .label = order_name(w, order)};
    for (Index size = least; size <= kMostMemory; size *= 2) {
      const core::TileForm form{core::flash_tiles(size, p.depth), order, p.causal};
      line.add(size, core::tiled_traffic(p.rows, p.rows, p.depth, form).total());
    }
    extent.add(line.y);
    plot.add(std::move(line));
  }
  extent.add(to_double(walk.plain.total()));
  extent.add(to_double(walk.least.total()));
  plot.y.lo = extent.lo / 1.5, plot.y.hi = extent.hi * 1.5;
  plot.add(Rule{false, walk.plain.total(), Role::bad, true, w("the plain way")});
  plot.add(Rule{false, walk.least.total(), Role::dim, true, w("everything once")});
  plot.add(Rule{true, p.memory, Color(Role::accent, 0.6F)});
  return with(std::move(figure), std::move(plot));
}

// --- explanation

void write_plain(const Walk& walk, Derivation& d) {
  const auto& [p, m, w] = walk.scene;
  d.heading(w("The plain way"));
  d.begin(w("read"),
          fmt::format("3·{0}·{1} + 2·{0}² = {2}", p.rows, p.depth, grouped(walk.plain.read)));
  d.begin(w("written"),
          fmt::format("{0}·{1} + 2·{0}² = {2}", p.rows, p.depth, grouped(walk.plain.written)));
}

void write_keys_outside(const Walk& walk, Derivation& d) {
  const auto& [p, m, w] = walk.scene;
  const Index blocks = core::ceil_div(p.rows, walk.form.sizes.cols);
  d.say(
      w("K and V are read once; for every block of keys all queries, outputs, maxima and sums are "
        "read, and all but the queries written."));
  d.begin(w("blocks of keys"), fmt::format("⌈{} / {}⌉ = {}", p.rows, walk.form.sizes.cols, blocks));
  d.begin(w("read"), fmt::format("2·{0}·{1} + {2}·{0}·(2·{1} + 2) = {3}", p.rows, p.depth, blocks,
                                 grouped(walk.all.traffic.read)));
  d.begin(w("written"), fmt::format("({2} + 1)·{0}·({1} + 2) = {3}", p.rows, p.depth, blocks,
                                    grouped(walk.all.traffic.written)));
}

void write_queries_outside(const Walk& walk, Derivation& d) {
  const auto& [p, m, w] = walk.scene;
  const Index blocks = core::ceil_div(p.rows, walk.form.sizes.rows);
  d.say(
      w("Queries are read and outputs written once; for every block of queries K and V are read "
        "again."));
  d.begin(w("blocks of queries"),
          fmt::format("⌈{} / {}⌉ = {}", p.rows, walk.form.sizes.rows, blocks));
  d.begin(w("read"), fmt::format("{0}·{1} + {2}·2·{0}·{1} = {3}", p.rows, p.depth, blocks,
                                 grouped(walk.all.traffic.read)));
  d.begin(w("written"),
          fmt::format("{0}·({1} + 1) = {2}", p.rows, p.depth, grouped(walk.all.traffic.written)));
}

Explanation explain_tiles(const Walk& walk) {
  const auto& [p, m, w] = walk.scene;
  const Index share = core::ceil_div(p.memory, 4 * p.depth);
  Derivation d(w);
  d.heading(w("The tiles"));
  d.begin("B_c", fmt::format("⌈{} / (4·{})⌉ = {}", p.memory, p.depth, share));
  d.begin("B_r", fmt::format("min({}, {}) = {}", share, p.depth, walk.form.sizes.rows));
  write_plain(walk, d);
  d.heading(order_name(w, p.order));
  if (p.causal) {
    d.say(
        w("As without a mask, but tiles without an allowed pair are skipped; the rest are counted "
          "tile by tile."));
    d.begin(w("tiles"), grouped(to_index(walk.all.steps.size())));
  } else if (p.order == TileOrder::keys_outside) {
    write_keys_outside(walk, d);
  } else {
    write_queries_outside(walk, d);
  }
  d.begin(w("moved"), fmt::format("{} + {}", grouped(walk.all.traffic.read),
                                  grouped(walk.all.traffic.written)));
  d.result(grouped(walk.all.traffic.total()));
  return {w("Numbers moved"), d.take()};
}

std::vector<Readout> tiles_readouts(const Walk& walk) {
  const auto& [p, m, w] = walk.scene;
  const double moved = to_double(walk.all.traffic.total()), plain = to_double(walk.plain.total());
  return {
      {"moved", w("Moved"), moved, grouped(walk.all.traffic.total()),
       w("Numbers read from and written to the slow memory")},
      {"plain", w("The plain way"), plain, grouped(walk.plain.total()),
       w("With scores and weights written out")},
      {"share", w("Of the plain way"), moved / plain, percent(moved / plain),
       w("More than 100 %: such small tiles cost more than they save")},
      {"tiles", w("Tiles"), walk.all.steps.size(), grouped(to_index(walk.all.steps.size())),
       w("Tiles that are computed")},
      {"error", w("Error"), m.tiles->error, fmt::format("{:.1e}", m.tiles->error),
       w("The largest difference between an output and that of the whole matrix: rounding alone")}};
}

}  // namespace

Page tiles_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Walk walk(scene);
  Page page;
  page.figures = {walk_figure(walk), traffic_figure(walk), memory_figure(walk)};
  page.readouts = tiles_readouts(walk);
  page.formula = "B_{c} = ⌈M / (4 d)⌉ \\quad B_{r} = \\min(B_{c}, d)";
  page.explanation = explain_tiles(walk);
  page.made_up = w("made-up queries, keys and values: what moves does not depend on them");
  page.status = w.format("n = {} · d {} · M {} · tile {} of {}", p.rows, p.depth, grouped(p.memory),
                         walk.at + 1, walk.all.steps.size());
  return page;
}

}  // namespace lab::cache
