#include "app/labs/shared/derivation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lab {
namespace {

using figure::Role;

constexpr std::size_t kMostTerms = 64, kFirstTerms = 12;    // of a sum of products
constexpr std::size_t kMostKeys = 16, kStrongestKeys = 11;  // of a row of softmax
constexpr double kLargestShown = 12;  // larger scores stand relative to the largest of the row

bool takes_part(const SoftmaxRow& row, std::size_t j) {
  return row.allowed.empty() || row.allowed[j];
}

// The exponentials of a row as they are written: relative to `shift`, 0 for what is left out.
struct Exponentials {
  double shift = 0, sum = 0;
  std::vector<double> values;

  explicit Exponentials(const SoftmaxRow& row) : values(row.scores.size()) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (takes_part(row, j)) largest = std::max(largest, row.scores[j]);
    }
    if (std::abs(largest / row.temperature) > kLargestShown) shift = largest;
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (!takes_part(row, j)) continue;
      values[j] = std::exp((row.scores[j] - shift) / row.temperature);
      sum += values[j];
    }
  }
};

// "exp(2.25400 - 3.00000)": with digits that give the exponential to the digits it is printed with.
std::string exponential(double score, double shift, double temperature) {
  std::string inner = fixed(score, 5);
  if (shift != 0) inner += " - " + bracketed(fixed(shift, 5));
  if (temperature == 1) return "exp(" + inner + ")";
  return fmt::format("exp({} / {})", shift != 0 ? "(" + inner + ")" : inner,
                     significant(temperature));
}

// Four decimals, or as many digits where the number is small.
std::string exponential_text(double value) {
  return value < 0.01 && value > 0 ? fmt::format("{:.3e}", value) : fixed(value, 4);
}

// The entries that are written out: all that take part, or the strongest in their order.
std::vector<std::size_t> written_entries(const SoftmaxRow& row) {
  std::vector<std::size_t> entries;
  for (std::size_t j = 0; j < row.scores.size(); ++j) {
    if (takes_part(row, j)) entries.push_back(j);
  }
  if (entries.size() <= kMostKeys) return entries;
  const auto end = entries.begin() + static_cast<std::ptrdiff_t>(kStrongestKeys);
  std::partial_sort(entries.begin(), end, entries.end(), [&](std::size_t a, std::size_t b) {
    if ((a == row.picked) != (b == row.picked)) return a == row.picked;  // it is always there
    return row.scores[a] > row.scores[b];
  });
  entries.erase(end, entries.end());
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace

Derivation& Derivation::terms(const std::vector<Term>& terms, std::size_t marked) {
  for (std::size_t k = 0; k < terms.size(); ++k) {
    line("", {dim(k == 0 ? "  " : "+ "),
              {terms[k].value, k == marked ? Role::accent : Role::text},
              dim("  " + terms[k].remark)});
  }
  return *this;
}

std::string Derivation::product(std::string name, const Product& product) {
  const auto& [left, right, left_color, right_color] = product;
  const std::size_t count = left.size(), written = count > kMostTerms ? kFirstTerms : count;
  const auto from = [&](std::size_t k) {
    return std::inner_product(left.begin() + static_cast<std::ptrdiff_t>(k), left.end(),
                              right.begin() + static_cast<std::ptrdiff_t>(k), 0.0);
  };
  line(std::move(name), {plain("= Σ "), {"q", left_color}, {"k", right_color}});
  for (std::size_t k = 0; k < written; ++k) {
    line("", {dim(k == 0 ? "  " : "+ "),
              {"(" + fixed(left[k], 4) + ")", left_color},
              {"(" + fixed(right[k], 4) + ")", right_color},
              dim(" ≈ "),
              plain(fixed(left[k] * right[k], 4))});
  }
  if (written < count) {
    line("", {dim("+ "), dim(w_.format("… {} more terms", count - written)), dim(" ≈ "),
              plain(fixed(from(written), 4))});
  }
  const std::string sum = fixed(from(0), 4);
  about(sum);
  return sum;
}

Derivation& Derivation::weight(std::string name, const SoftmaxRow& row) {
  const Exponentials exps(row);
  const double exponential_value = exps.values[row.picked];
  const std::string over = row.temperature == 1 ? "" : " / T";
  about_picked(std::move(name), weight_text(exponential_value / exps.sum));
  if (exps.shift == 0) {
    next(fmt::format("exp(s{}) / Σ exp", over));
  } else {
    next(over.empty() ? "exp(s - max) / Σ exp" : "exp((s - max) / T) / Σ exp");
  }
  about(exponential(row.scores[row.picked], exps.shift, row.temperature) + " / " +
        exponential_text(exps.sum));
  return about(exponential_text(exponential_value) + " / " + exponential_text(exps.sum));
}

Derivation& Derivation::normaliser(const SoftmaxRow& row) {
  const Exponentials exps(row);
  const std::vector<std::size_t> entries = written_entries(row);
  const auto count = static_cast<std::size_t>(
      row.allowed.empty() ? static_cast<std::ptrdiff_t>(row.scores.size())
                          : std::count(row.allowed.begin(), row.allowed.end(), true));
  is("Σ exp", "≈ " + exponential_text(exps.sum));
  double rest = exps.sum;
  bool first = true;
  for (const std::size_t j : entries) {
    const bool own = j == row.picked;
    rest -= exps.values[j];
    line("", {dim(std::exchange(first, false) ? "  " : "+ "),
              {exponential_text(exps.values[j]), own ? Role::accent : Role::text},
              {"  " + row.name(j), own ? Role::key : Role::dim}});
  }
  if (entries.size() < count) {
    line("", {dim("+ "), plain(exponential_text(std::max(0.0, rest))),
              dim("  " + w_.format("… {} more keys", count - entries.size()))});
  }
  return *this;
}

Lines Derivation::take() {
  const auto rounded = [](const Explanation::Line& line) {
    return std::any_of(line.right.begin(), line.right.end(), [](const figure::Span& span) {
      return span.text.find("≈") != std::string::npos;
    });
  };
  if (std::any_of(lines_.begin(), lines_.end(), rounded)) {
    say(w_("≈: worked out with all digits, then rounded to those that are printed."));
  }
  return std::move(lines_);
}

}  // namespace lab
