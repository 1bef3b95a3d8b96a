#include "app/paper/sheet.h"
#include "app/figure/layout/pen.h"
#include "app/paper/file/without_marks.h"
#include "app/paper/panels/panels.h"
#include "app/paper/style/plain_formulas.h"
#include "app/paper/style/styled.h"
#include "app/session/compare.h"
#include "app/words/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace paper {
namespace {

using figure::Drawing;
using figure::Figure;
using figure::Rect;
using figure::TextStyle;

constexpr float kMargin = 8, kInset = 16;           // inset: of text from a figure's edge
constexpr float kPaperMargin = 1, kPaperInset = 1;  // on paper of a given width
constexpr float kCaptionGap = 4;                    // above a caption
constexpr float kAfterCaption = 12;                 // below it
constexpr float kLineSpacing = 1.25f;
constexpr float kPageWidth = 1000, kLeastAlone = 480;
constexpr float kLeastWidth = 80;
constexpr float kLeastPageHeight = 60;  // of a figure that is pressed into a given height

// Text in lines of one style and colour.
struct Block {
  std::vector<std::string> lines;
  TextStyle style = TextStyle::label;
  figure::Rgba color;
  float line_height = 0;
  float height() const { return static_cast<float>(lines.size()) * line_height; }
};

Block block(const std::string& text, TextStyle style, figure::Rgba color, float width,
            const PaperMeasure& measure) {
  Block b;
  b.style = style;
  b.color = color;
  b.line_height = measure.size("x", style).y * kLineSpacing;
  if (!text.empty()) b.lines = measure.wrap(text, style, width);
  return b;
}

Drawing drawn(const Block& block, float x, float y) {
  Drawing drawing;
  for (std::size_t k = 0; k < block.lines.size(); ++k) {
    figure::draw::Text text;
    text.at = {x, y + (static_cast<float>(k) + 0.5f) * block.line_height};
    text.text = block.lines[k];
    text.style = block.style;
    text.color = block.color;
    drawing.primitives.emplace_back(std::move(text));
  }
  return drawing;
}

// An author's caption may have formulas, which the layout of figures sets and breaks.
bool set_by_layout(const Block& block, const std::string& text) {
  return !block.lines.empty() && text.find(figure::kFormulaSign) != text.npos;
}
Block caption_block(const std::string& text, float width, const PaperMeasure& measure,
                    const figure::LayoutOptions& layout) {
  Block b = block(text, TextStyle::label, layout.theme->text, width, measure);
  Drawing unused;
  if (set_by_layout(b, text)) {
    b.lines = figure::parts::Pen(unused, layout).wrap(text, b.style, width);
  }
  return b;
}
Drawing drawn_caption(const Block& block, float x, float y, const std::string& text,
                      const figure::LayoutOptions& layout) {
  if (!set_by_layout(block, text)) return drawn(block, x, y);
  Drawing drawing;
  const figure::parts::Pen pen(drawing, layout);
  for (std::size_t k = 0; k < block.lines.size(); ++k) {
    pen.text({x, y + (static_cast<float>(k) + 0.5f) * block.line_height}, block.lines[k],
             block.style, block.color);
  }
  return drawing;
}

// Figures side by side, as `arrange` put them: they begin at the same height.
struct Row {
  std::size_t begin, end;
  float height;        // of the highest figure
  float gap;           // to the next row
  float captions = 0;  // height of the highest caption with the room around it
};

std::vector<Row> rows_of(const std::vector<Rect>& boxes) {
  std::vector<Row> rows;
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    if (rows.empty() || std::abs(boxes[k].y - boxes[rows.back().begin].y) > 1) {
      rows.push_back({k, k, 0, 0});
    }
    rows.back().end = k + 1;
    rows.back().height = std::max(rows.back().height, boxes[k].h);
  }
  for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
    const float bottom = boxes[rows[r].begin].y + rows[r].height;
    rows[r].gap = std::max(0.0f, boxes[rows[r + 1].begin].y - bottom);
  }
  return rows;
}

// Around the sheet, and of text from a figure's edge: captions stand under titles.
struct Margins {
  float sheet, inset;
};

Margins margins_of(const PaperOptions& options) {
  if (options.paper_width > 0) return {kPaperMargin, kPaperInset};
  return {kMargin, kInset};
}

// A length of the layout, in units, or on paper in millimetres: as it was given, and the least that
// would do, which is rounded up.
double millimetres(float units, const PaperOptions& options) {
  return static_cast<double>(units) * points_a_unit(options) * 25.4 / 72;
}
std::string given_length(float units, const PaperOptions& options) {
  if (options.paper_width <= 0) return fmt::format("{}", std::ceil(units));
  return fmt::format("{} mm", std::round(millimetres(units, options) * 10) / 10);
}
std::string least_length(float units, const PaperOptions& options) {
  if (options.paper_width <= 0) return fmt::format("{}", std::ceil(units));
  return fmt::format("{} mm", std::ceil(millimetres(units, options) * 10) / 10);
}

float height_of(const PaperOptions& options) {
  if (options.paper_height <= 0) return static_cast<float>(options.height);
  return static_cast<float>(options.paper_height / points_a_unit(options));
}

// How much every figure is stretched so that all fill the given height; 1 when none is given.
float stretch(const std::vector<Row>& rows, float below, const PaperOptions& options) {
  if (height_of(options) <= 0) return 1;
  float fixed = 2 * margins_of(options).sheet + below, figures = 0, least = 0;
  for (const Row& row : rows) {
    fixed += row.gap + row.captions;
    figures += row.height;
    least += std::min(row.height, kLeastPageHeight);
  }
  const float room = height_of(options) - fixed;
  if (room < least) {
    words::refuse<core::InputError>(N_("a height of {} is too small for these figures: expected at "
                                       "least {}, or 0 for their own height"),
                                    given_length(height_of(options), options),
                                    least_length(fixed + least, options));
  }
  return figures > 0 ? room / figures : 1;
}

float width_of(const std::vector<Figure>& figures, const PaperOptions& options) {
  if (options.paper_width > 0) {
    return static_cast<float>(options.paper_width / points_a_unit(options));
  }
  if (options.width > 0) return static_cast<float>(options.width);
  if (figures.size() != 1) return kPageWidth;
  const float share = static_cast<float>(figures.front().span) / 12;
  return std::clamp(std::round(kPageWidth * share), kLeastAlone, kPageWidth);
}

// What of a drawing is seen.
class Ink {
 public:
  Rect of(const Drawing& drawing, const PaperMeasure& measure) {
    measure_ = &measure;
    for (const figure::Primitive& primitive : drawing.primitives) std::visit(*this, primitive);
    return all_;
  }
  void operator()(const figure::draw::Fill& fill) { add(fill.rect); }
  void operator()(const figure::draw::Outline& outline) { add(outline.rect); }
  void operator()(const figure::draw::Cells& cells) { add(cells.rect); }
  void operator()(const figure::draw::ColorBar& bar) { add(bar.rect); }
  void operator()(const figure::draw::Path& path) {
    for (const figure::Point p : path.points) around(p, path.filled ? 0 : path.width / 2);
  }
  void operator()(const figure::draw::Curve& c) {
    for (const figure::Point p : {c.a, c.b, c.c, c.d}) around(p, c.width / 2);
  }
  void operator()(const figure::draw::Disc& disc) { around(disc.center, disc.radius); }
  void operator()(const figure::draw::Text& text) {
    const figure::Point size = measure_->size(text.text, text.style);
    const float c = std::cos(text.angle), s = std::sin(text.angle);
    for (const float u : {-text.align_x, 1 - text.align_x}) {
      for (const float v : {-text.align_y, 1 - text.align_y}) {
        const float x = u * size.x, y = v * size.y;
        around({text.at.x + x * c - y * s, text.at.y + x * s + y * c}, 0);
      }
    }
  }
  void operator()(const figure::draw::Clip& clip) { clip_ = clip.rect; }
  void operator()(const figure::draw::Unclip&) { clip_.reset(); }

 private:
  void around(figure::Point p, float by) {
    if (std::isfinite(p.x) && std::isfinite(p.y)) add({p.x - by, p.y - by, 2 * by, 2 * by});
  }
  void add(Rect r) {
    float x0 = r.x, y0 = r.y, x1 = r.right(), y1 = r.bottom();
    if (clip_) {
      x0 = std::max(x0, clip_->x), y0 = std::max(y0, clip_->y);
      x1 = std::min(x1, clip_->right()), y1 = std::min(y1, clip_->bottom());
      if (x1 < x0 || y1 < y0) return;
    }
    if (any_) {
      x0 = std::min(x0, all_.x), y0 = std::min(y0, all_.y);
      x1 = std::max(x1, all_.right()), y1 = std::max(y1, all_.bottom());
    }
    any_ = true;
    all_ = {x0, y0, x1 - x0, y1 - y0};
  }

  const PaperMeasure* measure_ = nullptr;
  std::optional<Rect> clip_;
  Rect all_;
  bool any_ = false;
};

void crop(Sheet& sheet, const PaperMeasure& measure) {
  Ink ink;
  Rect all;
  for (const Drawing& drawing : sheet.drawings) all = ink.of(drawing, measure);
  if (!(all.w > 0 && all.h > 0)) return;
  const float x0 = std::max(0.0f, all.x - 1), y0 = std::max(0.0f, all.y - 1);
  sheet.width = std::min(sheet.width, all.right() + 1) - x0;
  sheet.height = std::min(sheet.height, all.bottom() + 1) - y0;
  sheet.origin = {x0, y0};
}

SheetRoom::Part least_room(const PaperOptions& options, const std::string& figure) {
  if (!options.room) return {};
  const auto found = options.room->parts.find(figure);
  return found == options.room->parts.end() ? SheetRoom::Part{} : found->second;
}

// Panels side by side have room to be read.
void check_panels(float width, const PaperOptions& options) {
  if (options.panel_columns < 2) return;
  const auto [margin, inset] = margins_of(options);
  const float least = least_panels_width(options.panel_columns) + 2 * (margin + inset);
  if (width >= least) return;
  words::refuse<core::InputError>(
      N_("a width of {} is too small for {} panels side by side: expected at least {}"),
      given_length(width, options), options.panel_columns, least_length(least, options));
}

float height_with_gaps(const Block& block) {
  return block.lines.empty() ? 0 : kCaptionGap + block.height() + kAfterCaption;
}

}  // namespace

namespace {

// Under the plots: which is which.
void add_legend(Figure& figure, const Compared& compared, const words::Words& w) {
  const bool cells = session::compares_cells(figure, compared.page->figures);
  const bool others = session::draws_ghosts(figure, compared.page->figures);
  const auto add = [&](const std::string& text) {
    figure.footer.push_back({text, figure::Role::text, TextStyle::small});
  };
  const std::string then =
      compared.name.empty() ? compared.then : w.format(N_("{} · {}"), compared.name, compared.then);
  const bool divided = cells && compared.cells == figure::CellsShown::split;
  add(w.format(divided && !others ? N_("left of the line, now: {}") : N_("now: {}"), compared.now));
  for (const std::string& line :
       session::held_legend(figure, compared.page->figures, compared.cells, then, w)) {
    add(line);
  }
}

// The figure with what is held.
void stand_beside(Figure& figure, const Compared& compared, const words::Words& w) {
  const auto find = [](const auto& live, const auto& held) {
    return std::make_shared<const figure::Difference>(figure::difference(*live, *held));
  };
  const bool drawn = session::compared(figure, compared.page->figures);
  const auto beside = session::beside(figure, compared.page->figures, compared.cells, find, w);
  if (beside) figure = *beside;
  if (drawn) add_legend(figure, compared, w);
}

// What is compared, without marks where there are to be none.
Compared seen_beside(const PaperOptions& options) {
  Compared compared = options.compared;
  if (!compared.page || !options.style.no_marks) return compared;
  lab::Page plain = *compared.page;
  plain.figures = without_marks(std::move(plain.figures));
  compared.page = std::make_shared<const lab::Page>(std::move(plain));
  return compared;
}

}  // namespace

void SheetRoom::widen(const SheetRoom& other) {
  const auto most = [](float& a, float b) { a = std::max(a, b); };
  most(width, other.width), most(height, other.height);
  most(above, other.above), most(parameters, other.parameters);
  for (const auto& [id, part] : other.parts) {
    most(parts[id].figure, part.figure);
    most(parts[id].caption, part.caption);
  }
}

Sheet compose(const std::vector<Figure>& chosen, const figure::Views& views,
              const PaperOptions& options, const PaperMeasure& measure, float pixel_ratio) {
  const figure::Theme& theme = figure::theme(options.theme);
  Styled looks = styled(chosen, views, options.style, points_a_unit(options));
  std::vector<Figure>& figures = looks.figures;
  const auto [margin, inset] = margins_of(options);
  Sheet sheet;
  sheet.width = std::max(width_of(figures, options), options.room ? options.room->width : 0);
  if (figures.size() == 1) figures.front().span = 12;
  const float inner = sheet.width - 2 * margin;
  if (inner < kLeastWidth) {
    words::refuse<core::InputError>(N_("a width of {} is too small: expected at least {}"),
                                    given_length(sheet.width, options),
                                    least_length(kLeastWidth + 2 * margin, options));
  }
  if (!options.heading) {
    for (Figure& figure : figures) figure.title.clear(), figure.note.clear();
  }
  const words::Words w(options.language);
  figure::LayoutOptions layout{.theme = &theme, .measure = &measure};
  layout.card = false;
  layout.pixel_ratio = pixel_ratio;
  layout.largest = w("max");
  layout.mean = w("mean");
  layout.paper = true;
  layout.inside = inset;
  layout.look = &looks.look;
  if (measure.lettering().math > 0) {
    const auto share = [&](TextStyle style) {
      return measure.ascent(style) / measure.size("Ag", style).y;
    };
    looks.look.math = measure.lettering().math;
    looks.look.math_baseline = share(TextStyle::math);
    looks.look.text_baseline = share(TextStyle::label);
  }
  looks.look.alone = options.paper_width > 0 && figures.size() == 1 && figures[0].plots.size() == 1;
  figure::Ghost ghost;
  const Compared compared = seen_beside(options);
  if (compared.page) {
    for (Figure& figure : figures) stand_beside(figure, compared, w);
    ghost = {.held = &compared.page->figures,
             .split = compared.cells == figure::CellsShown::split,
             .at = compared.split,
             .now = w("Now"),
             .then = w("Held")};
    layout.ghost = &ghost;
  }
  check_panels(sheet.width, options);
  const auto height_of_figure = [&](std::size_t k, float width) {
    SheetRoom::Part& taken = sheet.room.parts[figures[k].id];
    taken.figure = std::max(figure::natural_height(figures[k], width, layout),
                            least_room(options, figures[k].id).figure);
    return taken.figure;
  };
  const bool panels = options.panel_columns > 0 && figures.size() > 1;
  std::vector<Rect> boxes =
      panels ? panel_boxes(figures.size(), inner, options.panel_columns, height_of_figure)
             : figure::arrange(figures, inner, 1, height_of_figure);
  std::vector<Row> rows = rows_of(boxes);

  std::vector<Block> captions;
  for (std::size_t k = 0; k < figures.size(); ++k) {
    std::string& text = figures[k].caption;
    if (!has_captions(options)) text.clear();
    if (measure.lettering().math > 0 && options.style.caption.empty()) text = with_formulas(text);
    captions.push_back(caption_block(text, boxes[k].w - 2 * inset, measure, layout));
  }
  for (Row& row : rows) {
    for (std::size_t k = row.begin; k < row.end; ++k) {
      SheetRoom::Part& taken = sheet.room.parts[figures[k].id];
      taken.caption =
          std::max(height_with_gaps(captions[k]), least_room(options, figures[k].id).caption);
      row.captions = std::max(row.captions, taken.caption);
    }
  }
  const Block parameters = block(options.parameter_line ? options.parameters : "", TextStyle::small,
                                 theme.dim, inner - 2 * inset, measure);
  sheet.room.parameters = parameters.lines.empty() ? 0 : parameters.height() + kCaptionGap + inset;
  if (options.room) {
    sheet.room.parameters = std::max(sheet.room.parameters, options.room->parameters);
  }
  const Block above =
      block(options.above, TextStyle::panel, theme.text, inner - 2 * inset, measure);
  sheet.room.above = above.lines.empty() ? 0 : inset / 2 + above.height() + kCaptionGap;
  if (options.room) sheet.room.above = std::max(sheet.room.above, options.room->above);
  const float below = sheet.room.parameters;
  const float factor = stretch(rows, sheet.room.above + below, options);

  const auto add = [&](Drawing drawing, Sheet::Part part) {
    sheet.drawings.push_back(std::move(drawing));
    sheet.parts.push_back(part);
  };
  if (!above.lines.empty()) {
    add(drawn(above, margin + inset, margin + inset / 2), Sheet::Part::caption);
  }
  float y = margin + sheet.room.above;
  for (const Row& row : rows) {
    for (std::size_t k = row.begin; k < row.end; ++k) {
      const Rect box{margin + boxes[k].x, y, boxes[k].w, boxes[k].h * factor};
      Drawing drawing = figure::layout(figures[k], box, looks.views, layout);
      if (options.left_out) {
        options.left_out->insert(options.left_out->end(), drawing.left_out.begin(),
                                 drawing.left_out.end());
      }
      add(std::move(drawing), Sheet::Part::figure);
      add(drawn_caption(captions[k], box.x + inset, box.bottom() + kCaptionGap, figures[k].caption,
                        layout),
          Sheet::Part::caption);
    }
    y += row.height * factor + row.captions + row.gap;
  }
  add(drawn(parameters, margin + inset, y + kCaptionGap), Sheet::Part::parameters);
  const float natural = std::ceil(y + below + margin);
  sheet.height = height_of(options) > 0 ? height_of(options) : natural;
  if (options.room && options.room->height > 0) sheet.height = options.room->height;
  sheet.room.width = sheet.width, sheet.room.height = sheet.height;
  if (options.crop) crop(sheet, measure);
  return sheet;
}

}  // namespace paper
