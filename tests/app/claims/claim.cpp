#include "claim.h"

#include <algorithm>

#include "app/param/reading.h"

namespace claims {
namespace {

using lesson::Where;

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

// One claim out of its lines.
class Reader {
 public:
  Reader(const lab::text::Claim& text, const std::string& file) : where_{file, text.line} {
    claim_.line = text.line;
    claim_.quotes.assign(text.sentences.begin(), text.sentences.end());
    for (const lab::text::Line& line : text.held) {
      where_.line = line.number;
      said(line.word, line.rest);
    }
  }
  Claim take() { return std::move(claim_); }

 private:
  void said(std::string_view word, std::string_view rest) {
    if (word == "preset") {
      claim_.preset = rest;
    } else if (word == "set") {
      for (auto& one : param::read_settings(rest)) claim_.sets.push_back(one);
    } else if (word == "over") {
      const auto equals = rest.find('=');
      if (equals == rest.npos) expected(where_, "a knob and its values, as in seed=0..9", rest);
      claim_.over.push_back({std::string(param::trimmed(rest.substr(0, equals))),
                             values_of(rest.substr(equals + 1))});
    } else if (word == "fixed") {
      for (auto& one : listed(rest)) claim_.fixed.push_back(one);
    } else if (word == "held by") {
      claim_.held_by = rest;
    } else if (word == "is") {
      claim_.is = rest;
      if (std::find(kReasons.begin(), kReasons.end(), claim_.is) == kReasons.end())
        expected(where_, "definition, history or advice", rest);
    } else {
      step(word, rest);
    }
  }

  void step(std::string_view word, std::string_view rest) {
    Step step{.line = where_.line, .text = std::string(word) + ": " + std::string(rest)};
    if (word == "then") {
      step.does = Step::Does::then;
      step.sets = param::read_settings(rest);
    } else if (word == "keep") {
      step.does = Step::Does::keep;
      step.name = param::trimmed(param::taken_to('=', rest));
      step.expression = lesson::read_expression(rest, where_);
    } else {
      step.does = word == "when" ? Step::Does::when : Step::Does::check;
      step.expression = lesson::read_condition(rest, where_);
    }
    claim_.steps.push_back(std::move(step));
  }

  Where where_;
  Claim claim_;
};

}  // namespace

std::string to_text(const Place& place) {
  return lab::text::to_text({.kind = place.kind, .id = place.id});
}

std::vector<Place> read(const std::vector<lab::text::Place>& places, const std::string& file) {
  std::vector<Place> all;
  for (const lab::text::Place& place : places) {
    all.push_back({place.kind, std::string(place.id), {}});
    for (const lab::text::Claim& claim : place.claims)
      all.back().claims.push_back(Reader(claim, file).take());
  }
  return all;
}

}  // namespace claims
