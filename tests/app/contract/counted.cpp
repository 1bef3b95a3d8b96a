#include "counted.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <memory>
#include <variant>

#include "page_fields.h"

namespace contract {
namespace {

using namespace std::literals;

// What pages count.
constexpr std::array kCounted{
    "additions"sv,  "angles"sv,   "arrays"sv,     "axes"sv,        "bandwidths"sv, "beams"sv,
    "biases"sv,     "bits"sv,     "branches"sv,   "buckets"sv,     "bytes"sv,      "cells"sv,
    "characters"sv, "columns"sv,  "digits"sv,     "dimensions"sv,  "distances"sv,  "documents"sv,
    "draws"sv,      "entries"sv,  "features"sv,   "hands"sv,       "heads"sv,      "ids"sv,
    "keys"sv,       "layers"sv,   "letters"sv,    "logits"sv,      "neighbours"sv, "numbers"sv,
    "operations"sv, "pairs"sv,    "parameters"sv, "people"sv,      "places"sv,     "points"sv,
    "positions"sv,  "products"sv, "queries"sv,    "repetitions"sv, "rows"sv,       "samples"sv,
    "schemes"sv,    "scores"sv,   "sentences"sv,  "sequences"sv,   "sinks"sv,      "slopes"sv,
    "steps"sv,      "stops"sv,    "strokes"sv,    "symbols"sv,     "tensors"sv,    "terms"sv,
    "texts"sv,      "threads"sv,  "tokens"sv,     "trainings"sv,   "turns"sv,      "values"sv,
    "waves"sv,      "weights"sv,  "windows"sv,    "words"sv};

// What may stand between a number and what is counted.
constexpr std::array kBetween{"more"sv,      "other"sv,     "random"sv,      "kept"sv,
                              "key"sv,       "query"sv,     "global"sv,      "held-out"sv,
                              "first"sv,     "last"sv,      "whole"sv,       "smaller"sv,
                              "likeliest"sv, "turned"sv,    "largest"sv,     "padding"sv,
                              "strongest"sv, "different"sv, "neighbouring"sv};

std::string_view word_at(std::string_view text, std::size_t from) {
  std::size_t to = from;
  while (to < text.size() &&
         (std::isalpha(static_cast<unsigned char>(text[to])) || text[to] == '-'))
    ++to;
  return text.substr(from, to - from);
}

template <class Words>
bool among(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A 1 that counts: not the end of 21 or 0.1, nor of "t + 1" or "pair 1".
bool counts(std::string_view text, std::size_t at) {
  if (at == 0 || text[at - 1] == '(') return true;
  const std::string_view before = text.substr(0, at - 1);
  return text[at - 1] == ' ' && !before.ends_with('+') && !before.ends_with("pair");
}

class Texts {
 public:
  template <HasFields T>
  void add(const T& value) {
    each_field(value, [this](std::string_view, const auto& field) { this->add(field); });
  }
  void add(const std::string& text) { all.push_back(text); }
  // Without these, what derives from a variant and what is shared would count as no text.
  void add(const figure::Mark& mark) { add(static_cast<const figure::AnyMark&>(mark)); }
  void add(const lab::Labels& names) {
    if (names) add(*names);
  }
  template <class T>
  void add(const std::vector<T>& some) {
    for (const T& one : some) add(one);
  }
  template <class A, class B>
  void add(const std::pair<A, B>& pair) {
    add(pair.first);
    add(pair.second);
  }
  template <class T>
  void add(const std::optional<T>& value) {
    if (value) add(*value);
  }
  template <class... T>
  void add(const std::variant<T...>& value) {
    std::visit([this](const auto& held) { this->add(held); }, value);
  }
  template <class T>
  void add(const T&) {}  // no text

  std::vector<std::string> all;
};

}  // namespace

std::optional<std::string> plural_of_one(std::string_view text) {
  for (std::size_t at = text.find("1 "); at != text.npos; at = text.find("1 ", at + 1)) {
    if (!counts(text, at)) continue;
    std::string_view word = word_at(text, at + 2);
    const std::size_t end = at + 2 + word.size();
    if (among(kBetween, word) && end < text.size()) word = word_at(text, end + 1);
    if (!among(kCounted, word)) continue;
    const auto last = static_cast<std::size_t>(word.data() + word.size() - text.data());
    return std::string(text.substr(at, last - at));
  }
  return std::nullopt;
}

std::vector<std::string> texts_of(const lab::Page& page) {
  Texts texts;
  texts.add(page);
  return std::move(texts.all);
}

}  // namespace contract
