// How far two lists of numbers rise together, whatever their scale.
#pragma once

#include <optional>
#include <vector>

namespace core {

// Ranks from 1 to n; equal numbers share the mean of their ranks.
std::vector<double> ranks(const std::vector<double>& values);

// Spearman's rho: the correlation of the ranks (Spearman 1904), ties by mean ranks. From -1 to 1;
// nothing for fewer than two numbers, or where all of a list are equal. Lists of one length,
// without NaN; else InputError.
std::optional<double> rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace core
