#include "app/lesson/sight.h"

#include <limits>

#include "app/figure/layout.h"
#include "app/param/reading.h"
#include "core/text/printable.h"

namespace lesson {
namespace {

using Does = Expression::Does;

// Rounding of the last bits is no difference.
constexpr double kSame = 1e-9;

template <class... Args>
[[noreturn]] void missing(std::string_view message, const Args&... args) {
  words::refuse<core::InputError>(message, args...);
}

std::string names_of(const std::vector<std::string>& known, std::string_view got) {
  std::string names;
  for (const std::string& one : nearest(got, known, 5)) names += (names.empty() ? "" : ", ") + one;
  return names;
}

const lab::Readout& readout(const Sight& sight, const std::string& id) {
  std::vector<std::string> known;
  for (const lab::Readout& one : sight.page->readouts) {
    if (one.id == id) return one;
    known.push_back(one.id);
  }
  missing(N_("expected a number of the page (such as {}), got readout:{}"), names_of(known, id),
          id);
}

const figure::Plot& plot(const Sight& sight, const std::string& id) {
  if (const figure::Plot* found = find_plot(*sight.page, id)) return *found;
  std::vector<std::string> known;
  for (const figure::Figure& figure : sight.page->figures) {
    for (const figure::Plot& one : figure.plots) known.push_back(one.id);
  }
  missing(N_("expected a plot of the page (such as {}), got \"{}\""), names_of(known, id), id);
}

const std::string& knob(const Sight& sight, const std::string& id) {
  if (const std::string* found = knob_text(sight, id)) return *found;
  std::vector<std::string> known;
  for (const auto& [one, value] : *sight.knobs) known.push_back(one);
  missing(N_("expected a knob of the page (such as {}), got knob:{}"), names_of(known, id), id);
}

core::Index index(const Index& index, const Sight& sight) {
  if (index.number) return *index.number;
  const auto value = param::whole<double>(knob(sight, index.knob));
  if (!value) missing(N_("expected a knob with a whole number as an index, got {}"), index.knob);
  return static_cast<core::Index>(*value);
}

double as_number(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* word = std::get_if<std::string>(&value)) {
    missing(N_("expected a number, got \"{}\""), core::printable(*word));
  }
  missing(N_("expected a number, got a condition"));
}

double only_value(const Reference& reference, const Sight& sight) {
  const std::vector<Element> all = elements(reference, sight);
  if (all.size() != 1) {
    missing(
        N_("expected one value, got the {} of {}: largest(), sum() and others reduce them to one"),
        all.size(), to_text(reference));
  }
  return all.front().value;
}

bool among(const std::set<std::string>* all, const std::string& id) {
  return all && (id.empty() ? !all->empty() : all->contains(id));
}

Value value_of(const Reference& r, const Sight& sight) {
  switch (r.kind) {
    case Kind::knob: {
      const std::string& text = knob(sight, r.id);
      // A choice may be called infinity, or nan.
      const auto number = param::whole<double>(text);
      if (number && std::isfinite(*number)) return *number;
      return text;
    }
    case Kind::readout: return readout(sight, r.id).value;
    case Kind::picked: return among(sight.picked, r.id);
    case Kind::moved: return among(sight.moved, r.id);
    case Kind::cell:
    case Kind::bar:
    case Kind::point: return only_value(r, sight);
    case Kind::box:
    case Kind::line:
      missing(N_("expected one value, got {}: sum(), largest() and others make one of boxes and "
                 "lines"),
              to_text(r));
    default: missing(N_("expected something that has a value, got {}"), to_text(r));
  }
}

// The elements that a function looks at: cells, bars, points, or the points of a line, of which two
// more numbers choose those from one x to another.
std::vector<Element> looked_at(const Expression& call, std::size_t which, const Sight& sight) {
  const Expression& part = call.parts.at(which);
  const Reference& r = part.reference;
  const bool refers = part.does == Does::refer;
  if (refers && is_element(r.kind)) return elements(r, sight);
  if (!refers || r.kind != Kind::line || r.at.size() != 1) {
    missing(N_("expected cells, bars, points or a line in {}(), as in {}(bar:weights)"), call.word,
            call.word);
  }
  const figure::Line* line = line_of(plot(sight, r.id), index(r.at.front(), sight));
  if (!line) missing(N_("expected a line that the plot has, got {}"), to_text(r));
  const bool range = call.parts.size() == 3;
  const double from = range ? number(call.parts[1], sight) : 0;
  const double to = range ? number(call.parts[2], sight) : 0;
  std::vector<Element> all;
  for (std::size_t k = 0; k < line->x.size(); ++k) {
    if (range && (line->x[k] < from || line->x[k] > to)) continue;
    all.push_back({.row = static_cast<core::Index>(k), .value = line->y[k]});
  }
  return all;
}

// Position of the largest element: its index, the column of a cell, the x of a line's point.
double place_of(const Element& top, const Reference& r, const Sight& sight) {
  const figure::Plot& in = plot(sight, r.id);
  if (r.kind == Kind::line) {
    return line_of(in, index(r.at.front(), sight))->x.at(static_cast<std::size_t>(top.row));
  }
  const auto counts = first_index(in, r.kind);
  return static_cast<double>(top.col >= 0 ? top.col + counts[1] : top.row + counts[0]);
}

// The function of one word over all elements of a reference.
double over_elements(const Expression& call, const Sight& sight) {
  std::vector<Element> all = looked_at(call, 0, sight);
  const Reference& of = call.parts.front().reference;
  if (call.parts.size() == 2 && call.word != "above")
    missing(N_("expected where the line begins and ends in {}()"), call.word);
  if (call.parts.size() == 3 && of.kind != Kind::line)
    missing(N_("expected a line in {}(), which takes a part of it, got {}"), call.word,
            to_text(of));
  std::erase_if(all, [](const Element& one) { return std::isnan(one.value); });
  if (call.word == "count") return static_cast<double>(all.size());
  if (call.word == "above") {
    const double limit = number(call.parts.at(1), sight);
    return static_cast<double>(std::count_if(
        all.begin(), all.end(), [limit](const Element& one) { return one.value > limit; }));
  }
  if (all.empty())
    missing(N_("expected something that has a value, got nothing in {}"), to_text(of));
  const auto less = [](const Element& a, const Element& b) { return a.value < b.value; };
  const auto top = std::max_element(all.begin(), all.end(), less);
  if (call.word == "largest") return top->value;
  if (call.word == "which") return place_of(*top, of, sight);
  if (call.word == "smallest") return std::min_element(all.begin(), all.end(), less)->value;
  double sum = 0;
  for (const Element& one : all) sum += one.value;
  return call.word == "mean" ? sum / static_cast<double>(all.size()) : sum;
}

// Two lists, one by one: how far apart they are at most, how far the first is beyond the second at
// most, or their dot product. Two that both have no value are no difference.
double over_pairs(const Expression& call, const Sight& sight) {
  const std::vector<Element> one = looked_at(call, 0, sight), other = looked_at(call, 1, sight);
  if (one.size() != other.size())
    missing(N_("expected the same number of values in both arguments of {}(), got {} and {}"),
            call.word, one.size(), other.size());
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  double most = 0, beyond = -kInfinite, sum = 0;
  for (std::size_t k = 0; k < one.size(); ++k) {
    const double a = one[k].value, b = other[k].value;
    if (std::isnan(a) && std::isnan(b)) continue;
    const bool both = !std::isnan(a) && !std::isnan(b);
    most = std::max(most, both ? std::abs(a - b) : kInfinite);
    beyond = std::max(beyond, both ? a - b : kInfinite);
    if (both) sum += a * b;
  }
  if (call.word == "beyond") return beyond;
  return call.word == "dot" ? sum : most;
}

double line_value(const Expression& call, const Sight& sight) {
  const Reference& r = call.parts.front().reference;
  if (call.parts.front().does != Does::refer || r.kind != Kind::line || r.at.size() != 1) {
    missing(N_("expected a line in at(), as in at(line:score:0, 12)"));
  }
  const figure::Line* line = line_of(plot(sight, r.id), index(r.at.front(), sight));
  if (!line) missing(N_("expected a line that the plot has, got {}"), to_text(r));
  const double value = value_at(*line, number(call.parts.at(1), sight));
  if (!std::isfinite(value)) missing(N_("{} has no value there"), to_text(r));
  return value;
}

const Sight& as_begun(const Sight& sight) { return sight.begun ? *sight.begun : sight; }

double called(const Expression& call, const Sight& sight) {
  const std::string& name = call.word;
  if (name == "at") return line_value(call, sight);
  if (name == "was") return number(call.parts.front(), as_begun(sight));
  if (name == "apart" || name == "beyond" || name == "dot") return over_pairs(call, sight);
  constexpr std::array<std::string_view, 7> kOver{"largest", "smallest", "sum",  "mean",
                                                  "count",   "above",    "which"};
  if (std::find(kOver.begin(), kOver.end(), name) != kOver.end()) return over_elements(call, sight);
  std::vector<double> x;
  for (const Expression& part : call.parts) x.push_back(number(part, sight));
  if (name == "min") return *std::min_element(x.begin(), x.end());
  if (name == "max") return *std::max_element(x.begin(), x.end());
  if (name == "sqrt") return std::sqrt(x[0]);
  if (name == "exp") return std::exp(x[0]);
  if (name == "ln") return std::log(x[0]);
  if (name == "abs") return std::abs(x[0]);
  if (name == "cos") return std::cos(x[0]);
  if (name == "sin") return std::sin(x[0]);
  return std::round(x[0]);
}

bool equal(const Expression& e, const Sight& sight) {
  const Value left = evaluate(e.parts[0], sight), right = evaluate(e.parts[1], sight);
  const auto* a = std::get_if<std::string>(&left);
  const auto* b = std::get_if<std::string>(&right);
  if (a && b) return *a == *b;
  return near(as_number(left), as_number(right), e.number, e.percent);
}

bool condition(const Expression& e, const Sight& sight) {
  const auto left = [&] { return number(e.parts[0], sight); };
  const auto right = [&] { return number(e.parts[1], sight); };
  switch (e.does) {
    case Does::less:
    case Does::at_most:
    case Does::more:
    case Does::at_least: return compares(left(), e.does, right());
    case Does::equal: return equal(e, sight);
    case Does::unequal: return !equal(e, sight);
    case Does::both: return holds(e.parts[0], sight) && holds(e.parts[1], sight);
    case Does::either: return holds(e.parts[0], sight) || holds(e.parts[1], sight);
    default: return !holds(e.parts[0], sight);
  }
}

// The label of a choice's option; else the value itself.
std::string shown_knob(const Sight& sight, const std::string& id, const words::Words& w) {
  const std::string& text = knob(sight, id);
  if (!sight.lab) return text;
  const auto state = sight.lab->make();
  param::assign(state->describe(), *sight.knobs);
  param::List list = state->list();
  const param::Parameter* p = list.find(id);
  const auto* choice = p ? std::get_if<param::Choice>(&p->kind) : nullptr;
  if (!choice) return text;
  return w(choice->options.at(static_cast<std::size_t>(choice->get())).label);
}

}  // namespace

const std::string* knob_text(const Sight& sight, std::string_view id) {
  for (const auto& [one, value] : *sight.knobs) {
    if (one == id) return &value;
  }
  return nullptr;
}

bool near(double one, double other, double within, bool percent) {
  if (std::isinf(one) || std::isinf(other)) return one == other;
  const double size = std::max(std::abs(one), std::abs(other));
  const double allowed = percent ? std::abs(other) * within / 100 : within;
  return std::abs(one - other) <= allowed + kSame * size;
}

bool compares(double one, Does how, double other) {
  const bool same = near(one, other, 0, false);
  switch (how) {
    case Does::less: return one < other && !same;
    case Does::at_most: return one < other || same;
    case Does::more: return one > other && !same;
    case Does::at_least: return one > other || same;
    case Does::equal: return same;
    default: return !same;
  }
}

std::vector<Element> elements(const Reference& r, const Sight& sight) {
  const figure::Plot& in = plot(sight, r.id);
  const auto range = extent(in, r.kind);
  if (!range) {
    missing(N_("expected a plot that has what {} names, got \"{}\""), to_text(r), r.id);
  }
  const std::array<core::Index, 2> first = first_index(in, r.kind);
  const auto bounds = [&](std::size_t k, core::Index count) {
    if (k >= r.at.size() || r.at[k].every()) return std::pair{core::Index{0}, count};
    const core::Index at = index(r.at[k], sight) - first[k];
    return std::pair{at, at + 1};
  };
  const bool cell = r.kind == Kind::cell;
  const auto [row0, row1] = bounds(0, (*range)[0]);
  const auto [col0, col1] =
      cell ? bounds(1, (*range)[1]) : std::pair{core::Index{0}, core::Index{1}};
  if ((row1 - row0) * (col1 - col0) > kMostElements) {
    missing(N_("{} are too many to look through: at most {}"), to_text(r), kMostElements);
  }
  std::vector<Element> all;
  for (core::Index row = row0; row < row1; ++row) {
    for (core::Index col = col0; col < col1; ++col) {
      const auto one = element(in, r.kind, row, cell ? col : -1);
      if (!one) {
        const std::size_t k = cell && row >= 0 && row < (*range)[0] ? 1 : 0;
        missing(N_("expected an index from {} to {}, got {}"), first[k], first[k] + (*range)[k] - 1,
                to_text(r));
      }
      all.push_back(*one);
    }
  }
  return all;
}

Value evaluate(const Expression& e, const Sight& sight) {
  const auto part = [&](std::size_t k) { return number(e.parts[k], sight); };
  switch (e.does) {
    case Does::number: return e.number;
    case Does::word: return e.word;
    case Does::refer: return value_of(e.reference, sight);
    case Does::call: return called(e, sight);
    case Does::negate: return -part(0);
    case Does::add: return part(0) + part(1);
    case Does::subtract: return part(0) - part(1);
    case Does::multiply: return part(0) * part(1);
    case Does::divide: return part(0) / part(1);
    case Does::power: return std::pow(part(0), part(1));
    default: return condition(e, sight);
  }
}

double number(const Expression& e, const Sight& sight) {
  const double value = as_number(evaluate(e, sight));
  return value;
}

bool holds(const Expression& e, const Sight& sight) {
  const Value value = evaluate(e, sight);
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  missing(N_("expected a condition, got a number"));
}

std::vector<const Stated*> claims_of(const Stop& stop, bool answered) {
  std::vector<const Stated*> all;
  const bool after = answered && stop.question;
  if (!after || stop.question->reveals.values.empty()) {
    for (const Stated& one : stop.checks) all.push_back(&one);
  }
  if (after) {
    for (const Stated& one : stop.question->checks) all.push_back(&one);
  }
  return all;
}

bool claims_hold(const Stop& stop, bool answered, const Sight& sight) {
  for (const Stated* one : claims_of(stop, answered)) {
    try {
      if (!holds(one->is, sight)) return false;
    } catch (const core::InputError&) {
      return false;
    }
  }
  return true;
}

std::string text_of(const Expression& e, int digits, const Sight& sight, const words::Words& w) {
  if (e.does == Does::call && e.word == "was") {
    return text_of(e.parts.front(), digits, as_begun(sight), w);
  }
  if (e.does == Does::refer && e.reference.kind == Kind::readout && digits == 0) {
    return readout(sight, e.reference.id).text;
  }
  if (e.does == Does::refer && e.reference.kind == Kind::knob && digits == 0) {
    return shown_knob(sight, e.reference.id, w);
  }
  constexpr int kDigits = 4;
  return figure::number_text(number(e, sight), digits > 0 ? digits : kDigits);
}

}  // namespace lesson
