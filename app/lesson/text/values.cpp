#include "app/lesson/text/values.h"

#include "app/param/reading.h"

namespace lesson {

using param::trimmed;

namespace {

// What stands between commas that are followed by a blank: a cell's own comma is not.
std::vector<std::string_view> listed(std::string_view text) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const std::size_t comma = text.find(", ");
    all.push_back(trimmed(text.substr(0, comma)));
    text.remove_prefix(comma == text.npos ? text.size() : comma + 2);
  }
  return all;
}

}  // namespace

std::vector<std::string_view> between_bars(std::string_view text) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const std::size_t bar = text.find(" | ");
    all.push_back(trimmed(text.substr(0, bar)));
    text.remove_prefix(bar == text.npos ? text.size() : bar + 3);
  }
  return all;
}

int read_whole_number(std::string_view text, int least, int most, const Where& where) {
  const auto number = param::whole<int>(text);
  if (!number || *number < least || *number > most) {
    refuse_got(where, words::Sentence(N_("a whole number from {} to {}"), least, most), text);
  }
  return *number;
}

void read_settings(std::string_view text, const Where& where, Settings& settings) {
  settings.line = where.line;
  for (const std::string_view one : between_bars(text)) {
    const std::size_t equals = one.find('=');
    if (equals == one.npos || equals == 0) {
      refuse_got(where, words::Sentence(N_("knobs such as n=16 | mask=causal")), one);
    }
    settings.values.emplace_back(trimmed(one.substr(0, equals)), one.substr(equals + 1));
  }
}

Travel read_travel(std::string_view text, const Where& where) {
  constexpr std::string_view kTo = " to ";
  const std::size_t to = text.find(kTo);
  if (to == text.npos) {
    refuse_got(where, words::Sentence(N_("two names such as cell:scores:3,* to bar:weights")),
               text);
  }
  const auto side = [&where](std::string_view name) {
    Named one{where.line, read_reference(trimmed(name), where)};
    if (!is_element(one.is.kind) && one.is.kind != Kind::plot) {
      refuse_got(where, words::Sentence(N_("cells, bars, points, boxes or a plot")), name);
    }
    return one;
  };
  return {side(text.substr(0, to)), side(text.substr(to + kTo.size()))};
}

void read_route(std::string_view text, const Where& where, Lesson& lesson) {
  lesson.route = param::taken_to(' ', text);
  lesson.route_line = where.line;
  text = trimmed(text);
  const std::string_view place = param::taken_to(' ', text);
  lesson.place = read_whole_number(place, 1, 99, where);
  text = trimmed(text);
  lesson.further = text == "further";
  if (!lesson.further && !text.empty()) {
    refuse_got(where, words::Sentence(N_("\"further\" or nothing after the place")), text);
  }
}

std::vector<Named> read_references(std::string_view text, const Where& where) {
  std::vector<Named> all;
  for (const std::string_view one : listed(text)) {
    all.push_back({where.line, read_reference(one, where)});
  }
  return all;
}

}  // namespace lesson
