// Pages made in the background, with what was computed for them kept for the next.
#pragma once

#include <functional>
#include <memory>

#include "app/state/pages/computed.h"
#include "app/worker/latest_wins.h"
#include "app/worker/memory_budget.h"
#include "app/worker/runs.h"

namespace state {

struct PageRequest {
  session::Session made_from;
  std::shared_ptr<const lab::State> state;
  words::Words words;
};
using PageWorker = worker::LatestWins<PageRequest, Computed>;

// Makes pages with a memo of its own, trainings in `runs`, and no more memory than the budget: what
// other labs have computed is given up first. Both outlive the worker.
std::unique_ptr<PageWorker> page_worker(worker::MemoryBudget& memory, worker::Runs& runs,
                                        std::function<void()> wake);

}  // namespace state
