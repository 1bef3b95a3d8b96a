// Multi-head attention, its masks, its laws and its gradient.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "core/attention/attention.h"
#include "core/attention/multi_head.h"
#include "core/attention/softmax.h"
#include "registry.h"

namespace core_check {
namespace topic_03_multihead {

using core::EmptyRow;
using core::Index;
using core::InputError;
using core::Mask;
using core::MatrixD;
using core::VectorD;

using Weights = core::MultiHeadWeightsD;
using Options = core::AttentionOptionsD;
using Result = core::MultiHead<double>;

std::optional<VectorD> bias_of(const CaseValue& weights, const char* key) {
  const CaseValue* bias = weights.find(key);
  if (!bias || bias->kind() == CaseValue::Kind::null) return std::nullopt;
  return bias->as_vector();
}

// The file's matrices are (out, in), the program's (in, out).
Weights weights_of(const ReferenceCase& one) {
  const CaseValue& w = one.inputs.at("weights");
  Weights weights;
  weights.heads = one.params.at("heads").as_index();
  weights.W_q = w.at("Wq").as_matrix().transpose();
  weights.W_k = w.at("Wk").as_matrix().transpose();
  weights.W_v = w.at("Wv").as_matrix().transpose();
  weights.W_o = w.at("Wo").as_matrix().transpose();
  weights.b_q = bias_of(w, "bq");
  weights.b_k = bias_of(w, "bk");
  weights.b_v = bias_of(w, "bv");
  weights.b_o = bias_of(w, "bo");
  return weights;
}

// The inputs of one batch entry; key and value are the query's where the case has none.
struct Inputs {
  MatrixD query, key, value;
};

std::vector<Inputs> inputs_of(const ReferenceCase& one) {
  const std::vector<MatrixD> query = one.inputs.at("query").as_matrices();
  const CaseValue* key_value = one.inputs.find("key");
  const CaseValue* value_value = one.inputs.find("value");
  const std::vector<MatrixD> key = key_value ? key_value->as_matrices() : query;
  const std::vector<MatrixD> value = value_value ? value_value->as_matrices() : key;
  if (key.size() != query.size() || value.size() != query.size()) {
    throw InputError("query, key, value: expected one batch size, got several");
  }
  std::vector<Inputs> inputs;
  for (size_t b = 0; b < query.size(); ++b) inputs.push_back({query[b], key[b], value[b]});
  return inputs;
}

Mask mask_of(const ReferenceCase& one, size_t b, const Inputs& in) {
  const Index n = in.query.rows(), m = in.key.rows();
  Mask mask = Mask::none(n, m);
  if (const CaseValue* allow = one.inputs.find("allow_mask")) {
    mask = mask & Mask::dense(allow->as_bits());
  }
  if (const CaseValue* lengths = one.inputs.find("key_valid_lens")) {
    const std::vector<Index> valid = lengths->as_indices();
    if (b >= valid.size()) throw InputError("key_valid_lens: expected one per batch entry");
    mask = mask & core::valid_length_mask(n, m, valid[b]);
  }
  if (const CaseValue* valid = one.params.find("key_valid_len")) {
    mask = mask & Mask::key_padding(n, m, valid->as_index());
  }
  if (const CaseValue* valid = one.params.find("query_valid_len")) {
    mask = mask & Mask::query_padding(n, m, valid->as_index());
  }
  return mask;
}

std::vector<Result> run(const ReferenceCase& one, EmptyRow empty_row = EmptyRow::zeros) {
  const Weights weights = weights_of(one);
  const std::vector<Inputs> inputs = inputs_of(one);
  std::vector<Result> results;
  for (size_t b = 0; b < inputs.size(); ++b) {
    Options options;
    options.mask = mask_of(one, b, inputs[b]);
    options.empty_row = empty_row;
    if (const CaseValue* bias = one.inputs.find("additive_mask")) {
      options.bias = {std::make_shared<const MatrixD>(bias->as_matrix())};
    }
    results.push_back(
        core::multi_head(inputs[b].query, inputs[b].key, inputs[b].value, weights, options));
  }
  return results;
}

// (batch, h, ...) of what f takes from each head.
template <class FromHead>
CaseValue per_head(const std::vector<Result>& results, FromHead f) {
  std::vector<CaseValue> batch;
  for (const Result& result : results) {
    std::vector<CaseValue> heads;
    for (const auto& head : result.heads) heads.emplace_back(MatrixD(f(head)));
    batch.push_back(CaseValue::stack(heads));
  }
  return CaseValue::stack(batch);
}

// (batch, ...) of what f takes from each entry.
template <class FromResult>
CaseValue per_entry(const std::vector<Result>& results, FromResult f) {
  std::vector<CaseValue> batch;
  for (const Result& result : results) batch.emplace_back(MatrixD(f(result)));
  return CaseValue::stack(batch);
}

CaseValue weights_per_head(const std::vector<Result>& results) {
  return per_head(results, [](const auto& head) { return head.attended.weights; });
}

CaseValue outputs(const std::vector<Result>& results) {
  return per_entry(results, [](const Result& r) { return r.output; });
}

CaseValue attention_case(const ReferenceCase& one) {
  if (!one.inputs.find("weights") || !one.inputs.find("query")) {
    throw NotCovered{"NO HANDLER, and the inputs are not those of multi-head attention"};
  }
  const std::vector<Result> results = run(one);
  CaseValue got = CaseValue::object();
  got.set("weights_per_head", weights_per_head(results));
  got.set("head_outputs", per_head(results, [](const auto& head) { return head.attended.output; }));
  got.set("concat", per_entry(results, [](const Result& r) { return r.concat; }));
  got.set("output", outputs(results));
  got.set("weights_mean_over_heads",
          per_entry(results, [](const Result& r) { return r.mean_weights(); }));
  return got;
}

// Masked keys filled by the seed's finite number, then whole rows of padded queries multiplied by
// 0, then softmax: the order that the document lists, which makes those rows uniform.
MatrixD seed_order_weights(const MatrixD& scaled, Index key_valid, Index query_valid) {
  constexpr double kSeedFill = -4294967295.0;  // -2^32 + 1
  MatrixD scores = scaled;
  scores.rightCols(scores.cols() - key_valid).setConstant(kSeedFill);
  scores.bottomRows(scores.rows() - query_valid).setZero();
  return core::softmax_rows(scores);
}

CaseValue query_padding_case(const ReferenceCase& one) {
  const std::vector<Result> results = run(one);  // refuses lengths beyond the sizes
  const Index keys = one.params.at("key_valid_len").as_index();
  const Index queries = one.params.at("query_valid_len").as_index();
  CaseValue got = CaseValue::object();
  got.set("weights_query_mask_after_softmax", weights_per_head(results));
  got.set("concat_after", per_entry(results, [](const Result& r) { return r.concat; }));
  got.set("output_after", outputs(results));
  got.set("weights_if_mask_multiplies_scores_before_softmax_as_seed_orders_it",
          per_head(results, [&](const auto& head) {
            return seed_order_weights(head.attended.scaled, keys, queries);
          }));
  return got;
}

CaseValue fully_masked_case(const ReferenceCase& one) {
  const std::vector<Result> zeros = run(one);
  const Mask mask = Mask::dense(one.inputs.at("allow_mask").as_bits());
  CaseValue got = CaseValue::object();
  got.set("weights_minus_inf_torch", weights_per_head(run(one, EmptyRow::nan)));
  got.set("weights_zero_row_convention", weights_per_head(zeros));
  got.set("weights_fill_minus_1e6", per_head(zeros, [&](const auto& head) {
            return core::filled_softmax(head.attended.scaled, mask, core::kD2lFill);
          }));
  return got;
}

double largest_difference(const MatrixD& a, const MatrixD& b) {
  return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff();
}

MatrixD permuted(const MatrixD& x, const std::vector<Index>& perm) {
  if (static_cast<Index>(perm.size()) != x.rows()) {
    throw InputError("perm: expected one row number per row, got " + std::to_string(perm.size()));
  }
  MatrixD y(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    const Index from = perm[static_cast<size_t>(i)];
    if (from < 0 || from >= x.rows()) throw InputError("perm: expected row numbers, got others");
    y.row(i) = x.row(from);
  }
  return y;
}

CaseValue permutation_case(const ReferenceCase& one) {
  const std::vector<Index> perm = one.params.at("perm").as_indices();
  const Weights weights = weights_of(one);
  std::vector<Result> plain, moved;
  double same_row = 0, broken = 0;
  for (const Inputs& in : inputs_of(one)) {
    if (in.query.rows() == 0) throw InputError("query: expected at least one row, got none");
    plain.push_back(core::multi_head(in.query, weights));
    moved.push_back(core::multi_head(permuted(in.query, perm), weights));
    const MatrixD& f_x = plain.back().output;
    const MatrixD& f_px = moved.back().output;
    same_row = std::max(same_row, largest_difference(f_px, f_x));
    broken = std::max(broken, largest_difference(f_px, permuted(f_x, perm)));
  }
  const auto pooled = [](const std::vector<Result>& results) {
    std::vector<CaseValue> rows;
    for (const Result& r : results) rows.emplace_back(VectorD(r.output.colwise().mean()));
    return CaseValue::stack(rows);
  };
  CaseValue got = CaseValue::object();
  got.set("output", outputs(plain));
  got.set("output_of_permuted_input", outputs(moved));
  got.set("max_abs_difference_same_row", same_row);
  got.set("max_abs_difference_f(PX)_minus_Pf(X)", broken);
  got.set("mean_pooled", pooled(plain));
  got.set("mean_pooled_of_permuted_input", pooled(moved));
  return got;
}

CaseValue summed_heads_case(const ReferenceCase& one) {
  const std::vector<Result> results = run(one);
  std::vector<CaseValue> summed;
  double difference = 0;
  for (const Result& result : results) {
    MatrixD scores = MatrixD::Zero(result.concat.rows(), result.heads[0].K.rows());
    for (const auto& head : result.heads) scores += head.attended.scaled;
    const MatrixD weights = core::softmax_rows(scores);
    difference = std::max(difference, largest_difference(result.mean_weights(), weights));
    summed.emplace_back(weights);
  }
  CaseValue got = CaseValue::object();
  got.set("correct_weights_per_head", weights_per_head(results));
  got.set("seed003_weights_softmax_of_sum", CaseValue::stack(summed));
  got.set("difference_of_mean_head_to_seed003", difference);
  return got;
}

// One projection of the seed's block: the heads' own layers side by side.
void join_heads(const CaseValue& heads, const std::string& name, Index h, MatrixD& W,
                std::optional<VectorD>& joined) {
  std::vector<MatrixD> columns;
  std::vector<VectorD> biases;
  Index width = 0;
  for (Index i = 0; i < h; ++i) {
    const CaseValue& layer = heads.at(name + std::to_string(i));
    columns.push_back(layer.at("W").as_matrix().transpose());
    biases.push_back(layer.at("b").as_vector());
    width += columns.back().cols();
    if (columns.back().rows() != columns[0].rows() || columns.back().cols() != columns[0].cols() ||
        biases.back().size() != columns[0].cols()) {
      throw InputError(name + ": expected heads of one shape, got several");
    }
  }
  if (h < 1) throw InputError("heads: expected at least 1, got " + std::to_string(h));
  W.resize(columns[0].rows(), width);
  VectorD& b = joined.emplace(width);
  for (Index i = 0; i < h; ++i) {
    const Index each = columns[0].cols();
    W.middleCols(i * each, each) = columns[static_cast<size_t>(i)];
    b.segment(i * each, each) = biases[static_cast<size_t>(i)];
  }
}

// Concat has index head * d_v + feature, the seed's stack(dim=-1).flatten has feature * h + head.
MatrixD interleaved(const MatrixD& concat, Index h) {
  const Index d_v = concat.cols() / h;
  MatrixD mixed(concat.rows(), concat.cols());
  for (Index i = 0; i < h; ++i) {
    for (Index c = 0; c < d_v; ++c) mixed.col(c * h + i) = concat.col(i * d_v + c);
  }
  return mixed;
}

CaseValue seed_block_case(const ReferenceCase& one) {
  const MatrixD fc = one.inputs.at("fc_weight").as_matrix().transpose();
  Weights weights;
  weights.heads = one.params.at("heads").as_index();
  const CaseValue& heads = one.inputs.at("heads");
  join_heads(heads, "query", weights.heads, weights.W_q, weights.b_q);
  join_heads(heads, "key", weights.heads, weights.W_k, weights.b_k);
  join_heads(heads, "value", weights.heads, weights.W_v, weights.b_v);
  weights.W_o = fc;
  std::vector<Result> results;
  for (const MatrixD& x : one.inputs.at("x").as_matrices()) {
    results.push_back(core::multi_head(x, weights));
  }
  const auto stacked = [&](const Result& r) { return interleaved(r.concat, weights.heads); };
  CaseValue got = CaseValue::object();
  got.set("head_outputs", per_head(results, [](const auto& head) { return head.attended.output; }));
  got.set("stacked_interleaved", per_entry(results, stacked));
  got.set("output", per_entry(results, [&](const Result& r) { return MatrixD(stacked(r) * fc); }));
  got.set("output_if_concatenated", outputs(results));
  return got;
}

CaseValue backward_case(const ReferenceCase& one) {
  const MatrixD Q = one.inputs.at("Q").as_matrix(), K = one.inputs.at("K").as_matrix();
  const MatrixD V = one.inputs.at("V").as_matrix();
  const std::string& mask = one.params.at("mask").as_text();
  core::AttentionOptionsD options;
  if (mask == "causal") {
    options.mask = Mask::causal(Q.rows(), K.rows());
  } else if (mask != "full") {
    throw InputError("mask: expected full or causal, got " + mask);
  }
  const auto forward = core::attend(Q, K, V, options);
  const auto grad = core::attend_backward(Q, K, V, forward.weights,
                                          one.inputs.at("grad_output").as_matrix(), options);
  CaseValue got = CaseValue::object();
  got.set("output", forward.output);
  got.set("weights", forward.weights);
  got.set("grad_Q", grad.Q);
  got.set("grad_K", grad.K);
  got.set("grad_V", grad.V);
  return got;
}

const Topic topic("03_multihead", {{"query_padding*", query_padding_case},
                                   {"fully_masked_row*", fully_masked_case},
                                   {"permutation_equivariance*", permutation_case},
                                   {"seed003_softmax_of_summed_heads*", summed_heads_case},
                                   {"seed004_multihead_block*", seed_block_case},
                                   {"attention_backward_*", backward_case},
                                   {"self_*", attention_case},
                                   {"cross_*", attention_case},
                                   {"*", attention_case}});

}  // namespace topic_03_multihead
}  // namespace core_check
