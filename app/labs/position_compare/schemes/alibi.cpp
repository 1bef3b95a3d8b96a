#include "core/position/relative/alibi.h"
#include "app/labs/position_compare/schemes.h"

namespace lab::position_compare {

const Compared compared::alibi{
    .acts = N_("relative, a bias"),
    .acts_source = N_("Press et al. 2022, section 3"),
    .beyond = N_("by design; perplexity holds on longer texts in its experiments"),
    .beyond_source = N_("Press et al. 2022, section 4"),
    .formula = "s_{ij} = \\frac{\\Q{q}_{i}\\cdot\\K{k}_{j}}{\\sqrt{d_{k}}} - m_{h}(i - j)",
    .bring = [](const SchemeKnobs& p, const Content& /*content*/,
                Inside& inside) { inside.slope = core::alibi_slopes(p.heads)(p.head - 1); },
    .scores = [](const SchemeKnobs& /*p*/, const Content& content,
                 const Inside& inside) -> MatrixD {
      // Where the mask allows a key this is the causal form as well.
      const Index n = content.n();
      return plain_scores(inside) +
             core::alibi_bias(inside.slope, n, n, core::AlibiForm::symmetric);
    },
    .parts =
        [](const Pair& pair, std::vector<Part>& parts) {
          const Index distance = std::abs(pair.i - pair.j);
          parts.push_back(number("-m|i-j|", -pair.inside.slope * to_double(distance),
                                 pair.w.format("m is the slope of head {}", pair.p.head)));
        }};

}  // namespace lab::position_compare
