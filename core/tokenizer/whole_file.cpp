#include "core/tokenizer/whole_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>

#include "core/io/case/json_check.h"
#include "core/io/large_file.h"
#include "core/io/what_lies.h"
#include "core/text/utf8.h"

namespace core::subword {
namespace {

using Tree = nlohmann::detail::json_sax_dom_parser<nlohmann::json>;

class TreeOfDigits : public Tree {
 public:
  using Tree::Tree;
  bool number_float(double, const std::string& text) {
    return Tree::number_float(number_of_digits(text), text);
  }
};

// 10^n, n >= 0, to the nearest double, as serde_json's table has it: not every C library's pow
// does.
double power_of_ten(int n) {
  static const std::array<double, 309> kPowers = [] {
    std::array<double, 309> powers{};
    for (std::size_t k = 0; k < powers.size(); ++k) {
      powers[k] = std::strtod(("1e" + std::to_string(k)).c_str(), nullptr);
    }
    return powers;
  }();
  const auto at = static_cast<std::size_t>(n);
  return at < kPowers.size() ? kPowers[at] : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string whole_file(const std::filesystem::path& path, const Cancel& cancel) {
  const LargeFile file(path);
  if (file.size() > kMostTokenizerBytes) {
    throw InputError(Message(N_("{}: expected a file of at most {} bytes, got {}"), file.name(),
                             kMostTokenizerBytes, file.size()));
  }
  std::string text = file.read_string(0, file.size(), cancel);
  require_downloaded(file.name(), text);
  return text;
}

// serde_json's way without its feature float_roundtrip: digits beyond 64 bits are left out.
double number_of_digits(std::string_view text) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t digits = 0;
  int exponent = 0;
  bool after_point = false, full = false;
  std::size_t at = text.starts_with('-') ? 1 : 0;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.') {
      after_point = true;
      continue;
    }
    const auto digit = static_cast<std::uint64_t>(text[at] - '0');
    full = full || digits > kMost / 10 || (digits == kMost / 10 && digit > kMost % 10);
    if (!full) digits = digits * 10 + digit;
    exponent += full ? !after_point : -static_cast<int>(after_point);
  }
  if (at < text.size()) {
    const std::size_t first = at + 1 + (text.substr(at + 1).starts_with('+') ? 1 : 0);
    int written = 0;
    const auto read = std::from_chars(text.data() + first, text.data() + text.size(), written);
    if (read.ec != std::errc{}) written = text[first] == '-' ? -100'000 : 100'000;
    exponent += std::clamp(written, -100'000, 100'000);
  }
  auto value = static_cast<double>(digits);
  for (; exponent < -308 && value != 0; exponent += 308) value /= 1e308;
  value = exponent >= 0 ? value * power_of_ten(exponent) : value / power_of_ten(-exponent);
  return text.starts_with('-') ? -value : value;
}

nlohmann::json parse_json(std::string_view text) {
  require_utf8(text);
  if (const Message fault = json_fault(text); !fault.empty()) {
    throw InputError(Message(N_("expected JSON, but {}"), fault));
  }
  nlohmann::json json;
  TreeOfDigits tree(json);
  nlohmann::json::sax_parse(text.begin(), text.end(), &tree);
  return json;
}

}  // namespace core::subword
