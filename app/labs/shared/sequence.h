// The sequence that a lab looks at: a text, or vectors made for the purpose.
#pragma once

#include "app/labs/shared/knobs.h"

namespace lab {

// In Chinese texts of labs set as many tokens, with "bank" at the same place (`chinese:`).
inline constexpr std::string_view kSampleText =
    "the river bank was steep so the cat sat on the river bank again";
inline constexpr std::size_t kMostTextBytes = std::size_t{1} << 20;

struct Tokens {
  Labels labels;
  Matrix X;          // (n, d_model)
  bool cut = false;  // the text has more tokens than were asked for
};

// The first `length` tokens of the text; an empty text gives n = 0.
Tokens text_tokens(const std::string& text, core::Unit unit, int length, int d_model, int seed);

// The words at `length` positions, by the first time that each is said.
struct RepeatedWords {
  std::vector<Index> ids;          // of the word at each position
  std::vector<std::string> names;  // of the words
  bool again = false;              // the text was shorter and begins again
};
RepeatedWords repeated_words(const std::string& text, int length);

// Which matrix a stream of random numbers belongs to.
enum class Stream : std::uint64_t { query = 1, key = 2, value = 3, output = 4 };

// One head's columns of `random_projection`, (rows, d_k).
Matrix head_projection(Index rows, Index d_k, int seed, Stream stream, Index head);

// A projection (rows, heads d_k) with entries N(0, 1/rows); each head has a stream of its own, so
// that more heads or a wider head leave the others' numbers as they are in their first columns.
Matrix random_projection(Index rows, Index heads, Index d_k, int seed, Stream stream);

// What the tokens are: a text, vectors that have nothing in common, a pattern again and again,
// groups of alike ones, or vectors that change slowly.
enum class Input { text, random, repeated, clusters, smooth };

// A lab's parameters inherit it.
struct SequenceKnobs {
  Input input = Input::text;
  std::string text{kSampleText};
  core::Unit unit = core::Unit::words;
  int length = 256;
  int period = 8;

  bool is_text() const { return input == Input::text; }
  bool has_period() const { return !is_text() && input != Input::random; }
  // How many tokens there are, at most `most`. Invalid text, which `param::parse` refuses, has
  // none.
  int token_count(int most);

 private:
  TokenCount counted_;
};

// The group "Sequence": "input", "text", "unit", "length" (1 to `most`) and "period".
void describe_sequence(
    SequenceKnobs& knobs, int most, param::List& list,
    std::string_view length_help =
        N_("The number of tokens n; for a text, at most its first n. The scores are n times n"));

// What the page has found for "length": how many tokens a text has, where all `n` of them are used.
// A greater length changes nothing.
void find_length(const SequenceKnobs& knobs, Index n, bool cut, const Words& w, Page& page);

// What is made up about the weights that an untrained head gives these tokens (Page::made_up).
// `alike`: one matrix projects queries and keys, so that equal tokens find each other.
std::string made_up(const SequenceKnobs& knobs, bool alike, const Words& w);

// The tokens with vectors (n, d_model), kept while nothing that they depend on changes.
std::shared_ptr<const Tokens> tokens_of(const SequenceKnobs& knobs, int d_model, int seed,
                                        const Context& context);

}  // namespace lab
