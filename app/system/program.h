// Other programs, and this one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "app/system/temporary.h"
#include "core/types.h"

namespace sys {

// Path of the program of this name, in the folders that the environment names; empty: nowhere.
std::filesystem::path find_program(const std::string& name);

// The words that this program was started with, but for its name; in UTF-8.
std::vector<std::string> own_words(int count, char** words);

// Runs a program of this name to its end, where there is one in the folders of the environment; it
// reads nothing and what it says is not seen. True: it ended with status 0.
bool run_quietly(const std::string& name, std::vector<std::string> words);

// Another program that is fed with bytes and writes a file. It ends with the object or with this
// program, whatever ends that, also where it hangs.
class Program {
 public:
  Program() = default;
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Once. Its words begin with its name, as everywhere, and a last one is added: the path under
  // which it can write to `out`. It inherits no other open file.
  std::error_code start(const std::filesystem::path& program, std::vector<std::string> words,
                        const Temporary& out);
  bool started() const { return process_ > 0; }

  // Sends bytes to its standard input. False when it reads no more. core::Cancelled as soon as that
  // is asked for, also while it takes nothing.
  bool send(const std::uint8_t* bytes, std::size_t size, const core::Cancel& cancel);
  void end_of_input();
  // Exit status, -1 when something else has ended it; none: it still runs.
  std::optional<int> ended();
  // Waits for that.
  int wait();
  // Its standard output and error so far, at most so many bytes.
  std::string said(std::size_t most) const;

 private:
  std::intptr_t process_ = -1, input_ = -1, said_ = -1;
};

}  // namespace sys
