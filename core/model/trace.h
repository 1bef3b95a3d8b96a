// Activations of a forward pass, kept by name with shape and axes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/refuse.h"
#include "core/types.h"

namespace core::model {

// One activation: one matrix, or several of one shape (the heads of a batch).
template <class S>
struct Traced {
  std::string name;               // "encoder.0.attention.weights"
  std::vector<Index> shape;       // (batch, heads, n, m)
  std::vector<std::string> axes;  // what each axis counts: "batch", "head", "query", "key"
  std::vector<S> values;          // row-major
  std::vector<S> gradients;  // of the loss with respect to them, after a backward pass; or none
  Index size() const { return static_cast<Index>(values.size()); }
};

template <class S>
class Trace {
 public:
  Trace() = default;
  // Keeps only names that end in `ending`.
  explicit Trace(std::string ending) : ending_(std::move(ending)) {}
  bool wants(std::string_view name) const { return name.ends_with(ending_); }
  void keep(Traced<S> one) { all_.push_back(std::move(one)); }
  std::vector<Traced<S>>& all() { return all_; }
  const std::vector<Traced<S>>& all() const { return all_; }
  // Null when there is no such name.
  const Traced<S>* find(std::string_view name) const {
    for (const Traced<S>& a : all_) {
      if (a.name == name) return &a;
    }
    return nullptr;
  }
  // InputError for an unknown name.
  const Traced<S>& at(std::string_view name) const {
    if (const Traced<S>* found = find(name)) return *found;
    refuse("trace", "the name of an activation", std::string(name));
  }

 private:
  std::string ending_;
  std::vector<Traced<S>> all_;
};

}  // namespace core::model
