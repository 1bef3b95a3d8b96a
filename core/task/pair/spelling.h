// How dates and numbers are said.
#pragma once

#include <string>
#include <vector>

#include "core/task/pair/pairs.h"

namespace core::task {

struct Date {
  int year = 2000, month = 1, day = 1;
  bool operator==(const Date&) const = default;
};

int days_in_month(int year, int month);  // of the Gregorian calendar
std::string iso(const Date& date);       // "2019-03-05"

// The year digit by digit: "二〇一九".
std::string year_in_chinese(int year);

// All spellings of a date: six, of which no two dates share one. English: "march 5, 2019", "5 march
// 2019", "mar 5, 2019", "5 mar 2019", "05/03/2019" (day first), "5.3.2019". Chinese:
// "2019年3月5日", "二〇一九年三月五日", "2019年03月05日", "3月5日，2019年", "05/03/2019",
// "2019.3.5".
std::vector<std::string> spellings(const Date& date, Language language);

// 1 to 9999: "four thousand three hundred and five", "四千三百零五".
std::string number_words(int number, Language language);

}  // namespace core::task
