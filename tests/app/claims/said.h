// Which sentences claim something, and which of them a quote stands for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claims {

// A text's sentences, without the blanks between them.
std::vector<std::string> sentences(std::string_view text);

// Whether it holds a number, a comparison, or a word such as always, never, every, only, most,
// half.
bool claims_something(std::string_view sentence);

// What stands at each {} of the quote, where the sentence is the quote; else nothing.
std::optional<std::vector<std::string>> matched(std::string_view quote, std::string_view sentence);

// The first number in a text as it is shown: "1,024 of 4,096" is 1024, "−12 %" is -12.
std::optional<double> shown_number(std::string_view text);

}  // namespace claims
