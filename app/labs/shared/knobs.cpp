#include "app/labs/shared/knobs.h"

#include <algorithm>

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

}  // namespace lab
