// One pass of an encoder-decoder in double, taken apart: every activation by its name, the loss,
// and on request the loss's gradient by each of them and by what a trace does not keep.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/model/sublayer_names.h"

namespace core::model {

// Ids of one sequence each: the target is read one step late, behind a start, and `next` is what
// follows each of its tokens, as many.
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
  // The same with the loss's gradient by each number in its place, but for what has none; null: the
  // loss was not differentiated.
  std::shared_ptr<const EncoderDecoderPass> gradients = {};

  Index heads() const { return form.layer.heads; }
  Index key_heads() const { return form.layer.key_heads; }
  Index d_k() const { return form.layer.d_model / heads(); }
  bool has(const std::string& name) const { return trace.find(name) != trace.end(); }

  // Here and below InputError for a name that there is not. (tokens, width) of an activation:
  MatrixD tokens(const std::string& name) const;
  // of "queries", "keys", "values" or "heads" the columns of one head, (tokens, d_k): of keys and
  // values those of the head that it shares.
  MatrixD head_columns(const std::string& name, Index head) const;
  // One head's matrix (n, m) of "weights", "bias", ...; an empty one where there is no such name.
  MatrixD head(const std::string& name, Index head) const;
  // A matrix that is learned; of a vector the one row.
  MatrixD parameter(const std::string& name) const;

  // q k^T / sqrt(d_k) and the bias of positions, before mask and softmax, (n, m). `attention` is
  // SublayerNames::prefix of an attention, here and below.
  MatrixD scores(const std::string& attention, Index head) const;
  // The loss's gradient by a head's weights w and by its scores s, (n, m), of o = (w f) v, f being
  // URPE's factors or 1, and w = softmax(s) by rows; differentiated passes only.
  MatrixD weight_gradients(const std::string& attention, Index head) const;
  MatrixD score_gradients(const std::string& attention, Index head) const;
};

// The model's start with that seed, and the pass. InputError for sequences longer than the
// positions and for ids beyond the vocabulary; Cancelled.
EncoderDecoderPass run_pass(const EncoderDecoderForm& form, const PassIds& ids, std::uint64_t seed,
                            bool differentiate, const Cancel& cancel = {});

}  // namespace core::model
