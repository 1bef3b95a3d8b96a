#include "app/labs/shared/knobs.h"

#include "app/words/words.h"

namespace lab {

void describe_seed(int& seed, std::string_view help, param::List& list, bool active) {
  list.integer(
      seed,
      {.id = "seed", .label = N_("Seed"), .help = help, .min = 0, .max = 9999, .active = active});
}

void describe_pool(core::Pool& pool, param::List& list) {
  list.choice(pool, {{"max", N_("max")}, {"mean", N_("mean")}},
              {.id = "pool",
               .label = N_("Zoomed out"),
               .help = N_("When many cells share a pixel: show the largest, or their mean")});
}

}  // namespace lab
