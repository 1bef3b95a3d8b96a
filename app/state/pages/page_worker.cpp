#include "app/state/pages/page_worker.h"

#include <chrono>
#include <utility>

#include "app/paper/style/colors.h"

namespace state {

namespace {

// The runs, and which of them a page asked for.
class Asked final : public lab::Runs {
 public:
  explicit Asked(worker::Runs& runs) : runs_(runs) {}

  lab::Snapshot at(const std::string& name, std::shared_ptr<const lab::Task> task, core::Index goal,
                   core::Index step, const core::Cancel& cancel) override {
    asked.emplace_back(name, runs_.version(name));
    lab::Snapshot snapshot = runs_.at(name, std::move(task), goal, step, cancel);
    going = going || snapshot.going;
    return snapshot;
  }

  std::vector<std::pair<std::string, long>> asked;
  bool going = false;

 private:
  worker::Runs& runs_;
};

double ms_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began)
      .count();
}

}  // namespace

// The memos live with the worker's function: they are touched by its thread alone.
std::unique_ptr<PageWorker> page_worker(worker::MemoryBudget& memory, worker::Runs& runs,
                                        std::function<void()> wake) {
  auto memos = std::make_shared<lab::Memos>();
  const auto make = [memos, &memory, &runs](const PageRequest& request, const core::Cancel& cancel,
                                            const PageWorker::Publish& publish) {
    const auto began = std::chrono::steady_clock::now();
    Asked asked(runs);
    const auto computed = [&](lab::Page page, bool whole) {
      paper::recolor(page, request.made_from.figures.colors, request.words);
      return Computed{
          request.made_from, request.words.language(), std::move(page), ms_since(began), whole,
          asked.asked};
    };
    const lab::Context context{cancel,
                               request.words,
                               memos->of(request.made_from.lab),
                               [&](lab::Page part) { publish(computed(std::move(part), false)); },
                               0,
                               &asked};
    lab::Page page = request.state->compute(context);
    while (memory.excess() > 0 && memos->forget_oldest()) {
    }
    memory.keep();
    return computed(std::move(page), !asked.going);
  };
  return std::make_unique<PageWorker>(make, std::move(wake));
}

}  // namespace state
