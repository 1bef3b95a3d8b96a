// A person's own pairs: typed, or in a file.
#pragma once

#include <filesystem>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "core/task/pair/pairs.h"

namespace core::task {

inline constexpr std::size_t kMostPairs = 20'000;
inline constexpr std::size_t kMostPairBytes = 400;  // of one side

// "the cat = le chat; the dog = le chien": pairs apart by semicolons, their sides by the first "=".
// Spaces around a side do not count. InputError, which can be told in every language, for a side
// that is empty or too long, too many pairs, none at all, or text that is no UTF-8.
std::vector<Pair> parse_pairs(std::string_view text);

// A pair a line, its sides apart by a tab, or else a semicolon, or else a comma, whichever of these
// the first line has; a side may stand in double quotes, and a quote in it is then written twice.
// Empty lines count for nothing. InputError as above, which names the file and the line.
std::vector<Pair> read_pairs(std::istream& in, const std::string& name, const Cancel& cancel = {});
std::vector<Pair> read_pairs(const std::filesystem::path& path, const Cancel& cancel = {});

}  // namespace core::task
