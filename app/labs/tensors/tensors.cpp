#include "app/labs/shared/knobs.h"
#include "app/labs/shared/parts.h"
#include "app/labs/shared/text/text.h"
#include "app/labs/tensors/page.h"
#include "core/enum_array.h"

namespace lab::tensors {
namespace {

constexpr core::EnumArray<Sample> kSampleNames{
    {"read", "english", "induction", "addition", "training"}};

bool has_pairs(const Parameters& p) { return p.holds != Holds::vectors; }
bool has_vectors(const Parameters& p) {
  return p.holds == Holds::vectors || p.holds == Holds::found || p.view == View::neuron;
}

void describe_file(Parameters& p, param::List& list) {
  list.group(N_("File"));
  list.choice(p.sample, "sample", N_("Sample"),
              N_("Without a file: the heads of a decoder that came with the program. A model that "
                 "has read, with a sentence; small ones with English text, repeated characters, or "
                 "sums; or a batch of four, with typical mistakes of saving: correct, in training "
                 "with dropout, padded in front, before softmax"),
              {{kSampleNames[0], N_("a model that has read")},
               {kSampleNames[1], N_("English text")},
               {kSampleNames[2], N_("repeated characters")},
               {kSampleNames[3], N_("addition")},
               {kSampleNames[4], N_("saved by mistake")}},
              {.active = p.file.empty()});
  list.file(p.file, "file", N_("Your file"),
            N_("Attention weights or scores, or queries and keys, as an array of two to five axes. "
               "Drop the file on the window; empty: the sample"),
            kEndings);
  list.choice(
      p.holds, "holds", N_("Numbers are"),
      N_("What the file holds. By name: weights, unless it only has arrays named q and k; for "
         "scores softmax is taken here, for queries and keys their scaled products first"),
      {{"found", N_("found by name")},
       {"weights", N_("weights")},
       {"scores", N_("scores")},
       {"vectors", N_("queries and keys")}});
  const std::string of = opened_name(p);
  const bool pairs = has_pairs(p), vectors = has_vectors(p);
  list.name(p.array, "array", N_("Array"), N_("The weights or scores, by name"), of, 0,
            {.active = pairs});
  list.text(p.order, "order", N_("Axes"),
            N_("A letter for each axis of the array: l layer, b batch, h head, q query, k key, as "
               "in lhqk; empty: guessed from the shape"),
            16, {.active = pairs});
  list.name(p.queries, "queries", N_("Queries q"), N_("The array of queries, by name"), of, 0,
            {.active = vectors});
  list.name(p.keys, "keys", N_("Keys k"),
            N_("The array of keys, by name; with fewer heads than queries, groups share them"), of,
            0, {.active = vectors});
  list.text(p.vector_order, "vector_order", N_("Axes of q and k"),
            N_("A letter for each axis: l layer, b batch, h head, t token, d width, as in lhtd; "
               "empty: guessed"),
            16, {.active = vectors});
  list.flag(p.causal, "causal", N_("Causal mask"),
            N_("Where softmax is taken here: no query sees later keys"),
            {.active = p.holds != Holds::weights});
  list.file(p.tokens_file, "tokens_file", N_("Tokens"),
            N_("Their names: one per line, or a JSON list. Drop the file on the window; empty: "
               "from the file itself, if it has an array of bytes named tokens"),
            ".txt .json");
  list.file(p.key_tokens_file, "key_tokens_file", N_("Tokens of the keys"),
            N_("If keys are another text than queries; empty: the same"), ".txt .json");
  list.flag(p.words, "words", N_("Words"),
            N_("Joins the tokens of a word, as their names mark it (##, or a space or its like): "
               "weights on its tokens are summed, and those of its tokens averaged"));
}

void describe_looks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.choice(p.view, "view", N_("Part"),
              N_("Model: every head small. Head: one map, its links and its tokens. Neuron: query, "
                 "key and their products. Statistics: all heads in numbers"),
              {{"model", N_("model")},
               {"head", N_("head")},
               {"neuron", N_("neuron")},
               {"statistics", N_("statistics")}},
              {.tabs = true});
  list.integer(p.layer, "layer", N_("Layer"), N_("Counted from 1; in Python from 0"),
               {.min = 1, .max = double{kMostLayers}, .slides_to = 32});
  list.integer(p.head, "head", N_("Head"), N_("Counted from 1; in Python from 0"),
               {.min = 1, .max = double{kMostHeads}, .slides_to = 32});
  list.integer(p.batch, "batch", N_("Batch entry"),
               N_("Counted from 1; for arrays with such an axis"),
               {.min = 1, .max = double{kMostBatch}, .slides_to = 32});
  list.integer(p.query, "query", N_("Query"), N_("The row that is drawn and worked out, from 0"),
               {.min = 0, .max = kMostTokens - 1.0, .slides_to = 255, .plays = 4});
  list.integer(p.key, "key", N_("Key"),
               N_("The column whose cell is worked out, from 0; -1: the largest of the row"),
               {.min = -1, .max = kMostTokens - 1.0, .slides_to = 255, .unpinned = -1});
  list.choice(p.metric, "metric", N_("Statistic"), N_("What the heads are sorted by"),
              {{"entropy", N_("entropy")},
               {"distance", N_("mean distance")},
               {"first", N_("share on the first token")},
               {"diagonal", N_("share on the diagonal")},
               {"separators", N_("share on separators")}},
              {.active = p.view == View::statistics});
  list.integer(p.rows, "rows", N_("Rows sampled"),
               N_("At most this many queries per head, evenly spaced, are used for statistics and "
                  "for the check of probabilities; 0: all"),
               {.min = 0, .max = kMostTokens, .scale = param::Scale::log, .slides_to = 4096});
  describe_pool(p.pool, list);
}

void describe_combination(Parameters& p, param::List& list) {
  const bool active = p.view == View::head;
  const bool differs = active && p.combine == Combine::difference;
  list.group(N_("Combine"));
  list.choice(p.combine, "combine", N_("Shown map"),
              N_("The head itself; mean or largest over the heads of its layer; attention rollout "
                 "from the input up to its layer; or the head minus another one"),
              {{"head", N_("head")},
               {"mean", N_("mean of heads")},
               {"largest", N_("largest of heads")},
               {"rollout", N_("rollout")},
               {"difference", N_("difference")}},
              {.active = active});
  list.real(p.residual, "residual", N_("Residual"),
            N_("For rollout: the share of each layer that bypasses its attention"),
            {.min = 0, .max = 1, .step = 0.05, .active = active && p.combine == Combine::rollout});
  list.file(p.other_file, "other_file", N_("From the file"),
            N_("The other head's own file; its array of the same name is used, or the best match; "
               "empty: the same file"),
            kEndings, {.active = differs});
  list.integer(p.other_layer, "other_layer", N_("Minus layer"),
               N_("Layer of the head that is subtracted"),
               {.min = 1, .max = double{kMostLayers}, .slides_to = 32, .active = differs});
  list.integer(p.other_head, "other_head", N_("Minus head"), N_("The head that is subtracted"),
               {.min = 1, .max = double{kMostHeads}, .slides_to = 32, .active = differs});
}

void describe_filters(Parameters& p, param::List& list) {
  const bool active = p.view == View::head, differs = p.combine == Combine::difference;
  list.group(N_("Filter"));
  list.text(p.hidden, "hidden", N_("Hidden tokens"),
            N_("Keys that are left out, by name, separated by spaces: [CLS] [SEP]"), kMostNames,
            {.active = active});
  list.text(p.separators, "separators", N_("Separators"),
            N_("Tokens that end a sentence, by their names, with spaces between; statistics count "
               "the weight on them"),
            kMostNames);
  list.choice(
      p.pair, "pair", N_("Sentences"),
      N_("Sentence A ends with the first separator, B is the rest: queries of one, keys of one"),
      {{"all", N_("all")},
       {"a_to_a", N_("A → A")},
       {"a_to_b", N_("A → B")},
       {"b_to_a", N_("B → A")},
       {"b_to_b", N_("B → B")}},
      {.active = active});
  list.real(p.share, "share", N_("Top share"),
            N_("Of each row the largest weights until they have this share of it"),
            {.min = 0.01, .max = 1, .step = 0.01, .active = active && !differs});
  const bool filters =
      !typed_words(p.hidden).empty() || p.pair != Pair::all || (p.share < 1 && !differs);
  list.flag(p.renormalize, "renormalise", N_("Renormalise"),
            N_("Divides what the filters leave of a row by its sum"),
            {.active = active && filters && !differs});
  list.text(p.find, "find", N_("Find"), N_("Marks the tokens that have this text in them"), 100,
            {.active = active});
}

}  // namespace

std::string opened_name(const Parameters& p) {
  return p.file.empty() ? std::string(kSampleNames[p.sample]) : p.file;
}

// What says which arrays are looked at; what has no effect does not count.
std::string opened_arrays(const Parameters& p) {
  std::string of = fmt::format("{}\n{}", opened_name(p), to_int(p.holds));
  if (has_pairs(p)) of += fmt::format("\n{}\n{}", p.array, p.order);
  if (has_vectors(p)) of += fmt::format("\n{}\n{}\n{}", p.queries, p.keys, p.vector_order);
  if (p.words) of += fmt::format("\n{}\n{}", p.tokens_file, p.key_tokens_file);
  return of;
}

std::string opened_other(const Parameters& p) { return opened_arrays(p) + "\n" + p.other_file; }

void describe(Parameters& p, param::List& list) {
  describe_file(p, list);
  describe_looks(p, list);
  describe_combination(p, list);
  describe_filters(p, list);
  list.found_ranges({"layer", "head", "batch", "query", "key"}, opened_arrays(p));
  list.found_ranges({"other_layer", "other_head"}, opened_other(p));
  list.essential({"sample", "file", "array", "layer", "head", "query", "combine", "metric"});
}

Lab lab() { return from_text("tensors", live(describe, compute)); }

}  // namespace lab::tensors
