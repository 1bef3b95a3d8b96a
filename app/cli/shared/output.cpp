#include "app/cli/shared/output.h"

#include <cstdio>

#include "app/system/io_error.h"
#include "app/system/streams.h"
#include "app/words/sentence.h"
#include "core/system/error.h"
#include "core/text/printable.h"

namespace cli {

void report(std::string_view message) {
  constexpr std::size_t kMost = 4000;
  const std::string line = "attnscope: " + core::printable(message, kMost) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
  sys::show_unheard(line);
}

void print_out(std::string_view text) {
  core::forget_error();
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return;
  words::refuse<sys::IoError>(N_("cannot write to the standard output: {}"),
                              core::system_reason(core::last_error()));
}

std::string in_quotes(std::string_view text) { return '"' + core::printable(text) + '"'; }

}  // namespace cli
