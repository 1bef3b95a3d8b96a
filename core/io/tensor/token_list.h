// Names of tokens: of a file that holds them, or of an array of bytes beside the numbers.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/tensor/tensor.h"

namespace core {

inline constexpr std::uint64_t kMostTokenBytes = std::uint64_t{1} << 26;

// Reads a .json file as a list of texts, or an object whose key "tokens" is one; any other file as
// a token a line. The end of the last line is no token of its own; a byte order mark and carriage
// returns are left out. Texts are as they stand there, none is cut. InputError for what is longer
// than kMostTokenBytes, no UTF-8, no JSON, something else than a list of texts, or empty.
std::vector<std::string> read_tokens(const std::filesystem::path& path, const Cancel& cancel = {});

// Reads an array of bytes (uint8 or int8). One axis: a text as of a file, JSON where it is such, or
// begins as such and is one line; without line ends the tokens lie between zero bytes. Two axes: a
// token a row, ended by zeros. Messages call it `where`. InputError as above.
std::vector<std::string> tokens_of(const Tensor& bytes, const Message& where,
                                   const Cancel& cancel = {});

// Name of a token in figures: a space is "␣", the end of a line "⏎", what else would not be seen
// \x1b. An empty one is "".
std::string shown_token(std::string_view token);

}  // namespace core
