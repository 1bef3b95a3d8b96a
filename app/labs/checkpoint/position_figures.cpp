// How the model knows where its tokens stand, drawn from its file, and what rounding that does.
#include "app/labs/checkpoint/page.h"
#include "app/labs/shared/drawing/table_numbers.h"
#include "app/labs/shared/drawing/tensor_source.h"
#include "core/enum_array.h"
#include "core/io/tensor/tensor_view.h"

namespace lab::checkpoint {
namespace {

namespace published = core::checkpoint;
using figure::Table;

constexpr Index kReach = 160;  // distances that T5's biases are drawn for
constexpr std::size_t kMostLines = 16;

void add_row(Table& table, std::string what, std::string value) {
  table.rows.push_back(
      {{{std::move(what), Role::dim, TextStyle::label}}, {mono(std::move(value))}});
}

Figure table_figure(std::string id, std::string title, Table table, const FigureSize& size) {
  return with_table(new_figure(std::move(id), std::move(title), size), std::move(table));
}

void add_rotary(const Scene& scene, const published::Rotary& rotary, Table& table) {
  const Words& w = scene.w;
  const std::string base = significant(rotary.base, 9);
  add_row(
      table, w("base"),
      rotary.base_said ? base : w.format("{}, the architecture's: config.json says none", base));
  add_row(table, w("width of a head"), fmt::format("{}", rotary.head_width));
  add_row(table, w("numbers of it that are rotated"), fmt::format("{}", rotary.width));
  if (rotary.scaling == published::RopeScaling::none) {
    return add_row(table, w("scaling"), w("none"));
  }
  add_row(table, w("scaling"), std::string(published::rope_scaling_word(rotary.scaling)));
  add_row(table, w("factor"), significant(rotary.factor, 9));
  if (rotary.original > 0) {
    add_row(table, w("context before it was stretched"), significant(rotary.original, 9));
  }
  if (rotary.multiplier != 1) {
    add_row(table, w("cosines and sines times"), significant(rotary.multiplier, 9));
  }
}

Figure scheme_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const published::PositionFacts& positions = model.positions();
  Table table{.columns = {{w("positions"), 1.4F}, {w("of this model"), 1}}};
  add_row(table, w("scheme"), scheme_text(scene));
  if (positions.context > 0) {
    add_row(table, positions.limited ? w("places, and no more") : w("context it was made for"),
            grouped(positions.context));
  }
  if (positions.rotary) add_rotary(scene, *positions.rotary, table);
  if (positions.slopes.size() > 0) {
    add_row(table, w("steepest slope"), significant(positions.slopes.maxCoeff(), 9));
    add_row(table, w("flattest slope"), significant(positions.slopes.minCoeff(), 9));
  }
  if (const Index window = model.window(model.place.layer); window > 0) {
    add_row(table, w.format("window of layer {}", model.place.layer + 1),
            fmt::format("{}", window));
  }
  for (const published::BucketTable& one : positions.buckets) {
    add_row(table, one.encoder ? w("buckets of the encoder") : w("buckets of the decoder"),
            w.format("{}, the last one from distance {} on", one.spec.buckets,
                     core::T5Buckets(one.spec).first_distances().back()));
  }
  const float height = 90 + 25 * to_float(table.rows.size());
  Figure figure = table_figure("scheme", w("Where its tokens stand"), std::move(table),
                               {.span = 4, .height = std::max(height, 330.0F)});
  figure.caption = w("As config.json and the file say it.");
  return figure;
}

Line wavelengths(const VectorD& frequencies, const Color& color, std::string label) {
  Line line{.color = color, .label = std::move(label)};
  for (Index i = 0; i < frequencies.size(); ++i) line.add(i, kTurn / frequencies(i));
  return line;
}

Figure rotary_figure(const Scene& scene, const published::Rotary& rotary) {
  const auto& [p, model, w] = scene;
  const VectorD now = rotary.frequencies(std::max<Index>(model.queries(), rotary.context));
  published::Rotary plain = rotary;
  plain.scaling = published::RopeScaling::none;
  Plot plot{.id = "wavelengths"};
  plot.x = {.label = w("pair"), .hi = std::max(1.0, to_double(now.size() - 1)) * 1.12};
  plot.y = {.label = w("positions a turn"), .scale = figure::AxisScale::log};
  const bool scaled = rotary.scaling != published::RopeScaling::none;
  if (scaled) {
    Line before = wavelengths(plain.frequencies(rotary.context), Color(Role::dim), w("plain"));
    before.dashed = true;
    plot.add(std::move(before));
  }
  Line line = wavelengths(now, Color(Role::accent), scaled ? w("scaled") : "");
  const double longest = std::max(line.y.back(), to_double(rotary.context));
  plot.y.lo = 4;
  plot.y.hi = 2 * longest;
  plot.add(std::move(line));
  if (rotary.context > 4) {
    plot.add(Rule{.vertical = false, .at = rotary.context, .label = w("context")});
  }
  if (rotary.original > 4 && rotary.original != to_double(rotary.context)) {
    plot.add(Rule{.vertical = false, .at = rotary.original, .label = w("context before")});
  }
  Figure figure =
      new_figure("wavelengths", w("How fast its pairs turn"), {.span = 8, .height = 330});
  figure.caption = scaled ? w("How many positions a turn of each pair takes, with its scaling and, "
                              "dashed, without. Pairs above the context finish no turn within it.")
                          : w("How many positions a turn of each pair takes. Pairs above the "
                              "context finish no turn within it.");
  return with(std::move(figure), std::move(plot));
}

Figure learned_figure(const Scene& scene, const core::Tensor& tensor) {
  const auto& [p, model, w] = scene;
  const core::TensorView view(tensor);
  // The scale holds the largest of the first rows: a table may be long.
  const Index rows = std::min<Index>(view.rows(), 1024);
  Matrix some(rows, view.cols());
  view.read(core::Region{0, 0, rows, view.cols()}, some.data());
  Plot plot{.id = "learned",
            .x = cell_axis(w("dimension"), view.cols()),
            .y = cell_axis(w("position"), view.rows()),
            .marks = {Heatmap{.source = tensor_source(view), .scale = signed_scale(some)}}};
  Figure figure = new_figure("learned", w("Its learned positions"), {.span = 8, .height = 330});
  figure.caption =
      w.format("The table {}: a row is added to the embedding of the token there.", tensor.name);
  return with(std::move(figure), std::move(plot));
}

Figure slopes_figure(const Scene& scene, const VectorD& slopes) {
  const auto& [p, model, w] = scene;
  Bars bars{.values = {slopes.begin(), slopes.end()},
            .color = Role::key,
            .marked = to_int(model.place.head)};
  for (Index head = 0; head < slopes.size(); ++head) bars.picks.push_back(sets("head", head + 1));
  Plot plot{.id = "slopes",
            .x = counted_axis(w("head"), slopes.size()),
            .y = {.label = w("slope"), .hi = 1.12 * slopes.maxCoeff()},
            .marks = {std::move(bars)}};
  Figure figure = new_figure("slopes", w("Its ALiBi slopes"), {.span = 8, .height = 330});
  figure.caption = w("Each head takes its slope times the distance away from its scores.");
  return with(std::move(figure), std::move(plot));
}

Plot buckets_plot(const Scene& scene, const published::BucketTable& one, Extent& extent) {
  const auto& [p, model, w] = scene;
  const core::TensorView view(one.table);
  MatrixD table(view.rows(), view.cols());
  view.read(core::Region{0, 0, view.rows(), view.cols()}, table.data());
  const core::T5Buckets bucket(one.spec);
  Plot plot{.id = one.encoder ? "buckets_encoder" : "buckets_decoder",
            .title = one.encoder ? w("encoder") : w("decoder")};
  const Index end = one.encoder ? kReach : 0;
  plot.x = {.label = w("key minus query (tokens)"),
            .lo = -to_double(kReach),
            .hi = one.encoder ? 1.1 * to_double(kReach) : 8};
  plot.y = {.label = w("added to the score")};
  const auto lines = std::min<std::size_t>(to_size(table.cols()), kMostLines);
  for (std::size_t head = 0; head < lines; ++head) {
    const bool picked = to_index(head) == model.place.head;
    Line line{.color = picked ? Color(Role::accent) : Color(Role::dim, 0.6F),
              .width = picked ? 2.2F : 1.0F,
              .label = picked ? w.format("head {}", head + 1) : ""};
    for (Index relative = -kReach; relative <= end; ++relative) {
      line.add(relative, table(bucket(relative), to_index(head)));
      extent.add(line.y.back());
    }
    plot.add(std::move(line));
  }
  return plot;
}

Figure buckets_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("buckets", w("Its biases by distance"), {.span = 8, .height = 480});
  Extent extent;
  for (const published::BucketTable& one : model.positions().buckets) {
    figure.plots.push_back(buckets_plot(scene, one, extent));
  }
  for (Plot& plot : figure.plots) fit(plot.y, extent);
  figure.caption =
      w("What each head adds to a score for each distance from query to key, from the file; the "
        "first layer's table holds for all layers of its stack.");
  return figure;
}

std::string rounded_name(const Words& w, Rounded what) {
  switch (what) {
    case Rounded::ids: return w("position ids");
    case Rounded::frequencies: return w("frequencies");
    case Rounded::products: return w("products m·θ");
    case Rounded::tables: return w("cosines and sines");
    case Rounded::everything: return w("all of these");
  }
  return {};
}

std::string changes_caption(const Scene& scene, Index n) {
  const auto& [p, model, w] = scene;
  const bool whole = n == to_index(model.tokens->ids.size());
  const std::string stands = whole
                                 ? w.format(
                                       "The text is at positions {} to {}; compared with exact "
                                       "rotations there, of all logits of all tokens.",
                                       p.offset, p.offset + n - 1)
                                 : w.format(
                                       "The first {} tokens of the text are at positions {} to {}; "
                                       "compared with exact rotations there, of all their logits.",
                                       n, p.offset, p.offset + n - 1);
  const std::string changes =
      model.positions().rotary->depends_on_length()
          ? w("Its frequencies depend on how far the text reaches, so exact rotations change with "
              "the position, too.")
          : w("Distances are as at position 0, so with exact rotation nothing would change.");
  return w.format("{} {}", stands, changes);
}

Figure changes_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Rounding& rounding = *model.rounding;
  const auto n = to_index(rounding.changes.front().of_token.size());
  Table table{.columns = {{w("rounded"), 1.4F},
                          {w("largest change of a logit"), 1.2F, 1},
                          {w("another likeliest token"), 1.2F, 1}}};
  for (const Rounded what : kAllRounded) {
    const Rounding::Change& change = rounding.changes[to_size(what)];
    table.rows.push_back({{{rounded_name(w, what), Role::text, TextStyle::label}},
                          {mono(change.finite ? significant(change.largest, 4) : w("no number"))},
                          {mono(w.format("at {} of {} tokens", change.tokens_changed, n),
                                change.tokens_changed > 0 ? Role::bad : Role::text)}});
    add_numbers(table, {{"largest change of a logit",
                         change.finite ? change.largest : std::numeric_limits<double>::quiet_NaN()},
                        {"another likeliest token (tokens)", to_double(change.tokens_changed)},
                        {"tokens", to_double(n)}});
    constexpr core::EnumArray<Rounded> kIds{
        {"ids", "frequencies", "products", "tables", "everything"}};
    table.picks.push_back(sets("rounded", kIds[what]));
  }
  table.marked = to_int(p.rounded);
  Figure figure = table_figure("changes", w("What rounding does to its logits"), std::move(table),
                               {.span = 6, .height = 300});
  figure.note = w.format("{} at {}", format_name(p.format), p.offset);
  figure.caption = changes_caption(scene, n);
  return figure;
}

Figure tokens_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Rounding::Change& change = model.rounding->changes[to_size(p.rounded)];
  Bars bars{.values = change.of_token, .color = Role::bad, .marked = to_int(model.query)};
  for (std::size_t t = 0; t < change.of_token.size(); ++t) bars.picks.push_back(sets("token", t));
  Plot plot{.id = "changed_tokens"};
  plot.x = cell_axis(w("token"), to_index(change.of_token.size()));
  const auto& ids = model.tokens->ids;
  plot.x.labels = scene.names({ids.begin(), ids.begin() + std::ssize(change.of_token)});
  plot.y = {.label = w("largest change"), .hi = change.largest > 0 ? 1.12 * change.largest : 1};
  plot.add(std::move(bars));
  Figure figure = new_figure("changed_tokens", w("Token by token"), {.span = 6, .height = 300});
  figure.note = rounded_name(w, p.rounded);
  figure.caption = w("The largest change of a logit behind each token.");
  return with(std::move(figure), std::move(plot));
}

Figure offsets_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Rounding& rounding = *model.rounding;
  Plot plot{.id = "offsets"};
  // On a logarithmic axis 0 stands at 16.
  std::vector<double> places = rounding.offsets;
  places.front() = 16;
  plot.x = log_axis(w("position of the first token (0 stands at 16)"), 12, 6e5);
  plot.y = fitted_axis(w("largest change of a logit"),
                       extent_of(0, rounding.by_ids, rounding.by_tables), 0.12);
  plot.y.lo = std::min(0.0, plot.y.lo);
  plot.add(Line{.x = places, .y = rounding.by_ids, .color = Role::bad, .label = w("ids")});
  plot.add(Line{.x = places, .y = rounding.by_tables, .color = Role::good, .label = w("tables")});
  Figure figure = new_figure("offsets", w("Near and far"), {.height = 280});
  figure.note = format_name(p.format);
  figure.caption =
      w("The same text farther and farther out: where ids no longer fit into the format rounding "
        "them changes the prediction; finished cosines and sines that are rounded do as little as "
        "at the beginning.");
  return with(std::move(figure), std::move(plot));
}

}  // namespace

std::string scheme_text(const Scene& scene) {
  const auto& positions = scene.model.positions();
  const Words& w = scene.w;
  if (positions.rotary) {
    const bool part = positions.rotary->width < positions.rotary->head_width;
    return part ? w("RoPE on a part of each head") : w("RoPE");
  }
  if (positions.slopes.size() > 0) return w("ALiBi");
  if (!positions.buckets.empty()) return w("buckets of distance (T5)");
  return positions.learned ? w("learned, added to embeddings") : w("none");
}

std::vector<Figure> position_figures(const Scene& scene) {
  const auto& positions = scene.model.positions();
  std::vector<Figure> all{scheme_figure(scene)};
  if (positions.rotary) all.push_back(rotary_figure(scene, *positions.rotary));
  if (positions.learned) all.push_back(learned_figure(scene, *positions.learned));
  if (positions.slopes.size() > 0) all.push_back(slopes_figure(scene, positions.slopes));
  if (!positions.buckets.empty()) all.push_back(buckets_figure(scene));
  return all;
}

std::vector<Figure> rounding_figures(const Scene& scene) {
  if (!scene.model.rounding) return {};
  std::vector<Figure> all{changes_figure(scene), tokens_figure(scene)};
  if (!scene.model.rounding->offsets.empty()) all.push_back(offsets_figure(scene));
  return all;
}

}  // namespace lab::checkpoint
