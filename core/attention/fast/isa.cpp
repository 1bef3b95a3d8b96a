#include "core/attention/fast/isa.h"

#include <string>

#if defined(ATTNSCOPE_X86_KERNELS)
#include <cpuid.h>
#endif

#include "core/system/environment.h"
#include "core/types.h"

namespace core {
namespace {

#if defined(ATTNSCOPE_X86_KERNELS)
// clang has no name for it to ask by.
bool has_f16c() {
  constexpr unsigned kBit = 1U << 29;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & kBit) != 0;
}
#endif

bool supported(Isa isa) {
#if defined(ATTNSCOPE_X86_KERNELS)
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c() &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (isa == Isa::v3) return v3;
  if (isa == Isa::v4) {
    return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  }
#endif
  return isa == Isa::baseline;
}

const kernels::Table& table([[maybe_unused]] Isa isa) {
#if defined(ATTNSCOPE_X86_KERNELS)
  if (isa == Isa::v3) return kernels::kV3;
  if (isa == Isa::v4) return kernels::kV4;
#endif
  return kernels::kBaseline;
}

const char* name(Isa isa) {
  switch (isa) {
    case Isa::baseline: return "baseline";
    case Isa::v3: return "v3";
    case Isa::v4: return "v4";
    default: return "best";
  }
}

Isa required(Isa isa) {
  if (!supported(isa)) {
    throw InputError(std::string("isa: expected one that this machine can run, got ") + name(isa));
  }
  return isa;
}

Isa choose() {
  const std::string requested = environment("ATTNSCOPE_ISA").value_or("");
  if (requested.empty()) return available_isas().back();
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (requested == name(isa)) return required(isa);
  }
  throw InputError("ATTNSCOPE_ISA: expected baseline, v3 or v4, got " + requested);
}

}  // namespace

std::vector<Isa> available_isas() {
  std::vector<Isa> isas;
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (supported(isa)) isas.push_back(isa);
  }
  return isas;
}

Isa chosen_isa(Isa isa) {
  if (isa != Isa::best) return required(isa);
  static const Isa best = choose();
  return best;
}

const kernels::Table& kernels_for(Isa isa) { return table(chosen_isa(isa)); }

}  // namespace core
