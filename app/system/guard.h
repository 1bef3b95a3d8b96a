// Files that go when the program ends before they have become what they are to be.
#pragma once

#include <filesystem>
#include <string>

namespace sys {

// While one lives, the end of the program removes its paths: a return from main, a call of exit,
// and the signals that remove_guarded_on_signals asks for. Some live at once and no more: what is
// beyond that is not guarded.
class Guard {
 public:
  // One path.
  explicit Guard(const std::filesystem::path& path);
  // A series of paths in a folder, "BEFORE0001AFTER" and on, with so many digits: none yet. Of a
  // folder that was made for it nothing is left either.
  Guard(const std::filesystem::path& folder, bool made, const std::string& before, int digits,
        const std::string& after);
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // Guards the first `count` paths of the series.
  void cover(int count);

 private:
  int slot_ = -1;
};

// Makes signals that would end the program remove what is guarded first. Signals that are ignored
// or handled stay so. One that says a file is too large is ignored: writing fails then.
void remove_guarded_on_signals();

}  // namespace sys
