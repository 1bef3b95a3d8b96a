// History of a training: the scalars of every step, and states from which the others are made
// again, step by step, to the same bits.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "app/labs/training.h"

namespace worker {

using core::Index;

class Timeline {
 public:
  // Step `reached() + 1` has these scalars.
  void add(std::vector<double> scalars) { scalars_.push_back(std::move(scalars)); }
  Index reached() const { return static_cast<Index>(scalars_.size()) - 1; }
  const std::vector<std::vector<double>>& scalars() const { return scalars_; }

  // Whether the state of this step is worth keeping: of the first ones each, of later ones every
  // fourth (to copy one costs a tenth of a quick step, to make three again nobody sees), or every
  // sixteenth where there is much to copy, of large ones fewer from the beginning (they would soon
  // have to be given up), and in the end every stride_-th.
  bool wants(Index step) const {
    return step % std::max(stride_, large_) == 0 && (step <= kEachOf || step % later_ == 0);
  }
  void keep(Index step, std::shared_ptr<const lab::Training> state);
  // The kept state at this step or before it, and its step; null when there is none.
  std::pair<Index, std::shared_ptr<const lab::Training>> before(Index step) const;

  std::size_t bytes() const { return bytes_; }
  // Gives states up until no more than this is kept: every second one, then every second of these,
  // and at last all.
  void thin(std::size_t most);

 private:
  static constexpr Index kEachOf = 64;
  static constexpr std::size_t kMuchBytes = std::size_t{1} << 18,
                               kLargeBytes = std::size_t{4} << 20;

  void drop(Index step);

  std::vector<std::vector<double>> scalars_;
  struct Kept {
    std::shared_ptr<const lab::Training> state;
    std::size_t bytes;
  };
  std::map<Index, Kept> kept_;
  Index stride_ = 1, large_ = 1, later_ = 4;
  std::size_t bytes_ = 0;
};

}  // namespace worker
