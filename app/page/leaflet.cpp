#include "app/page/leaflet.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/page/a4.h"

namespace page {

namespace {

using figure::TextStyle;

constexpr float kBarWidth = 3, kAfterBar = 12, kAfterSign = 20;  // units
constexpr float kHighestPicture = 0.4f;                          // of a page

std::vector<a4::Run> runs_of(const Parts& parts) {
  std::vector<a4::Run> runs;
  for (const Part& one : parts) runs.push_back({one.text, one.strong});
  return runs;
}

}  // namespace

struct Leaflet::Inner {
  struct Mark {
    std::string title, destination;
  };

  Inner(std::string name, words::Language language)
      : title(std::move(name)),
        write{measure, figure::theme(figure::ThemeName::light), words::Words(language)} {}

  a4::Item& add(a4::Item item) { return items.emplace_back(std::move(item)); }

  PaperMeasure measure;
  std::string title;
  a4::Writer write;
  std::vector<a4::Item> items;
  std::vector<Mark> marks;
};

Leaflet::Leaflet(std::string title, words::Language language)
    : inner_(std::make_unique<Inner>(std::move(title), language)) {}
Leaflet::~Leaflet() = default;

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
  a4::Item& item = inner_->add(inner_->write.sentences(
      runs_of(parts), TextStyle::body, TextStyle::card_title, inner_->write.theme.text, 8));
  // An answer goes with its reason.
  item.keep = std::all_of(parts.begin(), parts.end(), [](const Part& one) { return one.strong; });
}

void Leaflet::question(const Parts& parts) {
  const auto& theme = inner_->write.theme;
  Parts strong = parts;
  for (Part& one : strong) one.strong = true;
  a4::Item item = inner_->write.sentences(runs_of(strong), TextStyle::body, TextStyle::card_title,
                                          theme.text, 14, kAfterBar);
  item.drawing.primitives.emplace_back(
      figure::draw::Fill{{0, 1, kBarWidth, item.height - 2}, theme.accent});
  item.keep = true;
  inner_->add(std::move(item));
}

void Leaflet::item(const Parts& parts, const std::string& sign) {
  a4::Item item = inner_->write.sentences(runs_of(parts), TextStyle::body, TextStyle::card_title,
                                          inner_->write.theme.text, 5, kAfterSign);
  const float line =
      inner_->write
          .sentences({{"x"}}, TextStyle::body, TextStyle::card_title, inner_->write.theme.text, 0)
          .height;
  item.drawing.primitives.emplace_back(
      figure::draw::Text{{4, line / 2}, sign, TextStyle::body, inner_->write.theme.dim});
  inner_->add(std::move(item));
}

// What is said before a picture stands on its page.
void Leaflet::picture(const figure::Figure& figure, const std::string& caption) {
  auto& items = inner_->items;
  if (!items.empty() && std::string_view(items.back().tag) == "P") items.back().keep = true;
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
    float y = 0;
    for (const a4::Item* item : items) {
      if (item != items.front()) y += item->gap;
      document.draw(*item, 0, y);
      y += item->height;
    }
    document.foot(in.write, in.title, page++);
    document.end_page();
  }
  return document.finish();
}

}  // namespace page
