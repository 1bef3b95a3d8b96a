#include "core/decode/cached_reading.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/attention/softmax.h"
#include "core/decode/generation_cost.h"
#include "core/tile.h"

namespace core::decode {
namespace {

// The weights on the slots of one token, by the tokens that lie there.
void keep_weights(const CachedDecoder& decoder, Index token, CachedReading& reading) {
  const model::DecoderForm& form = decoder.packed().form;
  const std::vector<Index> tokens = decoder.cache().slots().tokens_in_slots(decoder.tokens());
  for (Index l = 0; l < form.layers; ++l) {
    for (Index h = 0; h < form.layer.heads; ++h) {
      const auto weights = decoder.weights(l, h);
      Matrix& to = reading.weights[static_cast<std::size_t>(l * form.layer.heads + h)];
      for (std::size_t s = 0; s < tokens.size(); ++s) {
        to(token, tokens[s]) = weights(static_cast<Index>(s));
      }
    }
  }
}

void keep_cache(const CachedDecoder& decoder, Index n, CachedReading& reading) {
  const model::DecoderForm& form = decoder.packed().form;
  const std::vector<Index> tokens = decoder.cache().slots().tokens_in_slots(decoder.tokens());
  const Index width = form.layer.d_model / form.layer.heads;
  for (Index l = 0; l < form.layers; ++l) {
    for (Index h = 0; h < form.layer.key_heads; ++h) {
      Matrix keys = Matrix::Zero(n, width), values = Matrix::Zero(n, width);
      for (std::size_t s = 0; s < tokens.size(); ++s) {
        const Index row = decoder.cache().first_row(h) + static_cast<Index>(s);
        decoder.cache().keys(l).read(row, keys.row(tokens[s]).data());
        decoder.cache().values(l).read(row, values.row(tokens[s]).data());
      }
      reading.keys.push_back(std::move(keys));
      reading.values.push_back(std::move(values));
    }
  }
}

}  // namespace

CachedReading read_with_cache(const std::shared_ptr<const PackedDecoder>& packed,
                              const CacheForm& cache, const std::vector<std::int32_t>& ids,
                              const Cancel& cancel, int threads) {
  CachedDecoder decoder(packed, {.cache = cache, .keep_weights = true, .threads = threads});
  const model::DecoderForm& form = packed->form;
  const auto n = static_cast<Index>(ids.size());
  CachedReading reading;
  reading.logits.resize(n, form.vocabulary);
  reading.log_p.resize(n, form.vocabulary);
  reading.weights.assign(static_cast<std::size_t>(form.layers * form.layer.heads),
                         Matrix::Constant(n, n, kMasked));
  for (Index t = 0; t < n; ++t) {
    cancel.poll();
    cancel.progress(static_cast<float>(t) / static_cast<float>(n));
    reading.logits.row(t) = decoder.read(ids.data() + t, 1).transpose();
    reading.log_p.row(t) =
        log_softmax<double>(reading.logits.row(t).transpose().cast<double>()).transpose();
    keep_weights(decoder, t, reading);
    reading.bytes.push_back(cache_bytes(form, cache, t + 1));
  }
  keep_cache(decoder, n, reading);
  return reading;
}

Index likeliest(const CachedReading& reading, Index token) {
  Index best = 0;
  reading.log_p.row(token).maxCoeff(&best);
  return best;
}

ReadingsApart apart(const CachedReading& exact, const CachedReading& other) {
  ReadingsApart all;
  const Index n = exact.logits.rows();
  for (Index t = 0; t < n; ++t) {
    all.logit.push_back(
        static_cast<double>((exact.logits.row(t) - other.logits.row(t)).cwiseAbs().maxCoeff()));
    const auto p = exact.log_p.row(t).array();
    // Rounding of sums can leave it just below 0.
    const double sum = (p.exp() * (p - other.log_p.row(t).array())).sum();
    all.divergence.push_back(std::isnan(sum) ? sum : std::max(0.0, sum));
    all.mean_divergence += all.divergence.back() / static_cast<double>(n);
    all.changed += likeliest(exact, t) != likeliest(other, t);
  }
  return all;
}

}  // namespace core::decode
