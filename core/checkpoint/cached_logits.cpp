#include "core/checkpoint/cached_logits.h"

#include <algorithm>

#include "core/refuse.h"

namespace core::checkpoint {

CachedLogits::CachedLogits(std::shared_ptr<const Model> model, std::vector<std::int32_t> prompt,
                           const CachedLogitsOptions& options)
    : prompt_(std::move(prompt)),
      options_(options),
      generation_(std::move(model), {.keep_layers = false, .threads = options.threads}) {
  generation_.model().check({.tokens = prompt_});
}

// How many tokens of the text that was read can be used: none, or the prompt and more. The last
// token is read in any case, for its logits are asked for.
Index CachedLogits::shared_with(const Ids& ids) const {
  const Ids& read = generation_.ids();
  const auto differ = std::mismatch(read.begin(), read.end(), ids.begin(), ids.end()).first;
  const auto same = std::min(differ - read.begin(), static_cast<std::ptrdiff_t>(ids.size()) - 1);
  // What was turned for a longer text would be read anew in other pieces.
  const auto& rotary = generation_.model().facts().positions.rotary;
  const bool anew =
      rotary && rotary->depends_on_length() && same < static_cast<std::ptrdiff_t>(read.size());
  return anew || same < static_cast<std::ptrdiff_t>(prompt_.size()) ? 0 : same;
}

void CachedLogits::keep(const Ids& ids, const Vector& logits) {
  const auto bytes = logits.size() * static_cast<Index>(sizeof(float));
  if (!kept_.try_emplace(ids, logits).second) return;
  order_.push_back(ids);
  bytes_ += bytes;
  while (bytes_ > options_.most_bytes && order_.size() > 1) {
    kept_.erase(order_.front());
    order_.pop_front();
    bytes_ -= bytes;
  }
}

VectorD CachedLogits::operator()(const Ids& ids, const Cancel& cancel) {
  const std::lock_guard lock(mutex_);
  if (ids.size() < prompt_.size() || !std::equal(prompt_.begin(), prompt_.end(), ids.begin())) {
    refuse("logits", "a text that begins with the prompt", "another");
  }
  if (const auto known = kept_.find(ids); known != kept_.end()) return known->second.cast<double>();
  generation_.back_to(shared_with(ids));
  const Cancel quiet = cancel.without_progress();
  while (generation_.tokens() < static_cast<Index>(ids.size())) {
    const auto read = static_cast<std::size_t>(generation_.tokens());
    const Ids fresh = read == 0 ? prompt_ : Ids{ids[read]};
    keep({ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(read + fresh.size())},
         generation_.read(fresh, quiet));
  }
  return kept_.at(ids).cast<double>();
}

Index CachedLogits::bytes_kept() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace core::checkpoint
