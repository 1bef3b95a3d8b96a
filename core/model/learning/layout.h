// The parameters of a model: each is declared once, with name, shape, initial values and decay.
// Values, gradients, an optimizer's moments, snapshots and files are arrays in this one order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace core::model {

// The initial values of a parameter.
struct Start {
  enum class Kind { zeros, ones, normal, uniform, powers };
  Kind kind = Kind::zeros;
  // normal: the standard deviation; uniform: from -scale to scale; powers: all rows equal, column k
  // of n being scale^(-k / n).
  double scale = 0;

  static constexpr Start zeros() { return {}; }
  static constexpr Start ones() { return {Kind::ones, 0}; }
  static constexpr Start normal(double deviation) { return {Kind::normal, deviation}; }
  static constexpr Start uniform(double bound) { return {Kind::uniform, bound}; }
  static constexpr Start powers(double base) { return {Kind::powers, base}; }
};

// The offset of a parameter in the arrays of its model; a layer keeps nothing else of it.
struct Slot {
  Index offset = -1, rows = 0, cols = 0;
  Index size() const { return rows * cols; }
  bool declared() const { return offset >= 0; }
};

struct Parameter {
  std::string name;  // "encoder.0.attention.query.weight"
  Slot slot;
  Start start;
  bool decays = true;  // by AdamW; usual for matrices, not for biases, gains and embeddings
};

class Layout {
 public:
  // InputError when the name is taken or a side is below 1.
  Slot declare(const std::string& name, Index rows, Index cols, Start start, bool decays);

  const std::vector<Parameter>& parameters() const { return parameters_; }
  const Parameter* find(std::string_view name) const;  // null: none
  // Length of the arrays. Between parameters it includes some unused numbers, since each parameter
  // begins on a cache line.
  Index size() const { return size_; }
  // The number of learned numbers: what is called the number of parameters everywhere.
  Index learned() const;

  // Initial values: random numbers of each parameter follow from the seed and its own name,
  // whatever other parameters there are.
  template <class S>
  std::vector<S> start(std::uint64_t seed) const;

 private:
  std::vector<Parameter> parameters_;
  Index size_ = 0;
};

// Declares names under a common prefix: "encoder." and then "0.".
class Scope {
 public:
  explicit Scope(Layout& layout) : layout_(&layout) {}
  Scope at(std::string_view name) const {
    Scope inner = *this;
    inner.prefix_ += std::string(name) + ".";
    return inner;
  }
  Scope at(std::string_view name, Index number) const {
    return at(std::string(name)).at(std::to_string(number));
  }
  Slot declare(std::string_view name, Index rows, Index cols, Start start,
               bool decays = true) const {
    return layout_->declare(prefix_ + std::string(name), rows, cols, start, decays);
  }

 private:
  Layout* layout_;
  std::string prefix_;
};

extern template std::vector<float> Layout::start(std::uint64_t) const;
extern template std::vector<double> Layout::start(std::uint64_t) const;

}  // namespace core::model
