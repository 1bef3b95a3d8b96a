#include "core/task/pair/pairs.h"

#include <algorithm>
#include <set>

#include "core/refuse.h"
#include "core/task/pair/spelling.h"
#include "core/task/wanted.h"

namespace core::task {
namespace {

constexpr int kFirstYear = 1900, kYears = 200, kMostNumber = 9999;
constexpr std::size_t kLeastToHoldOut = 20;
constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz";

Pair draw_date(Language language, Random& random) {
  const auto one_of = [&](int count) { return static_cast<int>(below(random, count)); };
  Date date{kFirstYear + one_of(kYears), 1 + one_of(12), 1};
  date.day = 1 + one_of(days_in_month(date.year, date.month));
  const std::vector<std::string> all = spellings(date, language);
  return {all[static_cast<std::size_t>(one_of(static_cast<int>(all.size())))], iso(date)};
}

// As many numbers of one digit as of four: their words are the parts of the others'.
Pair draw_number(Language language, Random& random) {
  int ten = 1;
  for (Index digits = below(random, 4); digits > 0; --digits) ten *= 10;
  const int number = ten + static_cast<int>(below(random, 9 * ten));
  return {number_words(number, language), std::to_string(number)};
}

Pair draw_letters(const PairTask& task, Index length, Random& random) {
  std::string source;
  for (Index i = 0; i < length; ++i) {
    source += kAlphabet[static_cast<std::size_t>(below(random, task.letters))];
  }
  std::string target = source;
  if (task.kind == Kind::reversal) std::reverse(target.begin(), target.end());
  return {source, target};
}

bool writes_letters(const PairTask& task) {
  return task.kind == Kind::reversal || task.kind == Kind::copy;
}

bool names_year(const std::string& text, int year) {
  return text.find(std::to_string(year)) != std::string::npos ||
         text.find(year_in_chinese(year)) != std::string::npos;
}

std::string date_of(const std::string& source, Language language) {
  const std::string wanted = normalized(source);
  for (int year = kFirstYear; year < kFirstYear + kYears; ++year) {
    if (!names_year(wanted, year)) continue;
    for (int month = 1; month <= 12; ++month) {
      for (int day = 1; day <= days_in_month(year, month); ++day) {
        const std::vector<std::string> all = spellings({year, month, day}, language);
        if (std::find(all.begin(), all.end(), wanted) != all.end()) return iso({year, month, day});
      }
    }
  }
  return {};
}

std::string number_of(const std::string& source, Language language) {
  const std::string wanted = normalized(source);
  for (int number = 1; number <= kMostNumber; ++number) {
    if (number_words(number, language) == wanted) return std::to_string(number);
  }
  return {};
}

}  // namespace

std::string normalized(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

Unit source_unit(const PairTask& task) {
  if (task.kind == Kind::own) return task.own_unit;
  const bool words = task.kind == Kind::numbers && task.language == Language::english;
  return words ? Unit::words : Unit::characters;
}

Unit target_unit(const PairTask& task) {
  return task.kind == Kind::own ? task.own_unit : Unit::characters;
}

void check(const PairTask& task) {
  if (task.kind == Kind::own && (!task.own || task.own->empty())) {
    refuse("pairs", "at least one pair", "none");
  }
  if (!writes_letters(task)) return;
  if (task.letters < 1 || task.letters > static_cast<Index>(kAlphabet.size())) {
    refuse("letters", "from 1 to 26", std::to_string(task.letters));
  }
  if (task.shortest < 1 || task.shortest > task.longest) {
    refuse("shortest", "from 1 to " + std::to_string(task.longest), std::to_string(task.shortest));
  }
}

Pair draw(const PairTask& task, Random& random) {
  switch (task.kind) {
    case Kind::dates: return draw_date(task.language, random);
    case Kind::numbers: return draw_number(task.language, random);
    case Kind::own: return (*task.own)[random.below(static_cast<std::uint32_t>(task.own->size()))];
    case Kind::reversal:
    case Kind::copy: break;
  }
  const Index lengths = task.longest - task.shortest + 1;
  return draw_letters(task, task.shortest + below(random, lengths), random);
}

bool can_hold_out(const PairTask& task) {
  if (task.kind != Kind::own) return true;
  return task.own->size() >= kLeastToHoldOut;
}

bool held_out(const PairTask& task, const Pair& pair) {
  if (!can_hold_out(task)) return false;
  if (task.kind == Kind::numbers && pair.target.size() < 3) return false;
  if (writes_letters(task) && pair.target.size() < 2) return false;
  return hash64(pair.target) % 10 == 0;
}

std::vector<Pair> draw_pairs(const PairTask& task, std::uint64_t seed, Index count, bool held) {
  check(task);
  Random random(seed);
  std::vector<Pair> pairs;
  pairs.reserve(static_cast<std::size_t>(count));
  const bool wanted = held && can_hold_out(task);
  for (Index k = 0; k < count; ++k) {
    pairs.push_back(draw_wanted(task, wanted, [&] { return draw(task, random); }));
  }
  return pairs;
}

std::vector<Pair> draw_pairs_of_length(const PairTask& task, std::uint64_t seed, Index count,
                                       Index length) {
  check(task);
  if (!writes_letters(task) || length < 1) {
    refuse("length", "a task of letters, and at least 1", std::to_string(length));
  }
  Random random(stream_seed(seed, static_cast<std::uint64_t>(length)));
  std::vector<Pair> pairs;
  for (Index k = 0; k < count; ++k) {
    const auto any = [&] { return draw_letters(task, length, random); };
    pairs.push_back(draw_wanted(task, length >= 2, any));
  }
  return pairs;
}

std::string solution(const PairTask& task, const std::string& source) {
  switch (task.kind) {
    case Kind::dates: return date_of(source, task.language);
    case Kind::numbers: return number_of(source, task.language);
    case Kind::copy: return source;
    case Kind::reversal: {
      std::vector<std::string> tokens = split(source, Unit::characters);
      std::reverse(tokens.begin(), tokens.end());
      return join(tokens, Unit::characters);
    }
    case Kind::own: break;
  }
  if (!task.own) return {};
  const auto found = std::find_if(task.own->begin(), task.own->end(),
                                  [&](const Pair& pair) { return pair.source == source; });
  return found == task.own->end() ? std::string() : found->target;
}

std::vector<std::string> symbols(const PairTask& task) {
  std::set<std::string> all;
  const auto take = [&](const std::string& text, Unit unit) {
    for (std::string& token : split(text, unit)) all.insert(std::move(token));
  };
  const auto take_pair = [&](const Pair& pair) {
    take(pair.source, source_unit(task));
    take(pair.target, target_unit(task));
  };
  switch (task.kind) {
    case Kind::dates:
      for (int month = 1; month <= 12; ++month) {
        for (int day = 1; day <= 31; ++day) {
          for (const std::string& text : spellings({1987, month, day}, task.language)) {
            take(text, Unit::characters);
          }
        }
      }
      for (const std::string& text : spellings({2046, 5, 30}, task.language)) {
        take(text, Unit::characters);
      }
      take("0123456789-", Unit::characters);
      break;
    case Kind::numbers:
      for (const int number : {1, 10, 100, 1000}) {
        for (int k = 1; k < 100; ++k) {
          if (k * number > kMostNumber) break;
          take_pair({number_words(k * number, task.language), std::to_string(k * number)});
        }
      }
      take_pair({number_words(1001, task.language), "1001"});
      break;
    case Kind::reversal:
    case Kind::copy:
      take(std::string(kAlphabet.substr(0, static_cast<std::size_t>(task.letters))),
           Unit::characters);
      break;
    case Kind::own: std::for_each(task.own->begin(), task.own->end(), take_pair); break;
  }
  return {all.begin(), all.end()};
}

std::vector<std::string> split(const std::string& text, Unit unit) {
  std::vector<std::string> tokens;
  for (Token& token : tokenize(text, unit, static_cast<Index>(text.size()))) {
    tokens.push_back(token.label == "␣" ? " " : std::move(token.label));
  }
  return tokens;
}

std::string join(const std::vector<std::string>& tokens, Unit unit) {
  std::string text;
  for (const std::string& token : tokens) {
    if (unit == Unit::words && !text.empty()) text += ' ';
    text += token;
  }
  return text;
}

}  // namespace core::task
