#include "app/labs/relative/page.h"
#include "app/labs/shared/text/text.h"

namespace lab::relative {
namespace {

using param::Scale;

void describe_scheme(Parameters& p, param::List& list) {
  list.group(N_("Scheme"));
  list.choice(p.variant, "scheme", N_("Scheme"),
              N_("How the distance between query and key enters the scores. Queries and keys are "
                 "the same with every scheme"),
              {kVariants.begin(), kVariants.end()});
  list.choice(
      p.explain, "explain", N_("Explained"),
      N_("What is worked out at the side: the score of the pinned pair, its weight, one relative "
         "position, or the chosen table row, head or row sum. Clicking a figure chooses it"),
      {{"score", N_("score")},
       {"weight", N_("weight")},
       {"distance", N_("relative position")},
       {"own", N_("table")}});
}

void describe_content(Parameters& p, param::List& list) {
  list.integer(p.width, "width", N_("Head width d_k"), N_("Dimensions of a query and a key"),
               {.min = 2, .max = 128, .scale = Scale::log});
  list.choice(p.projection, "projection", N_("Projections"),
              N_("One random matrix for queries and keys, so equal tokens find each other, or two "
                 "independent ones"),
              {{"tied", N_("tied")}, {"random", N_("random")}});
  describe_seed(p.seed, N_("Chooses the random embeddings, projections and tables"), list);
  list.choice(p.mask, "mask", N_("Mask"),
              N_("Whether a query sees every key, or only those up to itself. Transformer-XL is "
                 "always causal"),
              {{"full", N_("full")}, {"causal", N_("causal")}},
              {.active = p.variant != Variant::transformer_xl});
}

void describe_learned(Parameters& p, param::List& list) {
  const bool tables =
      p.is(Variant::shaw) || p.is(Variant::deberta) || p.is(Variant::urpe) || p.uses_t5();
  list.group(N_("Learned numbers"));
  list.real(p.size, "size", N_("Size"),
            N_("The standard deviation of the position parameters, which a model would learn and "
               "which are random here; at 0 nothing is random"),
            {.min = 0, .max = 4, .step = 0.01, .active = tables || p.is_xl()});
  list.real(p.smooth, "smooth", N_("Smoothness"),
            N_("How many rows of a table the numbers are correlated over: neighbours by exp(-1 / "
               "this); 0 makes rows independent"),
            {.unit = N_("rows"), .min = 0, .max = 64, .step = 0.1, .active = tables});
}

void describe_shaw(Parameters& p, param::List& list) {
  const bool active = p.is(Variant::shaw);
  list.group(N_("Shaw"));
  list.integer(
      p.clip, "clip", N_("Clip at k"),
      N_("From this distance on, all keys on a side share one row: the tables have 2k + 1"),
      {.unit = N_("tokens"), .min = 0, .max = kMostClip, .active = active});
  list.flag(p.values, "values", N_("Values a^V"),
            N_("Whether the averaged values also depend on the distance, not only the score"),
            {.active = active});
}

void describe_xl(Parameters& p, param::List& list) {
  const bool active = p.is_xl();
  const bool published = p.form == PositionMatrix::published;
  list.group(N_("Transformer-XL, XLNet"));
  list.choice(p.form, "form", N_("Projection of R"),
              N_("As published: its own matrix W_kR, and u, v used directly. Often described with "
                 "the content's W_k, and u W_q, v W_q instead"),
              {{"published", N_("published")}, {"one_matrix", N_("one matrix")}},
              {.active = active});
  list.integer(p.sinusoid_width, "sinusoid_width", N_("Width of R"),
               N_("How many sines and cosines describe a distance before W_kR"),
               {.min = 2, .max = 128, .step = 2, .active = active && published});
  list.real(p.base, "base", N_("Base"),
            N_("The frequencies are base^(-2i/d): a larger base rotates more slowly"),
            {.min = 10, .max = 1e7, .scale = Scale::log, .active = active});
  list.flag(p.xl_position, "xl_position", N_("Term (b) q·R"), N_("How content prefers a distance"),
            {.active = active});
  list.flag(p.xl_key, "xl_key", N_("Term (c) u·k"),
            N_("Keys that matter to every query, at any distance"), {.active = active});
  list.flag(p.xl_bias, "xl_bias", N_("Term (d) v·R"), N_("Distances that matter to every query"),
            {.active = active});
}

void describe_t5(Parameters& p, param::List& list) {
  const bool active = p.uses_t5();
  list.group(N_("T5"));
  list.choice(p.t5_direction, "t5_direction", N_("Buckets for"),
              N_("Bidirectional: half of the buckets are for later keys. Causal: all are for "
                 "earlier keys, and every later key is in bucket 0"),
              {{"bidirectional", N_("bidirectional")}, {"causal", N_("causal")}},
              {.active = active});
  list.integer(p.buckets, "buckets", N_("Buckets"),
               N_("Learned numbers per head, for all distances"),
               {.min = 4, .max = kMostBuckets, .step = 2, .scale = Scale::log, .active = active});
  list.integer(p.max_distance, "max_distance", N_("Max distance"),
               N_("From here on, all distances on a side share the last bucket"),
               {.unit = N_("tokens"),
                .min = to_double(p.buckets / 2 + 1),
                .max = 1e6,
                .scale = Scale::log,
                .active = active});
  list.real(p.t5_fall, "t5_fall", N_("Fall per bucket"),
            N_("How much the bias falls from one bucket to the next, besides the random part; a "
               "linear fall over logarithmic buckets is a logarithmic fall over distance"),
            {.min = 0, .max = 2, .step = 0.01, .active = active});
  list.flag(p.folded, "folded", N_("1/√d_k in q"),
            N_("T5 does not divide its scores: its initialisation makes queries √d_k times "
               "smaller. Off: queries as they are, undivided"),
            {.active = p.is(Variant::t5)});
}

void describe_deberta(Parameters& p, param::List& list) {
  const bool active = p.is(Variant::deberta);
  list.group(N_("DeBERTa"));
  list.integer(p.span, "span", N_("Span k"),
               N_("The tables have 2k rows; distances beyond share the first and the last"),
               {.unit = N_("tokens"), .min = 1, .max = 512, .scale = Scale::log, .active = active});
  list.flag(p.content_to_position, "content_to_position", N_("Term q·k_δ"),
            N_("The query's content with the distance as a key"), {.active = active});
  list.flag(p.position_to_content, "position_to_content", N_("Term k·q_δ"),
            N_("The distance as a query with the key's content"), {.active = active});
}

void describe_urpe(Parameters& p, param::List& list) {
  const bool active = p.is(Variant::urpe);
  list.group(N_("URPE"));
  list.real(
      p.urpe_fall, "urpe_fall", N_("Fall of c"),
      N_("The factors after softmax are exp(-this × distance), each times 1 plus a random number"),
      {.unit = N_("per token"), .min = 0, .max = 2, .step = 0.01, .active = active});
  list.choice(p.urpe_bias, "urpe_bias", N_("Bias B"),
              N_("The bias before softmax; URPE leaves it open"),
              {{"none", N_("none")}, {"t5", N_("T5")}, {"alibi", N_("ALiBi")}}, {.active = active});
}

void describe_alibi(Parameters& p, param::List& list) {
  const bool active = p.uses_alibi();
  list.group(N_("ALiBi"));
  list.integer(p.heads, "heads", N_("Heads h"), N_("Number of heads that the slopes are for"),
               {.min = 1, .max = 64, .active = active});
  list.integer(p.head, "head", N_("Head"), N_("The head whose slope is used"),
               {.min = 1, .max = to_double(p.heads), .active = active});
  list.choice(p.rule, "rule", N_("Slopes"),
              N_("Released: if the number of heads is not a power of two, the slopes of the next "
                 "lower power, then every other slope of the next higher one. Geometric: 2^(-8k/h) "
                 "for any number"),
              {{"released", N_("released")}, {"geometric", N_("geometric")}}, {.active = active});
  list.choice(p.alibi_bias, "alibi_bias", N_("Bias"),
              N_("-m |i - j|, or m j, as often in code: with a causal mask they differ by a "
                 "constant per row, which softmax ignores"),
              {{"distance", N_("distance")}, {"key_only", N_("key only")}}, {.active = active});
  list.real(p.epsilon, "epsilon", N_("Reach threshold ε"),
            N_("A head reaches as far as its penalty leaves more than this share of the weight of "
               "an equal key at the query's position"),
            {.min = 1e-6, .max = 0.5, .scale = Scale::log, .active = p.is(Variant::alibi)});
}

void describe_picks(Parameters& p, param::List& list) {
  const double far = p.extent - 1.0;
  list.group(N_("Look at"));
  describe_pair(p.query, p.key, p.token_count(kMostTokens), list);
  list.integer(p.term, "term", N_("Term"), N_("The term whose products are written out and drawn"),
               {.min = 1, .max = to_double(p.term_count()), .active = p.term_count() > 1});
  list.integer(
      p.entry, "entry", N_("Table row"),
      N_("The row of the table (the bucket, or the column of R) that is worked out"),
      {.min = 0, .max = std::max(1.0, p.entry_count() - 1.0), .active = p.entry_count() > 0});
  list.integer(p.extent, "extent", N_("Extent"),
               N_("How far the curves and the matrix over distance go; terms that depend only on "
                  "distance cost nothing at any length"),
               {.unit = N_("tokens"), .min = 8, .max = kMostExtent, .scale = Scale::log});
  list.integer(
      p.distance, "distance", N_("Relative position"),
      N_("The one that is worked out: key minus query, j - i; negative for keys before the query"),
      {.unit = N_("tokens"), .min = -far, .max = far});
}

void describe_display(Parameters& p, param::List& list) {
  list.group(N_("Display"));
  list.choice(p.axis, "axis", N_("Distance axis"),
              N_("Log shows short and long distances at once, with two lines for keys before and "
                 "after the query"),
              {{"linear", N_("linear")}, {"log", N_("log")}});
  list.choice(p.term_colors, "term_colors", N_("Term colours"),
              N_("One colour scale for all terms, to compare their sizes, or one for each, to show "
                 "small ones"),
              {{"common", N_("common")}, {"own", N_("own")}});
  describe_pool(p.pool, list);
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_scheme(p, list);
  describe_sequence(p, kMostTokens, list);
  describe_content(p, list);
  describe_learned(p, list);
  describe_shaw(p, list);
  describe_xl(p, list);
  describe_t5(p, list);
  describe_deberta(p, list);
  describe_urpe(p, list);
  describe_alibi(p, list);
  describe_picks(p, list);
  describe_display(p, list);
  list.essential({"scheme", "explain", "query", "key", "distance", "extent", "clip", "form",
                  "buckets", "span", "head"});
}

Lab lab() { return from_text("relative", live(describe, compute)); }

int ScoreKnobs::term_count() const {
  if (is_xl()) return 1 + xl_position + xl_key + xl_bias;
  if (is(Variant::deberta)) return 1 + content_to_position + position_to_content;
  return is(Variant::urpe) && urpe_bias == UrpeBias::none ? 1 : 2;
}

int ScoreKnobs::entry_count() const {
  if (is_xl()) return position_width();
  if (is(Variant::shaw)) return 2 * clip + 1;
  if (is(Variant::deberta)) return 2 * span;
  return is(Variant::t5) ? buckets : 0;
}

}  // namespace lab::relative
