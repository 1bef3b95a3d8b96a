// Three norms of the same numbers.
#include "app/labs/transformer/page.h"
#include "core/enum_array.h"

namespace lab::transformer {
namespace {

constexpr core::EnumArray<NormKind> kNames{{N_("Layer norm"), N_("RMS norm"), N_("Batch norm")}};
constexpr core::EnumArray<NormKind> kIds{{"layer", "rms", "batch"}};

// A map, and framed what is averaged over to norm the picked cell: its row, or of batch norm its
// column.
Plot map(const Scene& scene, NormKind kind, std::string id, std::string title,
         const MatrixD& cells) {
  const Index row = scene.row(cells), col = scene.col(cells);
  const bool batch = kind == NormKind::batch;
  figure::Boxes::Box box{.x0 = to_double(batch ? col : 0),
                         .y0 = to_double(batch ? 0 : row),
                         .x1 = to_double(batch ? col + 1 : cells.cols()),
                         .y1 = to_double(batch ? cells.rows() : row + 1),
                         .fill = Color(Role::accent, 0),
                         .marked = true};
  Heatmap heatmap = lab::heatmap(cells);
  heatmap.row_param = "row";
  heatmap.col_param = "col";
  return {.id = std::move(id),
          .title = std::move(title),
          .x = cell_axis(scene.w("feature"), cells.cols(), "norm feature"),
          .y = cell_axis(scene.w("token"), cells.rows(),
                         {.link = "norm token", .labels = scene.texts().source_names}),
          .marks = {std::move(heatmap), figure::Boxes{.boxes = {std::move(box)}}}};
}

}  // namespace

void explain_scale(const core::model::NormMoments& of, std::string_view squares, Derivation& d) {
  d.about(std::string(squares), of.variance, 6);
  d.begin("ε", "0.00001");
  d.is("√", fmt::format("≈ √({} + 0.00001)", fixed(of.variance, 6)));
  d.about(of.scale, 6);
}

Figure norms_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("norms", w("Three norms of the same numbers"), {.height = 300, .columns = 4});
  figure.note = w("small frame: what the picked number is measured against");
  figure.caption =
      w("The input of the first norm of this encoder layer, and what layer norm, RMS norm and "
        "batch norm make of it. Layer norm takes a token's own mean and divides by its own "
        "deviation, RMS norm only divides, batch norm measures a feature over all tokens: with it "
        "a token's numbers depend on the other tokens.");
  Plot before = map(scene, scene.p.norm_kind, "norm_before", w("before"), scene.before_norm);
  before.click = explains("norm");
  figure.plots.push_back(std::move(before));
  for (const NormKind kind : {NormKind::layer, NormKind::rms, NormKind::batch}) {
    const std::string_view id = kIds[kind];
    Plot plot = map(scene, kind, fmt::format("norm_{}", id), w(kNames[kind]),
                    core::model::normed(kind, scene.before_norm));
    plot.selected = scene.p.explain == Explained::norm && kind == scene.p.norm_kind;
    plot.click = sets("norm_kind", id, "explain", "norm");
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

Explanation explain_norm(const Scene& scene) {
  const auto& p = scene.p;
  const auto& w = scene.w;
  const MatrixD& all = scene.before_norm;
  const Index row = scene.row(all), col = scene.col(all);
  const bool batch = p.norm_kind == NormKind::batch, centered = p.norm_kind != NormKind::rms;
  const VectorD values = batch ? VectorD(all.col(col)) : VectorD(all.row(row).transpose());
  const core::model::NormMoments of = core::model::norm_moments(values, centered);
  const double x = all(row, col);
  Derivation d(w);
  d.about_picked(fmt::format("y[{},{}]", row, col), core::model::normed(p.norm_kind, all)(row, col),
                 4);
  if (centered) {
    d.begin("y", "(x - μ) / √(σ² + ε)");
    d.about(fmt::format("({} - {}) / {}", fixed(x, 6), bracketed(fixed(of.mean, 6)),
                        fixed(of.scale, 6)));
  } else {
    d.begin("y", "x / √(Σ x² / d + ε)");
    d.about(fmt::format("{} / {}", fixed(x, 6), fixed(of.scale, 6)));
  }
  d.say(batch ? w.format("over feature {} of all tokens, {} in all", col, values.size())
              : w.format("over the {} features of token {}", values.size(), row));
  if (centered) d.about("μ", of.mean, 6);
  explain_scale(of, centered ? "σ²" : "Σ x² / d", d);
  d.say(batch ? w("Another token, or one more, changes the mean and the deviation of every "
                  "feature, and so this number.")
              : w("No other token has a part in it."));
  return {w(kNames[p.norm_kind]), d.take()};
}

}  // namespace lab::transformer
