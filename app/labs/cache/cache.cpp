#include "app/labs/cache/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"

namespace lab::cache {
namespace {

std::vector<Preset> presets() {
  return {
      {"first_look", N_("One token more"),
       N_("Token 20 needs one row of weights: its own query against 21 keys, of which 20 lie in "
          "the cache. Press play and watch keys and values fill up."),
       ""},
      {"without", N_("Without a cache"),
       N_("The last of 48 tokens takes 35 times as many multiply-adds when everything is computed "
          "anew for each token."),
       "token=47 | explain=products"},
      {"from_cache", N_("The weight of a cached key"),
       N_("A weight taken apart: the query is new, the key was written when its own token was "
          "read, "
          "already turned by its place."),
       "token=40 | layer=2 | key=17 | explain=weight"},
      {"gpt2", N_("GPT-2 small"),
       N_("12 layers of 12 heads of 64: 36,864 bytes a token in float16, 37.7 MB for 1,024. The "
          "weights in float32 are 495 MB; from 13,418 tokens on the cache takes more."),
       "view=memory"},
      {"grouped", N_("Eight key heads for 64"),
       N_("80 layers of 64 heads of 128: 2.62 MB a token in float16, so 10.7 GB for 4,096. With 8 "
          "key heads it is an eighth, 328 kB a token."),
       "view=memory | layers=80 | heads=64 | key_heads=8 | width=128 | inner=28672 | gated=true | "
       "vocabulary=32000 | tokens=4096 | stored=bfloat16 | bandwidth=2000"},
      {"many_texts", N_("Many texts at once"),
       N_("64 texts share one reading of the weights, but each has its own cache: at 4,096 tokens "
          "32 layers of 32 heads of 128 keep 137 GB, 10.4 times the weights."),
       "view=memory | layers=32 | heads=32 | key_heads=32 | width=128 | inner=11008 | gated=true | "
       "vocabulary=32000 | tokens=4096 | sequences=64 | stored=bfloat16 | "
       "bandwidth=2000"},
      {"sliding", N_("A window that slides"),
       N_("With a window of 4,096 the cache stops growing: 131,072 tokens take as much as 4,096, a "
          "32nd of all."),
       "view=memory | layers=32 | heads=32 | key_heads=8 | width=128 | inner=14336 | gated=true | "
       "vocabulary=32000 | tokens=131072 | sliding=4096 | stored=bfloat16 | "
       "bandwidth=2000"},
      {"on_this_machine", N_("On this very machine"),
       N_("Press \"Measure now\": a decoder of GPT-2 small's shape generates here, and the time of "
          "a token is held against what its bytes take to be read."),
       "view=memory | format=float32"},
      {"half", N_("Half the bytes, the same words"),
       N_("The cache in float16: half the bytes, and after no token is the likeliest next one "
          "another."),
       "view=rounding | format=float16 | token=30"},
      {"eight_bits", N_("Eight bits"),
       N_("fp8 e5m2 keeps two bits of the mantissa: the mean divergence is more than ten thousand "
          "times that of float16. With this seed the likeliest next token is another after 3 of "
          "48 tokens, with seeds 0 to 9 after none to 6."),
       "view=rounding | format=e5m2 | token=10"},
      {"weights_too", N_("Weights rounded as well"),
       N_("bfloat16 for both: weights are read by every token, so their rounding counts at each "
          "step, and the cache keeps what came of them."),
       "view=rounding | format=bfloat16 | rounded=both | token=30"},
      {"four_bits", N_("Four bits"),
       N_("fp4 e2m1 has fifteen numbers, up to 6, in a quarter of float16's bytes. With keys and "
          "values rounded to them the loss changes from 0.12 to 0.14 nats, and with any of the "
          "seeds 0 to 9 by less than 0.03."),
       "view=rounding | format=custom | specials=none | exponent_bits=2 | mantissa_bits=1 | bias=1 "
       "| token=10"},
      {"forgets", N_("A window shorter than the story"),
       N_("Induction looks back by a whole period, in this text 16 tokens. With the last 8 kept it "
          "can no longer be known what followed: the loss rises from 0.12 to 3.8 nats."),
       "view=eviction | window=8 | token=40 | layer=2"},
      {"window_enough", N_("A window that is long enough"),
       N_("Periods have at most 24 tokens: with the last 28 kept nothing that induction needs is "
          "evicted, and with each of the seeds 0 to 9 the loss stays within 0.02 nats of that with "
          "everything."),
       "view=eviction | window=28 | token=40 | layer=2"},
      {"sinks", N_("Keep the beginning"),
       N_("Four first tokens beside the window, at places within the cache, as streaming models "
          "have it. So small a model has no sinks: with this seed the loss is 0.14 nats with the "
          "window alone and 0.22 with them. With seeds 0 to 9 it rises in four texts and falls in "
          "six, but where the period is longer than the window, in five, it stays above 3."),
       "view=eviction | window=16 | sinks=4 | places=in_cache | token=40"},
      {"online", N_("Softmax in one pass"),
       N_("Key by key: each new maximum shrinks the sum and the output that were there by the same "
          "factor, and the end is the softmax of the whole row."),
       "view=online | seed=8 | step=4"},
      {"blocks", N_("Block by block"),
       N_("The same row in blocks of 4: two steps instead of eight, and the same output but for "
          "rounding."),
       "view=online | seed=8 | block=4 | step=2"},
      {"tiles", N_("Tile by tile"),
       N_("64 tokens of width 16 with room for 512 numbers: tiles of 8 by 8. What moves is 146 % "
          "of the plain way: so small a memory does not pay."),
       "view=tiles | tile=20"},
      {"tiles_large", N_("More room, less traffic"),
       N_("With room for 4,096 numbers tiles are 16 queries by 64 keys, and 32 % of the plain way "
          "moves."),
       "view=tiles | memory=4096 | tile=2"},
      {"tiles_queries", N_("The loops the other way round"),
       N_("Queries outside, as FlashAttention-2 has it: outputs are written once, and 90 % moves "
          "where it was 146 %."),
       "view=tiles | order=queries | tile=20"}};
}

void describe_view(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.choice(p.view, "view", N_("Part"),
              N_("Token by token: what is computed and what is read. Memory: large models. "
                 "Rounding and eviction: a smaller cache, and what becomes of the next token. "
                 "Online: softmax in one pass. Tiles: FlashAttention's walk"),
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
  describe_seed(p.seed, N_("Another seed, another text, or other made-up numbers"), list,
                p.view != View::memory);
  list.integer(p.token, "token", N_("Token"), N_("Which token of the text is being read, from 0"),
               {.min = 0, .max = kMostTokens - 1, .active = p.reads(), .plays = 2});
  list.integer(p.layer, "layer", N_("Layer"), N_("Of the head that is shown"),
               {.min = 1, .max = 8, .active = heads});
  list.integer(p.head, "head", N_("Head"), N_("The head that is shown"),
               {.min = 1, .max = 16, .active = heads});
  describe_explained(p.explained,
                     {{"bytes", N_("bytes of the cache")},
                      {"products", N_("multiply-adds")},
                      {"weight", N_("weight")}},
                     list, tokens);
  list.integer(
      p.key, "key", N_("Key"), N_("Whose weight is taken apart; at most the token itself"),
      {.min = 0, .max = kMostTokens - 1, .active = tokens && p.explained == Explained::weight});
}

void describe_kept(Parameters& p, param::List& list) {
  const bool evicts = p.view == View::eviction;
  list.group(N_("What is kept"));
  list.choice(p.rounded, "rounded", N_("What is rounded"),
              N_("Keys and values as they are stored, the matrices of the model, or both"),
              {{"cache", N_("cache")}, {"weights", N_("weights")}, {"both", N_("both")}},
              {.active = p.view == View::rounding});
  list.integer(p.window, "window", N_("Window"),
               N_("How many of the last tokens are kept, the newest among them"),
               {.unit = N_("tokens"), .min = 1, .max = kMostTokens, .active = evicts});
  list.integer(p.sinks, "sinks", N_("First tokens"), N_("Kept beside the window: attention sinks"),
               {.unit = N_("tokens"), .min = 0, .max = 16, .active = evicts});
  list.choice(p.places, "places", N_("Places"),
              N_("Of keys once some between are gone: where they stood in the text, or where they "
                 "stand in the cache. The same without first tokens"),
              {{"original", N_("in the text")}, {"in_cache", N_("in the cache")}},
              {.active = evicts && p.sinks > 0});
}

void describe_large(Parameters& p, param::List& list) {
  const bool on = p.view == View::memory;
  list.group(N_("A large model"));
  list.integer(p.layers, "layers", N_("Layers"), N_("Each has keys and values of its own"),
               {.min = 1, .max = 128, .scale = param::Scale::log, .active = on});
  list.integer(p.heads, "heads", N_("Heads"), N_("Of queries"),
               {.min = 1, .max = 128, .scale = param::Scale::log, .active = on});
  list.integer(p.key_heads, "key_heads", N_("Key heads"),
               N_("Heads with keys and values of their own: as many as heads is multi-head, 1 "
                  "multi-query, between them grouped-query attention"),
               {.min = 1, .max = to_double(p.heads), .active = on});
  list.integer(p.width, "width", N_("Width of a head"),
               N_("Numbers of a key; d_model is this times the heads"),
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
      p.sliding, "sliding", N_("Sliding window"),
      N_("How many tokens the kind with a window keeps"),
      {.unit = N_("tokens"), .min = 1, .max = 1 << 17, .scale = param::Scale::log, .active = on});
  list.real(p.bandwidth, "bandwidth", N_("Bandwidth"),
            N_("How much memory is read in a second; a laptop has 20 to 100, a large accelerator "
               "thousands"),
            {.unit = N_("GB/s"), .min = 1, .max = 10000, .scale = param::Scale::log, .active = on});
  list.integer(p.measurement, "measurement", N_("Measurement"),
               N_("0: none. Any other number generates with such a decoder on this machine now; "
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
      p.step, "step", N_("Step"), N_("Which step is taken apart, from 1"),
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
                  "tiles follow from it and the width"),
               {.unit = N_("numbers"),
                .min = to_double(least_memory(p.depth)),
                .max = kMostMemory,
                .scale = param::Scale::log,
                .active = on});
  list.choice(p.order, "order", N_("Outer loop"),
              N_("Over blocks of keys, as FlashAttention had it first, or of queries, as its "
                 "second version has it; here with the same tiles"),
              {{"keys", N_("over keys")}, {"queries", N_("over queries")}}, {.active = on});
  list.flag(p.causal, "causal", N_("Causal"), N_("Tiles without an allowed pair are left out"),
            {.active = on});
  list.integer(
      p.tile, "tile", N_("Tile"), N_("How far the walk has come, from 0"),
      {.min = 0, .max = kMostRows * kMostRows - 1, .slides_to = 255, .active = on, .plays = 8});
}

void deactivate(std::initializer_list<std::string_view> ids, param::List& list) {
  for (const std::string_view id : ids) {
    if (param::Parameter* found = list.find(id)) found->info.active = false;
  }
}

}  // namespace

std::string opened_model(param::List& list) { return values_of(list, {"model", "story_file"}); }

std::string opened_text(param::List& list) {
  return opened_model(list) + values_of(list, {"seed"});
}

std::string walked_tiles(param::List& list) {
  return values_of(list, {"rows", "depth", "memory", "order", "causal"});
}

void describe(Parameters& p, param::List& list) {
  describe_view(p, list);
  describe_story_model(p.story, list);
  if (!p.reads()) deactivate({"model", "story_file"}, list);
  describe_reading(p, list);
  describe_kept(p, list);
  describe_format(p.format, list);
  if (p.view == View::online || p.view == View::tiles) {
    deactivate({"format", "specials", "exponent_bits", "mantissa_bits", "bias", "subnormals"},
               list);
  }
  describe_large(p, list);
  describe_use(p, list);
  describe_online(p, list);
  describe_tiles(p, list);
  const std::string model = opened_model(list), text = opened_text(list);
  const std::string window = values_of(list, {"window"}), token = values_of(list, {"token"});
  list.found_ranges({"layer", "head", "window"}, model);
  list.found_ranges({"sinks"}, model + window);
  list.found_ranges({"token"}, text);
  list.found_ranges({"key"}, text + token);
  list.found_ranges({"tile"}, walked_tiles(list));
  switch (p.view) {
    case View::tokens:
      return list.essential({"view", "model", "token", "layer", "head", "explain", "key"});
    case View::memory:
      return list.essential(
          {"view", "format", "layers", "key_heads", "tokens", "sequences", "measurement"});
    case View::rounding: return list.essential({"view", "model", "token", "rounded", "format"});
    case View::eviction:
      return list.essential({"view", "model", "token", "layer", "window", "sinks", "places"});
    case View::online: return list.essential({"view", "count", "block", "step"});
    case View::tiles: return list.essential({"view", "rows", "memory", "order", "tile"});
  }
}

Lab lab() {
  return {
      .id = "cache",
      .title = N_("The key-value cache"),
      .question = N_("What must generation remember?"),
      .chapter = Chapter::gpt,
      .about = N_(
          "A decoder that writes keeps the keys and values of all it has read: each new token then "
          "costs one row of everything, and the reading of that cache. See it fill, token by "
          "token; share, round or evict it and see what becomes of the next token; and read how "
          "attention gets by without its matrix at all."),
      .sources = {papers::shazeer_2019.at(N_("section 3: one key head for all")),
                  papers::ainslie_2023.at(N_("grouped-query attention")),
                  papers::xiao_2023.at(N_("section 3: sinks beside a window")),
                  papers::milakov_2018.at(N_("algorithm 3: maximum and sum in one pass")),
                  papers::rabe_2021.at(N_("section 2: the output in the same pass")),
                  papers::dao_2022.at(N_("algorithm 1 and theorem 2")),
                  papers::dao_2023.at(N_("algorithm 1: the loops the other way round"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::cache
