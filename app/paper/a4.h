// Documents on A4 in PDF: what is written in the order of reading, one thing under the other,
// broken into pages; tagged, with bookmarks and links. Light colours; type is never smaller than 8
// points, in a drawing of boxes and wires than 6.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/paper/paper_text.h"
#include "app/words/words.h"

typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;

namespace paper::a4 {

// Units around what is written, and how large that is; a unit is three quarters of a point.
inline constexpr double kWidth = 595.28, kHeight = 841.89;  // points
inline constexpr double kPointsUnit = 0.75;
inline constexpr float kSide = 64, kTop = 60, kFoot = 68;
inline constexpr float kUnitsWide = static_cast<float>(kWidth / kPointsUnit) - 2 * kSide;
inline constexpr float kUnitsHigh = static_cast<float>(kHeight / kPointsUnit) - kTop - kFoot;

struct Item {
  figure::Drawing drawing = {};
  const char* tag = "P";
  float height = 0, gap = 0;  // gap: above it, unless it begins a page
  float zoom = 1;
  std::shared_ptr<const PaperMeasure> measure = nullptr;  // of what is zoomed; null: the document's
  bool keep = false;                                      // with what follows
  bool first = false;                                     // of a page
  float tie = 0;                 // to what follows: what parting them costs, of 100 for a page
  std::string destination = {};  // of a link or a bookmark; may be empty
  // A picture may be drawn lower where a page has too little room, down to `least`; empty: not.
  float least = 0;
  std::function<figure::Drawing(float height)> redrawn = {};
};

// A part of a sentence.
struct Run {
  std::string text;
  bool strong = false;
};

struct Writer {
  const PaperMeasure& measure;
  const figure::Theme& theme;
  words::Words w;

  Item text(const std::string& words, figure::TextStyle style, figure::Rgba color, float gap,
            const char* tag = "P") const;
  // Sentences of which parts are strong, from `indent` on.
  Item sentences(const std::vector<Run>& runs, figure::TextStyle style, figure::TextStyle strong,
                 figure::Rgba color, float gap, float indent = 0) const;
  std::optional<Item> formula(const std::string& tex) const;
  // At most `highest` of a page high, where it is no table; its type stays.
  Item picture(const figure::Figure& figure, float highest = 1) const;
  figure::LayoutOptions options() const;

 private:
  Item to_scale(const figure::Figure& figure, float width, float room) const;
  Item diagram(const figure::Figure& figure, float room) const;
};

// Position of an item on its page, and its height there.
struct Placed {
  const Item* item;
  float y, height;
};
// Breaks items into pages where little stays empty and nothing is parted without need; pictures are
// drawn a little lower for that.
std::vector<std::vector<Placed>> pages_of(const std::vector<Item>& items);

// The document while it is drawn.
class Document {
 public:
  Document(const PaperMeasure& measure, const std::string& title);
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  // `x`, `y` in units from the corner of what is written; `destination` and `link` may be empty.
  void draw(const Item& item, float x, float y, const std::string& destination = "",
            const std::string& link = "");
  void draw(const Placed& placed, const std::string& destination = "");
  void bookmark(const std::string& title, const std::string& destination);
  // Writes the foot of the page: whose it is, and its number.
  void foot(const Writer& write, const std::string& left, std::size_t page);
  void end_page();
  std::string finish();

 private:
  const PaperMeasure& measure_;
  std::string bytes_;
  cairo_surface_t* surface_;
  cairo_t* cairo_ = nullptr;
  bool page_ended_ = false;  // what is drawn next is on another one
};

}  // namespace paper::a4
