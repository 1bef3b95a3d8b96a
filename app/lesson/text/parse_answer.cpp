#include "app/lesson/text/parse_answer.h"

#include "app/param/reading.h"

namespace lesson {
namespace {

using param::trimmed;

// Takes " word ..." off the end of the text; none: it is not there.
std::optional<std::string_view> taken_from(std::string_view word, std::string_view& text) {
  const std::size_t at = text.find(word);
  if (at == text.npos) return {};
  const std::string_view after = trimmed(text.substr(at + word.size()));
  text = trimmed(text.substr(0, at));
  return after;
}

struct Within {
  double number = 0;
  bool percent = false;
};
Within read_within(std::string_view text, const Where& where) {
  const bool percent = text.ends_with('%');
  const auto number =
      param::whole<double>(percent ? trimmed(text.substr(0, text.size() - 1)) : text);
  if (!number || !(*number >= 0)) {
    refuse_got(where, words::Sentence(N_("a number such as 0.01 or 5 %")), text);
  }
  return {*number, percent};
}

}  // namespace

decltype(Question::kind) read_answer(std::string_view text, const Where& where) {
  if (text == "true" || text == "false") return TrueOrFalse{text == "true"};
  TypeNumber asked;
  if (const auto from = taken_from(" from ", text)) {
    asked.from_page = Stated{where.line, read_expression(*from, where)};
  }
  if (const auto within = taken_from(" within ", text)) {
    const Within read = read_within(*within, where);
    asked.within = read.number;
    asked.percent = read.percent;
  }
  asked.value = {where.line, read_expression(text, where)};
  if (asked.value.is.does == Expression::Does::word) {
    refuse_got(where, words::Sentence(N_("true, false or a number such as readout:prediction")),
               text);
  }
  return asked;
}

Named read_elements(std::string_view text, const Where& where) {
  Named of{where.line, read_reference(text, where)};
  if (!is_element(of.is.kind)) {
    refuse_got(where, words::Sentence(N_("cells, bars, points or boxes such as bar:weights")),
               text);
  }
  return of;
}

Click read_click(std::string_view text, const Where& where) {
  Click asked;
  constexpr std::string_view kLargest = "largest ", kSmallest = "smallest ";
  if (text.starts_with(kLargest)) {
    asked.which = Click::Which::largest;
    text.remove_prefix(kLargest.size());
  } else if (text.starts_with(kSmallest)) {
    asked.which = Click::Which::smallest;
    text.remove_prefix(kSmallest.size());
  }
  asked.of = read_elements(trimmed(text), where);
  return asked;
}

MarkAll read_mark(std::string_view text, const Where& where) {
  using Does = Expression::Does;
  const Expression all = read_condition(text, where);
  const bool comparison = all.does >= Does::less && all.does <= Does::unequal &&
                          all.parts[0].does == Does::refer &&
                          is_element(all.parts[0].reference.kind);
  if (!comparison) {
    refuse_got(where, words::Sentence(N_("which ones, such as bar:weights > 0.1")), text);
  }
  return {{where.line, all.parts[0].reference}, all.does, {where.line, all.parts[1]}};
}

Draw read_draw(std::string_view text, const Where& where) {
  Draw asked{{}, 10};
  if (const auto within = taken_from(" within ", text)) {
    const Within read = read_within(*within, where);
    if (!read.percent || read.number == 0) {
      refuse_got(where, words::Sentence(N_("a share of the height such as 10 %")), *within);
    }
    asked.within = read.number;
  }
  asked.line = {where.line, read_reference(text, where)};
  if (asked.line.is.kind != Kind::line || asked.line.is.at.size() != 1) {
    refuse_got(where, words::Sentence(N_("a line such as line:score:0")), text);
  }
  return asked;
}

}  // namespace lesson
