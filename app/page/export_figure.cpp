#include "app/page/export_figure.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>

#include "app/page/atomic_file.h"
#include "app/page/number_formats.h"
#include "app/page/numbers.h"
#include "app/page/paper_cells.h"
#include "app/page/paper_painter.h"
#include "app/page/png_writer.h"
#include "app/page/selection.h"
#include "app/page/session_carrier.h"
#include "app/page/sheet.h"
#include "app/words/sentence.h"

namespace page {
namespace {

using core::InputError;

constexpr const char* kCreator = "attnscope";
constexpr double kPointsPerUnit = 0.75;  // 96 units and 72 points are an inch
constexpr double kMostPixels = 2e8;
constexpr int kMostSide = 32767;  // Cairo's limit for an image
// Vectors are looked at closely, so cells are pooled as for a screen of twice the resolution.
constexpr float kVectorRatio = 2;

struct CloseCairo {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};
using Surface = std::unique_ptr<cairo_surface_t, CloseCairo>;

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  if (status != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error(
        fmt::format("the figure could not be drawn: {}", cairo_status_to_string(status)));
  }
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int size) {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
  } catch (const std::exception&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
  return CAIRO_STATUS_SUCCESS;
}

// Under a limit of address space Pango and Fontconfig end the program, or wait for ever for a
// thread that could not be made, so that what they need is asked for beforehand.
void check_address_space() {
  constexpr double kNeeded = 256e6;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  std::ifstream statm("/proc/self/statm");  // in pages, the first number is the address space
  double pages = 0;
  if (!(statm >> pages)) return;
  const double used = pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
  const double left = static_cast<double>(limit.rlim_cur) - used;
  if (left >= kNeeded) return;
  words::refuse<IoError>(
      N_("drawing needs {} of address space, and {} are left of what this process may have (ulimit "
         "-v)"),
      size_text(kNeeded), size_text(std::max(0.0, left)));
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

struct Export {
  const std::vector<figure::Figure>& figures;
  const figure::Views& views;
  const PaperOptions& options;
  std::string title, captions;
  core::Cancel cancel;
};

void draw_sheet(cairo_surface_t* surface, const Sheet& sheet, double scale, Medium medium,
                const Export& job, const PaperMeasure& measure) {
  const std::unique_ptr<cairo_t, CloseCairo> cairo(cairo_create(surface));
  set_color(cairo.get(), figure::theme(job.options.theme).card);
  cairo_paint(cairo.get());
  cairo_scale(cairo.get(), scale, scale);
  float done = 0;
  for (const figure::Drawing& drawing : sheet.drawings) {
    job.cancel.poll();
    paint(drawing, cairo.get(), measure, medium);
    job.cancel.progress(++done / static_cast<float>(sheet.drawings.size()));
  }
  check(cairo_status(cairo.get()));
}

std::string as_png(const Export& job) {
  const PaperMeasure measure;
  const float scale = job.options.scale;
  const Sheet sheet = compose(job.figures, job.views, job.options, measure, scale);
  const double width = std::round(static_cast<double>(sheet.width * scale));
  const double height = std::round(static_cast<double>(sheet.height * scale));
  if (width > kMostSide || height > kMostSide || width * height > kMostPixels) {
    words::refuse<InputError>(
        N_("a picture of {} x {} pixels is too large: expected sides up to {} and up to {} million "
           "pixels"),
        width, height, kMostSide, kMostPixels / 1e6);
  }
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                                   std::max(1, static_cast<int>(width)),
                                                   std::max(1, static_cast<int>(height))));
  check(cairo_surface_status(surface.get()));
  draw_sheet(surface.get(), sheet, static_cast<double>(scale), Medium::raster, job, measure);
  PngTexts texts = {{"Title", job.title}, {"Software", kCreator}};
  if (!job.captions.empty()) texts.emplace_back("Description", job.captions);
  if (!job.options.session.empty()) texts.emplace_back(kSessionKey, job.options.session);
  return encode_png(surface.get(), texts, scale);
}

std::string as_pdf(const Export& job) {
  const PaperMeasure measure;
  const Sheet sheet = compose(job.figures, job.views, job.options, measure, kVectorRatio);
  const double scale = static_cast<double>(job.options.scale) * kPointsPerUnit;
  std::string bytes;
  const Surface surface(
      cairo_pdf_surface_create_for_stream(append, &bytes, static_cast<double>(sheet.width) * scale,
                                          static_cast<double>(sheet.height) * scale));
  // Version 1.4 has no object streams, which would compress the keywords away from `read_session`.
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
  const auto set = [&](cairo_pdf_metadata_t what, const std::string& text) {
    if (!text.empty()) cairo_pdf_surface_set_metadata(surface.get(), what, text.c_str());
  };
  set(CAIRO_PDF_METADATA_TITLE, job.title);
  set(CAIRO_PDF_METADATA_SUBJECT, job.captions);
  set(CAIRO_PDF_METADATA_CREATOR, kCreator);
  if (!job.options.session.empty()) {
    set(CAIRO_PDF_METADATA_KEYWORDS, pdf_keyword(job.options.session));
  }
  draw_sheet(surface.get(), sheet, scale, Medium::vector, job, measure);
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return bytes;
}

// Cairo leaves enlarged images to the viewer, which would smooth the cells; and it has no call for
// metadata. Both are put into the text it made.
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

std::string as_svg(const Export& job) {
  const PaperMeasure measure;
  const Sheet sheet = compose(job.figures, job.views, job.options, measure, kVectorRatio);
  const double scale = static_cast<double>(job.options.scale);
  std::string bytes;
  const Surface surface(
      cairo_svg_surface_create_for_stream(append, &bytes, static_cast<double>(sheet.width) * scale,
                                          static_cast<double>(sheet.height) * scale));
  cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
  draw_sheet(surface.get(), sheet, scale, Medium::vector, job, measure);
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  const char* language = job.options.language == words::Language::zh_CN ? "zh-CN" : "en";
  return finished_svg(bytes, svg_metadata(job.title, job.captions, language, job.options.session));
}

Export job_for(const std::vector<figure::Figure>& figures, const figure::Views& views,
               const PaperOptions& options, const core::Cancel& cancel = {}) {
  check_scale(options);
  check_address_space();
  Export job{figures, views, options, options.title, "", cancel};
  for (const figure::Figure& figure : figures) {
    if (options.title.empty() && !figure.title.empty()) {
      job.title += (job.title.empty() ? "" : " · ") + figure.title;
    }
    if (options.caption && !figure.caption.empty()) job.captions += figure.caption + "\n";
  }
  if (options.caption) job.captions += options.parameters;
  if (job.title.empty()) job.title = kCreator;
  return job;
}

PaperOptions with_notes(PaperOptions options, const lab::Page& page) {
  const words::Words w(options.language);
  std::string& text = options.parameters;
  if (!page.made_up.empty()) text = page.made_up + " · " + text;
  for (auto note = page.notes.rbegin(); note != page.notes.rend(); ++note) {
    text = w.format("{} {}", *note, text);
  }
  return options;
}

}  // namespace

void export_page(const lab::Page& page, const std::vector<std::string>& figure_ids,
                 const figure::Views& views, const PaperOptions& options,
                 const std::filesystem::path& out, const core::Cancel& cancel) {
  check_ending(out);
  const std::string ending = ending_of(out);
  if (ending == ".csv" || ending == ".json" || ending == ".npy") {
    return export_numbers(page, figure_ids, options.session, out, cancel);
  }
  if (ending == ".safetensors") {
    if (!page.model) {
      words::refuse<InputError>(
          N_("{}: expected a page with a trained model, which this one has not"), shown_path(out));
    }
    return write_atomically(out, page.model());
  }
  const std::vector<figure::Figure> figures = select(page, figure_ids);
  const PaperOptions noted = with_notes(options, page);
  const Export job = job_for(figures, views, noted, cancel);
  write_atomically(out, ending == ".png"   ? as_png(job)
                        : ending == ".svg" ? as_svg(job)
                                           : as_pdf(job));
}

std::string render_png(const lab::Page& page, const std::vector<std::string>& figure_ids,
                       const figure::Views& views, const PaperOptions& options) {
  const std::vector<figure::Figure> figures = select(page, figure_ids);
  const PaperOptions noted = with_notes(options, page);
  return as_png(job_for(figures, views, noted));
}

void check_ending(const std::filesystem::path& out) {
  const std::string ending = ending_of(out);
  for (const char* good : {".png", ".svg", ".pdf", ".csv", ".json", ".npy", ".safetensors"}) {
    if (ending == good) return;
  }
  words::refuse<InputError>(
      N_("{}: expected a name that ends in .png, .svg, .pdf, .csv, .json, .npy or .safetensors"),
      shown_path(out));
}

std::string parameter_line(const param::List& list) {
  std::string line;
  for (const param::Parameter& p : list.items()) {
    if (!p.info.active) continue;
    if (!line.empty()) line += ", ";
    line += fmt::format("{} = {}", p.info.id, param::print(p));
  }
  return line;
}

}  // namespace page
