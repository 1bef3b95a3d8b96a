// A lesson that somebody is in: which stop is open, and what they answered and did there. What is
// on screen follows from it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "app/lesson/cover.h"
#include "app/lesson/follow.h"
#include "app/lesson/text/answer.h"

namespace lesson {

class Play {
 public:
  // `name`: of one of the program's lessons, or a file's whole path.
  Play(std::string name, Lesson lesson) : name_(std::move(name)), lesson_(std::move(lesson)) {}

  const std::string& name() const { return name_; }
  const Lesson& lesson() const { return lesson_; }
  std::size_t at() const { return at_; }
  const Stop& stop() const { return lesson_.stops[at_]; }
  bool first() const { return at_ == 0; }
  bool last() const { return at_ + 1 == lesson_.stops.size(); }

  // Opens a stop; what was answered there before stays, what was done there is forgotten.
  void go(std::size_t stop);
  // Continues with the text in another language.
  void translate(Lesson lesson) { lesson_ = std::move(lesson); }

  // The knobs as they are to be now.
  session::Session scene() const { return lesson::scene(lesson_, at_, answered()); }

  // Questions. An empty answer just shows the truth.
  bool asks() const { return stop().question && !answered(); }
  bool answered() const { return answered(at_); }
  bool answered(std::size_t stop) const { return answers_.contains(stop); }
  void answer(Answer answer) { answers_[at_] = std::move(answer); }
  void ask_again(std::size_t stop) { answers_.erase(stop); }
  const Answer* given() const;
  // What is covered of the page now.
  Cover cover(const lab::Page& page) const;
  // Whether the page's derivation is to be seen at this stop, once its question is answered.
  bool derives(const lab::Page& page) const;

  // The page after the last stop: what was right, and what comes next.
  void end() { ended_ = true; }
  bool ended() const { return ended_; }

  // What was done since the stop was opened: ids of plots and figures, and of knobs.
  void pick(const std::string& in) { picked_.insert(in); }
  void move(const std::string& knob) { moved_.insert(knob); }
  const std::set<std::string>& picked() const { return picked_; }
  const std::set<std::string>& moved() const { return moved_; }
  // Looks whether what is waited for has come; it stays so. Each page of the stop's lab is shown to
  // it.
  void look(const Sight& sight);
  bool waits() const { return stop().wait && !done_; }
  bool done() const { return done_; }

 private:
  std::string name_;
  Lesson lesson_;
  std::size_t at_ = 0;
  std::map<std::size_t, Answer> answers_;
  std::set<std::string> picked_, moved_;
  bool done_ = false, ended_ = false;
};

// Knobs on their way from one scene to another: `share` from 0 to 1. Numbers that a person would
// slide go there, all else is there at once. Values of the same lab, in the same order.
param::Values between(const lab::Lab& lab, const param::Values& from, const param::Values& to,
                      double share);

}  // namespace lesson
