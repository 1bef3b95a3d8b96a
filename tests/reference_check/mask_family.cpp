#include "mask_family.h"

namespace core_check {
namespace {

using core::Causal;
using core::Index;
using core::SparseMask;

SparseMask openai(const std::string& family, const CaseValue& params, Index n) {
  const Index l = params.at("l").as_index();
  if (family.starts_with("openai_strided_A1")) return core::pattern::strided_a1(n, l);
  if (family.starts_with("openai_strided_A2")) return core::pattern::strided_a2(n, l);
  if (family.starts_with("openai_strided_merged")) return core::pattern::strided_merged(n, l);
  if (family.starts_with("openai_fixed_A1")) return core::pattern::fixed_a1(n, l);
  const Index c = params.at("c").as_index();
  if (family.starts_with("openai_fixed_A2")) return core::pattern::fixed_a2(n, l, c);
  if (family.starts_with("openai_fixed_merged")) return core::pattern::fixed_merged(n, l, c);
  throw NotCovered{"no pattern is called " + family};
}

}  // namespace

SparseMask mask_of_family(const std::string& family, const CaseValue& params, Index n) {
  const auto is = [&](const char* name) { return family.starts_with(name); };
  const auto number = [&](const char* name) { return params.at(name).as_index(); };
  const Causal causal = family.ends_with("_causal") ? Causal::yes : Causal::no;
  if (family == "full") return core::pattern::full(n, n);
  if (family == "causal") return core::pattern::causal(n, n);
  if (is("local")) return core::pattern::local(n, number("k"), causal);
  if (is("atrous")) return core::pattern::atrous(n, number("k"), causal);
  if (is("sparse")) return core::pattern::local_and_atrous(n, number("k"), causal);
  if (is("openai")) return openai(family, params, n);
  if (is("longformer")) {
    return core::pattern::longformer(
        n, {number("one_sided_window"), number("dilation"), params.at("global").as_indices()});
  }
  if (is("streaming")) return core::pattern::streaming(n, number("sinks"), number("window"));
  if (is("prefix_lm")) return core::pattern::prefix_lm(n, number("prefix"));
  throw NotCovered{"no pattern is called " + family};
}

}  // namespace core_check
