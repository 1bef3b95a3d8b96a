#include "app/labs/shared/text/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "app/param/reading.h"
#include "assets/assets.h"
#include "core/types.h"

namespace lab::text {
namespace {

using Names = std::vector<std::string_view>;

// A kind of place: its heading, the facts that it has, and whether its heading names something.
struct Form {
  Kind kind;
  std::string_view heading;
  bool named;
  Names facts;
};
const std::array<Form, 7> kForms{{
    {Kind::lab, "", true, {"title", "question", "chapter", "chinese", "picture"}},
    {Kind::about, "about", false, {}},
    {Kind::made_up, "made_up", false, {}},
    {Kind::sources, "sources", false, {"-"}},
    {Kind::preset, "preset", true, {"title", "set", "figure"}},
    {Kind::card, "card", true, {"said", "verdict", "settled", "source", "shown"}},
    {Kind::caption, "caption", true, {}},
}};
static_assert(kForms.size() == static_cast<std::size_t>(Kind::caption) + 1);

const Form& form_of(Kind kind) { return kForms[static_cast<std::size_t>(kind)]; }

// What may stand below sentences.
const Names kHolds{"check", "when", "keep",  "then",    "preset",
                   "set",   "over", "fixed", "held by", "is"};

bool holds_true(const Line& line) {
  return line.word == "check" || line.word == "held by" || line.word == "is";
}

bool among(const Names& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  void line(std::string_view text) {
    ++number_;
    text = param::trimmed(text);
    if (text.empty()) return finish();
    if (places_.empty()) return begin(text);
    if (text.starts_with("## ")) return place(param::trimmed(text.substr(3)));
    if (text.starts_with("> ")) return sentence(param::trimmed(text.substr(2)));
    if (text.starts_with("- ")) return fact({number_, "-", param::trimmed(text.substr(2))}, text);
    std::string_view rest = text;
    const std::string_view word = param::trimmed(param::taken_to(':', rest));
    const Line line{number_, word, param::trimmed(rest)};
    if (here().claims.empty()) return fact(line, text);
    if (!open_ || !among(kHolds, word))
      expected(open_ ? fmt::format("one of {}, and a colon", fmt::join(kHolds, ", "))
                     : "a sentence, \"> …\"",
               text);
    here().claims.back().held.push_back(line);
  }

  std::vector<Place> end() {
    finish();
    return std::move(places_);
  }

 private:
  void begin(std::string_view text) {
    if (!text.starts_with("# ")) expected("the lab's id as in \"# number_line\"", text);
    places_.push_back({Kind::lab, param::trimmed(text.substr(2)), number_});
  }

  void place(std::string_view text) {
    finish();
    std::string_view id = text;
    const std::string_view heading = param::taken_to(':', id);
    const auto form = std::find_if(kForms.begin() + 1, kForms.end(), [&](const Form& one) {
      return one.heading == heading && one.named == !id.empty();
    });
    if (form == kForms.end())
      expected("one of about, made_up, sources, preset:ID, card:ID, caption:FIGURE", text);
    for (const Place& other : places_) {
      if (other.kind == form->kind && other.id == id)
        expected(fmt::format("\"## {}\" once (line {})", text, other.line), text);
    }
    places_.push_back({form->kind, id, number_});
  }

  void fact(const Line& line, std::string_view text) {
    const Names& words = form_of(here().kind).facts;
    if (!here().claims.empty() || !among(words, line.word)) {
      const std::string known = fmt::format("one of {}", fmt::join(words, ", "));
      const std::string_view sentence = "a sentence, \"> …\"";
      if (!has_sentences()) expected(here().kind == Kind::sources ? "\"- …\"" : known, text);
      expected(words.empty() ? std::string(sentence) : fmt::format("{}, or {}", known, sentence),
               text);
    }
    const bool many = line.word == "-" || line.word == "shown";
    if (!many && !here().fact(line.word).empty())
      expected(fmt::format("\"{}\" once", line.word), text);
    here().facts.push_back(line);
  }

  void sentence(std::string_view text) {
    if (!has_sentences()) expected("a place such as \"## about\"", text);
    if (!open_ || !here().claims.back().held.empty()) {
      finish();
      here().claims.push_back({number_, {}, {}});
      open_ = true;
    }
    here().claims.back().sentences.push_back(text);
  }

  // An empty line, a sentence or a place ends what was said before.
  void finish() {
    if (!std::exchange(open_, false)) return;
    const Claim& claim = here().claims.back();
    const bool quoted = here().kind == Kind::caption || here().kind == Kind::made_up;
    if (claim.held.empty() && !quoted) return;
    if (std::none_of(claim.held.begin(), claim.held.end(), holds_true))
      throw core::InputError(
          fmt::format("{}, line {}: nothing below \"{}\" holds it: expected check, held by or is",
                      file_, claim.line, claim.sentences.front()));
  }

  bool has_sentences() const {
    return places_.back().kind != Kind::lab && places_.back().kind != Kind::sources;
  }
  Place& here() { return places_.back(); }
  [[noreturn]] void expected(std::string_view what, std::string_view got) const {
    refuse(file_, number_, what, got);
  }

  std::string_view file_;
  int number_ = 0;
  bool open_ = false;  // what follows belongs to the sentence before
  std::vector<Place> places_;
};

std::string embedded_name(std::string_view lab) { return fmt::format("labs/{0}/{0}.md", lab); }
std::string embedded_file(std::string_view lab) { return "app/" + embedded_name(lab); }

}  // namespace

std::string_view Place::fact(std::string_view word) const {
  const auto found =
      std::find_if(facts.begin(), facts.end(), [&](const Line& one) { return one.word == word; });
  return found == facts.end() ? std::string_view() : found->rest;
}

std::string to_text(const Place& place) {
  if (place.kind == Kind::lab) return fmt::format("# {}", place.id);
  const std::string_view heading = form_of(place.kind).heading;
  return place.id.empty() ? std::string(heading) : fmt::format("{}:{}", heading, place.id);
}

void refuse(std::string_view file, int line, std::string_view expected, std::string_view got) {
  throw core::InputError(
      fmt::format("{}, line {}: expected {}, got \"{}\"", file, line, expected, got));
}

std::vector<Place> read(std::string_view text, std::string_view file) {
  Reader reader(file);
  while (!text.empty()) reader.line(param::taken_to('\n', text));
  return reader.end();
}

namespace {

struct Text {
  std::string file, text;
  std::vector<Place> places;  // point into `text`
};
// By their labs, each read once and kept as long as the program runs.
struct Texts {
  std::map<std::string, Text, std::less<>> kept;
  std::mutex mutex;
};
Texts& texts() {
  static Texts all;
  return all;
}

}  // namespace

std::string file_of(std::string_view lab) {
  const std::lock_guard lock(texts().mutex);
  const auto found = texts().kept.find(lab);
  return found == texts().kept.end() ? embedded_file(lab) : found->second.file;
}

bool has_text(std::string_view lab) {
  const std::lock_guard lock(texts().mutex);
  return texts().kept.contains(lab) || assets::exists(embedded_name(lab));
}

const std::vector<Place>& places_of(std::string_view lab) {
  const std::lock_guard lock(texts().mutex);
  auto& kept = texts().kept;
  if (const auto found = kept.find(lab); found != kept.end()) return found->second.places;
  const std::string file = embedded_file(lab);
  std::vector<Place> places = read(assets::find(embedded_name(lab)), file);
  if (places.empty() || places.front().id != lab)
    refuse(file, 1, fmt::format("\"# {}\"", lab), places.empty() ? "" : places.front().id);
  return kept.emplace(lab, Text{file, {}, std::move(places)}).first->second.places;
}

void add_text(std::string file, std::string text) {
  const std::vector<Place> read_once = read(text, file);
  if (read_once.empty()) refuse(file, 1, "\"# LAB\"", "");
  const std::string id(read_once.front().id);
  const std::lock_guard lock(texts().mutex);
  Text& kept = texts().kept[id];
  kept = {std::move(file), std::move(text), {}};
  kept.places = read(kept.text, kept.file);
}

}  // namespace lab::text
