// Sparsity patterns, their composition and how many pairs they keep.
#include <cmath>
#include <string>

#include "core/mask/compose.h"
#include "core/mask/patterns/kept_in_closed_form.h"
#include "core/mask/patterns/patterns.h"
#include "mask_family.h"

namespace core_check {
namespace topic_07a_masks {

using core::Causal;
using core::Index;
using core::InputError;
using core::SparseMask;

// A boolean matrix as the file writes it: rows of bits, or an array of zeros and ones.
CaseValue bits_like(const CaseValue& want, const SparseMask& mask) {
  const core::BoolMatrix bits = mask.dense();
  if (want.kind() != CaseValue::Kind::array) return bits;
  std::vector<double> data;
  for (Index i = 0; i < bits.size(); ++i) data.push_back(bits.data()[i]);
  return CaseValue::array({bits.rows(), bits.cols()}, data, true);
}

void set_mask(const ReferenceCase& one, CaseValue& got, const SparseMask& mask,
              const std::string& suffix = "") {
  const CaseValue* want = one.expected.find("mask" + suffix);
  got.set("mask" + suffix, bits_like(want ? *want : CaseValue(), mask));
  got.set("nnz" + suffix, mask.kept());
}

CaseValue pattern_case(const ReferenceCase& one) {
  const std::string family = one.name.substr(std::string("mask_").size());
  const Index n = one.params.at("n").as_index();
  const SparseMask mask = mask_of_family(family, one.params, n);
  CaseValue got = CaseValue::object();
  set_mask(one, got, mask);
  std::vector<CaseValue> rows, empty;
  for (Index i = 0; i < n; ++i) {
    rows.emplace_back(mask.kept(i));
    if (mask.kept(i) == 0) empty.emplace_back(i);
  }
  got.set("per_row", CaseValue::list(std::move(rows)));
  got.set("rows_without_any_key", CaseValue::list(std::move(empty)));
  got.set("density", static_cast<double>(mask.kept()) / static_cast<double>(n * n));
  CaseValue counts = CaseValue::object();
  if (const CaseValue* sizes = one.expected.find("nnz_for_n")) {
    for (const auto& [size, count] : sizes->members()) {
      counts.set(size, mask_of_family(family, one.params, std::stoll(size)).kept());
    }
  }
  got.set("nnz_for_n", counts);
  return got;
}

CaseValue closed_forms_case(const ReferenceCase& one) {
  const Index k = one.params.at("k").as_index();
  std::vector<CaseValue> local, causal, atrous, share, strided, bound;
  for (const Index n : one.params.at("n").as_indices()) {
    const auto size = static_cast<double>(n);
    local.emplace_back(core::kept::local(n, k));
    causal.emplace_back(core::kept::causal(n, n));
    atrous.emplace_back(core::kept::atrous(n, k));
    share.emplace_back(static_cast<double>(core::kept::atrous(n, k)) / (size * size));
    const auto l = static_cast<Index>(std::sqrt(size));
    strided.emplace_back(core::kept::local_and_atrous(n, l, Causal::yes));
    bound.emplace_back(size * std::sqrt(size));
  }
  CaseValue got = CaseValue::object();
  got.set("local_n(2k+1)-k(k+1)", CaseValue::list(local));
  got.set("causal_n(n+1)/2", CaseValue::list(causal));
  got.set("atrous_r(q+1)^2+(k-r)q^2", CaseValue::list(atrous));
  got.set("atrous_over_n_squared", CaseValue::list(share));
  got.set("openai_strided_with_l=floor(sqrt n)", CaseValue::list(strided));
  got.set("n*sqrt(n)", CaseValue::list(bound));
  return got;
}

// Causal, key and query padding, whichever the name says, of one shape.
CaseValue padding_case(const ReferenceCase& one) {
  const CaseValue* square = one.params.find("n");
  const Index n = (square ? *square : one.params.at("n_q")).as_index();
  const Index m = (square ? *square : one.params.at("n_k")).as_index();
  SparseMask mask = core::pattern::full(n, m);
  if (one.name.find("causal") != std::string::npos) mask = core::pattern::causal(n, m);
  if (const CaseValue* valid = one.params.find("key_valid")) {
    mask = core::intersect(mask, core::pattern::key_padding(n, m, valid->as_index()));
  }
  if (const CaseValue* valid = one.params.find("query_valid")) {
    mask = core::intersect(mask, core::pattern::query_padding(n, m, valid->as_index()));
  }
  CaseValue got = CaseValue::object();
  set_mask(one, got, mask);
  return got;
}

CaseValue document_case(const ReferenceCase& one) {
  const std::vector<Index> ids = one.inputs.at("document_ids").as_indices();
  CaseValue got = CaseValue::object();
  set_mask(one, got, core::pattern::documents(ids));
  set_mask(one, got, core::pattern::documents(ids, Causal::yes), "_causal");
  return got;
}

std::vector<std::vector<Index>> lists_of(const CaseValue& value) {
  std::vector<std::vector<Index>> lists;
  for (const CaseValue& item : value.items()) lists.push_back(item.as_indices());
  return lists;
}

CaseValue bigbird_token_case(const ReferenceCase& one) {
  const core::pattern::BigBirdShape shape = {one.params.at("one_sided_window").as_index(),
                                             one.params.at("global").as_indices()};
  CaseValue got = CaseValue::object();
  set_mask(one, got,
           core::pattern::bigbird(one.params.at("n").as_index(), shape,
                                  lists_of(one.inputs.at("random_keys_per_row"))));
  return got;
}

// The case's source: a window of one block on each side and the first block global.
CaseValue bigbird_block_case(const ReferenceCase& one) {
  const SparseMask layout =
      core::pattern::bigbird(one.params.at("blocks").as_index(), {1, {0}},
                             lists_of(one.inputs.at("random_blocks_per_row")));
  CaseValue got = CaseValue::object();
  got.set("layout", layout.dense());
  set_mask(one, got, core::pattern::block_sparse(layout, one.params.at("block_size").as_index()));
  return got;
}

CaseValue block_sparse_case(const ReferenceCase& one) {
  const core::BoolMatrix layout = one.inputs.at("layout").as_bits();
  const SparseMask mask = core::pattern::block_sparse(SparseMask::from(core::Mask::dense(layout)),
                                                      one.params.at("block_size").as_index());
  CaseValue got = CaseValue::object();
  set_mask(one, got, mask);
  set_mask(one, got, core::intersect(mask, core::pattern::causal(mask.rows(), mask.cols())),
           "_causal");
  return got;
}

// The case's source: |dy| <= 1, |dx| <= 1.
CaseValue local_2d_case(const ReferenceCase& one) {
  const auto reach = [&](const char* name) {
    const CaseValue* given = one.params.find(name);
    return given ? given->as_index() : 1;
  };
  CaseValue got = CaseValue::object();
  set_mask(one, got,
           core::pattern::local_2d(
               {one.params.at("height").as_index(), one.params.at("width").as_index()},
               reach("reach_y"), reach("reach_x")));
  return got;
}

const Topic topic("07a_masks", {{"nnz_closed_forms", closed_forms_case},
                                {"mask_key_padding", padding_case},
                                {"mask_query_padding", padding_case},
                                {"mask_causal_key_query_padding", padding_case},
                                {"mask_cross_rectangular*", padding_case},
                                {"mask_document", document_case},
                                {"mask_bigbird_token", bigbird_token_case},
                                {"mask_bigbird_block", bigbird_block_case},
                                {"mask_block_sparse", block_sparse_case},
                                {"mask_local_2d", local_2d_case},
                                {"mask_*", pattern_case}});

}  // namespace topic_07a_masks
}  // namespace core_check
