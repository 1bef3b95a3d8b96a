#include "app/labs/cost/layers.h"

#include <fmt/format.h>

#include "app/labs/shared/number_text.h"

namespace lab::cost {

const LayerFacts& facts(LayerKind kind) {
  static constexpr LayerFacts kFacts[] = {
      {"self_attention", N_("self-attention"), "n²·d", "n^2 d", "n", 0},
      {"recurrent", N_("recurrent"), "n·d²", "n d^2", "d", 1},
      {"convolution", N_("convolution"), "k·n·d²", "k n d^2", "k·d", 4},
      {"separable", N_("separable convolution"), "k·n·d + n·d²", "k n d + n d^2", "k + d", 10},
      {"restricted", N_("restricted attention"), "r·n·d", "r n d", "r", 9},
  };
  return kFacts[static_cast<int>(kind)];
}

figure::Color layer_color(LayerKind kind) { return figure::Color::of_head(facts(kind).color); }

bool is_convolution(LayerKind kind) {
  return kind == LayerKind::convolution || kind == LayerKind::separable_convolution;
}

std::string path_formula(LayerKind kind, Dilation dilation) {
  if (kind == LayerKind::self_attention) return "1";
  if (kind == LayerKind::recurrent) return "n";
  if (kind == LayerKind::restricted) return "⌈(n-1) / r⌉";
  return dilation == Dilation::contiguous ? "⌈(n-1) / (k-1)⌉" : "⌈log_k n⌉";
}

std::string path_tex(LayerKind kind, Dilation dilation) {
  if (kind == LayerKind::self_attention) return "1";
  if (kind == LayerKind::recurrent) return "n";
  if (kind == LayerKind::restricted) return "\\lceil (n - 1) / r \\rceil";
  return dilation == Dilation::contiguous ? "\\lceil (n - 1) / (k - 1) \\rceil"
                                          : "\\lceil \\log_k n \\rceil";
}

std::string path_numbers(LayerKind kind, const Parameters& p) {
  if (kind == LayerKind::self_attention) return "1";
  if (kind == LayerKind::recurrent) return grouped(p.n);
  if (kind == LayerKind::restricted) {
    return fmt::format("⌈{} / {}⌉", grouped(p.n - 1), grouped(p.r));
  }
  if (p.dilation == Dilation::contiguous) {
    return fmt::format("⌈{} / {}⌉", grouped(p.n - 1), p.k - 1);
  }
  const double order = core::path_order(kind, p.size(), Dilation::dilated);
  return fmt::format("⌈ln {} / ln {}⌉ = ⌈{:.3f}⌉", grouped(p.n), p.k, order);
}

std::string_view path_order_text(LayerKind kind, Dilation dilation) {
  if (kind == LayerKind::self_attention) return "O(1)";
  if (kind == LayerKind::recurrent) return "O(n)";
  if (kind == LayerKind::restricted) return "O(n / r)";
  return dilation == Dilation::contiguous ? "O(n / k)" : "O(log_k n)";
}

std::string operations_numbers(LayerKind kind, const core::LayerSize& size) {
  const std::string n = grouped(size.n), d = grouped(size.d);
  switch (kind) {
    case LayerKind::self_attention:
      return fmt::format("{}²·{}", n, d);
    case LayerKind::recurrent:
      return fmt::format("{}·{}²", n, d);
    case LayerKind::convolution:
      return fmt::format("{}·{}·{}²", size.k, n, d);
    case LayerKind::separable_convolution:
      return fmt::format("{}·{}·{} + {}·{}²", size.k, n, d, n, d);
    case LayerKind::restricted:
      return fmt::format("{}·{}·{}", grouped(size.r), n, d);
  }
  return {};
}

std::string memory_formula(LayerKind kind) {
  if (kind == LayerKind::self_attention) return "h·n²";
  if (kind == LayerKind::restricted) return "h·n·min(r, n)";
  return kind == LayerKind::recurrent ? "d" : "";
}

std::string memory_tex(LayerKind kind) {
  if (kind == LayerKind::self_attention) return "h n^2";
  if (kind == LayerKind::restricted) return "h n \\cdot \\min(r, n)";
  return kind == LayerKind::recurrent ? "d" : "0";
}

std::string memory_numbers(LayerKind kind, const Parameters& p) {
  if (kind == LayerKind::self_attention) return fmt::format("{}·{}²", p.heads, grouped(p.n));
  if (kind == LayerKind::restricted) {
    return fmt::format("{}·{}·{}", p.heads, grouped(p.n), grouped(std::min(p.r, p.n)));
  }
  return kind == LayerKind::recurrent ? grouped(p.d) : "";
}

std::string crossover_formula(LayerKind a, LayerKind b, Against against) {
  // One of the two costs per n·d holds the moving letter; kinds in the order of the table.
  if (static_cast<int>(a) > static_cast<int>(b)) std::swap(a, b);
  if (a == b) return {};
  if (against == Against::length) {
    return a == LayerKind::self_attention ? std::string(facts(b).each) : std::string();
  }
  if (a == LayerKind::convolution && b == LayerKind::separable_convolution) return "k / (k - 1)";
  const bool by_n = a == LayerKind::self_attention, by_r = b == LayerKind::restricted;
  if (by_n == by_r) return {};  // neither, or both, do without d
  const LayerKind with_d = by_n ? b : a;
  const std::string fixed = by_n ? "n" : "r";
  if (with_d == LayerKind::recurrent) return fixed;
  return fixed + (with_d == LayerKind::convolution ? " / k" : " - k");
}

std::optional<core::Crossover> crossover_at(LayerKind a, LayerKind b, const Parameters& p,
                                            Against against) {
  return against == Against::length ? core::crossover_length(a, b, p.size())
                                    : core::crossover_width(a, b, p.size());
}

}  // namespace lab::cost
