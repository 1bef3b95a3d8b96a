#include "app/paper/leaflet.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/paper/a4.h"

namespace paper {

namespace {

using figure::TextStyle;

constexpr float kBarWidth = 3, kAfterBar = 12, kAfterSign = 20;  // units
constexpr float kHighestPicture = 0.4f;                          // of a page
constexpr float kBlankHigh = 30, kBlankWide = 180;
// What parting two things costs, of the 100 that an empty page does.
constexpr float kOfPicture = 20, kOfQuestion = 30;

std::vector<a4::Run> runs_of(const Parts& parts) {
  std::vector<a4::Run> runs;
  for (const Part& one : parts) runs.push_back({one.text, one.strong});
  return runs;
}

// One of a list.
a4::Item listed(const a4::Writer& write, const Parts& parts, const std::string& sign,
                TextStyle style, TextStyle strong) {
  a4::Item item = write.sentences(runs_of(parts), style, strong, write.theme.text, 5, kAfterSign);
  const float line = write.sentences({{"x"}}, style, strong, write.theme.text, 0).height;
  item.drawing.primitives.emplace_back(
      figure::draw::Text{{4, line / 2}, sign, style, write.theme.dim});
  return item;
}

}  // namespace

struct Leaflet::Inner {
  struct Mark {
    std::string title, destination;
  };

  Inner(std::string name, words::Language language)
      : title(std::move(name)),
        write{measure, figure::theme(figure::ThemeName::light), words::Words(language)} {}

  a4::Item& add(a4::Item item) {
    after_question = false;
    item.first = std::exchange(begins_page, false);
    return items.emplace_back(std::move(item));
  }
  // What follows a question that is open, or its answer, stays with it.
  void keep_question() {
    if (after_question) items.back().keep = true;
  }
  void tie_last(float cost) {
    if (!items.empty()) items.back().tie = std::max(items.back().tie, cost);
  }

  PaperMeasure measure;
  std::string title;
  a4::Writer write;
  std::vector<a4::Item> items;
  std::vector<Mark> marks;
  bool after_question = false;  // or after one of its options
  bool begins_page = false;
};

Leaflet::Leaflet(std::string title, words::Language language)
    : inner_(std::make_unique<Inner>(std::move(title), language)) {}
Leaflet::~Leaflet() = default;

void Leaflet::new_page() { inner_->begins_page = !inner_->items.empty(); }

void Leaflet::heading(int level, const std::string& text) {
  const TextStyle style = level == 1 ? TextStyle::title : TextStyle::panel;
  const char* tags[] = {"H1", "H2", "H3"};
  const float gap = level == 1 ? 34 : 24;
  a4::Item& item = inner_->add(inner_->write.text(text, style, inner_->write.theme.text, gap,
                                                  tags[std::clamp(level, 1, 3) - 1]));
  item.keep = true;
  if (level > 2) return;
  item.destination = fmt::format("stop-{}", inner_->marks.size());
  inner_->marks.push_back({text, item.destination});
}

void Leaflet::paragraph(const Parts& parts) {
  const bool strong =
      std::all_of(parts.begin(), parts.end(), [](const Part& one) { return one.strong; });
  inner_->keep_question();
  a4::Item& item = inner_->add(inner_->write.sentences(
      runs_of(parts), TextStyle::body, TextStyle::card_title, inner_->write.theme.text, 8));
  item.keep = strong;  // an answer goes with its reason
}

void Leaflet::question(const Parts& parts) {
  const auto& theme = inner_->write.theme;
  Parts strong = parts;
  for (Part& one : strong) one.strong = true;
  a4::Item item = inner_->write.sentences(runs_of(strong), TextStyle::body, TextStyle::card_title,
                                          theme.text, 14, kAfterBar);
  item.drawing.primitives.emplace_back(
      figure::draw::Fill{{0, 1, kBarWidth, item.height - 2}, theme.accent});
  // It is asked about what stands before it.
  inner_->tie_last(kOfQuestion);
  inner_->add(std::move(item));
  inner_->after_question = true;
}

void Leaflet::item(const Parts& parts, const std::string& sign) {
  inner_->add(listed(inner_->write, parts, sign, TextStyle::label, TextStyle::label_bold));
}

void Leaflet::option(const Parts& parts, const std::string& sign) {
  inner_->keep_question();
  inner_->add(listed(inner_->write, parts, sign, TextStyle::body, TextStyle::card_title));
  inner_->after_question = true;
}

void Leaflet::blank() {
  inner_->keep_question();
  a4::Item item{.height = kBlankHigh, .gap = 0};
  item.drawing.primitives.emplace_back(
      figure::draw::Fill{{kAfterBar, kBlankHigh - 1, kBlankWide, 0.75f}, inner_->write.theme.dim});
  inner_->add(std::move(item));
}

// What is said before a picture stands on its page, where that leaves no large part of one empty.
void Leaflet::picture(const figure::Figure& figure, const std::string& caption) {
  inner_->tie_last(kOfPicture);
  a4::Item& item = inner_->add(inner_->write.picture(figure, kHighestPicture));
  item.keep = !caption.empty();
  if (caption.empty()) return;
  inner_->add(inner_->write.text(caption, TextStyle::label, inner_->write.theme.dim, 4, "Caption"));
}

std::string Leaflet::pdf() const {
  const Inner& in = *inner_;
  a4::Document document(in.measure, in.title);
  for (const auto& mark : in.marks) document.bookmark(mark.title, mark.destination);
  std::size_t page = 1;
  for (const auto& items : a4::pages_of(in.items)) {
    for (const a4::Placed& one : items) document.draw(one);
    document.foot(in.write, in.title, page++);
    document.end_page();
  }
  return document.finish();
}

}  // namespace paper
