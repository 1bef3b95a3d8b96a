// A small batch whose sequences, or queries, have valid lengths.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

const Sequence& picked_sequence(const Scene& scene) {
  return scene.model.batch[to_size(scene.p.sequence - 1)];
}

// A heatmap of one sequence. Its columns are counted by their edges: the tick 3 is where a length
// of 3 ends.
Plot sequence_plot(const Scene& scene, Index b, const char* id, std::string title,
                   const MatrixD& cells, const core::Mask& mask, const figure::ColorScale& scale) {
  const auto& p = scene.p;
  Plot plot{.id = fmt::format("{}_{}", id, b + 1), .title = std::move(title)};
  plot.x = {.label = scene.w("keys"), .hi = to_double(p.keys), .color = Role::key};
  plot.y = cell_axis(scene.w("query i"), p.queries);
  plot.y.color = Role::query;
  figure::Heatmap map = masked_cells(scene, cells, mask, scale, sets("sequence", b + 1));
  if (b + 1 != p.sequence) map.pinned.reset();
  plot.marks.emplace_back(std::move(map));
  return plot;
}

// Where the valid keys end, as a line that can be dragged: one for the sequence, or one a query.
void add_lengths(const Scene& scene, Index b, Plot& plot) {
  const auto& p = scene.p;
  const bool each = p.form == LengthForm::per_query;
  for (Index i = 0; i < (each ? p.queries : 1); ++i) {
    const std::size_t at = p.length_at(b, i);
    const double edge = std::min(p.lengths[at], p.keys);
    const double top = each ? to_double(i) : 0, bottom = each ? top + 1 : p.queries;
    plot.marks.emplace_back(Line{{edge, edge}, {top, bottom}, Role::accent, 3});
    plot.marks.emplace_back(figure::Handle{.x = edge,
                                           .y = (top + bottom) / 2,
                                           .x_param = fmt::format("length_{}", at + 1),
                                           .also = sets("sequence", b + 1),
                                           .radius = 5});
  }
}

std::string lengths_text(const Parameters& p, Index b) {
  std::string text;
  for (Index i = 0; i < (p.form == LengthForm::per_sequence ? 1 : p.queries); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", p.lengths[p.length_at(b, i)]);
  }
  return text;
}

Figure batch_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("batch", w("Valid lengths on a batch of two sequences"),
                             {.height = 110 + 84 * static_cast<float>(p.queries), .columns = 3});
  figure.note = p.form == LengthForm::per_sequence ? w("1-D: one length for each sequence")
                                                   : w("2-D: one length for each query");
  figure.caption = w.format(
      "Two sequences, one a row: their scores with the edge of what is valid, the softmax of the "
      "scores with padding overwritten by {}, and the weights with padding left out.",
      scene.fill_name());
  double largest = 0;
  for (const Sequence& one : m.batch) {
    largest = std::max(largest, one.scores.cwiseAbs().maxCoeff());
  }
  const core::Mask all = core::Mask::none(p.queries, p.keys);
  for (Index b = 0; b < kSequences; ++b) {
    const Sequence& one = m.batch[to_size(b)];
    Plot scores = sequence_plot(scene, b, "scores", w.format("sequence {}: scores", b + 1),
                                one.scores, all, signed_scale(static_cast<float>(largest)));
    scores.note = w.format("length {}", lengths_text(p, b));
    add_lengths(scene, b, scores);
    figure = with(
        std::move(figure), std::move(scores),
        sequence_plot(scene, b, "filled", w.format("padding overwritten by {}", scene.fill_name()),
                      one.of_fill, all, {}),
        sequence_plot(scene, b, "right", w("padding left out"), one.right, one.mask, {}));
  }
  return figure;
}

Figure batch_row_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Sequence& one = picked_sequence(scene);
  Figure figure = new_figure("batch_row", w.format("Sequence {}, query {}", p.sequence, p.query),
                             {.height = 220, .columns = 2});
  figure.caption =
      w.format("The picked row: softmax with padding overwritten by {}, and with padding left out.",
               scene.fill_name());
  add_key_bars(scene, "row_filled", w.format("overwritten by {}", scene.fill_name()),
               one.of_fill.row(p.query), false, figure);
  add_key_bars(scene, "row_right", w("left out"), one.right.row(p.query), true, figure);
  return figure;
}

// Of all sequences.
struct Counts {
  Index kept = 0, empty = 0;
  double leaked = 0;
};
Counts counts(const Scene& scene) {
  Counts counts;
  for (const Sequence& one : scene.model.batch) {
    counts.kept += one.mask.kept();
    counts.leaked += leaked(one.of_fill, one.mask);
    for (Index i = 0; i < one.mask.rows(); ++i) counts.empty += one.mask.range(i).size() == 0;
  }
  return counts;
}

std::vector<Readout> length_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Sequence& one = picked_sequence(scene);
  const Counts c = counts(scene);
  const double score = one.scores(p.query, p.key), weight = one.right(p.query, p.key);
  return finite(
      {{"kept", w("Pairs kept"), to_double(c.kept),
        w.format("{} of {}", c.kept, kSequences * p.queries * p.keys),
        w("Pairs of query and key that are not padding")},
       {"empty_rows", w("Rows without a key"), to_double(c.empty), fmt::format("{}", c.empty),
        w("Queries that see no key at all")},
       {"leaked", w("Weight on padding"), c.leaked, weight_text(c.leaked),
        w("With the fill, over the whole batch; 0 would be right")},
       {"score", w("Picked score"), score, fixed(score), w("Before the mask")},
       {"weight", w("Picked weight"), weight, weight_text(weight), w("With padding left out")}});
}

Explanation explain_length(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Sequence& one = picked_sequence(scene);
  const int length = p.lengths[p.length_at(p.sequence - 1, p.query)];
  Derivation d(w);
  d.begin(w("length"), fmt::format("{}", length));
  if (length > p.keys) d.say(w("Longer than the row: all keys are real."));
  d.is(w.format("key {}", p.key), p.key < length
                                      ? fmt::format("{} < {}: ", p.key, length) + w("real")
                                      : fmt::format("{} ≥ {}: ", p.key, length) + w("padding"));
  d.is(w("score"), "≈ " + fixed(one.scores(p.query, p.key), 5));
  d.heading(w.format("Overwritten by {}", scene.fill_name()));
  d.softmax("p", written_row(one.filled.row(p.query), p.key, 0));
  write_right(scene, one.scores.row(p.query), one.mask, d);
  return {w.format("Sequence {}: query {}, key {}", p.sequence, p.query, p.key), d.take()};
}

}  // namespace

Page lengths_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Page page;
  page.figures = {batch_figure(scene), batch_row_figure(scene)};
  page.readouts = length_readouts(scene);
  page.formula =
      "\\accent{p_{ij}} = \\frac{\\exp(s_{ij})}{\\sum_{l < L_{i}} \\exp(s_{il})} \\quad j < L_{i}";
  page.explanation = explain_length(scene);
  if (const Index empty = counts(scene).empty; empty > 0) {
    page.notes.push_back(
        p.fill == Fill::minus_infinity
            ? w.format("{} rows have no key. With a fill of -∞ they are ∞ - ∞ = NaN; left out they "
                       "are 0.",
                       empty)
            : w.format("{} rows have no key. With a finite fill they become uniform, 1/{} for each "
                       "padding key; left out they are 0.",
                       empty, p.keys));
  }
  page.status = w.format("{} sequences · {} queries · {} keys · seed {}", kSequences, p.queries,
                         p.keys, p.seed);
  return page;
}

}  // namespace lab::softmax
