#include "read_at_stop.h"

#include <algorithm>
#include <cctype>

#include "app/lesson/text/text.h"
#include "figure/fake_measure.h"

namespace read_at_stop {

using namespace lesson;

figure::Drawing drawn(figure::Figure figure, bool ticks) {
  if (!ticks) {
    for (figure::Plot& plot : figure.plots) plot.x.visible = plot.y.visible = false;
  }
  static const FakeOptions options;
  return figure::layout(figure, {0, 0, 1200, std::max(figure.height, 320.0f)}, {}, options.options);
}

namespace {

// What of a figure is not covered.
figure::Figure uncovered(const figure::Figure& figure, const Cover& cover) {
  figure::Figure left = figure;
  if (cover.captions) left.note.clear(), left.caption.clear();
  if (cover.hides(figure)) {
    left.plots.clear(), left.note.clear(), left.caption.clear(), left.footer.clear();
    if (cover.left_out.contains(figure.id)) left.title.clear();
    return left;
  }
  for (figure::Plot& plot : left.plots) {
    if (!cover.hides(figure, plot)) continue;
    if (!cover.inside.contains(plot.id)) plot.title.clear();
    plot.marks.clear(), plot.note.clear();
    left.note.clear(), left.caption.clear();
  }
  return left;
}

void add_axis(const figure::Axis& axis, const std::string& where, std::vector<Text>& all) {
  all.push_back({where, axis.label});
}

void add_figure(const figure::Figure& whole, const Cover& cover, std::vector<Text>& all) {
  const figure::Figure figure = uncovered(whole, cover);
  const std::string where = "figure:" + figure.id;
  all.push_back({where + " caption", figure.caption});
  if (figure.plots.empty()) return all.push_back({where + " title", figure.title});
  for (const figure::Plot& plot : figure.plots) {
    add_axis(plot.x, where, all), add_axis(plot.y, where, all);
  }
  const figure::Drawing drawing = drawn(figure, false);
  for (const figure::Primitive& one : drawing.primitives) {
    if (const auto* text = std::get_if<figure::draw::Text>(&one))
      all.push_back({where, text->text});
  }
  for (const figure::Hit& hit : drawing.hits) {
    const auto& plot = figure.plots.at(static_cast<std::size_t>(hit.plot));
    if (!cover.hides(whole, plot)) all.push_back({where + " tip", hit.tooltip});
  }
}

}  // namespace

void add_paragraph(const Paragraph& one, const rig::Seen& seen, const words::Words& words,
                   const std::string& where, std::vector<Text>& all) {
  all.push_back({where, plain(text_of(one, seen.sight(), words))});
}

// All that is read at a stop: on the page, and with `own` the lesson's words.
std::vector<Text> texts_of(const Stop& stop, const Cover& cover, const rig::Seen& seen,
                           const words::Words& words) {
  std::vector<Text> all;
  for (const figure::Figure& one : seen.page.figures) {
    if (!stop.alone || one.id == stop.shows->is.id) add_figure(one, cover, all);
  }
  for (const lab::Readout& one : seen.page.readouts) {
    if (cover.readouts.contains(one.id)) continue;
    all.push_back({"readout:" + one.id, one.text});
    all.push_back({"readout:" + one.id + " label", one.label});
  }
  if (!cover.words) {
    all.push_back({"formula", seen.page.formula});
    all.push_back({"status", seen.page.status});
    for (const std::string& one : seen.page.notes) all.push_back({"note", one});
    all.push_back({"derivation", seen.page.explanation.title});
    for (const auto& line : seen.page.explanation.lines) {
      std::string text = line.left;
      for (const figure::Span& span : line.right) text += span.text;
      all.push_back({"derivation", text});
    }
  }
  all.push_back({"lesson title", stop.title});
  for (const Paragraph& one : stop.text) add_paragraph(one, seen, words, "lesson", all);
  if (stop.question) add_paragraph(stop.question->asked, seen, words, "lesson question", all);
  return all;
}

std::vector<Printed> numbers_in(const std::string& text) {
  std::vector<Printed> all;
  for (std::size_t k = 0; k < text.size();) {
    const auto digit = [&](std::size_t at) {
      return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
    };
    if (!digit(k)) {
      ++k;
      continue;
    }
    const bool minus =
        k > 0 && (text[k - 1] == '-' || (k > 2 && text.compare(k - 3, 3, "\xe2\x88\x92") == 0));
    std::string number;
    Printed one;
    while (digit(k) ||
           (k < text.size() && digit(k + 1) && (text[k] == ',' || (text[k] == '.' && one.whole)))) {
      if (text[k] == '.') one.whole = false;
      if (text[k] != ',') number += text[k];
      ++k;
    }
    bool leading = true;
    for (const char c : number) {
      if (c == '.' || (leading && c == '0')) continue;
      leading = false, ++one.digits;
    }
    one.value = std::stod(number) * (minus ? -1 : 1);
    const bool small =
        k + 1 < text.size() && text[k] == 'e' && (text[k + 1] == '-' || digit(k + 1));
    if (small) {
      k += 2;
      while (digit(k)) ++k;
    } else {
      all.push_back(one);
    }
  }
  return all;
}

}  // namespace read_at_stop
