// Where the parts of the window lie: beside the page while there is room for them, over it else.
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

  // What was opened beside the page does not come to lie over it as the window gets too narrow.
  void collapse_what_would_cover();
  void open_sidebar() { sidebar_open_ = true; }
  void open_panel() { panel_open_ = true; }
  void toggle_sidebar();
  void toggle_panel();
  // Something was chosen in the sidebar: where it lies over the page, it goes.
  void leave_sidebar();
  // As wide windows have it.
  void reset_sidebar() { sidebar_open_.reset(); }
  // What lies over the page goes: a figure is looked at.
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
