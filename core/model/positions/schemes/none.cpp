// No positions: order shows only through a causal mask (Haviv et al. 2022).
#include "core/message.h"
#include "core/model/positions/positions.h"

namespace core::model {

constinit const SchemeEntry schemes::none{.name = N_("none")};

}  // namespace core::model
