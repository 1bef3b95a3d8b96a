#include "arithmetic/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <utility>

namespace contract {

namespace {

struct Unreadable {};

struct Unit {
  std::string_view name;
  double factor;
};
constexpr double kDegree = std::numbers::pi / 180;
constexpr std::array<Unit, 15> kUnits{{{"%", 0.01},
                                       {"°", kDegree},
                                       {"rad", 1},
                                       {"radians", 1},
                                       {"turns", 1},
                                       {"nats", 1},
                                       {"kg", 1},
                                       {"B", 1},
                                       {"kB", 1e3},
                                       {"MB", 1e6},
                                       {"GB", 1e9},
                                       {"TB", 1e12},
                                       {"KiB", 0x1p10},
                                       {"MiB", 0x1p20},
                                       {"GiB", 0x1p30}}};

double natural_log(double x) { return std::log(x); }

struct Function {
  std::string_view name;
  double (*of)(double);
};
constexpr std::array<Function, 12> kFunctions{{{"exp", [](double x) { return std::exp(x); }},
                                               {"sin", [](double x) { return std::sin(x); }},
                                               {"cos", [](double x) { return std::cos(x); }},
                                               {"tan", [](double x) { return std::tan(x); }},
                                               {"tanh", [](double x) { return std::tanh(x); }},
                                               {"sqrt", [](double x) { return std::sqrt(x); }},
                                               {"ln", natural_log},
                                               {"log", natural_log},
                                               {"log2", [](double x) { return std::log2(x); }},
                                               {"log10", [](double x) { return std::log10(x); }},
                                               {"atan", [](double x) { return std::atan(x); }},
                                               {"abs", [](double x) { return std::abs(x); }}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Reads and works out at once. One of the numbers may be nudged by half a unit of its last digit.
class Reader {
 public:
  explicit Reader(std::string_view text, int nudged = -1) : text_(text), nudged_(nudged) {}

  double all() {
    const double value = sum();
    skip_spaces();
    for (const Unit& unit : kUnits) {
      if (text_.substr(at_) != unit.name) continue;
      factor_ = unit.factor;
      unit_ = unit.name;
      at_ = text_.size();
    }
    if (at_ != text_.size()) throw Unreadable{};
    return value * factor_;
  }
  int numbers() const { return numbers_; }
  int operations() const { return operations_; }
  std::string_view unit() const { return unit_; }
  double half_unit() const { return half_unit_ * factor_; }  // of the last number

 private:
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  bool take_any(std::initializer_list<std::string_view> tokens) {
    return std::any_of(tokens.begin(), tokens.end(), [this](auto token) { return take(token); });
  }
  void expect(std::string_view token) {
    if (!take(token)) throw Unreadable{};
  }
  char next() {
    skip_spaces();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool next_is(std::string_view token) {
    skip_spaces();
    return text_.substr(at_).starts_with(token);
  }

  double sum() {
    double value = product();
    for (;;) {
      if (take("+")) {
        ++operations_;
        value += product();
      } else if (!next_is_signed() && take_any({"-", "−"})) {
        ++operations_;
        value -= product();
      } else {
        return value;
      }
    }
  }
  // "3 -0.5" is no difference but two numbers side by side, "3-0.5" and "3 - 0.5" are.
  bool next_is_signed() {
    skip_spaces();
    const bool apart = at_ > 0 && text_[at_ - 1] == ' ';
    return apart && text_.substr(at_).starts_with("-") && !text_.substr(at_).starts_with("- ");
  }
  double product() {
    double value = signed_factor();
    for (;;) {
      if (take_any({"·", "×", "*"})) {
        ++operations_;
        value *= signed_factor();
      } else if (take_any({"/", "÷"})) {
        ++operations_;
        value /= signed_factor();
      } else {
        return value;
      }
    }
  }
  double signed_factor() {
    if (take_any({"-", "−"})) return -signed_factor();
    if (take("+")) return signed_factor();
    double value = power();
    while (begins_factor()) {
      ++operations_;
      value *= power();
    }
    return value;
  }
  // What may stand beside a factor without a sign of multiplication: no bare number, and no bar,
  // which could be the end of an absolute value.
  bool begins_factor() {
    if (next_is("(") || next_is("√") || next_is("π") || next_is("⌊")) return true;
    return named_function() != nullptr;
  }
  double power() {
    double base = primary();
    for (;;) {
      if (take("²")) {
        base *= base;
      } else if (take("³")) {
        base *= base * base;
      } else if (take("^")) {
        return ++operations_, std::pow(base, exponent());
      } else {
        return base;
      }
      ++operations_;
    }
  }
  double exponent() {
    if (take_any({"-", "−"})) return -exponent();
    return power();
  }
  double primary() {
    if (is_digit(next())) return number();
    if (take("(")) {
      const double value = sum();
      expect(")");
      return value;
    }
    ++operations_;
    if (take("|")) {
      const double value = sum();
      expect("|");
      return std::abs(value);
    }
    if (take("⌊")) {
      const double value = sum();
      expect("⌋");
      return std::floor(value);
    }
    if (take("⌈")) {
      const double value = sum();
      expect("⌉");
      return std::ceil(value);
    }
    if (take("√")) return std::sqrt(primary());
    if (take("π")) return std::numbers::pi;
    return word();
  }
  const Function* named_function() {
    skip_spaces();
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                    [&](const Function& f) { return f.name == name; });
    return found == kFunctions.end() ? nullptr : &*found;
  }
  double word() {
    if (const Function* function = named_function()) {
      at_ += function->name.size();
      return function->of(power());
    }
    const bool greatest = next_is("max(");
    if (greatest || next_is("min(")) {
      at_ += 4;
      double value = sum();
      while (take(",")) {
        const double other = sum();
        value = greatest ? std::max(value, other) : std::min(value, other);
      }
      expect(")");
      return value;
    }
    if (next_is("e^") || text_.substr(at_) == "e") {
      ++at_;
      return std::numbers::e;
    }
    throw Unreadable{};
  }

  // Three digits, and no fourth: as behind a comma that groups.
  bool group_at(std::size_t at) const {
    for (std::size_t k = 0; k < 3; ++k) {
      if (at + k >= text_.size() || !is_digit(text_[at + k])) return false;
    }
    return at + 3 >= text_.size() || !is_digit(text_[at + 3]);
  }
  double number() {
    std::string digits;
    int decimals = 0;
    bool fraction = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (is_digit(c)) {
        digits += c;
        decimals += fraction;
      } else if (c == '.' && !fraction && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) {
        digits += c;
        fraction = true;
      } else if (!(c == ',' && !fraction && group_at(at_ + 1))) {
        break;
      }
    }
    const int tens = power_of_ten();
    const bool whole = !fraction && tens == 0;
    half_unit_ = 0.5 * std::pow(10.0, tens - decimals);
    // "2i" and "5th" are no numbers; "e" may begin a unit's name no more than an exponent.
    if (at_ < text_.size() && (text_[at_] == '_' || text_[at_] == '.')) throw Unreadable{};
    const double value = std::strtod((digits + "e" + std::to_string(tens)).c_str(), nullptr);
    return numbers_++ == nudged_ && !whole ? value + half_unit_ : value;
  }
  // Of "1.5e-07".
  int power_of_ten() {
    if (at_ + 2 >= text_.size() || text_[at_] != 'e') return 0;
    if (text_[at_ + 1] != '-' && text_[at_ + 1] != '+') return 0;
    std::size_t end = at_ + 2;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end == at_ + 2) return 0;
    const int tens = std::atoi(std::string(text_.substr(at_ + 1, end - at_ - 1)).c_str());
    at_ = end;
    return tens;
  }

  std::string_view text_;
  int nudged_;
  std::size_t at_ = 0;
  int numbers_ = 0, operations_ = 0;
  double half_unit_ = 0, factor_ = 1;
  std::string_view unit_;  // one of kUnits
};

}  // namespace

std::optional<Evaluated> evaluate(std::string_view text) {
  try {
    Reader reader(text);
    Evaluated result{reader.all()};
    if (reader.numbers() == 0 || !std::isfinite(result.value)) return std::nullopt;
    result.unit = reader.unit();
    result.literal = reader.numbers() == 1 && reader.operations() == 0;
    if (result.literal) result.half_unit = reader.half_unit();
    for (int k = 0; k < reader.numbers(); ++k) {
      result.spread += std::abs(Reader(text, k).all() - result.value);
    }
    if (!std::isfinite(result.spread)) return std::nullopt;
    return result;
  } catch (const Unreadable&) {
    return std::nullopt;
  }
}

}  // namespace contract
