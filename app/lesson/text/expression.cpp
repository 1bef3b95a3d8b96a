#include "app/lesson/text/expression.h"

#include <array>
#include <cctype>
#include <utility>

#include "app/param/reading.h"

namespace lesson {
namespace {

struct NamedKind {
  Kind kind;
  std::string_view name;
  std::size_t indices;
};
constexpr std::array<NamedKind, 11> kKinds{{{Kind::knob, "knob", 0},
                                            {Kind::readout, "readout", 0},
                                            {Kind::figure, "figure", 0},
                                            {Kind::plot, "plot", 0},
                                            {Kind::cell, "cell", 2},
                                            {Kind::bar, "bar", 1},
                                            {Kind::point, "point", 1},
                                            {Kind::box, "box", 1},
                                            {Kind::line, "line", 1},
                                            {Kind::picked, "picked", 0},
                                            {Kind::moved, "moved", 0}}};

const NamedKind& named(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool in_id(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

// Reads from left to right; what it cannot read is refused with what stands there.
class Reader {
 public:
  Reader(std::string_view text, const Where& where) : text_(text), where_(where) {}

  Expression whole() {
    // What is read, worked out and forgotten by recursion must not be deep.
    constexpr std::size_t kMostLetters = 1000;
    if (text_.size() > kMostLetters) {
      refuse(where_, words::Sentence(N_("expected an expression of at most {} characters, got {}"),
                                     kMostLetters, text_.size()));
    }
    Expression read = either();
    end();
    return read;
  }
  Reference whole_reference() {
    skip();
    Reference read = reference();
    end();
    return read;
  }

 private:
  using Does = Expression::Does;

  Expression either() { return chain("or", Does::either, &Reader::both); }
  Expression both() { return chain("and", Does::both, &Reader::denied); }

  Expression chain(std::string_view word, Does does, Expression (Reader::*part)()) {
    Expression first = condition((this->*part)(), word);
    while (take_word(word)) {
      first = {.does = does, .parts = {std::move(first), condition_of((this->*part)())}};
    }
    return first;
  }
  // What stands on the left of "and" and "or" is a condition.
  Expression condition(Expression part, std::string_view word) {
    if (next_is_word(word)) return condition_of(std::move(part));
    return part;
  }
  Expression condition_of(Expression part) {
    if (!part.is_condition()) expected(N_("a condition such as knob:n > 3"));
    return part;
  }

  Expression denied() {
    if (!take_word("not")) return comparison();
    return {.does = Does::none, .parts = {condition_of(denied())}};
  }

  Expression comparison() {
    Expression left = sum();
    constexpr std::array<std::pair<std::string_view, Does>, 6> kSigns{{{"<=", Does::at_most},
                                                                       {">=", Does::at_least},
                                                                       {"!=", Does::unequal},
                                                                       {"<", Does::less},
                                                                       {">", Does::more},
                                                                       {"=", Does::equal}}};
    for (const auto& [sign, does] : kSigns) {
      if (!take(sign)) continue;
      Expression all{.does = does, .parts = {std::move(left), sum()}};
      if (does == Does::equal && take_word("within")) {
        const std::optional<double> number = number_here();
        if (!number || *number < 0) expected(N_("a number such as 0.01 or 5 %"));
        all.number = *number;
        all.percent = take("%");
        skip();
        constexpr std::string_view kReckons = "+-*/";
        if (at_ < text_.size() && kReckons.find(text_[at_]) != kReckons.npos) {
          expected(
              N_("nothing behind the number after \"within\", where nothing is reckoned (as in "
                 "abs(a - b) < c * d)"));
        }
      }
      return all;
    }
    return left;
  }

  Expression sum() {
    Expression left = product();
    while (true) {
      if (take("+")) {
        left = {.does = Does::add, .parts = {std::move(left), product()}};
      } else if (take("-")) {
        left = {.does = Does::subtract, .parts = {std::move(left), product()}};
      } else {
        return left;
      }
    }
  }
  Expression product() {
    Expression left = sign();
    while (true) {
      if (take("*")) {
        left = {.does = Does::multiply, .parts = {std::move(left), sign()}};
      } else if (take("/")) {
        left = {.does = Does::divide, .parts = {std::move(left), sign()}};
      } else {
        return left;
      }
    }
  }
  Expression sign() {
    if (take("-")) return {.does = Does::negate, .parts = {sign()}};
    Expression base = primary();
    if (!take("^")) return base;
    return {.does = Does::power, .parts = {std::move(base), sign()}};
  }

  Expression primary() {
    skip();
    if (take("(")) {
      Expression inside = either();
      if (!take(")")) expected(N_("a closing parenthesis"));
      return inside;
    }
    if (const auto number = number_here()) return {.number = *number};
    if (at_ < text_.size() && is_letter(text_[at_])) return word_or_reference();
    expected(N_("a number, a name such as knob:n, or a parenthesis"));
  }

  Expression word_or_reference() {
    const std::size_t before = at_;
    const std::string_view word = word_here();
    if (at_ < text_.size() && text_[at_] == ':') {
      at_ = before;
      return {.does = Does::refer, .reference = reference()};
    }
    if (word == "picked") return {.does = Does::refer, .reference = {.kind = Kind::picked}};
    if (at_ < text_.size() && text_[at_] == '(') return call(std::string(word));
    return {.does = Does::word, .word = std::string(word)};
  }

  Expression call(std::string name) {
    std::vector<std::string> known;
    const Function* function = nullptr;
    for (const Function& one : functions()) {
      known.emplace_back(one.name);
      if (one.name == name) function = &one;
    }
    if (!function) refuse_unknown(where_, words::Sentence(N_("a function")), name, known);
    Expression all{.does = Does::call, .word = std::move(name)};
    take("(");
    do {
      all.parts.push_back(either());
    } while (take(","));
    if (!take(")")) expected(N_("a closing parenthesis"));
    if (all.parts.size() < function->least || all.parts.size() > function->most) {
      refuse(where_, words::Sentence(N_("arguments of {}: expected {}, got {}"), all.word,
                                     function->least, all.parts.size()));
    }
    return all;
  }

  Reference reference() {
    const std::string_view word = word_here();
    std::vector<std::string> known;
    Reference all;
    bool found = false;
    for (const NamedKind& one : kKinds) {
      known.emplace_back(one.name);
      if (one.name != word) continue;
      all.kind = one.kind;
      found = true;
    }
    if (!found) {
      refuse_unknown(where_, words::Sentence(N_("what a name begins with")), word, known);
    }
    if (!take_now(':')) {
      if (all.kind == Kind::picked) return all;
      expected(N_("a colon and an id"));
    }
    const std::size_t from = at_;
    while (at_ < text_.size() && in_id(text_[at_])) ++at_;
    all.id = text_.substr(from, at_ - from);
    if (all.id.empty()) expected(N_("an id"));
    indices(all);
    return all;
  }

  void indices(Reference& all) {
    const std::size_t count = named(all.kind).indices;
    if (count == 0 || !take_now(':')) return;
    for (std::size_t k = 0; k < count; ++k) {
      if (k > 0 && !take_now(',')) expected(N_("a row and a column, as in cell:weights:3,7"));
      all.at.push_back(index());
    }
  }
  lesson::Index index() {
    if (take_now('*')) return {};
    const std::size_t from = at_;
    while (at_ < text_.size() && in_id(text_[at_]) && text_[at_] != '.') ++at_;
    const std::string_view text = text_.substr(from, at_ - from);
    if (text.empty()) expected(N_("an index, the id of a knob, or *"));
    if (!is_digit(text.front())) return {.knob = std::string(text)};
    const auto number = param::whole<core::Index>(text);
    if (!number) {
      refuse_got(where_, words::Sentence(N_("an index, the id of a knob, or *")), text);
    }
    return {.number = *number};
  }

  // Letters ----------------------------------------------------------------------------------
  void skip() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool take(std::string_view sign) {
    skip();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  bool take_now(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool next_is_word(std::string_view word) {
    skip();
    const std::string_view rest = text_.substr(at_);
    return rest.starts_with(word) && (rest.size() == word.size() || !in_id(rest[word.size()]));
  }
  bool take_word(std::string_view word) {
    if (!next_is_word(word)) return false;
    at_ += word.size();
    return true;
  }
  std::string_view word_here() {
    const std::size_t from = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(from, at_ - from);
  }
  std::optional<double> number_here() {
    skip();
    std::size_t to = at_;
    while (to < text_.size() && (is_digit(text_[to]) || text_[to] == '.')) ++to;
    // 1e-6, but no more than that of 1 e
    if (to > at_ && to + 1 < text_.size() && text_[to] == 'e') {
      const std::size_t sign = text_[to + 1] == '-' || text_[to + 1] == '+' ? 2 : 1;
      if (to + sign < text_.size() && is_digit(text_[to + sign])) {
        to += sign;
        while (to < text_.size() && is_digit(text_[to])) ++to;
      }
    }
    const auto number = param::whole<double>(text_.substr(at_, to - at_));
    if (number) at_ = to;
    return number;
  }
  void end() {
    skip();
    if (at_ < text_.size()) expected(N_("nothing more"));
  }
  [[noreturn]] void expected(std::string_view what) const {
    const std::string_view rest = text_.substr(at_);
    if (rest.empty()) {
      refuse(where_,
             words::Sentence(N_("expected {} at the end of \"{}\""), words::Sentence(what), text_));
    }
    refuse_got(where_, words::Sentence(what), rest);
  }

  std::string_view text_;
  const Where& where_;
  std::size_t at_ = 0;
};

void collect(const Expression& expression, std::vector<Reference>& all) {
  if (expression.does == Expression::Does::refer) all.push_back(expression.reference);
  for (const Expression& part : expression.parts) collect(part, all);
}

}  // namespace

std::string_view kind_name(Kind kind) { return named(kind).name; }
std::size_t indices_of(Kind kind) { return named(kind).indices; }
bool is_element(Kind kind) { return indices_of(kind) > 0 && kind != Kind::line; }

std::string to_text(const Reference& reference) {
  std::string text(kind_name(reference.kind));
  if (!reference.id.empty()) text += ":" + reference.id;
  for (std::size_t k = 0; k < reference.at.size(); ++k) {
    const Index& index = reference.at[k];
    text += k == 0 ? ":" : ",";
    text += index.every() ? "*" : index.number ? std::to_string(*index.number) : index.knob;
  }
  return text;
}

const std::vector<Function>& functions() {
  static const std::vector<Function> all{
      {"sqrt", 1, 1, "square root"},
      {"exp", 1, 1, "e to the power"},
      {"ln", 1, 1, "natural logarithm"},
      {"abs", 1, 1, "without its sign"},
      {"round", 1, 1, "nearest whole number"},
      {"cos", 1, 1, "cosine of an angle in radians"},
      {"sin", 1, 1, "sine of an angle in radians"},
      {"min", 2, 8, "the smallest of several"},
      {"max", 2, 8, "the largest of several"},
      {"largest", 1, 3,
       "the largest value of cells, bars, points, or a line from one x to another"},
      {"smallest", 1, 3, "the smallest of them"},
      {"sum", 1, 3, "all of them added up"},
      {"mean", 1, 3, "their mean"},
      {"count", 1, 3, "how many there are"},
      {"above", 2, 2, "how many are larger than a number"},
      {"which", 1, 3, "the index of the largest, of cells their column, of a line its x"},
      {"apart", 2, 2, "the largest difference between two equally long lists, one by one"},
      {"beyond", 2, 2, "the largest excess of the first over the second list, one by one"},
      {"dot", 2, 2, "their products, one by one, added up"},
      {"at", 2, 2, "a line's value at a place of its x axis"},
      {"was", 1, 1, "what something was as the stop began"}};
  return all;
}

Reference read_reference(std::string_view text, const Where& where) {
  return Reader(text, where).whole_reference();
}

Expression read_expression(std::string_view text, const Where& where) {
  Expression read = Reader(text, where).whole();
  if (read.is_condition()) {
    refuse_got(where, words::Sentence(N_("a number that the page has")), text);
  }
  return read;
}

Expression read_condition(std::string_view text, const Where& where) {
  Expression read = Reader(text, where).whole();
  if (!read.is_condition()) {
    refuse_got(where, words::Sentence(N_("a condition such as knob:n > 3")), text);
  }
  return read;
}

std::vector<Reference> references(const Expression& expression) {
  std::vector<Reference> all;
  collect(expression, all);
  return all;
}

}  // namespace lesson
