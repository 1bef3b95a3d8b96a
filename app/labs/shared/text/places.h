// The form of a lab's text, app/labs/LAB/LAB.md: places, each with facts, with sentences, and with
// what holds these true. app/labs/README.md (section 6) describes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::text {

// A line of a word and what it is, "set: x=257 | middle=256". Of a list "- " stands for the word.
struct Line {
  int number = 0;
  std::string_view word, rest;
};

// Sentences that stand on one another, and the lines below that hold them true. None: they claim
// nothing.
struct Claim {
  int line = 0;  // of the first sentence
  std::vector<std::string_view> sentences;
  std::vector<Line> held;
};

// Where words stand. What is said of presets and cards is said of one scene; about, made_up and
// captions stand on the page whatever the knobs are. The text of made_up and captions is the
// page's, and only quoted here.
enum class Kind { lab, about, made_up, sources, preset, card, caption };

struct Place {
  Kind kind = Kind::lab;
  std::string_view id = {};  // of the lab, a preset, a card, or the figure that has the caption
  int line = 0;
  std::vector<Line> facts = {};  // what stands before the sentences
  std::vector<Claim> claims = {};

  // What a fact says; empty where it is left out.
  std::string_view fact(std::string_view word) const;
};
std::string to_text(const Place& place);  // "preset:tenth"

// Throws core::InputError: "FILE, line N: expected ..., got ...".
[[noreturn]] void refuse(std::string_view file, int line, std::string_view expected,
                         std::string_view got);

// The places of a text in order, the lab's own first. They point into `text`. Refuses, with the
// line, what has not the form.
std::vector<Place> read(std::string_view text, std::string_view file);

// "app/labs/number_line/number_line.md".
std::string file_of(std::string_view lab);
// The text of a lab as it travels with the program, read when it is first asked for and kept.
const std::vector<Place>& places_of(std::string_view lab);
// Whether there is one.
bool has_text(std::string_view lab);
// For a lab that is not the program's, as one of the tests is: from now on that is its text, read
// from `file`. The id is the text's own. Refuses what has not the form.
void add_text(std::string file, std::string text);

}  // namespace lab::text
