#include "app/labs/position_compare/schemes.h"
#include "core/position/relative/shaw.h"

namespace lab::position_compare {

const Compared compared::relative{
    .id = "shaw",
    .name = N_("Shaw"),
    .acts = N_("relative, one vector per distance"),
    .acts_source = N_("Shaw et al. 2018, eqs. 3 and 4"),
    .beyond = N_("by design: distances beyond k count as k"),
    .beyond_source = N_("Shaw et al. 2018, section 3.2"),
    .formula = "s_{ij} = \\frac{\\Q{q}_{i}\\cdot(\\K{k}_{j} + a_{j - i})}{\\sqrt{d_{k}}}",
    .uses = {.clip = true, .table_size = true},
    .bring =
        [](const SchemeKnobs& p, const Content& content, Inside& inside) {
          inside.a_key =
              random_table(TableKind::shaw, 2 * p.clip + 1, content.d_k(), p.table_size, p.seed);
        },
    .scores = [](const SchemeKnobs& /*p*/, const Content& content,
                 const Inside& inside) -> MatrixD {
      return core::shaw_attention(inside.Q, inside.K, MatrixD(content.n(), 0), {inside.a_key, {}})
          .attention.scores;
    },
    .parts =
        [](const Pair& pair, std::vector<Part>& parts) {
          const Index clip = pair.p.clip, distance = pair.j - pair.i;
          const Index at = core::clipped_row(distance, clip);
          parts.push_back(
              product({kQ, plain("·a")}, pair.q(), row(pair.inside.a_key, at),
                      pair.w.format("a is row {} of the table: j − i = {}, clipped to ±{}", at,
                                    distance, clip)));
        },
    .of_tokens = false};

}  // namespace lab::position_compare
