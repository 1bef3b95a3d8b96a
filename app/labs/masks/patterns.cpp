// From an item of the stack to its mask.
#include <algorithm>
#include <numeric>

#include "app/labs/masks/catalogue.h"
#include "core/mask/compose.h"
#include "core/mask/kept_in_closed_form.h"
#include "core/mask/patterns.h"

namespace lab::masks {
namespace {

using core::Causal;
using core::SparseMask;

// The arguments of an item; none is more than n.
struct Arguments {
  const param::StackItem& item;
  Index n;
  Index operator()(std::size_t k) const {
    return std::min<Index>(item.arguments.at(k), std::max<Index>(n, 1));
  }
  // As it was given: where a block ends counts even when it is longer than the sequence.
  Index given(std::size_t k) const { return item.arguments.at(k); }
  // Lengths that are never above n although n may be 0.
  Index up_to_n(std::size_t k) const { return std::min<Index>(item.arguments.at(k), n); }
};

std::vector<Index> first_tokens(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

// The first n rows and keys.
SparseMask cropped(const SparseMask& mask, Index n) {
  core::SparseMaskBuilder builder(n, n);
  std::vector<core::KeyRun> row;
  for (Index i = 0; i < n; ++i) {
    row.clear();
    for (core::KeyRun run : mask.row(i)) {
      if (run.begin >= n) break;
      const Index fit = 1 + (n - 1 - run.begin) / run.step;
      run.count = static_cast<std::int32_t>(std::min<Index>(run.count, fit));
      if (run.count == 1) run.step = 1;
      row.push_back(run);
    }
    builder.add_row(row);
  }
  return builder.finish();
}

SparseMask grid_mask(const param::StackItem& item, Index n) {
  const Arguments a{item, n};
  const GridShape shape = grid_shape(item, n);
  return cropped(core::pattern::local_2d({shape.height, shape.width}, a(1), a(2)), n);
}

SparseMask block_mask(const param::StackItem& item, const PatternInputs& in) {
  const Arguments a{item, in.n};
  const Index blocks = (in.n + a(0) - 1) / a(0);
  const core::pattern::BigBirdShape shape{std::min(a(1), blocks),
                                          first_tokens(std::min(a(2), blocks))};
  const SparseMask layout = core::pattern::bigbird(blocks, shape, item.arguments[3], in.seed);
  return core::pattern::block_sparse(layout, a(0), in.n, in.n);
}

SparseMask painted_mask(const param::CellSet& cells, Index n) {
  std::vector<std::vector<core::KeyRange>> rows(static_cast<std::size_t>(n));
  for (const param::CellBand& band : cells) {
    for (Index i = band.rows.first; i <= band.rows.last && i < n; ++i) {
      for (const param::CellSpan& span : band.columns) {
        const core::KeyRange range{span.first, std::min<Index>(n, span.last + Index{1})};
        if (range.size() > 0) rows[static_cast<std::size_t>(i)].push_back(range);
      }
    }
  }
  return core::from_ranges(n, rows);
}

SparseMask factorized(Pattern pattern, const Arguments& a, Index n) {
  switch (pattern) {
    case Pattern::strided_a1:
      return core::pattern::strided_a1(n, a(0));
    case Pattern::strided_a2:
      return core::pattern::strided_a2(n, a(0));
    case Pattern::fixed:
      return core::pattern::fixed_merged(n, a.given(0), std::min(a.given(0), a.given(1)));
    case Pattern::fixed_a1:
      return core::pattern::fixed_a1(n, a(0));
    case Pattern::fixed_a2:
      return core::pattern::fixed_a2(n, a.given(0), std::min(a.given(0), a.given(1)));
    default:
      return core::pattern::strided_merged(n, a(0));
  }
}

}  // namespace

GridShape grid_shape(const param::StackItem& item, Index n) {
  const Index width = std::max<Index>(1, std::min<Index>(item.arguments[0], n));
  return {width, (n + width - 1) / width};
}

std::vector<Index> document_lengths(const param::StackItem& item, Index n) {
  std::vector<Index> lengths;
  for (Index left = n; left > 0;) {
    for (const int length : item.arguments) {
      const Index next = std::min<Index>(length, left);
      if (next > 0) lengths.push_back(next);
      left -= next;
    }
  }
  return lengths;
}

SparseMask pattern_mask(const param::StackItem& item, const PatternInputs& in,
                        const core::Cancel& cancel) {
  const Index n = in.n;
  const Arguments a{item, n};
  switch (const Pattern pattern = pattern_of(item)) {
    case Pattern::full:
      return core::pattern::full(n, n);
    case Pattern::causal:
      return core::pattern::causal(n, n);
    case Pattern::key_padding:
      return core::pattern::key_padding(n, n, a.up_to_n(0));
    case Pattern::query_padding:
      return core::pattern::query_padding(n, n, a.up_to_n(0));
    case Pattern::local:
      return core::pattern::local(n, a(0));
    case Pattern::atrous:
      return core::pattern::atrous(n, a(0));
    case Pattern::sparse:
      return core::pattern::local_and_atrous(n, a(0));
    case Pattern::strided:
    case Pattern::strided_a1:
    case Pattern::strided_a2:
    case Pattern::fixed:
    case Pattern::fixed_a1:
    case Pattern::fixed_a2:
      return factorized(pattern, a, n);
    case Pattern::longformer:
      return core::pattern::longformer(n, {a(0), a(1), first_tokens(a.up_to_n(2))});
    case Pattern::bigbird:
      return core::pattern::bigbird(n, {a(0), first_tokens(a.up_to_n(1))}, item.arguments[2],
                                    in.seed);
    case Pattern::streaming:
      return core::pattern::streaming(n, a(0), a(1));
    case Pattern::prefix_lm:
      return core::pattern::prefix_lm(n, a.up_to_n(0));
    case Pattern::documents:
      return core::pattern::documents_of(document_lengths(item, n));
    case Pattern::blocks:
      return block_mask(item, in);
    case Pattern::grid:
      return grid_mask(item, n);
    case Pattern::top_k:
      return core::top_k(n, n, a.up_to_n(0), in.scores, {.threads = in.threads}, cancel);
    case Pattern::painted:
      return painted_mask(*in.painted, n);
  }
  return SparseMask(n, n);
}

std::optional<ClosedForm> closed_form(const param::StackItem& item, Index n) {
  namespace kept = core::kept;
  const Arguments a{item, n};
  switch (pattern_of(item)) {
    case Pattern::full:
      return ClosedForm{"n²", kept::full(n, n)};
    case Pattern::causal:
      return ClosedForm{"n (n + 1) / 2", kept::causal(n, n)};
    case Pattern::key_padding:
    case Pattern::query_padding:
      return ClosedForm{"n · valid", kept::key_padding(n, a.up_to_n(0))};
    case Pattern::local:
      return ClosedForm{"n (2k + 1) - k (k + 1)", kept::local(n, a(0))};
    case Pattern::atrous:
      return ClosedForm{"r (q + 1)² + (k - r) q²,  n = q k + r", kept::atrous(n, a(0))};
    case Pattern::sparse:
      return ClosedForm{"local + atrous - n - 2 max(0, n - k)", kept::local_and_atrous(n, a(0))};
    case Pattern::strided:
      return ClosedForm{"local + atrous - n - max(0, n - l),  j ≤ i",
                        kept::local_and_atrous(n, a(0), Causal::yes)};
    case Pattern::strided_a1:
      return ClosedForm{"n (l + 1) - l (l + 1) / 2", kept::local(n, a(0), Causal::yes)};
    case Pattern::strided_a2:
      return ClosedForm{"r (q + 1)(q + 2) / 2 + (l - r) q (q + 1) / 2,  n = q l + r",
                        kept::atrous(n, a(0), Causal::yes)};
    case Pattern::fixed:
      return ClosedForm{"A1 + A2 - A1 ∩ A2", kept::fixed_merged(n, a(0), std::min(a(0), a(1)))};
    case Pattern::fixed_a1:
      return ClosedForm{"q l (l + 1) / 2 + r (r + 1) / 2,  n = q l + r", kept::fixed_a1(n, a(0))};
    case Pattern::fixed_a2:
      return ClosedForm{"Σ (n - j),  j mod l ≥ l - c",
                        kept::fixed_a2(n, a.given(0), std::min(a.given(0), a.given(1)))};
    case Pattern::longformer: {
      constexpr Index kMostGlobal = 4096;  // the count takes its square
      const Index global = a.up_to_n(2);
      if (global > kMostGlobal) return std::nullopt;
      return ClosedForm{"window + 2 g n - g² - what they share",
                        kept::longformer(n, {a(0), a(1), first_tokens(global)})};
    }
    case Pattern::streaming:
      return ClosedForm{"Σ min(i + 1, sinks + window)", kept::streaming(n, a(0), a(1))};
    case Pattern::prefix_lm:
      return ClosedForm{"n (n + 1) / 2 + p (p - 1) / 2", kept::prefix_lm(n, a.up_to_n(0))};
    case Pattern::documents:
      return ClosedForm{"Σ length²", kept::documents_of(document_lengths(item, n))};
    case Pattern::grid: {
      const GridShape shape = grid_shape(item, n);
      if (shape.width * shape.height != n) return std::nullopt;
      return ClosedForm{"local(height) · local(width)",
                        kept::local_2d({shape.height, shape.width}, a(1), a(2))};
    }
    case Pattern::top_k:
      return ClosedForm{"n k", n * a.up_to_n(0)};
    case Pattern::bigbird:
    case Pattern::blocks:
    case Pattern::painted:
      break;
  }
  return std::nullopt;
}

}  // namespace lab::masks
