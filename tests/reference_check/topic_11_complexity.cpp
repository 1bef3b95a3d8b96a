// What layers, parameters and attention cost. The sizes of these cases lie in their expected rows.
#include <cstdio>
#include <string>

#include "core/cost/attention_cost.h"
#include "core/cost/layer_cost.h"
#include "core/cost/parameter_count.h"
#include "core/mask/patterns/kept_in_closed_form.h"
#include "registry.h"

namespace core_check {
namespace topic_11_complexity {

using core::Dilation;
using core::Index;
using core::InputError;
using core::LayerKind;
using core::LayerSize;

template <class Row>
CaseValue rows_case(const ReferenceCase& one, const char* key, Row row) {
  std::vector<CaseValue> rows;
  for (const CaseValue& given : one.expected.at(key).items()) rows.push_back(row(given));
  CaseValue got = CaseValue::object();
  got.set(key, CaseValue::list(std::move(rows)));
  return got;
}

CaseValue vaswani_row(const CaseValue& given) {
  const auto number = [&](const char* name) { return given.at(name).as_index(); };
  const LayerSize size = {number("n"), number("d"), number("k"), number("r")};
  CaseValue row = CaseValue::object();
  const auto operations = [&](const std::string& name, LayerKind kind) {
    row.set(name, static_cast<Index>(core::layer_operations(kind, size)));
  };
  operations("self_attention_ops_n2d", LayerKind::self_attention);
  operations("recurrent_ops_nd2", LayerKind::recurrent);
  operations("convolution_ops_knd2", LayerKind::convolution);
  operations("separable_convolution_ops_knd+nd2", LayerKind::separable_convolution);
  operations("restricted_attention_ops_rnd", LayerKind::restricted);
  row.set("restricted_attention_exact_pairs_window_2r+1", core::kept::local(size.n, size.r));
  row.set("sequential_self", core::sequential_steps(LayerKind::self_attention, size));
  row.set("sequential_recurrent", core::sequential_steps(LayerKind::recurrent, size));
  row.set("sequential_convolution", core::sequential_steps(LayerKind::convolution, size));
  row.set("sequential_restricted", core::sequential_steps(LayerKind::restricted, size));
  row.set("path_self", *core::layers_to_meet(LayerKind::self_attention, size));
  row.set("path_recurrent", *core::layers_to_meet(LayerKind::recurrent, size));
  for (const auto& [name, dilation] :
       {std::pair{"contiguous", Dilation::contiguous}, std::pair{"dilated", Dilation::dilated}}) {
    const std::string path = std::string("path_convolution_") + name;
    row.set(path + (dilation == Dilation::contiguous ? "_n_over_k" : "_log_k_n"),
            core::path_order(LayerKind::convolution, size, dilation));
    row.set(path + "_layers_exact", *core::layers_to_meet(LayerKind::convolution, size, dilation));
  }
  row.set("path_restricted_n_over_r", core::path_order(LayerKind::restricted, size));
  // From end to end, with r to each side: the ends of 2 n - 1 positions meet in the middle then.
  const LayerSize both_ways = {2 * size.n - 1, size.d, size.k, 2 * size.r + 1};
  row.set("path_restricted_layers_exact_window_2r+1",
          *core::layers_to_meet(LayerKind::restricted, both_ways));
  row.set("self_cheaper_than_recurrent", core::layer_operations(LayerKind::self_attention, size) <
                                             core::layer_operations(LayerKind::recurrent, size));
  for (const char* name : {"n", "d", "k", "r"}) row.set(name, number(name));
  return row;
}

CaseValue vaswani_case(const ReferenceCase& one) { return rows_case(one, "rows", vaswani_row); }

CaseValue receptive_field_case(const ReferenceCase& one) {
  CaseValue got = CaseValue::object();
  for (const auto& [name, dilation] : {std::pair{"contiguous", Dilation::contiguous},
                                       std::pair{"dilated_k_pow_l", Dilation::dilated}}) {
    std::vector<CaseValue> rows;
    for (const Index k : one.params.at("k").as_indices()) {
      std::vector<CaseValue> fields;
      for (const Index layers : one.params.at("L").as_indices()) {
        fields.emplace_back(core::convolution_field(k, layers, dilation));
      }
      rows.push_back(CaseValue::list(std::move(fields)));
    }
    got.set(name, CaseValue::list(std::move(rows)));
  }
  return got;
}

CaseValue layer_row(const CaseValue& given) {
  const Index d = given.at("d").as_index(), d_ff = given.at("d_ff").as_index();
  CaseValue row = CaseValue::object();
  row.set("d", d);
  row.set("heads", given.at("heads").as_index());
  row.set("d_ff", d_ff);
  row.set("multihead", core::multi_head_parameters(d));
  const Index encoder = core::encoder_layer_parameters(d, d_ff);
  const Index decoder = core::decoder_layer_parameters(d, d_ff);
  row.set("encoder_layer", encoder);
  row.set("decoder_layer", decoder);
  row.set("six_plus_six_layers", 6 * encoder + 6 * decoder);
  return row;
}

// "gpt2_small_V_ctx_d_L" gives its sizes, the others are those of the paper.
CaseValue parameters_case(const ReferenceCase& one) {
  CaseValue got = rows_case(one, "layers", layer_row);
  for (const auto& [key, count] : one.expected.members()) {
    core::GptSize size = core::kGpt2Small;
    const auto is = [&name = key](const char* model) {
      return name.starts_with(std::string("gpt2_") + model);
    };
    if (is("medium")) {
      size = core::kGpt2Medium;
    } else if (is("large")) {
      size = core::kGpt2Large;
    } else if (is("xl")) {
      size = core::kGpt2Xl;
    } else if (!is("small")) {
      continue;
    }
    long vocabulary = 0, context = 0, d = 0, layers = 0;
    if (std::sscanf(key.c_str(), "gpt2_%*[a-z]_%ld_%ld_%ld_%ld", &vocabulary, &context, &d,
                    &layers) == 4) {
      size = {vocabulary, context, d, layers};
    }
    got.set(key, core::gpt2_parameters(size));
  }
  return got;
}

CaseValue cost_row(const CaseValue& given) {
  const auto number = [&](const char* name) { return given.at(name).as_index(); };
  core::AttentionSize size = {number("n"), number("d"), number("heads"), number("layers"), 2};
  const core::AttentionCost cost = core::attention_cost(size);
  CaseValue row = CaseValue::object();
  for (const char* name : {"n", "d", "heads", "layers"}) row.set(name, number(name));
  row.set("qkvo_projection_macs", cost.projection_macs);
  row.set("score_macs", cost.score_macs);
  row.set("weighted_sum_macs", cost.weighted_sum_macs);
  row.set("score_matrix_entries_all_heads", cost.score_entries);
  row.set("score_matrix_bytes_fp16", cost.score_bytes);
  row.set("kv_cache_bytes_fp16_all_layers", cost.kv_cache_bytes);
  row.set("causal_pairs", cost.causal_pairs);
  size.n *= 2;
  row.set("doubling_n_multiplies_score_memory_by",
          core::attention_cost(size).score_bytes / cost.score_bytes);
  return row;
}

CaseValue attention_case(const ReferenceCase& one) { return rows_case(one, "rows", cost_row); }

CaseValue crossover_case(const ReferenceCase& one) {
  const Index d = one.params.at("d").as_index();
  std::vector<CaseValue> ratios;
  for (const Index n : one.params.at("n").as_indices()) {
    const LayerSize size = {n, d};
    ratios.emplace_back(core::layer_operations(LayerKind::self_attention, size) /
                        core::layer_operations(LayerKind::recurrent, size));
  }
  CaseValue got = CaseValue::object();
  got.set("ratio_self_over_recurrent", CaseValue::list(std::move(ratios)));
  return got;
}

const Topic topic("11_complexity", {{"vaswani_table*", vaswani_case},
                                    {"conv_receptive_field", receptive_field_case},
                                    {"parameter_counts", parameters_case},
                                    {"attention_cost", attention_case},
                                    {"self_attention_versus_recurrent_crossover", crossover_case}});

}  // namespace topic_11_complexity
}  // namespace core_check
