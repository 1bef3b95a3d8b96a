// Order is unseen, but for what a causal mask tells (Haviv et al. 2022).
#include "core/message.h"
#include "core/model/positions/positions.h"

namespace core::model {

constinit const SchemeEntry schemes::none{.name = N_("none")};

}  // namespace core::model
