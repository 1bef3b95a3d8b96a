// Every figure that a lab begins with, in a column of 85 mm: what an author puts into a paper.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>

#include "app/labs/labs.h"
#include "app/paper/export_figure.h"
#include "app/paper/sheet.h"
#include "support.h"

namespace paper_fit_test {

namespace {

using figure::Point;

constexpr double kColumn = 85 * 72 / 25.4;  // points
constexpr double kLeastType = 6;

paper::PaperOptions column(words::Language language) {
  paper::PaperOptions options;
  options.language = language;
  options.paper_width = kColumn;
  return options;
}

lab::Page first_page(const lab::Lab& lab, const words::Words& w) {
  const auto state = lab.make();
  if (w.language() == words::Language::zh_CN) {
    param::assign(state->describe(), param::read_settings(lab.chinese));
  }
  lab::Memo memo;
  return state->compute({.cancel = {}, .words = w, .memo = memo});
}

// The corners of what a text's letters cover: from the top of capitals to the baseline, turned.
using Corners = std::array<Point, 4>;
Corners letters_of(const figure::draw::Text& text, const paper::PaperMeasure& measure) {
  constexpr float kCapitals = 0.73f, kAside = 0.4f;  // of the type's size; units
  const Point size = measure.size(text.text, text.style);
  const float lines = std::max(1.0f, std::round(size.y / measure.size("x", text.style).y));
  const float below = size.y * (lines - 1) / lines;
  const float x0 = -text.align_x * size.x + kAside, x1 = x0 + size.x - 2 * kAside;
  const float y1 = -text.align_y * size.y + measure.ascent(text.style) + below;
  const float y0 = y1 - below - kCapitals * measure.font_size(text.style);
  const float c = std::cos(text.angle), s = std::sin(text.angle);
  const auto at = [&](float x, float y) {
    return Point{text.at.x + x * c - y * s, text.at.y + x * s + y * c};
  };
  return {at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1)};
}

// Whether two convex shapes have a point in common: no line along a side of one parts them.
bool overlap(const Corners& a, const Corners& b) {
  for (const auto& [one, other] : {std::pair{a, b}, std::pair{b, a}}) {
    for (std::size_t k = 0; k < 4; ++k) {
      const Point p = one[k], q = one[(k + 1) % 4];
      const auto side = [&](Point r) {
        return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
      };
      float least = 1e9f;
      for (const Point r : other) least = std::min(least, -side(r));
      if (least >= 0) return false;
    }
  }
  return true;
}

std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\n') out += c;
  }
  return out;
}

struct Faults {
  std::vector<std::string> all;
  int left_out = 0, shortened = 0, figures = 0;

  void check(const std::string& name, const figure::Figure& figure, const paper::Sheet& sheet,
             const paper::PaperMeasure& measure, const paper::PaperOptions& options) {
    ++figures;
    std::vector<std::pair<Corners, std::string>> texts;
    std::string everything;
    for (const figure::Drawing& drawing : sheet.drawings) {
      left_out += static_cast<int>(drawing.left_out.size());
      if (std::getenv("PAPER_TELL")) {
        for (const auto& t : drawing.left_out) fmt::print("left out {} \"{}\"\n", name, t);
      }
      for (const figure::Primitive& primitive : drawing.primitives) {
        const auto* text = std::get_if<figure::draw::Text>(&primitive);
        if (!text || text->text.empty()) continue;
        everything += plain(text->text);
        shortened += text->text.ends_with("…");
        if (std::getenv("PAPER_TELL") && text->text.ends_with("…"))
          fmt::print("shortened {} \"{}\"\n", name, text->text);
        const double points =
            static_cast<double>(measure.font_size(text->style)) * paper::points_a_unit(options);
        if (points < kLeastType - 1e-4)
          all.push_back(fmt::format("{}: {} pt \"{}\"", name, points, text->text));
        texts.emplace_back(letters_of(*text, measure), text->text);
      }
    }
    for (const auto& [corners, text] : texts) {
      for (const Point p : corners) {
        if (p.x >= -0.5f && p.x <= sheet.width + 0.5f && p.y >= -0.5f && p.y <= sheet.height + 0.5f)
          continue;
        all.push_back(fmt::format("{}: beyond the edge \"{}\"", name, text));
        break;
      }
    }
    for (std::size_t a = 0; a < texts.size(); ++a) {
      for (std::size_t b = a + 1; b < texts.size(); ++b) {
        if (!overlap(texts[a].first, texts[b].first)) continue;
        all.push_back(
            fmt::format("{}: \"{}\" over \"{}\"", name, texts[a].second, texts[b].second));
      }
    }
    if (everything.find(plain(figure.title)) == std::string::npos) {
      all.push_back(fmt::format("{}: the title is cut: {}", name, figure.title));
    }
    for (const char* word : {"click", "Click", "drag", "Drag", "pointer", "点击", "拖动", "右键"}) {
      if (everything.find(word) != std::string::npos) {
        all.push_back(fmt::format("{}: a word for the pointer: {}", name, word));
      }
    }
  }
};

std::string listed(const std::vector<std::string>& faults) {
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(faults.size(), 400); ++k)
    text += faults[k] + "\n";
  return text;
}

}  // namespace

TEST_CASE("every first figure at 85 mm: no type under 6 pt, none over another, none cut" *
          doctest::test_suite("long")) {
  for (const auto language : {words::Language::en, words::Language::zh_CN}) {
    const words::Words w(language);
    Faults faults;
    for (const lab::Lab& lab : lab::all()) {
      const lab::Page page = first_page(lab, w);
      for (const double font : {8.0, 6.0}) {
        paper::PaperOptions options = column(language);
        options.font = font;
        const paper::PaperMeasure measure(
            static_cast<float>(kLeastType / paper::points_a_unit(options)));
        for (const figure::Figure& figure : page.figures) {
          const std::string name = fmt::format("{}/{} {} pt", lab.id, figure.id, font);
          const paper::Sheet sheet = paper::compose({figure}, {}, options, measure, 4);
          faults.check(name, figure, sheet, measure, options);
        }
      }
    }
    INFO(listed(faults.all));
    CHECK(faults.all.empty());
    CHECK(faults.figures > 150);
    MESSAGE(fmt::format("{} figures: {} texts left out, {} shortened", faults.figures,
                        faults.left_out, faults.shortened));
  }
}

}  // namespace paper_fit_test
