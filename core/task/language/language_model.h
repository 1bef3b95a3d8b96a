// A language model as published ones are made: root mean square norms first, rotary heads, a gated
// feed-forward network, and the embedding as output layer (Touvron et al. 2023, arXiv:2302.13971,
// section 2.2; Press and Wolf 2017). To compare them, other schemes of positions may stand in the
// place of rotary heads.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/transformer_parts.h"

namespace core::task {

struct LanguageForm {
  Index vocabulary = 4096, width = 256, layers = 6, heads = 8, feed_forward = 704;
  Index context = 256;  // the longest text that it learns from
  double base = 10000;  // of the rotations
  double dropout = 0;   // of what each part adds, and of embedded tokens
  model::Scheme scheme = model::Scheme::rotary;
  Index buckets = 32, farthest = 128;  // of T5's bias

  bool operator==(const LanguageForm&) const = default;
};

struct LanguageModel {
  struct Block {
    model::RmsNorm before_attention, before_mlp;
    model::MultiHead attention;
    model::FeedForward mlp;
  };
  LanguageForm form;
  model::Layout layout;
  model::Slot embedding;  // (vocabulary, width)
  std::vector<Block> blocks;
  model::RmsNorm last;
  model::HeadPositions positions;
  // Sinusoids are divided by sqrt(width), where Vaswani et al. multiply embeddings by it: the norms
  // see the same sum.
  model::AddedPositions added;

  // InputError where heads do not share out the width evenly, into an even width each, and for
  // schemes that are more than a change of embeddings or heads.
  explicit LanguageModel(const LanguageForm& form);

  // Logits of the next token at each position, (rows, vocabulary). ids (rows) lie in [0,
  // vocabulary) and live as long as the pass; sequences are no longer than the context. InputError
  // otherwise.
  template <class S>
  model::Tensor<S> operator()(model::Tape<S>& tape, const std::int32_t* ids,
                              const model::Sequences& sequences) const;

 private:
  Block block(const model::Scope& scope) const;
};

extern template model::Tensor<float> LanguageModel::operator()(model::Tape<float>&,
                                                               const std::int32_t*,
                                                               const model::Sequences&) const;
extern template model::Tensor<double> LanguageModel::operator()(model::Tape<double>&,
                                                                const std::int32_t*,
                                                                const model::Sequences&) const;

}  // namespace core::task
