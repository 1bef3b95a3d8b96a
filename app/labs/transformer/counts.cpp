// Where the parameters and the multiply-adds of a whole Transformer are.
#include "app/labs/transformer/page.h"
#include "core/cost/transformer_cost.h"
#include "core/enum_array.h"

namespace lab::transformer {
namespace {

using CountPart = core::TransformerPart;
using CountSize = core::TransformerSize;

std::string part_name(CountPart part, const Words& w) {
  constexpr core::EnumArray<CountPart> kNames{{N_("embedding"), N_("W of Q K V O"),
                                               N_("scores and sums"), N_("feed-forward"),
                                               N_("norms"), N_("output")}};
  return w(kNames[part]);
}

// Which size grows along the axis.
struct Along {
  std::string_view label, param;
  Index CountSize::*size;
  Index first, last, step;
};
constexpr core::EnumArray<CountOver, Along> kAlong{
    {{N_("width d_model"), "width", &CountSize::d, 16, 2048, 16},
     {N_("length n (tokens)"), "count_length", &CountSize::n, 1, 4096, 16},
     {N_("layers N of each stack"), "count_layers", &CountSize::layers, 1, kMostLayers, 1}}};

struct Counting {
  bool learned;
  CountSize size;
  const Along& along;

  explicit Counting(const Parameters& p)
      : learned(p.counted == Counted::parameters),
        size{p.width, 4 * Index{p.width}, p.count_layers, p.vocabulary, p.length},
        along(kAlong[p.over]) {}
  double place() const { return to_double(size.*along.size); }
  Index of(CountPart part) const {
    return learned ? core::transformer_parameters(part, size) : core::transformer_macs(part, size);
  }
  Index total() const {
    return learned ? core::transformer_parameters(size) : core::transformer_macs(size);
  }
  // The same at another place of the axis; the feed-forward network stays four times as wide.
  Counting at(Index x) const {
    Counting moved = *this;
    moved.size.*along.size = x;
    moved.size.d_ff = 4 * moved.size.d;
    return moved;
  }
  std::string title(const Words& w) const {
    return learned ? w("Where the parameters are") : w("Where the multiply-adds are");
  }
  std::string unit(const Words& w) const { return learned ? w("parameters") : w("multiply-adds"); }
};

}  // namespace

Figure count_figure(const Scene& scene) {
  const auto& p = scene.p;
  const auto& w = scene.w;
  const Counting counting(p);
  const Along& along = counting.along;
  const std::string label = w(along.label);
  Figure figure = new_figure("count", counting.title(w), {.span = 7, .height = 300});
  figure.note =
      w.format("{} at {} = {}", short_count(to_double(counting.total())), label, counting.place());
  figure.caption = w.format(
      "Parts over one another: width {}, layers in each stack: {}, {} words, feed-forward four "
      "times as wide, output tied to the embedding; one of these varies along the axis.",
      p.width, p.count_layers, grouped(p.vocabulary));
  if (!counting.learned) {
    figure.caption =
        w.format("{} {}", figure.caption, w.format("Tokens on each side: {}.", p.length));
  }
  std::vector<Counting> places;
  for (Index x = along.first; x < along.last; x += along.step) {
    places.push_back(counting.at(x));
  }
  places.push_back(counting.at(along.last));
  const Numbers xs = each(places, [](const Counting& at) { return at.place(); });
  Numbers below(std::vector<double>(places.size(), 0));
  Plot plot{.id = "count",
            .x = value_axis(label, along.first, along.last),
            .y = {counting.unit(w), 0, 1}};
  int color = 0;
  for (const CountPart part : core::kTransformerParts) {
    const Color shade = Color::of_head(color++);
    if (places.back().of(part) == 0) continue;
    Band band{.x = xs, .lo = below, .color = shade};
    band.color.alpha = 0.55f;
    for (std::size_t k = 0; k < places.size(); ++k) below[k] += to_double(places[k].of(part));
    band.hi = below;
    plot.add(std::move(band));
    plot.add(Line{.x = xs, .y = below, .color = shade, .label = part_name(part, w)});
  }
  plot.y.hi = 1.04 * below.back();
  plot.add(Rule{.at = counting.place(), .color = Role::accent});
  plot.x_param = along.param;
  plot.click = explains("count");
  return with(std::move(figure), std::move(plot));
}

Explanation explain_count(const Scene& scene) {
  const auto& w = scene.w;
  const Counting counting(scene.p);
  const CountSize& s = counting.size;
  Derivation d(w);
  d.picked(counting.unit(w), grouped(counting.total()));
  std::vector<Derivation::Term> terms;
  for (const CountPart part : core::kTransformerParts) {
    const Index many = counting.of(part);
    if (many > 0) terms.push_back({grouped(many), part_name(part, w)});
  }
  d.terms(terms);
  const std::string n = grouped(s.n), big = grouped(s.d), wide = grouped(s.d_ff);
  const auto add = [&](CountPart part, const char* letters, const std::string& numbers) {
    d.heading(part_name(part, w)).begin(letters, numbers).next(grouped(counting.of(part)));
  };
  if (counting.learned) {
    add(CountPart::projections, "3·N·4·(d² + d)",
        fmt::format("3·{}·4·({}² + {})", s.layers, big, big));
    add(CountPart::feed_forward, "2·N·(2·d·f + f + d)",
        fmt::format("2·{}·(2·{}·{} + {} + {})", s.layers, big, wide, wide, big));
    add(CountPart::norms, "5·N·2·d", fmt::format("5·{}·2·{}", s.layers, big));
    add(CountPart::embedding, "V·d", fmt::format("{}·{}", grouped(s.vocabulary), big));
  } else {
    add(CountPart::projections, "3·N·4·n·d²", fmt::format("3·{}·4·{}·{}²", s.layers, n, big));
    add(CountPart::scores, "3·N·2·n²·d", fmt::format("3·{}·2·{}²·{}", s.layers, n, big));
    add(CountPart::feed_forward, "2·N·2·n·d·f",
        fmt::format("2·{}·2·{}·{}·{}", s.layers, n, big, wide));
    add(CountPart::output, "n·d·V", fmt::format("{}·{}·{}", n, big, grouped(s.vocabulary)));
  }
  return {counting.title(w), d.take()};
}

}  // namespace lab::transformer
