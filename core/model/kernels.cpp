#include "core/model/kernels/kernels.h"
#include "core/attention/isa.h"

namespace core::model::kernels {

const Table& table() {
#if defined(ATTNSCOPE_X86_KERNELS)
  if (chosen_isa() == Isa::v3) return kV3;
  if (chosen_isa() == Isa::v4) return kV4;
#endif
  return kBaseline;
}

}  // namespace core::model::kernels
