#include "app/labs/shared/mask_patterns.h"
#include "app/labs/shared/lists.h"
#include "app/labs/shared/mask_pattern_table.h"
#include "core/mask/compose.h"
#include "core/mask/patterns/kept_in_closed_form.h"
#include "core/mask/patterns/patterns.h"

namespace lab::masks {
namespace {

namespace make = core::pattern;
namespace kept = core::kept;
using core::Causal, param::Argument, param::Scale;
using Patterns = std::vector<Pattern>;

// A number of tokens.
Argument tokens(std::string_view id, std::string_view label, std::string_view help, int initial,
                int min = 0) {
  return {id, label, help, min, kLongest, initial, Scale::log};
}

// The documents' lengths, repeated in turn until n tokens are spent.
std::vector<Index> document_lengths(const Asked& asked) {
  std::vector<Index> lengths;
  for (Index left = asked.n; left > 0;) {
    for (const int length : asked.item.arguments) {
      const Index next = std::min<Index>(length, left);
      if (next > 0) lengths.push_back(next);
      left -= next;
    }
  }
  return lengths;
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

SparseMask grid_mask(const Asked& a) {
  const GridShape shape = grid_shape(a.item, a.n);
  return cropped(make::local_2d({shape.height, shape.width}, a(1), a(2)), a.n);
}

// Only of whole rows.
std::optional<Index> count_grid(const Asked& a) {
  const GridShape shape = grid_shape(a.item, a.n);
  if (shape.width * shape.height != a.n) return std::nullopt;
  return kept::local_2d({shape.height, shape.width}, a(1), a(2));
}

std::optional<Index> count_longformer(const Asked& a) {
  constexpr Index kMostGlobal = 4096;  // the count takes its square
  if (a.up_to_n(2) > kMostGlobal) return std::nullopt;
  return kept::longformer(a.n, {a(0), a(1), numbered(a.up_to_n(2))});
}

SparseMask block_mask(const Asked& a) {
  const Index blocks = (a.n + a(0) - 1) / a(0);
  const make::BigBirdShape shape{std::min(a(1), blocks), numbered(std::min(a(2), blocks))};
  return make::block_sparse(make::bigbird(blocks, shape, a.given(3), a.in.seed), a(0), a.n, a.n);
}

SparseMask painted_mask(const Asked& a) {
  std::vector<std::vector<core::KeyRange>> rows(to_size(a.n));
  for (const param::CellBand& band : *a.in.painted) {
    for (Index i = band.rows.first; i <= band.rows.last && i < a.n; ++i) {
      for (const param::CellSpan& span : band.columns) {
        const core::KeyRange range{span.first, std::min<Index>(a.n, span.last + Index{1})};
        if (range.size() > 0) rows[to_size(i)].push_back(range);
      }
    }
  }
  return core::from_ranges(a.n, rows);
}

Patterns simple_patterns() {
  return {
      {{"full", N_("Full"), N_("Every query sees every key")},
       [](const Asked& a) { return make::full(a.n, a.n); },
       {"n²", [](const Asked& a) { return kept::full(a.n, a.n); }},
       [](const Pair& p) { return p.said(true, N_("every pair"), ""); }},
      {{"causal", N_("Causal"), N_("A query sees itself and the keys before it: j ≤ i")},
       [](const Asked& a) { return make::causal(a.n, a.n); },
       {"n (n + 1) / 2", [](const Asked& a) { return kept::causal(a.n, a.n); }},
       [](const Pair& p) { return p.causal(); }},
      {{"key_padding",
        N_("Key padding"),
        N_("Keys from the valid length on are padding that no query sees"),
        {tokens("valid", N_("Valid"), N_("How many keys are real"), 30)}},
       [](const Asked& a) { return make::key_padding(a.n, a.n, a.up_to_n(0)); },
       {"n · valid", [](const Asked& a) { return kept::key_padding(a.n, a.up_to_n(0)); }, "valid"},
       [](const Pair& p) { return p.padding(p.given(0), p.key(), 'j'); }},
      {{"query_padding",
        N_("Query padding"),
        N_("Queries from the valid length on are padding and see nothing: empty rows"),
        {tokens("valid", N_("Valid"), N_("How many queries are real"), 30)}},
       [](const Asked& a) { return make::query_padding(a.n, a.n, a.up_to_n(0)); },
       {"n · valid", [](const Asked& a) { return kept::key_padding(a.n, a.up_to_n(0)); }, "valid"},
       [](const Pair& p) { return p.padding(p.given(0), p.query(), 'i'); }},
      {{"local",
        N_("Local window"),
        N_("A query sees the keys near it: |i - j| ≤ window"),
        {tokens("window", N_("Window"), N_("How far on either side"), 3)}},
       [](const Asked& a) { return make::local(a.n, a(0)); },
       {"n (2k + 1) - k (k + 1)", [](const Asked& a) { return kept::local(a.n, a(0)); }, "k"},
       [](const Pair& p) { return p.local(p.given(0)); }},
      {{"atrous",
        N_("Atrous"),
        N_("A query sees every k-th key: |i - j| is a multiple of the stride"),
        {tokens("step", N_("Stride"), N_("Distances seen are 0, stride, 2 strides, …"), 4, 1)}},
       [](const Asked& a) { return make::atrous(a.n, a(0)); },
       {"r (q + 1)² + (k - r) q²,  n = q k + r",
        [](const Asked& a) { return kept::atrous(a.n, a(0)); }},
       [](const Pair& p) { return p.atrous(p.given(0)); }},
      {{"sparse",
        N_("Local with atrous"),
        N_("|i - j| is at most k or a multiple of k: window and stride in one"),
        {tokens("k", N_("k"), N_("The window's reach and the stride"), 4, 1)}},
       [](const Asked& a) { return make::local_and_atrous(a.n, a(0)); },
       {"local + atrous - n - 2 max(0, n - k)",
        [](const Asked& a) { return kept::local_and_atrous(a.n, a(0)); }},
       [](const Pair& p) {
         const Reason near = p.local(p.given(0));
         return near.kept ? near : p.atrous(p.given(0));
       }},
  };
}

Patterns strided_patterns() {
  const Argument l = tokens("l", N_("l"), N_("The stride, near √n in the paper"), 6, 1);
  return {
      {{"strided",
        N_("OpenAI strided"),
        N_("Both parts: the last l keys, and every l-th key before; causal"),
        {l}},
       [](const Asked& a) { return make::strided_merged(a.n, a(0)); },
       {"local + atrous - n - max(0, n - l),  j ≤ i",
        [](const Asked& a) { return kept::local_and_atrous(a.n, a(0), Causal::yes); }},
       [](const Pair& p) {
         return p.up_to_query(p.either(p.local(p.given(0)), p.atrous(p.given(0))));
       }},
      {{"strided_a1",
        N_("Strided, part 1"),
        N_("The last l keys and the query's own; causal"),
        {l}},
       [](const Asked& a) { return make::strided_a1(a.n, a(0)); },
       {"n (l + 1) - l (l + 1) / 2",
        [](const Asked& a) { return kept::local(a.n, a(0), Causal::yes); }, "l"},
       [](const Pair& p) { return p.up_to_query(p.local(p.given(0))); }},
      {{"strided_a2",
        N_("Strided, part 2"),
        N_("Every l-th key, back from the query; causal"),
        {l}},
       [](const Asked& a) { return make::strided_a2(a.n, a(0)); },
       {"r (q + 1)(q + 2) / 2 + (l - r) q (q + 1) / 2,  n = q l + r",
        [](const Asked& a) { return kept::atrous(a.n, a(0), Causal::yes); }},
       [](const Pair& p) { return p.up_to_query(p.atrous(p.given(0))); }},
  };
}

Patterns fixed_patterns() {
  const Argument block = tokens("l", N_("l"), N_("The length of a block"), 8, 1);
  const Argument c = tokens(
      "c", N_("c"), N_("How many keys at the end of each block summarize it; at most l"), 2, 1);
  return {
      {{"fixed",
        N_("OpenAI fixed"),
        N_("Both parts: the query's own block, and the summary keys of every block; causal"),
        {block, c}},
       [](const Asked& a) { return make::fixed_merged(a.n, a.given(0), a.summary_keys()); },
       {"A1 + A2 - A1 ∩ A2",
        [](const Asked& a) { return kept::fixed_merged(a.n, a.given(0), a.summary_keys()); }},
       [](const Pair& p) {
         return p.either(p.own_block(p.given(0)), p.summary(p.given(0), p.summary_keys()));
       }},
      {{"fixed_a1", N_("Fixed, part 1"), N_("The query's own block, up to the query"), {block}},
       [](const Asked& a) { return make::fixed_a1(a.n, a(0)); },
       {"q l (l + 1) / 2 + r (r + 1) / 2,  n = q l + r",
        [](const Asked& a) { return kept::fixed_a1(a.n, a(0)); }},
       [](const Pair& p) { return p.own_block(p.given(0)); }},
      {{"fixed_a2",
        N_("Fixed, part 2"),
        N_("The last c keys of each block, up to the query; on its own it leaves the first l - c "
           "rows empty"),
        {block, c}},
       [](const Asked& a) { return make::fixed_a2(a.n, a.given(0), a.summary_keys()); },
       {"Σ (n - j),  j mod l ≥ l - c",
        [](const Asked& a) { return kept::fixed_a2(a.n, a.given(0), a.summary_keys()); }},
       [](const Pair& p) { return p.summary(p.given(0), p.summary_keys()); }},
  };
}

Patterns global_patterns() {
  const Argument global = tokens("global", N_("Global"),
                                 N_("How many tokens at the start see all and are seen by all"), 2);
  return {
      {{"longformer",
        N_("Longformer"),
        N_("A window, with holes when dilated, and global tokens"),
        {tokens("window", N_("Window"), N_("Keys to each side"), 3),
         tokens("dilation", N_("Dilation"), N_("The distance between keys: 1 leaves no holes"), 1,
                1),
         global}},
       [](const Asked& a) {
         return make::longformer(a.n, {a(0), a(1), numbered(a.up_to_n(2))});
       },
       {"window + 2 g n - g² - what they share", count_longformer, "g", 2},
       [](const Pair& p) {
         return p.either(p.dilated(p.given(0), p.given(1)), p.global(p.given(2)));
       }},
      {{"bigbird",
        N_("BigBird"),
        N_("A window, global tokens and random keys"),
        {tokens("window", N_("Window"), N_("How far on either side"), 2),
         global,
         {"random", N_("Random"), N_("Keys drawn for each query in addition"), 0, 64, 2}}},
       [](const Asked& a) {
         return make::bigbird(a.n, {a(0), numbered(a.up_to_n(1))}, a.given(2), a.in.seed);
       },
       {},
       [](const Pair& p) {
         const Reason regular = p.either(p.local(p.given(0)), p.global(p.given(1)));
         return regular.kept ? regular : p.drawn(p.given(2), p.in_mask);
       },
       Needs::seed},
      {{"streaming",
        N_("Sinks and window"),
        N_("The first keys and the last ones, as in streaming models; causal"),
        {tokens("sinks", N_("Sinks"), N_("Keys at the start that are never dropped"), 4),
         tokens("window", N_("Window"), N_("The last keys, including the query's own"), 8, 1)}},
       [](const Asked& a) { return make::streaming(a.n, a(0), a(1)); },
       {"Σ min(i + 1, sinks + window)",
        [](const Asked& a) { return kept::streaming(a.n, a(0), a(1)); }},
       [](const Pair& p) { return p.streaming(p.given(0), p.given(1)); }},
      {{"prefix_lm",
        N_("Prefix LM"),
        N_("Causal, but the prefix is seen by all"),
        {tokens("prefix", N_("Prefix"), N_("How many keys at the start"), 12)}},
       [](const Asked& a) { return make::prefix_lm(a.n, a.up_to_n(0)); },
       {"n (n + 1) / 2 + p (p - 1) / 2",
        [](const Asked& a) { return kept::prefix_lm(a.n, a.up_to_n(0)); }, "p"},
       [](const Pair& p) { return p.prefix(p.given(0)); }},
  };
}

Patterns block_patterns() {
  const auto length = [](std::string_view id, std::string_view label, int initial, int min) {
    return tokens(id, label,
                  N_("Length of a document; the lengths repeat in turn, 0 leaves one out"), initial,
                  min);
  };
  return {
      {{"documents",
        N_("Documents"),
        N_("Several texts in one sequence, none of which sees another"),
        {length("a", N_("First"), 14, 1), length("b", N_("Second"), 9, 0),
         length("c", N_("Third"), 0, 0), length("d", N_("Fourth"), 0, 0)}},
       [](const Asked& a) { return make::documents_of(document_lengths(a)); },
       {"Σ length²", [](const Asked& a) { return kept::documents_of(document_lengths(a)); }},
       [](const Pair& p) { return p.documents(document_lengths(p)); }},
      {{"blocks",
        N_("Blocks"),
        N_("Blocks of pairs: a window of blocks, global blocks and random ones (BigBird's blocked "
           "form)"),
        {tokens("size", N_("Size"), N_("Tokens along a side of a block"), 8, 1),
         tokens("near", N_("Near"), N_("Blocks to each side of a query's own"), 0),
         tokens("global", N_("Global"), N_("Blocks at the start that see all and are seen by all"),
                1),
         {"random", N_("Random"), N_("Blocks drawn for each row of blocks in addition"), 0, 64,
          1}}},
       block_mask,
       {},
       [](const Pair& p) { return p.blocks(p.given(0), p.given(1), p.given(2), p.in_mask); },
       Needs::seed},
      {{"grid",
        N_("2-D local"),
        N_("The tokens are an image, row by row: near in both directions"),
        {tokens("width", N_("Width"), N_("Tokens in a row of the image"), 12, 1),
         tokens("up", N_("Rows"), N_("How many rows up and down"), 1),
         tokens("side", N_("Columns"), N_("How many columns to each side"), 1)}},
       grid_mask,
       {"local(height) · local(width)", count_grid, "width"},
       [](const Pair& p) { return p.grid(grid_shape(p.item, p.n).width, p.given(1), p.given(2)); }},
  };
}

Patterns chosen_patterns() {
  return {
      {{"top_k",
        N_("Top k"),
        N_("Each query keeps its largest scores: which keys depends on the content"),
        {tokens("k", N_("k"), N_("How many keys per row; among equal scores the earlier key"), 4)}},
       [](const Asked& a) {
         return core::top_k(a.n, a.n, a.up_to_n(0), a.in.scores, {.threads = a.in.threads},
                            a.cancel);
       },
       {"n k", [](const Asked& a) { return a.n * a.up_to_n(0); }, "k"},
       [](const Pair& p) { return p.top_k(p.given(0)); },
       Needs::scores},
      {{"painted", N_("Painted"), N_("The pairs painted by hand on the mask")},
       painted_mask,
       {},
       [](const Pair& p) {
         const auto row = to_int(p.query()), column = to_int(p.key());
         return p.said(param::contains(*p.in.painted, row, column), N_("painted"),
                       N_("not painted"));
       },
       Needs::painting},
  };
}

const Pattern& pattern_of(const param::StackItem& item) {
  return patterns().at(to_size(item.entry));
}

}  // namespace

const std::vector<Pattern>& patterns() {
  static const Patterns kPatterns = [] {
    Patterns all;
    for (const auto part : {simple_patterns, strided_patterns, fixed_patterns, global_patterns,
                            block_patterns, chosen_patterns}) {
      for (Pattern& one : part()) all.push_back(std::move(one));
    }
    return all;
  }();
  return kPatterns;
}

GridShape grid_shape(const param::StackItem& item, Index n) {
  const Index width = std::max<Index>(1, std::min<Index>(item.arguments[0], n));
  return {width, (n + width - 1) / width};
}

namespace {

// Those of the first `count` patterns.
std::shared_ptr<const param::Catalogue> catalogue_of(std::size_t count) {
  param::Catalogue all{{{"or", N_("or")}, {"and", N_("and")}, {"minus", N_("minus")}}, {}};
  for (std::size_t k = 0; k < count; ++k) all.entries.push_back(patterns()[k].entry);
  return std::make_shared<const param::Catalogue>(std::move(all));
}

// The others stand behind all of these, so that an entry has the same number in both catalogues.
std::size_t known_beforehand() {
  const auto found = std::find_if(patterns().begin(), patterns().end(), [](const Pattern& one) {
    return one.needs == Needs::scores || one.needs == Needs::painting;
  });
  return to_size(found - patterns().begin());
}

}  // namespace

const std::shared_ptr<const param::Catalogue>& catalogue() {
  static const auto kCatalogue = catalogue_of(patterns().size());
  return kCatalogue;
}

const std::shared_ptr<const param::Catalogue>& model_catalogue() {
  static const auto kCatalogue = catalogue_of(known_beforehand());
  return kCatalogue;
}

SparseMask joined(const SparseMask& above, const SparseMask& item, Join how) {
  switch (how) {
    case Join::intersect: return core::intersect(above, item);
    case Join::subtract: return core::subtract(above, item);
    case Join::unite: break;
  }
  return core::unite(above, item);
}

param::StackItems causal_alone() { return param::read_stack("causal", *model_catalogue(), 1); }

SparseMask model_mask(const param::StackItems& items, Index n, std::uint64_t seed) {
  const PatternInputs inputs{.n = n, .seed = seed};
  SparseMask mask = pattern_mask(items.front(), inputs);
  for (std::size_t k = 1; k < items.size(); ++k) {
    mask = joined(mask, pattern_mask(items[k], inputs), join_of(items[k]));
  }
  return mask;
}

std::string_view pattern_id(const param::StackItem& item) { return pattern_of(item).entry.id; }

Needs needs(const param::StackItem& item) { return pattern_of(item).needs; }

SparseMask pattern_mask(const param::StackItem& item, const PatternInputs& inputs,
                        const core::Cancel& cancel) {
  return pattern_of(item).mask({item, inputs, cancel});
}

Reason reason(const param::StackItem& item, Index i, Index j, const PatternInputs& inputs,
              const SparseMask& mask, const Words& w) {
  return pattern_of(item).reason({{item, inputs, {}}, i, j, mask.allowed(i, j), w});
}

std::optional<ClosedForm> closed_form(const param::StackItem& item, Index n) {
  const Count& count = pattern_of(item).count;
  const Asked asked{item, {.n = n}, {}};
  const auto pairs = count.pairs ? count.pairs(asked) : std::nullopt;
  if (!pairs) return std::nullopt;
  const bool cut = !count.letter.empty() && asked.given(count.argument) > n;
  return ClosedForm{
      std::string(count.formula) + (cut ? fmt::format(",  {} = n", count.letter) : ""), *pairs};
}

std::string item_name(const param::StackItem& item, const Words& w) {
  const param::Entry& entry = pattern_of(item).entry;
  std::vector<std::string> arguments;
  for (std::size_t k = 0; k < entry.arguments.size(); ++k) {
    // Ids are English words as they stand.
    const param::Argument& argument = entry.arguments[k];
    const std::string name =
        w.language() == words::Language::en ? std::string(argument.id) : w(argument.label);
    arguments.push_back(fmt::format("{}={}", name, item.arguments[k]));
  }
  const std::string text = w(entry.label);
  return arguments.empty() ? text : w.format("{}: {}", text, w.list(arguments));
}

std::string_view join_name(Join join) { return catalogue()->operations.at(to_size(join)).label; }

}  // namespace lab::masks
