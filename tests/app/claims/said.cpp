#include "said.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "app/param/reading.h"

namespace claims {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || (c & 0x80); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A stop that ends no sentence: "i.e. the", "et al. 2017", "eq. 3", "vs. one".
bool is_short(std::string_view before) {
  constexpr std::array<std::string_view, 6> kShort{"al", "eq", "eqs", "vs", "sec", "cf"};
  std::size_t from = before.size();
  while (from > 0 && is_letter(before[from - 1])) --from;
  const std::string_view word = before.substr(from);
  const bool initials = word.size() == 1 && from > 0 && before[from - 1] == '.';
  return initials || std::find(kShort.begin(), kShort.end(), word) != kShort.end();
}

// Three dots that end no sentence: "1, 3, 9, ... do".
bool goes_on(std::string_view text, std::size_t stop) {
  if (stop < 2 || text.substr(stop - 2, 3) != "...") return false;
  return stop + 2 < text.size() && text[stop + 1] == ' ' && text[stop + 2] >= 'a' &&
         text[stop + 2] <= 'z';
}

// Of 1.5, 0.5 or a name such as bfloat16 and T5: only the first two are numbers.
bool has_number(std::string_view text) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (!is_digit(text[k])) continue;
    const bool within = k > 0 && (is_letter(text[k - 1]) || text[k - 1] == '_' ||
                                  (text[k - 1] == '-' && k > 1 && is_letter(text[k - 2])));
    while (k < text.size() && (is_digit(text[k]) || text[k] == '.')) ++k;
    if (!within) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 66> kWords{
    "always",   "never",   "every",    "everywhere", "everything", "none",    "nothing",  "only",
    "alone",    "most",    "mostly",   "half",       "third",      "thirds",  "quarter",  "tenth",
    "twice",    "double",  "doubled",  "tenfold",    "times",      "exactly", "equal",    "equals",
    "equally",  "alike",   "more",     "less",       "fewer",      "larger",  "smaller",  "higher",
    "lower",    "longer",  "shorter",  "faster",     "slower",     "quicker", "better",   "worse",
    "nearer",   "further", "farther",  "sharper",    "flatter",    "largest", "smallest", "highest",
    "lowest",   "longest", "shortest", "fastest",    "slowest",    "best",    "worst",    "nearest",
    "farthest", "least",   "three",    "four",       "five",       "six",     "eight",    "ten",
    "hundred",  "thousand"};

bool is_stop(char c) { return c == '.' || c == '?' || c == '!'; }

}  // namespace

std::vector<std::string> sentences(std::string_view text) {
  std::vector<std::string> all;
  std::size_t from = 0;
  const auto take = [&](std::size_t to) {
    const std::string_view one = param::trimmed(text.substr(from, to - from));
    if (!one.empty()) all.emplace_back(one);
    from = to;
  };
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\n') take(k);
    if (!is_stop(text[k])) continue;
    std::size_t end = k + 1;
    while (end < text.size() && (text[end] == '"' || text[end] == ')')) ++end;
    const bool ends = end == text.size() || text[end] == ' ' || text[end] == '\n';
    if (ends && !is_short(text.substr(0, k)) && !goes_on(text, k)) take(end);
  }
  take(text.size());
  return all;
}

bool claims_something(std::string_view sentence) {
  if (has_number(sentence)) return true;
  std::string word;
  for (std::size_t k = 0; k <= sentence.size(); ++k) {
    if (k < sentence.size() && is_letter(sentence[k])) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[k])));
      continue;
    }
    if (std::find(kWords.begin(), kWords.end(), word) != kWords.end()) return true;
    word.clear();
  }
  return false;
}

std::optional<std::vector<std::string>> matched(std::string_view quote, std::string_view sentence) {
  std::vector<std::string> filled;
  std::size_t at = 0;
  bool open = false;  // a {} stands before what comes next
  while (true) {
    const auto gap = quote.find('{');  // {}, or with the form of a number: {:.3g}
    const std::string_view piece = quote.substr(0, gap);
    const bool last = gap == quote.npos;
    std::size_t found = at;
    if (open && last) {
      if (sentence.size() <= at + piece.size()) return std::nullopt;
      found = sentence.size() - piece.size();
      if (!sentence.ends_with(piece)) return std::nullopt;
    } else if (open) {
      found = sentence.find(piece, at + 1);
    } else if (!sentence.substr(at).starts_with(piece)) {
      return std::nullopt;
    }
    if (found == sentence.npos) return std::nullopt;
    if (open) filled.emplace_back(sentence.substr(at, found - at));
    at = found + piece.size();
    if (last) break;
    quote.remove_prefix(std::min(quote.size(), quote.find('}', gap)) + 1);
    open = true;
  }
  if (at != sentence.size()) return std::nullopt;
  return filled;
}

std::optional<double> shown_number(std::string_view text) {
  constexpr std::string_view kMinus = "−";
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (!is_digit(text[k])) continue;
    const std::string_view before = text.substr(0, k);
    const bool negative = before.ends_with(kMinus) || before.ends_with('-');
    std::string digits = negative ? "-" : "";
    for (; k < text.size(); ++k) {
      const char c = text[k];
      const bool next = k + 1 < text.size() && is_digit(text[k + 1]);
      if (c == ',' && next) continue;
      const bool sign = k + 1 < text.size() && (text[k + 1] == '-' || text[k + 1] == '+');
      const bool exponent = c == 'e' && (next || sign);
      if (!is_digit(c) && !(c == '.' && next) && !exponent) break;
      digits += c;
      if (exponent && sign) digits += text[++k];
    }
    return param::whole<double>(digits);
  }
  return std::nullopt;
}

}  // namespace claims
