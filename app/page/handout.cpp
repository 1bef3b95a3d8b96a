#include "app/page/handout.h"

#include <cairo-pdf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>

#include "app/figure/formula.h"
#include "app/page/paper_cells.h"
#include "app/page/paper_painter.h"
#include "app/page/paper_text.h"

namespace page {
namespace {

using figure::Drawing;
using figure::TextStyle;

constexpr double kA4Width = 595.28, kA4Height = 841.89;  // points
constexpr double kPointsUnit = 0.75;
constexpr float kSide = 64, kTop = 60, kFoot = 68;  // units around what is written
constexpr float kPageUnitsWide = static_cast<float>(kA4Width / kPointsUnit) - 2 * kSide;
constexpr float kPageUnitsHigh = static_cast<float>(kA4Height / kPointsUnit) - kTop - kFoot;
constexpr float kLead = 1.3f;            // from line to line, of a line's height
constexpr float kHighestFigure = 0.62f;  // of a page
constexpr float kNarrowFigure = 0.72f;   // of the width, of figures for half of a page
constexpr std::size_t kMostPages = 2, kMostFigures = 4;
constexpr float kRatio = 2 * 300 / 72.0f * static_cast<float>(kPointsUnit);

struct Item {
  Drawing drawing = {};
  const char* tag = "P";
  float height = 0, gap = 0;  // gap: above it, unless it begins a page
  float zoom = 1;
  bool keep = false;  // with what follows
};

struct Writer {
  const PaperMeasure& measure;
  const figure::Theme& theme;
  words::Words w;

  Item text(const std::string& words, TextStyle style, figure::Rgba color, float gap,
            const char* tag = "P") const {
    Item item{.tag = tag, .gap = gap};
    const float line = measure.size("x", style).y * kLead;
    for (const std::string& part : measure.wrap(words, style, kPageUnitsWide)) {
      figure::draw::Text one{{0, item.height + line / 2}, part, style, color};
      item.drawing.primitives.emplace_back(std::move(one));
      item.height += line;
    }
    return item;
  }

  figure::LayoutOptions options() const {
    figure::LayoutOptions o{.theme = &theme, .measure = &measure};
    o.card = false;
    o.pixel_ratio = kRatio;
    o.largest = w("max");
    o.mean = w("mean");
    o.paper = true;
    o.inside = 1;
    return o;
  }

  std::optional<Item> formula(const std::string& tex) const {
    if (tex.empty()) return std::nullopt;
    Item item{.tag = "Formula", .gap = 10};
    item.drawing = figure::formula(tex, {0, 0}, options());
    item.zoom = std::min(1.0f, kPageUnitsWide / std::max(1.0f, item.drawing.bounds.w));
    item.height = item.drawing.bounds.h * item.zoom;
    return item;
  }

  Item figure_item(const figure::Figure& figure) const {
    const bool whole = figure.span > 7 || figure.plots.size() > 3;
    const float width = whole ? kPageUnitsWide : kNarrowFigure * kPageUnitsWide;
    const float height = figure::natural_height(figure, width, options());
    Item item{.tag = "Figure", .height = height, .gap = 18, .keep = !figure.caption.empty()};
    item.drawing = figure::layout(figure, {0, 0, width, height}, {}, options());
    return item;
  }
};

// An introduction says what to try with a pointer; on paper these sentences are left out.
std::string without_pointer(const std::string& text) {
  constexpr std::array kWords = {"click",   "Click", "drag", "Drag",
                                 "pointer", "点击",  "拖动", "指针所"};
  std::string kept;
  for (std::size_t from = 0; from < text.size();) {
    const auto after = [&](std::string_view end) {
      const std::size_t at = text.find(end, from);
      return at == std::string::npos ? text.size() : at + end.size();
    };
    const std::size_t to = std::min({after(". "), after("。"), after("? "), after("？")});
    const std::string sentence = text.substr(from, to - from);
    const bool tells = std::any_of(kWords.begin(), kWords.end(), [&](const char* word) {
      return sentence.find(word) != std::string::npos;
    });
    if (!tells) kept += sentence;
    from = to;
  }
  return kept;
}

std::vector<std::vector<const Item*>> pages_of(const std::vector<Item>& items) {
  std::vector<std::vector<const Item*>> pages(1);
  float y = 0;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const Item& item = items[k];
    float wanted = item.height;
    for (std::size_t next = k; items[next].keep && next + 1 < items.size(); ++next) {
      wanted += items[next + 1].gap + items[next + 1].height;
    }
    const bool first = pages.back().empty();
    if (!first && y + item.gap + wanted > kPageUnitsHigh) pages.emplace_back(), y = 0;
    y += (pages.back().empty() ? 0 : item.gap) + item.height;
    pages.back().push_back(&item);
  }
  return pages;
}

// What stands before the figures and what stands behind them.
std::vector<Item> before_figures(const HandoutLab& one, const Writer& write) {
  const figure::Theme& theme = write.theme;
  std::vector<Item> items;
  items.push_back(
      write.text(write.w(lab::chapter_title(one.lab->chapter)), TextStyle::label, theme.dim, 0));
  items.push_back(write.text(write.w(one.lab->title), TextStyle::title, theme.text, 0, "H1"));
  items.push_back(write.text(write.w(one.lab->question), TextStyle::panel, theme.accent, 6, "H2"));
  const std::string about = without_pointer(write.w(one.lab->about));
  items.push_back(write.text(about, TextStyle::body, theme.text, 8));
  if (auto formula = write.formula(one.page.formula)) items.push_back(std::move(*formula));
  if (!one.page.made_up.empty()) {
    items.push_back(write.text(one.page.made_up, TextStyle::label, theme.dim, 8));
  }
  return items;
}

std::vector<Item> behind_figures(const HandoutLab& one, const Writer& write) {
  const figure::Theme& theme = write.theme;
  std::vector<Item> items;
  const auto heading = [&](const std::string& words) {
    items.push_back(write.text(words, TextStyle::card_title, theme.text, 22, "H2"));
    items.back().keep = true;
  };
  if (!one.page.cards.empty()) heading(write.w("Commonly said"));
  for (const lab::Card& card : one.page.cards) {
    items.push_back(
        write.text(write.w.format(N_("“{}”"), card.said), TextStyle::label_bold, theme.dim, 8));
    items.back().keep = true;
    items.push_back(write.text(card.truth, TextStyle::label, theme.text, 0));
    if (card.source.empty()) continue;
    items.back().keep = true;
    items.push_back(write.text(card.source, TextStyle::small, theme.dim, 0));
  }
  if (!one.lab->sources.empty()) heading(write.w("Sources"));
  for (const lab::Source& source : one.lab->sources) {
    items.push_back(write.text(std::string(source.citation), TextStyle::label, theme.text, 5));
    std::string where = write.w(source.where);
    if (!source.url.empty()) where += (where.empty() ? "" : " · ") + std::string(source.url);
    if (where.empty()) continue;
    items.back().keep = true;
    items.push_back(write.text(where, TextStyle::small, theme.dim, 0));
  }
  return items;
}

std::vector<Item> joined(const std::vector<Item>& a, const std::vector<Item>& b,
                         const std::vector<Item>& c) {
  std::vector<Item> all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}

// The page's first figures, as many as fit.
std::vector<Item> items_of(const HandoutLab& one, const Writer& write) {
  const std::vector<Item> before = before_figures(one, write), behind = behind_figures(one, write);
  std::vector<Item> figures;
  std::size_t count = 0;
  for (const figure::Figure& figure : one.page.figures) {
    if (count >= kMostFigures) break;
    Item item = write.figure_item(figure);
    if (item.height > kHighestFigure * kPageUnitsHigh) continue;
    std::vector<Item> more = figures;
    more.push_back(std::move(item));
    if (!figure.caption.empty()) {
      more.push_back(write.text(figure.caption, TextStyle::label, write.theme.dim, 2, "Caption"));
    }
    if (pages_of(joined(before, more, behind)).size() > kMostPages) continue;
    figures = std::move(more);
    ++count;
  }
  return joined(before, figures, behind);
}

struct Section {
  const HandoutLab* lab;
  std::vector<Item> items;
  std::size_t first_page = 0;  // counted from 1
};

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int size) {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
  } catch (const std::exception&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
  return CAIRO_STATUS_SUCCESS;
}

// The document while it is drawn.
class Document {
 public:
  explicit Document(const PaperMeasure& measure, const std::string& title)
      : measure_(measure),
        surface_(cairo_pdf_surface_create_for_stream(append_bytes, &bytes_, kA4Width, kA4Height)) {
    cairo_pdf_surface_restrict_to_version(surface_, CAIRO_PDF_VERSION_1_4);
    cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_TITLE, title.c_str());
    cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_CREATOR, "attnscope");
    cairo_ = cairo_create(surface_);
    cairo_tag_begin(cairo_, "Document", nullptr);
  }
  ~Document() {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
  }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  // `x`, `y` in units from the corner of what is written; `destination` and `link` may be empty.
  void draw(const Item& item, float x, float y, const std::string& destination = "",
            const std::string& link = "") {
    cairo_save(cairo_);
    cairo_scale(cairo_, kPointsUnit, kPointsUnit);
    cairo_translate(cairo_, static_cast<double>(kSide + x), static_cast<double>(kTop + y));
    cairo_scale(cairo_, static_cast<double>(item.zoom), static_cast<double>(item.zoom));
    if (!destination.empty()) {
      cairo_tag_begin(cairo_, CAIRO_TAG_DEST, fmt::format("name='{}'", destination).c_str());
      cairo_tag_end(cairo_, CAIRO_TAG_DEST);
    }
    const char* tag = link.empty() ? item.tag : CAIRO_TAG_LINK;
    cairo_tag_begin(cairo_, tag, link.empty() ? nullptr : fmt::format("dest='{}'", link).c_str());
    paint(item.drawing, cairo_, measure_, Medium::vector);
    cairo_tag_end(cairo_, tag);
    cairo_restore(cairo_);
  }
  void bookmark(const std::string& title, const std::string& destination) {
    cairo_pdf_surface_add_outline(surface_, CAIRO_PDF_OUTLINE_ROOT, title.c_str(),
                                  fmt::format("dest='{}'", destination).c_str(),
                                  static_cast<cairo_pdf_outline_flags_t>(0));
  }
  void end_page() { cairo_show_page(cairo_); }
  std::string finish() {
    cairo_tag_end(cairo_, "Document");
    cairo_surface_finish(surface_);
    const cairo_status_t status = cairo_status(cairo_);
    if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
    if (status != CAIRO_STATUS_SUCCESS || cairo_surface_status(surface_) != CAIRO_STATUS_SUCCESS) {
      throw std::runtime_error(
          fmt::format("the handout could not be drawn: {}", cairo_status_to_string(status)));
    }
    return std::move(bytes_);
  }

 private:
  const PaperMeasure& measure_;
  std::string bytes_;
  cairo_surface_t* surface_;
  cairo_t* cairo_ = nullptr;
};

std::string destination_of(const Section& section) {
  return fmt::format("lab-{}", section.lab->lab->id);
}

Item foot(const Writer& write, const std::string& left, std::size_t page) {
  Item item = write.text(left, TextStyle::small, write.theme.dim, 0);
  figure::draw::Text number{{kPageUnitsWide, item.height / 2},
                            std::to_string(page),
                            TextStyle::small,
                            write.theme.dim,
                            1};
  item.drawing.primitives.emplace_back(std::move(number));
  return item;
}

void draw_foot(Document& document, const Writer& write, const std::string& left, std::size_t page) {
  document.draw(foot(write, left, page), 0, kPageUnitsHigh + kFoot / 3);
}

// One line of the contents, its page at the right.
Item entry(const Writer& write, const Section& section) {
  Item item = write.text(write.w(section.lab->lab->title), TextStyle::body, write.theme.text, 0);
  figure::draw::Text number{{kPageUnitsWide, item.height / 2},
                            std::to_string(section.first_page),
                            TextStyle::mono,
                            write.theme.dim,
                            1};
  item.drawing.primitives.emplace_back(std::move(number));
  return item;
}

void draw_contents(Document& document, const Writer& write, const std::vector<Section>& sections) {
  float y = 0;
  const auto put = [&](const Item& item, float gap, float x = 0, const std::string& link = "") {
    y += gap;
    document.draw(item, x, y, "", link);
    y += item.height;
  };
  document.bookmark(write.w("Contents"), "contents");
  const Item title = write.text(write.w("attnscope: an oscilloscope for attention"),
                                TextStyle::title, write.theme.text, 0, "H1");
  document.draw(title, 0, 0, "contents");
  y = title.height;
  put(write.text(write.w("A page or two of each lab: its question, an introduction, the formula, "
                         "figures as the program draws them at first, what is commonly said, and "
                         "sources. Every number in it was computed."),
                 TextStyle::body, write.theme.dim, 0),
      6);
  std::optional<lab::Chapter> chapter;
  for (const Section& section : sections) {
    if (chapter != section.lab->lab->chapter) {
      chapter = section.lab->lab->chapter;
      put(write.text(write.w(lab::chapter_title(*chapter)), TextStyle::label_bold, write.theme.dim,
                     0),
          12);
    }
    put(entry(write, section), 2, 0, destination_of(section));
  }
  draw_foot(document, write, "attnscope", 1);
  document.end_page();
}

}  // namespace

std::string handout_pdf(const std::vector<HandoutLab>& labs, words::Language language) {
  const PaperMeasure measure;
  const Writer write{measure, figure::theme(figure::ThemeName::light), words::Words(language)};
  std::vector<Section> sections;
  std::size_t page = 2;
  for (const HandoutLab& one : labs) {
    sections.push_back({&one, items_of(one, write), page});
    page += pages_of(sections.back().items).size();
  }
  Document document(measure, write.w("attnscope: an oscilloscope for attention"));
  draw_contents(document, write, sections);
  page = 2;
  for (const Section& section : sections) {
    const std::string title = write.w(section.lab->lab->title);
    document.bookmark(title, destination_of(section));
    bool first = true;
    for (const auto& items : pages_of(section.items)) {
      float y = 0;
      for (const Item* item : items) {
        if (item != items.front()) y += item->gap;
        document.draw(*item, 0, y, first ? destination_of(section) : "");
        first = false;
        y += item->height;
      }
      draw_foot(document, write, title, page++);
      document.end_page();
    }
  }
  return document.finish();
}

}  // namespace page
