#include "app/labs/shared/writing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/labs/shared/parts.h"

namespace lab {
namespace {

using core::Index;
using figure::Role;

constexpr int kDigits = 4;

bool counts(const WrittenSoftmax& written, Index j) {
  return written.takes_part.empty() || written.takes_part[static_cast<std::size_t>(j)];
}

double largest_of(const WrittenSoftmax& written) {
  double largest = -std::numeric_limits<double>::infinity();
  for (Index j = 0; j < written.scores.size(); ++j) {
    if (!counts(written, j)) continue;
    if (std::isnan(written.scores(j))) return written.scores(j);
    largest = std::max(largest, written.scores(j));
  }
  return largest;
}

// "exp((2.000 - 3.000) / 0.5)", the division left out at T = 1.
std::string old_exponential(double score, double largest, double T) {
  const std::string below = score_text(largest);
  const std::string difference =
      fmt::format("{} - {}", score_text(score), largest < 0 ? "(" + below + ")" : below);
  return T == 1 ? "exp(" + difference + ")" : fmt::format("exp(({}) / {:.4g})", difference, T);
}

}  // namespace

namespace writing {

void equation(Lines& lines, std::string left, std::string right) {
  lines.push_back({std::move(left), {plain(std::move(right))}});
}

void result(Lines& lines, std::string right) {
  lines.push_back({"", {{std::move(right), Role::accent}}});
}

void say(Lines& lines, std::string_view text) {
  lines.push_back({"", {sentence(std::string(text))}});
}

void heading(Lines& lines, std::string text) {
  lines.push_back({"", {{std::move(text), Role::text, figure::TextStyle::label_bold}}});
}

void sum(Lines& lines, const std::vector<Term>& terms, std::size_t marked) {
  for (std::size_t k = 0; k < terms.size(); ++k) {
    lines.push_back({"",
                     {dim(k == 0 ? "  " : "+ "),
                      {terms[k].value, k == marked ? Role::accent : Role::text},
                      dim("  " + terms[k].remark)}});
  }
}

}  // namespace writing

Writer& Writer::is(std::string left, std::string right) {
  writing::equation(lines_, std::move(left), std::move(right));
  return *this;
}

Writer& Writer::result(std::string right) {
  writing::result(lines_, "= " + std::move(right));
  return *this;
}

Writer& Writer::say(std::string_view text) {
  writing::say(lines_, text);
  return *this;
}

Writer& Writer::add(Explanation::Line line) {
  lines_.push_back(std::move(line));
  return *this;
}

void write_softmax(const words::Words& w, const WrittenSoftmax& written, Lines& lines) {
  const double largest = largest_of(written);
  if (std::isnan(largest)) {
    writing::say(lines, w("One score of the row is NaN, and so is its sum: every weight is."));
    return writing::result(lines, "= NaN");
  }
  if (!counts(written, written.picked)) return writing::result(lines, "= 0");
  if (std::isinf(largest)) {
    writing::say(lines, w("Every score is -∞: the largest is subtracted, -∞ - (-∞) = NaN."));
    return writing::result(lines, "= " + weight_text(written.weight));
  }
  std::vector<double> exps;
  std::vector<Index> entries;
  for (Index j = 0; j < written.scores.size(); ++j) {
    if (!counts(written, j)) continue;
    entries.push_back(j);
    exps.push_back(std::exp((written.scores(j) - largest) / written.temperature));
  }
  const PrintedSum printed = printed_sum(exps, kDigits);
  std::vector<writing::Term> terms;
  std::size_t marked = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const double score = written.scores(entries[k]);
    if (entries[k] == written.picked) marked = k;
    terms.push_back({printed.parts[k],
                     fmt::format("{}  ({})", old_exponential(score, largest, written.temperature),
                                 entries[k] + written.first)});
  }
  writing::equation(lines, "max", "= " + score_text(largest));
  writing::equation(lines, "Σ exp", "= " + printed.sum);
  writing::sum(lines, terms, marked);
  writing::equation(lines, "p", fmt::format("= {} / {}", printed.parts[marked], printed.sum));
  writing::result(lines, "= " + weight_text(written.weight));
}

}  // namespace lab
