#include "core/io/npy_header.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "core/io/little_endian.h"
#include "core/io/tensor.h"
#include "core/text/printable.h"

namespace core {
namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";

// The Python dictionary of a header: what numpy writes, in any order and spacing.
class NpyDictionary {
 public:
  NpyDictionary(std::string_view text, const Message& where)
      : text_(text), left_(text), where_(where) {}

  void read(NpyHeader& header) {
    require(take('{'));
    while (!take('}')) {
      const std::string_view key = quoted();
      require(take(':'));
      if (key == "descr" && !std::exchange(has_type_, true)) {
        type(header);
      } else if (key == "fortran_order" && !std::exchange(has_order_, true)) {
        header.fortran_order = truth();
      } else if (key == "shape" && !std::exchange(has_shape_, true)) {
        header.shape = tuple();
      } else {
        refuse_text();
      }
      if (take(',')) continue;
      require(take('}'));
      break;
    }
    skip_space();
    require(left_.empty() && has_type_ && has_order_ && has_shape_);
  }

 private:
  [[noreturn]] void refuse_text() const {
    throw InputError(
        Message(N_("{}: expected a header of 'descr', 'fortran_order' and 'shape', got \"{}\""),
                where_, printable(text_, 200)));
  }
  void require(bool good) const {
    if (!good) refuse_text();
  }

  void skip_space() {
    left_.remove_prefix(std::min(left_.find_first_not_of(" \t\r\n"), left_.size()));
  }
  bool take(char c) {
    skip_space();
    if (!left_.starts_with(c)) return false;
    left_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    skip_space();
    if (!left_.starts_with(word)) return false;
    left_.remove_prefix(word.size());
    return true;
  }
  std::string_view quoted() {
    const char quote = take('\'') ? '\'' : '"';
    require(quote == '\'' || take('"'));
    const std::size_t end = left_.find(quote);
    require(end != left_.npos);
    const std::string_view inside = left_.substr(0, end);
    left_.remove_prefix(end + 1);
    return inside;
  }
  bool truth() {
    if (take_word("True")) return true;
    require(take_word("False"));
    return false;
  }
  // (), (3,) or (3, 4); Python 2 wrote 3L.
  std::vector<Index> tuple() {
    std::vector<Index> sizes;
    require(take('('));
    while (!take(')')) {
      require(sizes.size() <= kMostAxes);
      sizes.push_back(whole());
      take('L');
      if (take(',')) continue;
      require(take(')'));
      break;
    }
    return sizes;
  }
  Index whole() {
    skip_space();
    Index number = 0;
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), number);
    if (error == std::errc::result_out_of_range) {
      throw InputError(Message(N_("{}: expected a shape whose bytes can be counted, got {}"),
                               where_, printable(left_.substr(0, left_.find(')')))));
    }
    require(error == std::errc{} && number >= 0);
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    return number;
  }

  void type(NpyHeader& header) {
    if (take('[')) {
      throw InputError(
          Message(N_("{}: expected plain numbers, got records of several fields"), where_));
    }
    const std::string_view descr = quoted();
    std::string_view code = descr;
    if (code.find_first_of("<>|=") == 0) code.remove_prefix(1);
    if (code.starts_with('O')) {
      throw InputError(Message(
          N_("{}: expected numbers, got Python objects, which are never unpickled"), where_));
    }
    const auto known = std::find_if(kNumberTypes.begin(), kNumberTypes.end(),
                                    [&](const NumberTypeFacts& f) { return f.npy == code; });
    if (code.empty() || known == kNumberTypes.end()) {
      throw InputError(Message(N_("{}: expected bool, integers of 8 to 64 bits or floats of 16 to "
                                  "64 bits, got the type \"{}\""),
                               where_, printable(descr)));
    }
    header.type = static_cast<NumberType>(known - kNumberTypes.begin());
    header.big_endian = descr.starts_with('>');
  }

  std::string_view text_, left_;
  const Message& where_;
  bool has_type_ = false, has_order_ = false, has_shape_ = false;
};

// How long the header is, magic and all, and where its text begins.
struct NpyExtent {
  std::uint64_t text_begin, bytes;
};

NpyExtent npy_extent(const ByteSource& source, std::uint64_t begin, std::uint64_t size,
                     const Message& where, const Cancel& cancel) {
  std::byte first[12];
  const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(size, sizeof first));
  source.read(begin, std::span(first, here), cancel);
  const std::size_t magic = std::min(here, kNpyMagic.size());
  if (here == 0 || std::memcmp(first, kNpyMagic.data(), magic) != 0) {
    throw InputError(
        Message(N_("{}: expected an array that begins with \\x93NUMPY, got \"{}\""), where,
                printable({reinterpret_cast<const char*>(first), std::min(here, std::size_t{8})})));
  }
  const auto version = here > 6 ? std::to_integer<int>(first[6]) : 1;
  const std::size_t fixed = version == 1 ? 10 : 12;
  if (version < 1 || version > 3 || (here > 7 && first[7] != std::byte{0})) {
    throw InputError(Message(N_("{}: expected version 1.0, 2.0 or 3.0 of .npy, got {}.{}"), where,
                             version, here > 7 ? std::to_integer<int>(first[7]) : 0));
  }
  const std::uint64_t bytes = here < fixed ? fixed
                              : version == 1
                                  ? fixed + little_endian<std::uint16_t>(first, 8)
                                  : fixed + std::uint64_t{little_endian<std::uint32_t>(first, 8)};
  if (bytes > size) {
    throw InputError(Message(N_("{}: expected a header that ends within its {} bytes, got {}"),
                             where, size, bytes));
  }
  if (bytes > kMostNpyHeaderBytes) {
    throw InputError(Message(N_("{}: expected a header of at most {} bytes, got {}"), where,
                             kMostNpyHeaderBytes, bytes));
  }
  return {fixed, bytes};
}

}  // namespace

NpyHeader read_npy_header(const ByteSource& source, std::uint64_t begin, std::uint64_t size,
                          const Message& where, const Cancel& cancel) {
  const NpyExtent extent = npy_extent(source, begin, size, where, cancel);
  std::string text(static_cast<std::size_t>(extent.bytes - extent.text_begin), '\0');
  source.read(begin + extent.text_begin, std::as_writable_bytes(std::span(text)), cancel);
  NpyHeader header;
  header.bytes = extent.bytes;
  NpyDictionary(text, where).read(header);
  const std::uint64_t wanted = tensor_bytes(header.type, header.shape, where);
  if (wanted != size - header.bytes) {
    throw InputError(Message(N_("{}: expected {} bytes of {} for the shape {}, got {}"), where,
                             wanted, facts(header.type).name, tensor_shape_text(header.shape),
                             size - header.bytes));
  }
  return header;
}

}  // namespace core
