// What every part of the window draws with during one frame: the theme's colours, the fonts, the
// words, the keyboard, tooltips, and the register of controls by id.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/drawing.h"
#include "app/figure/theme.h"
#include "app/ui/draw/fonts.h"
#include "app/ui/draw/imgui_versions.h"
#include "app/ui/draw/keyboard.h"
#include "app/ui/draw/theme.h"
#include "app/words/words.h"

namespace ui {

using figure::Rect;
using figure::Rgba;
using figure::TextStyle;

// Where each control lies, in window pixels, by id.
using Controls = std::map<std::string, Rect>;

// Punctuation that begins no line, and that ends none.
bool closes(unsigned character);
bool opens(unsigned character);

class Gui {
 public:
  explicit Gui(Fonts& fonts) : fonts_(fonts) {}

  // Frame ----------------------------------------------------------------------------------------
  void begin_frame(const figure::Theme& theme, const words::Words& words,
                   std::vector<KeyPress> keys);
  // Draws the tooltip that is due and moves the focus that Tab asked for.
  void end_frame();
  // Seconds until something changes by itself (a tooltip, a blinking cursor); infinity when idle.
  double next_change() const;
  // Asks for another frame after some seconds.
  void wake_in(double seconds);

  // Colours, sizes, words -----------------------------------------------------------------------
  const figure::Theme& theme() const { return *theme_; }
  const words::Words& words() const { return *words_; }
  const Fonts& fonts() const { return fonts_; }
  float scale() const { return fonts_.scale(); }
  // Units at 100 % in whole pixels.
  float px(float units) const;

  // Text ----------------------------------------------------------------------------------------
  float width(std::string_view text, TextStyle style) const;
  float line(TextStyle style) const { return line_of(*fonts_[style]); }
  // `align` 0 left, 0.5 centre, 1 right of x; y is the middle of the line.
  void text(float x, float y, std::string_view text, TextStyle style, Rgba color,
            float align = 0) const;
  // The same, cut off with an ellipsis so that it fits into `room`; true when it was cut.
  bool text_in(float x, float y, float room, std::string_view text, TextStyle style, Rgba color,
               float align = 0) const;
  // The same; where it was cut, the pointer over it shows the whole.
  void text_or_tip(const std::string& id, float x, float y, float room, std::string_view text,
                   TextStyle style, Rgba color, float align = 0);
  // Breaks at spaces, and between Chinese characters; returns the lines.
  std::vector<std::string> wrap(std::string_view text, TextStyle style, float room) const;
  // Draws wrapped text from `y` (top) downwards and returns its height.
  float paragraph(float x, float y, float room, std::string_view text, TextStyle style,
                  Rgba color) const;
  // How high that will be.
  float paragraph_height(float room, std::string_view text, TextStyle style) const;

  // Shapes --------------------------------------------------------------------------------------
  void fill(const Rect& r, Rgba color, float radius = 0) const;
  void outline(const Rect& r, Rgba color, float radius = 0, float width = 1) const;
  void hline(float x0, float x1, float y, Rgba color) const;

  // Keys and the focus of the keyboard, in this frame.
  Keyboard& keyboard() { return keyboard_; }
  const Keyboard& keyboard() const { return keyboard_; }
  void ring(const Rect& r, float radius) const;

  // Registry ------------------------------------------------------------------------------------
  void control(const std::string& id, const Rect& rect) { controls_[id] = rect; }
  const Controls& controls() const { return controls_; }

  // Tooltips ------------------------------------------------------------------------------------
  // Says that `id` is pointed at; its tooltip appears after a moment. Lines after the first are
  // dim.
  void tooltip(const std::string& id, const std::string& text);
  // With none nothing covers what an audience looks at; those that are there at once come all the
  // same. Once another picture has come under a pointer that rests, they wait until it moves.
  enum class Tips { all, none, once_moved };
  void want_tips(Tips wanted);
  // A tooltip that is there at once, beside the pointer: the first text, and dimmer ones below.
  void tooltip_now(const std::vector<std::string>& texts);
  // What the tooltip that had to wait says in this frame; empty: it is not there.
  const std::string& tip() const { return tip_; }
  // The lines of the one beside the pointer.
  const std::vector<std::string>& tip_now() const { return tip_now_; }

 private:
  float line_pitch(TextStyle style) const;
  void draw_tooltip() const;

  Fonts& fonts_;
  const figure::Theme* theme_ = nullptr;
  const words::Words* words_ = nullptr;
  Keyboard keyboard_;
  double wake_ = 0;

  Controls controls_;
  struct Pointed {
    std::string id, before;
    double since = 0;
    bool clicked = false;            // no tooltip until the pointer has left
    std::optional<ImVec2> rests_at;  // no tooltip until it moves
  } pointed_;
  std::string tip_;
  bool tips_ = true;
  std::vector<std::string> tip_now_;
};

}  // namespace ui
