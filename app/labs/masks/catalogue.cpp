#include "app/labs/masks/catalogue.h"

#include <fmt/format.h>

namespace lab::masks {
namespace {

using param::Argument;
using param::Catalogue;
using param::Entry;
using param::Scale;

// A number of tokens.
Argument tokens(std::string_view id, std::string_view label, std::string_view help, int initial,
                int min = 0) {
  return {id, label, help, min, kLongest, initial, Scale::log};
}

std::vector<Entry> simple_entries() {
  return {
      {"full", N_("Full"), N_("Every query sees every key")},
      {"causal", N_("Causal"), N_("A query sees itself and the keys before it: j ≤ i")},
      {"key_padding",
       N_("Key padding"),
       N_("Keys from the valid length on are filler that nobody sees"),
       {tokens("valid", N_("Valid"), N_("How many keys are real"), 30)}},
      {"query_padding",
       N_("Query padding"),
       N_("Queries from the valid length on are filler and see nothing: empty rows"),
       {tokens("valid", N_("Valid"), N_("How many queries are real"), 30)}},
      {"local",
       N_("Local window"),
       N_("A query sees the keys near it: |i - j| ≤ window"),
       {tokens("window", N_("Window"), N_("How far to each side"), 3)}},
      {"atrous",
       N_("Atrous"),
       N_("A query sees every k-th key: |i - j| is a multiple of the step"),
       {tokens("step", N_("Stride"), N_("Distances seen are 0, step, 2 step, …"), 4, 1)}},
      {"sparse",
       N_("Local with atrous"),
       N_("|i - j| is at most k or a multiple of k: a window and a stride in one"),
       {tokens("k", N_("k"), N_("The window's reach and the stride"), 4, 1)}},
  };
}

std::vector<Entry> factorized_entries() {
  const Argument l = tokens("l", N_("l"), N_("The stride, near √n in the paper"), 6, 1);
  const Argument block = tokens("l", N_("l"), N_("The length of a block"), 8, 1);
  const Argument c =
      tokens("c", N_("c"), N_("So many keys at the end of each block sum it up; at most l"), 2, 1);
  return {
      {"strided",
       N_("OpenAI strided"),
       N_("Both of its two parts: the last l keys, and every l-th key before; causal"),
       {l}},
      {"strided_a1", N_("Strided, part 1"), N_("The last l keys and the query's own; causal"), {l}},
      {"strided_a2", N_("Strided, part 2"), N_("Every l-th key, back from the query; causal"), {l}},
      {"fixed",
       N_("OpenAI fixed"),
       N_("Both of its two parts: the query's own block, and the summary keys of every block; "
          "causal"),
       {block, c}},
      {"fixed_a1", N_("Fixed, part 1"), N_("The query's own block, up to the query"), {block}},
      {"fixed_a2",
       N_("Fixed, part 2"),
       N_("The last c keys of each block, up to the query; alone it leaves the first l - c rows "
          "empty"),
       {block, c}},
  };
}

std::vector<Entry> global_entries() {
  const Argument global = tokens("global", N_("Global"),
                                 N_("So many tokens at the start see all and are seen by all"), 2);
  return {
      {"longformer",
       N_("Longformer"),
       N_("A window, with holes when dilated, and global tokens"),
       {tokens("window", N_("Window"), N_("Keys to each side"), 3),
        tokens("dilation", N_("Dilation"), N_("Every so many: 1 leaves no holes"), 1, 1), global}},
      {"bigbird",
       N_("BigBird"),
       N_("A window, global tokens and random keys"),
       {tokens("window", N_("Window"), N_("How far to each side"), 2),
        global,
        {"random", N_("Random"), N_("Keys drawn for each query besides"), 0, 64, 2}}},
      {"streaming",
       N_("Sinks and window"),
       N_("The first keys and the last ones, as streaming models keep them; causal"),
       {tokens("sinks", N_("Sinks"), N_("Keys at the start that are never dropped"), 4),
        tokens("window", N_("Window"), N_("The last keys, the query's own among them"), 8, 1)}},
      {"prefix_lm",
       N_("Prefix LM"),
       N_("Causal, but the prefix is seen by all"),
       {tokens("prefix", N_("Prefix"), N_("So many keys at the start"), 12)}},
  };
}

std::vector<Entry> block_entries() {
  const auto length = [](std::string_view id, std::string_view label, int initial, int min) {
    return tokens(id, label,
                  N_("Length of a document; the lengths repeat in turn, 0 leaves one out"), initial,
                  min);
  };
  return {
      {"documents",
       N_("Documents"),
       N_("Several texts in one sequence, none of which sees another"),
       {length("a", N_("First"), 14, 1), length("b", N_("Second"), 9, 0),
        length("c", N_("Third"), 0, 0), length("d", N_("Fourth"), 0, 0)}},
      {"blocks",
       N_("Blocks"),
       N_("Blocks of pairs: a window of blocks, global blocks and random ones (BigBird's blocked "
          "form)"),
       {tokens("size", N_("Size"), N_("Tokens on a side of a block"), 8, 1),
        tokens("near", N_("Near"), N_("Blocks to each side of a query's own"), 0),
        tokens("global", N_("Global"), N_("Blocks at the start that see all and are seen"), 1),
        {"random", N_("Random"), N_("Blocks drawn for each row of blocks besides"), 0, 64, 1}}},
      {"grid",
       N_("2-D local"),
       N_("The tokens are an image, row by row: near in both directions"),
       {tokens("width", N_("Width"), N_("Tokens in a row of the image"), 12, 1),
        tokens("up", N_("Rows"), N_("How many rows up and down"), 1),
        tokens("side", N_("Columns"), N_("How many columns to each side"), 1)}},
      {"top_k",
       N_("Top k"),
       N_("Each query keeps its largest scores: which keys depends on the words"),
       {tokens("k", N_("k"), N_("So many keys a row; of equal scores the earlier key"), 4)}},
      {"painted", N_("Painted"), N_("What is painted by hand on the mask")},
  };
}

void append(std::vector<Entry>& all, std::vector<Entry> more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

const std::shared_ptr<const Catalogue>& catalogue() {
  static const auto kCatalogue = [] {
    Catalogue all{{{"or", N_("or")}, {"and", N_("and")}, {"minus", N_("minus")}}, {}};
    for (auto part : {simple_entries, factorized_entries, global_entries, block_entries}) {
      append(all.entries, part());
    }
    return std::make_shared<const Catalogue>(std::move(all));
  }();
  return kCatalogue;
}

std::string item_name(const param::StackItem& item, const words::Words& w) {
  const Entry& entry = catalogue()->entries.at(static_cast<std::size_t>(item.entry));
  std::string text(w(entry.label));
  for (std::size_t k = 0; k < entry.arguments.size(); ++k) {
    text += fmt::format("{} {}={}", k == 0 ? ":" : ",", entry.arguments[k].id, item.arguments[k]);
  }
  return text;
}

std::string_view join_name(Join join) {
  return catalogue()->operations.at(static_cast<std::size_t>(join)).label;
}

}  // namespace lab::masks
