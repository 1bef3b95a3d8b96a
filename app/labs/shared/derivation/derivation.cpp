#include "app/labs/shared/derivation/derivation.h"

namespace lab {
namespace {

constexpr std::size_t kMostKeys = 16, kStrongestKeys = 11;  // of a row of softmax
// Larger scores stand relative to the largest of the row. exp(9) < 10,000 is still printed with a
// decimal, so that what follows from it can be redone.
constexpr double kLargestShown = 9;

bool takes_part(const SoftmaxRow& row, std::size_t j) {
  return row.allowed.empty() || row.allowed[j];
}

// The largest score that takes part; NaN when one of them is.
double largest_of(const SoftmaxRow& row) {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < row.scores.size(); ++j) {
    if (!takes_part(row, j)) continue;
    if (std::isnan(row.scores[j])) return row.scores[j];
    largest = std::max(largest, row.scores[j]);
  }
  return largest;
}

// Whether the picked weight is a quotient of exponentials.
bool is_quotient(const SoftmaxRow& row) {
  return takes_part(row, row.picked) && std::isfinite(largest_of(row));
}

// The exponentials of a row as they are written: relative to `shift`, 0 for what is left out.
struct Exponentials {
  double shift = 0, sum = 0;
  std::vector<double> values;

  explicit Exponentials(const SoftmaxRow& row) : values(row.scores.size()) {
    const double largest = largest_of(row);
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
  const int digits = 5 + std::max(0, to_int(std::ceil(-std::log10(temperature))));
  const auto text = [&](double value) {
    return fixed(value, std::abs(value) >= 1e4 && std::floor(value) == value ? 0 : digits);
  };
  std::string inner = text(score);
  if (shift != 0) inner += " - " + bracketed(text(shift));
  if (temperature == 1) return "exp(" + inner + ")";
  return fmt::format("exp({} / {})", shift != 0 ? "(" + inner + ")" : inner,
                     significant(temperature));
}

// Four significant digits at least, which give a weight to the digits it is printed with, and no
// more than its exponent gives as it is printed.
std::string exponential_text(double value) {
  if (value < 0.01 && value > 0) return fmt::format("{:.3e}", value);
  if (value < 0.1 && value > 0) return fixed(value, 5);
  return fixed(value, value < 10 ? 4 : value < 100 ? 3 : value < 1000 ? 2 : value < 10000 ? 1 : 0);
}

// The entries that are written out: all that take part, or the strongest in their order.
std::vector<std::size_t> written_entries(const SoftmaxRow& row) {
  std::vector<std::size_t> entries;
  for (std::size_t j = 0; j < row.scores.size(); ++j)
    if (takes_part(row, j)) entries.push_back(j);
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

// Decimals of factors from which every product follows to its fourth.
int enough_digits(const Product& product) {
  double largest = 1;
  for (std::size_t k = 0; k < product.left.size(); ++k) {
    largest = std::max(largest, std::abs(product.left[k]) + std::abs(product.right[k]));
  }
  return 4 + to_int(std::ceil(std::log10(largest)));
}

// The terms as they are written: in their order, or the largest first.
std::vector<std::size_t> order_of(const Product& product) {
  std::vector<std::size_t> order(product.left.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!product.term_name) return order;
  const auto size = [&](std::size_t k) { return std::abs(product.left[k] * product.right[k]); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  return order;
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

Derivation& Derivation::products(const Product& product) {
  const std::vector<double>&left = product.left, &right = product.right;
  const int digits = product.digits > 0 ? product.digits : enough_digits(product);
  const std::size_t count = left.size(), written = count > product.most ? product.first : count;
  const std::vector<std::size_t> order = order_of(product);
  for (std::size_t n = 0; n < written; ++n) {
    const std::size_t k = order[n];
    line("", {dim(n == 0 ? "  " : "+ "),
              {"(" + fixed(left[k], digits) + ")", product.left_color},
              {"(" + fixed(right[k], digits) + ")", product.right_color},
              dim(" ≈ "),
              plain(fixed(left[k] * right[k], 4))});
    if (product.term_name) lines_.back().right.push_back(dim("  " + product.term_name(k)));
  }
  if (written == count) return *this;
  double rest = 0;
  for (std::size_t n = written; n < count; ++n) rest += left[order[n]] * right[order[n]];
  return line("", {dim("+ "), dim(w_.format("… more terms: {}", count - written)), dim(" ≈ "),
                   plain(fixed(rest, 4))});
}

std::string Derivation::product(std::string name, const Product& product) {
  const bool letters = product.left_name.size() == 1 && product.right_name.size() == 1;
  line(std::move(name), {plain("= Σ "),
                         {product.left_name, product.left_color},
                         plain(letters ? "" : "·"),
                         {product.right_name, product.right_color}});
  products(product);
  std::string sum = fixed(
      std::inner_product(product.left.begin(), product.left.end(), product.right.begin(), 0.0), 4);
  about(sum);
  return sum;
}

Derivation& Derivation::weight(std::string name, const SoftmaxRow& row) {
  if (!takes_part(row, row.picked)) return picked(std::move(name), "0");
  if (const double largest = largest_of(row); !std::isfinite(largest)) {
    say(std::isnan(largest) ? w_("One score of the row is NaN, and so is its sum: every weight is.")
        : largest < 0 ? w_("Every score is -∞: the largest is subtracted, -∞ - (-∞) = NaN.")
                      : w_("The largest score is ∞: subtracted from itself, ∞ - ∞ = NaN."));
    return picked(std::move(name), "NaN");
  }
  const Exponentials exps(row);
  const double exponential_value = exps.values[row.picked];
  const std::string over = row.temperature == 1 ? "" : " / T";
  about_picked(std::move(name), weight_text(exponential_value / exps.sum));
  const std::string difference = row.score + " - max";
  next(exps.shift == 0 ? fmt::format("exp({}{}) / Σ exp", row.score, over)
       : over.empty()  ? fmt::format("exp({}) / Σ exp", difference)
                       : fmt::format("exp(({}) / T) / Σ exp", difference));
  about(exponential(row.scores[row.picked], exps.shift, row.temperature) + " / " +
        exponential_text(exps.sum));
  return about(exponential_text(exponential_value) + " / " + exponential_text(exps.sum));
}

Derivation& Derivation::normalizer(const SoftmaxRow& row) {
  if (!is_quotient(row)) return *this;
  const Exponentials exps(row);
  const std::vector<std::size_t> entries = written_entries(row);
  const auto count =
      to_size(row.allowed.empty() ? static_cast<std::ptrdiff_t>(row.scores.size())
                                  : std::count(row.allowed.begin(), row.allowed.end(), true));
  is("Σ exp", "≈ " + exponential_text(exps.sum));
  double rest = exps.sum;
  bool first = true;
  for (const std::size_t j : entries) {
    const bool own = j == row.picked;
    rest -= exps.values[j];
    line("", {dim(std::exchange(first, false) ? "  " : "+ "),
              {exponential_text(exps.values[j]), own ? Role::accent : Role::text}});
    if (row.in_full) {
      lines_.back().right.push_back(
          dim("  ≈ " + exponential(row.scores[j], exps.shift, row.temperature)));
    }
    lines_.back().right.push_back({"  " + row.name(j), own ? Role::key : Role::dim});
  }
  if (entries.size() < count) {
    line("", {dim("+ "), plain(exponential_text(std::max(0.0, rest))),
              dim("  " + w_.format("… more terms: {}", count - entries.size()))});
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
    say(w_("≈: computed with all digits, then rounded to the digits shown."));
  }
  return std::move(lines_);
}

}  // namespace lab
