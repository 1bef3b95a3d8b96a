// Explanations, line by line. What is printed can be worked out again from the line as it stands:
// "=" where the printed numbers give the printed result, "≈" where it was rounded from numbers with
// more digits than are printed.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/derivation/number_text.h"

namespace lab {

// --- pieces of a line

inline figure::Span plain(std::string text) { return {std::move(text), Role::text}; }
inline figure::Span dim(std::string text) { return {std::move(text), Role::dim}; }
// What the lines before it lead to.
inline figure::Span accented(std::string text) { return {std::move(text), Role::accent}; }
// A sentence between the equations.
inline figure::Span sentence(std::string text) {
  return {std::move(text), Role::dim, TextStyle::small};
}
// In a table: numbers and formulas.
inline figure::Span mono(std::string text, const Color& color = Role::text) {
  return {std::move(text), color, TextStyle::mono_small};
}
inline Explanation::Line sentence_line(std::string text) {
  return {"", {sentence(std::move(text))}};
}

// A row of scores that softmax turns into weights.
struct SoftmaxRow {
  figure::Numbers scores;
  std::size_t picked = 0;
  std::function<std::string(std::size_t)> name;  // of an entry, beside its exponential
  std::vector<bool> allowed = {};                // empty: all; what is left out weighs 0
  double temperature = 1;
  std::string score = "s";  // the letter of a score in the formula
  bool in_full = false;     // beside each exponential also what it is of: "exp(2.25400)"
};

// A sum of products of two vectors, and the colours of their numbers.
struct Product {
  figure::Numbers left, right;
  Color left_color = Role::query, right_color = Role::key;
  std::size_t most = 64, first = 12;  // terms that are written out; of more, the first few
  int digits = 4;  // decimals of the factors; 0: as many as give the products as they are printed
  std::string left_name = "q", right_name = "k";  // of "Σ qk", as `product` writes it
  // What is told behind a term. With it the largest terms come first, and of very many the first
  // are the largest.
  std::function<std::string(std::size_t)> term_name = {};
};

// One explanation while it is written.
class Derivation {
 public:
  explicit Derivation(const Words& w) : w_(w) {}
  const Words& words() const { return w_; }

  // left right; `right` begins with "=" or "≈".
  Derivation& is(std::string left, std::string right) {
    return add({std::move(left), {plain(std::move(right))}});
  }
  // left = right
  Derivation& begin(std::string left, std::string right) {
    return is(std::move(left), "= " + std::move(right));
  }
  // = right, and ≈ right
  Derivation& next(std::string right) { return is("", "= " + std::move(right)); }
  Derivation& about(std::string right) { return is("", "≈ " + std::move(right)); }
  Derivation& about(double value, int digits = 3) { return about(fixed(value, digits)); }
  // left ≈ value, with so many decimals
  Derivation& about(std::string left, double value, int digits = 3) {
    return is(std::move(left), "≈ " + fixed(value, digits));
  }
  // The same in the accent colour: what the lines before lead to.
  Derivation& result(std::string right) { return line("", {accented("= " + std::move(right))}); }
  Derivation& about_result(std::string right) {
    return line("", {accented("≈ " + std::move(right))});
  }
  Derivation& about_result(double value, int digits = 3) {
    return about_result(fixed(value, digits));
  }
  // left = right, accented: what is explained.
  Derivation& picked(std::string left, std::string right) {
    return line(std::move(left), {accented("= " + std::move(right))});
  }
  Derivation& about_picked(std::string left, std::string right) {
    return line(std::move(left), {accented("≈ " + std::move(right))});
  }
  Derivation& about_picked(std::string left, double value, int digits = 3) {
    return about_picked(std::move(left), fixed(value, digits));
  }
  Derivation& say(std::string_view text) { return add(sentence_line(std::string(text))); }
  Derivation& heading(std::string text) {
    return line("", {{std::move(text), Role::text, TextStyle::label_bold}});
  }
  Derivation& line(std::string left, std::vector<figure::Span> right) {
    return add({std::move(left), std::move(right)});
  }
  Derivation& add(Explanation::Line line) {
    lines_.push_back(std::move(line));
    return *this;
  }

  // A sum under an equation, a term a line: its number, and a remark in dim. The term at `marked`
  // stands out.
  struct Term {
    std::string value, remark;
  };
  Derivation& terms(const std::vector<Term>& terms, std::size_t marked = std::string::npos);

  // Each product of a sum, as its terms. Of very many the first few are written and the rest are
  // one.
  Derivation& products(const Product& product);
  // `name` = Σ left right, the products, and their sum, which is returned as printed.
  std::string product(std::string name, const Product& product);

  // `name` ≈ weight, = exp(s - max) / Σ exp, with numbers. The exponentials follow by `normalizer`,
  // so that what the score is made of can stand between. Where there is no such quotient (a NaN, an
  // infinite largest score, an entry that is left out) a sentence says so and `normalizer` writes
  // nothing.
  Derivation& weight(std::string name, const SoftmaxRow& row);
  // Σ exp and its terms: all, or the strongest of many and the picked one.
  Derivation& normalizer(const SoftmaxRow& row);
  // Both.
  Derivation& softmax(std::string name, const SoftmaxRow& row) {
    return weight(std::move(name), row).normalizer(row);
  }

  bool empty() const { return lines_.empty(); }
  // The lines; where one says "≈", the last one says what that means.
  Lines take();

 private:
  const Words& w_;
  Lines lines_;
};

}  // namespace lab
