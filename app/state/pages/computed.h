// A page with what it was made from.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/labs/lab.h"
#include "app/session/session.h"
#include "app/words/words.h"

namespace state {

struct Computed {
  session::Session made_from;  // its views are those of the moment it was asked for
  words::Language language = words::Language::en;
  lab::Page page;
  double ms = 0;      // spent in the lab's compute
  bool whole = true;  // false: published on the way, or while a training goes on
  // The runs that it asked for, each with the version that was there before it was asked.
  std::vector<std::pair<std::string, long>> runs = {};
};

}  // namespace state
