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
  figure::Boxes boxes;
  figure::Boxes::Box box{.fill = Color(Role::accent, 0), .marked = true};
  if (kind == NormKind::batch) {
    box.x0 = col, box.x1 = col + 1, box.y0 = 0, box.y1 = to_double(x.rows());
  } else {
    box.x0 = 0, box.x1 = to_double(x.cols()), box.y0 = row, box.y1 = row + 1;
  }
  boxes.boxes.push_back(box);
  plot.add(std::move(boxes));
}

Plot map(const Scene& scene, std::string id, std::string title, const MatrixD& cells,
         const Labels& rows) {
  const auto largest = static_cast<float>(cells.cwiseAbs().maxCoeff());
  Plot plot{.id = std::move(id),
            .title = std::move(title),
            .x = cell_axis(scene.w("feature"), cells.cols(), "norm feature"),
            .y = cell_axis(scene.w("token"), cells.rows(), "norm token")};
  plot.y.labels = rows;
  Heatmap heatmap = dense_heatmap(cells.cast<float>(), signed_scale(largest));
  heatmap.row_param = "row";
  heatmap.col_param = "col";
  plot.add(std::move(heatmap));
  return plot;
}

double mean_of(const VectorD& values) { return values.mean(); }

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
    const auto k = static_cast<std::size_t>(kind);
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
  const auto kind = static_cast<std::size_t>(p.norm_kind);
  const bool batch = p.norm_kind == NormKind::batch, centred = p.norm_kind != NormKind::rms;
  const VectorD values = batch ? VectorD(norms.x.col(col)) : VectorD(norms.x.row(row).transpose());
  const double mean = centred ? mean_of(values) : 0;
  const double variance = (values.array() - mean).square().mean();
  const double scale = std::sqrt(variance + kEpsilon), x = norms.x(row, col);
  Derivation d(w);
  d.about_picked(fmt::format("y[{},{}]", row, col), fixed(norms.y[kind](row, col), 4));
  if (centred) {
    d.is("y", "= (x - μ) / √(σ² + ε)");
    d.about(fmt::format("({} - {}) / {}", fixed(x, 6), bracketed(fixed(mean, 6)), fixed(scale, 6)));
  } else {
    d.is("y", "= x / √(Σ x² / d + ε)");
    d.about(fmt::format("{} / {}", fixed(x, 6), fixed(scale, 6)));
  }
  d.say(batch ? w.format("over the {} tokens of feature {}", values.size(), col)
              : w.format("over the {} features of token {}", values.size(), row));
  if (centred) d.is("μ", "≈ " + fixed(mean, 6));
  d.is(centred ? "σ²" : "Σ x² / d", "≈ " + fixed(variance, 6));
  d.is("ε", "= 0.00001");
  d.is("√", fmt::format("≈ √({} + 0.00001)", fixed(variance, 6)));
  d.about(fixed(scale, 6));
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
