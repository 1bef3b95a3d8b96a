// Sizes along a stack of layers, and how far from learning it begins.
#include "app/labs/transformer/page.h"
#include "core/enum_array.h"
#include "core/task/depth/letter_model.h"

namespace lab::transformer {
namespace {

using core::task::kStackVariants, core::task::StackSizes;

constexpr core::EnumArray<NormPlace> kNormIds{{"after", "before", "none"}};

Color color_of(const StackVariant& v) { return Color::of_head(to_int(v.norm)); }

// Beside a line.
std::string short_name(const StackVariant& v, const Words& w) {
  constexpr core::EnumArray<NormPlace> kPlaces{{N_("after"), N_("before"), N_("none")}};
  return v.residual ? w(kPlaces[v.norm]) : w.format("{}, no line", w(kPlaces[v.norm]));
}

Plot curves(const Scene& scene, std::string id, std::string title, std::string label,
            const std::vector<double> StackSizes::*sizes) {
  const auto& w = scene.w;
  Plot plot{.id = std::move(id),
            .title = std::move(title),
            .x = value_axis(w("after so many layers"), 0, scene.p.depth),
            .y = {std::move(label), 1e-3, 1}};
  plot.x.link = "depth";
  Extent extent;
  for (std::size_t k = 0; k < kStackVariants.size(); ++k) {
    const StackVariant& v = kStackVariants[k];
    Line line{.color = color_of(v),
              .width = v == scene.p.variant() ? 3.0f : 1.5f,
              .dashed = !v.residual,
              .label = short_name(v, w)};
    const std::vector<double>& all = scene.depths[k].*sizes;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool drawn = std::isfinite(all[i]) && all[i] > 0;
      line.add(i, drawn ? all[i] : std::numeric_limits<double>::quiet_NaN());
      if (drawn) extent.add(all[i]);
    }
    plot.add(std::move(line));
  }
  fit_powers(plot.y, extent);
  return plot;
}

std::string loss_text(double loss) {
  return std::isfinite(loss) ? significant(loss, 4) : std::string("∞");
}

}  // namespace

std::string variant_name(const StackVariant& v, const Words& w) {
  constexpr core::EnumArray<NormPlace> kNorms{{N_("norm after"), N_("norm before"), N_("no norm")}};
  return v.residual ? w(kNorms[v.norm]) : w.format("{}, no residual", w(kNorms[v.norm]));
}

std::string variant_id(const StackVariant& v) {
  return std::string(kNormIds[v.norm]) + (v.residual ? "" : "_alone");
}

Figure depth_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("depth", w("Sizes along the layers, at the start"), {.height = 330, .columns = 3});
  figure.note = w.format("a decoder of width 32, layers: {}, windows: {} of {} letters",
                         scene.p.depth, core::task::kLetterBatch, core::task::kLetterWindow);
  figure.caption = w.format(
      "The root mean square of what each layer ({} in all) leaves behind, how much of it differs "
      "from token to token, and the root mean square of the loss's gradient by it, before the "
      "first step of training: norms after each sum, before each part, or none; dashed without "
      "residual connections.",
      scene.p.depth);
  const std::string rms = w("root mean square");
  Plot forward =
      curves(scene, "depth_forward", w("forward: activations"), rms, &StackSizes::forward);
  Plot apart = curves(scene, "depth_apart", w("forward: how tokens differ"), w("share of the size"),
                      &StackSizes::apart);
  Plot backward =
      curves(scene, "depth_backward", w("backward: gradients"), rms, &StackSizes::backward);
  forward.click = apart.click = backward.click = explains("depth");
  return with(std::move(figure), std::move(forward), std::move(apart), std::move(backward));
}

Figure starts_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("starts", w("What training would start from"), {.span = 5, .height = 300});
  figure.pointer_note = w("click a row");
  figure.caption = w.format(
      "The loss before the first step and the gradient's norm of W_Q, W_K and W_V together, in the "
      "first and the last layer of {}. Guessing all {} letters with equal probability costs ln {} "
      "= {}.",
      scene.p.depth, core::task::kLetters.size(), core::task::kLetters.size(),
      fixed(std::log(to_double(core::task::kLetters.size())), 3));
  figure::Table table;
  table.columns = {{w("layers with"), 1.5f, -1},
                   {w("loss"), 0.8f, 1},
                   {w("gradient, first"), 1, 1},
                   {w("gradient, last"), 1, 1}};
  for (std::size_t k = 0; k < kStackVariants.size(); ++k) {
    const StackVariant& v = kStackVariants[k];
    const StackSizes& d = scene.depths[k];
    table.rows.push_back({{{variant_name(v, w), color_of(v), TextStyle::label}},
                          {mono(loss_text(d.loss))},
                          {mono(significant(d.first, 3))},
                          {mono(significant(d.last, 3))}});
    table.picks.push_back(
        sets("norm", kNormIds[v.norm], "residual", v.residual, "explain", "depth"));
    if (v == scene.p.variant()) table.marked = to_int(k);
  }
  return with_table(std::move(figure), std::move(table));
}

Explanation explain_depth(const Scene& scene) {
  const auto& w = scene.w;
  const StackVariant variant = scene.p.variant();
  const auto at = std::find(kStackVariants.begin(), kStackVariants.end(), variant);
  const StackSizes& depth = scene.depths[to_size(at - kStackVariants.begin())];
  const double first = depth.forward.front(), last = depth.forward.back();
  Derivation d(w);
  d.heading(variant_name(variant, w));
  d.begin(w("RMS"), "√(Σ x² / n)");
  d.say(w("of what enters the first layer, and of what leaves the last"));
  d.is(w("enters"), "≈ " + significant(first, 6));
  d.is(w("leaves"), "≈ " + significant(last, 6));
  if (std::isfinite(last / first) && first > 0) {
    d.is(w("leaves / enters"),
         fmt::format("≈ {} / {}", significant(last, 6), significant(first, 6)));
    d.about_result(significant(last / first, 3));
  }
  d.begin(w("loss"), w("mean of -ln p"));
  d.about_result(loss_text(depth.loss));
  if (!variant.residual) {
    d.is(w("differences"), "≈ " + significant(depth.apart.back(), 3));
    d.say(
        w("Without residual connections a layer passes on only what its parts compute, and "
          "attention computes means: tokens become more alike layer after layer, until they cannot "
          "be told apart."));
  } else if (variant.norm == NormPlace::none) {
    d.say(
        w("Every layer adds to the residual stream and nothing brings it back to size: sizes grow "
          "by about the same factor in each layer, and so does what is passed back."));
  } else if (variant.norm == NormPlace::before) {
    d.say(
        w("Each part sees numbers of size 1 and adds to a residual stream that is never normed: it "
          "grows slowly, and the gradient flows back along it unchanged."));
  } else {
    d.say(
        w("The norm brings every sum back to size 1, and every gradient passes through it on the "
          "way back."));
  }
  return {w("Sizes along the layers"), d.take()};
}

}  // namespace lab::transformer
