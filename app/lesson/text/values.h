// What follows the other words of a lesson's line: knobs, lists, numbers, what travels.
#pragma once

#include <string_view>
#include <vector>

#include "app/lesson/lesson.h"

namespace lesson {

// What stands between bars with a blank on both sides.
std::vector<std::string_view> between_bars(std::string_view text);
// Each that takes a Where throws Fault.
int read_whole_number(std::string_view text, int least, int most, const Where& where);
// "n=16 | mask=causal", added to those that are there.
void read_settings(std::string_view text, const Where& where, Settings& settings);
Travel read_travel(std::string_view text, const Where& where);
// "NAME PLACE" or "NAME PLACE further".
void read_route(std::string_view text, const Where& where, Lesson& lesson);
// Names between commas.
std::vector<Named> read_references(std::string_view text, const Where& where);

}  // namespace lesson
