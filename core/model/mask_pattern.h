// Which positions attend to which earlier ones, for sequences of any length up to a longest: the
// first rows and columns of one pattern.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "core/mask/mask.h"

namespace core::model {

class MaskPattern {
 public:
  // (longest, longest). Keys after the query count as not allowed.
  explicit MaskPattern(BoolMatrix allowed);

  Index longest() const { return allowed_.rows(); }
  const BoolMatrix& allowed() const { return allowed_; }
  // Mask of the first `length` tokens; it lives as long as this object. May be called from any
  // thread. InputError beyond the longest.
  const Mask& of(Index length) const;

  bool operator==(const MaskPattern& other) const;

 private:
  struct Made {
    std::mutex one_at_a_time;
    std::map<Index, Mask> by_length;
  };
  BoolMatrix allowed_;
  std::unique_ptr<Made> made_;
};

}  // namespace core::model
