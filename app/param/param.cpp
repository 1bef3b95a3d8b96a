#include "app/param/param.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "app/param/limits.h"
#include "app/param/match.h"
#include "app/param/reading.h"
#include "core/text/printable.h"

namespace param {

using words::Sentence;

namespace {

// Bounds as a person writes them: 16384, 0.05, 10000000.
std::string bound(double value) { return fmt::format("{:.12g}", value + 0.0); }  // no -0

Sentence expected_option(const Choice& kind) {
  std::string names;
  for (const Option& option : kind.options) {
    if (!names.empty()) names += ", ";
    names += option.id;
  }
  return Sentence(N_("one of {}"), names);
}

Sentence expected_integer(const Info& info) {
  const double step = integer_step(info);
  if (step > 1) {
    return Sentence(N_("an integer from {} to {} in steps of {}"), bound(info.min), bound(info.max),
                    bound(step));
  }
  return Sentence(N_("an integer from {} to {}"), bound(info.min), bound(info.max));
}

// "an integer from 1 to 3 in heads.npy".
Sentence within(const Sentence& range, const std::string& opened) {
  return opened.empty() ? range : Sentence(N_("{} in {}"), range, opened);
}

// "any of 1.1, 1.2, 2.1, 2.2"; of very many the first few and the last.
Sentence expected_words(const Names& words) {
  constexpr std::size_t kShown = 12;
  std::string names;
  const std::size_t count = words->size();
  for (std::size_t k = 0; k < std::min(count, kShown); ++k) {
    if (k > 0) names += ", ";
    names += (*words)[k].id;
  }
  if (count <= kShown) return Sentence(N_("any of {}"), names);
  return Sentence(N_("any of {}, … up to {}"), names, words->back().id);
}

// Lists only the first few of very many names.
Sentence expected_name(const Name& kind) {
  constexpr std::size_t kShown = 12;
  if (!kind.names) return Sentence(N_("a one-line name of at most {} bytes"), kMostNameBytes);
  std::string names;
  const std::size_t count = kind.names->size(), shown_ones = std::min(count, kShown);
  for (std::size_t k = 0; k < shown_ones; ++k) {
    if (k > 0) names += ", ";
    names += core::printable((*kind.names)[k].id, 60);
  }
  if (count <= kShown) return Sentence(N_("one of {}"), names);
  return Sentence(N_("one of {} and {} more"), names, count - shown_ones);
}

Sentence expected_stack(const Stack& kind) {
  const Catalogue& catalogue = *kind.catalogue;
  std::string names;
  for (const Entry& entry : catalogue.entries) {
    if (!names.empty()) names += ", ";
    names += entry.id;
  }
  const int last = static_cast<int>(catalogue.entries.size()) - 1;
  const int operation = std::max(0, static_cast<int>(catalogue.operations.size()) - 1);
  const StackItems example{initial_item(catalogue, std::min(1, last)),
                           initial_item(catalogue, last, operation)};
  return Sentence(N_("1 to {} items such as {}, chosen from {}"), kind.most,
                  serialize_stack(example, catalogue), names);
}

// min + k * step without the noise of binary fractions: 0.3, not 0.30000000000000004.
double clean(double value) { return whole<double>(fmt::format("{:.12g}", value)).value_or(value); }

}  // namespace

Parameter* List::find(std::string_view id) {
  for (Parameter& parameter : items_) {
    if (parameter.info.id == id) return &parameter;
  }
  return nullptr;
}

Parameter& List::at(std::string_view id) {
  if (Parameter* parameter = find(id)) return *parameter;
  throw std::out_of_range("no parameter is called " + std::string(id));
}

void List::add(std::string_view id, std::string_view label, std::string_view help, Info info,
               Kind kind) {
  info.id = id, info.label = label, info.help = help;
  items_.push_back({info, group_, std::move(kind)});
}

void List::require_options(std::string_view id, std::size_t options, std::size_t values) {
  if (options == values) return;
  throw std::logic_error(fmt::format("{}: {} options for {} values", id, options, values));
}

void List::essential(std::initializer_list<std::string_view> ids) {
  for (const std::string_view id : ids) {
    Parameter& parameter = at(id);
    parameter.info.essential = parameter.info.active;
  }
}

Sentence expectation(const Parameter& parameter) {
  const Info& info = parameter.info;
  return std::visit(
      Match{[&](const Flag&) { return Sentence(N_("true or false")); },
            [&](const Integer&) { return within(expected_integer(info), parameter.found_in); },
            [&](const Real&) {
              return within(
                  Sentence(N_("a number from {} to {}"), bound(info.min), bound(info.max)),
                  parameter.found_in);
            },
            [&](const Choice& k) { return expected_option(k); },
            [&](const Text& k) {
              return k.words ? within(expected_words(k.words), parameter.found_in)
                             : Sentence(N_("UTF-8 text of at most {} bytes"), k.max_bytes);
            },
            [&](const File& k) {
              return Sentence(N_("the path of a file ({}) or nothing"), k.endings);
            },
            [&](const Points& k) {
              return Sentence(
                  N_("at most {} points such as 0.5,1 with x from {} to {} and y from {} to {}"),
                  k.most, bound(k.x_min), bound(k.x_max), bound(k.y_min), bound(k.y_max));
            },
            [&](const Name& k) { return expected_name(k); },
            [&](const Stack& k) { return expected_stack(k); },
            [&](const Painted& k) { return expected_cells(k.rows, k.columns); }},
      parameter.kind);
}

Refusal::Refusal(const Parameter& parameter, Sentence came)
    : Refusal(parameter.info.id, expectation(parameter), std::move(came)) {}

Refusal::Refusal(std::string_view parameter, Sentence wanted, Sentence came)
    : core::InputError(Sentence(N_("{}: expected {}, got {}"), parameter, wanted, came)),
      id(parameter),
      expected(std::move(wanted)),
      got(std::move(came)) {}

std::string_view kind_name(const Parameter& parameter) {
  constexpr std::string_view kNames[] = {"flag", "integer", "real", "choice", "text",
                                         "file", "points",  "name", "stack",  "painted"};
  static_assert(std::size(kNames) == std::variant_size_v<Kind>);
  return kNames[parameter.kind.index()];
}

bool has_ending(std::string_view path, std::string_view endings) {
  const auto same = [](char a, char b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; };
    return lower(a) == lower(b);
  };
  while (!endings.empty()) {
    const std::string_view ending = endings.substr(0, endings.find(' '));
    endings.remove_prefix(std::min(endings.size(), ending.size() + 1));
    if (ending == "/") {
      std::error_code unread;
      if (std::filesystem::is_directory(std::filesystem::path(path), unread)) return true;
      continue;
    }
    if (ending.empty() || path.size() < ending.size()) continue;
    const std::string_view end = path.substr(path.size() - ending.size());
    if (std::equal(end.begin(), end.end(), ending.begin(), same)) return true;
  }
  return false;
}

bool is_text(const Parameter& parameter) {
  return std::holds_alternative<Text>(parameter.kind) ||
         std::holds_alternative<File>(parameter.kind) ||
         std::holds_alternative<Points>(parameter.kind) ||
         std::holds_alternative<Painted>(parameter.kind);
}

std::optional<double> number(const Parameter& parameter) {
  if (const auto* integer = std::get_if<Integer>(&parameter.kind)) return *integer->value;
  if (const auto* real = std::get_if<Real>(&parameter.kind)) return *real->value;
  return std::nullopt;
}

double nearest(const Parameter& parameter, double wanted) {
  const Info& info = parameter.info;
  if (std::isnan(wanted) || info.max <= info.min) return info.min;
  const bool whole_steps = std::holds_alternative<Integer>(parameter.kind);
  const double step = whole_steps ? integer_step(info) : info.step;
  const double clamped = std::clamp(wanted, info.min, info.max);
  if (!(step > 0)) return clamped;
  const double last = std::floor((info.max - info.min) / step * (1 + 1e-12));
  const double steps = std::min(std::round((clamped - info.min) / step), last);
  const double value = info.min + steps * step;
  return whole_steps ? value : std::clamp(clean(value), info.min, info.max);
}

std::array<double, 2> nearest(const Points& points, double x, double y) {
  // A NaN is brought to the lower bound.
  const auto within = [](double v, double lo, double hi) { return std::min(std::max(lo, v), hi); };
  return {within(x, points.x_min, points.x_max), within(y, points.y_min, points.y_max)};
}

}  // namespace param
