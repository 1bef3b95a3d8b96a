#include "app/labs/multi_head/page.h"
#include "app/labs/shared/papers.h"

namespace lab::multi_head {
namespace {

void describe_heads(Parameters& p, param::List& list) {
  list.group(N_("Heads"));
  list.integer(
      p.heads, "heads", N_("Heads h"),
      N_("h: into how many heads the width is split; each has d_model / h dimensions of its own"),
      {.min = 1, .max = 32});
  list.integer(p.d_model, "d_model", N_("Width d_model"), N_("How many numbers describe a token"),
               {.min = 8, .max = 1024, .scale = param::Scale::log});
  list.choice(p.projection, "projection", N_("Projections"),
              N_("W of queries and keys: none (a head sees its slice of the embedding), one random "
                 "matrix for both, or two independent ones"),
              {{"identity", N_("identity")}, {"tied", N_("tied")}, {"random", N_("random")}});
  describe_seed(p.seed, N_("Chooses the random numbers of embeddings and projections"), list);
}

void describe_position(Parameters& p, param::List& list) {
  list.group(N_("Position"));
  list.choice(p.position, "position", N_("Scheme"),
              N_("How a token's place enters: not at all, by adding sines and cosines to the "
                 "embedding, or by turning queries and keys"),
              {{"none", N_("none")}, {"sinusoidal", N_("sin")}, {"rope", N_("RoPE")}});
  list.real(
      p.base, "base", N_("Base"),
      N_("The frequencies are base^(-2i/d): a larger base turns more slowly"),
      {.min = 1e2, .max = 1e7, .scale = param::Scale::log, .active = p.position != Position::none});
}

void describe_mask(Parameters& p, param::List& list, int tokens) {
  list.group(N_("Mask"));
  list.choice(p.mask, "mask", N_("Kind"),
              N_("Which keys a query may attend to: all, those up to itself, those near it, or "
                 "those that are no padding"),
              {{"full", N_("full")},
               {"causal", N_("causal")},
               {"local", N_("local")},
               {"key_padding", N_("key padding")},
               {"query_padding", N_("query padding")}});
  list.integer(p.reach, "reach", N_("Reach"), N_("Local: how far to either side a query sees"),
               {.unit = N_("tokens"),
                .min = 0,
                .max = std::max(1.0, tokens - 1.0),
                .active = p.mask == MaskKind::local});
  list.integer(p.valid, "valid", N_("Valid length"),
               N_("Padding: tokens from this one on are filler"),
               {.unit = N_("tokens"),
                .min = 0,
                .max = std::max(1.0, to_double(tokens)),
                .active = is_padding(p.mask)});
  list.group(N_("Softmax"));
  list.real(p.temperature, "temperature", N_("Temperature"),
            N_("Divides the scores: high makes the weights equal, low leaves the largest alone"),
            {.min = 0.05, .max = 20, .step = 0.01, .scale = param::Scale::log});
  list.flag(p.scaled, "scaled", N_("Divide by √d_k"),
            N_("Divides the scores by √d_k: of independent numbers of variance 1 they then have "
               "variance 1, whatever the width of a head"));
}

void describe_picks(Parameters& p, param::List& list, int tokens) {
  list.group(N_("Look at"));
  list.integer(p.head, "head", N_("Head"),
               N_("The head that is taken apart; click a small picture"),
               {.min = 1, .max = to_double(p.heads)});
  describe_pair(p.query, p.key, tokens, list);
  list.choice(p.links_of, "links_of", N_("Links"), N_("Whose links are drawn"),
              {{"head", N_("this head")}, {"all", N_("all heads")}});
}

void describe_display(Parameters& p, param::List& list) {
  list.group(N_("Display"));
  describe_pool(p.pool, list);
  list.choice(p.weight_scale, "weight_scale", N_("Weight scale"),
              N_("The colour scale of the weights; log shows small ones"),
              {{"linear", N_("linear")}, {"log", N_("log")}});
  list.choice(p.colors, "colors", N_("Colours"), N_("The colour map of the weights"),
              {{"viridis", N_("viridis")},
               {"cividis", N_("cividis")},
               {"magma", N_("magma")},
               {"grey", N_("grey")}});
}

std::vector<Preset> presets() {
  return {
      {"first_look", N_("Eight heads, one sentence"),
       N_("The same words, eight different patterns: each head compares them in a space of its "
          "own. With this seed the second \"bank\" finds the first in head 3: after its own, that "
          "is its largest weight."),
       ""},
      {"equal_words", N_("Equal words find each other"),
       N_("Without positions, equal words ask the same and are found the same: any query gives "
          "both \"river\" one weight, and both \"bank\". With one matrix for queries and keys a "
          "word mostly scores highest with itself, but not always: q·k of another word can exceed "
          "|q|²."),
       "position=none | mask=full | key=11 | query=1"},
      {"distance_only", N_("Only the distance counts"),
       N_("Sixty-four equal tokens under RoPE: all that is left to tell them apart is how far they "
          "are from each other. Along a diagonal the scores are the same; the weights only nearly, "
          "as every row is divided by a sum of its own."),
       "input=repeated | period=1 | length=64 | mask=full | query=32 | key=24"},
      {"repeats", N_("A pattern that repeats"),
       N_("Eight vectors again and again: stripes eight apart. What was seen before is found "
          "again, the root of copying."),
       "input=repeated | period=8 | length=64 | position=none | query=40 | key=32"},
      {"saturated", N_("Why divide by √d_k"),
       N_("Wide heads without scaling: scores have a standard deviation of √128, give or take a "
          "quarter, and softmax puts most of the weight on a single key. Switch the division on "
          "and see the weights "
          "soften."),
       "heads=4 | d_model=512 | projection=random | position=none | mask=full | scaled=false | "
       "key=-1"},
      {"hot", N_("Temperature melts attention"),
       N_("At temperature 20 the keys up to the query weigh nearly alike: attention comes close to "
          "a running mean, and the entropy reaches 99 % of its limit."),
       "temperature=20"},
      {"chinese", N_("Chinese by character"),
       N_("Each character is a token; the refrain 不亦 … 乎 stands there three times, and with "
          "this seed each of its characters attends most to its own copies in head 1."),
       "text=学而时习之，不亦说乎？有朋自远方来，不亦乐乎？人不知而不愠，不亦君子乎？ | "
       "position=none | mask=full | head=1 | query=7 | key=19"},
      {"window", N_("A local window"),
       N_("Each query sees two tokens to either side and nothing else: the other weights are not "
          "small but absent."),
       "mask=local | reach=2 | key=11"},
      {"padding", N_("A padding query sees nothing"),
       N_("Queries from 10 on are filler: their rows are empty, their weights and outputs exactly "
          "0. A softmax over a row of zeros would have given 1/n instead."),
       "mask=query_padding | valid=10 | key=-1"},
      {"sines", N_("Sines added, two matrices"),
       N_("With independent matrices for queries and keys nothing makes a word like itself, and "
          "added sines blur into the content: structure must be learned."),
       "projection=random | position=sinusoidal | key=-1"},
      {"long", N_("16,384 tokens"),
       N_("A sequence whose neighbours resemble each other, 134 million weights a head, none of "
          "them kept: zoom in anywhere and they are computed."),
       "input=smooth | period=512 | length=16384 | position=none | weight_scale=log | query=9000 | "
       "key=-1"},
  };
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_sequence(p, kMostTokens, list);
  const int tokens = p.token_count(kMostTokens);
  describe_heads(p, list);
  describe_position(p, list);
  describe_mask(p, list, tokens);
  describe_picks(p, list, tokens);
  describe_display(p, list);
  list.essential({"input", "text", "heads", "position", "mask", "temperature", "head"});
}

Lab lab() {
  return {.id = "multi_head",
          .title = N_("Multi-head attention"),
          .question = N_("What does each head look at, and why?"),
          .chapter = Chapter::attention,
          .about = N_("A head scores every query against every key, turns each row of scores into "
                      "weights that sum to 1, and averages the values by them; several heads do so "
                      "side by side, each in its own few dimensions. Nothing here is trained, so "
                      "the weights show how attention computes and say nothing of the language. "
                      "Click a head to open it, and a cell to see the whole sum behind it."),
          .sources = {papers::vaswani_2017.at(N_("sections 3.2.1 and 3.2.2, eq. 1")),
                      papers::su_2021.at(N_("section 3.2.2, eqs. 14 to 16")),
                      papers::bojanowski_2017.at(N_("section 3.2")),
                      papers::milakov_2018.at(N_("algorithm 3"))},
          .presets = presets(),
          .chinese = kChineseSample,
          .make = live(describe, compute)};
}

}  // namespace lab::multi_head
