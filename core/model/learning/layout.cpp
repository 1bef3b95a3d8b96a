#include "core/model/learning/layout.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "core/refuse.h"

namespace core::model {
namespace {

// Parameters begin on a cache line of floats.
constexpr Index kLine = 16;

// Number `at` of a parameter.
double draw(const Start& start, Index at, Index cols, Random& random) {
  switch (start.kind) {
    case Start::Kind::zeros: return 0;
    case Start::Kind::ones: return 1;
    case Start::Kind::normal: return start.scale * random.gaussian();
    case Start::Kind::uniform: return start.scale * (2 * random.uniform() - 1);
    case Start::Kind::powers:
      return std::pow(start.scale, -static_cast<double>(at % cols) / static_cast<double>(cols));
  }
  return 0;
}

}  // namespace

Slot Layout::declare(const std::string& name, Index rows, Index cols, Start start, bool decays) {
  if (rows < 1 || cols < 1) refuse(name, "at least one row and column", shape_text(rows, cols));
  if (find(name)) refuse(name, "a name that is not taken", "one that is");
  const Slot slot{size_, rows, cols};
  parameters_.push_back({name, slot, start, decays});
  size_ += round_up(slot.size(), kLine);
  return slot;
}

const Parameter* Layout::find(std::string_view name) const {
  const auto found = std::find_if(parameters_.begin(), parameters_.end(),
                                  [&](const Parameter& p) { return p.name == name; });
  return found == parameters_.end() ? nullptr : &*found;
}

Index Layout::learned() const {
  Index sum = 0;
  for (const Parameter& p : parameters_) sum += p.slot.size();
  return sum;
}

template <class S>
std::vector<S> Layout::start(std::uint64_t seed) const {
  std::vector<S> values(static_cast<std::size_t>(size_), S{0});
  for (const Parameter& p : parameters_) {
    Random random(stream_seed(seed, hash64(p.name)));
    const auto begin = values.begin() + p.slot.offset;
    Index at = 0;
    std::generate_n(begin, p.slot.size(),
                    [&] { return static_cast<S>(draw(p.start, at++, p.slot.cols, random)); });
  }
  return values;
}

template std::vector<float> Layout::start(std::uint64_t) const;
template std::vector<double> Layout::start(std::uint64_t) const;

}  // namespace core::model
