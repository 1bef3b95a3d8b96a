#include "core/io/tensor/stacked_layers.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace core {
namespace {

constexpr std::size_t kMostAxesOfOne = 4;

// The bytes of arrays of one size, one after the other.
class BytesInTurn final : public ByteSource {
 public:
  explicit BytesInTurn(std::vector<Tensor> parts)
      : parts_(std::move(parts)),
        each_(static_cast<std::uint64_t>(parts_.front().count()) *
              static_cast<std::uint64_t>(facts(parts_.front().type).bytes)) {}
  std::uint64_t size() const override { return each_ * parts_.size(); }
  void read(std::uint64_t begin, std::span<std::byte> to, const Cancel& cancel) const override {
    while (!to.empty()) {
      const Tensor& part = parts_[static_cast<std::size_t>(begin / each_)];
      const std::uint64_t at = begin % each_;
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), each_ - at));
      part.bytes->read(part.begin + at, to.first(count), cancel);
      to = to.subspan(count);
      begin += count;
    }
  }

 private:
  std::vector<Tensor> parts_;
  std::uint64_t each_;
};

// A name around one of its numbers: "attention_" and "" of attention_11.
struct Numbered {
  std::string before, after;
  long number = 0;
};

std::vector<Numbered> numbers_in(const std::string& name) {
  constexpr std::size_t kMostDigits = 9;
  const auto is_digit = [&](std::size_t k) {
    return std::isdigit(static_cast<unsigned char>(name[k])) != 0;
  };
  std::vector<Numbered> all;
  for (std::size_t begin = 0; begin < name.size(); ++begin) {
    if (!is_digit(begin)) continue;
    std::size_t end = begin;
    while (end < name.size() && is_digit(end)) ++end;
    if (end - begin <= kMostDigits) {
      all.push_back({name.substr(0, begin), name.substr(end), std::stol(name.substr(begin))});
    }
    begin = end;
  }
  return all;
}

// What arrays of one stack have in common.
using Key = std::tuple<std::string, std::string, std::vector<Index>, NumberType, bool>;

bool go_on(const std::map<long, const Tensor*>& members) {
  const auto span = members.rbegin()->first - members.begin()->first;
  return members.size() > 1 && span == static_cast<long>(members.size()) - 1;
}

Tensor stacked(const std::string& name, const std::map<long, const Tensor*>& members) {
  std::vector<Tensor> parts;
  for (const auto& [number, tensor] : members) parts.push_back(*tensor);
  Tensor all = parts.front();
  all.name = name;
  all.shape.insert(all.shape.begin(), static_cast<Index>(parts.size()));
  all.deflated =
      std::any_of(parts.begin(), parts.end(), [](const Tensor& t) { return t.deflated; });
  all.begin = 0;
  all.bytes = std::make_shared<const BytesInTurn>(std::move(parts));
  return all;
}

}  // namespace

std::vector<Tensor> stacked_layers(const std::vector<Tensor>& arrays) {
  std::map<Key, std::map<long, const Tensor*>> groups;
  std::vector<Key> in_order;
  std::set<std::string> names;
  for (const Tensor& tensor : arrays) {
    names.insert(tensor.name);
    const std::size_t axes = tensor.shape.size();
    if (axes < 2 || axes > kMostAxesOfOne || tensor.count() == 0 || tensor.fortran_order) continue;
    for (const Numbered& one : numbers_in(tensor.name)) {
      const Key key{one.before, one.after, tensor.shape, tensor.type, tensor.big_endian};
      auto& members = groups[key];
      if (members.empty()) in_order.push_back(key);
      members.emplace(one.number, &tensor);
    }
  }
  std::vector<Tensor> all;
  for (const Key& key : in_order) {
    const std::string name = std::get<0>(key) + "*" + std::get<1>(key);
    if (!go_on(groups[key]) || !names.insert(name).second) continue;
    all.push_back(stacked(name, groups[key]));
  }
  return all;
}

}  // namespace core
