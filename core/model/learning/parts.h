// A batch in parts that are computed side by side. The parts do not depend on the number of threads
// and are added up in order, so any number of threads gives the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/model/learning/tape.h"
#include "core/parallel.h"
#include "core/random.h"

namespace core::model {

// Memory for a step's gradients. It is kept from step to step, which then allocates nothing.
class Parts {
 public:
  struct Sum {
    double loss = 0;
    Index hits = 0;
  };

  // Sets gradient(), layout.size() numbers, to the gradient of the sum over parts of loss_of(tape,
  // part, hits), a 1 by 1 tensor; loss_of may count `hits`. The dropout of a part is drawn from
  // `seed` and its number. beside() runs meanwhile.
  template <class LossOf, class Beside>
  Sum gradients(Index size, const float* values, Index parts, std::uint64_t seed, int threads,
                LossOf loss_of, Beside beside) {
    prepare(size, parts);
    parallel_for(parts + 1, threads, [&](Index k, int) {
      if (k == parts) return beside();
      empty(k);
      piece(values, k, k, seed, loss_of);
    });
    return add_up(parts, threads);
  }
  template <class LossOf>
  Sum gradients(Index size, const float* values, Index parts, std::uint64_t seed, int threads,
                LossOf loss_of) {
    return gradients(size, values, parts, seed, threads, loss_of, [] {});
  }
  // The same of parts that are computed in `pieces`, one after another, in the memory of one: the
  // loss is that of loss_of(tape, piece, hits), and part k has the pieces from k pieces on.
  template <class LossOf>
  Sum gradients_in_pieces(Index size, const float* values, Index parts, Index pieces,
                          std::uint64_t seed, int threads, LossOf loss_of) {
    prepare(size, parts);
    parallel_for(parts, threads, [&](Index k, int) {
      empty(k);
      for (Index j = 0; j < pieces; ++j) piece(values, k, k * pieces + j, seed, loss_of);
    });
    return add_up(parts, threads);
  }
  const float* gradient() const { return parts_.front()->gradients.data(); }

 private:
  struct One {
    Tape<float> tape;
    std::vector<float> gradients;
    Sum sum;
  };
  void prepare(Index size, Index parts);
  void empty(Index part) {
    One& one = *parts_[static_cast<std::size_t>(part)];
    std::fill(one.gradients.begin(), one.gradients.end(), 0.0F);
    one.sum = {};
  }
  // Adds a piece to a part.
  template <class LossOf>
  void piece(const float* values, Index part, Index number, std::uint64_t seed,
             const LossOf& loss_of) {
    One& one = *parts_[static_cast<std::size_t>(part)];
    const Pass pass{.train = true,
                    .dropout = stream_seed(seed, static_cast<std::uint64_t>(number))};
    one.tape.begin(values, one.gradients.data(), pass);
    Index hits = 0;
    const Tensor<float> loss = loss_of(one.tape, number, hits);
    one.tape.backward(loss);
    one.sum.loss += *loss.value;
    one.sum.hits += hits;
  }
  Sum add_up(Index parts, int threads);

  std::vector<std::unique_ptr<One>> parts_;
};

// A pool of workplaces of one kind: as many are made as are in use at once.
template <class Place>
class ObjectPool {
 public:
  // Returns the workplace to the pool when it is destroyed.
  class Use {
   public:
    explicit Use(ObjectPool& from) : from_(from), place_(from.take()) {}
    ~Use() { from_.give_back(std::move(place_)); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    Place& operator*() const { return *place_; }
    Place* operator->() const { return place_.get(); }

   private:
    ObjectPool& from_;
    std::unique_ptr<Place> place_;
  };

 private:
  std::unique_ptr<Place> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Place>();
    std::unique_ptr<Place> place = std::move(free_.back());
    free_.pop_back();
    return place;
  }
  void give_back(std::unique_ptr<Place> place) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(place));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Place>> free_;
};

}  // namespace core::model
