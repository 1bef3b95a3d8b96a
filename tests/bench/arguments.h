// What a benchmark is told on its command line, read by CLI11: --help tells it, anything else is
// refused.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>

namespace bench {

class Arguments {
 public:
  Arguments& flag(const char* name, bool& value, const char* help) {
    app_.add_flag(name, value, help);
    return *this;
  }
  template <class T>
  Arguments& option(const char* name, T& value, const char* help) {
    app_.add_option(name, value, help)->capture_default_str();
    return *this;
  }
  Arguments& rounds(int& value) {
    app_.add_option("--rounds", value, "Rounds in which all take their turns")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    return *this;
  }
  Arguments& folder(std::string& value, const char* help) {
    app_.add_option("folder", value, help)->check(CLI::ExistingDirectory);
    return *this;
  }
  Arguments& quick(bool& value) { return flag("--quick", value, "The small sizes alone"); }
  Arguments& alone(bool& value) { return flag("--alone", value, "Without the peer"); }

  // Ends the program with status 2 at what is not expected, with 0 after --help.
  void read(int count, char** words) {
    try {
      app_.parse(count, words);
    } catch (const CLI::ParseError& error) {
      std::exit(app_.exit(error) == 0 ? 0 : 2);
    }
  }

 private:
  CLI::App app_;
};

}  // namespace bench
