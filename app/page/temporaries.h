// The hidden files that stand beside a target while it is written: never left behind by whatever
// end of the program can be noticed, and swept where it could not.
#pragma once

#include <filesystem>

namespace page {

// A new file ".TARGET.attnscope-PID-RANDOM.tmp" beside the target, removed with the object, when
// the program exits, and by remove_temporaries_on_signals.
class Temporary {
 public:
  // Opens it for writing, locked; `file()` is -1 and errno says why when that fails. The first time
  // a folder is written to, what older processes left there is removed: files of that name, of this
  // user, that nobody holds and whose process is gone.
  explicit Temporary(const std::filesystem::path& target);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  int file() const { return file_; }
  // Closes the file; the error of that, 0 when all went well.
  int close();
  // Renames it over the target; the error of that, 0 when all went well.
  int rename_to(const std::filesystem::path& target);

 private:
  std::filesystem::path path_;
  int file_ = -1, slot_ = -1;
};

// From now on a signal that would end the program removes its temporaries first. Signals that are
// ignored or handled stay so. One that says a file is too large is ignored: writing fails then.
void remove_temporaries_on_signals();

}  // namespace page
