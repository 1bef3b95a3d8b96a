#include "arithmetic/equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "arithmetic/expression.h"

namespace contract {

namespace {

using Text = std::string_view;

Text trimmed(Text text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool has_letter(Text text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalpha(c) != 0; });
}

// A digit that is not part of a name: not the 1 of "x1", "w[1]" or "θ_1".
bool has_number(Text text) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (!std::isdigit(static_cast<unsigned char>(text[k]))) continue;
    const auto before = k == 0 ? ' ' : text[k - 1];
    const bool in_name = std::isalnum(static_cast<unsigned char>(before)) || before == '_' ||
                         before == '[' || static_cast<unsigned char>(before) >= 0x80;
    if (!in_name) return true;
  }
  return false;
}

// The parts of a line between runs of two spaces and more.
std::vector<Text> chunks(Text text) {
  std::vector<Text> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("  "), text.size());
    if (const Text one = trimmed(text.substr(0, end)); !one.empty()) all.push_back(one);
    text.remove_prefix(std::min(text.size(), end + 2));
  }
  return all;
}

// The statements of "t = 12, m = 3": a comma inside of brackets parts nothing.
std::vector<Text> statements(Text text) {
  std::vector<Text> all;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    depth += (text[k] == '(' || text[k] == '[') - (text[k] == ')' || text[k] == ']');
    const bool parts = depth == 0 && (text[k] == ',' || text[k] == ';') &&
                       (k + 1 == text.size() || text[k + 1] == ' ');
    if (!parts) continue;
    all.push_back(trimmed(text.substr(begin, k - begin)));
    begin = k + 1;
  }
  all.push_back(trimmed(text.substr(begin)));
  return all;
}

enum class Relation { none, equal, about, arrow, other };

struct Piece {
  Relation relation = Relation::none;  // what stands before it
  Text text;
};

struct Sign {
  Text text;
  Relation relation;
};
constexpr Sign kSigns[] = {{"=", Relation::equal}, {"≈", Relation::about}, {"→", Relation::arrow},
                           {"←", Relation::other}, {"≤", Relation::other}, {"≥", Relation::other},
                           {"≠", Relation::other}, {"<", Relation::other}, {">", Relation::other}};

std::vector<Piece> pieces(Text text) {
  std::vector<Piece> all{{}};
  std::size_t begin = 0;
  for (std::size_t k = 0; k < text.size();) {
    const auto sign = std::find_if(std::begin(kSigns), std::end(kSigns), [&](const Sign& s) {
      return text.substr(k).starts_with(s.text);
    });
    if (sign == std::end(kSigns)) {
      ++k;
      continue;
    }
    all.back().text = trimmed(text.substr(begin, k - begin));
    k += sign->text.size();
    begin = k;
    all.push_back({sign->relation, {}});
  }
  all.back().text = trimmed(text.substr(begin));
  if (all.front().text.empty()) all.erase(all.begin());
  return all;
}

// Without a remark at the end: "[3]", or words in brackets.
Text without_remark(Text text) {
  text = trimmed(text);
  if (text.ends_with(']')) {
    const std::size_t begin = text.rfind(" [");
    if (begin != Text::npos) return trimmed(text.substr(0, begin));
  }
  if (text.ends_with(')')) {
    const std::size_t begin = text.rfind(" (");
    if (begin != Text::npos && has_letter(text.substr(begin)) && !evaluate(text.substr(begin))) {
      return trimmed(text.substr(0, begin));
    }
  }
  return text;
}

// "-0.119 - (-0.120)" of "10 -0.119 - (-0.120)".
Text without_index(Text text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  if (evaluate(text) || end == 0 || end == Text::npos || text[end] != ' ') return text;
  return trimmed(text.substr(end));
}

// The terms of a sum that is written in one line; of "a + b - c" three.
std::vector<Text> terms_of(Text text) {
  std::vector<Text> all;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    depth += (text[k] == '(') - (text[k] == ')');
    const bool parts = depth == 0 && k > 0 && text.substr(k).starts_with(" + ");
    if (!parts) continue;
    all.push_back(trimmed(text.substr(begin, k - begin)));
    begin = k + 2;
  }
  all.push_back(trimmed(text.substr(begin)));
  return all;
}

constexpr double kSlack = 1e-12;  // of double, relative

// Something in a chain of equations.
struct Link {
  Text text;
  std::optional<Evaluated> value;
  std::size_t line = 0;
  Relation relation = Relation::equal;  // what stands before it
};

Evaluated times(Evaluated value, double factor) {
  value.value *= factor;
  value.spread *= factor;
  value.half_unit *= factor;
  return value;
}

// Turns beside radians or degrees, and binary digits beside what they mean.
std::pair<Evaluated, Evaluated> in_one_unit(const Link& before, const Link& after) {
  const auto same = [](const Link& link, const Link& other) {
    const bool turns = link.value->unit == "turns";
    const bool angle =
        other.value->unit == "rad" || other.value->unit == "radians" || other.value->unit == "°";
    if (turns && angle) return times(*link.value, 2 * std::numbers::pi);
    const bool bits = link.text.size() >= 2 && other.value->literal &&
                      link.text.find_first_not_of("01") == Text::npos &&
                      link.value->value != other.value->value;
    if (!bits) return *link.value;
    Evaluated value = *link.value;
    value.value = static_cast<double>(std::stoull(std::string(link.text), nullptr, 2));
    return value;
  };
  return {same(before, after), same(after, before)};
}

class Auditor {
 public:
  Audit of(const std::vector<PrintedLine>& lines) {
    for (line_ = 0; line_ < lines.size(); ++line_) read(lines[line_]);
    end_of_terms(nullptr);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (!has_number(lines[k].right)) continue;
      ++audit_.with_numbers;
      audit_.taking_part += taking_part_.count(k);
    }
    return std::move(audit_);
  }

 private:
  // --- the checks
  void record(const Link& from, const Link& result, double redone, double allowed,
              Relation relation) {
    record(from, result, redone, result.value->value, allowed, relation);
  }
  void record(const Link& from, const Link& result, double redone, double value, double allowed,
              Relation relation) {
    const double slack = kSlack * std::max({std::abs(redone), std::abs(value), 1e-300});
    const double off = std::abs(redone - value);
    audit_.checks.push_back({result.line, std::string(from.text), std::string(result.text), redone,
                             allowed, off <= allowed + slack, off <= slack,
                             relation == Relation::equal});
    taking_part_.insert(from.line);
    taking_part_.insert(result.line);
  }
  static double allowed(const Evaluated& result, const Evaluated& from, Relation relation) {
    if (relation == Relation::about) return 2 * result.half_unit + from.spread;
    return result.half_unit;
  }
  // Two neighbours of a chain.
  void compare(const Link& before, const Link& after, Relation relation) {
    const auto [a, b] = in_one_unit(before, after);
    if (a.literal && b.literal) {
      const double half = std::max(a.half_unit, b.half_unit);
      return record(before, after, a.value, b.value, relation == Relation::about ? 2 * half : half,
                    relation);
    }
    if (b.literal) {
      return record(before, after, a.value, b.value, allowed(b, a, relation), relation);
    }
    if (a.literal) {  // "w = 0.219 = 6.877 / 31.457": the result stands first
      return record(after, before, b.value, a.value, allowed(a, b, relation), relation);
    }
    if (!compare_terms(before, after, relation)) {
      record(before, after, a.value, b.value, a.spread + b.spread, relation);
    }
  }
  // "a·b + c·d" and the same terms worked out, the last of which may be what "…" stands for.
  bool compare_terms(const Link& before, const Link& after, Relation relation) {
    const std::vector<Text> from = terms_of(before.text), to = terms_of(after.text);
    if (from.size() != to.size() || from.size() < 2) return false;
    std::vector<std::pair<Link, Link>> pairs;
    for (std::size_t k = 0; k < from.size(); ++k) {
      if (from[k] == "…") continue;
      Link a{from[k], evaluate(from[k]), before.line}, b{to[k], evaluate(to[k]), after.line};
      if (!a.value || !b.value || !b.value->literal) return false;
      pairs.emplace_back(a, b);
    }
    for (const auto& [a, b] : pairs) {
      record(a, b, a.value->value, allowed(*b.value, *a.value, relation), relation);
    }
    return true;
  }

  // --- lines
  void read(const PrintedLine& line) {
    const bool own = !line.left.empty();
    if (line.heading) {
      end_of_terms(nullptr);
      return chain_.reset();
    }
    if (!own && is_term(line.right)) return term(line.right);
    const Text text = trimmed(line.right);
    if (text.empty()) {
      if (own) end_of_terms(nullptr), chain_.reset();
      return;
    }
    const std::vector<Text> parts = chunks(text);
    const bool continues = !own && pieces(parts[0]).front().relation != Relation::none;
    if (!continues) end_of_terms(nullptr);
    if (own) begin_chain(line.left);
    bool first = true;
    for (const Text part : parts) {
      for (const Text statement : statements(part)) {
        read_statement(statement, own && first);
        first = false;
      }
    }
  }
  void begin_chain(const std::string& left) {
    chain_.reset();
    // "tanh 1" names something; "8·(64 + 64)" is to be worked out.
    const bool worked_out = left.find_first_of("+/(") != std::string::npos;
    Link link{left, worked_out ? evaluate(left) : std::nullopt, line_};
    if (link.value && !link.value->literal) chain_ = link;
  }
  // One that begins with a relation goes on with the chain. Others are complete in themselves,
  // unless they stand behind a left side; something to be worked out alone begins a chain.
  void read_statement(Text statement, bool behind_left) {
    const std::vector<Piece> all = pieces(without_remark(statement));
    if (all.empty()) return;
    if (all.front().relation != Relation::none) return read_pieces(all);
    if (all.size() == 1) {
      const Link alone{all[0].text, evaluate(all[0].text), line_};
      if (alone.value && !alone.value->literal) chain_ = alone;
      return;
    }
    const auto kept = chain_;
    chain_.reset();
    read_pieces(all);
    if (!behind_left) chain_ = kept;
  }
  void read_pieces(const std::vector<Piece>& all) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Link link{without_remark(all[k].text), evaluate(without_remark(all[k].text)), line_,
                      all[k].relation};
      add(link, all[k].relation, k == 0);
    }
  }
  void add(const Link& link, Relation relation, bool first_of_line) {
    if (!terms_.empty()) {
      end_of_terms(first_of_line && relation != Relation::arrow ? &link : nullptr, relation);
    }
    const bool gap = !link.value && terms_of(link.text).back() == "…";
    if (!link.value && !gap) {
      if (relation == Relation::other) chain_.reset();
      return;
    }
    if (chain_ && (relation == Relation::equal || relation == Relation::about)) {
      if (chain_->value && link.value) {
        compare(*chain_, link, relation);
      } else {
        compare_terms(*chain_, link, relation);
      }
    }
    // An arrow behind what is to be worked out leads to the result; behind a number, and where it
    // begins a line, to what that is rounded to.
    if (chain_ && relation == Relation::arrow && !first_of_line && chain_->value && link.value &&
        !chain_->value->literal && link.value->literal) {
      compare(*chain_, link, relation);
    }
    chain_ = link;
  }

  // --- sums over several lines
  bool is_term(const std::string& right) const {
    if (right.starts_with("  ")) return true;
    return right.starts_with("+ ") && !terms_.empty();
  }
  void term(const std::string& right) {
    Text text = right;
    if (text.starts_with("+ ")) {
      text.remove_prefix(2);
    } else {
      end_of_terms(nullptr);
      header_ = chain_;
      if (header_ && (header_->line + 1 != line_ || !header_->value || !header_->value->literal)) {
        header_.reset();
      }
      chain_.reset();
    }
    terms_.push_back(read_term(text));
  }
  // Its value, if there is one.
  Link read_term(Text text) {
    Link value{text, std::nullopt, line_};
    const std::vector<Text> parts = chunks(text);
    for (const Text part : parts) {
      const std::vector<Piece> all = pieces(part);
      for (std::size_t k = 0; k < all.size(); ++k) {
        const bool about =
            all[k].relation == Relation::about && k > 0 && part.data() == parts[0].data();
        if (all[k].relation != Relation::arrow && !about) continue;
        value = {all[k].text, evaluate(without_remark(all[k].text)), line_};
        if (k == 0) continue;
        const Text source = without_index(all[k - 1].text);
        const Link from{source, evaluate(source), line_};
        if (value.value && value.value->literal && from.value && !from.value->literal) {
          compare(from, value, all[k].relation);
        }
      }
      if (value.value) return value;
    }
    if (parts.empty()) return value;
    value = {parts[0], evaluate(parts[0]), line_};
    if (!value.value || !value.value->literal) return {text, std::nullopt, line_};
    for (std::size_t k = 1; k < parts.size(); ++k) {
      const Piece last = pieces(parts[k]).back();  // "≈ exp(1.25)"
      const Link remark{last.text, evaluate(without_remark(last.text)), line_};
      if (!remark.value || remark.value->literal) continue;
      compare(remark, value, last.relation == Relation::about ? Relation::about : Relation::equal);
    }
    return value;
  }
  // `next` is what the line after them begins with, if that goes on with an equation.
  void end_of_terms(const Link* next, Relation relation = Relation::equal) {
    if (terms_.empty()) return;
    Link sum{"their sum", Evaluated{}, terms_.back().line};
    bool known = true;
    for (const Link& term : terms_) {
      known = known && term.value;
      if (!known) break;
      sum.value->value += term.value->value;
      sum.value->spread += term.value->half_unit;
    }
    const std::vector<Link> terms = std::exchange(terms_, {});
    const std::optional<Link> header = std::exchange(header_, std::nullopt);
    if (!known) return;
    std::optional<Link> result;
    if (next && next->value && next->value->literal) {
      result = *next;
    } else if (header) {
      if (terms.size() > 1) result = header, relation = header->relation;
    } else if (next) {
      result = nearest_number(*next, sum.value->value);
    }
    if (!result) return;
    record(sum, *result, sum.value->value, allowed(*result->value, *sum.value, relation), relation);
    for (const Link& term : terms) taking_part_.insert(term.line);
  }
  // "85.052" of "85.052 / √128", when about that is looked for.
  static std::optional<Link> nearest_number(const Link& link, double wanted) {
    std::optional<Link> best;
    const auto distance = [wanted](const Link& l) { return std::abs(l.value->value - wanted); };
    for (std::size_t begin = 0; begin < link.text.size();) {
      const std::size_t length = number_length(link.text.substr(begin));
      const Text number = link.text.substr(begin, std::max<std::size_t>(1, length));
      begin += number.size();
      if (length == 0) continue;
      const Link found{number, evaluate(number), link.line};
      if (found.value && (!best || distance(found) < distance(*best))) best = found;
    }
    return best;
  }
  // Of a number with its sign, at the beginning; 0 where there is none.
  static std::size_t number_length(Text text) {
    std::size_t length = text.starts_with('-') ? 1 : 0;
    const std::size_t digits = length;
    while (length < text.size() && (std::isdigit(static_cast<unsigned char>(text[length])) ||
                                    (length > digits && text[length] == '.'))) {
      ++length;
    }
    return length == digits ? 0 : length;
  }

  Audit audit_;
  std::size_t line_ = 0;
  std::set<std::size_t> taking_part_;
  std::optional<Link> chain_;   // the last piece of the equation
  std::optional<Link> header_;  // what stands right before the terms
  std::vector<Link> terms_;
};

}  // namespace

std::vector<Redone> rounded_behind_equal(const Audit& audit) {
  std::vector<Redone> found;
  std::copy_if(audit.checks.begin(), audit.checks.end(), std::back_inserter(found),
               [](const Redone& check) { return check.equal && !check.exact; });
  return found;
}

std::map<std::size_t, Redone> failing_lines(const Audit& audit) {
  std::map<std::size_t, Redone> lines;
  for (const Redone& check : audit.checks) {
    if (!check.holds) lines.emplace(check.line, check);
  }
  return lines;
}

std::string describe(const Redone& check) {
  return fmt::format("line {}: {} gives {:.9g}, not {} (to {:.2g})", check.line + 1, check.from,
                     check.redone, check.printed, check.allowed);
}

Audit audit(const std::vector<PrintedLine>& lines) { return Auditor().of(lines); }

Audit audit(const lab::Explanation& explanation) {
  std::vector<PrintedLine> lines;
  for (const auto& line : explanation.lines) {
    PrintedLine printed{line.left, {}};
    for (const auto& span : line.right) {
      printed.right += span.text;
      printed.heading |= line.left.empty() && span.style == figure::TextStyle::label_bold;
    }
    lines.push_back(printed);
  }
  return audit(lines);
}

}  // namespace contract
