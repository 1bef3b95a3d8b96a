// Writes the layout into a drawing: one theme, one scale, one measure of text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/figure/layout.h"
#include "app/figure/paper_look.h"

namespace figure::parts {

class Pen {
 public:
  Pen(Drawing& drawing, const LayoutOptions& options) : drawing_(drawing), options_(options) {}

  Drawing& drawing() const { return drawing_; }
  const Theme& theme() const { return *options_.theme; }
  const LayoutOptions& options() const { return options_; }
  bool paper() const { return options_.paper; }
  const PaperLook& look() const;
  // A length given at 100 %, in pixels.
  float px(float length) const { return length * options_.scale; }
  Point size(const std::string& text, TextStyle style) const;
  // As it is written: on paper numbers, which are monospaced, have a minus for their hyphen.
  std::string set(const std::string& text, TextStyle style) const;
  bool changes(TextStyle style) const { return paper() && text_spec(style).mono; }
  float line_height(TextStyle style) const;
  // Height of a row that holds a line of text and is so high at 100 %; on paper type may be larger.
  float row_height(float usual, TextStyle style) const;
  // The text, or its beginning and an ellipsis, so that it fits into `width`; empty when not even
  // one letter does.
  std::string fit(const std::string& text, TextStyle style, float width) const;
  // The text in lines no wider than `width`, broken at spaces and between Chinese characters, and
  // inside of words that are wider than a line. Has at least one line, and every letter.
  std::vector<std::string> wrap(const std::string& text, TextStyle style, float width) const;
  // The width that lines must have at least for no word to be broken.
  float widest_word(const std::string& text, TextStyle style) const;

  template <class P>
  void add(P primitive) const {
    drawing_.primitives.emplace_back(std::in_place_type<P>, std::move(primitive));
  }
  void fill(const Rect& rect, Rgba color, float radius = 0) const;
  void outline(const Rect& rect, Rgba color, float width, float radius = 0) const;
  void line(Point a, Point b, Rgba color, float width, bool dashed = false) const;
  void text(Point at, const std::string& text, TextStyle style, Rgba color, float align_x = 0,
            float align_y = 0.5f, float angle = 0) const;
  // On paper: this was to be written and has no room.
  void left_out(const std::string& text) const;
  // Lines under each other, the first one's middle at `at`.
  void lines(Point at, const std::vector<std::string>& lines, TextStyle style, Rgba color,
             float align_x = 0) const;

 private:
  Drawing& drawing_;
  const LayoutOptions& options_;
};

// The code points of UTF-8 text, as offsets where each begins; malformed bytes count as one each.
std::vector<std::size_t> letters(const std::string& text);

// A token as it stands beside a cell: at most twelve letters, control characters made visible.
std::string short_name(const std::string& token);

}  // namespace figure::parts
