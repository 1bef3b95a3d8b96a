// Parameters that many labs offer, described once: the same id, range and words everywhere.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "app/param/param.h"
#include "app/words/words.h"
#include "core/tile.h"

namespace lab {

// "seed", 0 to 9999; `help` says what it chooses.
void describe_seed(int& seed, std::string_view help, param::List& list, bool active = true);

// "pool": what stands for the cells that share a pixel.
void describe_pool(core::Pool& pool, param::List& list);

// "query" and "key" of `tokens` tokens; a key of -1 is not pinned.
void describe_pair(int& query, int& key, int tokens, param::List& list);

// "explain": which of the figures' values the side panel takes apart.
template <class Enum>
void describe_explained(Enum& value, std::vector<param::Option> options, param::List& list,
                        bool active = true) {
  list.choice(value, "explain", N_("Explained"),
              N_("What is taken apart at the side; a click on a figure chooses it too"),
              std::move(options), {.active = active});
}

}  // namespace lab
