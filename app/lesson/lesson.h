// A lesson: an ordered list of stops. A stop is a scene (a lab with its knobs, what is shown and
// pointed at), a few sentences, and mostly something to do: a condition that is waited for, or a
// question that is asked before its answer is shown. Read from text (assets/lessons/README.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/lesson/text/expression.h"
#include "app/session/session.h"

namespace lesson {

// A piece of a sentence.
struct Piece {
  enum class Kind { plain, strong, link, live };
  Kind kind = Kind::plain;
  std::string text = {};  // of a live number what stands in the braces
  Reference target = {};  // of a link
  Expression value = {};  // of a live number
  int digits = 0;         // of it; 0: as the page has it
  bool operator==(const Piece&) const = default;
};
struct Paragraph {
  int line = 0;
  std::vector<Piece> pieces = {};
  bool empty() const { return pieces.empty(); }
};
using Text = std::vector<Paragraph>;

// A condition or a number, with its line.
struct Stated {
  int line = 0;
  Expression is = {};
};
// Something of a page, with its line.
struct Named {
  int line = 0;
  Reference is = {};
};
struct Settings {
  int line = 0;
  param::Values values = {};
};
// A paper that the stop rests on, by the beginning of its citation.
struct Cited {
  int line = 0;
  std::string begins = {};
};
// Elements of a plot, or a whole plot, that are seen to travel to others.
struct Travel {
  Named from, to;
};

// Questions --------------------------------------------------------------------------------------

struct Option {
  Paragraph text;
  bool right = false;
  Paragraph said = {};  // to who chooses it; may be empty
};
struct Choose {
  std::vector<Option> options;
};
struct TrueOrFalse {
  bool truth = false;
};
// A number to be typed; right when it is as near to `value` as `within` says.
struct TypeNumber {
  Stated value;
  double within = 0;
  bool percent = false;
  // What the page has for a value that was typed into the file; the two must agree.
  std::optional<Stated> from_page = {};
};
// One cell, bar, point or box of a plot to be clicked.
struct Click {
  enum class Which { named, largest, smallest };
  Which which = Which::named;
  Named of;
};
// All of them for which a comparison holds.
struct MarkAll {
  Named of;
  Expression::Does compares = Expression::Does::more;
  Stated with;
};
// A curve to be drawn over the plot, whose line is not shown until then.
struct Draw {
  Named line;
  double within = 0;  // percent of the height of the axis, on average
};

// A wrong answer that is known, with the sentence for it.
struct Mistake {
  int line = 0;
  std::variant<Expression, Reference, std::string> answer;  // a number, an element, a shape
  Paragraph said;
};

struct Question {
  int line = 0;
  Paragraph asked = {};
  std::variant<Choose, TrueOrFalse, TypeNumber, Click, MarkAll, Draw> kind = {};
  std::vector<Mistake> mistakes = {};
  std::vector<Named> hides = {};  // figures, plots and readouts, covered until it is answered
  Settings reveals = {};          // knobs that are set then; the truth is that of the page after it
  std::vector<Travel> travels = {};  // once it is answered
  std::vector<Stated> checks = {};
  Paragraph why = {};
  Text after = {};  // what is read then
};

struct Stop {
  int line = 0;
  std::string title = {};
  std::string lab = {};  // empty: as the stop before
  int lab_line = 0;
  std::string preset = {};
  int preset_line = 0;
  Settings sets = {};
  std::optional<Named> shows = {};  // a figure that is brought into view
  bool alone = false;               // it fills the page
  std::vector<Named> points = {};
  std::vector<Travel> travels = {};  // when it is opened
  Text text = {};
  Text notes = {};  // for who lectures
  std::vector<Cited> cites = {};
  std::optional<Stated> wait = {};
  Settings does = {};               // how the condition is reached, where it cannot be found out
  Paragraph seen = {};              // what was to be seen, once it is done
  std::vector<Stated> checks = {};  // what the text claims, whatever the learner does
  std::vector<Stated> begins = {};  // how the scene is before anything is done
  std::optional<Question> question = {};
};

struct Lesson {
  std::string file;  // for messages
  std::string title;
  Paragraph about;
  int minutes = 0;
  std::string lab = {};  // whose lesson it is
  int lab_line = 0;
  std::string route = {};  // of the course; empty: of none
  int route_line = 0;
  int place = 0;         // on it
  bool further = false;  // it comes after the route, for who likes
  std::vector<Stop> stops;
};

// The one table of the words that lines begin with.
enum class Word {
  about,
  minutes,
  lab,
  route,
  preset,
  set,
  show,
  point,
  travel,
  wait,
  does,
  seen,
  check,
  begins,
  source,
  answer,
  click,
  mark,
  draw,
  hide,
  reveal,
  why
};
struct WordInfo {
  Word word;
  std::string_view name;
  enum class Place { head, stop, question, stop_or_question, head_or_stop } place;
  std::string_view takes;  // for messages and assets/lessons/README.md
};
const std::vector<WordInfo>& word_table();

// Reads a lesson's text; `file` is for messages. Throws Fault.
Lesson parse(std::string_view text, const std::string& file);

// The stop's scene: the lab with its knobs. With `revealed` as it is after the question. It depends
// on the stops before: where a stop names neither a lab nor a preset it goes on from where they
// leave off. Throws Fault: unknown labs, presets, knobs and values.
session::Session scene(const Lesson& lesson, std::size_t stop, bool revealed = false);

}  // namespace lesson
