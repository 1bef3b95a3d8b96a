#include "app/lesson/text/text.h"

namespace lesson {

const std::vector<WordInfo>& word_table() {
  using Place = WordInfo::Place;
  static const std::vector<WordInfo> all{
      {Word::about, "about", Place::head, "SENTENCE"},
      {Word::minutes, "minutes", Place::head, "NUMBER"},
      {Word::lab, "lab", Place::head_or_stop, "LAB"},
      {Word::route, "route", Place::head, "ROUTE PLACE [further]"},
      {Word::preset, "preset", Place::stop, "PRESET"},
      {Word::set, "set", Place::stop, "KNOB=VALUE | KNOB=VALUE"},
      {Word::show, "show", Place::stop, "figure:ID"},
      {Word::point, "point", Place::stop, "NAME, NAME"},
      {Word::travel, "travel", Place::stop_or_question, "cell:PLOT:ROW,* to bar:PLOT"},
      {Word::wait, "wait", Place::stop, "CONDITION"},
      {Word::does, "do", Place::stop, "KNOB=VALUE | KNOB=VALUE"},
      {Word::seen, "seen", Place::stop, "SENTENCE"},
      {Word::check, "check", Place::stop_or_question, "CONDITION"},
      {Word::begins, "begins", Place::stop, "CONDITION"},
      {Word::source, "source", Place::stop, "AUTHORS | AUTHORS"},
      {Word::answer, "answer", Place::question, "true, false, NUMBER within NUMBER"},
      {Word::click, "click", Place::question, "largest bar:PLOT"},
      {Word::mark, "mark", Place::question, "bar:PLOT > NUMBER"},
      {Word::draw, "draw", Place::question, "line:PLOT:INDEX within NUMBER %"},
      {Word::hide, "hide", Place::question, "NAME, NAME"},
      {Word::reveal, "reveal", Place::question, "KNOB=VALUE | KNOB=VALUE"},
      {Word::why, "why", Place::question, "SENTENCE"}};
  return all;
}

}  // namespace lesson
