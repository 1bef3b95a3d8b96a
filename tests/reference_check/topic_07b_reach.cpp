// What reaches what after several layers.
#include <algorithm>
#include <optional>
#include <string>

#include "core/mask/patterns/patterns.h"
#include "core/mask/reach.h"
#include "mask_family.h"

namespace core_check {
namespace topic_07b_reach {

using core::Causal;
using core::Index;
using core::InputError;
using core::Reach;
using core::ReachOptions;
using core::SparseMask;

CaseValue sizes_of(const Reach& reach, Index i) {
  std::vector<CaseValue> sizes;
  for (Index l = 0; l < reach.layers; ++l) sizes.emplace_back(Index{reach.sizes(l, i)});
  return CaseValue::list(std::move(sizes));
}

// The first number of layers that covers the target, however many are listed; none when no number
// does. Twice as many are tried until nothing is new: with the residual connection nothing is lost,
// so that two layers that reach as many pairs are the end.
std::optional<Index> layers_to_cover(const SparseMask& mask, Reach reach, ReachOptions options) {
  constexpr Index kMostLayers = 1024;  // of ReachOptions
  options.keep = false;
  for (;;) {
    if (const auto layers = reach.layers_to_cover()) return layers;
    if (reach.pairs.back() == *(reach.pairs.end() - 2)) return std::nullopt;
    if (options.layers == kMostLayers) throw NotCovered{"it takes more than 1024 layers"};
    options.layers = std::min(kMostLayers, 2 * options.layers);
    reach = core::reach_of(mask, options);
  }
}

CaseValue reach_case(const ReferenceCase& one) {
  const Index n = one.params.at("n").as_index();
  const std::string family = one.name.substr(std::string("reach_").size());
  const SparseMask mask = mask_of_family(family, one.params, n);
  const SparseMask causal = core::pattern::causal(n, n);
  const bool is_causal = core::is_causal(mask);
  ReachOptions options;
  // The number of layers is the length of what is expected.
  options.layers = static_cast<Index>(one.expected.at("reachable_pairs_after_L").items().size());
  options.keep = true;
  if (is_causal) options.target = &causal;
  const Reach reach = core::reach_of(mask, options);
  if (n < 1 || options.layers < 2) throw InputError("reach: expected a token and two layers");
  CaseValue got = CaseValue::object();
  got.set("reachable_pairs_after_L", CaseValue::list({reach.pairs.begin(), reach.pairs.end()}));
  const auto layers = layers_to_cover(mask, reach, options);
  got.set("layers_to_cover_all_(causal)_pairs", layers ? CaseValue(*layers) : CaseValue());
  got.set("target", is_causal ? "causal pairs" : "all pairs");
  got.set("reach_after_2", reach.after[1].dense());
  got.set("receptive_field_size_of_last_token_after_L", sizes_of(reach, n - 1));
  got.set("receptive_field_size_of_middle_token_after_L", sizes_of(reach, n / 2));
  return got;
}

// The pairs that one layer of each mask in turn connects.
Index covered(const SparseMask& first, const SparseMask& second, bool residual = false) {
  ReachOptions options;
  options.layers = 2;
  options.residual = residual;
  return core::reach_of({&first, &second}, options).pairs.back();
}

// Rows of k, w, causal, which are inputs, and what they give.
CaseValue local_then_atrous_case(const ReferenceCase& one) {
  const Index n = one.params.at("n").as_index();
  const CaseValue& want = one.expected.at("rows");
  std::vector<double> rows;
  for (const CaseValue& row : want.items()) {
    const std::vector<Index> columns = row.as_indices();
    if (columns.size() != 6) throw InputError("rows: expected 6 columns, got another number");
    const Causal causal = columns[2] != 0 ? Causal::yes : Causal::no;
    const Index all = causal == Causal::yes ? n * (n + 1) / 2 : n * n;
    const Index pairs = covered(core::pattern::local(n, columns[1], causal),
                                core::pattern::atrous(n, columns[0], causal));
    for (const Index value :
         {columns[0], columns[1], columns[2], pairs, all, Index{pairs == all}}) {
      rows.push_back(static_cast<double>(value));
    }
  }
  CaseValue got = CaseValue::object();
  got.set("rows", CaseValue::array(want.shape(), rows, true));
  return got;
}

CaseValue two_steps_case(const ReferenceCase& one) {
  const Index n = one.params.at("n").as_index(), l = one.params.at("l").as_index();
  const CaseValue* given = one.params.find("c");
  const Index c = given ? given->as_index() : 1;
  const SparseMask strided_a1 = core::pattern::strided_a1(n, l);
  const SparseMask strided_a2 = core::pattern::strided_a2(n, l);
  const SparseMask fixed_a1 = core::pattern::fixed_a1(n, l);
  const SparseMask fixed_a2 = core::pattern::fixed_a2(n, l, c);
  const SparseMask strided = core::pattern::strided_merged(n, l);
  const SparseMask fixed = core::pattern::fixed_merged(n, l, c);
  CaseValue got = CaseValue::object();
  got.set("strided_A1_then_A2", covered(strided_a1, strided_a2));
  got.set("strided_A2_then_A1", covered(strided_a2, strided_a1));
  got.set("fixed_A1_then_A2", covered(fixed_a1, fixed_a2));
  got.set("fixed_A2_then_A1", covered(fixed_a2, fixed_a1));
  got.set("causal_pairs", core::pattern::causal(n, n).kept());
  got.set("fixed_A1_then_A2_with_residual", covered(fixed_a1, fixed_a2, true));
  got.set("fixed_A2_then_A1_with_residual", covered(fixed_a2, fixed_a1, true));
  got.set("strided_merged_2_layers", covered(strided, strided));
  got.set("fixed_merged_2_layers", covered(fixed, fixed));
  return got;
}

const Topic topic("07b_receptive_field", {{"reach_*", reach_case},
                                          {"seed003_local_then_atrous", local_then_atrous_case},
                                          {"openai_factorized_two_steps_*", two_steps_case}});

}  // namespace topic_07b_reach
}  // namespace core_check
