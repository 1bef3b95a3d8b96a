#include "core/decode/cached_logits.h"

#include <algorithm>

namespace core::decode {

VectorD CachedLogits::operator()(const std::vector<std::int32_t>& ids) {
  const auto differ = std::mismatch(read_.begin(), read_.end(), ids.begin(), ids.end()).first;
  // The last token is read in any case: its logits are asked for.
  const auto same = std::min(differ - read_.begin(), static_cast<std::ptrdiff_t>(ids.size()) - 1);
  const Index kept = std::max<Index>(0, same);
  decoder_.back_to(kept);
  read_.resize(static_cast<std::size_t>(kept));
  const auto logits = decoder_.read({ids.begin() + kept, ids.end()});
  read_ = ids;
  return logits.cast<double>();
}

}  // namespace core::decode
