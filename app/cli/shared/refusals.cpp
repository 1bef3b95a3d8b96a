#include "app/cli/shared/refusals.h"

#include "app/cli/shared/output.h"
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

void require_picture(const std::string& option, const std::string& out) {
  words::refuse<core::InputError>(
      N_("{}: expected a picture (.png, .svg, .pdf, .html or .tex), got {}"), option,
      in_quotes(out));
}

}  // namespace cli
