#include "app/paper/touch/touch_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "app/paper/file/session_carrier.h"
#include "app/paper/style/lettering.h"
#include "app/paper/svg/svg_text.h"
#include "app/paper/touch/touch_numbers.h"
#include "app/paper/touch/touch_plots.h"
#include "app/paper/touch/touch_sheet.h"
#include "app/words/sentence.h"
#include "assets/assets.h"
#include "core/io/deflate.h"
#include "core/text/base64.h"

namespace paper {
namespace {

using nlohmann::json;

constexpr double kMostOfAll = 4e6;  // cells of all frames
constexpr float kLeastRatio = 1.0f / 64;

// Texts or objects, each once.
class Once {
 public:
  std::size_t add(const std::string& text) {
    const auto [found, added] = found_.emplace(text, all_.size());
    if (added) all_.push_back(text);
    return found->second;
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
  std::unordered_map<std::string, std::size_t> found_;
};

double drawn_cells(const Sheet& sheet) {
  double cells = 0;
  for (const figure::Drawing& drawing : sheet.drawings) {
    for (const figure::Primitive& one : drawing.primitives) {
      const auto* drawn = std::get_if<figure::draw::Cells>(&one);
      if (!drawn || !drawn->source) continue;
      const double side = std::ldexp(1.0, drawn->level);
      cells += ((drawn->shown.x1 - drawn->shown.x0) / side + 1) *
               ((drawn->shown.y1 - drawn->shown.y0) / side + 1);
    }
  }
  return cells;
}

std::vector<float> pooled_values(const TouchImage& image) {
  const figure::draw::Cells& cells = *image.cells;
  std::vector<float> values(static_cast<std::size_t>(image.region.rows) *
                            static_cast<std::size_t>(image.region.cols));
  cells.source->pooled(cells.level, image.region, cells.pool, values.data(), {});
  return values;
}

std::string hex_colors(const figure::ValueColors& colors) {
  std::string out;
  for (const figure::Rgba c : colors.colors()) {
    out += fmt::format("{:02x}{:02x}{:02x}", c.r, c.g, c.b);
  }
  return out;
}

json edges_of(const figure::ValueColors& colors) {
  json edges = json::array();
  for (const float edge : colors.edges()) edges.push_back(edge);
  edges.push_back(colors.scale().hi);
  return edges;
}

json words_of(const words::Words& w) {
  return {{"masked", w("masked")},
          {"row", w("row")},
          {"column", w("column")},
          {"largest", w("shown: the largest of {0} × {1} cells")},
          {"mean", w("shown: the mean of {0} × {1} cells")},
          {"below", w.format(N_("less than {}"), "{}")},
          {"above", w.format(N_("more than {}"), "{}")},
          {"pin", w("Pins")},
          {"unpin", w("Remove this pin")},
          {"all", w("All")},
          {"play", w("Play")},
          {"pause", w("Pause")},
          {"keys", w("arrow keys read its values")}};
}

class TouchMaker {
 public:
  TouchMaker(const TouchPage& page, const core::Cancel& cancel)
      : page_(page),
        cancel_(cancel),
        options_(page.frames.front().options),
        w_(options_.language),
        measure_(lettering_of(options_)) {}

  std::string document() {
    lay_out();
    exact_ = cells_ <= kTouchExact;
    for (std::size_t k = 0; k < page_.frames.size(); ++k) {
      cancel_.poll();
      add_frame(k);
      cancel_.progress(static_cast<float>(k + 1) / static_cast<float>(page_.frames.size()));
    }
    return written();
  }

 private:
  void lay_out() {
    const double most =
        std::min(kTouchCells, kMostOfAll / static_cast<double>(page_.frames.size()));
    for (float ratio = 1; ratio >= kLeastRatio; ratio /= 2) {
      light_.clear();
      cells_ = 0;
      double largest = 0;
      for (const TouchFrame& frame : page_.frames) {
        cancel_.poll();
        light_.push_back(sheet(frame, figure::ThemeName::light, ratio));
        const double cells = drawn_cells(light_.back());
        cells_ += cells;
        largest = std::max(largest, cells);
      }
      ratio_ = ratio;
      if (largest <= most) return;
    }
  }

  Sheet sheet(const TouchFrame& frame, figure::ThemeName theme, float ratio) const {
    PaperOptions options = frame.options;
    options.theme = theme;
    return compose(frame.figures, page_.views, options, measure_, ratio);
  }

  void add_frame(std::size_t k) {
    const TouchFrame& frame = page_.frames[k];
    const Sheet& light = light_[k];
    const Sheet dark = sheet(frame, figure::ThemeName::dark, ratio_);
    std::vector<std::string> ids;
    std::vector<std::size_t> of;  // the figure of each drawing
    std::size_t figures = 0;
    for (const Sheet::Part part : light.parts) {
      const bool is_figure = part == Sheet::Part::figure;
      of.push_back(figures);
      ids.push_back(is_figure ? frame.figures[figures].id : "");
      if (is_figure) ++figures;
    }
    const TouchInk ink = touch_ink(light, dark, ids, measure_, palette_);
    if (k == page_.first) inline_ = ink.pieces;
    json out = {{"t", frame.label}, {"p", json::array()}, {"m", images(ink)}};
    if (page_.frames.size() > 1) {
      out["z"] = {number(light.width), number(light.height)};
      for (const std::string& piece : ink.pieces) out["e"].push_back(pieces_.add(piece));
    }
    for (std::size_t d = 0; d < light.drawings.size(); ++d) {
      if (ids[d].empty()) continue;
      for (const json& plot : touch_plots(frame.figures[of[d]], light.drawings[d],
                                          static_cast<int>(d), ink, light.origin, lists_)) {
        out["p"].push_back(plots_.add(plot.dump(-1, ' ', false, json::error_handler_t::replace)));
      }
    }
    frames_.push_back(std::move(out));
  }

  static double number(float value) { return std::round(static_cast<double>(value) * 100) / 100; }

  json images(const TouchInk& ink) {
    std::vector<int> now;
    for (std::size_t k = 0; k < ink.images.size(); ++k) {
      const TouchImage& image = ink.images[k];
      TouchCells cells;
      cells.scale = scale_of(image);
      if (!image.cells) {
        cells.rows = 1, cells.cols = 256, cells.least = -1;  // bins, of a bar
        for (int bin = 0; bin < 256; ++bin) cells.codes.push_back(static_cast<std::uint16_t>(bin));
      } else {
        const std::vector<float> values = pooled_values(image);
        cells.rows = image.region.rows, cells.cols = image.region.cols;
        if (exact_) cells.least = Decimals::least(values);
        for (const float v : values) {
          cells.codes.push_back(exact_ ? Decimals::code(v, cells.least)
                                       : static_cast<std::uint16_t>(image.light->bin(v)));
        }
        if (!exact_) cells.least = -1;
      }
      now.push_back(numbers_.add(std::move(cells), k < before_.size() ? before_[k] : -1));
      bins_.resize(std::max(bins_.size(), static_cast<std::size_t>(now.back()) + 1), false);
      if (!image.cells || !exact_) bins_[static_cast<std::size_t>(now.back())] = true;
    }
    before_ = now;
    return now;
  }

  int scale_of(const TouchImage& image) {
    const std::string key = hex_colors(*image.light);
    json one = {{"l", key}, {"d", hex_colors(*image.dark)}, {"e", edges_of(*image.light)}};
    return static_cast<int>(scales_.add(one.dump()));
  }

  std::string data() const {
    json cells = json::array();
    for (std::size_t k = 0; k < numbers_.entries().size(); ++k) {
      const TouchNumbers::Entry& entry = numbers_.entries()[k];
      json one = {entry.cells.scale, entry.cells.rows, entry.cells.cols, entry.before};
      if (!bins_[k]) one.push_back(entry.cells.least);
      cells.push_back(std::move(one));
    }
    json names = json::array();
    for (const figure::Labels& labels : lists_.names()) names.push_back(*labels);
    json parts = json::array();
    for (const figure::Figure& figure : page_.frames[page_.first].figures) {
      json one = touch_parts(figure, palette_, w_);
      if (!one.is_null()) parts.push_back(std::move(one));
    }
    const json all = {{"words", words_of(w_)},  {"first", page_.first}, {"cells", cells},
                      {"names", names},         {"parts", parts},       {"frames", frames_},
                      {"pieces", pieces_.all()}};
    std::string text = all.dump(-1, ' ', false, json::error_handler_t::replace);
    text.pop_back();
    text += ",\"lists\":" + listed(lists_.numbers()) + ",\"plots\":" + listed(plots_.all()) +
            ",\"scales\":" + listed(scales_.all()) + "}";
    return text;
  }

  static std::string listed(const std::vector<std::string>& all) {
    std::string out = "[";
    for (const std::string& one : all) out += (out.size() > 1 ? "," : "") + one;
    return out + "]";
  }

  // The length of the JSON as four bytes, the lowest first, the JSON, the cells.
  std::string packed() const {
    const std::string text = data();
    std::string out;
    for (int k = 0; k < 4; ++k) out += static_cast<char>(text.size() >> (8 * k) & 255);
    return core::to_base64(core::deflated(out + text + numbers_.bytes()));
  }

  std::string style() const {
    const auto shell = [](const figure::Theme& theme) {
      const auto hex = [](figure::Rgba c) {
        return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
      };
      return fmt::format("--window:{};--card:{};--line:{};--text:{};--dim:{};--accent:{};",
                         hex(theme.window), hex(theme.card), hex(theme.line), hex(theme.text),
                         hex(theme.dim), hex(theme.accent));
    };
    const std::string light =
        shell(figure::theme(figure::ThemeName::light)) + palette_.style(false);
    const std::string dark =
        "color-scheme:dark;" + shell(figure::theme(figure::ThemeName::dark)) + palette_.style(true);
    return fmt::format(
        ":root{{color-scheme:light;{0}}}\n@media "
        "(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{1}}}}}\n"
        ":root[data-theme=dark]{{{1}}}\n{2}{3}",
        light, dark, touch_fonts(measure_), assets::find("touch/page.css"));
  }

  std::string title() const {
    const TouchFrame& first = page_.frames[page_.first];
    std::string title = first.options.title;
    if (first.figures.size() == 1 && !first.figures[0].title.empty()) {
      title = first.figures[0].title + (title.empty() ? "" : " · " + title);
    }
    return title.empty() ? "attnscope" : title;
  }

  std::string slider() const {
    if (page_.frames.size() < 2) return {};
    return fmt::format(
        "<form id=\"sweep\"><label for=\"at\">{}</label> <input id=\"at\" type=\"range\" min=\"0\" "
        "max=\"{}\" step=\"1\" value=\"{}\" aria-valuetext=\"{}\"> <output id=\"value\" "
        "for=\"at\">{}"
        "</output> <button id=\"play\" type=\"button\">{}</button></form>\n",
        xml_escape(page_.knob), page_.frames.size() - 1, page_.first,
        attribute_escape(page_.frames[page_.first].label),
        xml_escape(page_.frames[page_.first].label), w_("Play"));
  }

  std::string written() const {
    const Sheet& sheet = light_[page_.first];
    const bool chinese = options_.language == words::Language::zh_CN;
    constexpr double kLeastShare = 0.7;  // of its size, on a small screen: type of 9 points has 6
    const double unit = static_cast<double>(options_.scale) *
                        (options_.paper_width > 0 ? points_a_unit(options_) * 96 / 72 : 1);
    const std::string name = xml_escape(title());
    std::string ink;
    for (const std::string& piece : inline_) ink += piece;
    std::string out = fmt::format(
        "<!doctype html>\n<html lang=\"{}\"{}>\n<head>\n<meta charset=\"utf-8\">\n<meta "
        "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
        "name=\"generator\" content=\"attnscope\">\n<title>{}</title>\n<style>\n",
        chinese ? "zh-CN" : "en",
        options_.theme == figure::ThemeName::dark ? " data-theme=\"dark\"" : "", name);
    out += style();
    out += fmt::format("</style>\n</head>\n<body>\n<main style=\"max-width:{:.0f}px\">\n",
                       std::ceil(static_cast<double>(sheet.width) * unit));
    out += fmt::format(
        "<header><h1>{}</h1> <button id=\"theme\" type=\"button\">{}</button></header>\n", name,
        w_("Light or dark"));
    out += slider();
    out += fmt::format(
        "<div id=\"view\">\n<svg id=\"figure\" xmlns=\"http://www.w3.org/2000/svg\" "
        "viewBox=\"0 0 {0} {1}\" style=\"min-width:{5:.0f}px\" role=\"group\" "
        "aria-label=\"{2}\">\n{3}<g id=\"ink\">\n{4}</g>\n<g id=\"over\"></g><g "
        "id=\"keys\"></g>\n</svg>\n</div>\n",
        svg_number(static_cast<double>(sheet.width)), svg_number(static_cast<double>(sheet.height)),
        attribute_escape(title()),
        svg_metadata("", "", "", page_.frames[page_.first].options.session), ink,
        kLeastShare * unit * static_cast<double>(sheet.width));
    out += fmt::format(
        "<p id=\"now\" role=\"status\" aria-live=\"polite\"></p>\n<div id=\"parts\"></div>\n<ol "
        "id=\"pins\"></ol>\n<p id=\"help\" "
        "data-old=\"{}\">{}</p>\n<noscript><p>{}</p></noscript>\n",
        attribute_escape(w_("This browser is too old to show heatmaps and values.")),
        w_("A click pins a place, another one removes the pin; Escape removes all. With the "
           "keyboard: Tab goes from plot to plot, arrow keys from value to value, Enter pins."),
        w_("Heatmaps and values need JavaScript; this page asks nothing of any network."));
    out +=
        "<div id=\"tip\" aria-hidden=\"true\" hidden></div>\n</main>\n<script id=\"data\" "
        "type=\"application/octet-stream\">";
    out += packed();
    out += "</script>\n<script>\n";
    out += assets::find("touch/page.js");
    return out + "</script>\n</body>\n</html>\n";
  }

  const TouchPage& page_;
  const core::Cancel& cancel_;
  const PaperOptions& options_;
  const words::Words w_;
  const PaperMeasure measure_;
  std::vector<Sheet> light_;
  float ratio_ = 1;
  double cells_ = 0;
  bool exact_ = true;
  TouchPalette palette_;
  TouchLists lists_;
  TouchNumbers numbers_;
  Once pieces_, plots_, scales_;
  std::vector<bool> bins_;
  std::vector<int> before_;  // the cells of the frame before
  std::vector<std::string> inline_;
  json frames_ = json::array();
};

}  // namespace

std::string touch_page(const TouchPage& page, const core::Cancel& cancel) {
  return TouchMaker(page, cancel).document();
}

}  // namespace paper
