#include "core/model/positions/scheme.h"

namespace core::model {

const SchemeEntry& entry(Scheme scheme) {
  static constexpr std::array<const SchemeEntry*, kSchemes> kAll{
#define ATTNSCOPE_SCHEME(id) &schemes::id,
#include "core/model/positions/list.inc"
#undef ATTNSCOPE_SCHEME
  };
  return *kAll[static_cast<std::size_t>(scheme)];
}

}  // namespace core::model
