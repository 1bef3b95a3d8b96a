#include <cstdio>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/serve/server.h"
#include "app/cli/shared/output.h"

namespace cli {
namespace {

enum class Line { whole, too_long, none };

// The next line, without its end; the last may lack that.
Line next_line(std::string& line) {
  line.clear();
  bool any = false, fits = true;
  for (int c = std::getc(stdin); c != EOF; c = std::getc(stdin)) {
    any = true;
    if (c == '\n') break;
    fits = fits && line.size() < kMostLine;
    if (fits) line += static_cast<char>(c);
  }
  return !any ? Line::none : fits ? Line::whole : Line::too_long;
}

}  // namespace

CLI::App* ServeWords::add_to(CLI::App& program, const words::Words& w) {
  CLI::App* command = program.add_subcommand(
      "serve", w("Answer calls of another program until its input ends: labs, figures, numbers"));
  command
      ->add_flag("--stdio", stdio,
                 w("Calls on the standard input, answers on the standard output: JSON, one a line"))
      ->required();
  return command;
}

void serve(const words::Words& w) {
  Server server(w);
  std::string line;
  for (Line read = next_line(line); read != Line::none; read = next_line(line)) {
    if (read == Line::too_long) {
      print_out(server.refuse_long_line() + "\n");
    } else if (line.find_first_not_of(" \t\r") != std::string::npos) {
      print_out(server.answer(line) + "\n");
    }
  }
}

}  // namespace cli
