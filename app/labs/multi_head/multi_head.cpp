#include "app/labs/multi_head/page.h"
#include "app/labs/multi_head/parameters.h"
#include "app/labs/shared/papers.h"

namespace lab::multi_head {
namespace {

std::vector<Preset> presets() {
  return {
      {"first_look", N_("Eight heads, one sentence"),
       N_("The same words, eight different patterns: each head compares them in a space of its "
          "own. The second \"bank\" finds the first."),
       ""},
      {"equal_words", N_("Equal words find each other"),
       N_("Without positions and with one matrix for queries and keys, a word scores highest with "
          "itself, wherever it stands: both \"river\", both \"bank\", every \"the\"."),
       "position=none | mask=full | key=11 | query=1"},
      {"distance_only", N_("Only the distance counts"),
       N_("Sixty-four equal tokens under RoPE: all that is left to tell them apart is how far they "
          "are from each other, so every diagonal has one colour."),
       "input=repeated | period=1 | length=64 | mask=full | query=32 | key=24"},
      {"repeats", N_("A pattern that repeats"),
       N_("Eight vectors again and again: stripes eight apart. What was seen before is found "
          "again, the root of copying."),
       "input=repeated | period=8 | length=64 | position=none | query=40 | key=32"},
      {"saturated", N_("Why divide by √d_k"),
       N_("Wide heads without scaling: scores have a standard deviation of √128 and softmax puts "
          "nearly all weight on one key. Switch the division on and see them soften."),
       "heads=4 | d_model=512 | projection=random | position=none | mask=full | scaled=false | "
       "key=-1"},
      {"hot", N_("Temperature melts attention"),
       N_("At temperature 20 every key up to the query weighs almost the same: attention becomes a "
          "running mean, and the entropy nears its limit."),
       "temperature=20"},
      {"chinese", N_("Chinese by character"),
       N_("Each character is a token; the refrain 不亦 … 乎 comes back three times and attends to "
          "itself."),
       "text=学而时习之，不亦说乎？有朋自远方来，不亦乐乎？人不知而不愠，不亦君子乎？ | "
       "position=none | mask=full | head=1 | query=7 | key=19"},
      {"window", N_("A local window"),
       N_("Each query sees two tokens to either side and nothing else: the other weights are not "
          "small but absent, and cost nothing."),
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
       N_("A sequence whose neighbours resemble each other, 268 million weights a head, none of "
          "them kept: zoom in anywhere and they are computed."),
       "input=smooth | period=512 | length=16384 | position=none | weight_scale=log | query=9000 | "
       "key=-1"},
  };
}

}  // namespace

Lab lab() {
  return {.id = "multi_head",
          .title = N_("Multi-head attention"),
          .question = N_("What does each head look at, and why?"),
          .chapter = Chapter::attention,
          .about = N_("Each token asks with a query, is found by a key and gives a value. A head "
                      "scores every query against every key, turns each row of scores into weights "
                      "that sum to 1, and averages the values by them. Several heads do so side by "
                      "side, each in its own few dimensions. Click a head to open it, and a cell "
                      "to see the whole sum behind it. Rows are queries, columns are keys."),
          .sources = {papers::vaswani_2017.at(N_("sections 3.2.1 and 3.2.2, eq. 1")),
                      papers::su_2021.at(N_("section 3.2.2, eqs. 14 to 16")),
                      papers::bojanowski_2017.at(N_("section 3.2")),
                      papers::milakov_2018.at(N_("algorithm 3"))},
          .presets = presets(),
          .make = live(describe, compute)};
}

}  // namespace lab::multi_head
