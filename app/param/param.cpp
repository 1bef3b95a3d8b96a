#include "app/param/param.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "app/param/match.h"
#include "app/param/reading.h"
#include "core/text/printable.h"
#include "core/text/utf8.h"

namespace param {

using words::Sentence;

namespace {

[[noreturn]] void refuse(const Parameter& parameter, const Sentence& got) {
  throw Refusal(parameter, got);
}

// What came where a text is too long.
Sentence bytes_of(std::string_view text) { return Sentence(N_("{} bytes"), text.size()); }

double integer_step(const Info& info) { return std::max(1.0, std::round(info.step)); }

bool on_step(const Info& info, double value) {
  return std::fmod(value - info.min, integer_step(info)) == 0;
}

bool inside(const Info& info, double value) { return value >= info.min && value <= info.max; }

void set_integer(const Parameter& parameter, const Integer& kind, double wanted,
                 const Sentence& got) {
  if (!inside(parameter.info, wanted) || !on_step(parameter.info, wanted)) refuse(parameter, got);
  *kind.value = static_cast<int>(wanted);
}

void set_real(const Parameter& parameter, const Real& kind, double wanted, const Sentence& got) {
  if (!inside(parameter.info, wanted)) refuse(parameter, got);  // a NaN is not inside
  *kind.value = wanted;
}

void set_choice(const Parameter& parameter, const Choice& kind, std::string_view id) {
  for (std::size_t k = 0; k < kind.options.size(); ++k) {
    if (kind.options[k].id == id) return kind.set(static_cast<int>(k));
  }
  refuse(parameter, shown(id));
}

void set_text(const Parameter& parameter, const Text& kind, std::string_view text) {
  if (text.size() > kind.max_bytes) refuse(parameter, bytes_of(text));
  if (const auto bad = core::invalid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(text[*bad]);
    refuse(parameter,
           Sentence(N_("the byte {} at offset {}"), fmt::format("0x{:02x}", byte), *bad));
  }
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    refuse(parameter, Sentence(N_("a zero byte at offset {}"), nul));
  }
  *kind.value = text;
}

constexpr std::size_t kMostPathBytes = 4096;

// A path is any text of one line; whether there is such a file is the lab's concern.
void set_file(const Parameter& parameter, const File& kind, std::string_view path) {
  if (path.size() > kMostPathBytes) refuse(parameter, bytes_of(path));
  if (core::invalid_utf8(path) || path.find_first_of(std::string_view("\0\n\r", 3)) != path.npos) {
    refuse(parameter, shown(path));
  }
  *kind.value = path;
}

constexpr std::size_t kMostNameBytes = 4096;

// As it is: a name may begin with a space. Whether there is such a one is seen later.
void set_name(const Parameter& parameter, const Name& kind, std::string_view name) {
  if (name.size() > kMostNameBytes) refuse(parameter, bytes_of(name));
  if (core::invalid_utf8(name) || name.find_first_of(std::string_view("\0\n\r", 3)) != name.npos) {
    refuse(parameter, shown(name));
  }
  *kind.value = name;
}

void set_points(const Parameter& parameter, const Points& kind, PointList points) {
  if (points.size() > kind.most) refuse(parameter, Sentence(N_("{} points"), points.size()));
  for (const auto& [x, y] : points) {
    const bool in = x >= kind.x_min && x <= kind.x_max && y >= kind.y_min && y <= kind.y_max;
    if (!in) refuse(parameter, Sentence::plain(fmt::format("{},{}", x, y)));
  }
  *kind.value = std::move(points);
}

// "0.5,1 2,-3": pairs apart by spaces or semicolons.
PointList parse_points(const Parameter& parameter, std::string_view text) {
  constexpr std::string_view kBetween = " \t\r\n;";
  PointList points;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kBetween);
    if (begin == text.npos) return points;
    text.remove_prefix(begin);
    const std::string_view pair = text.substr(0, text.find_first_of(kBetween));
    const std::size_t comma = pair.find(',');
    const auto x = whole<double>(pair.substr(0, comma));
    const auto y = whole<double>(comma == pair.npos ? "" : pair.substr(comma + 1));
    if (!x || !y) refuse(parameter, shown(pair));
    points.push_back({*x, *y});
    text.remove_prefix(pair.size());
  }
}

void set_stack(const Parameter& parameter, const Stack& kind, std::string_view text) {
  try {
    *kind.value = read_stack(text, *kind.catalogue, kind.most);
  } catch (const Misfit& misfit) {
    throw Refusal(parameter.info.id, misfit.expected, misfit.got);
  }
}

void set_painted(const Parameter& parameter, const Painted& kind, std::string_view text) {
  try {
    *kind.value = read_cells(text, kind.rows, kind.columns);
  } catch (const Misfit& misfit) {
    refuse(parameter, misfit.got);
  }
}

void set_flag(const Parameter& parameter, const Flag& kind, std::string_view text) {
  if (text == "true") {
    *kind.value = true;
  } else if (text == "false") {
    *kind.value = false;
  } else {
    refuse(parameter, shown(text));
  }
}

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
Sentence within(Sentence range, const std::string& opened) {
  return opened.empty() ? range : Sentence(N_("{} in {}"), range, opened);
}

// Of very many names the first few.
Sentence expected_name(const Name& kind) {
  constexpr std::size_t kShown = 12;
  if (!kind.names) return Sentence(N_("a name in one line of at most {} bytes"), kMostNameBytes);
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
  return Sentence(N_("1 to {} items such as {} of {}"), kind.most, print_stack(example, catalogue),
                  names);
}

// min + k * step without the noise of binary fractions: 0.3, not 0.30000000000000004.
double clean(double value) { return whole<double>(fmt::format("{:.12g}", value)).value_or(value); }

}  // namespace

std::optional<std::size_t> Name::at() const {
  if (!names) return std::nullopt;
  if (value->empty()) return otherwise < names->size() ? std::optional(otherwise) : std::nullopt;
  const auto found =
      std::find_if(names->begin(), names->end(), [&](const Named& n) { return n.id == *value; });
  if (found == names->end()) return std::nullopt;
  return static_cast<std::size_t>(found - names->begin());
}

const Found* List::fact(std::string_view id, std::string_view of) const {
  if (!facts_) return nullptr;
  const auto known = facts_->find(id);
  return known != facts_->end() && known->second.of == of ? &known->second : nullptr;
}

Names List::found(std::string_view id, std::string_view of) const {
  const Found* known = fact(id, of);
  return known ? known->names : nullptr;
}

void List::found_ranges(std::initializer_list<std::string_view> ids, std::string_view of) {
  for (const std::string_view id : ids) {
    Parameter& parameter = at(id);
    const Found* known = fact(id, of);
    if (!known || !known->range) continue;
    Info& info = parameter.info;
    info.min = std::max(info.min, known->range->min);
    info.max = std::max(info.min, std::min(info.max, known->range->max));
    if (info.slides_to && *info.slides_to >= info.max) info.slides_to.reset();
    info.active = info.active && info.max > info.min;
    parameter.found_in = known->in;
  }
}

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

void List::essential(std::initializer_list<std::string_view> ids) {
  for (const std::string_view id : ids) {
    Parameter& parameter = at(id);
    parameter.info.essential = parameter.info.active;
  }
}

std::string print(const Parameter& parameter) {
  return std::visit(
      Match{[](const Flag& k) { return std::string(*k.value ? "true" : "false"); },
            [](const Integer& k) { return fmt::format("{}", *k.value); },
            [](const Real& k) { return fmt::format("{}", *k.value); },  // the shortest exact form
            [](const Choice& k) {
              return std::string(k.options.at(static_cast<std::size_t>(k.get())).id);
            },
            [](const Text& k) { return *k.value; }, [](const File& k) { return *k.value; },
            [](const Points& k) { return print(*k.value); }, [](const Name& k) { return *k.value; },
            [](const Stack& k) { return print_stack(*k.value, *k.catalogue); },
            [](const Painted& k) { return print_cells(*k.value); }},
      parameter.kind);
}

std::string print(const PointList& points) {
  std::string text;
  for (const auto& [x, y] : points) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{},{}", x, y);
  }
  return text;
}

void parse(const Parameter& parameter, std::string_view text) {
  const std::string_view word = trimmed(text);
  std::visit(
      Match{[&](const Flag& k) { set_flag(parameter, k, word); },
            [&](const Integer& k) {
              const auto value = whole<long long>(word);
              if (!value) refuse(parameter, shown(word));
              set_integer(parameter, k, static_cast<double>(*value), shown(word));
            },
            [&](const Real& k) {
              const auto value = whole<double>(word);
              if (!value) refuse(parameter, shown(word));
              set_real(parameter, k, *value, shown(word));
            },
            [&](const Choice& k) { set_choice(parameter, k, word); },
            [&](const Text& k) { set_text(parameter, k, text); },
            [&](const File& k) { set_file(parameter, k, word); },
            [&](const Points& k) { set_points(parameter, k, parse_points(parameter, text)); },
            [&](const Name& k) { set_name(parameter, k, text); },
            [&](const Stack& k) { set_stack(parameter, k, text); },
            [&](const Painted& k) { set_painted(parameter, k, text); }},
      parameter.kind);
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
              return Sentence(N_("UTF-8 text of at most {} bytes"), k.max_bytes);
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

nlohmann::json to_json(const Parameter& parameter) {
  return std::visit(Match{[](const Flag& k) -> nlohmann::json { return *k.value; },
                          [](const Integer& k) -> nlohmann::json { return *k.value; },
                          [](const Real& k) -> nlohmann::json { return *k.value; },
                          [&](const Choice&) -> nlohmann::json { return print(parameter); },
                          [](const Text& k) -> nlohmann::json { return *k.value; },
                          [](const File& k) -> nlohmann::json { return *k.value; },
                          [](const Points& k) -> nlohmann::json { return *k.value; },
                          [](const Name& k) -> nlohmann::json { return *k.value; },
                          [&](const Stack&) -> nlohmann::json { return print(parameter); },
                          [&](const Painted&) -> nlohmann::json { return print(parameter); }},
                    parameter.kind);
}

void from_json(const Parameter& parameter, const nlohmann::json& value) {
  using nlohmann::json;
  const auto got = [&] {
    constexpr std::size_t kShownBytes = 40;
    return Sentence::plain(
        core::printable(value.dump(-1, ' ', false, json::error_handler_t::replace), kShownBytes));
  };
  std::visit(Match{[&](const Flag& k) {
                     if (!value.is_boolean()) refuse(parameter, got());
                     *k.value = value.get<bool>();
                   },
                   [&](const Integer& k) {
                     // Other programs write whole numbers as 8.0; that is the same number.
                     const double number = value.is_number() ? value.get<double>() : 0.5;
                     if (number != std::floor(number)) refuse(parameter, got());
                     set_integer(parameter, k, number, got());
                   },
                   [&](const Real& k) {
                     if (!value.is_number()) refuse(parameter, got());
                     set_real(parameter, k, value.get<double>(), got());
                   },
                   [&](const Choice& k) {
                     if (!value.is_string()) refuse(parameter, got());
                     set_choice(parameter, k, value.get_ref<const std::string&>());
                   },
                   [&](const Text& k) {
                     if (!value.is_string()) refuse(parameter, got());
                     set_text(parameter, k, value.get_ref<const std::string&>());
                   },
                   [&](const File& k) {
                     if (!value.is_string()) refuse(parameter, got());
                     set_file(parameter, k, value.get_ref<const std::string&>());
                   },
                   [&](const Points& k) {
                     PointList points;
                     const auto number = [](const json& v) { return v.is_number(); };
                     for (const json& pair : value.is_array() ? value : json::array({0})) {
                       const bool fits = pair.is_array() && pair.size() == 2 &&
                                         std::all_of(pair.begin(), pair.end(), number);
                       if (!fits) refuse(parameter, got());
                       points.push_back({pair[0].get<double>(), pair[1].get<double>()});
                     }
                     set_points(parameter, k, std::move(points));
                   },
                   [&](const Name& k) {
                     if (!value.is_string()) refuse(parameter, got());
                     set_name(parameter, k, value.get_ref<const std::string&>());
                   },
                   [&](const Stack& k) {
                     if (!value.is_string()) refuse(parameter, got());
                     set_stack(parameter, k, value.get_ref<const std::string&>());
                   },
                   [&](const Painted& k) {
                     if (!value.is_string()) refuse(parameter, got());
                     set_painted(parameter, k, value.get_ref<const std::string&>());
                   }},
             parameter.kind);
}

std::string_view kind_name(const Parameter& parameter) {
  constexpr std::string_view kNames[] = {"flag", "integer", "real", "choice", "text",
                                         "file", "points",  "name", "stack",  "painted"};
  static_assert(std::size(kNames) == std::variant_size_v<Kind>);
  return kNames[parameter.kind.index()];
}

Sentence missing(const Parameter& parameter) {
  const auto* name = std::get_if<Name>(&parameter.kind);
  if (!name || !name->missing()) return {};
  return Sentence(N_("expected {}, got {}"), expectation(parameter), shown(*name->value));
}

void require_names(const List& list) {
  for (const Parameter& parameter : list.items()) {
    const auto* name = std::get_if<Name>(&parameter.kind);
    if (name && parameter.info.active && name->missing()) refuse(parameter, shown(*name->value));
  }
}

bool beyond_found(const Parameter& parameter) {
  const auto value = number(parameter);
  return value && !parameter.found_in.empty() && !inside(parameter.info, *value);
}

void require_found(const List& list, const std::vector<std::string>& ids) {
  for (const Parameter& parameter : list.items()) {
    const bool asked = std::find(ids.begin(), ids.end(), parameter.info.id) != ids.end();
    if (asked && beyond_found(parameter)) refuse(parameter, shown(print(parameter)));
  }
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
