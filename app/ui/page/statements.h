// What is commonly said of a lab, as questions: each statement is judged true or false before the
// truth is told, with a button that shows where it is settled. What was answered is kept while the
// program runs.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "app/state/program.h"
#include "app/ui/draw/gui.h"
#include "app/ui/page/page_view.h"

namespace ui {

class Statements {
 public:
  Statements(state::Program& program, Gui& gui, PageView& page_view)
      : program_(program), gui_(gui), page_view_(page_view) {}

  // How many the page has, and of how many the truth is told.
  std::size_t count() const;
  std::size_t revealed() const;
  // "True or false? 2 of 6": what the button that leads to them says.
  std::string heading() const;
  // Draws all of them from `y` down; returns where they end.
  float draw(float x, float y, float w);
  // Brings them into view when they are drawn next.
  void bring() { wanted_ = true; }

 private:
  enum class Answer { said_true, said_false, none };

  const std::vector<lab::Card>& cards() const;
  std::pair<std::string, std::string> key(const lab::Card& card) const;
  bool is_revealed(const lab::Card& card) const;
  Answer answer_to(const lab::Card& card) const;
  void answer(const lab::Card& card, Answer answer);
  float question(const lab::Card& card, float x, float y, float w);
  float truth(const lab::Card& card, float x, float y, float w);
  float verdict(const lab::Card& card, float x, float y, float w);
  float all_of_them(float x, float y, float w);
  void show(const lab::Card& card);
  void keep_in_view(const lab::Card& card, float y);

  state::Program& program_;
  Gui& gui_;
  PageView& page_view_;
  std::map<std::pair<std::string, std::string>, Answer> answers_;  // by lab and card
  bool wanted_ = false;
  std::string kept_;  // the card that stays in view while another page comes
};

}  // namespace ui
