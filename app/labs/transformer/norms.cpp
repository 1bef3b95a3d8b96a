#include "app/labs/transformer/norms.h"

#include "app/labs/transformer/page.h"
#include "core/enum_array.h"
#include "core/model/layer/norm.h"

namespace lab::transformer {
namespace {

using core::model::Tape;
using D = core::model::Tensor<double>;

std::string_view norm_name(NormKind kind) {
  constexpr core::EnumArray<NormKind> kNames{{N_("Layer norm"), N_("RMS norm"), N_("Batch norm")}};
  return kNames[kind];
}
constexpr core::EnumArray<NormKind> kIds{{"layer", "rms", "batch"}};

// What is averaged over to norm the picked cell: its row, or of batch norm its column.
void shade(const Scene& scene, NormKind kind, Plot& plot) {
  const MatrixD& x = scene.norms.x;
  const auto row = to_double(std::min<Index>(scene.p.row, x.rows() - 1));
  const auto col = to_double(std::min<Index>(scene.p.col, x.cols() - 1));
  figure::Boxes::Box box{.x0 = 0, .y0 = row, .x1 = to_double(x.cols()), .y1 = row + 1};
  if (kind == NormKind::batch) box = {.x0 = col, .y0 = 0, .x1 = col + 1, .y1 = to_double(x.rows())};
  box.fill = Color(Role::accent, 0);
  box.marked = true;
  plot.add(figure::Boxes{.boxes = {box}});
}

Plot map(const Scene& scene, std::string id, std::string title, const MatrixD& cells,
         const Labels& rows) {
  return {.id = std::move(id),
          .title = std::move(title),
          .x = cell_axis(scene.w("feature"), cells.cols(), "norm feature"),
          .y = cell_axis(scene.w("token"), cells.rows(), {.link = "norm token", .labels = rows}),
          .marks = {Heatmap{.source = cells_of(cells),
                            .scale = signed_scale(cells),
                            .row_param = "row",
                            .col_param = "col"}}};
}

}  // namespace

Norms norms_of(const MatrixD& x) {
  Norms norms;
  norms.x = x;
  Tape<double> tape;
  tape.begin(nullptr, nullptr, {.differentiates = false});
  const D in = tape.input(x);
  const D gain = tape.input(MatrixD::Ones(1, x.cols()));
  const D shift = tape.input(MatrixD::Zero(1, x.cols()));
  norms.y = {core::model::layer_norm(tape, in, gain, shift, kEpsilon).matrix(),
             core::model::rms_norm(tape, in, gain, kEpsilon).matrix(),
             core::model::batch_norm(tape, in, gain, shift, kEpsilon).matrix()};
  return norms;
}

Figure norms_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("norms", w("Three norms of the same numbers"), {.height = 300, .columns = 4});
  figure.note = w("framed: what the picked number is measured against");
  figure.caption = w(
      "What the first norm of this encoder layer is given, and what layer norm, RMS norm and batch "
      "norm make of it. Layer norm takes a token's own mean and divides by its own deviation, RMS "
      "norm only divides, batch norm measures a feature over all tokens: with it a token's numbers "
      "depend on the other tokens.");
  const Labels& rows = scene.texts().source_names;
  Plot before = map(scene, "norm_before", w("before"), scene.norms.x, rows);
  shade(scene, scene.p.norm_kind, before);
  before.click = explains("norm");
  figure.plots.push_back(std::move(before));
  for (const NormKind kind : {NormKind::layer, NormKind::rms, NormKind::batch}) {
    const auto k = to_size(kind);
    Plot plot =
        map(scene, fmt::format("norm_{}", kIds[k]), w(norm_name(kind)), scene.norms.y[k], rows);
    shade(scene, kind, plot);
    plot.selected = kind == scene.p.norm_kind;
    plot.click = sets("norm_kind", kIds[k], "explain", "norm");
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

Explanation explain_norm(const Scene& scene) {
  const auto& [p, model, w, norms, depths, warmups] = scene;
  const Index row = std::min<Index>(p.row, norms.x.rows() - 1);
  const Index col = std::min<Index>(p.col, norms.x.cols() - 1);
  const auto kind = to_size(p.norm_kind);
  const bool batch = p.norm_kind == NormKind::batch, centered = p.norm_kind != NormKind::rms;
  const VectorD values = batch ? VectorD(norms.x.col(col)) : VectorD(norms.x.row(row).transpose());
  const double mean = centered ? values.mean() : 0;
  const double variance = (values.array() - mean).square().mean();
  const double scale = std::sqrt(variance + kEpsilon), x = norms.x(row, col);
  Derivation d(w);
  d.about_picked(fmt::format("y[{},{}]", row, col), norms.y[kind](row, col), 4);
  if (centered) {
    d.begin("y", "(x - μ) / √(σ² + ε)");
    d.about(fmt::format("({} - {}) / {}", fixed(x, 6), bracketed(fixed(mean, 6)), fixed(scale, 6)));
  } else {
    d.begin("y", "x / √(Σ x² / d + ε)");
    d.about(fmt::format("{} / {}", fixed(x, 6), fixed(scale, 6)));
  }
  d.say(batch ? w.format("over the {} tokens of feature {}", values.size(), col)
              : w.format("over the {} features of token {}", values.size(), row));
  if (centered) d.about("μ", mean, 6);
  d.about(centered ? "σ²" : "Σ x² / d", variance, 6);
  d.begin("ε", "0.00001");
  d.is("√", fmt::format("≈ √({} + 0.00001)", fixed(variance, 6)));
  d.about(scale, 6);
  if (batch) {
    d.say(
        w("Another token, or one more, changes the mean and the deviation of every feature, and "
          "so this number."));
  } else {
    d.say(w("No other token has a part in it."));
  }
  return {w(norm_name(p.norm_kind)), d.take()};
}

}  // namespace lab::transformer
