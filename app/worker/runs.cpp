#include "app/worker/runs.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "app/worker/copies.h"

namespace worker {

using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kMostOfAName = 8;  // runs that are kept, the one that goes on among them
// A page is seldom sooner; each wake has the window drawn, which takes its time from the training.
constexpr auto kBetweenWakes = std::chrono::milliseconds(80);
constexpr auto kBetweenPolls = std::chrono::milliseconds(5);  // of whether `at` is cancelled
constexpr auto kLately = std::chrono::seconds(1);

}  // namespace

core::Message why_stopped(const RunStatus& run) {
  return core::Message(N_("training stopped after step {}: {}"), std::max<Index>(0, run.reached),
                       run.fault);
}

struct Runs::One {
  std::string name;
  std::shared_ptr<const lab::Task> task;
  Timeline timeline = {};
  std::unique_ptr<lab::Training> live =
      {};  // at timeline.reached(); with the thread while it steps
  Copies copies = {};
  Index goal = 0;
  Index most = -1;  // while paused: where it stops again
  bool paused = false, working = false;
  bool copying = false;  // of the newest state a copy is being made
  bool wanted = false;   // somebody wants to see the newest state
  // The step that was copied last, for the timeline or for who wanted it.
  Index newest_step = -1;
  std::shared_ptr<const lab::Training> newest = {};
  // What was shown last, whatever the budget: pages of the same step are made of the same state.
  Index shown_step = -1;
  std::shared_ptr<const lab::Training> shown = {};
  core::Message fault = {};
  std::deque<std::pair<Clock::time_point, Index>> lately = {};
  std::jthread thread = {};  // last: it joins before the rest dies

  Index reached() const { return timeline.reached(); }
};

Runs::Runs(Options options) : options_(std::move(options)) {}

Runs::~Runs() {
  std::vector<std::shared_ptr<One>> ending;
  {
    const Lock lock(mutex_);
    ending = std::exchange(runs_, {});
  }
  for (const auto& run : ending) run->thread.request_stop();
}

// --- which run

std::shared_ptr<Runs::One> Runs::own(const std::string& name) const {
  const auto found = std::find_if(runs_.rbegin(), runs_.rend(),
                                  [&](const auto& run) { return run->name == name; });
  return found == runs_.rend() ? nullptr : *found;
}

// The run of the task, which is then the name's own. `forgotten` takes what has to go: it may be
// destroyed when no lock is held.
std::shared_ptr<Runs::One> Runs::find(const std::string& name,
                                      const std::shared_ptr<const lab::Task>& task,
                                      std::vector<std::shared_ptr<One>>& forgotten) {
  const auto same = [&](const auto& run) { return run->name == name && run->task->equals(*task); };
  const auto found = std::find_if(runs_.begin(), runs_.end(), same);
  if (found != runs_.end()) {
    std::rotate(found, found + 1, runs_.end());
    return runs_.back();
  }
  runs_.push_back(std::make_shared<One>(One{.name = name, .task = task}));
  if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
  const auto of_name = [&](const auto& run) { return run->name == name; };
  if (std::count_if(runs_.begin(), runs_.end(), of_name) > std::ptrdiff_t{kMostOfAName}) {
    const auto oldest = std::find_if(runs_.begin(), runs_.end(), of_name);
    forgotten.push_back(std::move(*oldest));
    runs_.erase(oldest);
  }
  return runs_.back();
}

bool Runs::going(const One& run) const {
  if (!run.fault.empty() || run.reached() >= run.goal) return false;
  if (run.paused && run.reached() >= run.most) return false;
  const auto now = own(run.name);
  return now.get() == &run;
}

// --- steps

void Runs::start(One& run) {
  if (run.working || !going(run)) return;
  run.working = true;
  run.lately.clear();
  run.thread = std::jthread([this, &run](const std::stop_token& quit) { work(run, quit); });
}

void Runs::work(One& run, const std::stop_token& quit) {
  const lab::Run how{core::Cancel(quit), options_.threads};
  run.copies.reuse(true);
  Lock lock(mutex_);
  try {
    while (!quit.stop_requested() && going(run)) make_step(run, how, lock);
  } catch (const core::Cancelled&) {
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    run.fault = core::caught();
  }
  if (!lock.owns_lock()) lock.lock();
  run.working = run.copying = false;
  run.copies.reuse(false);
  changed(run.name, true);
}

// The beginning, or one step on. The lock is given away meanwhile.
void Runs::make_step(One& run, const lab::Run& how, Lock& lock) {
  std::unique_ptr<lab::Training> state = std::move(run.live);
  const bool beginning = run.reached() < 0;
  lock.unlock();
  if (beginning) {
    state = run.task->begin(how);
  } else {
    state->step(how);
    ++steps_made_;
  }
  core::Message fault = state->fault();
  std::vector<double> scalars = state->scalars();
  lock.lock();
  if (!fault.empty()) {
    run.fault = std::move(fault);
    return changed(run.name, true);
  }
  run.timeline.add(std::move(scalars));
  const bool keeps = run.timeline.wants(run.reached()) || !going(run);
  if (keeps || run.wanted) {
    run.wanted = false;
    run.copying = true;
    lock.unlock();
    std::shared_ptr<const lab::Training> copy = run.copies.of(*state);
    lock.lock();
    run.copying = false;
    run.newest_step = run.reached();
    run.newest = copy;
    if (keeps) {
      run.timeline.keep(run.reached(), std::move(copy));
      keep_budget(run);
    }
  }
  run.live = std::move(state);
  run.lately.emplace_back(Clock::now(), run.reached());
  while (run.lately.size() > 2 && run.lately.front().first < Clock::now() - kLately) {
    run.lately.pop_front();
  }
  changed(run.name, false);
}

void Runs::changed(const std::string& name, bool important) {
  ++versions_[name];
  changed_.notify_all();
  const auto now = Clock::now();
  if (!options_.wake || (!important && now - woken_ < kBetweenWakes)) return;
  woken_ = now;
  options_.wake();
}

// States of the runs asked for longest ago go first.
void Runs::keep_budget(One& now) {
  std::size_t all = held();
  for (const auto& run : runs_) {
    if (all <= options_.budget) return;
    if (run.get() == &now) continue;
    all -= run->timeline.bytes();
    run->timeline.thin(0);
  }
  if (all > options_.budget) {
    const std::size_t others = all - now.timeline.bytes();
    now.timeline.thin(options_.budget - std::min(options_.budget, others));
  }
}

// --- asking

lab::Snapshot Runs::at(const std::string& name, std::shared_ptr<const lab::Task> task, Index goal,
                       Index step, const core::Cancel& cancel) {
  std::vector<std::shared_ptr<One>> forgotten;  // they and the run outlive the lock
  std::shared_ptr<One> run;
  Lock lock(mutex_);
  run = find(name, task, forgotten);
  run->goal = std::max(goal, step);
  start(*run);
  const auto asked = Clock::now();
  const auto patient = [&] {
    return options_.patience == kPatient || Clock::now() - asked < options_.patience;
  };
  // A copy that is being made is waited for: without it the step would be made again.
  while (run->working && (run->reached() < 0 || run->copying || (going(*run) && patient()))) {
    if (run->goal > 0) {
      cancel.progress(static_cast<float>(std::max<Index>(0, run->reached())) /
                      static_cast<float>(run->goal));
    }
    changed_.wait_for(lock, kBetweenPolls);
    cancel.poll();
  }
  lab::Snapshot snapshot;
  const Index last = std::min(run->reached(), run->goal);
  const auto& scalars = run->timeline.scalars();
  snapshot.scalars = {scalars.begin(), scalars.begin() + last + 1};
  snapshot.going = going(*run);
  if (run->reached() <= run->goal) snapshot.fault = run->fault;
  if (last < 0) return snapshot;
  snapshot.step = std::min(step, last);
  if (snapshot.going && step > last) {
    run->wanted = true;
    std::tie(snapshot.step, snapshot.state) = run->timeline.before(last);
    if (run->newest && snapshot.step <= run->newest_step && run->newest_step <= last) {
      snapshot.step = run->newest_step, snapshot.state = run->newest;
    }
    if (snapshot.state) return snapshot;
  }
  snapshot.state = state_at(*run, snapshot.step, cancel, lock);
  return snapshot;
}

// The state of a step that was made: the kept one, or made again. The lock is given away meanwhile.
std::shared_ptr<const lab::Training> Runs::state_at(One& run, Index step,
                                                    const core::Cancel& cancel, Lock& lock) {
  if (step == run.shown_step) return run.shown;
  if (step == run.newest_step) return run.newest;
  auto [from, state] = run.timeline.before(step);
  if (!state || from != step) {
    if (run.live && step == run.reached()) {
      state = run.live->clone();
    } else {
      lock.unlock();
      state = replayed(*run.task, from, state.get(), step, cancel);
      lock.lock();
    }
    run.timeline.keep(step, state);
    keep_budget(run);
  }
  run.shown_step = step;
  run.shown = state;
  return state;
}

// From the state of step `from`, or from the beginning where there is none.
std::shared_ptr<const lab::Training> Runs::replayed(const lab::Task& task, Index from,
                                                    const lab::Training* state, Index step,
                                                    const core::Cancel& cancel) {
  const lab::Run how{cancel, options_.threads};
  std::unique_ptr<lab::Training> again = state ? state->clone() : task.begin(how);
  for (Index k = from; k < step; ++k) {
    cancel.poll();
    again->step(how);
    ++steps_made_;
  }
  return again;
}

// --- people

void Runs::pause(const std::string& name) {
  const Lock lock(mutex_);
  const auto run = own(name);
  if (!run || run->paused) return;
  run->paused = true;
  run->most = run->reached();
  changed(name, true);
}

void Runs::go_on(const std::string& name) {
  const Lock lock(mutex_);
  const auto run = own(name);
  if (!run || !run->paused) return;
  run->paused = false;
  start(*run);
  changed(name, true);
}

void Runs::step(const std::string& name) {
  const Lock lock(mutex_);
  const auto run = own(name);
  if (!run) return;
  run->paused = true;
  run->most = run->reached() + 1;
  start(*run);
  changed(name, true);
}

void Runs::drop(const std::string& name) {
  std::vector<std::shared_ptr<One>> forgotten;
  {
    const Lock lock(mutex_);
    const auto of_name = [&](const auto& run) { return run->name == name; };
    std::copy_if(runs_.begin(), runs_.end(), std::back_inserter(forgotten), of_name);
    std::erase_if(runs_, of_name);
    changed(name, true);
  }
  for (const auto& run : forgotten) run->thread.request_stop();
}

std::vector<RunStatus> Runs::status() const {
  const Lock lock(mutex_);
  std::vector<RunStatus> all;
  for (const std::string& name : names_) {
    const auto run = own(name);
    if (!run) continue;
    RunStatus one{.name = name, .reached = run->reached(), .goal = run->goal, .fault = run->fault};
    one.state = !run->fault.empty()                     ? RunState::stopped
                : going(*run)                           ? RunState::training
                : run->paused && one.reached < one.goal ? RunState::paused
                                                        : RunState::waiting;
    if (run->lately.size() > 1) {
      const auto& [began, first] = run->lately.front();
      const auto& [ended, last] = run->lately.back();
      const double seconds = std::chrono::duration<double>(ended - began).count();
      if (seconds > 0) one.steps_per_s = static_cast<double>(last - first) / seconds;
    }
    if (one.state == RunState::training && one.steps_per_s > 0) {
      one.seconds_left = static_cast<double>(one.goal - one.reached) / one.steps_per_s;
    }
    all.push_back(std::move(one));
  }
  return all;
}

bool Runs::training() const {
  const Lock lock(mutex_);
  return std::any_of(runs_.begin(), runs_.end(), [&](const auto& run) { return run->working; });
}

long Runs::version(const std::string& name) const {
  const Lock lock(mutex_);
  const auto found = versions_.find(name);
  return found == versions_.end() ? 0 : found->second;
}

std::size_t Runs::held() const {
  std::size_t all = 0;
  for (const auto& run : runs_) all += run->timeline.bytes();
  return all;
}

std::size_t Runs::bytes() const {
  const Lock lock(mutex_);
  return held();
}

void Runs::set_budget(std::size_t bytes) {
  const Lock lock(mutex_);
  options_.budget = bytes;
  if (!runs_.empty()) keep_budget(*runs_.back());
}

void Runs::give_up(std::size_t bytes) {
  const Lock lock(mutex_);
  for (const auto& run : runs_) {
    const std::size_t own = run->timeline.bytes();
    run->timeline.thin(own - std::min(own, bytes));
    bytes -= std::min(bytes, own - run->timeline.bytes());
  }
}

}  // namespace worker
