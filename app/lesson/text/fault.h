// What is wrong with a lesson's text: one sentence with the file and the line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/words/sentence.h"
#include "core/types.h"

namespace lesson {

struct Fault : core::InputError {
  using core::InputError::InputError;
};

// A place in a lesson's file.
struct Where {
  std::string file;
  int line = 0;
};

[[noreturn]] void refuse(const Where& where, const words::Sentence& reason);

// "expected {a knob}, got {it}"; of what might have been meant the nearest names are told, at most
// four. `got` is quoted.
[[noreturn]] void refuse_unknown(const Where& where, const words::Sentence& expected,
                                 std::string_view got, const std::vector<std::string>& known);
[[noreturn]] void refuse_got(const Where& where, const words::Sentence& expected,
                             std::string_view got);

// The names that need the fewest letters changed, nearest first.
std::vector<std::string> nearest(std::string_view name, std::vector<std::string> known,
                                 std::size_t most);

}  // namespace lesson
