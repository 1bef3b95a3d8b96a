#include "app/cli/shared/output.h"

#include <cstdio>
#include <mutex>
#include <utility>

#include "app/system/io_error.h"
#include "app/system/streams.h"
#include "app/words/sentence.h"
#include "core/system/error.h"
#include "core/text/printable.h"

namespace cli {

namespace {

constexpr std::size_t kMostCharacters = 4000;  // characters of a message

// Reports come from several threads.
std::mutex reporting;
KeptReports* keeper = nullptr;

}  // namespace

KeptReports::KeptReports() {
  const std::scoped_lock lock(reporting);
  keeper = this;
}

KeptReports::~KeptReports() {
  const std::scoped_lock lock(reporting);
  keeper = nullptr;
}

std::vector<std::string> KeptReports::taken() {
  const std::scoped_lock lock(reporting);
  return std::exchange(messages_, {});
}

void report(std::string_view message) {
  const std::scoped_lock lock(reporting);
  if (keeper) {
    keeper->messages_.push_back(core::printable(message, kMostCharacters));
  } else {
    report_progress(message);
  }
}

void report_progress(std::string_view message) {
  const std::string line = "attnscope: " + core::printable(message, kMostCharacters) + "\n";
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
