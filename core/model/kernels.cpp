#include "core/model/kernels/kernels.h"
#include "core/attention/fast/isa.h"

namespace core::model::kernels {

namespace {

const Table& choose() {
#if defined(ATTNSCOPE_X86_KERNELS)
  if (chosen_isa() == Isa::v3) return kV3;
  if (chosen_isa() == Isa::v4) return kV4;
#endif
  return kBaseline;
}

}  // namespace

// Asked for once for each row, so the choice itself must cost nothing.
const Table& table() {
  static const Table& chosen = choose();
  return chosen;
}

}  // namespace core::model::kernels
