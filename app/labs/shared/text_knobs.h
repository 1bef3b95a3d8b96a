// The knobs of labs whose tokens come from a text.
#pragma once

#include <string>

#include "app/param/param.h"
#include "core/text/tokenize.h"

namespace lab {

// "text" and "unit": what is written and what one token of it is.
void describe_text(std::string& text, core::Unit& unit, bool active, param::List& list);

// How many tokens a text has, remembered because every description asks anew.
class TokenCount {
 public:
  // At most `most`. Invalid text, which `param::parse` refuses, counts as none.
  int of(const std::string& text, core::Unit unit, int most);

 private:
  std::string text_;
  core::Unit unit_ = core::Unit::words;
  int most_ = -1;
  int tokens_ = 0;
};

}  // namespace lab
