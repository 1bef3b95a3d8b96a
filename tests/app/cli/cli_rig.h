// The command line as tests give it words: what it answers, and what is said and written.
#pragma once

#include <doctest/doctest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "folder.h"
#include "variable.h"

namespace cli_rig {

namespace fs = std::filesystem;

// Sentences are checked in English, whatever the environment's language is.
inline const test::Variable kEnglish("LC_ALL", "C");

// Whose files have their names as words of the command line.
struct Folder : test::Folder {
  std::string operator/(const std::string& name) const { return file(name); }
};

inline int run(const std::vector<std::string>& words, int window_status = 7) {
  return cli::run(words, {[window_status](const cli::Wanted&) { return window_status; },
                          [](const cli::Wanted&) {}});
}

// What a stream is while this lives: a file of its own, or another.
class Redirected {
 public:
  Redirected(int stream, const std::string& path) : stream_(stream), kept_(::dup(stream)) {
    std::fflush(stdout);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    REQUIRE(file >= 0);
    ::dup2(file, stream_);
    ::close(file);
  }
  ~Redirected() {
    std::fflush(stdout);
    std::clearerr(stdout);
    ::dup2(kept_, stream_);
    ::close(kept_);
  }

 private:
  int stream_, kept_;
};

inline std::string read(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What is said to the standard error.
inline std::string said(const std::vector<std::string>& words) {
  const Folder folder;
  {
    const Redirected redirected(STDERR_FILENO, folder / "said");
    run(words);
  }
  return read(folder / "said");
}

}  // namespace cli_rig
