#include "app/paper/export_figure.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "app/labs/shared/derivation/number_text.h"
#include "app/paper/file/export_bytes.h"
#include "app/paper/file/pdf_date.h"
#include "app/paper/file/png_writer.h"
#include "app/paper/file/selection.h"
#include "app/paper/file/session_carrier.h"
#include "app/paper/file/surface.h"
#include "app/paper/numbers/arrays.h"
#include "app/paper/numbers/number_formats.h"
#include "app/paper/numbers/numbers.h"
#include "app/paper/paper_cells.h"
#include "app/paper/paper_painter.h"
#include "app/paper/sheet.h"
#include "app/paper/style/lettering.h"
#include "app/paper/style/plain_formulas.h"
#include "app/paper/svg/svg_painter.h"
#include "app/paper/tex/tex_picture.h"
#include "app/paper/touch/touch_page.h"
#include "app/paper/without_pointer.h"
#include "app/system/atomic_file.h"
#include "app/words/sentence.h"
#include "core/system/memory.h"

namespace paper {
namespace {

using core::InputError;

constexpr const char* kCreator = "attnscope";
constexpr double kUsualFont = 9, kPaperFont = 8;  // points of a label
constexpr double kMostPixels = 2e8;
constexpr int kMostSide = 32767;    // Cairo's limit for an image
constexpr double kVectorDpi = 300;  // of heatmaps that are pictures inside of vectors

// Under a limit of address space Pango and Fontconfig end the program, or wait for ever for a
// thread that could not be made, so that what they need is asked for beforehand.
void check_address_space() {
  constexpr double kNeeded = 256e6;
  const std::optional<double> left = core::address_space_left();
  if (!left || *left >= kNeeded) return;
  words::refuse<sys::IoError>(
      N_("drawing needs {} of address space, and this process has {} left (ulimit -v)"),
      lab::bytes_text(kNeeded), lab::bytes_text(std::max(0.0, *left)));
}

void check_scale(const PaperOptions& options) {
  if (!(options.scale >= kLeastScale && options.scale <= kMostScale)) {
    words::refuse<InputError>(N_("scale: expected a number from {} to {}, got {}"), kLeastScale,
                              kMostScale, options.scale);
  }
  for (const int side : {options.width, options.height}) {
    if (side < 0 || side > kMostSide) {
      words::refuse<InputError>(N_("size: expected 0 to {} pixels, got {}"), kMostSide, side);
    }
  }
}

void check_dpi(const PaperOptions& options) {
  if (options.dpi == 0 || (options.dpi >= kLeastDpi && options.dpi <= kMostDpi)) return;
  words::refuse<InputError>(N_("dpi: expected a number from {} to {}, got {}"), kLeastDpi, kMostDpi,
                            options.dpi);
}

// Device pixels a unit of a picture.
float pixels_a_unit(const PaperOptions& options) {
  const double dots = options.dpi > 0 ? options.dpi : 96 * static_cast<double>(options.scale);
  return static_cast<float>(dots / 72 * points_a_unit(options));
}

// The ratio for heatmaps in vectors. Cells are pooled by powers of two: asked for twice as many,
// there are never fewer than that.
float vector_ratio(const PaperOptions& options) {
  const double dpi = options.dpi > 0 ? options.dpi : kVectorDpi;
  return static_cast<float>(2 * dpi / 72 * points_a_unit(options));
}

struct Export {
  const std::vector<figure::Figure>& figures;
  const figure::Views& views;
  const PaperOptions& options;
  std::string title, captions;
  core::Cancel cancel;
};

// The structure elements of PDF (ISO 32000, 14.8.4) that a reader of tags is told.
const char* tag_of(Sheet::Part part) {
  switch (part) {
    case Sheet::Part::figure: return "Figure";
    case Sheet::Part::caption: return "Caption";
    case Sheet::Part::parameters: return "P";
  }
  return "P";
}

void draw_sheet(cairo_surface_t* surface, const Sheet& sheet, double scale, Medium medium,
                const Export& job, const PaperMeasure& measure) {
  const Cairo cairo(cairo_create(surface));
  const bool tagged = cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_PDF;
  if (!job.options.transparent) {
    set_color(cairo.get(), figure::theme(job.options.theme).card);
    cairo_paint(cairo.get());
  }
  cairo_scale(cairo.get(), scale, scale);
  cairo_translate(cairo.get(), -static_cast<double>(sheet.origin.x),
                  -static_cast<double>(sheet.origin.y));
  if (tagged) cairo_tag_begin(cairo.get(), "Document", nullptr);
  for (std::size_t k = 0; k < sheet.drawings.size(); ++k) {
    job.cancel.poll();
    if (sheet.drawings[k].primitives.empty()) continue;
    const char* tag = tag_of(sheet.parts[k]);
    if (tagged) cairo_tag_begin(cairo.get(), tag, nullptr);
    paint(sheet.drawings[k], cairo.get(), measure, medium);
    if (tagged) cairo_tag_end(cairo.get(), tag);
    job.cancel.progress(static_cast<float>(k + 1) / static_cast<float>(sheet.drawings.size()));
  }
  if (tagged) cairo_tag_end(cairo.get(), "Document");
  job.cancel.progress(1);
  check(cairo_status(cairo.get()));
}

Surface as_pixels(const Export& job) {
  const PaperMeasure measure(lettering_of(job.options));
  const float scale = pixels_a_unit(job.options);
  const Sheet sheet = compose(job.figures, job.views, job.options, measure, scale);
  const double width = std::round(static_cast<double>(sheet.width * scale));
  const double height = std::round(static_cast<double>(sheet.height * scale));
  if (width > kMostSide || height > kMostSide || width * height > kMostPixels) {
    words::refuse<InputError>(N_("a picture of {} x {} pixels is too large: expected sides of at "
                                 "most {} and at most {} million pixels"),
                              width, height, kMostSide, kMostPixels / 1e6);
  }
  Surface surface(cairo_image_surface_create(
      job.options.transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24,
      std::max(1, static_cast<int>(width)), std::max(1, static_cast<int>(height))));
  check(cairo_surface_status(surface.get()));
  draw_sheet(surface.get(), sheet, static_cast<double>(scale), Medium::raster, job, measure);
  return surface;
}

std::string as_png(const Export& job) {
  const Surface surface = as_pixels(job);
  const double scale = static_cast<double>(pixels_a_unit(job.options));
  PngTexts texts = {{"Title", job.title}, {"Software", kCreator}};
  if (!job.captions.empty()) texts.emplace_back("Description", job.captions);
  if (!job.options.session.empty()) texts.emplace_back(kSessionKey, job.options.session);
  const double dots = job.options.dpi > 0 ? job.options.dpi / 96 : scale;
  return encode_png(rows_of(surface.get()), texts, static_cast<float>(dots));
}

// With `tex`, the texts go there: what \input takes, for a PDF that will be called `name`.
std::string as_pdf(const Export& job, std::string* tex = nullptr, const std::string& name = {}) {
  const PaperMeasure measure(lettering_of(job.options));
  Sheet sheet = compose(job.figures, job.views, job.options, measure, vector_ratio(job.options));
  const double scale = static_cast<double>(job.options.scale) * points_a_unit(job.options);
  if (tex) {
    const std::vector<figure::draw::Text> texts = take_texts(sheet);
    *tex = tex_picture(sheet, texts, scale, name, measure);
  }
  std::string bytes;
  const Surface surface(cairo_pdf_surface_create_for_stream(
      append_bytes, &bytes, static_cast<double>(sheet.width) * scale,
      static_cast<double>(sheet.height) * scale));
  // Version 1.4 has no object streams, which would compress the keywords away from `read_session`.
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
  const auto set = [&](cairo_pdf_metadata_t what, const std::string& text) {
    if (!text.empty()) cairo_pdf_surface_set_metadata(surface.get(), what, text.c_str());
  };
  set(CAIRO_PDF_METADATA_TITLE, job.title);
  set(CAIRO_PDF_METADATA_SUBJECT, job.captions);
  set(CAIRO_PDF_METADATA_CREATOR, kCreator);
  set_pdf_date(surface.get());
  if (!job.options.session.empty()) {
    set(CAIRO_PDF_METADATA_KEYWORDS, pdf_keyword(job.options.session));
  }
  draw_sheet(surface.get(), sheet, scale, Medium::vector, job, measure);
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return bytes;
}

struct SvgSize {
  double scale;      // SVG units a unit
  const char* unit;  // what an SVG unit is
};

SvgSize svg_size(const PaperOptions& options) {
  const double scale = static_cast<double>(options.scale);
  if (options.paper_width > 0) return {scale * points_a_unit(options), "pt"};
  return {scale, "px"};
}

std::string metadata_of(const Export& job) {
  const char* language = job.options.language == words::Language::zh_CN ? "zh-CN" : "en";
  return svg_metadata(job.title, job.captions, language, job.options.session);
}

std::string as_svg(const Export& job) {
  const PaperMeasure measure(lettering_of(job.options));
  const Sheet sheet =
      compose(job.figures, job.views, job.options, measure, vector_ratio(job.options));
  const SvgSize size = svg_size(job.options);
  const figure::Point whole{sheet.width * static_cast<float>(size.scale),
                            sheet.height * static_cast<float>(size.scale)};
  std::string inside = metadata_of(job);
  if (!job.options.transparent) {
    inside += svg_rectangle({0, 0, whole.x, whole.y}, figure::theme(job.options.theme).card);
  }
  SvgPainter painter(measure, size.scale, sheet.origin);
  for (std::size_t k = 0; k < sheet.drawings.size(); ++k) {
    job.cancel.poll();
    inside += painter.elements(sheet.drawings[k]);
    job.cancel.progress(static_cast<float>(k + 1) / static_cast<float>(sheet.drawings.size()));
  }
  return svg_document(whole, size.unit, inside);
}

// Cairo knows the shapes of letters. It leaves enlarged images to the viewer, which would smooth
// the cells, and it has no call for metadata: both are put into the text it made.
std::string finished_svg(const std::string& svg, const std::string& metadata) {
  constexpr std::string_view kImage = "<image ";
  constexpr std::string_view kCrisp =
      "style=\"image-rendering:optimizeSpeed;image-rendering:pixelated\" ";
  const std::size_t root = svg.find('>', svg.find("<svg "));
  std::string out = svg.substr(0, root + 1) + "\n" + metadata;
  for (std::size_t at = root + 1; at < svg.size();) {
    const std::size_t image = std::min(svg.find(kImage, at), svg.size());
    const std::size_t end = std::min(image + kImage.size(), svg.size());
    out.append(svg, at, end - at);
    if (image < svg.size()) out += kCrisp;
    at = end;
  }
  return out;
}

std::string as_outlined_svg(const Export& job) {
  const PaperMeasure measure(lettering_of(job.options));
  const Sheet sheet =
      compose(job.figures, job.views, job.options, measure, vector_ratio(job.options));
  const SvgSize size = svg_size(job.options);
  std::string bytes;
  const Surface surface(cairo_svg_surface_create_for_stream(
      append_bytes, &bytes, static_cast<double>(sheet.width) * size.scale,
      static_cast<double>(sheet.height) * size.scale));
  cairo_svg_surface_set_document_unit(
      surface.get(), job.options.paper_width > 0 ? CAIRO_SVG_UNIT_PT : CAIRO_SVG_UNIT_PX);
  draw_sheet(surface.get(), sheet, size.scale, Medium::vector, job, measure);
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return finished_svg(bytes, metadata_of(job));
}

Export job_for(const std::vector<figure::Figure>& figures, const figure::Views& views,
               const PaperOptions& options, const core::Cancel& cancel = {}) {
  check_scale(options);
  check_dpi(options);
  Style style = options.style;
  check(style);
  check_address_space();
  Export job{figures, views, options, options.title, "", cancel};
  if (figures.size() == 1 && !options.title.empty() && !figures[0].title.empty()) {
    job.title = figures[0].title + " · " + options.title;
  }
  for (const figure::Figure& figure : figures) {
    if (options.title.empty() && !figure.title.empty()) {
      job.title += (job.title.empty() ? "" : " · ") + figure.title;
    }
    const std::string& own = options.style.caption;
    const std::string& caption = own.empty() || figures.size() > 1 ? figure.caption : own;
    if (has_captions(options) && !caption.empty()) job.captions += caption + "\n";
  }
  if (options.parameter_line) job.captions += options.parameters;
  if (job.title.empty()) job.title = kCreator;
  return job;
}

// The last line tells of all that made the picture.
PaperOptions with_compared(PaperOptions options) {
  if (!options.compared.page) return options;
  const words::Words w(options.language);
  const std::string held = w.format(N_("held: {}"), options.compared.then);
  options.parameters =
      options.parameters.empty() ? held : w.format(N_("{} · {}"), options.parameters, held);
  return options;
}

// `name`: of what it goes into, for the message.
std::string model_of(const lab::Page& page, const std::string& name) {
  if (page.model) return page.model();
  words::refuse<InputError>(N_("{}: expected a page with a trained model, got one without"), name);
}

}  // namespace

PaperOptions with_notes(PaperOptions options, const lab::Page& page) {
  const words::Words w(options.language);
  const auto& figures = page.figures;
  options.formulas |= has_captions(options) && std::ranges::any_of(figures, [](const auto& figure) {
                        return with_formulas(figure.caption) != figure.caption;
                      });
  std::string& text = options.parameters;
  if (!page.made_up.empty()) text = page.made_up + " · " + text;
  for (auto note = page.notes.rbegin(); note != page.notes.rend(); ++note) {
    const std::string said = without_pointer(*note);
    if (!said.empty()) text = w.format("{} {}", said, text);
  }
  return options;
}

bool has_captions(const PaperOptions& options) {
  return options.caption || !options.style.caption.empty();
}

double points_a_unit(const PaperOptions& options) {
  const double usual = options.paper_width > 0 ? kPaperFont : kUsualFont;
  return (options.font > 0 ? options.font : usual) / kLabelUnits;
}

std::string export_bytes(const lab::Page& page, const std::vector<std::string>& figure_ids,
                         const figure::Views& views, const PaperOptions& options,
                         const std::string& ending, const core::Cancel& cancel) {
  if (ending == ".csv" || ending == ".json" || ending == ".npy" || ending == ".npz") {
    const PaperOptions noted = with_notes(options, page);
    return numbers_bytes(page, figure_ids, options.session, ending, cancel,
                         {options.comments, options.bom, options.title, noted.parameters});
  }
  if (ending == ".safetensors") return model_of(page, ending);
  const std::vector<figure::Figure> figures = select(page, figure_ids);
  const PaperOptions noted = with_compared(with_notes(options, page));
  const Export job = job_for(figures, views, noted, cancel);
  if (ending == ".html") return touch_page({.frames = {{figures, noted}}, .views = views}, cancel);
  return ending == ".png"       ? as_png(job)
         : ending == ".pdf"     ? as_pdf(job)
         : job.options.outlines ? as_outlined_svg(job)
                                : as_svg(job);
}

void export_page(const lab::Page& page, const std::vector<std::string>& figure_ids,
                 const figure::Views& views, const PaperOptions& options,
                 const std::filesystem::path& out, const core::Cancel& cancel) {
  check_ending(out);
  const std::string ending = ending_of(out);
  if (ending == ".csv" || ending == ".json" || ending == ".npy" || ending == ".npz") {
    const PaperOptions noted = with_notes(options, page);
    export_numbers(page, figure_ids, options.session, out, cancel,
                   {options.comments, options.bom, options.title, noted.parameters});
    if (!options.json_beside || ending == ".json") return;
    std::filesystem::path beside = out;
    return export_numbers(page, figure_ids, options.session, beside.replace_extension(".json"),
                          cancel);
  }
  if (ending == ".tex") {
    const std::filesystem::path pdf = pdf_beside(out);
    const std::vector<figure::Figure> figures = select(page, figure_ids);
    const PaperOptions noted = with_compared(with_notes(options, page));
    std::string tex;
    sys::write_atomically(
        pdf, as_pdf(job_for(figures, views, noted, cancel), &tex, pdf.filename().string()));
    return sys::write_atomically(out, tex);
  }
  sys::write_atomically(out, ending == ".safetensors"
                                 ? model_of(page, sys::shown_path(out))
                                 : export_bytes(page, figure_ids, views, options, ending, cancel));
}

std::filesystem::path pdf_beside(const std::filesystem::path& tex) {
  const std::string name = tex.stem().string();
  if (name.empty() || name.find_first_of("\\{}$&#%^~\"") != std::string::npos) {
    words::refuse<InputError>(N_("{}: expected a name that TeX can read, without any of {}"),
                              sys::shown_path(tex), "\\ { } $ & # % ^ ~ \"");
  }
  return std::filesystem::path(tex).replace_extension(".pdf");
}

std::string render_png(const lab::Page& page, const std::vector<std::string>& figure_ids,
                       const figure::Views& views, const PaperOptions& options) {
  const std::vector<figure::Figure> figures = select(page, figure_ids);
  const PaperOptions noted = with_compared(with_notes(options, page));
  return as_png(job_for(figures, views, noted));
}

bool is_picture(const std::filesystem::path& out) {
  const std::string ending = ending_of(out);
  return ending == ".png" || ending == ".svg" || ending == ".pdf" || ending == ".html" ||
         ending == ".tex";
}

Pixels render_pixels(const lab::Page& page, const std::vector<std::string>& figure_ids,
                     const figure::Views& views, const PaperOptions& options) {
  const std::vector<figure::Figure> figures = select(page, figure_ids);
  PaperOptions noted = with_notes(options, page);
  noted.transparent = false;
  const Surface surface = as_pixels(job_for(figures, views, noted));
  const PngRows rows = rows_of(surface.get());
  Pixels pixels{rows.width, rows.height, {}};
  const std::size_t stride = static_cast<std::size_t>(rows.width) * 3;
  pixels.rgb.resize(stride * static_cast<std::size_t>(rows.height));
  for (int y = 0; y < rows.height; ++y) {
    rows.row(y, pixels.rgb.data() + stride * static_cast<std::size_t>(y));
  }
  return pixels;
}

SheetRoom room_of(const lab::Page& page, const std::vector<std::string>& figure_ids,
                  const figure::Views& views, const PaperOptions& options) {
  const std::vector<figure::Figure> figures = select(page, figure_ids);
  const PaperOptions noted = with_notes(options, page);
  const Export job = job_for(figures, views, noted);
  return compose(job.figures, job.views, job.options, PaperMeasure(lettering_of(job.options)),
                 pixels_a_unit(job.options))
      .room;
}

void check_ending(const std::filesystem::path& out) {
  const std::string ending = ending_of(out);
  for (const char* good :
       {".png", ".svg", ".pdf", ".html", ".tex", ".csv", ".json", ".npy", ".npz", ".safetensors"}) {
    if (ending == good) return;
  }
  words::refuse<InputError>(
      N_("{}: expected a name that ends in .png, .svg, .pdf, .html, .tex, .csv, .json, .npy, .npz "
         "or .safetensors"),
      sys::shown_path(out));
}

}  // namespace paper
