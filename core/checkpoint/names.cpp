#include "core/checkpoint/names.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "core/text/printable.h"

namespace core::checkpoint {
namespace {

constexpr std::size_t kNearest = 3;

// How many characters must be changed, added or left out (Levenshtein 1966).
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t same = corner + (a[i] != b[j]);
      corner = row[j + 1];
      row[j + 1] = std::min({same, corner + 1, row[j] + 1});
    }
  }
  return row.back();
}

bool is_real(NumberType type) {
  return type == NumberType::float16 || type == NumberType::bfloat16 ||
         type == NumberType::float32 || type == NumberType::float64;
}

}  // namespace

TensorNames::TensorNames(std::shared_ptr<const TensorFile> file, Message config)
    : file_(std::move(file)), config_(std::move(config)) {
  for (const Tensor& tensor : file_->tensors) all_.emplace(tensor.name, &tensor);
}

void TensorNames::choose_prefix(std::initializer_list<std::string_view> prefixes,
                                std::initializer_list<std::string_view> names) {
  prefix_ = *prefixes.begin();
  for (const std::string_view name : names) {
    for (const std::string_view prefix : prefixes) {
      if (!all_.contains(std::string(prefix) + std::string(name))) continue;
      prefix_ = prefix;
      return;
    }
  }
}

Parameter TensorNames::matrix(const std::string& name, Index rows, Index cols,
                              const Message& because) {
  return declare(name, {rows, cols}, {{}, rows, cols, false}, because);
}

Parameter TensorNames::transposed(const std::string& name, Index rows, Index cols) {
  return declare(name, {cols, rows}, {{}, rows, cols, true}, Message());
}

Parameter TensorNames::vector(const std::string& name, Index size) {
  return declare(name, {size}, {{}, 1, size, false}, Message());
}

Parameter TensorNames::vector_of(std::initializer_list<std::string> names, Index size) {
  for (const std::string& name : names) {
    if (has(name)) return vector(name, size);
  }
  return vector(*names.begin(), size);
}

Parameter TensorNames::declare(const std::string& name, const std::vector<Index>& shape,
                               const Declared& as, const Message& because) {
  const auto found = all_.find(prefix_ + name);
  const std::string wanted = tensor_shape_text(shape);
  if (found == all_.end()) {
    Message expected(N_("{}: expected a tensor \"{}\" of the shape {}"), file_->name,
                     printable(prefix_ + name), wanted);
    if (!because.empty()) expected = Message(N_("{}, {}"), expected, because);
    const Message others = nearest(prefix_ + name);
    throw InputError(others.empty()
                         ? Message(N_("{}, got none"), expected)
                         : Message(N_("{}, got none; the nearest names are {}"), expected, others));
  }
  const Tensor& tensor = *found->second;
  const Message where(N_("{}, tensor \"{}\""), tensor.file, printable(tensor.name));
  if (tensor.shape != shape) {
    const bool transposed = shape.size() == 2 && tensor.shape == std::vector{shape[1], shape[0]};
    throw InputError(Message(transposed ? N_("{}: expected the shape {}, got {}: its transpose")
                                        : N_("{}: expected the shape {}, got {}"),
                             where, wanted, tensor_shape_text(tensor.shape)));
  }
  if (!is_real(tensor.type)) {
    throw InputError(Message(N_("{}: expected float16, bfloat16, float32 or float64, got {}"),
                             where, facts(tensor.type).name));
  }
  asked_.insert(tensor.name);
  declared_.push_back(as);
  declared_.back().tensor = tensor;
  return {declared_.size() - 1};
}

bool TensorNames::repeats(const std::string& name, const Parameter& p, const Cancel& cancel) {
  const Tensor& a = *all_.find(prefix_ + name)->second;
  const Tensor& b = declared_[p.at].tensor;
  if (a.type != b.type || a.shape != b.shape) return false;
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
  const auto bytes =
      static_cast<std::uint64_t>(a.count()) * static_cast<std::uint64_t>(facts(a.type).bytes);
  std::vector<std::byte> of_a, of_b;
  for (std::uint64_t at = 0; at < bytes; at += kPiece) {
    cancel.poll();
    const auto size = static_cast<std::size_t>(std::min(kPiece, bytes - at));
    of_a.resize(size), of_b.resize(size);
    a.bytes->read(a.begin + at, of_a, cancel);
    b.bytes->read(b.begin + at, of_b, cancel);
    if (of_a != of_b) return false;
  }
  asked_.insert(a.name);
  return true;
}

Message TensorNames::nearest(const std::string& name) const {
  std::vector<std::pair<std::size_t, std::string_view>> by_distance;
  for (const auto& [other, tensor] : all_) {
    if (!asked_.contains(other)) by_distance.emplace_back(edits_between(name, other), other);
  }
  const std::size_t count = std::min(kNearest, by_distance.size());
  std::partial_sort(by_distance.begin(), by_distance.begin() + static_cast<Index>(count),
                    by_distance.end());
  std::string text;
  for (std::size_t k = 0; k < count; ++k) {
    text += (k == 0 ? "\"" : ", \"") + printable(by_distance[k].second) + "\"";
  }
  return text.empty() ? Message() : Message::plain(text);
}

void TensorNames::buffers(std::initializer_list<std::string_view> endings) {
  for (const std::string_view ending : endings) endings_.emplace_back(ending, Unread::buffers);
}

void TensorNames::without_effect(std::initializer_list<std::string_view> endings) {
  for (const std::string_view one : endings) endings_.emplace_back(one, Unread::without_effect);
}

void TensorNames::require_layers(std::string_view beginning, Index count) const {
  const std::string begins = prefix_ + std::string(beginning);
  for (auto it = all_.lower_bound(begins); it != all_.end() && it->first.starts_with(begins);
       ++it) {
    const std::string& name = it->first;
    const char* const digits = name.data() + begins.size();
    Index layer = 0;
    const auto [end, fault] = std::from_chars(digits, name.data() + name.size(), layer);
    const bool numbered = end > digits && end < name.data() + name.size() && *end == '.';
    if (!numbered || (fault == std::errc{} && layer < count)) continue;
    throw InputError(Message(N_("{}, tensor \"{}\": expected layers 0 to {}, as {} says, got "
                                "another"),
                             it->second->file, printable(name), count - 1, config_));
  }
}

TensorNames::Unread TensorNames::unread_as(std::string_view name) const {
  for (const auto& [ending, which] : endings_) {
    if (name.ends_with(ending)) return which;
  }
  return Unread::left_over;
}

std::vector<std::string> TensorNames::unread(Unread which) const {
  std::vector<std::string> out;
  for (const Tensor& tensor : file_->tensors) {
    const std::string& name = tensor.name;
    if (!asked_.contains(name) && unread_as(name) == which) out.push_back(name);
  }
  return out;
}

std::vector<std::string> TensorNames::unread_biases() const {
  constexpr std::string_view kEnding = ".bias";
  std::vector<std::string> out;
  for (const std::string& name : unread(Unread::left_over)) {
    if (!name.ends_with(kEnding)) continue;
    const std::string of = name.substr(0, name.size() - kEnding.size()) + ".weight";
    if (asked_.contains(of)) out.push_back(name);
  }
  return out;
}

}  // namespace core::checkpoint
