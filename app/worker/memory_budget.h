// One budget for all that is held so that it need not be made again: what labs have computed, tiles
// of heatmaps, states of trainings.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>

namespace worker {

class MemoryBudget {
 public:
  using InUse = std::function<std::size_t()>;
  // Gives up at least so many bytes, or what there is that nobody looks at.
  using GiveUp = std::function<void(std::size_t bytes)>;

  // `in_use` tells what the process holds, of whatever kind; it is asked from several threads.
  MemoryBudget(std::size_t bytes, InUse in_use) : bytes_(bytes), in_use_(std::move(in_use)) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  std::size_t bytes() const { return bytes_; }
  void set(std::size_t bytes) { bytes_ = bytes; }
  // How many bytes too many are held.
  std::size_t excess() const {
    const std::size_t used = in_use_(), most = bytes_;
    return used > most ? used - most : 0;
  }

  // Somebody who holds what can be made again, while this lives. The budget lives longer.
  class Holder {
   public:
    Holder(MemoryBudget& budget, GiveUp give_up) : budget_(budget) {
      const std::scoped_lock lock(budget_.mutex_);
      budget_.holders_.push_front(std::move(give_up));
      place_ = budget_.holders_.begin();
    }
    ~Holder() {
      const std::scoped_lock lock(budget_.mutex_);
      budget_.holders_.erase(place_);
    }
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;

   private:
    MemoryBudget& budget_;
    std::list<GiveUp>::iterator place_;
  };
  // Has one holder after the other give up until there is no excess; who came last begins. Holders
  // neither come nor go meanwhile.
  void keep() {
    const std::scoped_lock lock(mutex_);
    for (const GiveUp& give_up : holders_) {
      const std::size_t bytes = excess();
      if (bytes == 0) return;
      give_up(bytes);
    }
  }

 private:
  std::atomic<std::size_t> bytes_;
  InUse in_use_;
  std::mutex mutex_;
  std::list<GiveUp> holders_;
};

}  // namespace worker
