#include "app/labs/absolute/parameters.h"

#include <algorithm>

#include "app/labs/shared/knobs.h"
#include "app/words/words.h"

namespace lab::absolute {
namespace {

bool is(const Parameters& p, Show show) { return p.show == show; }
bool has_pairs(const Parameters& p) { return is(p, Show::scores) || is(p, Show::order); }

double most_width(const Parameters& p) {
  const bool formula = p.scheme == Scheme::sinusoidal || p.grid();
  return formula ? kMostWidth : kMostKeptWidth;
}

void describe_encoding(Parameters& p, param::List& list) {
  list.group(N_("Encoding"));
  list.choice(p.scheme,
              {{"sinusoidal", N_("sinusoidal")},
               {"grid", N_("2-D grid")},
               {"learned", N_("learned")},
               {"floater", N_("FLOATER")},
               {"complex", N_("complex order")}},
              {.id = "scheme",
               .label = N_("Scheme"),
               .help = N_("Where a position's numbers come from: sines and cosines of its place, "
                          "the same on a grid, a learned table, the course of a dynamical system, "
                          "or a turn of each word's own numbers")});
  list.choice(p.show,
              {{"curves", N_("curves")},
               {"shift", N_("shift map")},
               {"similarity", N_("similarity")},
               {"collisions", N_("collisions")},
               {"scores", N_("scores")},
               {"order", N_("word order")}},
              {.id = "show",
               .label = N_("Show"),
               .help = N_("Which question the lower half of the page answers; only that is "
                          "computed")});
  list.integer(p.length, {.id = "length",
                          .label = N_("Length n"),
                          .unit = N_("positions"),
                          .help = N_("How many positions are encoded: the rows of the table"),
                          .min = 2,
                          .max = static_cast<double>(p.scheme == Scheme::sinusoidal ? kMostPositions
                                                                                    : kMostRows),
                          .scale = param::Scale::log,
                          .active = !p.grid()});
  const double unit = p.grid() ? 4 : 2;
  list.integer(p.width, {.id = "width",
                         .label = N_("Width d"),
                         .help = N_("How many numbers encode a position: one sine and one cosine "
                                    "for each of d/2 frequencies, so d is even; on a grid a "
                                    "multiple of 4"),
                         .min = unit,
                         .max = most_width(p),
                         .step = unit,
                         .scale = param::Scale::log});
  list.real(p.base, {.id = "base",
                     .label = N_("Base"),
                     .help = N_("The frequencies are base^(-2i/d): a larger base has longer "
                                "waves; with base 1 all are alike"),
                     .min = 1,
                     .max = 1e8,
                     .scale = param::Scale::log,
                     .active = p.has_base()});
  const bool sinusoidal = p.scheme == Scheme::sinusoidal;
  list.choice(p.layout, {{"interleaved", N_("interleaved")}, {"concatenated", N_("concatenated")}},
              {.id = "layout",
               .label = N_("Layout"),
               .help = N_("The paper alternates sines and cosines; much code puts all sines "
                          "first. A permutation of the columns: no product of rows changes"),
               .active = sinusoidal});
  list.choice(p.rule, {{"paper", N_("paper")}, {"tensor2tensor", N_("tensor2tensor")}},
              {.id = "rule",
               .label = N_("Exponent"),
               .help = N_("base^(-2i/d) as in the paper, or base^(-i/(d/2-1)) as in tensor2tensor "
                          "and fairseq, whose slowest frequency is exactly 1/base"),
               .active = sinusoidal});
}

void describe_grid(Parameters& p, param::List& list) {
  list.group(N_("Grid"));
  list.integer(p.grid_height, {.id = "grid_height",
                               .label = N_("Height"),
                               .unit = N_("places"),
                               .help = N_("How many rows the grid has: values of y"),
                               .min = 2,
                               .max = kMostSide,
                               .active = p.grid()});
  list.integer(p.grid_width, {.id = "grid_width",
                              .label = N_("Width"),
                              .unit = N_("places"),
                              .help = N_("How many columns the grid has: values of x"),
                              .min = 2,
                              .max = kMostSide,
                              .active = p.grid()});
  list.choice(p.axis_order,
              {{"height_first", N_("height first")}, {"width_first", N_("width first")}},
              {.id = "axis_order",
               .label = N_("Axis order"),
               .help = N_("Which axis the first half of the columns encodes. Texts write height "
                          "first; the widely copied function does width first"),
               .active = p.grid()});
  list.choice(p.exponent, {{"half_width", N_("2i/(d/2)")}, {"whole_width", N_("2i/d")}},
              {.id = "exponent",
               .label = N_("Exponent"),
               .help = N_("Each half as a 1-D encoding of width d/2, or with the exponent of the "
                          "whole width, which uses the faster half of the frequencies only"),
               .active = p.grid()});
}

void describe_learned(Parameters& p, param::List& list) {
  const bool learned = p.scheme == Scheme::learned;
  list.group(N_("Learned table"));
  list.integer(p.rows, {.id = "rows",
                        .label = N_("Rows"),
                        .help = N_("How many positions the table has a row for"),
                        .min = 1,
                        .max = kMostLearned,
                        .scale = param::Scale::log,
                        .active = learned});
  list.integer(p.seen, {.id = "seen",
                        .label = N_("Trained up to"),
                        .unit = N_("positions"),
                        .help = N_("Rows from this one on never received a gradient and keep the "
                                   "random numbers they began with"),
                        .min = 1,
                        .max = static_cast<double>(p.rows),
                        .active = learned});
  list.integer(p.steps, {.id = "steps",
                         .label = N_("Training steps"),
                         .help = N_("Steps of gradient descent on one small task: that p_i · p_j / "
                                    "d follows exp(-|i-j| / reach)"),
                         .min = 0,
                         .max = 300,
                         .active = learned});
  list.real(p.reach, {.id = "reach",
                      .label = N_("Task reach"),
                      .unit = N_("positions"),
                      .help = N_("Over how many positions the wanted likeness falls to 1/e"),
                      .min = 0.5,
                      .max = 64,
                      .scale = param::Scale::log,
                      .active = learned});
  list.choice(p.beyond,
              {{"refuse", N_("refuse")},
               {"zeros", N_("zeros")},
               {"last", N_("last")},
               {"wrap", N_("wrap")}},
              {.id = "beyond",
               .label = N_("Past the end"),
               .help = N_("What a position without a row gets: an error, as an embedding layer "
                          "does; zeros; the last row again; or the rows from the first on again"),
               .active = learned});
}

void describe_floater(Parameters& p, param::List& list) {
  const bool floater = p.scheme == Scheme::floater;
  list.group(N_("FLOATER"));
  list.choice(p.course, {{"sinusoidal", N_("sinusoidal")}, {"network", N_("network")}},
              {.id = "dynamics",
               .label = N_("Dynamics h"),
               .help = N_("The derivative of the encoding: the one whose course is the sinusoidal "
                          "table, or a small network of tanh units with drawn weights"),
               .active = floater});
  list.choice(p.integrator,
              {{"euler", N_("Euler")}, {"midpoint", N_("midpoint")}, {"rk4", N_("RK4")}},
              {.id = "integrator",
               .label = N_("Integrator"),
               .help = N_("How the integral over a step is computed: the error falls with the "
                          "first, second or fourth power of the step"),
               .active = floater});
  list.integer(p.substeps, {.id = "substeps",
                            .label = N_("Substeps"),
                            .help = N_("Into how many steps the way from a position to the next "
                                       "is cut"),
                            .min = 1,
                            .max = 32,
                            .scale = param::Scale::log,
                            .active = floater});
  list.choice(p.factor, {{"frequency", N_("w")}, {"inverse_frequency", N_("1/w (misprint)")}},
              {.id = "factor",
               .label = N_("Factor"),
               .help = N_("What stands before cos(wτ) in h. The derivative of sin(wτ) has w; some "
                          "texts print 1/w, which does not give the sinusoidal table"),
               .active = floater && p.course == Course::sinusoidal});
}

void describe_complex(Parameters& p, param::List& list) {
  const bool complex = p.scheme == Scheme::complex;
  const auto spread = [&](double& value, std::string_view id, std::string_view label,
                          std::string_view help) {
    list.real(value, {.id = id,
                      .label = label,
                      .help = help,
                      .min = 0,
                      .max = 1,
                      .step = 0.01,
                      .active = complex});
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
  list.text(p.text, kMostTextBytes,
            {.id = "text",
             .label = N_("Text"),
             .help = N_("The words that stand at the positions; each becomes a vector made of its "
                        "letters, equal words equal vectors"),
             .active = p.scheme == Scheme::complex || has_pairs(p)});
  const bool drawn = p.scheme == Scheme::learned || p.scheme == Scheme::complex ||
                     (p.scheme == Scheme::floater && p.course == Course::network);
  describe_seed(p.seed,
                N_("Chooses every random number: a table before training, a "
                   "network's weights, words and projections"),
                list, drawn || has_pairs(p));
}

void describe_lower(Parameters& p, param::List& list, double last) {
  list.group(N_("Question"));
  list.integer(p.window, {.id = "window",
                          .label = N_("Curves over"),
                          .unit = N_("positions"),
                          .help = N_("How many positions around the picked one the curves of "
                                     "columns and of distances show"),
                          .min = 10,
                          .max = kMostPositions,
                          .scale = param::Scale::log,
                          .active = (is(p, Show::curves) && !p.grid()) || is(p, Show::collisions)});
  list.integer(p.offset, {.id = "offset",
                          .label = N_("Offset k"),
                          .unit = N_("positions"),
                          .help = N_("M_k takes the encoding of every position to that of the "
                                     "position k further on; on a grid, along the width"),
                          .min = p.grid() ? 1.0 - p.grid_width : -last,
                          .max = p.grid() ? p.grid_width - 1.0 : last,
                          .active = is(p, Show::shift)});
  list.integer(p.lag,
               {.id = "lag",
                .label = N_("Distance t"),
                .unit = N_("positions"),
                .help = N_("How far apart the two positions are that are compared"),
                .min = 1,
                .max = last,
                .scale = param::Scale::log,
                .active = is(p, Show::collisions) || (is(p, Show::similarity) && !p.grid())});
  list.real(p.threshold, {.id = "threshold",
                          .label = N_("Threshold"),
                          .help = N_("Two positions count as the same when their encodings are "
                                     "closer than this"),
                          .min = 1e-6,
                          .max = 1,
                          .scale = param::Scale::log,
                          .active = is(p, Show::collisions)});
  list.choice(p.combine, {{"added", N_("added")}, {"concatenated", N_("concatenated")}},
              {.id = "combine",
               .label = N_("Combination"),
               .help = N_("Added, both go through the same projection; concatenated, each has its "
                          "own part of it. Adding is concatenating with the two parts tied"),
               .active = has_pairs(p)});
  list.choice(p.projection,
              {{"identity", N_("identity")}, {"tied", N_("tied")}, {"random", N_("random")}},
              {.id = "projection",
               .label = N_("Projections"),
               .help = N_("W of queries and keys: none, one random matrix for both, or two "
                          "independent ones"),
               .active = has_pairs(p)});
  list.real(p.position_scale, {.id = "position_scale",
                               .label = N_("Position scale"),
                               .help = N_("Multiplies the position's numbers before they meet the "
                                          "token's; at 0 there is no position"),
                               .min = 0,
                               .max = 4,
                               .step = 0.05,
                               .active = has_pairs(p)});
  const bool order = is(p, Show::order);
  list.choice(p.permutation,
              {{"reverse", N_("reverse")},
               {"swap", N_("swap two")},
               {"rotate", N_("rotate")},
               {"shuffle", N_("shuffle")}},
              {.id = "permutation",
               .label = N_("New order"),
               .help = N_("How the words are moved to other positions; swap two exchanges query "
                          "and key"),
               .active = order});
  list.flag(p.with_position, {.id = "with_position",
                              .label = N_("With positions"),
                              .help = N_("Without positions, moving the words moves the outputs "
                                         "along and changes nothing else"),
                              .active = order});
}

void describe_picks(Parameters& p, param::List& list, double last) {
  const double width = p.width - 1.0;
  const auto pick = [&](int& value, std::string_view id, std::string_view label,
                        std::string_view help, double most, bool active) {
    list.integer(value,
                 {.id = id, .label = label, .help = help, .min = 0, .max = most, .active = active});
  };
  list.group(N_("Look at"));
  list.choice(p.explain,
              {{"cell", N_("table cell")},
               {"shift", N_("shift map")},
               {"similarity", N_("similarity")},
               {"distance", N_("distance")},
               {"score", N_("score")},
               {"order", N_("word order")}},
              {.id = "explain",
               .label = N_("Explained"),
               .help = N_("Whose whole sum is unfolded: a cell of the table, or what is picked in "
                          "the lower half, if that is shown")});
  pick(p.position, "position", N_("Position"), N_("The row of the table that is taken apart"), last,
       !p.grid());
  pick(p.column, "column", N_("Dimension"), N_("The column of the table that is taken apart"),
       width, true);
  pick(p.grid_y, "grid_y", N_("Place y"), N_("The picked place's row of the grid"),
       p.grid_height - 1.0, p.grid());
  pick(p.grid_x, "grid_x", N_("Place x"), N_("The picked place's column of the grid"),
       p.grid_width - 1.0, p.grid());
  pick(p.map_row, "map_row", N_("Map row"), N_("A row of M_k: which number of the moved encoding"),
       width, is(p, Show::shift));
  pick(p.map_column, "map_column", N_("Map column"),
       N_("A column of M_k: which number of the old encoding it is made from"), width,
       is(p, Show::shift));
  const bool similar = is(p, Show::similarity);
  pick(p.other, "other", N_("Other position"), N_("The position that the first is compared with"),
       last, similar && !p.grid());
  pick(p.other_y, "other_y", N_("Other place y"), N_("The other place's row of the grid"),
       p.grid_height - 1.0, similar && p.grid());
  pick(p.other_x, "other_x", N_("Other place x"), N_("The other place's column of the grid"),
       p.grid_width - 1.0, similar && p.grid());
  pick(p.query, "query", N_("Query"), N_("The word that looks: a row of the scores"),
       kMostTokens - 1, has_pairs(p));
  pick(p.key, "key", N_("Key"), N_("The word that is looked at: a column of the scores"),
       kMostTokens - 1, has_pairs(p));
  list.choice(p.term,
              {{"content_content", N_("x·x")},
               {"content_position", N_("x·p")},
               {"position_content", N_("p·x")},
               {"position_position", N_("p·p")}},
              {.id = "term",
               .label = N_("Term"),
               .help = N_("Which of the score's four terms is unfolded"),
               .active = is(p, Show::scores)});
}

}  // namespace

int position_count(const Parameters& p) {
  return p.grid() ? p.grid_height * p.grid_width : p.length;
}

void describe(Parameters& p, param::List& list) {
  describe_encoding(p, list);
  describe_grid(p, list);
  describe_learned(p, list);
  describe_floater(p, list);
  describe_complex(p, list);
  describe_words(p, list);
  const double last = std::max(1, position_count(p) - 1);
  describe_lower(p, list, last);
  describe_picks(p, list, last);
  list.group(N_("Display"));
  describe_pool(p.pool, list);
}

}  // namespace lab::absolute
