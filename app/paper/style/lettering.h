// Which fonts text on paper has, and how large each kind of it is.
#pragma once

#include <string>
#include <vector>

#include "app/figure/theme.h"

namespace paper {

struct PaperOptions;

// What a label is high on a page.
inline constexpr double kLabelUnits = 12;

struct Lettering {
  float least = 0;          // units; no text is smaller
  std::string family = {};  // of all text; empty: the program's own fonts
  // Units of each kind of text; 0: as figure::text_spec has them.
  float title = 0, label = 0, tick = 0, note = 0;
  float math = 0;  // of formulas in texts
  bool operator==(const Lettering&) const = default;
};

Lettering lettering_of(const PaperOptions& options);

// Units of a style's letters.
float size_of(figure::TextStyle style, const Lettering& lettering);

// The program's own families, and those that are installed.
std::vector<std::string> families();
// The family as it is called; empty for an empty name. Throws core::InputError, naming what there
// is, when there is none of this name.
std::string found_family(const std::string& name);
// Alike but for capitals.
bool same_name(const std::string& a, const std::string& b);
// Whether it is one of the program's own.
bool is_own_family(const std::string& name);

}  // namespace paper
