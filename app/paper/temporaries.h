// The files that stand beside a target while it is written: without a name where the file system
// has such files, and hidden where it has none. Hidden ones are never left behind by whatever end
// of the program can be noticed, and swept where it could not.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace paper {

// A new file in the target's folder that is gone with the object or the program, whatever ends
// that. Only at the end, or from the first where no other is to be had, it is called
// ".TARGET.attnscope-PID-RANDOM.tmp": then it is removed when the program exits, and by
// remove_temporaries_on_signals.
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
  // Closes it and puts it in the target's place; the error of that, 0 when all went well.
  int rename_to(const std::filesystem::path& target);

 private:
  void take_name(const std::filesystem::path& target);

  std::filesystem::path path_;  // empty while it has no name
  int file_ = -1, slot_ = -1;
};

// Files of a folder that belong together, "frame-0001.png" and on: hidden beside their places until
// all are there, and removed with the object, when the program exits and by
// remove_temporaries_on_signals where that never comes. What was
// in their places stays until then.
class TemporarySeries {
 public:
  // `name` with "{}" where the number stands, with so many digits. Of a folder that was made for it
  // nothing is left either.
  TemporarySeries(const std::filesystem::path& folder, bool made, std::string_view name,
                  int digits);
  ~TemporarySeries();
  TemporarySeries(const TemporarySeries&) = delete;
  TemporarySeries& operator=(const TemporarySeries&) = delete;

  // Where the next one is to be written, whole.
  std::filesystem::path next();
  // Renames all of them to their places, which takes a moment; the error of that, 0 when all went
  // well.
  int rename_all();

 private:
  std::filesystem::path hidden(int number) const;

  std::filesystem::path folder_;
  bool made_;
  std::string before_, after_;  // the number, in their names
  std::string mark_;            // behind the hidden ones' names
  int digits_, count_ = 0, slot_ = -1;
};

// From now on a signal that would end the program removes its temporaries first. Signals that are
// ignored or handled stay so. One that says a file is too large is ignored: writing fails then.
void remove_temporaries_on_signals();

}  // namespace paper
