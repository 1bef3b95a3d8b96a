// What heads are called by: of some scores the one that stands farthest above that of equal
// weights.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/task/inside/head_scores.h"

namespace core::task {

struct NamedScore {
  std::string_view name, help;  // messages
  HeadScore HeadScores::*score;
  enum class Of {
    any,
    task,
    text
  } of = Of::any;  // tokens of a task have classes, texts have marks
};
inline constexpr std::size_t kNamedScores = 9;
// In the order of figures.
const std::array<NamedScore, kNamedScores>& named_scores();

// How far a score is above that of equal weights: 0 like them, 1 all that is possible; of `uniform`
// the score itself.
double above_even(const HeadScores& scores, std::size_t which);
// Whether it is so high that a head may be called by it.
bool stands_out(const HeadScores& scores, std::size_t which);
// Which of them a head is called by; none where no score is high. Equal weights are a name only
// where no other fits.
std::optional<std::size_t> called(const HeadScores& scores);

}  // namespace core::task
