// A value as text and as JSON, written and read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/param/limits.h"
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

bool on_step(const Info& info, double value) {
  return std::fmod(value - info.min, integer_step(info)) == 0;
}

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
  if (kind.words) {
    const std::string odd = words_found(kind, text, false);
    if (!odd.empty()) refuse(parameter, shown(odd));
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
  } catch (const Mismatch& mismatch) {
    throw Refusal(parameter.info.id, mismatch.expected, mismatch.got);
  }
}

void set_painted(const Parameter& parameter, const Painted& kind, std::string_view text) {
  try {
    *kind.value = read_cells(text, kind.rows, kind.columns);
  } catch (const Mismatch& mismatch) {
    refuse(parameter, mismatch.got);
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

}  // namespace

std::string serialize(const Parameter& parameter) {
  return std::visit(
      Match{[](const Flag& k) { return std::string(*k.value ? "true" : "false"); },
            [](const Integer& k) { return fmt::format("{}", *k.value); },
            [](const Real& k) { return fmt::format("{}", *k.value); },  // the shortest exact form
            [](const Choice& k) {
              return std::string(k.options.at(static_cast<std::size_t>(k.get())).id);
            },
            [](const Text& k) { return *k.value; }, [](const File& k) { return *k.value; },
            [](const Points& k) { return serialize(*k.value); },
            [](const Name& k) { return *k.value; },
            [](const Stack& k) { return serialize_stack(*k.value, *k.catalogue); },
            [](const Painted& k) { return serialize_cells(*k.value); }},
      parameter.kind);
}

std::string serialize(const PointList& points) {
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

nlohmann::json to_json(const Parameter& parameter) {
  return std::visit(Match{[](const Flag& k) -> nlohmann::json { return *k.value; },
                          [](const Integer& k) -> nlohmann::json { return *k.value; },
                          [](const Real& k) -> nlohmann::json { return *k.value; },
                          [&](const Choice&) -> nlohmann::json { return serialize(parameter); },
                          [](const Text& k) -> nlohmann::json { return *k.value; },
                          [](const File& k) -> nlohmann::json { return *k.value; },
                          [](const Points& k) -> nlohmann::json { return *k.value; },
                          [](const Name& k) -> nlohmann::json { return *k.value; },
                          [&](const Stack&) -> nlohmann::json { return serialize(parameter); },
                          [&](const Painted&) -> nlohmann::json { return serialize(parameter); }},
                    parameter.kind);
}

void from_json(const Parameter& parameter, const nlohmann::json& value) {
  using nlohmann::json;
  const auto got = [&] {
    constexpr std::size_t kShownBytes = 40;
    return Sentence::plain(
        core::printable(value.dump(-1, ' ', false, json::error_handler_t::replace), kShownBytes));
  };
  const auto text = [&]() -> const std::string& {
    if (!value.is_string()) refuse(parameter, got());
    return value.get_ref<const std::string&>();
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
                   [&](const Choice& k) { set_choice(parameter, k, text()); },
                   [&](const Text& k) { set_text(parameter, k, text()); },
                   [&](const File& k) { set_file(parameter, k, text()); },
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
                   [&](const Name& k) { set_name(parameter, k, text()); },
                   [&](const Stack& k) { set_stack(parameter, k, text()); },
                   [&](const Painted& k) { set_painted(parameter, k, text()); }},
             parameter.kind);
}

}  // namespace param
