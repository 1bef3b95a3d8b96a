// Names of the tokens beside attention that was given, and which of them are meant.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/heads/given_heads.h"

namespace core::heads {

struct GivenTokens {
  // As they are, n and m of them: the last ones where there were more, "#k" behind them where there
  // were fewer. Empty: none were given.
  std::vector<std::string> queries, keys;
  Index given_queries = 0, given_keys = 0;  // how many there were; 0: none
  bool fits = true;                         // none, or as many as there are queries and keys
};

// The names in `path` and `key_path` (core::read_tokens), or where these are empty in the file:
// entries of texts and arrays of bytes that are named for tokens, those with "key" in their names
// for keys. Without names of keys they are those of the queries where n = m, or where there are m:
// queries are then the last n of them. InputError for files that are none of tokens.
GivenTokens given_tokens(const HeadFile& source, const std::filesystem::path& path,
                         const std::filesystem::path& key_path, Index n, Index m,
                         const Cancel& cancel = {});

// Whether each token is one of `wanted`, as it is or as core::shown_token shows it.
std::vector<bool> among(const std::vector<std::string>& tokens,
                        const std::vector<std::string>& wanted);

// Whether each token is in the first sentence, which ends with the first separator. Without one all
// are.
std::vector<bool> in_first_sentence(const std::vector<std::string>& tokens,
                                    const std::vector<std::string>& separators);

}  // namespace core::heads
