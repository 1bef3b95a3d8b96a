#include "app/ui/page/differences.h"

#include <algorithm>

#include "core/parallel.h"

namespace ui {

namespace {

constexpr core::Index kAtOnce = core::Index{1} << 18;  // cells
constexpr double kCheap = 4;                           // multiply-adds a cell

bool at_once(const figure::TileSource& source) {
  const core::Index rows = source.rows(), cols = source.cols();
  const core::Region all{0, 0, rows, cols};
  return rows <= kAtOnce / std::max<core::Index>(1, cols) &&
         source.cost(0, all, core::Pool::mean) <=
             kCheap * static_cast<double>(rows) * static_cast<double>(cols);
}

}  // namespace

Differences::~Differences() {
  if (worker_) worker_->drop();
}

std::shared_ptr<const figure::Difference> Differences::of(const Source& live, const Source& held) {
  for (Pair& pair : pairs_) {
    if (pair.live != live || pair.held != held) continue;
    pair.used = true;
    return pair.made;
  }
  Pair& pair = pairs_.emplace_back(Pair{live, held});
  if (at_once(*live) && at_once(*held)) {
    pair.made = std::make_shared<const figure::Difference>(figure::difference(*live, *held));
    return pair.made;
  }
  if (!worker_) {
    // One processor is left to the window, which goes on drawing.
    const int threads = std::max(1, core::thread_count(0) - 1);
    worker_ = std::make_unique<Worker>(
        [threads](const Pair& job, const core::Cancel& cancel) -> Pair {
          try {
            return {job.live, job.held,
                    std::make_shared<const figure::Difference>(
                        figure::difference(*job.live, *job.held, cancel, threads))};
          } catch (...) {
            return {job.live, job.held};  // cancelled, or no memory: it stays unknown
          }
        },
        wake_);
  }
  worker_->add(pair);
  return nullptr;
}

void Differences::forget_others() {
  const auto unused = [](const Pair& pair) { return !pair.used; };
  if (worker_ && std::any_of(pairs_.begin(), pairs_.end(),
                             [](const Pair& pair) { return !pair.used && !pair.made; })) {
    worker_->drop();
    for (const Pair& pair : pairs_) {
      if (pair.used && !pair.made) worker_->add(pair);
    }
  }
  std::erase_if(pairs_, unused);
  for (Pair& pair : pairs_) pair.used = false;
}

long Differences::poll() {
  if (!worker_) return came_;
  for (Pair& made : worker_->take()) {
    for (Pair& pair : pairs_) {
      if (!made.made || pair.live != made.live || pair.held != made.held) continue;
      pair.made = made.made;
      ++came_;
    }
  }
  return came_;
}

}  // namespace ui
