// Finding labs, knobs and presets by what somebody types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/labs/lab.h"
#include "app/words/words.h"

namespace ui {

struct Found {
  enum class Kind { lab, preset, knob };
  Kind kind = Kind::lab;
  std::string lab;    // the lab's id
  std::string id;     // of the preset or knob
  std::string title;  // translated
  std::string where;  // the lab's translated title, for presets and knobs
};

// What is asked for, out of what is typed: "why divide by sqrt(d)?" asks for "divide", "sqrt" and
// "d", "长度外推" for "长度" and "外推". Words that say nothing ("why", "的") are left out unless
// there are no others, and an idea that has several names is found under each of them, in both
// languages
// ("sqrt" finds "√" and "平方根").
class Query {
 public:
  explicit Query(std::string_view text);
  bool empty() const { return terms_.empty(); }
  // How many of the terms a folded text has.
  int count_in(std::string_view folded) const;
  bool matches(std::string_view folded) const { return count_in(folded) == count(); }
  int count() const { return static_cast<int>(terms_.size()); }

 private:
  using Names = std::vector<std::string>;  // each means the same
  std::vector<Names> terms_;
};

// Lower case of ASCII; other scripts of ours have no case.
std::string folded(std::string_view text);

// All that can be found, in both languages, titles in that of `w`. Made once: it describes every
// lab.
class SearchIndex {
 public:
  SearchIndex(const std::vector<lab::Lab>& labs, const words::Words& w);
  // Labs, presets and knobs whose title, id, question, introduction, help, lesson or source has
  // every term of the query: labs first, then presets, then knobs, and among each first those with
  // more of the terms in their titles.
  std::vector<Found> find(std::string_view query) const;

 private:
  struct Entry {
    Found found;
    std::string title, all;  // folded, in both languages
  };
  void add(Found found, std::initializer_list<std::string_view> titles,
           std::initializer_list<std::string_view> others);

  std::vector<Entry> labs_, presets_, knobs_;
};

// Those of the names that have every word of `query` in them or in what is shown of them, in their
// order; all of them where there is no word.
std::vector<std::size_t> search(const std::vector<param::Named>& names, std::string_view query);

}  // namespace ui
