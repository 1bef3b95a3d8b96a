#include "app/labs/cache/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::cache {
namespace {

void describe_view(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.choice(p.view, "view", N_("Part"),
              N_("Token by token: what is computed and what is read. Memory: large models. "
                 "Rounding and eviction: a smaller cache, and what happens to the next token. "
                 "Online: softmax in one pass. Tiles: the order of FlashAttention"),
              {{"tokens", N_("token by token")},
               {"memory", N_("memory")},
               {"rounding", N_("rounding")},
               {"eviction", N_("eviction")},
               {"online", N_("online softmax")},
               {"tiles", N_("tiles")}},
              {.tabs = true});
}

void describe_reading(Parameters& p, param::List& list) {
  const bool heads = p.view == View::tokens || p.view == View::eviction;
  const bool tokens = p.view == View::tokens;
  list.group(N_("Text"));
  list.text(p.text, "text", N_("Text"),
            N_("What a published model reads, up to 128 tokens; empty: a few sentences"), 100'000,
            {.active = p.reads() && p.of_folder()});
  describe_seed(p.seed, N_("Another seed, another text, or other made-up numbers"), list,
                p.view != View::memory && !(p.reads() && p.of_folder()));
  list.integer(p.token, "token", N_("Token"), N_("The token being read, from 0"),
               {.min = 0, .max = kMostTokens - 1, .active = p.reads(), .plays = 2});
  list.integer(p.layer, "layer", N_("Layer"), N_("Of the head that is shown"),
               {.min = 1, .max = kMostLayers, .slides_to = kSlideLayers, .active = heads});
  list.integer(p.head, "head", N_("Head"), N_("The head that is shown"),
               {.min = 1, .max = kMostHeads, .slides_to = kSlideHeads, .active = heads});
  describe_explained(p.explained,
                     {{"bytes", N_("bytes of the cache")},
                      {"products", N_("multiply-adds")},
                      {"weight", N_("weight")}},
                     list, tokens);
  list.integer(
      p.key, "key", N_("Key"), N_("The key whose weight is worked out; at most the token itself"),
      {.min = 0, .max = kMostTokens - 1, .active = tokens && p.explained == Explained::weight});
}

void describe_kept(Parameters& p, param::List& list) {
  const bool evicts = p.view == View::eviction;
  list.group(N_("What is kept"));
  list.choice(p.rounded, "rounded", N_("What is rounded"),
              N_("Keys and values as stored, the model's weight matrices, or both"),
              {{"cache", N_("cache")}, {"weights", N_("weights")}, {"both", N_("both")}},
              {.active = p.view == View::rounding});
  list.integer(p.window, "window", N_("Window"),
               N_("How many of the last tokens are kept, including the newest"),
               {.unit = N_("tokens"), .min = 1, .max = kMostTokens, .active = evicts});
  list.integer(p.sinks, "sinks", N_("First tokens"), N_("Kept besides the window: attention sinks"),
               {.unit = N_("tokens"), .min = 0, .max = 16, .active = evicts});
  list.choice(p.positions, "places", N_("Positions"),
              N_("Of keys once some between are evicted: their positions in the text, or in the "
                 "cache. The same without first tokens"),
              {{"original", N_("in the text")}, {"in_cache", N_("in the cache")}},
              {.active = evicts && p.sinks > 0});
}

void describe_large(Parameters& p, param::List& list) {
  const bool on = p.view == View::memory;
  list.group(N_("A large model"));
  list.integer(p.layers, "layers", N_("Layers"), N_("Each has its own keys and values"),
               {.min = 1, .max = 128, .scale = param::Scale::log, .active = on});
  list.integer(p.heads, "heads", N_("Heads"), N_("Query heads"),
               {.min = 1, .max = 128, .scale = param::Scale::log, .active = on});
  list.integer(p.key_heads, "key_heads", N_("Key heads"),
               N_("Heads with their own keys and values: as many as heads is multi-head, 1 is "
                  "multi-query, between them grouped-query attention"),
               {.min = 1, .max = to_double(p.heads), .active = on});
  list.integer(p.width, "width", N_("Width of a head"),
               N_("Dimensions of a key; d_model is this times the heads"),
               {.min = 2, .max = 256, .step = 2, .scale = param::Scale::log, .active = on});
  list.integer(p.inner, "inner", N_("Width of the feed-forward network"), N_("0: there is none"),
               {.min = 0, .max = 65536, .active = on});
  list.flag(p.gated, "gated", N_("Gated"),
            N_("The feed-forward network has three matrices instead of two"),
            {.active = on && p.inner > 0});
  list.integer(p.vocabulary, "vocabulary", N_("Vocabulary"),
               N_("The output layer has a row for each token"),
               {.min = 2, .max = 300000, .scale = param::Scale::log, .active = on});
  list.choice(p.stored, "stored", N_("Weights stored in"), N_("Bytes of each number of a matrix"),
              {{"float32", "float32"}, {"bfloat16", "bfloat16"}, {"fp8", "fp8 e4m3fn"}},
              {.active = on});
}

void describe_use(Parameters& p, param::List& list) {
  const bool on = p.view == View::memory;
  list.group(N_("How it is used"));
  list.integer(
      p.length, "tokens", N_("Length n"), N_("How many tokens the text has so far"),
      {.unit = N_("tokens"), .min = 1, .max = 1 << 20, .scale = param::Scale::log, .active = on});
  list.integer(p.sequences, "sequences", N_("Texts at once"),
               N_("They share one reading of the weights, and each has its own cache"),
               {.min = 1, .max = 1024, .scale = param::Scale::log, .active = on});
  list.integer(
      p.sliding, "sliding", N_("Sliding window"), N_("How many tokens the window keeps"),
      {.unit = N_("tokens"), .min = 1, .max = 1 << 17, .scale = param::Scale::log, .active = on});
  list.real(p.bandwidth, "bandwidth", N_("Bandwidth"),
            N_("Memory read per second; a laptop has 20 to 100, a large accelerator thousands"),
            {.unit = N_("GB/s"), .min = 1, .max = 10000, .scale = param::Scale::log, .active = on});
  list.integer(p.measurement, "measurement", N_("Measurement"),
               N_("0: none. Any other number generates with this decoder on this machine now; "
                  "times differ from run to run"),
               {.min = 0, .max = 999, .active = on, .measures = true});
}

void describe_online(Parameters& p, param::List& list) {
  const bool on = p.view == View::online;
  list.group(N_("Softmax in one pass"));
  list.integer(p.count, "count", N_("Keys"), N_("The length of the row"),
               {.min = 2, .max = kMostLogits, .active = on});
  list.real(p.spread, "spread", N_("Spread"), N_("The standard deviation of the scores"),
            {.min = 0, .max = 10, .active = on});
  list.integer(p.block, "block", N_("Block"), N_("How many keys a step takes in"),
               {.unit = N_("keys"), .min = 1, .max = to_double(p.count), .active = on});
  list.integer(
      p.step, "step", N_("Step"), N_("Which step is worked out, from 1"),
      {.min = 1, .max = to_double(core::ceil_div(p.count, p.block)), .active = on, .plays = 1});
}

void describe_tiles(Parameters& p, param::List& list) {
  const bool on = p.view == View::tiles;
  list.group(N_("Tiles"));
  list.integer(p.rows, "rows", N_("Length n"), N_("As many queries as keys"),
               {.unit = N_("tokens"), .min = 2, .max = kMostRows, .active = on});
  list.integer(p.depth, "depth", N_("Width d"), N_("Of queries, keys and values"),
               {.min = 1, .max = 64, .scale = param::Scale::log, .active = on});
  list.integer(p.memory, "memory", N_("Fast memory M"),
               N_("How many numbers fit into it, at least a query, a key, a value and an output; "
                  "tile sizes follow from it and the width"),
               {.unit = N_("numbers"),
                .min = to_double(least_memory(p.depth)),
                .max = kMostMemory,
                .scale = param::Scale::log,
                .active = on});
  list.choice(p.order, "order", N_("Outer loop"),
              N_("Over blocks of keys, as in FlashAttention, or of queries, as in "
                 "FlashAttention-2; here with the same tiles"),
              {{"keys", N_("over keys")}, {"queries", N_("over queries")}}, {.active = on});
  list.flag(p.causal, "causal", N_("Causal"), N_("Tiles without an allowed pair are skipped"),
            {.active = on});
  list.integer(
      p.tile, "tile", N_("Tile"), N_("How many tiles are done, from 0"),
      {.min = 0, .max = kMostRows * kMostRows - 1, .slides_to = 255, .active = on, .plays = 8});
}

}  // namespace

std::string opened_text(param::List& list) {
  return opened_decoder(list) + values_of(list, {"seed", "text", "around"});
}

std::string walked_tiles(param::List& list) {
  return values_of(list, {"rows", "depth", "memory", "order", "causal"});
}

void describe(Parameters& p, param::List& list) {
  describe_view(p, list);
  describe_decoder(p, list, p.reads(), true);
  describe_reading(p, list);
  describe_kept(p, list);
  describe_format(p.format, list, p.view != View::online && p.view != View::tiles);
  describe_large(p, list);
  describe_use(p, list);
  describe_online(p, list);
  describe_tiles(p, list);
  const std::string model = opened_decoder(list), text = opened_text(list);
  const std::string window = values_of(list, {"window"}), token = values_of(list, {"token"});
  list.found_ranges({"layer", "head", "window"}, model);
  list.found_ranges({"sinks"}, model + window);
  list.found_ranges({"token"}, text);
  list.found_ranges({"key"}, text + token);
  list.found_ranges({"tile"}, walked_tiles(list));
  const bool folder = p.of_folder();
  switch (p.view) {
    case View::tokens:
      return list.essential({"view", "from", folder ? "published" : "layer",
                             folder ? "text" : "key", "token", "head", "explain"});
    case View::memory:
      return list.essential(
          {"view", "format", "layers", "key_heads", "tokens", "sequences", "measurement"});
    case View::rounding:
      return list.essential(
          {"view", "from", folder ? "published" : "model", "text", "token", "rounded", "format"});
    case View::eviction:
      return list.essential({"view", "from", folder ? "published" : "layer",
                             folder ? "text" : "places", "token", "window", "sinks"});
    case View::online: return list.essential({"view", "count", "block", "step"});
    case View::tiles: return list.essential({"view", "rows", "memory", "order", "tile"});
  }
}

Lab lab() { return from_text("cache", live(describe, compute)); }

}  // namespace lab::cache
