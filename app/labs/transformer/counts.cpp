#include "app/labs/transformer/counts.h"

#include "app/labs/transformer/page.h"
#include "core/cost/attention_cost.h"
#include "core/cost/parameter_count.h"
#include "core/enum_array.h"

namespace lab::transformer {
namespace {

// Attentions of both stacks: one in each encoder layer, two in each decoder layer; norms one more.
Index attentions(const CountSize& s) { return 3 * s.layers; }
Index norms(const CountSize& s) { return 5 * s.layers; }
Index forwards(const CountSize& s) { return 2 * s.layers; }

Index count(const Scene& scene, CountPart part, const CountSize& size) {
  return scene.p.counted == Counted::parameters ? parameters(part, size) : products(part, size);
}

std::string part_name(const Scene& scene, CountPart part) {
  constexpr core::EnumArray<CountPart> kNames{{N_("embedding"), N_("W of Q K V O"),
                                               N_("scores and sums"), N_("feed-forward"),
                                               N_("norms"), N_("output")}};
  return scene.w(kNames[part]);
}

CountSize size_of(const Parameters& p) {
  return {p.width, 4 * Index{p.width}, p.count_layers, p.vocabulary, p.length};
}

CountSize size_at(const Scene& scene, double at) {
  CountSize size = size_of(scene.p);
  const auto x = to_index(at);
  switch (scene.p.over) {
    case CountOver::width: size.d = x, size.d_ff = 4 * x; break;
    case CountOver::length: size.n = x; break;
    case CountOver::layers: size.layers = x; break;
  }
  return size;
}

struct Range {
  std::string label, param;
  double lo, hi, step, now;
};

Range range_of(const Scene& scene) {
  const auto& [p, model, w, n, d, warmups] = scene;
  switch (p.over) {
    case CountOver::width: return {w("width d_model"), "width", 16, 2048, 16, to_double(p.width)};
    case CountOver::length:
      return {w("length n (tokens)"), "count_length", 1, 4096, 16, to_double(p.length)};
    case CountOver::layers: break;
  }
  return {w("layers N of each stack"), "count_layers", 1, 48, 1, to_double(p.count_layers)};
}

}  // namespace

Index parameters(CountPart part, const CountSize& s) {
  switch (part) {
    case CountPart::embedding: return s.vocabulary * s.d;
    case CountPart::projections: return attentions(s) * core::multi_head_parameters(s.d);
    case CountPart::forward: return forwards(s) * core::feed_forward_parameters(s.d, s.d_ff);
    case CountPart::norms: return norms(s) * core::layer_norm_parameters(s.d);
    case CountPart::scores:
    case CountPart::output: break;  // the output is the embedding again
  }
  return 0;
}

Index products(CountPart part, const CountSize& s) {
  const auto one = [&] { return core::attention_cost({.n = s.n, .d = s.d}); };
  switch (part) {
    case CountPart::projections: return attentions(s) * one().projection_macs;
    case CountPart::scores: return attentions(s) * (one().score_macs + one().weighted_sum_macs);
    case CountPart::forward: return forwards(s) * 2 * s.n * s.d * s.d_ff;
    case CountPart::output: return s.n * s.d * s.vocabulary;
    case CountPart::embedding:  // rows are looked up
    case CountPart::norms: break;
  }
  return 0;
}

Index parameters(const CountSize& size) {
  Index sum = 0;
  for (const CountPart part : kCountParts) sum += parameters(part, size);
  return sum;
}

Index products(const CountSize& size) {
  Index sum = 0;
  for (const CountPart part : kCountParts) sum += products(part, size);
  return sum;
}

Figure count_figure(const Scene& scene) {
  const auto& [p, model, w, norms, depths, warmups] = scene;
  const Range range = range_of(scene);
  const bool learned = p.counted == Counted::parameters;
  Figure figure = new_figure(
      "count", learned ? w("Where the parameters are") : w("Where the multiply-adds are"),
      {.span = 7, .height = 300});
  const Index total = learned ? parameters(size_of(p)) : products(size_of(p));
  figure.note = w.format("{} at {} = {}", short_count(to_double(total)), range.label, range.now);
  figure.caption = w.format(
      "Parts over one another: width {}, layers in each stack: {}, {} words, feed-forward four "
      "times as wide, output tied to the embedding; one of these varies along the axis.",
      p.width, p.count_layers, grouped(p.vocabulary));
  if (!learned) {
    figure.caption =
        w.format("{} {}", figure.caption, w.format("{} tokens on each side.", p.length));
  }
  std::vector<double> xs;
  for (double x = range.lo; x < range.hi; x += range.step) xs.push_back(x);
  xs.push_back(range.hi);
  std::vector<double> below(xs.size(), 0);
  Plot plot{.id = "count",
            .x = {range.label, range.lo, range.hi},
            .y = {learned ? w("parameters") : w("multiply-adds"), 0, 1}};
  int color = 0;
  for (const CountPart part : kCountParts) {
    const Color shade = Color::of_head(color++);
    Band band{.x = xs, .lo = below, .color = shade};
    band.color.alpha = 0.55f;
    for (std::size_t k = 0; k < xs.size(); ++k) {
      below[k] += to_double(count(scene, part, size_at(scene, xs[k])));
    }
    band.hi = below;
    if (count(scene, part, size_at(scene, range.hi)) == 0) continue;
    plot.add(std::move(band));
    plot.add(Line{.x = xs, .y = below, .color = shade, .label = part_name(scene, part)});
  }
  plot.y.hi = 1.04 * below.back();
  plot.add(Rule{.at = range.now, .color = Role::accent});
  plot.x_param = range.param;
  plot.click = explains("count");
  return with(std::move(figure), std::move(plot));
}

Explanation explain_count(const Scene& scene) {
  const auto& [p, model, w, norms, depths, warmups] = scene;
  const CountSize s = size_of(p);
  const bool learned = p.counted == Counted::parameters;
  Derivation d(w);
  d.picked(learned ? w("parameters") : w("multiply-adds"),
           grouped(learned ? parameters(s) : products(s)));
  std::vector<Derivation::Term> terms;
  for (const CountPart part : kCountParts) {
    const Index many = count(scene, part, s);
    if (many > 0) terms.push_back({grouped(many), part_name(scene, part)});
  }
  d.terms(terms);
  const std::string n = grouped(s.n), big = grouped(s.d), wide = grouped(s.d_ff);
  const auto tell = [&](CountPart part, const char* letters, const std::string& numbers) {
    d.heading(part_name(scene, part)).begin(letters, numbers);
    d.next(grouped(count(scene, part, s)));
  };
  if (learned) {
    tell(CountPart::projections, "3·N·4·(d² + d)",
         fmt::format("3·{}·4·({}² + {})", s.layers, big, big));
    tell(CountPart::forward, "2·N·(2·d·f + f + d)",
         fmt::format("2·{}·(2·{}·{} + {} + {})", s.layers, big, wide, wide, big));
    tell(CountPart::norms, "5·N·2·d", fmt::format("5·{}·2·{}", s.layers, big));
    tell(CountPart::embedding, "V·d", fmt::format("{}·{}", grouped(s.vocabulary), big));
  } else {
    tell(CountPart::projections, "3·N·4·n·d²", fmt::format("3·{}·4·{}·{}²", s.layers, n, big));
    tell(CountPart::scores, "3·N·2·n²·d", fmt::format("3·{}·2·{}²·{}", s.layers, n, big));
    tell(CountPart::forward, "2·N·2·n·d·f", fmt::format("2·{}·2·{}·{}·{}", s.layers, n, big, wide));
    tell(CountPart::output, "n·d·V", fmt::format("{}·{}·{}", n, big, grouped(s.vocabulary)));
  }
  return {learned ? w("Where the parameters are") : w("Where the multiply-adds are"), d.take()};
}

}  // namespace lab::transformer
