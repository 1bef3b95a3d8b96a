// What ALiBi and T5 are made of: slopes of heads, buckets of distances.
#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

using core::AlibiSlopeRule;

// --- ALiBi: the slopes of all heads, how far each reaches, and their bias matrices

// Head against something positive on a logarithmic axis, one point a head that chooses it.
Plot head_plot(const Scene& scene, std::string id, std::string title, Axis y) {
  return {.id = std::move(id),
          .title = std::move(title),
          .x = value_axis(scene.w("head"), 0.5, to_double(scene.p.heads) + 0.5, {.link = "head"}),
          .y = std::move(y),
          .click = explains("own"),
          .x_param = "head"};
}

// One value a head. Pickable ones choose their head, and the chosen one's disc is larger.
void add_heads(const Scene& scene, const VectorD& values, const Color& color, std::string label,
               bool pickable, Plot& plot) {
  const figure::Numbers heads = places(values.size(), 1);
  Points points{heads, values, color, 3};
  if (pickable) {
    points.picks =
        each(values.size(), [](Index k) { return sets("explain", "own", "head", k + 1); });
  }
  plot.add(Line{heads, values, color, 1, !pickable, std::move(label)});
  plot.add(std::move(points));
  if (pickable) plot.add(picked_point(scene.p.head, values(scene.p.head - 1), 6));
}

Plot slope_plot(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Plot plot = head_plot(scene, "slope_plot", w("slope of each head"),
                        log_axis(w("slope m (per token)"), std::exp2(-8.6), 1.1));
  const bool released = p.rule == AlibiSlopeRule::released;
  const std::string names[] = {w("released"), w("geometric")};
  const VectorD& chosen = scene.scores().slopes;
  const VectorD other =
      core::alibi_slopes(p.heads, released ? AlibiSlopeRule::geometric : AlibiSlopeRule::released);
  // For a power of two both are one.
  const bool same = other == chosen;
  if (!same) add_heads(scene, other, Color(Role::dim, 0.6f), names[released], false, plot);
  add_heads(scene, chosen, Role::text, same ? w("released, geometric") : names[!released], true,
            plot);
  return plot;
}

Plot reach_plot(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double drop = std::log(1 / p.epsilon);
  const VectorD reach = drop / scene.scores().slopes.array();
  Plot plot = head_plot(
      scene, "reach_plot", w("effective reach of each head"),
      log_axis(w("ln(1/ε) / m (tokens)"), reach.minCoeff() / 1.6, reach.maxCoeff() * 1.6));
  plot.note = w.format("penalty ln(1/ε) = {:.3f}", drop);
  add_heads(scene, reach, Role::text, {}, true, plot);
  const double n = to_double(model.n());
  if (n > plot.y.lo && n < plot.y.hi) {
    plot.add(Rule{false, n, Role::dim, true, w.format("this sequence: {}", model.n())});
  }
  return plot;
}

Figure heads_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("slopes", w.format("Heads: {}, slopes: {}", p.heads, p.heads),
                             {.height = 300, .columns = 2});
  figure.pointer_note = w("click a head");
  figure.caption = w.format(
      "The slope of each head ({} in all), and the distance at which the penalty lies ln(1/ε) "
      "below that of the query's own position, ε = {:g}.",
      p.heads, p.epsilon);
  return with(std::move(figure), slope_plot(scene), reach_plot(scene));
}

// One head's biases.
Source bias_source(const Scene& scene, double slope) {
  const Index n = scene.model.n();
  const bool causal = scene.model.pairs->causal;
  if (scene.p.by_key()) {
    const auto cells = [of = scene.scores().of, term = core::alibi_term(slope, true)](
                           const Block& block) { return core::term_block(*of, term, block); };
    return computed_source(n, causal, cells, 1);
  }
  return distance_source(n, causal, VectorD::NullaryExpr(2 * n - 1, [&](Index k) {
                           return -slope * to_double(std::abs(k + 1 - n));
                         }));
}

Figure sheet_figure(const Scene& scene) {
  constexpr int kPerRow = 8;
  const auto& [p, model, w] = scene;
  const VectorD& slopes = scene.scores().slopes;
  const int rows = (p.heads + kPerRow - 1) / kPerRow;
  Figure figure =
      new_figure("bias_sheet", w("The bias matrix of every head"),
                 {.height = 50 + 140 * to_float(rows), .columns = (p.heads + rows - 1) / rows});
  figure.note = w("one colour scale for all");
  figure.caption = w.format(
      "The biases of every head ({} in all) on one colour scale; row: query, column: key. Below "
      "each its slope.",
      p.heads);
  const auto scale = signed_scale(slopes.maxCoeff() * to_double(std::max<Index>(model.n() - 1, 1)));
  for (int head = 1; head <= p.heads; ++head) {
    const double slope = slopes(head - 1);
    Plot plot = scene.map().plot(fmt::format("bias_{}", head), fmt::format("{}", head));
    plot.note = fmt::format("{:.4g}", slope);
    plot.thumbnail = true;
    plot.selected = head == p.head;
    plot.click = sets("explain", "own", "head", head);
    plot.add(Heatmap{
        .source = bias_source(scene, slope), .scale = scale, .pool = p.pool, .color_bar = false});
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

// --- T5: the buckets on a number line in both directions, what they hold, and which pair has which

constexpr int kGroupColors = 12;  // distinct ones of MapName::groups
// Distance t takes [t, t + 1) of a logarithmic axis; 0 takes the half below 1.
constexpr double kZeroBegin = 0.5;
// Left of it stand the names of the lanes.
constexpr double kNames = 0.2;

std::string_view direction_id(T5Direction direction) {
  return direction == T5Direction::bidirectional ? "bidirectional" : "causal";
}

// One side's buckets between y and y + 1.
struct Lane {
  double y;
  Index first_bucket;
  int sign;  // of j - i
};

void add_bucket(const Scene& scene, const core::T5Buckets& buckets, const Lane& lane, std::size_t b,
                double end, Plot& plot) {
  const auto& first = buckets.first_distances();
  const T5Direction direction =
      buckets.spec().bidirectional ? T5Direction::bidirectional : T5Direction::causal;
  const double lo = first[b] == 0 ? kZeroBegin : to_double(first[b]);
  const double hi = b + 1 < first.size() ? to_double(std::max<Index>(first[b + 1], 1)) : end;
  if (hi <= lo) return;                  // rounding left it no distance
  if (lane.sign > 0 && hi <= 1) return;  // distance 0 counts as before
  const Index bucket = lane.first_bucket + to_index(b);
  const bool chosen = direction == scene.p.t5_direction && bucket == scene.p.entry;
  const double bottom = lane.y + 0.04, top = lane.y + 0.58, middle = std::sqrt(lo * hi);
  plot.add(
      Band{{lo, hi}, {bottom, bottom}, {top, top}, Color::of_head(to_int(bucket % kGroupColors))});
  // Where a bucket is too narrow for its number, its colour stands alone.
  plot.add(Note{middle, lane.y + 0.79, fmt::format("{}", bucket), Role::text, TextStyle::mono_small,
                0, lo, hi});
  const Index relative = lane.sign * first[b];
  auto pick = sets("explain", "own", "t5_direction", direction_id(direction), "entry", bucket);
  if (std::abs(relative) < scene.p.extent) add_sets(pick, "distance", relative);
  plot.add(Points{{middle},
                  {lane.y + 0.31},
                  chosen ? Role::accent : Role::card,
                  chosen ? 5.f : 2.f,
                  {std::move(pick)}});
}

Plot number_line(const Scene& scene, T5Direction direction) {
  const auto& [p, model, w] = scene;
  const core::T5Buckets buckets(bucket_spec(p, direction));
  const auto& first = buckets.first_distances();
  const bool active = p.t5_direction == direction;
  const double end = 2.0 * std::max(p.max_distance, 2);
  Plot plot{.id = fmt::format("line_{}", direction_id(direction)),
            .title = w(direction_id(direction))};
  plot.note = w.format("{} buckets in each row; own ones below distance {}, the last from {} on",
                       first.size(), buckets.max_exact(), first.back());
  plot.selected = active;
  plot.x = log_axis(w("distance |j - i| (tokens); first band: 0"), kNames, end,
                    {.link = "bucket distance"});
  plot.y.visible = false;
  std::vector<Lane> lanes{{0, 0, -1}};
  if (direction == T5Direction::bidirectional) lanes.push_back({1, buckets.side(), 1});
  plot.y.hi = to_double(lanes.size());
  for (const Lane& lane : lanes) {
    for (std::size_t b = 0; b < first.size(); ++b) add_bucket(scene, buckets, lane, b, end, plot);
    plot.add(Note{kNames * 1.03, lane.y + 0.31, lane.sign < 0 ? w("keys before") : w("keys ahead"),
                  Role::text, TextStyle::small, -1});
  }
  const double t = std::abs(p.distance);
  if (active && t >= 1 && t < end) plot.add(Rule{true, t + 0.5, Role::accent});
  plot.click = sets("t5_direction", direction_id(direction));
  return plot;
}

Figure line_figure(const Scene& scene) {
  Figure figure = new_figure("number_line", scene.w("The buckets on a number line"),
                             {.height = 400, .columns = 1});
  figure.note = scene.w("the lower half of a row is exact, the upper logarithmic");
  figure.caption = scene.w.format(
      "Which of {} buckets a distance belongs to, when keys on both sides are told apart and when "
      "all buckets are for keys before the query; logarithmic axis.",
      scene.p.buckets);
  return with(std::move(figure), number_line(scene, T5Direction::bidirectional),
              number_line(scene, T5Direction::causal));
}

Figure learned_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD& scalars = scene.scores().scalars;
  Figure figure = new_figure("bucket_values", w("The learned number of each bucket"),
                             {.span = 7, .height = 300});
  figure.note = w("one a head and bucket");
  figure.caption = w("The bias that each bucket adds to the scores.");
  const double largest = std::max(1e-9, scalars.cwiseAbs().maxCoeff());
  const bool above = scalars.maxCoeff() > 0 || scalars.minCoeff() == 0;
  const auto pick = [](Index b) { return sets("explain", "own", "entry", b); };
  return with(std::move(figure), Plot{.id = "bucket_bars",
                                      .x = cell_axis(w("bucket"), scalars.size()),
                                      .y = {w("bias"), scalars.minCoeff() < 0 ? -1.15 * largest : 0,
                                            (above ? 1.15 : 0.1) * largest},
                                      .marks = {Bars{.values = scalars,
                                                     .color = Role::dim,
                                                     .picks = each(scalars.size(), pick),
                                                     .marked = p.entry}}});
}

Figure map_figure(const Scene& scene) {
  const Index n = scene.model.n();
  const VectorD names = VectorD::NullaryExpr(
      2 * n - 1, [&](Index k) { return to_double(scene.scores().row_of(k + 1 - n)); });
  Figure figure =
      new_figure("bucket_map", scene.w("Which bucket each pair is in"), {.span = 5, .height = 300});
  figure.caption =
      scene.w("The bucket of every pair of query (row) and key (column), each in its colour.");
  PairMap cells = scene.map();
  cells.pool = core::Pool::max;  // a mean of names means nothing
  Heatmap map = cells.cells(distance_source(n, scene.model.pairs->causal, names),
                            {.map = MapName::groups, .hi = 256}, explains("distance"));
  map.color_bar = false;
  Plot plot = cells.plot("bucket_of_pair", "");
  plot.add(std::move(map));
  return with(std::move(figure), std::move(plot));
}

}  // namespace

std::vector<Figure> slope_figures(const Scene& scene) {
  return {heads_figure(scene), sheet_figure(scene)};
}

std::vector<Figure> bucket_figures(const Scene& scene) {
  return {line_figure(scene), learned_figure(scene), map_figure(scene)};
}

}  // namespace lab::relative
