// What a forward pass keeps for people: activations by name, with shape and axes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/refuse.h"
#include "core/types.h"

namespace core::model {

// One activation: several matrices of one shape (heads of a batch), or one.
template <class S>
struct Traced {
  std::string name;               // "encoder.0.attention.weights"
  std::vector<Index> shape;       // (batch, heads, n, m)
  std::vector<std::string> axes;  // what each axis counts: "batch", "head", "query", "key"
  std::vector<S> values;          // row-major
  std::vector<S> gradients;       // of the loss by them, when it was walked back; or none
  Index size() const { return static_cast<Index>(values.size()); }
};

template <class S>
class Trace {
 public:
  Trace() = default;
  // Keeps what has a name that ends so.
  explicit Trace(std::string ending) : ending_(std::move(ending)) {}
  bool wants(std::string_view name) const { return name.ends_with(ending_); }
  void keep(Traced<S> one) { all_.push_back(std::move(one)); }
  std::vector<Traced<S>>& all() { return all_; }
  const std::vector<Traced<S>>& all() const { return all_; }
  // Null: none of that name.
  const Traced<S>* find(std::string_view name) const {
    for (const Traced<S>& a : all_) {
      if (a.name == name) return &a;
    }
    return nullptr;
  }
  // InputError for a name that there is not.
  const Traced<S>& at(std::string_view name) const {
    if (const Traced<S>* found = find(name)) return *found;
    refuse("trace", "the name of an activation", std::string(name));
  }

 private:
  std::string ending_;
  std::vector<Traced<S>> all_;
};

}  // namespace core::model
