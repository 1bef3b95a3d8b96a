// The logits of the token after a text, asked for again and again and in any order: what searches
// and samples of core/decode ask a published model.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/checkpoint/generation.h"

namespace core::checkpoint {

struct CachedLogitsOptions {
  Index most_bytes = Index{1} << 28;  // of logits that are kept; the oldest go first
  int threads = 0;                    // 0: all cores
};

// All texts begin with the prompt, which is read at once; what was written behind it is read token
// by token. So the bits of logits hang on the text alone, and not on what was asked before: of a
// text that begins as the last one did the rest is read, and logits that are kept are not computed
// again. Callable from any thread, one after another.
class CachedLogits {
 public:
  // InputError as Generation says, and for a prompt that the model cannot read.
  CachedLogits(std::shared_ptr<const Model> model, std::vector<std::int32_t> prompt,
               const CachedLogitsOptions& options = {});

  // (vocabulary). `ids`: the prompt and what was written. InputError for a text that begins
  // otherwise, and as Generation::read. After Cancelled it may be asked again.
  VectorD operator()(const std::vector<std::int32_t>& ids, const Cancel& cancel = {});

  Index bytes_kept() const;

 private:
  using Ids = std::vector<std::int32_t>;

  Index shared_with(const Ids& ids) const;
  void keep(const Ids& ids, const Vector& logits);

  Ids prompt_;
  CachedLogitsOptions options_;
  mutable std::mutex mutex_;
  Generation generation_;
  std::map<Ids, Vector> kept_;
  std::deque<Ids> order_;  // in which they were kept
  Index bytes_ = 0;
};

}  // namespace core::checkpoint
