// Trainings, each on a thread of its own. A run is known by its task; what is not in the task never
// disturbs it. Of each name one run goes on at a time, towards its goal; the others wait with what
// they came to, so that going back costs nothing, until the memory for states is needed.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/labs/training.h"
#include "app/worker/timeline.h"

namespace worker {

enum class RunState {
  training,  // steps are being made
  paused,    // by a person
  waiting,   // the goal is reached, or another task has the name
  stopped    // a step came to something that is no state: `fault`
};

// Status of a run, for people.
struct RunStatus {
  std::string name;
  RunState state = RunState::waiting;
  Index reached = -1, goal = 0;  // -1: it has not begun
  double steps_per_s = 0;        // lately; 0: not known
  double seconds_left = 0;       // 0: not known, or nothing is left
  core::Message fault;
};

// "training stopped after step 3: ..."; of one that has stopped.
core::Message why_stopped(const RunStatus& run);

class Runs final : public lab::Runs {
 public:
  struct Options {
    std::size_t budget = std::size_t{256} << 20;  // bytes of kept states, of all runs
    int threads = 0;                              // of each step; 0: all cores
    // How long `at` waits for the goal before it answers with what there is.
    std::chrono::milliseconds patience = std::chrono::milliseconds(30);
    std::function<void()> wake = {};  // called from the threads, some thirty times a second
  };
  // Patience that waits for the goal however long it takes.
  static constexpr auto kPatient = std::chrono::milliseconds::max();

  explicit Runs(Options options);
  ~Runs() override;
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  lab::Snapshot at(const std::string& name, std::shared_ptr<const lab::Task> task, Index goal,
                   Index step, const core::Cancel& cancel) override;

  // These act on the run that has the name now. Nothing happens when there is none.
  void pause(const std::string& name);
  void go_on(const std::string& name);
  void step(const std::string& name);  // one more, then it is paused
  void drop(const std::string& name);  // forgets all of it; asked for again it begins anew

  // Status of every name's own run, in the order in which they were first asked for.
  std::vector<RunStatus> status() const;
  bool training() const;  // some run makes steps
  // Counts the steps and changes of state of the runs of a name.
  long version(const std::string& name) const;
  long steps_made() const { return steps_made_; }  // really, replayed ones too
  std::size_t bytes() const;                       // of kept states
  void set_budget(std::size_t bytes);
  // Gives up kept states of at least so many bytes, where there are; they can be made again.
  void give_up(std::size_t bytes);

 private:
  struct One;
  using Lock = std::unique_lock<std::mutex>;

  std::shared_ptr<One> own(const std::string& name) const;
  std::shared_ptr<One> find(const std::string& name, const std::shared_ptr<const lab::Task>& task,
                            std::vector<std::shared_ptr<One>>& forgotten);
  bool going(const One& run) const;
  void start(One& run);
  void work(One& run, const std::stop_token& quit);
  void make_step(One& run, const lab::Run& how, Lock& lock);
  void keep_budget(One& now);
  std::size_t held() const;
  std::shared_ptr<const lab::Training> state_at(One& run, Index step, const core::Cancel& cancel,
                                                Lock& lock);
  std::shared_ptr<const lab::Training> replayed(const lab::Task& task, Index from,
                                                const lab::Training* state, Index step,
                                                const core::Cancel& cancel);
  void changed(const std::string& name, bool important);

  Options options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<One>> runs_;  // the one asked for last at the end
  std::vector<std::string> names_;
  std::map<std::string, long> versions_;
  std::atomic<long> steps_made_ = 0;
  std::chrono::steady_clock::time_point woken_{};
};

}  // namespace worker
