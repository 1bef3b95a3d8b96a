// The ranges of numbers that a page finds, and what they hold for (app/labs/README.md, 1).
#pragma once

#include "app/labs/lab.h"

namespace lab {

// The values of these knobs, each described before, as one text: what was found with them holds
// until one of them is another (param::Found::of). What has no effect does not count, so it is
// asked before param::List::found_ranges takes the effect from numbers. Throws std::out_of_range
// for an id that is not described.
std::string values_of(param::List& list, std::initializer_list<std::string_view> ids);

// A list of these parameters by which values_of says the same as while they are described; `names`
// are those that were found.
template <class Parameters>
param::List listed(Parameters& p, void (*describe)(Parameters&, param::List&),
                   const param::Facts& names = {}) {
  param::List list(names);
  describe(p, list);
  return list;
}

// What sentences call a model: its file's name, or, of none that a person opened, "this model".
std::string name_of_model(const std::string& file, const Words& w);

// What a page found in one thing.
struct FoundIn {
  std::string of;  // values_of the knobs that it depends on
  std::string in;  // as sentences call it: a file's name, "this text"

  // A knob goes from `min` to `max`, both of which there are.
  void add(std::string_view id, double min, double max, param::Facts& found) const;
};

}  // namespace lab
