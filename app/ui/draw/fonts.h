// One ImGui font for each text style at the current scale, with the characters that are needed and
// no more: a font atlas with all of Chinese takes a quarter of a second to make, one with the
// characters in use a few milliseconds.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "app/figure/layout.h"
#include "app/labs/lab.h"
#include "app/words/words.h"

struct ImFont;
struct ImFontAtlas;

namespace ui {

// A character of no width that marks where a text box broke a line by itself.
inline constexpr char kSoftBreak[] = "\xE2\x80\x8B";  // U+200B
inline constexpr unsigned kSoftBreakCode = 0x200B;

class Fonts {
 public:
  Fonts();

  // Asks for the characters of a text; true when the atlas lacks some of them and must be built.
  bool need(std::string_view utf8);
  void need(const lab::Page& page);
  void need(const figure::Mark& mark);
  void need(words::Language language);
  void set_scale(float scale);

  // True when `build` has something to do.
  bool stale() const;
  // Builds the atlas of the current ImGui context; the texture must be made anew after it.
  void build();

  ImFont* operator[](figure::TextStyle style) const {
    return fonts_[static_cast<std::size_t>(style)];
  }
  float scale() const { return scale_; }
  long version() const { return version_; }  // counts builds

 private:
  std::array<ImFont*, static_cast<std::size_t>(figure::TextStyle::kCount)> fonts_{};
  std::set<unsigned> wanted_;
  float scale_ = 1;
  bool stale_ = true;
  bool awaits_cjk_ = false;  // drawn without characters whose face is on its way
  long version_ = 0;
};

// Measures with those fonts, for the layout.
class ImGuiMeasure final : public figure::TextMeasure {
 public:
  explicit ImGuiMeasure(const Fonts& fonts) : fonts_(fonts) {}
  figure::Point size(const std::string& text, figure::TextStyle style) const override;

 private:
  const Fonts& fonts_;
};

}  // namespace ui
