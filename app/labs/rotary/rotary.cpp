#include "app/labs/rotary/page.h"
#include "app/labs/shared/text/text.h"

namespace lab::rotary {
namespace {

int token_count(Parameters& p) { return p.counted.of(p.text, p.unit, kMostTokens); }

void describe_places(Parameters& p, param::List& list) {
  list.group(N_("Positions"));
  list.integer(p.m, "m", N_("Query at m"),
               N_("The query's position: its pair i is rotated by the angle m θ_i"),
               {.min = 0, .max = kLastPosition, .scale = param::Scale::log});
  list.integer(p.n, "n", N_("Key at n"),
               N_("The key's position: its pair i is rotated by the angle n θ_i"),
               {.min = 0, .max = kLastPosition, .scale = param::Scale::log});
  list.integer(p.moved_to, "moved_to", N_("Both moved to"),
               N_("The same pair elsewhere: the earlier token moves here, the other keeps its "
                  "distance. The score must not change; 0: they stay where they are"),
               {.min = 0, .max = kLastPosition, .scale = param::Scale::log, .unpinned = 0});
  list.integer(
      p.reach, "reach", N_("Range shown"),
      N_("How far the line of positions and the distances reach. Positions beyond it extend the "
         "range"),
      {.unit = N_("positions"), .min = 8, .max = kLastPosition, .scale = param::Scale::log});
}

void describe_vectors(Parameters& p, param::List& list) {
  list.group(N_("Vectors"));
  list.choice(p.vectors, "vectors", N_("q and k"),
              N_("Independent random numbers, the same numbers for both, or the query and key of "
                 "two tokens of the text below"),
              {{"random", N_("random")}, {"equal", N_("equal")}, {"text", N_("text")}});
  list.integer(p.d, "d", N_("Head width d"),
               N_("Dimensions of q and k. They turn in pairs, so the width is even"),
               {.min = 2, .max = 128, .step = 2});
  describe_seed(p.seed, N_("Chooses the random q, k, embeddings and projections"), list);
}

void describe_rotation(Parameters& p, param::List& list) {
  list.group(N_("Rotation"));
  list.real(p.base, "base", N_("Base"),
            N_("The frequencies are θ_i = base^(-2i/r): a larger base rotates the later pairs more "
               "slowly"),
            {.min = 1e2, .max = 1e7, .scale = param::Scale::log});
  list.choice(p.pairing, "pairing", N_("Pairing"),
              N_("Which two numbers make a pair: 2i and 2i + 1 (the paper, GPT-J, Meta's Llama), "
                 "or i and i + r/2 (GPT-NeoX, Llama in Hugging Face's code)"),
              {{"neighbours", N_("interleaved")}, {"halves", N_("half-split")}});
  list.flag(p.partial, "partial", N_("Rotate a part only"),
            N_("Only the first r columns turn, as in GPT-NeoX; the others add the same at every "
               "distance"));
  list.integer(p.rotated, "rotated", N_("Rotated width r"),
               N_("How many columns turn; even, since they turn in pairs"),
               {.min = 2, .max = to_double(p.d), .step = 2, .active = p.partial});
}

void describe_decay(Parameters& p, param::List& list) {
  list.group(N_("Decay"));
  list.integer(p.draws, "draws", N_("Random pairs"),
               N_("How many random q and k are drawn to compare with the bound"),
               {.min = 1, .max = 64, .scale = param::Scale::log});
  list.real(p.scale_base, "scale_base", N_("xPos base B"),
            N_("xPos multiplies the pair i of a score by ζ_i^(t/B), t being how far the key lies "
               "before the query: a smaller B decays sooner"),
            {.unit = N_("positions"), .min = 16, .max = 65536, .scale = param::Scale::log});
  list.real(p.gamma, "gamma", N_("xPos γ"),
            N_("ζ_i = (i/(r/2) + γ) / (1 + γ): a smaller γ sets the fast pairs further apart from "
               "the slow ones"),
            {.min = 0.05, .max = 10, .scale = param::Scale::log});
}

void describe_text(Parameters& p, param::List& list) {
  const double last = std::max(0, token_count(p) - 1);
  list.group(N_("Text"));
  lab::describe_text(p.text, p.unit, true, list);
  list.integer(p.head, "head", N_("Head"),
               N_("Which of eight random projections gives queries and keys; one matrix for both, "
                  "so equal words find each other"),
               {.min = 1, .max = kHeads});
  list.flag(p.causal, "causal", N_("Causal mask"), N_("A query sees the keys up to itself only"));
  list.choice(p.text_variant, "text_scheme", N_("Rotated by"),
              N_("The scheme that the text's attention is compared with: RoPE, or xPos, which also "
                 "shrinks each pair with distance"),
              {{"rope", N_("RoPE")}, {"xpos", N_("xPos")}});
  list.integer(p.query, "query", N_("Query token"), N_("The query's token: a row, counted from 0"),
               {.min = 0, .max = last});
  list.integer(p.key, "key", N_("Key token"), N_("The key's token: a column, counted from 0"),
               {.min = 0, .max = last});
}

void describe_picks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  describe_explained(p.explained,
                     {{"dial", N_("dial")},
                      {"score", N_("score")},
                      {"bound", N_("bound")},
                      {"xpos", N_("xPos")},
                      {"weight", N_("weight")}},
                     list);
  list.integer(p.pair, "pair", N_("Pair i"),
               N_("The pair of dimensions drawn on the plane; click a dial"),
               {.min = 0, .max = to_double(p.d / 2 - 1)});
  describe_pool(p.pool, list);
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_places(p, list);
  describe_vectors(p, list);
  describe_rotation(p, list);
  describe_picks(p, list);
  describe_decay(p, list);
  describe_text(p, list);
  list.essential({"m", "n", "moved_to", "reach", "vectors", "base", "pair"});
}

Lab lab() { return from_text("rotary", live(describe, compute)); }

Parameters settled(Parameters p) {
  param::settle([&p] {
    param::List list;
    describe(p, list);
    return list;
  });
  return p;
}

}  // namespace lab::rotary
