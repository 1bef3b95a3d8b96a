#include "core/position/relative/t5.h"
#include "app/labs/position_compare/schemes.h"

namespace lab::position_compare {

const Compared compared::t5{
    .acts = N_("relative, a learned bias"),
    .acts_source = N_("Raffel et al. 2020, section 2.1"),
    .beyond = N_("defined: all far distances share the last bucket"),
    .beyond_source = N_("Raffel et al. 2020, section 2.1"),
    .formula = "s_{ij} = \\frac{\\Q{q}_{i}\\cdot\\K{k}_{j}}{\\sqrt{d_{k}}} + b_{j - i}",
    .uses = {.buckets = true, .table_size = true},
    .bring =
        [](const SchemeKnobs& p, const Content& /*content*/, Inside& inside) {
          inside.t5 = random_table(TableKind::t5, p.heads, p.buckets, p.table_size, p.seed)
                          .row(p.head - 1)
                          .transpose();
        },
    .scores = [](const SchemeKnobs& p, const Content& content, const Inside& inside) -> MatrixD {
      const Index n = content.n();
      const core::T5Buckets buckets(t5_spec(p));
      return plain_scores(inside) +
             core::t5_bias(inside.t5, 0, buckets(core::relative_positions(n, n)));
    },
    .parts =
        [](const Pair& pair, std::vector<Part>& parts) {
          const Index distance = pair.j - pair.i;
          const Index bucket = core::T5Buckets(t5_spec(pair.p))(distance);
          parts.push_back(number("b", pair.inside.t5(bucket),
                                 pair.w.format("distance {} is in bucket {}; its number is learned",
                                               distance, bucket)));
        }};

}  // namespace lab::position_compare
