// The claims of a lab: sentences of its words, each with what holds it true, as they stand in its
// text (app/labs/README.md, section 7).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/labs/shared/text/places.h"
#include "app/lesson/text/expression.h"
#include "app/param/values.h"

namespace claims {

using lab::text::Kind;

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
  // Whether something holds it; a sentence that claims nothing needs nothing.
  bool is_held() const { return !steps.empty() || !held_by.empty() || !is.empty(); }
  bool one_scene() const { return !preset.empty() || !sets.empty(); }
};

// "definition": it says what is computed. "history": it says what was published or done. "advice":
// it says what to do, or where to look.
inline const std::vector<std::string> kReasons{"definition", "history", "advice"};

struct Place {
  Kind kind = Kind::about;
  std::string id = {};  // of a preset, a card, or the figure that has the caption
  std::vector<Claim> claims = {};
};
std::string to_text(const Place& place);

// Throws core::InputError with the file and the line.
std::vector<Place> read(const std::vector<lab::text::Place>& places, const std::string& file);

}  // namespace claims
