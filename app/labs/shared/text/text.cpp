#include "app/labs/shared/text/text.h"

#include <deque>
#include <map>
#include <mutex>

#include "app/labs/shared/text/picture.h"
#include "app/param/reading.h"
#include "assets/assets.h"

namespace lab {
namespace {

using text::Claim, text::Place;

// By the names that texts have for them, in the order of Chapter.
constexpr std::array<std::string_view, 8> kChapters{"where_attention_comes_from",
                                                    "attention",
                                                    "position",
                                                    "precision",
                                                    "sparsity",
                                                    "transformer",
                                                    "gpt",
                                                    "yours"};
static_assert(kChapters.size() == static_cast<std::size_t>(Chapter::yours) + 1);
constexpr std::array<std::string_view, 3> kVerdicts{"wrong", "half", "holds"};
static_assert(kVerdicts.size() == static_cast<std::size_t>(Card::Verdict::holds) + 1);

// The parts of a line between its bars, "citation | where | url", or other marks.
std::vector<std::string_view> parts_of(std::string_view line, char mark) {
  std::vector<std::string_view> parts;
  while (!line.empty()) parts.push_back(param::trimmed(param::taken_to(mark, line)));
  return parts;
}

// The sentences of a place as one text.
std::string joined(const Place& place) {
  std::string all;
  for (const Claim& claim : place.claims) {
    for (const std::string_view sentence : claim.sentences)
      all.append(all.empty() ? "" : " ").append(sentence);
  }
  return all;
}

// As long as the program runs.
std::string_view kept(std::string text) {
  static std::deque<std::string> all;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  return all.emplace_back(std::move(text));
}

// Reads one lab's text, and says where it is not as it must be.
class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  std::string_view needed(const Place& place, std::string_view word) const {
    const std::string_view said = place.fact(word);
    if (said.empty())
      text::refuse(file_, place.line, fmt::format("\"{}: …\"", word), text::to_text(place));
    return said;
  }

  template <class Named, std::size_t count>
  Named named(const Place& place, std::string_view word,
              const std::array<std::string_view, count>& names) const {
    const std::string_view said = needed(place, word);
    const auto at = std::find(names.begin(), names.end(), said);
    if (at == names.end())
      text::refuse(file_, line_of(place, word), fmt::format("one of {}", fmt::join(names, ", ")),
                   said);
    return static_cast<Named>(at - names.begin());
  }

  param::Values settings(int line, std::string_view text) const {
    try {
      return param::read_settings(text);
    } catch (const core::InputError& error) {
      text::refuse(file_, line, "\"knob=value | knob=value\"", text);
    }
  }

  Preset preset(const Place& place) const {
    settings(line_of(place, "set"), place.fact("set"));
    return {place.id, needed(place, "title"), kept(joined(place)), place.fact("set"),
            place.fact("figure")};
  }

  Source source(const text::Line& line) const;

  // A picture as "preset, figure | plots=a, b | columns=4 | reduced=0.5".
  Picture picture(const Place& place) const {
    std::string_view rest = place.fact("picture");
    if (rest.empty()) return {};
    const std::vector<std::string_view> names = parts_of(param::taken_to('|', rest), ',');
    bool whole = names.size() == 2;
    Picture picture;
    if (whole) picture.preset = names[0], picture.figure = names[1];
    for (std::string_view look : parts_of(rest, '|')) {
      const std::string_view word = param::trimmed(param::taken_to('=', look));
      look = param::trimmed(look);
      if (word == "start" && !look.empty()) {
        picture.start = look;
      } else if (word == "plots" && !look.empty()) {
        picture.plots = parts_of(look, ',');
      } else if (word == "columns") {
        picture.columns = param::whole<int>(look).value_or(0);
        whole = whole && picture.columns >= 1 && picture.columns <= 12;
      } else if (word == "reduced") {
        picture.reduced = param::whole<float>(look).value_or(0);
        whole = whole && picture.reduced >= 0.1f && picture.reduced <= 1;
      } else {
        whole = false;
      }
    }
    if (!whole)
      text::refuse(file_, line_of(place, "picture"),
                   "\"preset, figure\", and what else is to be said, \"| start=figure | plots=a, b "
                   "| columns=1..12 | reduced=0.1..1\"",
                   place.fact("picture"));
    return picture;
  }

  // A card as "preset, figure".
  Card::Place settled(const Place& place) const {
    const std::vector<std::string_view> parts = parts_of(place.fact("settled"), ',');
    if (parts.empty()) return {};
    if (parts.size() != 2)
      text::refuse(file_, line_of(place, "settled"), "a preset and a figure, \"tenth, line\"",
                   place.fact("settled"));
    return {std::string(parts[0]), std::string(parts[1])};
  }

 private:
  static int line_of(const Place& place, std::string_view word) {
    for (const text::Line& line : place.facts) {
      if (line.word == word) return line.number;
    }
    return place.line;
  }

  std::string_view file_;
};

// The papers that labs cite in one way, by their keys: shared/papers.md.
const std::map<std::string_view, Source>& papers() {
  static const auto all = [] {
    std::map<std::string_view, Source> papers;
    std::string_view rest = assets::find("labs/shared/papers.md");
    for (int number = 1; !rest.empty(); ++number) {
      std::string_view line = param::trimmed(param::taken_to('\n', rest));
      if (!line.starts_with("- ")) continue;
      line.remove_prefix(2);
      const std::string_view key = param::trimmed(param::taken_to(':', line));
      const std::vector<std::string_view> parts = parts_of(line, '|');
      const bool whole = parts.size() == 1 || parts.size() == 2;
      if (!whole ||
          !papers.try_emplace(key, Source{parts[0], {}, parts.size() == 2 ? parts[1] : ""}).second)
        text::refuse("app/labs/shared/papers.md", number,
                     "\"- key: citation | address\", each key once", key);
    }
    return papers;
  }();
  return all;
}

// "key: where" of a paper, or "citation | where | address".
Source Reader::source(const text::Line& line) const {
  const std::vector<std::string_view> parts = parts_of(line.rest, '|');
  if (parts.size() == 3) return {parts[0], parts[1], parts[2]};
  std::string_view where = line.rest;
  const auto paper = papers().find(param::trimmed(param::taken_to(':', where)));
  where = param::trimmed(where);
  if (parts.size() != 1 || paper == papers().end() || where.empty())
    text::refuse(
        file_, line.number,
        "\"- key: where\" with a key of shared/papers.md, or \"- citation | where | address\"",
        line.rest);
  return {paper->second.citation, where, paper->second.url};
}

// A card before it is in the reader's language.
struct Said {
  std::string_view id, said, source;
  std::string truth;
  Card::Place settled;
  Card::Verdict verdict;
  std::vector<param::Values> shown;  // with one of these; none: always
};

std::vector<Said> read_cards(const std::vector<Place>& places, std::string_view file) {
  const Reader reader(file);
  std::vector<Said> all;
  for (const Place& place : places) {
    if (place.kind != text::Kind::card) continue;
    all.push_back({place.id,
                   reader.needed(place, "said"),
                   reader.needed(place, "source"),
                   joined(place),
                   reader.settled(place),
                   reader.named<Card::Verdict>(place, "verdict", kVerdicts),
                   {}});
    for (const text::Line& line : place.facts) {
      if (line.word == "shown") all.back().shown.push_back(reader.settings(line.number, line.rest));
    }
  }
  return all;
}

const std::vector<Said>& cards_of(std::string_view lab) {
  static std::map<std::string, std::vector<Said>, std::less<>> kept;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (const auto found = kept.find(lab); found != kept.end()) return found->second;
  return kept.emplace(lab, read_cards(text::places_of(lab), text::file_of(lab))).first->second;
}

bool stands(const param::List& knobs, const std::pair<std::string, std::string>& wanted) {
  return std::any_of(knobs.items().begin(), knobs.items().end(), [&](const param::Parameter& p) {
    return p.info.id == wanted.first && param::serialize(p) == wanted.second;
  });
}

bool is_shown(const Said& card, const param::List& knobs) {
  return card.shown.empty() ||
         std::any_of(card.shown.begin(), card.shown.end(), [&](const param::Values& values) {
           return std::all_of(values.begin(), values.end(),
                              [&](const auto& wanted) { return stands(knobs, wanted); });
         });
}

}  // namespace

Lab from_places(const std::vector<Place>& places, std::string_view file,
                std::function<std::unique_ptr<State>()> make) {
  const Reader reader(file);
  Lab lab{};
  lab.make = std::move(make);
  for (const Place& place : places) {
    switch (place.kind) {
      case text::Kind::lab:
        lab.id = place.id;
        lab.title = reader.needed(place, "title");
        lab.question = reader.needed(place, "question");
        lab.chapter = reader.named<Chapter>(place, "chapter", kChapters);
        lab.chinese = place.fact("chinese");
        reader.picture(place);  // says now what is wrong with it
        break;
      case text::Kind::about: lab.about = kept(joined(place)); break;
      case text::Kind::sources:
        for (const text::Line& line : place.facts) lab.sources.push_back(reader.source(line));
        break;
      case text::Kind::preset: lab.presets.push_back(reader.preset(place)); break;
      case text::Kind::made_up:
      case text::Kind::card:
      case text::Kind::caption: break;
    }
  }
  read_cards(places, file);  // says now what is wrong with them
  return lab;
}

Lab from_text(std::string_view id, std::function<std::unique_ptr<State>()> make) {
  return from_places(text::places_of(id), text::file_of(id), std::move(make));
}

const Picture& picture_of(std::string_view lab) {
  static std::map<std::string, Picture, std::less<>> kept;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (const auto found = kept.find(lab); found != kept.end()) return found->second;
  const std::string file = text::file_of(lab);
  return kept
      .emplace(lab,
               text::has_text(lab) ? Reader(file).picture(text::places_of(lab).front()) : Picture{})
      .first->second;
}

std::vector<Card> cards(std::string_view lab, const Words& w, const param::List& knobs) {
  std::vector<Card> all;
  for (const Said& one : cards_of(lab)) {
    if (is_shown(one, knobs))
      all.push_back({std::string(one.id), w(one.said), w(one.truth), w(one.source), one.settled,
                     one.verdict});
  }
  return all;
}

}  // namespace lab
