#include "app/lesson/text/text.h"

namespace lesson {

const std::vector<WordInfo>& word_table() {
  using In = WordInfo::Place;
  static const std::vector<WordInfo> all{
      {Word::about, "about", In::head, "SENTENCE"},
      {Word::minutes, "minutes", In::head, "NUMBER"},
      {Word::lab, "lab", In::head_or_stop, "LAB"},
      {Word::route, "route", In::head, "ROUTE PLACE [further]"},
      {Word::preset, "preset", In::stop, "PRESET"},
      {Word::set, "set", In::stop, "KNOB=VALUE | KNOB=VALUE"},
      {Word::show, "show", In::stop, "figure:ID"},
      {Word::point, "point", In::stop, "NAME, NAME"},
      {Word::travel, "travel", In::stop_or_question, "cell:PLOT:ROW,* to bar:PLOT"},
      {Word::wait, "wait", In::stop, "CONDITION"},
      {Word::does, "do", In::stop, "KNOB=VALUE | KNOB=VALUE"},
      {Word::seen, "seen", In::stop, "SENTENCE"},
      {Word::check, "check", In::stop_or_question, "CONDITION"},
      {Word::begins, "begins", In::stop, "CONDITION"},
      {Word::source, "source", In::stop, "AUTHORS | AUTHORS"},
      {Word::answer, "answer", In::question, "true, false, NUMBER within NUMBER"},
      {Word::click, "click", In::question, "largest bar:PLOT"},
      {Word::mark, "mark", In::question, "bar:PLOT > NUMBER"},
      {Word::draw, "draw", In::question, "line:PLOT:INDEX within NUMBER %"},
      {Word::hide, "hide", In::question, "NAME, NAME"},
      {Word::reveal, "reveal", In::question, "KNOB=VALUE | KNOB=VALUE"},
      {Word::why, "why", In::question, "SENTENCE"}};
  return all;
}

}  // namespace lesson
