#include "app/paper/handout.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/paper/a4.h"
#include "app/paper/without_pointer.h"

namespace paper {
namespace {

using a4::Document;
using a4::Item;
using a4::kUnitsHigh;
using a4::kUnitsWide;
using a4::pages_of;
using a4::Writer;
using figure::TextStyle;

constexpr float kHighestFigure = 0.62f;  // of a page
constexpr std::size_t kMostPages = 2, kMostFigures = 4;

const char* verdict_of(const lab::Card& card) {
  switch (card.verdict) {
    case lab::Card::Verdict::wrong: return N_("It is false.");
    case lab::Card::Verdict::half: return N_("As stated, it is not true.");
    case lab::Card::Verdict::holds: break;
  }
  return N_("It is true.");
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
  if (!one.page.cards.empty()) heading(write.w("Common statements"));
  for (const lab::Card& card : one.page.cards) {
    items.push_back(
        write.text(write.w.format(N_("“{}”"), card.said), TextStyle::label_bold, theme.dim, 8));
    items.back().keep = true;
    items.push_back(write.text(write.w.format(N_("{} {}"), write.w(verdict_of(card)), card.truth),
                               TextStyle::label, theme.text, 0));
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
    Item item = write.picture(figure);
    if (item.height > kHighestFigure * kUnitsHigh) continue;
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

std::string destination_of(const Section& section) {
  return fmt::format("lab-{}", section.lab->lab->id);
}

// One line of the contents, its page at the right.
Item entry(const Writer& write, const Section& section) {
  Item item = write.text(write.w(section.lab->lab->title), TextStyle::body, write.theme.text, 0);
  figure::draw::Text number{{kUnitsWide, item.height / 2},
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
  put(write.text(
          write.w(
              "A page or two for each lab: its question, an introduction, the formula, its figures "
              "as they first appear, common statements, and sources. Every number was computed."),
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
  document.foot(write, "attnscope", 1);
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
      for (const a4::Placed& one : items) {
        document.draw(one, first ? destination_of(section) : "");
        first = false;
      }
      document.foot(write, title, page++);
      document.end_page();
    }
  }
  return document.finish();
}

}  // namespace paper
