#include "core/model/mask_pattern.h"

#include <utility>

#include "core/refuse.h"

namespace core::model {

MaskPattern::MaskPattern(BoolMatrix allowed)
    : allowed_(std::move(allowed)), made_(std::make_unique<Made>()) {
  if (allowed_.rows() != allowed_.cols()) {
    refuse("mask", "as many keys as queries",
           std::to_string(allowed_.rows()) + " and " + std::to_string(allowed_.cols()));
  }
  for (Index i = 0; i < allowed_.rows(); ++i) {
    allowed_.row(i).tail(allowed_.cols() - i - 1).setConstant(false);
  }
}

const Mask& MaskPattern::of(Index length) const {
  if (length > longest()) {
    throw InputError(Message(N_("mask: expected at most {} tokens, as many as it covers, got {}"),
                             longest(), length));
  }
  const std::lock_guard lock(made_->one_at_a_time);
  const auto found = made_->by_length.find(length);
  if (found != made_->by_length.end()) return found->second;
  Mask mask = Mask::dense(allowed_.topLeftCorner(length, length));
  return made_->by_length.emplace(length, std::move(mask)).first->second;
}

bool MaskPattern::operator==(const MaskPattern& other) const {
  return longest() == other.longest() && (allowed_.array() == other.allowed_.array()).all();
}

}  // namespace core::model
