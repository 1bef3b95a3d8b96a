// Finding labs, lessons, stops, presets, knobs, papers and actions by what somebody types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/labs/lab.h"
#include "app/words/words.h"

namespace state {

struct Found {
  // In the order in which equally good results are listed.
  enum class Kind { lab, lesson, action, preset, stop, paper, knob };
  Kind kind = Kind::lab;
  std::string lab;        // the lab's id; of an action empty
  std::string id;         // of the preset, knob or action; the lesson's name, of its stops too
  std::string title;      // translated
  std::string where;      // the translated title of the lab that it belongs to, or the lesson's
  std::size_t stop = 0;   // its place in the lesson
  std::string keys = {};  // of an action
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
  // How many of the terms occur in a case-folded text.
  int count_in(std::string_view folded) const;
  bool matches(std::string_view folded) const { return count_in(folded) == count(); }
  int count() const { return static_cast<int>(terms_.size()); }
  // Whether every term stands where a word begins. Scripts without blanks have no such places:
  // there anywhere is.
  bool begins_words_in(std::string_view folded) const;

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
  // Labs, lessons, stops, presets and knobs whose title, id, question, introduction, help or source
  // has every term of the query: labs first, then lessons, stops, presets and knobs, and among each
  // first those with more of the terms in their titles.
  std::vector<Found> find(std::string_view query) const;
  // Everything that has every term, the best first: what is called so, begins so, has the terms at
  // the beginning of words in its title, has them anywhere in it, has them in what is said about
  // it; among equals in the order of kinds (a knob that is called so counts as one that
  // begins so). Without a word all actions, then all labs.
  std::vector<Found> ranked(std::string_view query, std::size_t most) const;

 private:
  struct Entry {
    Found found;
    std::string title, all;  // folded, in both languages, a line each
  };
  // Adds messages, in both languages.
  void add(Found found, std::initializer_list<std::string_view> titles,
           std::initializer_list<std::string_view> others);
  // Adds texts that are case-folded and in both languages already.
  void add_found(Found found, std::string titles, const std::string& others);
  void add_lab(const lab::Lab& lab, const words::Words& w);
  void add_lesson(const std::string& name, const std::string& lab_title, const words::Words& w);
  void add_actions(const words::Words& w);

  std::vector<Entry> entries_;
};

// Indices of the names that have every word of `query` in them or in what is shown of them, in
// their order; all where there is no word.
std::vector<std::size_t> search(const std::vector<param::Named>& names, std::string_view query);

}  // namespace state
