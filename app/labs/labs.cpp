#include "app/labs/labs.h"

#include "core/text/printable.h"

namespace lab {

#define ATTNSCOPE_LAB(name) \
  namespace name {          \
  Lab lab();                \
  }
#include "app/labs/list.inc"
#undef ATTNSCOPE_LAB

const std::vector<Lab>& all() {
#define ATTNSCOPE_LAB(name) name::lab(),
  static const std::vector<Lab> kLabs{
#include "app/labs/list.inc"
  };
#undef ATTNSCOPE_LAB
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
    case Chapter::where_attention_comes_from: return N_("Where attention comes from");
    case Chapter::attention: return N_("Attention");
    case Chapter::position: return N_("Position");
    case Chapter::precision: return N_("Precision");
    case Chapter::sparsity: return N_("Sparsity");
    case Chapter::transformer: return N_("The Transformer");
    case Chapter::gpt: return N_("GPT");
    case Chapter::yours: return N_("Yours");
  }
  return {};
}

}  // namespace lab
