#include "claim.h"

#include <algorithm>
#include <array>
#include <set>

#include "app/param/reading.h"

namespace claims {
namespace {

using lesson::Where;

constexpr std::array<std::pair<Kind, std::string_view>, 5> kKinds{{{Kind::about, "about"},
                                                                   {Kind::made_up, "made_up"},
                                                                   {Kind::preset, "preset"},
                                                                   {Kind::card, "card"},
                                                                   {Kind::caption, "caption"}}};

[[noreturn]] void expected(const Where& where, std::string_view what, std::string_view got) {
  lesson::refuse_got(where, words::Sentence(what), got);
}

std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) all.emplace_back(param::trimmed(param::taken_to(',', text)));
  return all;
}

// "0..9" is each whole number from 0 to 9.
std::vector<std::string> values_of(std::string_view text) {
  std::vector<std::string> all;
  for (const std::string& one : listed(text)) {
    const auto dots = one.find("..");
    const auto from = param::whole<int>(std::string_view(one).substr(0, dots));
    const auto to =
        dots == one.npos ? std::nullopt : param::whole<int>(std::string_view(one).substr(dots + 2));
    if (!from || !to) {
      all.push_back(one);
      continue;
    }
    for (int k = *from; k <= *to; ++k) all.push_back(std::to_string(k));
  }
  return all;
}

class Reader {
 public:
  explicit Reader(const std::string& file) : where_{file, 0} {}

  void line(std::string_view text) {
    ++where_.line;
    text = param::trimmed(text);
    if (text.empty() || text.starts_with("# ")) return;
    if (text.starts_with("## ")) return place(param::trimmed(text.substr(3)));
    if (places_.empty()) expected(where_, "a place such as \"## preset:long\"", text);
    if (text.starts_with("> ")) return quote(param::trimmed(text.substr(2)));
    if (places_.back().claims.empty()) expected(where_, "a quoted sentence, \"> …\"", text);
    std::string_view rest = text;
    const std::string word(param::trimmed(param::taken_to(':', rest)));
    said(word, param::trimmed(rest), text);
  }

  std::vector<Place> end() {
    finish();
    return std::move(places_);
  }

 private:
  void place(std::string_view text) {
    finish();
    const auto colon = text.find(':');
    for (const auto& [kind, name] : kKinds) {
      if (text.substr(0, colon) != name) continue;
      const bool has_id = kind != Kind::about && kind != Kind::made_up;
      if (has_id == (colon == text.npos)) break;
      places_.push_back({kind, has_id ? std::string(text.substr(colon + 1)) : "", where_.line, {}});
      return;
    }
    expected(where_, "one of about, made_up, preset:ID, card:ID, caption:FIGURE", text);
  }

  void quote(std::string_view text) {
    if (!open_) {
      finish();
      places_.back().claims.push_back({.line = where_.line});
      open_ = true;
    }
    claim().quotes.emplace_back(text);
  }

  void said(const std::string& word, std::string_view rest, std::string_view text) {
    open_ = false;
    if (word == "preset") {
      claim().preset = rest;
    } else if (word == "set") {
      for (auto& one : param::read_settings(rest)) claim().sets.push_back(one);
    } else if (word == "over") {
      const auto equals = rest.find('=');
      if (equals == rest.npos) expected(where_, "a knob and its values, as in seed=0..9", rest);
      claim().over.push_back({std::string(param::trimmed(rest.substr(0, equals))),
                              values_of(rest.substr(equals + 1))});
    } else if (word == "fixed") {
      for (auto& one : listed(rest)) claim().fixed.push_back(one);
    } else if (word == "held by") {
      claim().held_by = rest;
    } else if (word == "is") {
      claim().is = rest;
      if (std::find(kReasons.begin(), kReasons.end(), claim().is) == kReasons.end())
        expected(where_, "definition, history or advice", rest);
    } else {
      step(word, rest, text);
    }
  }

  void step(const std::string& word, std::string_view rest, std::string_view text) {
    Step step{.line = where_.line, .text = std::string(text)};
    if (word == "then") {
      step.does = Step::Does::then;
      step.sets = param::read_settings(rest);
    } else if (word == "keep") {
      step.does = Step::Does::keep;
      step.name = param::trimmed(param::taken_to('=', rest));
      step.expression = lesson::read_expression(rest, where_);
    } else if (word == "when" || word == "check") {
      step.does = word == "when" ? Step::Does::when : Step::Does::check;
      step.expression = lesson::read_condition(rest, where_);
    } else {
      expected(where_,
               "one of preset, set, over, fixed, keep, then, when, check, held by, is, and a colon",
               text);
    }
    claim().steps.push_back(std::move(step));
  }

  Claim& claim() { return places_.back().claims.back(); }

  // What a claim must have: exactly one thing that holds it.
  void finish() {
    open_ = false;
    if (places_.empty() || places_.back().claims.empty()) return;
    const Claim& one = claim();
    const bool checks = std::any_of(one.steps.begin(), one.steps.end(),
                                    [](const Step& s) { return s.does == Step::Does::check; });
    if (int(checks) + int(!one.held_by.empty()) + int(!one.is.empty()) == 0)
      expected({where_.file, one.line}, "check, held by or is", one.quotes.front());
  }

  Where where_;
  bool open_ = false;  // a quote that follows belongs to the same claim
  std::vector<Place> places_;
};

}  // namespace

std::string to_text(const Place& place) {
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                 [&](const auto& one) { return one.first == place.kind; });
  return std::string(kind->second) + (place.id.empty() ? "" : ":" + place.id);
}

std::vector<Place> read(std::string_view text, const std::string& file) {
  Reader reader(file);
  while (!text.empty()) reader.line(param::taken_to('\n', text));
  return reader.end();
}

}  // namespace claims
