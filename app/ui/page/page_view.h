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
#include "app/ui/page/differences.h"
#include "app/ui/page/page_head.h"

namespace ui {

class PageView {
 public:
  PageView(state::Program& program, Gui& gui, ScreenPainter& painter,
           const figure::TextMeasure& measure, std::function<void()> wake = {});

  // Draws the page into `area`, scrolled as it stands.
  void draw(const Rect& area);

  // One figure takes all of the page, so long as the page has it; empty: none.
  const std::string& alone() const { return alone_; }
  void show_alone(const std::string& figure);

  // In a lecture: these figures and nothing besides, side by side, as large as there is room. None:
  // the page as it is else.
  void present(std::optional<std::vector<std::string>> figures) { presented_ = std::move(figures); }

  // The figure under the pointer, else the first; empty without a page.
  std::string hovered_figure() const;
  // The one of which most is in view; empty without a page.
  std::string figure_in_view() const;
  // Where each plot shows what, for the control map.
  struct PlotPlace {
    Rect area;
    figure::View shown;
    figure::PlotFrame frame = {};        // in window pixels
    const figure::Plot* plot = nullptr;  // until the page is another
  };
  const std::map<std::string, PlotPlace>& plots() const { return plots_; }
  // Where what can be clicked lies, by what that sets: "open=encoder self".
  Controls hits() const;
  // Copies the numbers of the first figure that is shown.
  void copy_first() const;
  // Takes away the point that the pointer is at; false when it is at none.
  bool remove_pointed();
  // How many figures were laid out so far; for tests.
  long layouts() const { return layouts_; }
  // Whether something goes from where it stood to where it belongs.
  bool moving() const;
  // The figure that was framed last since it was opened; empty: none yet.
  const std::string& last_marked() const { return last_marked_; }
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
    wanted_ = figure;
    wanted_alone_ = alone;
  }
  // A plot whose clicks and drags are somebody else's: the pointer is told there and does nothing.
  // Empty: none.
  void reserve(const std::string& plot) { reserved_ = plot; }
  struct Pointed {
    bool over = false, held = false, clicked = false;
    figure::Point at;  // in window pixels
  };
  const Pointed& pointed() const { return pointed_; }
  // Figures and plots that are covered, and plots of which the axes alone are shown.
  struct Covers {
    std::set<std::string> whole, inside;
    bool operator==(const Covers&) const = default;
  };
  void cover(Covers covers) { covers_ = std::move(covers); }
  // The figure or plot that was exported alone into the file that was opened: brings it into view
  // and frames it.
  void show_opened(const std::string& figure) { opened_ = figure; }

 private:
  struct Placed {
    figure::Drawing drawing;              // with its origin at the card's corner
    std::optional<figure::Drawing> from;  // where it comes from, while it moves
    figure::Views views;                  // of its plots, as they are drawn
    float split = 0;                      // where its heatmaps are divided
    // The figure with what is held of its heatmaps, where that changes it.
    std::shared_ptr<const figure::Figure> beside;
    Rect box;           // in window pixels
    float caption = 0;  // how high its caption is
    float under = 0;    // how high all is that stands under it
  };
  struct Key {
    const state::Computed* page = nullptr;
    float width = 0, scale = 0;
    const figure::Theme* theme = nullptr;
    long fonts = 0;
    float pixel_ratio = 0;
    bool captions = true;
    session::FigureOrder order = {};
    std::string alone = {};
    float height = 0;  // of the page, when its figures fill it
    // What it is compared with, and how.
    struct Held {
      const state::Computed* page = nullptr;
      bool drag = false;
      figure::CellsShown cells = figure::CellsShown::split;
      long differences = 0;
      bool operator==(const Held&) const = default;
    } held = {};
    std::optional<std::vector<std::string>> presented = {};
    bool operator==(const Key&) const = default;
  };

  // Where the button went down on a card, and what lay there.
  struct Press {
    std::shared_ptr<const state::Computed> page;   // it or the next keeps `plot` alive
    std::shared_ptr<const figure::Figure> spread;  // or what is compared
    const figure::Plot* plot = nullptr;            // null beside the plots
    figure::PlotFrame frame;
    std::optional<figure::Grip> grip;
    figure::Point at;
  };

  static constexpr float kInset = 16;      // as the card's inside
  static constexpr float kTransport = 32;  // the buttons of what plays
  static constexpr double kMotion = 0.15;  // seconds that a change is seen to take
  static constexpr double kMarked = 3;     // seconds that an opened figure is framed

  void no_page(const Rect& area);
  void lay_out(const Rect& area);
  void lay_out(std::size_t index, bool anew);
  // What was shown of each figure before, by its id, where it is to move to what is shown now.
  using Stood = std::map<std::string, figure::Drawing>;
  Stood stood(const Key& next) const;
  void bring_wanted(const Rect& area);
  bool covered(const std::string& id) const { return covers_.whole.contains(id); }
  void draw_grid(const figure::Plot& plot, const Rect& area) const;
  void draw_covers(const Placed& placed, const figure::Figure& figure) const;
  void note_pick(const figure::Figure& figure, const figure::PlotFrame* frame);
  void begin_motion(Stood stood);
  const std::vector<figure::Primitive>& seen(const Placed& placed);
  void choose_figures();
  void arrange(const Rect& area);
  void arrange_presented(const Rect& area);
  void measure_under();
  void make_room_under();
  void mark_opened(std::size_t index);
  std::string caption_of(const figure::Figure& f) const;
  void under(std::size_t index);
  float hidden_figures(float x, float y);
  const figure::Figure& figure_at(std::size_t index) const {
    if (spread_) return *spread_;
    const auto& beside = placed_[index].beside;
    return beside ? *beside : page_->page.figures[shown_[index]];
  }
  // --- page_held.cpp
  Key::Held held_key();
  void stand_beside();
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
  Key key_;
  std::shared_ptr<const state::Computed> page_;  // keeps what the drawings point into alive
  std::vector<std::size_t> shown_;  // the figures that are shown, in order, by their place in page_
  std::vector<Placed> placed_;      // of these
  // Small pictures or maps that stand alone, in other rows than on the page.
  std::shared_ptr<const figure::Figure> spread_;
  std::vector<figure::Rect> boxes_;
  std::shared_ptr<const state::Computed> held_;  // what page_ is compared with; null: nothing
  figure::Ghost ghost_;                          // of it, for the layout
  Differences differences_;
  std::optional<figure::Rect> divided_;    // the plot whose divider is dragged, in window pixels
  Rect seen_;                              // where the page was drawn last
  std::map<std::string, double> hovered_;  // axis link to data value
  std::map<std::string, PlotPlace> plots_;
  std::string opened_;  // to be shown with the next page that is drawn
  PageHead head_;
  Strip strip_;
  Brush brush_;
  long layouts_ = 0;
  double changed_ = -1;  // when the page did, in seconds of ImGui's
  std::vector<figure::Primitive> midway_;
  int under_pointer_ = -1;      // figure
  bool over_zoomable_ = false;  // the pointer is over a plot that can be zoomed
  figure::Pick removal_;        // of the point under the pointer
  std::optional<Press> press_;
  bool moved_ = false;  // since the press: it is a drag
  std::string lab_;     // whose page is scrolled
  std::string alone_;
  std::optional<std::vector<std::string>> presented_;
  float scroll_ = 0;
  float kept_scroll_ = 0;           // of the page, while a figure stands alone
  std::optional<float> scroll_to_;  // in the next frame
  std::string wanted_, reserved_;
  bool wanted_alone_ = false;
  Pointed pointed_;
  Covers covers_;
  bool marks_wanted_ = false;  // and is marked for a while, as it is that of an opened file
  std::string marked_;
  std::string last_marked_;
  double marked_until_ = 0;
};

}  // namespace ui
