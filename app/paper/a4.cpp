#include "app/paper/a4.h"

#include <cairo-pdf.h>
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "app/figure/formula.h"
#include "app/paper/file/pdf_date.h"
#include "app/paper/file/surface.h"
#include "app/paper/paper_cells.h"
#include "app/paper/paper_painter.h"

namespace paper::a4 {
namespace {

using figure::TextStyle;

constexpr float kLead = 1.3f;           // from line to line, of a line's height
constexpr float kReadingLead = 1.42f;   // of sentences
constexpr float kNarrowFigure = 0.72f;  // of the width, of figures for half of a page
constexpr float kHighest = 0.86f;       // of a page, of a figure
constexpr float kWindow = 1000;         // units of a page in the window
constexpr float kWider = 1.1f;          // times, from one width that is tried to the next
constexpr float kLeastType = 6;         // points, of a drawing that is made smaller
constexpr float kLeastSquare = 76;      // 2 cm: smaller maps are given a higher picture
constexpr float kLeastShare = 0.75f;    // of its height, of a picture on a page without more room
constexpr float kLeastHigh = 190;       // of such a picture
constexpr float kRatio = 2 * 300 / 72.0f * static_cast<float>(kPointsUnit);

// A part of a sentence that is never broken, with the blank after it.
struct Atom {
  std::string text;
  bool strong = false, glued = false;  // glued: no line begins with it
};

bool begins_no_line(std::string_view text) {
  for (const std::string_view sign :
       {".",  ",",  ";",  ":",  "!",  "?",  ")",  "]",  "%",  "’",  "”",
        "。", "，", "、", "：", "；", "！", "？", "）", "》", "」", "…"}) {
    if (text.starts_with(sign)) return true;
  }
  return false;
}

std::size_t letter_bytes(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(bytes, text.size() - at);
}

// Words with their blanks; of Chinese each character alone.
std::vector<Atom> atoms_of(const std::vector<Run>& runs) {
  std::vector<Atom> atoms;
  bool open = false;  // the last one goes on
  bool after_opening = false;
  for (const Run& run : runs) {
    for (std::size_t at = 0; at < run.text.size();) {
      const std::size_t bytes = letter_bytes(run.text, at);
      const std::string letter = run.text.substr(at, bytes);
      at += bytes;
      const bool wide = bytes >= 3 && static_cast<unsigned char>(letter[0]) >= 0xE3;
      const bool same = !atoms.empty() && atoms.back().strong == run.strong;
      const bool closing = begins_no_line(letter);
      const bool joins = !atoms.empty() && (closing || after_opening || (open && !wide));
      if (joins && same) {
        atoms.back().text += letter;
      } else {
        atoms.push_back({letter, run.strong, joins});
      }
      after_opening = letter == "（" || letter == "“" || letter == "《" || letter == "(" ||
                      letter == "「" || letter == "‘";
      open = letter != " " && !wide;
    }
  }
  return atoms;
}

std::string inked(std::string text) {
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

template <class Mark>
bool has(const figure::Figure& figure) {
  return std::any_of(figure.plots.begin(), figure.plots.end(), [](const figure::Plot& plot) {
    return std::any_of(plot.marks.begin(), plot.marks.end(),
                       [](const figure::Mark& mark) { return std::holds_alternative<Mark>(mark); });
  });
}

bool is_picture_of_squares(const figure::Plot& plot) { return plot.square || plot.thumbnail; }

// The side of the smallest map of square cells; far more without any.
float least_square(const figure::Figure& figure, const figure::Drawing& drawing) {
  float least = 1e9f;
  for (const figure::PlotFrame& frame : drawing.frames) {
    if (!is_picture_of_squares(figure.plots[static_cast<std::size_t>(frame.index)])) continue;
    least = std::min(least, std::max(frame.area.w, frame.area.h));
  }
  return least;
}

// However they are broken into lines.
std::vector<std::string> words_in(const figure::Drawing& drawing) {
  std::vector<std::string> words;
  for (const figure::Primitive& one : drawing.primitives) {
    const auto* text = std::get_if<figure::draw::Text>(&one);
    if (!text) continue;
    std::istringstream in(text->text);
    for (std::string word; in >> word;) words.push_back(word);
  }
  std::sort(words.begin(), words.end());
  return words;
}

// What has squares, rows of text or boxes would lose more than height.
bool may_be_lower(const figure::Figure& figure) {
  return !figure.plots.empty() && !has<figure::Table>(figure) && !has<figure::Boxes>(figure) &&
         !has<figure::Links>(figure) &&
         std::none_of(figure.plots.begin(), figure.plots.end(), is_picture_of_squares);
}

}  // namespace

Item Writer::text(const std::string& words, TextStyle style, figure::Rgba color, float gap,
                  const char* tag) const {
  Item item{.tag = tag, .gap = gap};
  const float line = measure.size("x", style).y * kLead;
  for (const std::string& part : measure.wrap(words, style, kUnitsWide)) {
    figure::draw::Text one{{0, item.height + line / 2}, part, style, color};
    item.drawing.primitives.emplace_back(std::move(one));
    item.height += line;
  }
  return item;
}

Item Writer::sentences(const std::vector<Run>& runs, TextStyle style, TextStyle strong,
                       figure::Rgba color, float gap, float indent) const {
  Item item{.tag = "P", .gap = gap};
  const float line = measure.size("x", style).y * kReadingLead, room = kUnitsWide - indent;
  const std::vector<Atom> atoms = atoms_of(runs);
  const auto style_of = [&](bool bold) { return bold ? strong : style; };
  const auto width = [&](const std::string& text, bool bold) {
    return text.empty() ? 0.0f : measure.size(text, style_of(bold)).x;
  };
  // Neighbours of a kind are set as one text: so they are shaped, and read, as one.
  std::string set;
  bool bold = false;
  float from = 0, at = 0;
  const auto flush = [&] {
    if (!set.empty()) {
      item.drawing.primitives.emplace_back(
          figure::draw::Text{{indent + from, item.height + line / 2}, set, style_of(bold), color});
    }
    set.clear();
    from = at;
  };
  for (std::size_t k = 0; k < atoms.size();) {
    std::size_t end = k + 1;
    while (end < atoms.size() && atoms[end].glued) ++end;
    float wide = 0;
    for (std::size_t i = k; i < end; ++i) {
      const bool last = i + 1 == end;
      wide += width(last ? inked(atoms[i].text) : atoms[i].text, atoms[i].strong);
    }
    if (at > 0 && at + wide > room) {
      flush();
      item.height += line;
      from = at = 0;
    }
    for (; k < end; ++k) {
      if (atoms[k].strong != bold) flush(), bold = atoms[k].strong;
      set += atoms[k].text;
      at = from + width(set, bold);
    }
  }
  flush();
  item.height += line;
  return item;
}

std::optional<Item> Writer::formula(const std::string& tex) const {
  if (tex.empty()) return std::nullopt;
  Item item{.tag = "Formula", .gap = 10};
  item.drawing = figure::formula(tex, {0, 0}, options());
  item.zoom = std::min(1.0f, kUnitsWide / std::max(1.0f, item.drawing.bounds.w));
  item.height = item.drawing.bounds.h * item.zoom;
  return item;
}

// So wide, and made smaller as a whole until it has the width that there is.
Item Writer::to_scale(const figure::Figure& figure, float width, float room) const {
  Item item{.tag = "Figure", .gap = 18, .keep = !figure.caption.empty()};
  item.zoom = std::min(1.0f, room / width);
  item.measure =
      std::make_shared<PaperMeasure>(kLeastType / static_cast<float>(kPointsUnit) / item.zoom);
  figure::LayoutOptions scaled = options();
  scaled.measure = item.measure.get();
  const float natural = figure::natural_height(figure, width, scaled);
  const float height = std::min(natural, kHighest * kUnitsHigh / item.zoom);
  item.drawing = figure::layout(figure, {0, 0, width, height}, {}, scaled);
  item.height = item.zoom * height;
  return item;
}

// A drawing of boxes and wires: as it is on a page of the window, or narrower where that takes no
// word from it, for the less it is made smaller.
Item Writer::diagram(const figure::Figure& figure, float room) const {
  const float usual = kWindow * static_cast<float>(figure.span) / 12;
  Item whole = to_scale(figure, usual, room);
  const std::vector<std::string> words = words_in(whole.drawing);
  for (float width = room; width < usual; width *= kWider) {
    Item narrower = to_scale(figure, width, room);
    if (std::ranges::includes(words_in(narrower.drawing), words)) return narrower;
  }
  return whole;
}

Item Writer::picture(const figure::Figure& figure, float highest) const {
  const bool whole = figure.span > 7 || figure.plots.size() > 3;
  const float width = whole ? kUnitsWide : kNarrowFigure * kUnitsWide;
  if (has<figure::Diagram>(figure)) return diagram(figure, width);
  const float natural = figure::natural_height(figure, width, options());
  Item item{.tag = "Figure", .height = natural, .gap = 18, .keep = !figure.caption.empty()};
  const auto drawn = [figure, width, options = options()](float height) {
    return figure::layout(figure, {0, 0, width, height}, {}, options);
  };
  const float most = has<figure::Table>(figure) ? kHighest : std::min(highest, kHighest);
  item.height = std::min(natural, most * kUnitsHigh);
  item.drawing = drawn(item.height);
  if (item.height < natural && least_square(figure, item.drawing) < kLeastSquare) {
    item.height = std::min(natural, kHighest * kUnitsHigh);
    item.drawing = drawn(item.height);
  }
  item.least = item.height;
  if (may_be_lower(figure)) {
    item.least = std::max(kLeastShare * item.height, std::min(kLeastHigh, item.height));
    item.redrawn = drawn;
  }
  return item;
}

figure::LayoutOptions Writer::options() const {
  figure::LayoutOptions o{.theme = &theme, .measure = &measure};
  o.card = false;
  o.pixel_ratio = kRatio;
  o.largest = w("max");
  o.mean = w("mean");
  o.paper = true;
  o.inside = 1;
  return o;
}

Document::Document(const PaperMeasure& measure, const std::string& title)
    : measure_(measure),
      surface_(cairo_pdf_surface_create_for_stream(append_bytes, &bytes_, kWidth, kHeight)) {
  cairo_pdf_surface_restrict_to_version(surface_, CAIRO_PDF_VERSION_1_4);
  cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_TITLE, title.c_str());
  cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_CREATOR, "attnscope");
  cairo_ = cairo_create(surface_);
  cairo_tag_begin(cairo_, "Document", nullptr);
}

Document::~Document() {
  cairo_destroy(cairo_);
  cairo_surface_destroy(surface_);
}

void Document::draw(const Item& item, float x, float y, const std::string& destination,
                    const std::string& link) {
  if (std::exchange(page_ended_, false)) cairo_show_page(cairo_);
  cairo_save(cairo_);
  cairo_scale(cairo_, kPointsUnit, kPointsUnit);
  cairo_translate(cairo_, static_cast<double>(kSide + x), static_cast<double>(kTop + y));
  cairo_scale(cairo_, static_cast<double>(item.zoom), static_cast<double>(item.zoom));
  for (const std::string* name : {&destination, &item.destination}) {
    if (name->empty()) continue;
    cairo_tag_begin(cairo_, CAIRO_TAG_DEST, fmt::format("name='{}'", *name).c_str());
    cairo_tag_end(cairo_, CAIRO_TAG_DEST);
  }
  const char* tag = link.empty() ? item.tag : CAIRO_TAG_LINK;
  cairo_tag_begin(cairo_, tag, link.empty() ? nullptr : fmt::format("dest='{}'", link).c_str());
  paint(item.drawing, cairo_, item.measure ? *item.measure : measure_, Medium::vector);
  cairo_tag_end(cairo_, tag);
  cairo_restore(cairo_);
}

void Document::draw(const Placed& placed, const std::string& destination) {
  const Item& item = *placed.item;
  if (placed.height >= item.height || !item.redrawn) return draw(item, 0, placed.y, destination);
  Item lower = item;
  lower.drawing = item.redrawn(placed.height);
  lower.height = placed.height;
  draw(lower, 0, placed.y, destination);
}

void Document::bookmark(const std::string& title, const std::string& destination) {
  cairo_pdf_surface_add_outline(surface_, CAIRO_PDF_OUTLINE_ROOT, title.c_str(),
                                fmt::format("dest='{}'", destination).c_str(),
                                static_cast<cairo_pdf_outline_flags_t>(0));
}

void Document::foot(const Writer& write, const std::string& left, std::size_t page) {
  Item item = write.text(left, TextStyle::small, write.theme.dim, 0);
  figure::draw::Text number{
      {kUnitsWide, item.height / 2}, std::to_string(page), TextStyle::small, write.theme.dim, 1};
  item.drawing.primitives.emplace_back(std::move(number));
  draw(item, 0, kUnitsHigh + kFoot / 3);
}

void Document::end_page() { page_ended_ = true; }

// The document's tag ends on its last page: newer releases of cairo make another one for it.
std::string Document::finish() {
  cairo_tag_end(cairo_, "Document");
  cairo_show_page(cairo_);
  set_pdf_date(surface_);
  cairo_surface_finish(surface_);
  const cairo_status_t status = cairo_status(cairo_);
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  if (status != CAIRO_STATUS_SUCCESS || cairo_surface_status(surface_) != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error(
        fmt::format("the handout could not be drawn: {}", cairo_status_to_string(status)));
  }
  return std::move(bytes_);
}

}  // namespace paper::a4
