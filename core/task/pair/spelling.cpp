#include "core/task/pair/spelling.h"

#include <array>
#include <cstdio>
#include <string_view>

namespace core::task {
namespace {

constexpr std::array<std::string_view, 12> kMonths{"january",   "february", "march",    "april",
                                                   "may",       "june",     "july",     "august",
                                                   "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 20> kSmall{
    "zero",     "one",     "two",     "three",     "four",     "five",    "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::array<std::string_view, 10> kTens{"",      "",      "twenty",  "thirty", "forty",
                                                 "fifty", "sixty", "seventy", "eighty", "ninety"};
constexpr std::array<std::string_view, 10> kDigits{"零", "一", "二", "三", "四",
                                                   "五", "六", "七", "八", "九"};
constexpr std::array<std::string_view, 4> kPowersOfTen{"", "十", "百", "千"};

std::string text(std::string_view s) { return std::string(s); }
std::string_view at(const auto& names, int i) { return names[static_cast<std::size_t>(i)]; }

std::string padded(int number, int width) {
  std::string digits = std::to_string(number);
  while (static_cast<int>(digits.size()) < width) digits.insert(digits.begin(), '0');
  return digits;
}

std::string below_hundred(int n) {
  if (n < 20) return text(at(kSmall, n));
  const std::string tens = text(at(kTens, n / 10));
  return n % 10 == 0 ? tens : tens + "-" + text(at(kSmall, n % 10));
}

std::string in_english(int n) {
  std::string said;
  if (n >= 1000) said = text(at(kSmall, n / 1000)) + " thousand";
  if (n % 1000 >= 100) {
    said += (said.empty() ? "" : " ") + text(at(kSmall, n % 1000 / 100)) + " hundred";
  }
  if (n % 100 == 0) return said;
  return said + (said.empty() ? "" : " and ") + below_hundred(n % 100);
}

// One 零 for each run of zeros between digits; 一十 is 十 where the number begins with it.
std::string in_chinese(int n) {
  const std::string digits = std::to_string(n);
  std::string said;
  bool gap = false;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    const int digit = digits[k] - '0';
    if (digit == 0) {
      gap = true;
      continue;
    }
    const std::size_t power = digits.size() - 1 - k;
    if (gap && !said.empty()) said += kDigits[0];
    gap = false;
    if (!(digit == 1 && power == 1 && said.empty())) said += at(kDigits, digit);
    said += kPowersOfTen[power];
  }
  return said;
}

}  // namespace

std::string year_in_chinese(int year) {
  std::string said;
  for (const char digit : std::to_string(year)) {
    said += digit == '0' ? "〇" : at(kDigits, digit - '0');
  }
  return said;
}

int days_in_month(int year, int month) {
  constexpr std::array<int, 12> days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return days[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

std::string iso(const Date& date) {
  return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2);
}

std::vector<std::string> spellings(const Date& date, Language language) {
  const std::string year = std::to_string(date.year), month = std::to_string(date.month);
  const std::string day = std::to_string(date.day);
  const std::string month2 = padded(date.month, 2), day2 = padded(date.day, 2);
  const std::string slashed = day2 + "/" + month2 + "/" + year;
  if (language == Language::english) {
    const std::string name = text(at(kMonths, date.month - 1)), brief = name.substr(0, 3);
    return {name + " " + day + ", " + year,
            day + " " + name + " " + year,
            brief + " " + day + ", " + year,
            day + " " + brief + " " + year,
            slashed,
            day + "." + month + "." + year};
  }
  return {year + "年" + month + "月" + day + "日",
          year_in_chinese(date.year) + "年" + in_chinese(date.month) + "月" + in_chinese(date.day) +
              "日",
          year + "年" + month2 + "月" + day2 + "日",
          month + "月" + day + "日，" + year + "年",
          slashed,
          year + "." + month + "." + day};
}

std::string number_words(int number, Language language) {
  return language == Language::english ? in_english(number) : in_chinese(number);
}

}  // namespace core::task
