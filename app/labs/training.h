// Trainings that outlive a turn of a knob. A lab says what is trained (a task) and asks for it at a
// step; where and when the steps are made is not its business: see app/worker/runs.h.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/types.h"

namespace lab {

// How a stage or a step is to be run; its result does not depend on it.
struct Run {
  core::Cancel cancel;
  int threads = 0;  // 0: all cores
};

// A training under way, its types hidden: all that steps change. The same beginning and the same
// steps give the same bits, whatever the number of threads.
class Training {
 public:
  virtual ~Training() = default;
  virtual std::unique_ptr<Training> clone() const = 0;
  // Becomes a copy of another of the same task, in the memory that it has.
  virtual void become(const Training& other) = 0;
  // One step on. When it throws, what is left is no state any more.
  virtual void step(const Run& run) = 0;
  // Scalars of the current step, always as many, the loss first.
  virtual std::vector<double> scalars() const = 0;
  virtual std::size_t bytes() const = 0;
  // Why there is no going on from here ("the loss is not finite"); empty while there is.
  virtual core::Message fault() const = 0;
};

// What a training depends on, all of it, and how it begins.
class Task {
 public:
  virtual ~Task() = default;
  virtual bool equals(const Task& other) const = 0;
  virtual std::unique_ptr<Training> begin(const Run& run) const = 0;
};

// A training at a step.
struct Snapshot {
  core::Index step = 0;                   // of the state: the one asked for, or the last there is
  std::shared_ptr<const Training> state;  // null: not even the beginning is there yet
  std::vector<std::vector<double>> scalars;  // of the steps from 0 on that were made, to the goal
  bool going = false;                        // steps are being made: there will be more
  core::Message fault;                       // why the step after the last has no state
};

// All trainings of a program.
class Runs {
 public:
  virtual ~Runs() = default;
  // The run of this task at `step`, which goes on to `goal` at least. A name ("pooling/descent")
  // has one run that goes on at a time: that of the task asked for last; the others keep what they
  // came to. Throws core::Cancelled.
  virtual Snapshot at(const std::string& name, std::shared_ptr<const Task> task, core::Index goal,
                      core::Index step, const core::Cancel& cancel) = 0;
};

// The plain way to the same moment: from the beginning, step by step.
inline Snapshot train(const Task& task, core::Index goal, core::Index step, const Run& run) {
  std::unique_ptr<Training> training = task.begin(run);
  Snapshot snapshot;
  for (core::Index k = 0;; ++k) {
    run.cancel.poll();
    snapshot.scalars.push_back(training->scalars());
    if (k <= step) snapshot.step = k;
    if (k == step) snapshot.state = training->clone();
    if (k >= goal) break;
    const std::unique_ptr<Training> before = k < step ? training->clone() : nullptr;
    training->step(run);
    snapshot.fault = training->fault();
    if (snapshot.fault.empty()) continue;
    if (before) snapshot.state = before->clone();
    break;
  }
  if (!snapshot.state) snapshot.state = std::move(training);
  return snapshot;
}

// The same with types. A description `T` of a training is a value with
//   struct State;                                     all that steps change, copyable
//   bool operator==(const T&) const;
//   State begin(const Run&) const;
//   void step(State&, const Run&) const;
//   std::vector<double> scalars(const State&) const;  the loss first
//   std::size_t bytes(const State&) const;
//   core::Message fault(const State&) const;
template <class T>
struct Trained {
  core::Index step = 0;
  std::shared_ptr<const typename T::State> state;
  std::vector<std::vector<double>> scalars;
  bool going = false;
  core::Message fault;
};

template <class T>
class TypedTask final : public Task {
 public:
  explicit TypedTask(T description)
      : description_(std::make_shared<const T>(std::move(description))) {}

  bool equals(const Task& other) const override {
    const auto* same = dynamic_cast<const TypedTask*>(&other);
    return same && *same->description_ == *description_;
  }
  std::unique_ptr<Training> begin(const Run& run) const override {
    return std::make_unique<Typed>(description_, description_->begin(run));
  }
  static std::shared_ptr<const typename T::State> state_of(
      std::shared_ptr<const Training> training) {
    if (!training) return nullptr;
    const auto& typed = dynamic_cast<const Typed&>(*training);
    return {std::move(training), &typed.state};
  }

 private:
  struct Typed final : Training {
    std::shared_ptr<const T> description;
    typename T::State state;

    Typed(std::shared_ptr<const T> d, typename T::State s)
        : description(std::move(d)), state(std::move(s)) {}
    std::unique_ptr<Training> clone() const override { return std::make_unique<Typed>(*this); }
    void become(const Training& other) override { state = dynamic_cast<const Typed&>(other).state; }
    void step(const Run& run) override { description->step(state, run); }
    std::vector<double> scalars() const override { return description->scalars(state); }
    std::size_t bytes() const override { return description->bytes(state); }
    core::Message fault() const override { return description->fault(state); }
  };
  std::shared_ptr<const T> description_;
};

}  // namespace lab
