// One pass of an encoder-decoder in double, with everything kept: each activation by its name, the
// loss, and on request the gradient of the loss with respect to each of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/model/sublayer_names.h"

namespace core::model {

// Token ids of one sequence each. The target is shifted by one step, behind a start token; `next`
// has the token that follows each of its tokens, as many.
struct PassIds {
  std::vector<std::int32_t> source, target, next;
};

struct EncoderDecoderPass {
  EncoderDecoderForm form;
  PassIds ids;
  Layout layout;
  EncoderDecoder model;
  std::vector<double> values;  // of the parameters, in the order of the layout
  std::map<std::string, Traced<double>, std::less<>> trace;
  double loss = 0;  // nats: the mean of -log p of what comes next
  // The same pass with the gradient of the loss in place of each number, where there is one; null
  // when the loss was not differentiated.
  std::shared_ptr<const EncoderDecoderPass> gradients = {};

  Index heads() const { return form.layer.heads; }
  Index key_heads() const { return form.layer.key_heads; }
  Index d_k() const { return form.layer.d_model / heads(); }
  bool has(const std::string& name) const { return trace.find(name) != trace.end(); }

  // (tokens, width) of an activation. InputError for an unknown name, here and below.
  MatrixD tokens(const std::string& name) const;
  // The columns of one head of "queries", "keys", "values" or "heads", (tokens, d_k). Query heads
  // that share a key head get the same keys and values.
  MatrixD head_columns(const std::string& name, Index head) const;
  // One head's matrix (n, m) of "weights", "bias", ...; empty when the pass has no such name.
  MatrixD head(const std::string& name, Index head) const;
  // A learned matrix; a vector as one row.
  MatrixD parameter(const std::string& name) const;

  // q k^T / sqrt(d_k) and the bias of positions, before mask and softmax, (n, m). `attention` is
  // SublayerNames::prefix of an attention, here and below.
  MatrixD scores(const std::string& attention, Index head) const;
  // Gradients of the loss with respect to a head's weights w and to its scores s, (n, m), where w =
  // softmax(s) by rows and the head's output is o = (w f) v, with f URPE's factors or 1. For
  // differentiated passes only.
  MatrixD weight_gradients(const std::string& attention, Index head) const;
  MatrixD score_gradients(const std::string& attention, Index head) const;
};

// Initial values of the model for that seed, and one pass. InputError for sequences longer than the
// positions and for ids beyond the vocabulary; Cancelled.
EncoderDecoderPass run_pass(const EncoderDecoderForm& form, const PassIds& ids, std::uint64_t seed,
                            bool differentiate, const Cancel& cancel = {});

}  // namespace core::model
