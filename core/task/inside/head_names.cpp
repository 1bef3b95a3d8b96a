#include "core/task/inside/head_names.h"

#include "core/message.h"

namespace core::task {

const std::array<NamedScore, kNamedScores>& named_scores() {
  using Of = NamedScore::Of;
  static constexpr std::array<NamedScore, kNamedScores> kAll{
      {{N_("previous token"), N_("the weight on the previous token"), &HeadScores::previous_token},
       {N_("duplicate token"), N_("the weight on earlier occurrences of the token"),
        &HeadScores::duplicate_token},
       {N_("induction"), N_("the weight on tokens that followed earlier occurrences"),
        &HeadScores::induction},
       {N_("first token"), N_("the weight on the first token"), &HeadScores::first_token},
       {N_("same class"),
        N_("the weight on earlier tokens of the same class (digits, vowels, one kind of bracket) "
           "that are not the same token"),
        &HeadScores::same_class, Of::task},
       {N_("punctuation"), N_("the weight on earlier punctuation marks"), &HeadScores::punctuation,
        Of::text},
       {N_("headword"),
        N_("the weight on the headword of a definition, or the title of a poem, from behind it"),
        &HeadScores::headword, Of::text},
       {N_("open bracket"),
        N_("the weight on the bracket or quotation mark that is open, from inside of it"),
        &HeadScores::opening, Of::text},
       {N_("uniform"), N_("the entropy of the weights over that of equal ones"),
        &HeadScores::uniform}}};
  return kAll;
}

namespace {

bool is_uniform(std::size_t which) { return named_scores()[which].score == &HeadScores::uniform; }

}  // namespace

double above_even(const HeadScores& scores, std::size_t which) {
  const HeadScore& one = scores.*named_scores()[which].score;
  if (is_uniform(which)) return one.mean;
  return one.even < 1 ? (one.mean - one.even) / (1 - one.even) : 0;
}

bool stands_out(const HeadScores& scores, std::size_t which) {
  constexpr double kLeast = 0.2, kUniform = 0.9;
  return above_even(scores, which) >= (is_uniform(which) ? kUniform : kLeast);
}

std::optional<std::size_t> called(const HeadScores& scores) {
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < kNamedScores; ++k) {
    if (!stands_out(scores, k)) continue;
    if (!best || (!is_uniform(k) && above_even(scores, k) > above_even(scores, *best))) best = k;
  }
  return best;
}

}  // namespace core::task
