// The difference of two tables, made once for each pair: small ones at once, large ones in the
// background.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/figure/ghost.h"
#include "app/worker/in_order.h"

namespace ui {

class Differences {
 public:
  using Source = std::shared_ptr<const figure::TileSource>;
  explicit Differences(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~Differences();
  Differences(const Differences&) = delete;
  Differences& operator=(const Differences&) = delete;

  // Null while it is made.
  std::shared_ptr<const figure::Difference> of(const Source& live, const Source& held);
  // Forgets the pairs that were not asked for since the last call, and what is still made of them.
  void forget_others();
  // Takes over what was made; the number of what came so far.
  long poll();
  bool busy() const { return worker_ && worker_->busy(); }

 private:
  struct Pair {
    Source live, held;
    std::shared_ptr<const figure::Difference> made = {};
    bool used = true;
  };
  std::function<void()> wake_;
  std::vector<Pair> pairs_;
  long came_ = 0;
  using Worker = worker::InOrder<Pair, Pair>;
  std::unique_ptr<Worker> worker_;  // none before a large table comes
};

}  // namespace ui
