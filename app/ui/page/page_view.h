// The figures of a page on screen: laid out once, painted every frame, and what the pointer does
// on them: crosshair, values, picks, zoom and pan.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/figure/layout.h"
#include "app/figure/motion.h"
#include "app/state/program.h"
#include "app/ui/controls/widgets.h"
#include "app/ui/draw/gui.h"
#include "app/ui/draw/screen_painter.h"
#include "app/ui/page/brush.h"
#include "app/ui/page/color_popup.h"
#include "app/ui/page/differences.h"
#include "app/ui/page/page_head.h"
#include "app/ui/page/page_state.h"

namespace ui {

class PageView {
 public:
  using PlotPlace = ui::PlotPlace;
  using Covers = ui::Covers;
  using Pointed = ui::Pointed;

  PageView(state::Program& program, Gui& gui, ScreenPainter& painter,
           const figure::TextMeasure& measure, TextEdit& edit, std::function<void()> wake = {});

  // Draws the page into `area`, scrolled as it stands.
  void draw(const Rect& area);

  // One figure takes all of the page, so long as the page has it; empty: none.
  const std::string& alone() const { return alone_; }
  void show_alone(const std::string& figure);

  // In a lecture or at a stop of a lesson: these figures and nothing besides, side by side, as
  // large as there is room, with the captions and buttons under them if they are wanted. None: the
  // page as it is else.
  void present(std::optional<Presented> figures) { presented_ = std::move(figures); }
  bool presents() const { return presented_.has_value(); }

  // The figure under the pointer, else the first; empty without a page.
  std::string hovered_figure() const;
  // The one of which most is in view; empty without a page.
  std::string figure_in_view() const;
  const std::map<std::string, PlotPlace>& plots() const { return plots_; }
  // Where what can be clicked lies, by what that sets: "open=encoder self".
  Controls hits() const;
  // Copies the numbers of the first figure that is shown.
  void copy_first() const;
  // Takes away the point that the pointer is at; false when it is at none.
  bool remove_pointed();
  // How many figures were laid out so far; for tests.
  long layouts() const { return laid_.count; }
  // Whether something goes from where it stood to where it belongs.
  bool moving() const;
  // The figure that was framed last since it was opened; empty: none yet.
  const std::string& last_marked() const { return marked_.last; }
  // The difference of two large tables is being made.
  bool finding_out() const { return differences_.busy(); }
  PageHead& head() { return head_; }
  // What stands between the head and the figures, from `y` on in a column; it returns where they
  // begin.
  using Strip = std::function<float(float x, float y, float w)>;
  void set_strip(Strip strip) { strip_ = std::move(strip); }
  // Scrolls to a figure, or to that of a plot, as soon as the page has it. With `alone` it then
  // fills the page.
  void bring(const std::string& figure, bool alone = false) {
    wanted_.figure = figure;
    wanted_.alone = alone;
  }
  // The same of a figure that is hidden, or not the one that stands alone, or under a panel.
  void uncover_and_bring(const std::string& figure);
  // A plot whose clicks and drags are somebody else's: the pointer is told there and does nothing.
  // Empty: none.
  void reserve(const std::string& plot) { pointer_.reserved = plot; }
  const Pointed& pointed() const { return pointer_.pointed; }
  void cover(Covers covers) { covers_ = std::move(covers); }
  // The figure or plot that was exported alone into the file that was opened: brings it into view
  // and frames it.
  void show_opened(const std::string& figure) { wanted_.opened = figure; }

 private:
  static constexpr float kInset = 16;      // as the card's inside
  static constexpr float kMore = 34;       // from the card's right edge to its menu's button
  static constexpr float kTransport = 32;  // the buttons of what plays
  static constexpr double kMotion = 0.15;  // seconds that a change is seen to take
  static constexpr double kMarked = 3;     // seconds that an opened figure is framed

  void no_page(const Rect& area);
  void lay_out(const Rect& area);
  void lay_out(std::size_t index, bool anew);
  // What was shown of each figure before, by its id, where it is to move to what is shown now.
  using Stood = std::map<std::string, figure::Drawing>;
  Stood stood(const LayoutKey& next) const;
  void bring_wanted(const Rect& area);
  void show_grown(const Rect& area, float high);
  bool covered(const std::string& id) const {
    return covers_.whole.contains(id) || covers_.left_out.contains(id);
  }
  void draw_grid(const figure::Plot& plot, const Rect& area) const;
  bool covers_words_of(const figure::Figure& figure) const;
  void cover_text(const Placed& placed, const figure::Rect& text, const std::string& as) const;
  void cover_ends(const Placed& placed, const figure::PlotFrame& frame,
                  const figure::Plot& plot) const;
  std::vector<figure::Primitive> given_points(const Placed& placed, const figure::PlotFrame& frame,
                                              const figure::Plot& plot) const;
  void draw_covers(const Placed& placed, const figure::Figure& figure) const;
  void note_pick(const figure::Figure& figure, const figure::PlotFrame* frame);
  void begin_motion(Stood stood);
  const std::vector<figure::Primitive>& seen(const Placed& placed);
  void choose_figures();
  bool captioned() const { return presented_ && presented_->captioned; }
  void arrange(const Rect& area);
  void arrange_presented(const Rect& area);
  void measure_under();
  void make_room_under();
  void stack(const Rect& area, float gap);
  float least_height(const figure::Figure& f, float width) const;
  void make_room_in(std::vector<figure::Rect>& boxes);
  void mark_opened(std::size_t index);
  std::string caption_of(const figure::Figure& f) const;
  void under(std::size_t index);
  float hidden_figures(float x, float y);
  const figure::Figure& figure_at(std::size_t index) const {
    if (laid_.spread) return *laid_.spread;
    const auto& beside = laid_.placed[index].beside;
    return beside ? *beside : page_->page.figures[laid_.shown[index]];
  }
  // --- page_held.cpp
  LayoutKey::Held held_key();
  void stand_beside();
  void name_ghosts();
  const figure::Plot* held_plot(const figure::Plot& live) const;
  std::vector<std::string> tip_at(std::size_t index, const figure::PlotFrame& frame,
                                  figure::Point at) const;
  bool divide(std::size_t index, figure::Point local, bool held);
  void spread_pictures(const figure::Rect& box);
  int columns_of_maps(const figure::Figure& f, const figure::Rect& box) const;
  std::vector<std::string> shown_ids() const;
  void order_items(const figure::Figure& f, const std::string& id, Menu& menu);
  void wheel();
  void point_at(std::size_t index);
  void figure_menu(std::size_t index, const Rect& button);
  struct ColorBar {
    std::string id;
    Rect rect;
  };
  std::vector<ColorBar> color_bars(std::size_t index) const;
  bool point_at_bar(std::size_t index, bool clicked);
  void crosshairs(std::size_t index) const;
  void register_grips(std::size_t index);
  void press(std::size_t index, figure::Point local);
  bool begin_stroke(std::size_t index, const figure::PlotFrame* frame, int button);
  void drag(figure::Point to);
  void pan();
  void zoom(const figure::PlotFrame& frame, const figure::Plot& plot, figure::Point local,
            float notches);
  void copy_values(const figure::Figure& f) const;
  figure::LayoutOptions options() const;

  state::Program& program_;
  Gui& gui_;
  ScreenPainter& painter_;
  const figure::TextMeasure& measure_;
  std::shared_ptr<const state::Computed> page_;  // keeps what the drawings point into alive
  Laid laid_;
  HeldBeside compared_;
  Differences differences_;
  PagePointer pointer_;
  struct Tools {
    Brush brush;
    ColorPopup colors;
  } tools_;
  PageScroll scroll_;
  RequestedFigure wanted_;
  MarkedFigure marked_;
  Rect seen_;  // where the page was drawn last
  std::map<std::string, PlotPlace> plots_;
  PageHead head_;
  Strip strip_;
  std::string alone_;
  std::optional<Presented> presented_;
  Covers covers_;
};

}  // namespace ui
