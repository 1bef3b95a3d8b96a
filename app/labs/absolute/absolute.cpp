#include "app/labs/absolute/page.h"
#include "app/labs/shared/text/text.h"

namespace lab::absolute {
namespace {

bool is(const Parameters& p, Show show) { return p.show == show; }
bool has_pairs(const Parameters& p) { return is(p, Show::scores) || is(p, Show::order); }

double most_width(const Parameters& p) {
  const bool formula = p.variant == Variant::sinusoidal || p.grid();
  return formula ? kMostWidth : kMostKeptWidth;
}

void describe_encoding(Parameters& p, param::List& list) {
  list.group(N_("Encoding"));
  list.choice(p.variant, "scheme", N_("Scheme"),
              N_("Where a position's vector comes from: sines and cosines of the position, the "
                 "same on a grid, a learned table, the trajectory of a dynamical system, or a "
                 "rotation of each word's own vector"),
              {{"sinusoidal", N_("sinusoidal")},
               {"grid", N_("2-D grid")},
               {"learned", N_("learned")},
               {"floater", N_("FLOATER")},
               {"complex", N_("complex order")}});
  list.choice(p.show, "show", N_("Show"),
              N_("Which question the lower half of the page answers; only that one is computed"),
              {{"curves", N_("curves")},
               {"shift", N_("shift map")},
               {"similarity", N_("similarity")},
               {"collisions", N_("collisions")},
               {"scores", N_("scores")},
               {"order", N_("word order")}},
              {.tabs = true});
  list.integer(p.length, "length", N_("Length n"),
               N_("How many positions are encoded: the rows of the table"),
               {.unit = N_("positions"),
                .min = 2,
                .max = to_double(p.variant == Variant::sinusoidal ? kMostPositions : kMostRows),
                .scale = param::Scale::log,
                .active = !p.grid()});
  const double unit = p.grid() ? 4 : 2;
  list.integer(p.width, "width", N_("Width d"),
               N_("The dimension of an encoding: one sine and one cosine for each of d/2 "
                  "frequencies, so d is even; on a grid a multiple of 4"),
               {.min = unit, .max = most_width(p), .step = unit, .scale = param::Scale::log});
  list.real(
      p.base, "base", N_("Base"),
      N_("The frequencies are base^(-2i/d): a larger base gives longer waves; with base 1 all are "
         "equal"),
      {.min = 1, .max = 1e8, .scale = param::Scale::log, .active = p.variant != Variant::learned});
  const bool sinusoidal = p.variant == Variant::sinusoidal;
  list.choice(p.layout, "layout", N_("Layout"),
              N_("The paper alternates sines and cosines; much code puts all sines first. This "
                 "permutes the columns: no dot product of rows changes"),
              {{"interleaved", N_("interleaved")}, {"concatenated", N_("concatenated")}},
              {.active = sinusoidal});
  list.choice(p.rule, "rule", N_("Exponent"),
              N_("base^(-2i/d) as in the paper, or base^(-i/(d/2-1)) as in tensor2tensor and "
                 "fairseq, whose slowest frequency, from d = 4 on, is 1/base"),
              {{"paper", N_("paper")}, {"tensor2tensor", N_("tensor2tensor")}},
              {.active = sinusoidal});
}

void describe_grid(Parameters& p, param::List& list) {
  list.group(N_("Grid"));
  list.integer(p.grid_height, "grid_height", N_("Height"),
               N_("How many rows the grid has: values of y"),
               {.unit = N_("places"), .min = 2, .max = kMostSide, .active = p.grid()});
  list.integer(p.grid_width, "grid_width", N_("Width"),
               N_("How many columns the grid has: values of x"),
               {.unit = N_("places"), .min = 2, .max = kMostSide, .active = p.grid()});
  list.choice(p.axis_order, "axis_order", N_("Axis order"),
              N_("Which axis the first half of the columns encodes. Texts write height first; the "
                 "widely copied function puts width first"),
              {{"height_first", N_("height first")}, {"width_first", N_("width first")}},
              {.active = p.grid()});
  list.choice(p.exponent, "exponent", N_("Exponent"),
              N_("Each half as a 1-D encoding of width d/2, or with the exponent of the whole "
                 "width, which uses only the faster half of the frequencies"),
              {{"half_width", N_("2i/(d/2)")}, {"whole_width", N_("2i/d")}}, {.active = p.grid()});
}

void describe_learned(Parameters& p, param::List& list) {
  const bool learned = p.variant == Variant::learned;
  list.group(N_("Learned table"));
  list.integer(p.rows, "rows", N_("Rows"), N_("How many positions the table has rows for"),
               {.min = 1, .max = kMostLearned, .scale = param::Scale::log, .active = learned});
  list.integer(
      p.seen, "seen", N_("Trained up to"),
      N_("Rows from this one on never received a gradient and keep their initial random numbers"),
      {.unit = N_("positions"), .min = 1, .max = to_double(p.rows), .active = learned});
  list.integer(p.steps, "steps", N_("Training steps"),
               N_("Steps of gradient descent on one small task: p_i · p_j / d should follow "
                  "exp(-|i-j| / reach)"),
               {.min = 0, .max = 300, .active = learned});
  list.real(p.reach, "reach", N_("Task reach"),
            N_("Over how many positions the target similarity falls to 1/e"),
            {.unit = N_("positions"),
             .min = 0.5,
             .max = 64,
             .scale = param::Scale::log,
             .active = learned});
  list.choice(p.beyond, "beyond", N_("Past the end"),
              N_("What a position without a row gets: an error, as in an embedding layer; zeros; "
                 "the last row again; or the rows from the first again"),
              {{"refuse", N_("refuse")},
               {"zeros", N_("zeros")},
               {"last", N_("last")},
               {"wrap", N_("wrap")}},
              {.active = learned});
}

void describe_floater(Parameters& p, param::List& list) {
  const bool floater = p.variant == Variant::floater;
  list.group(N_("FLOATER"));
  list.choice(p.course, "dynamics", N_("Dynamics h"),
              N_("The derivative of the encoding: the one whose trajectory is the sinusoidal "
                 "table, or a small network of tanh units with random weights"),
              {{"sinusoidal", N_("sinusoidal")}, {"network", N_("network")}}, {.active = floater});
  list.choice(p.integrator, "integrator", N_("Integrator"),
              N_("How the integral over a step is computed: the error falls with the first, second "
                 "or fourth power of the step"),
              {{"euler", N_("Euler")}, {"midpoint", N_("midpoint")}, {"rk4", N_("RK4")}},
              {.active = floater});
  list.integer(p.substeps, "substeps", N_("Substeps"),
               N_("Into how many steps the interval between two positions is divided"),
               {.min = 1, .max = 32, .scale = param::Scale::log, .active = floater});
  list.choice(p.factor, "factor", N_("Factor"),
              N_("The factor before cos(wτ) in h. The derivative of sin(wτ) has w; some texts "
                 "print 1/w, which does not give the sinusoidal table"),
              {{"frequency", N_("w")}, {"inverse_frequency", N_("1/w (misprint)")}},
              {.active = floater && p.course == Course::sinusoidal});
}

void describe_complex(Parameters& p, param::List& list) {
  const bool complex = p.variant == Variant::complex;
  const auto spread = [&](double& value, std::string_view id, std::string_view label,
                          std::string_view help) {
    list.real(value, id, label, help, {.min = 0, .max = 1, .step = 0.01, .active = complex});
  };
  list.group(N_("Complex order"));
  spread(p.amplitude_spread, "amplitude_spread", N_("Amplitudes"),
         N_("How much the words' amplitudes r differ from 1; with all three at 0 the table is the "
            "sinusoidal one"));
  spread(p.frequency_spread, "frequency_spread", N_("Frequencies"),
         N_("How much each word's frequencies ω differ from base^(-2i/d)"));
  spread(p.phase_spread, "phase_spread", N_("Phases"),
         N_("How far each word's initial phases φ lie from 0: at most this share of half a turn"));
}

void describe_words(Parameters& p, param::List& list) {
  list.group(N_("Words"));
  list.text(p.text, "text", N_("Text"),
            N_("The words at the positions; each becomes a vector made from its letters, equal "
               "words equal vectors"),
            kMostTextBytes, {.active = p.variant == Variant::complex || has_pairs(p)});
  const bool drawn = p.variant == Variant::learned || p.variant == Variant::complex ||
                     (p.variant == Variant::floater && p.course == Course::network);
  describe_seed(p.seed,
                N_("Chooses every random number: a table before training, a network's weights, "
                   "words and projections"),
                list, drawn || has_pairs(p));
}

void describe_lower(Parameters& p, param::List& list, double last) {
  list.group(N_("Question"));
  list.integer(
      p.window, "window", N_("Curves over"),
      N_("How many positions around the picked one the curves of columns and of distances show"),
      {.unit = N_("positions"),
       .min = 10,
       .max = kMostPositions,
       .scale = param::Scale::log,
       .active = (is(p, Show::curves) && !p.grid()) || is(p, Show::collisions)});
  list.integer(p.offset, "offset", N_("Offset k"),
               N_("M_k takes the encoding of every position to the encoding of the position k "
                  "further on; on a grid, along the width"),
               {.unit = N_("positions"),
                .min = p.grid() ? 1.0 - p.grid_width : -last,
                .max = p.grid() ? p.grid_width - 1.0 : last,
                .active = is(p, Show::shift)});
  list.integer(p.lag, "lag", N_("Distance t"), N_("The distance of the two positions compared"),
               {.unit = N_("positions"),
                .min = 1,
                .max = last,
                .scale = param::Scale::log,
                .active = is(p, Show::collisions) || (is(p, Show::similarity) && !p.grid())});
  list.real(p.threshold, "threshold", N_("Threshold"),
            N_("Two positions count as the same when their encodings are closer than this"),
            {.min = 1e-6, .max = 1, .scale = param::Scale::log, .active = is(p, Show::collisions)});
  list.choice(p.combine, "combine", N_("Combination"),
              N_("Added, both go through the same projection; concatenated, each has its own part "
                 "of it. Adding is concatenating with the two parts tied"),
              {{"added", N_("added")}, {"concatenated", N_("concatenated")}},
              {.active = has_pairs(p)});
  list.choice(
      p.projection, "projection", N_("Projections"),
      N_("W for queries and keys: none, one random matrix for both, or two independent ones"),
      {{"identity", N_("identity")}, {"tied", N_("tied")}, {"random", N_("random")}},
      {.active = has_pairs(p)});
  list.real(p.position_scale, "position_scale", N_("Position scale"),
            N_("Multiplies the position's vector before it is combined with the token's; at 0 "
               "there is no position"),
            {.min = 0, .max = 4, .step = 0.05, .active = has_pairs(p)});
  const bool order = is(p, Show::order);
  list.choice(p.permutation, "permutation", N_("New order"),
              N_("How the words are moved to other positions; swap two exchanges query and key"),
              {{"reverse", N_("reverse")},
               {"swap", N_("swap two")},
               {"rotate", N_("rotate")},
               {"shuffle", N_("shuffle")}},
              {.active = order});
  list.flag(p.with_position, "with_position", N_("With positions"),
            N_("Without positions, moving the words moves the outputs with them and changes "
               "nothing else"),
            {.active = order});
}

void describe_picks(Parameters& p, param::List& list, double last) {
  const double width = p.width - 1.0;
  const auto pick = [&](int& value, std::string_view id, std::string_view label,
                        std::string_view help, double most, bool active) {
    list.integer(value, id, label, help, {.min = 0, .max = most, .active = active});
  };
  list.group(N_("Look at"));
  list.choice(
      p.explain, "explain", N_("Explained"),
      N_("What is worked out: a cell of the table, or the pick in the lower half, if it is shown"),
      {{"cell", N_("table cell")},
       {"shift", N_("shift map")},
       {"similarity", N_("similarity")},
       {"distance", N_("distance")},
       {"score", N_("score")},
       {"order", N_("word order")}});
  pick(p.position, "position", N_("Position"), N_("The row of the table that is worked out"), last,
       !p.grid());
  pick(p.column, "column", N_("Dimension"), N_("The column of the table that is worked out"), width,
       true);
  pick(p.grid_y, "grid_y", N_("Position y"), N_("The picked position's row of the grid"),
       p.grid_height - 1.0, p.grid());
  pick(p.grid_x, "grid_x", N_("Position x"), N_("The picked position's column of the grid"),
       p.grid_width - 1.0, p.grid());
  pick(p.map_row, "map_row", N_("Map row"), N_("A row of M_k: a dimension of the moved encoding"),
       width, is(p, Show::shift));
  pick(p.map_column, "map_column", N_("Map column"),
       N_("A column of M_k: a dimension of the original encoding"), width, is(p, Show::shift));
  const bool similar = is(p, Show::similarity);
  pick(p.other, "other", N_("Other position"), N_("The position that the first is compared with"),
       last, similar && !p.grid());
  pick(p.other_y, "other_y", N_("Other position y"), N_("The other position's row of the grid"),
       p.grid_height - 1.0, similar && p.grid());
  pick(p.other_x, "other_x", N_("Other position x"), N_("The other position's column of the grid"),
       p.grid_width - 1.0, similar && p.grid());
  pick(p.query, "query", N_("Query"), N_("The query's word: a row of the scores"), kMostTokens - 1,
       has_pairs(p));
  pick(p.key, "key", N_("Key"), N_("The key's word: a column of the scores"), kMostTokens - 1,
       has_pairs(p));
  list.choice(p.term, "term", N_("Term"), N_("Which of the score's four terms is worked out"),
              {{"content_content", N_("x·x")},
               {"content_position", N_("x·p")},
               {"position_content", N_("p·x")},
               {"position_position", N_("p·p")}},
              {.active = is(p, Show::scores)});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_encoding(p, list);
  describe_grid(p, list);
  describe_learned(p, list);
  describe_floater(p, list);
  describe_complex(p, list);
  describe_words(p, list);
  const double last = std::max(1, p.positions() - 1);
  describe_lower(p, list, last);
  describe_picks(p, list, last);
  list.group(N_("Display"));
  describe_pool(p.pool, list);
  list.essential({"scheme", "show", "length", "width", "grid_height", "grid_width", "seen",
                  "dynamics", "amplitude_spread", "offset", "other", "lag", "threshold",
                  "permutation", "with_position"});
  if (is(p, Show::curves)) list.essential({"position", "column"});
  if (is(p, Show::scores)) list.essential({"combine", "projection"});
}

Lab lab() { return from_text("absolute", live(describe, compute)); }

}  // namespace lab::absolute
