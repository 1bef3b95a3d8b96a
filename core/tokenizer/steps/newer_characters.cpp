#include "core/tokenizer/steps/newer_characters.h"

#include <oniguruma.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "core/text/lower_case.h"
#include "core/text/unicode.h"

namespace core::subword {
namespace {

struct Range {
  char32_t first, last;
  std::string_view category;  // "Lo"
};

std::vector<Range> newer_ranges() {
  constexpr char32_t kEnd = 0x110000;
  std::string name = "Cn";
  auto* const begin = reinterpret_cast<OnigUChar*>(name.data());
  OnigEncoding engine = ONIG_ENCODING_UTF8;
  const int unassigned = engine->property_name_to_ctype(engine, begin, begin + name.size());
  std::vector<Range> ranges;
  if (unassigned < 0) return ranges;
  for (char32_t c = 0; c < kEnd; ++c) {
    const std::string_view category = unicode::general_category(c);
    if (category == "Cn" || category == "Co" || category == "Cs") continue;
    if (!engine->is_code_ctype(c, static_cast<OnigCtype>(unassigned))) continue;
    if (!ranges.empty() && ranges.back().last + 1 == c && ranges.back().category == category) {
      ranges.back().last = c;
    } else {
      ranges.push_back({c, c, category});
    }
  }
  return ranges;
}

// The categories of a class, each by its letter or its two; none: another kind of class.
std::vector<std::string_view> categories_of(std::string name) {
  constexpr std::pair<std::string_view, std::string_view> kLong[] = {
      {"letter", "l"}, {"mark", "m"},   {"number", "n"},   {"punctuation", "p"},
      {"punct", "p"},  {"symbol", "s"}, {"separator", "z"}};
  static constexpr std::string_view kCategories[] = {
      "L",  "Lu", "Ll", "Lt", "Lm", "Lo", "M",  "Mn", "Mc", "Me", "N",  "Nd", "Nl", "No", "P",
      "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S",  "Sm", "Sc", "Sk", "So", "Z",  "Zs", "Cf"};
  std::erase_if(name, [](unsigned char c) { return c == ' ' || c == '_' || c == '-'; });
  name = ascii_lower(name);
  if (name == "w") return {"L", "M", "Nd", "Pc"};
  if (name == "d") return {"Nd"};
  if (name == "alphabetic" || name == "alpha") return {"L", "Nl"};
  for (const auto& [written, category] : kLong) {
    if (name == written) name = category;
  }
  for (const std::string_view one : kCategories) {
    if (ascii_lower(one) == name) return {one};
  }
  return {};
}

// As the inside of a bracket: "\x{10D4A}-\x{10D65}".
std::string newer_of(const std::vector<std::string_view>& categories) {
  static const std::vector<Range> ranges = newer_ranges();
  std::string out;
  for (const Range& one : ranges) {
    const bool among =
        std::any_of(categories.begin(), categories.end(),
                    [&](std::string_view category) { return one.category.starts_with(category); });
    if (!among) continue;
    char text[40];
    std::snprintf(text, sizeof text, "\\x{%X}-\\x{%X}", static_cast<unsigned>(one.first),
                  static_cast<unsigned>(one.last));
    out += text;
  }
  return out;
}

// A class at a place of a pattern: what it is called, whether it is what is not in it, and how many
// bytes are written.
struct Class {
  std::string name;
  bool negated = false;
  std::size_t bytes = 0;
};
Class class_at(std::string_view pattern) {
  if (pattern.size() < 2 || pattern[0] != '\\') return {};
  const char kind = pattern[1], letter = ascii_lower(pattern.substr(1, 1)).front();
  if (letter == 'w' || letter == 'd') return {std::string(1, letter), kind != letter, 2};
  const std::size_t end = pattern.find('}');
  if (letter != 'p' || pattern.substr(2, 1) != "{" || end == pattern.npos) return {};
  std::string name(pattern.substr(3, end - 3));
  bool negated = kind == 'P';
  if (name.starts_with('^')) name.erase(0, 1), negated = !negated;
  return {name, negated, end + 1};
}

}  // namespace

std::string with_newer_characters(const std::string& pattern) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size();) {
    const Class found = class_at(std::string_view(pattern).substr(at));
    const std::string newer = found.bytes > 0 ? newer_of(categories_of(found.name)) : "";
    if (!newer.empty()) {
      const std::string plain = found.name.size() == 1 && std::string_view("wd").find(found.name) !=
                                                              std::string_view::npos
                                    ? "\\" + found.name
                                    : "\\p{" + found.name + "}";
      out += (found.negated ? "[^" : "[") + plain + newer + "]";
      at += found.bytes;
      continue;
    }
    // An escaped sign, with the sign.
    const std::size_t bytes = pattern[at] == '\\' && at + 1 < pattern.size() ? 2 : 1;
    out.append(pattern, at, bytes);
    at += bytes;
  }
  return out;
}

}  // namespace core::subword
