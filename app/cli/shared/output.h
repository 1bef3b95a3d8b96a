// What the command line says. Neither closed nor full streams end the program.
#pragma once

#include <string>
#include <string_view>

namespace cli {

// "attnscope: MESSAGE" and the end of the line to the standard error, in printable characters.
// Where nothing can be written there nothing is: the exit status says the same.
void report(std::string_view message);

// To the standard output, all of it; throws sys::IoError when that cannot be.
void print_out(std::string_view text);

// What came, in quotes, as a message shows it.
std::string in_quotes(std::string_view text);

}  // namespace cli
