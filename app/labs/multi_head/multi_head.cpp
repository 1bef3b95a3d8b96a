#include "app/labs/multi_head/page.h"
#include "app/labs/shared/text/text.h"

namespace lab::multi_head {
namespace {

void describe_heads(Parameters& p, param::List& list) {
  list.group(N_("Heads"));
  list.integer(
      p.heads, "heads", N_("Heads h"),
      N_("h: the number of heads the width is split into; each has its own d_model / h dimensions"),
      {.min = 1, .max = 32});
  list.integer(p.d_model, "d_model", N_("Width d_model"), N_("Dimension of a token's vector"),
               {.min = 8, .max = 1024, .scale = param::Scale::log});
  list.choice(p.projection, "projection", N_("Projections"),
              N_("W for queries and keys: none (a head sees its slice of the embedding), one "
                 "random matrix for both, or two independent ones"),
              {{"identity", N_("identity")}, {"tied", N_("tied")}, {"random", N_("random")}});
  describe_seed(p.seed, N_("Chooses the random embeddings and projections"), list);
}

void describe_position(Parameters& p, param::List& list) {
  list.group(N_("Position"));
  list.choice(p.position, "position", N_("Scheme"),
              N_("How a token's position enters: not at all, by adding sines and cosines to the "
                 "embedding, or by rotating queries and keys"),
              {{"none", N_("none")}, {"sinusoidal", N_("sin")}, {"rope", N_("RoPE")}});
  list.real(
      p.base, "base", N_("Base"),
      N_("The frequencies are base^(-2i/d): a larger base rotates more slowly"),
      {.min = 1e2, .max = 1e7, .scale = param::Scale::log, .active = p.position != Position::none});
}

void describe_mask(Parameters& p, param::List& list, int tokens) {
  list.group(N_("Mask"));
  list.choice(p.mask, "mask", N_("Kind"),
              N_("Which keys a query may attend to: all, those up to itself, those near it, or "
                 "those that are not padding"),
              {{"full", N_("full")},
               {"causal", N_("causal")},
               {"local", N_("local")},
               {"key_padding", N_("key padding")},
               {"query_padding", N_("query padding")}});
  list.integer(p.reach, "reach", N_("Reach"), N_("Local: how far a query sees on either side"),
               {.unit = N_("tokens"),
                .min = 0,
                .max = std::max(1.0, tokens - 1.0),
                .active = p.mask == MaskKind::local});
  list.integer(p.valid, "valid", N_("Valid length"), N_("Tokens from this one on are padding"),
               {.unit = N_("tokens"),
                .min = 0,
                .max = std::max(1.0, to_double(tokens)),
                .active = is_padding(p.mask)});
  list.group(N_("Softmax"));
  list.real(p.temperature, "temperature", N_("Temperature"),
            N_("Divides the scores: high makes the weights equal, low leaves only the largest"),
            {.min = 0.05, .max = 20, .step = 0.01, .scale = param::Scale::log});
  list.flag(p.scaled, "scaled", N_("Divide by √d_k"),
            N_("Divides the scores by √d_k: for independent numbers of variance 1, scores then "
               "have variance 1, whatever the width of a head"));
}

void describe_picks(Parameters& p, param::List& list, int tokens) {
  list.group(N_("Look at"));
  list.integer(p.head, "head", N_("Head"), N_("The head that is worked out; click a small picture"),
               {.min = 1, .max = to_double(p.heads)});
  describe_pair(p.query, p.key, tokens, list);
  list.choice(p.links_of, "links_of", N_("Links"), N_("Which head's links are drawn"),
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

Lab lab() { return from_text("multi_head", live(describe, compute)); }

}  // namespace lab::multi_head
