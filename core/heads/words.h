// Subwords joined into words: what a word attends to, of what its tokens do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/heads/given_heads.h"

namespace core::heads {

// Whether a tokenizer writes tokens that are no text so: [CLS], <s>, <|endoftext|>; <0x0A> is text.
bool is_special(std::string_view token);

// Where each word begins among the tokens, by what tokenizers mark: WordPiece a token that goes on
// ("##ing"); byte pairs and SentencePiece one that begins (a space, "␣", "Ġ" or "▁" before it).
// With such marks letters, digits and apostrophes without one go on with the word before them,
// except behind a token that is no text, as [CLS] or <s>. Without any mark each token is a word.
std::vector<Index> word_starts(const std::vector<std::string>& tokens);

// The words' names: those of their tokens without the marks, one after the other.
std::vector<std::string> word_names(const std::vector<std::string>& tokens,
                                    const std::vector<Index>& starts);

// A map from words to words: keys of a word summed, its queries averaged, so that rows which add up
// to 1 still do (Clark et al. 2019, section 4.1). Masked where all of it is; otherwise what is
// masked counts as 0. The starts begin with 0 and rise, below the number of queries and of keys,
// else InputError.
HeadPointer joined_rows(HeadPointer head, std::vector<Index> query_starts,
                        std::vector<Index> key_starts);

// Heads of words instead of tokens. Queries and keys are looked at no longer: a word has none.
GivenHeads joined_heads(const GivenHeads& given, std::vector<Index> query_starts,
                        std::vector<Index> key_starts);

}  // namespace core::heads
