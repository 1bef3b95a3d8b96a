// The story of labs at the left, the lessons, and the search over everything.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/state/search.h"
#include "app/ui/bars/arrangement.h"
#include "app/ui/controls/text_box.h"

namespace ui {

class Sidebar {
 public:
  // All outlive it.
  Sidebar(state::Program& program, Gui& gui, TextEdit& edit, StartPage& start,
          const LessonView& lesson, Arrangement& arrangement)
      : program_(program),
        gui_(gui),
        edit_(edit),
        start_(start),
        lesson_(lesson),
        arrangement_(arrangement) {}

  void draw(const Rect& r);
  void list_lessons() { lists_lessons_ = true; }
  // Opens its search box.
  void search_for_anything();
  // Closes the search with a result; an event names it.
  void choose(const state::Found& found);
  // What can be found, in the language of the window.
  const state::SearchIndex& index();
  // Names of stops and papers may be seen in it.
  bool names_lessons() const { return lists_lessons_ || !query_.empty(); }

 private:
  float start_item(const Rect& r, float y);
  float list_tabs(const Rect& r, float y);
  float lab_list(const Rect& r, float y);
  float lesson_list(const Rect& r, float y);
  float lesson_row(const std::string& name, const Rect& r, float y);
  std::vector<state::Found> search();
  float search_results(const Rect& r, float y);
  bool found_item(const std::string& id, const Rect& row, const state::Found& found);

  state::Program& program_;
  Gui& gui_;
  TextEdit& edit_;
  StartPage& start_;
  const LessonView& lesson_;
  Arrangement& arrangement_;
  bool lists_lessons_ = false;  // instead of labs
  std::string query_;
  std::string listed_lab_;  // brought into view in the list of labs
  std::optional<std::pair<words::Language, state::SearchIndex>> index_;  // of the language shown
};

}  // namespace ui
