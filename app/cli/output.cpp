#include "app/cli/output.h"

#include <cerrno>
#include <cstdio>

#include "app/paper/atomic_file.h"
#include "app/words/sentence.h"
#include "core/io/regular_file.h"
#include "core/text/printable.h"

namespace cli {

void tell(std::string_view message) {
  constexpr std::size_t kMost = 4000;
  const std::string line = "attnscope: " + core::printable(message, kMost) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void print_out(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return;
  words::refuse<paper::IoError>(N_("cannot write to the standard output: {}"),
                                core::system_reason(errno));
}

std::string in_quotes(std::string_view text) { return '"' + core::printable(text) + '"'; }

}  // namespace cli
