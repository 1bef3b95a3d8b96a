// The claims of a lab: sentences of its words, each with what holds it true. They stand in
// app/labs/LAB/claims.md, whose form app/labs/README.md describes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/lesson/text/expression.h"
#include "app/param/values.h"

namespace claims {

// Where words stand. Those of presets and cards speak of one scene; the others stand on the page
// whatever the knobs are.
enum class Kind { about, made_up, preset, card, caption };

// One line that says something about a page.
struct Step {
  enum class Does {
    keep,   // a name for a number of the page as it is now
    then,   // the scene goes on with other knobs
    when,   // where this does not hold, the claim is not tried
    check,  // this holds
  };
  Does does = Does::check;
  int line = 0;
  std::string text = {};               // as it is written
  std::string name = {};               // keep: of the number
  lesson::Expression expression = {};  // keep, when, check
  param::Values sets = {};             // then
};

// A knob, and the values with which the claim holds, too.
struct Over {
  std::string knob;
  std::vector<std::string> values;
};

struct Claim {
  int line = 0;                          // of its first quote
  std::vector<std::string> quotes = {};  // sentences; {} stands for what the page fills in
  std::string preset = {};
  param::Values sets = {};
  std::vector<Over> over = {};
  std::vector<std::string> fixed = {};  // knobs that the sentence itself fixes: they are not moved
  std::vector<Step> steps = {};
  std::string held_by = {};  // the title of a test case
  std::string is = {};       // why there is nothing to compute: one of kReasons
  bool one_scene() const { return !preset.empty() || !sets.empty(); }
};

// "definition": it says what is computed. "history": it says what was published or done. "advice":
// it says what to do, or where to look.
inline const std::vector<std::string> kReasons{"definition", "history", "advice"};

struct Place {
  Kind kind = Kind::about;
  std::string id = {};  // of a preset, a card, or the figure that has the caption
  int line = 0;
  std::vector<Claim> claims = {};
};
std::string to_text(const Place& place);

// Throws lesson::Fault with the line.
std::vector<Place> read(std::string_view text, const std::string& file);

}  // namespace claims
