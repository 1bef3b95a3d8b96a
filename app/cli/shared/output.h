// What the command line says. Neither closed nor full streams end the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cli {

// "attnscope: MESSAGE" and the end of the line to the standard error, in printable characters.
// Where nothing can be written there nothing is: the exit status says the same.
void report(std::string_view message);

// While it lives, reports are kept here instead; one at a time.
class KeptReports {
 public:
  KeptReports();
  ~KeptReports();
  KeptReports(const KeptReports&) = delete;
  KeptReports& operator=(const KeptReports&) = delete;

  // What was reported until now, in printable characters; forgets it.
  std::vector<std::string> taken();

 private:
  friend void report(std::string_view message);
  std::vector<std::string> messages_;
};
// To the standard error whatever is kept: how far a computation is.
void report_progress(std::string_view message);

// To the standard output, all of it; throws sys::IoError when that cannot be.
void print_out(std::string_view text);

// What came, in quotes, as a message shows it.
std::string in_quotes(std::string_view text);

}  // namespace cli
