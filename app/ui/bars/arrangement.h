// Arrangement of the window's parts: beside the page while there is room for them, else over it.
#pragma once

#include <optional>

#include "app/ui/lesson/lesson_view.h"
#include "app/ui/page/page_view.h"
#include "app/ui/panel/sweep_bar.h"
#include "app/ui/start/start_page.h"

namespace ui {

class Arrangement {
 public:
  // All outlive it.
  Arrangement(const Gui& gui, const StartPage& start, const LessonView& lesson,
              const PageView& page, const SweepBar& sweeps)
      : gui_(gui), start_(start), lesson_(lesson), page_view_(page), sweep_bar_(sweeps) {}

  struct Places {
    Rect sidebar, header, page, panel, status, lesson, sweep;
    bool sidebar_over = false, panel_over = false;  // drawn over the page, with a shadow
    bool wide = true;
  };
  Places places() const;

  // Closes what was opened beside the page when the window gets too narrow for it.
  void collapse_what_would_cover();
  void open_sidebar() { sidebar_open_ = true; }
  void open_panel() { panel_open_ = true; }
  void toggle_sidebar();
  void toggle_panel();
  // Closes the sidebar, where it lies over the page, after something was chosen in it.
  void leave_sidebar();
  // Shows the sidebar as wide windows do.
  void reset_sidebar() { sidebar_open_.reset(); }
  // Closes what lies over the page, so that a figure can be seen.
  void uncover_page();

 private:
  const Gui& gui_;
  const StartPage& start_;
  const LessonView& lesson_;
  const PageView& page_view_;
  const SweepBar& sweep_bar_;
  std::optional<bool> sidebar_open_, panel_open_;  // none: as the width suggests
  bool sidebar_was_over_ = false, panel_was_over_ = false;
};

}  // namespace ui
