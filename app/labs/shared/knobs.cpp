#include "app/labs/shared/knobs.h"
#include "app/labs/shared/sequence.h"

namespace lab {

void describe_seed(int& seed, std::string_view help, param::List& list, bool active) {
  list.integer(seed, "seed", N_("Seed"), help, {.min = 0, .max = 9999, .active = active});
}

void describe_pool(core::Pool& pool, param::List& list) {
  list.choice(pool, "pool", N_("Zoomed out"),
              N_("When many cells share a pixel: show the largest, or their mean"),
              {{"max", N_("max")}, {"mean", N_("mean")}});
}

void describe_pair(int& query, int& key, int tokens, param::List& list) {
  const double last = std::max(0, tokens - 1);
  list.integer(query, "query", N_("Query"), N_("The token that looks: a row, counted from 0"),
               {.min = 0, .max = last});
  list.integer(key, "key", N_("Key"),
               N_("The token that is looked at: a column, counted from 0; -1 takes the strongest"),
               {.min = -1, .max = last, .unpinned = -1});
}

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
