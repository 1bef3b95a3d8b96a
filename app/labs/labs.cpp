#include "app/labs/labs.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/labs/absolute/absolute.h"
#include "app/labs/alibi_rounding/alibi_rounding.h"
#include "app/labs/cost/cost.h"
#include "app/labs/extrapolation/extrapolation.h"
#include "app/labs/low_precision_math/low_precision_math.h"
#include "app/labs/masks/masks.h"
#include "app/labs/multi_head/multi_head.h"
#include "app/labs/number_line/number_line.h"
#include "app/labs/pooling/pooling.h"
#include "app/labs/position_compare/position_compare.h"
#include "app/labs/position_ids/position_ids.h"
#include "app/labs/relative/relative.h"
#include "app/labs/rope_rounding/rope_rounding.h"
#include "app/labs/rotary/rotary.h"
#include "app/labs/scoring/scoring.h"
#include "app/labs/softmax/softmax.h"
#include "app/words/sentence.h"
#include "core/text/printable.h"

namespace lab {

const std::vector<Lab>& all() {
  static const std::vector<Lab> kLabs{
      pooling::lab(),
      scoring::lab(),
      softmax::lab(),
      multi_head::lab(),
      absolute::lab(),
      rotary::lab(),
      relative::lab(),
      extrapolation::lab(),
      position_compare::lab(),
      number_line::lab(),
      position_ids::lab(),
      rope_rounding::lab(),
      alibi_rounding::lab(),
      low_precision_math::lab(),
      masks::lab(),
      cost::lab(),
  };
  return kLabs;
}

const Lab& find(std::string_view id) {
  std::string names;
  for (const Lab& lab : all()) {
    if (lab.id == id) return lab;
    if (!names.empty()) names += ", ";
    names += lab.id;
  }
  words::refuse<core::InputError>(N_("expected a lab (one of {}), got \"{}\""), names,
                                  core::printable(id));
}

const Lab& opening(const std::vector<Lab>& labs) {
  const auto at =
      std::find_if(labs.begin(), labs.end(), [](const Lab& one) { return one.id == "multi_head"; });
  return at == labs.end() ? labs.front() : *at;
}

std::string_view chapter_title(Chapter chapter) {
  switch (chapter) {
    case Chapter::where_attention_comes_from:
      return N_("Where attention comes from");
    case Chapter::attention:
      return N_("Attention");
    case Chapter::position:
      return N_("Position");
    case Chapter::precision:
      return N_("Precision");
    case Chapter::sparsity:
      return N_("Sparsity");
    case Chapter::transformer:
      return N_("The Transformer");
    case Chapter::gpt:
      return N_("GPT");
    case Chapter::yours:
      return N_("Yours");
  }
  return {};
}

}  // namespace lab
