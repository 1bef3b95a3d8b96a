#include "app/cli/shared/refusals.h"

#include "app/words/sentence.h"
#include "core/types.h"

namespace cli {

void refuse_with(const char* other, std::initializer_list<GivenOption> options) {
  for (const auto& [given, name] : options) {
    if (given) words::refuse<core::InputError>(N_("expected {} or {}, got both"), other, name);
  }
}

void refuse_without(const char* needed, std::initializer_list<GivenOption> options) {
  for (const auto& [given, name] : options) {
    if (!given) continue;
    words::refuse<core::InputError>(N_("expected {} only with {}, got it without"), name, needed);
  }
}

}  // namespace cli
