#include "core/io/tensor/npy_header.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "core/io/little_endian.h"
#include "core/io/tensor/tensor.h"
#include "core/text/printable.h"
#include "core/text/utf8.h"

namespace core {
namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";

// The Python dictionary of a header: what numpy writes, in any order and spacing.
class NpyDictionary {
 public:
  NpyDictionary(std::string_view text, const Message& where)
      : text_(text), left_(text), where_(where) {}
  // Takes texts, too: the code points of each are put there, which stays empty for numbers.
  NpyDictionary(std::string_view text, const Message& where, std::optional<Index>& text_length)
      : text_(text), left_(text), where_(where), text_length_(&text_length) {}

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
    header.big_endian = descr.starts_with('>');
    if (text_length_ && code.starts_with('U')) {
      Index length = 0;
      const auto [end, error] = std::from_chars(code.data() + 1, code.data() + code.size(), length);
      if (error == std::errc{} && end == code.data() + code.size() && length >= 0) {
        *text_length_ = length;
        return;
      }
    }
    const auto known = std::find_if(kNumberTypes.begin(), kNumberTypes.end(),
                                    [&](const NumberTypeFacts& f) { return f.npy == code; });
    if (code.empty() || known == kNumberTypes.end()) {
      throw InputError(Message(N_("{}: expected bool, integers of 8 to 64 bits or floats of 16 to "
                                  "64 bits, got the type \"{}\""),
                               where_, printable(descr)));
    }
    header.type = static_cast<NumberType>(known - kNumberTypes.begin());
  }

  std::string_view text_, left_;
  const Message& where_;
  std::optional<Index>* text_length_ = nullptr;
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

std::string header_text(const ByteSource& source, std::uint64_t begin, const NpyExtent& extent,
                        const Cancel& cancel) {
  return source.read_string(begin + extent.text_begin, extent.bytes - extent.text_begin, cancel);
}

// What comes first to last, as it lies in the file: of one axis that is longer than 1 both orders
// are the same.
Index count_of_texts(const std::vector<Index>& shape, const Message& where) {
  const auto longer =
      std::count_if(shape.begin(), shape.end(), [](Index side) { return side != 1; });
  if (longer > 1) {
    throw InputError(Message(N_("{}: expected strings along one axis, got the shape {}"), where,
                             tensor_shape_text(shape)));
  }
  Index count = 1;
  for (const Index side : shape) count *= side;
  return count;
}

std::string decoded_text(const char* from, Index length, bool big_endian, const Message& where) {
  std::string text;
  for (Index k = 0; k < length; ++k) {
    std::uint32_t code = 0;
    for (int b = 0; b < 4; ++b) {
      const auto byte = static_cast<unsigned char>(from[4 * k + b]);
      code |= std::uint32_t{byte} << (8 * (big_endian ? 3 - b : b));
    }
    if (code == 0) break;
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      throw InputError(
          Message(N_("{}: expected Unicode strings, got the code point {}"), where, code));
    }
    append_utf8(text, static_cast<char32_t>(code));
  }
  return text;
}

}  // namespace

std::optional<std::vector<std::string>> read_npy_texts(const ByteSource& source,
                                                       std::uint64_t begin, std::uint64_t size,
                                                       const Message& where, const Cancel& cancel) {
  const NpyExtent extent = npy_extent(source, begin, size, where, cancel);
  const std::string said = header_text(source, begin, extent, cancel);
  NpyHeader header;
  std::optional<Index> length;
  NpyDictionary(said, where, length).read(header);
  if (!length) return std::nullopt;
  const Index count = count_of_texts(header.shape, where);
  const std::uint64_t each = 4 * static_cast<std::uint64_t>(*length), bytes = size - extent.bytes;
  if (*length > static_cast<Index>(kMostNpyTextBytes) || bytes > kMostNpyTextBytes ||
      each * static_cast<std::uint64_t>(count) != bytes) {
    throw InputError(Message(
        N_("{}: expected {} strings of {} bytes each, at most {} bytes in all, got {} bytes"),
        where, count, each, kMostNpyTextBytes, bytes));
  }
  const std::string all = source.read_string(begin + extent.bytes, bytes, cancel);
  std::vector<std::string> texts;
  for (Index k = 0; k < count; ++k) {
    texts.push_back(decoded_text(all.data() + static_cast<std::uint64_t>(k) * each, *length,
                                 header.big_endian, where));
  }
  return texts;
}

NpyHeader read_npy_header(const ByteSource& source, std::uint64_t begin, std::uint64_t size,
                          const Message& where, const Cancel& cancel) {
  const NpyExtent extent = npy_extent(source, begin, size, where, cancel);
  const std::string text = header_text(source, begin, extent, cancel);
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
