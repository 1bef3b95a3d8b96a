#include "app/labs/shared/text_knobs.h"

#include "app/labs/shared/tokens.h"

namespace lab {

void describe_text(std::string& text, core::Unit& unit, bool active, param::List& list) {
  list.text(text, "text", N_("Text"),
            N_("Each token becomes a vector made of its letters: equal words are equal, similar "
               "words resemble each other"),
            kMostTextBytes, {.active = active});
  list.choice(unit, "unit", N_("Tokens"),
              N_("What one token is. Chinese goes by character among words too"),
              {{"words", N_("words")}, {"characters", N_("characters")}, {"bytes", N_("bytes")}},
              {.active = active});
}

int TokenCount::of(const std::string& text, core::Unit unit, int most) {
  if (most_ != most || unit_ != unit || text_ != text) {
    tokens_ = static_cast<int>(core::count_tokens(text, unit, most));
    text_ = text;
    unit_ = unit;
    most_ = most;
  }
  return tokens_;
}

}  // namespace lab
