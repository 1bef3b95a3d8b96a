// Boxes with pictures in them, and the wires between them.
#include <algorithm>
#include <cmath>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/marks/strokes.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kNodeRadius = 5, kNodeInset = 5, kFrameInset = 8, kNodeTitle = 17;
constexpr float kWireCorner = 7, kWireHead = 7, kTitleGap = 6;
constexpr int kCornerPieces = 5;
constexpr float kMostShare = 0.62f;   // of a box's width, for words beside a picture
constexpr float kBesideWire = 0.45f;  // of a frame's width, for its title in bold letters
constexpr float kLeastPicture = 4;    // pixels; smaller ones are left out

using Node = Diagram::Node;
using Wire = Diagram::Wire;

Rect node_rect(const Node& node, const PlotFrame& frame) {
  const float x0 = frame.px_at(node.x0), x1 = frame.px_at(node.x1);
  const float y0 = frame.py_at(node.y0), y1 = frame.py_at(node.y1);
  if (!std::isfinite(x0 + x1 + y0 + y1)) return {};
  return {std::min(x0, x1), std::min(y0, y1), std::abs(x1 - x0), std::abs(y1 - y0)};
}

// Where a node's words and its picture stand.
struct Parts {
  Rect words, picture;
};

// Lines end at spaces alone: one stands behind each hyphen for as long as they are looked for.
std::string parted(const std::string& title) {
  std::string loose;
  for (const char c : title) loose += c == '-' ? std::string("- ") : std::string(1, c);
  return loose;
}

float widest_small(const Node& node, const Pen& pen) {
  return pen.widest_word(parted(node.title), TextStyle::small) + 1;
}

float inset_of(const Node& node, const Rect& r, const Pen& pen) {
  return std::min({pen.px(node.frame ? kFrameInset : kNodeInset), r.w / 8, r.h / 8});
}

// `least`: the share that words beside pictures need for none to be cut.
Parts parts_of(const Node& node, const Rect& r, float least, const Pen& pen) {
  if (node.picture && node.title.empty()) return {{}, r};
  const float inset = inset_of(node, r, pen);
  // A frame's words have no more than the row over what it is around.
  const float above = node.frame ? inset / 2 : inset;
  const Rect inner{r.x + inset, r.y + above, r.w - 2 * inset, r.h - 2 * inset};
  // Pictures that are nodes of their own stand where they stand.
  const float share = node.picture ? std::max(node.share, least) : node.share;
  const float at = node.share > 0 ? inner.w * share : inner.w;
  // Where a word has no room otherwise, up to the pictures.
  const bool apart = node.share > 0 && (node.picture || widest_small(node, pen) <= at - inset);
  const Rect beside{inner.x, inner.y, apart ? at - inset : at, inner.h};
  if (!node.picture) return {beside, {}};
  if (node.share > 0) return {beside, {inner.x + at, inner.y, inner.w - at, inner.h}};
  const float line = node.title.empty() ? 0 : std::min(pen.px(kNodeTitle), inner.h / 2);
  return {{inner.x, inner.y, inner.w, line}, {inner.x, inner.y + line, inner.w, inner.h - line}};
}

void draw_picture(const Node& node, const Rect& r, const Pen& pen) {
  if (r.w < kLeastPicture || r.h < kLeastPicture) return;
  const auto colors = std::make_shared<const ValueColors>(node.scale, pen.theme());
  const auto rows = static_cast<double>(node.picture->rows());
  const auto cols = static_cast<double>(node.picture->cols());
  const auto ratio = static_cast<double>(pen.options().pixel_ratio);
  const int level = std::max(level_for(cols, static_cast<double>(r.w) * ratio),
                             level_for(rows, static_cast<double>(r.h) * ratio));
  pen.add(draw::Cells{r, {0, cols, 0, rows}, node.picture, colors, Pool::max, level, level, level});
  pen.outline(r, node.picked ? pen.theme().accent : pen.theme().line, pen.px(node.picked ? 2 : 1),
              pen.px(1));
}

const std::string& note_of(const Node& node, const Pen& pen) {
  return node.note.empty() && !pen.paper() ? node.pointer_note : node.note;
}

// Over a picture or in the frame's corner: on one line, the note at the right where it has room.
void draw_title_line(const Node& node, const Rect& r, const Pen& pen) {
  // The middle of a frame is the wire's that leaves it.
  const bool bold = node.bold && !(node.frame && pen.size(node.title, TextStyle::label_bold).x >
                                                     kBesideWire * r.w);
  const TextStyle style = bold ? TextStyle::label_bold : TextStyle::small;
  const float y = r.y + std::min(r.h, pen.px(kNodeTitle)) / 2 - pen.px(1);
  const std::string title = pen.fit(node.title, style, r.w);
  pen.text({r.x, y}, title, style, pen.theme().text);
  const float left = pen.size(title, style).x + pen.px(kTitleGap);
  const std::string& note = note_of(node, pen);
  if (note.empty() || left + pen.size(note, TextStyle::mono_small).x > r.w) return;
  pen.text({r.right(), y}, note, TextStyle::mono_small, pen.theme().dim, 1);
}

// The title in lines, at most `room`: broken behind hyphens, too, where a word is wider than a
// line; none where it has no room.
std::vector<std::string> whole_title(const std::string& title, TextStyle style, float width,
                                     std::size_t room, const Pen& pen) {
  const auto fits = [&](const std::string& text, const std::vector<std::string>& lines) {
    return lines.size() <= room && pen.widest_word(text, style) <= width;
  };
  auto lines = pen.wrap(title, style, width);
  if (fits(title, lines)) return lines;
  const std::string loose = parted(title);
  lines = pen.wrap(loose, style, width);
  if (title.find("- ") != title.npos || !fits(loose, lines)) return {};
  for (std::string& line : lines) {
    for (std::size_t at = line.find("- "); at != line.npos; at = line.find("- ", at)) {
      line.erase(at + 1, 1);
    }
  }
  return lines;
}

// A title as it is written.
struct Title {
  TextStyle style;
  float line;  // the height of one
  std::vector<std::string> lines;
  bool cut = false;
};

TextStyle usual_style(const Node& node) {
  return node.bold ? TextStyle::label_bold : TextStyle::label;
}

std::vector<std::string> usual_lines(const Node& node, const Rect& words, const Pen& pen) {
  const TextStyle style = usual_style(node);
  const auto room = std::max(1.0f, (words.h + 1) / pen.line_height(style));
  return whole_title(node.title, style, words.w, static_cast<std::size_t>(room), pen);
}

// How titles beside their pictures, and numbers, stand in all nodes of a diagram.
struct Beside {
  float least = 0;       // their share of the width
  bool smaller = false;  // in smaller lines, as one of them has no room otherwise
  bool numbers = true;   // there is room for those of all boxes
};

Beside beside_in(const Diagram& diagram, const Placed& p, const Pen& pen) {
  Beside all;
  const auto each = [&](auto&& f) {
    for (const Node& node : diagram.nodes) {
      if (!node.picture || node.share <= 0 || node.title.empty()) continue;
      if (const Rect r = node_rect(node, p.frame); r.w > 0 && r.h > 0) f(node, r);
    }
  };
  each([&](const Node& node, const Rect& r) {
    const float inset = inset_of(node, r, pen);
    all.least = std::max(
        all.least, std::min(kMostShare, (widest_small(node, pen) + inset) / (r.w - 2 * inset)));
  });
  each([&](const Node& node, const Rect& r) {
    const Rect words = parts_of(node, r, all.least, pen).words;
    all.smaller = all.smaller || usual_lines(node, words, pen).empty();
  });
  return all;
}

// In lines over one another, or in smaller ones over the whole height of the node, or cut.
Title title_of(const Node& node, const Rect& words, float height, bool smaller, const Pen& pen) {
  const TextStyle usual = usual_style(node);
  Title title{usual, pen.line_height(usual), {}};
  if (!smaller) title.lines = usual_lines(node, words, pen);
  if (!title.lines.empty()) return title;
  Title small{TextStyle::small, kTight * pen.line_height(TextStyle::small), {}};
  const auto room = std::max(1.0f, (height + 1) / small.line);
  small.lines = whole_title(node.title, small.style, words.w, static_cast<std::size_t>(room), pen);
  if (!small.lines.empty()) return small;
  title.lines = {pen.fit(node.title, usual, words.w)};
  title.cut = title.lines.front() != node.title;
  return title;
}

// How a line of a note is written in this width: on paper in the narrower letters of words, where
// numbers are too wide; kCount where it has no room.
TextStyle note_style(const std::string& line, float width, const Pen& pen) {
  if (pen.size(line, TextStyle::mono_small).x <= width) return TextStyle::mono_small;
  const bool narrow = pen.paper() && pen.size(line, TextStyle::small).x <= width;
  return narrow ? TextStyle::small : TextStyle::kCount;
}

// A note as it is written: in one line, or where that has no room with its parts over one another.
struct NoteLines {
  TextStyle style = TextStyle::kCount;
  std::vector<std::string> lines = {};  // none: it has no room
};

NoteLines note_lines(const std::string& note, float width, std::size_t room, const Pen& pen) {
  if (note.empty() || room == 0) return {};
  const TextStyle whole = note_style(note, width, pen);
  if (whole != TextStyle::kCount) return {whole, {note}};
  constexpr std::string_view kBetween = " · ";
  NoteLines parts;
  std::string widest;
  for (std::size_t at = 0; at <= note.size();) {
    const std::size_t end = std::min(note.find(kBetween, at), note.size());
    parts.lines.push_back(note.substr(at, end - at));
    const auto wide = [&](const std::string& text) {
      return pen.size(text, TextStyle::mono_small).x;
    };
    if (wide(parts.lines.back()) > wide(widest)) widest = parts.lines.back();
    at = end + kBetween.size();
  }
  parts.style = note_style(widest, width, pen);
  const bool fits = parts.style != TextStyle::kCount && parts.lines.size() <= room;
  return fits ? parts : NoteLines{};
}

// The note under a title.
NoteLines note_under(const Node& node, const Rect& r, const Title& title, const Pen& pen) {
  const float small = pen.line_height(TextStyle::mono_small);
  const float words = title.line * static_cast<float>(title.lines.size());
  const float left = std::max(r.h + pen.px(2) - words, 0.0f);
  return note_lines(node.note, r.w, static_cast<std::size_t>(left / small), pen);
}

// Numbers of some boxes alone would look like a choice: on paper all of them have room, or none has
// its own.
bool numbers_have_room(const Diagram& diagram, const Placed& p, const Beside& all, const Pen& pen) {
  return std::ranges::all_of(diagram.nodes, [&](const Node& node) {
    if (node.numbers.empty() || node.note.empty()) return true;
    const Rect r = node_rect(node, p.frame);
    if (r.w <= 0 || r.h <= 0) return true;
    const Rect words = parts_of(node, r, all.least, pen).words;
    return !note_under(node, words, title_of(node, words, r.h, false, pen), pen).lines.empty();
  });
}

// Title and note as lines over one another, about the middle of `r`, in a node of this height.
void draw_words(const Node& node, const Rect& r, float height, float align, const Beside& all,
                const Pen& pen) {
  const bool beside = node.share > 0;
  const Title title = title_of(node, r, height, beside && all.smaller, pen);
  const auto& [style, line, lines, cut] = title;
  if (cut) pen.left_out(node.title);
  const float small = pen.line_height(TextStyle::mono_small);
  const float words = line * static_cast<float>(lines.size());
  const bool noted = node.numbers.empty() || all.numbers;
  const NoteLines note = noted ? note_under(node, r, title, pen) : NoteLines{};
  const float x = r.x + align * r.w;
  float y = r.y + (r.h - words - small * static_cast<float>(note.lines.size())) / 2;
  for (const std::string& text : lines) {
    pen.text({x, y + line / 2}, text, style, pen.theme().text, align);
    y += line;
  }
  for (const std::string& text : note.lines) {
    // A number, in whichever letters.
    const std::string set = pen.set(text, TextStyle::mono_small);
    pen.text({x, y + small / 2}, set, note.style, pen.theme().dim, align);
    y += small;
  }
  if (note.lines.empty()) pen.left_out(node.note);
}

void add_hits(const Node& node, const Rect& r, const Rect& picture, int plot, const Pen& pen) {
  const std::string& tip = node.tooltip.empty() ? node.title : node.tooltip;
  if (!node.pick.empty() || !node.tooltip.empty()) {
    pen.drawing().hits.push_back({r, plot, node.pick, tip});
  }
  if (!node.picture_pick.empty() && picture.w > 0) {
    pen.drawing().hits.push_back({picture, plot, node.picture_pick, tip});
  }
}

void draw_node(const Node& node, const Placed& p, const Beside& all, const Pen& pen) {
  const Rect r = node_rect(node, p.frame);
  if (r.w <= 0 || r.h <= 0) return;
  // A button, which nobody can press on paper.
  if (pen.paper() && !node.pointer_note.empty() && node.pointer_note == node.title) return;
  const float most = std::min(r.w, r.h) / 2;
  const float radius = node.round ? most : std::min(pen.px(kNodeRadius), most);
  pen.fill(r, resolve(node.fill, pen.theme()), radius);
  const Rgba edge = node.marked ? pen.theme().accent : resolve(node.edge, pen.theme());
  pen.outline(r, edge, pen.px(node.marked ? 2 : 1), radius);
  const Parts parts = parts_of(node, r, all.least, pen);
  if (node.picture) draw_picture(node, parts.picture, pen);
  if (node.frame || (node.picture && node.share <= 0)) {
    draw_title_line(node, parts.words, pen);
  } else {
    draw_words(node, parts.words, r.h, node.share > 0 ? 0.0f : 0.5f, all, pen);
  }
  add_hits(node, r, parts.picture, p.index, pen);
}

Point toward(Point a, Point b, float distance) {
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  if (length <= 0) return a;
  const float share = std::min(1.0f, distance / length);
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

// The path with each corner as a piece of a parabola that begins and ends `radius` from it, or
// halfway to the next one.
std::vector<Point> rounded(const std::vector<Point>& path, float radius) {
  std::vector<Point> all;
  for (std::size_t k = 0; k < path.size(); ++k) {
    if (k == 0 || k + 1 == path.size()) {
      all.push_back(path[k]);
      continue;
    }
    const auto room = [&](Point to) {
      return std::min(radius, std::hypot(to.x - path[k].x, to.y - path[k].y) / 2);
    };
    const float r = std::min(room(path[k - 1]), room(path[k + 1]));
    const Point a = toward(path[k], path[k - 1], r), c = toward(path[k], path[k + 1], r);
    for (int i = 0; i <= kCornerPieces; ++i) {
      const float t = static_cast<float>(i) / kCornerPieces, u = 1 - t;
      all.push_back({u * u * a.x + 2 * u * t * path[k].x + t * t * c.x,
                     u * u * a.y + 2 * u * t * path[k].y + t * t * c.y});
    }
  }
  return all;
}

// Whether a piece of another wire, upright or level, goes through this place.
bool crossed(const Rect& place, bool upright, const Wire& own, const Diagram& diagram,
             const Placed& p) {
  // For a level one the axes change places.
  const auto at = [&](const Diagram::Place& one) {
    const float x = p.frame.px_at(one.x), y = p.frame.py_at(one.y);
    return upright ? Point{x, y} : Point{y, x};
  };
  const Rect r = upright ? place : Rect{place.y, place.x, place.h, place.w};
  for (const Wire& wire : diagram.wires) {
    if (&wire == &own) continue;
    for (std::size_t k = 1; k < wire.path.size(); ++k) {
      const Point a = at(wire.path[k - 1]), b = at(wire.path[k]);
      if (std::abs(b.x - a.x) < 1 && a.x > r.x && a.x < r.right() && std::max(a.y, b.y) > r.y &&
          std::min(a.y, b.y) < r.bottom()) {
        return true;
      }
    }
  }
  return false;
}

void draw_wire_label(const Wire& wire, Point a, Point b, const Diagram& diagram, const Placed& p,
                     const Pen& pen) {
  if (wire.label.empty()) return;
  const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
  const bool upright = std::abs(b.y - a.y) > std::abs(b.x - a.x);
  const float gap = pen.px(kTitleGap);
  const float height = pen.line_height(TextStyle::mono_small);
  Point at = upright ? Point{middle.x + gap, middle.y}
                     : Point{middle.x, middle.y - height / 2 - pen.px(2)};
  std::string text = wire.label;
  const float width = pen.size(text, TextStyle::mono_small).x + gap;
  const Rect above{at.x - width / 2, at.y - height / 2, width, height};
  if (!upright && crossed(above, false, wire, diagram, p)) at.y = 2 * middle.y - at.y;
  // Where there is too little room, "n × d = 7 × 32" leaves out what its numbers are called.
  const std::size_t equals = text.rfind(" = ");
  const auto is_crossed = [&](float x, float w) {
    return crossed({x, at.y - height / 2, w, height}, true, wire, diagram, p);
  };
  const bool at_right = upright && is_crossed(at.x, width);
  if (at_right && equals != std::string::npos) text.erase(0, equals + 3);
  // At the left where nothing goes through it there.
  const bool left =
      at_right && equals == std::string::npos && !is_crossed(middle.x - gap - width, width);
  if (left) at.x = middle.x - gap;
  pen.text(at, text, TextStyle::mono_small, resolve(wire.color, pen.theme()),
           left      ? 1.0f
           : upright ? 0.0f
                     : 0.5f);
}

void draw_wire(const Wire& wire, const Diagram& diagram, const Placed& p, const Pen& pen) {
  std::vector<Point> path;
  for (const Diagram::Place& place : wire.path) {
    path.push_back({p.frame.px_at(place.x), p.frame.py_at(place.y)});
    if (!std::isfinite(path.back().x + path.back().y)) return;
  }
  if (path.size() < 2) return;
  const Rgba color = resolve(wire.color, pen.theme());
  const Point tip = path.back(), before = path[path.size() - 2];
  draw_wire_label(wire, before, tip, diagram, p, pen);
  const float length = std::hypot(tip.x - before.x, tip.y - before.y);
  if (wire.arrow && length > 0) {
    const float head = std::min(pen.px(kWireHead + wire.width), length);
    draw_arrow_head(tip, {(tip.x - before.x) / length, (tip.y - before.y) / length}, head, color,
                    pen);
    // The line ends inside of the head, whose tip it would blunt.
    path.back() = toward(tip, before, 0.7f * head);
  }
  const int dashes =
      pen.look().dashes && !wire.arrow && !wire.dashed ? wire_dashes(diagram, wire.color) : -1;
  const Stroke stroke{.dashed = wire.dashed, .pattern = std::max(dashes, 0)};
  draw_stroke(rounded(path, pen.px(kWireCorner)), stroke, color, pen.px(wire.width), pen);
}

}  // namespace

void draw_diagram(const Diagram& diagram, const Placed& p, const Pen& pen) {
  for (const Wire& wire : diagram.wires) draw_wire(wire, diagram, p, pen);
  Beside all = beside_in(diagram, p, pen);
  if (pen.paper()) all.numbers = numbers_have_room(diagram, p, all, pen);
  for (const Node& node : diagram.nodes) draw_node(node, p, all, pen);
}

}  // namespace figure::parts
