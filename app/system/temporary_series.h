// Files of a folder that belong together and appear together.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "app/system/guard.h"

namespace sys {

// "frame-0001.png" and on: hidden beside their places until all are there, and removed with the
// object, and by the guard (guard.h) where its end never comes. What was in their places stays
// until then.
class TemporarySeries {
 public:
  // `name` with "{}" where the number stands, with so many digits. Of a folder that was made for it
  // nothing is left either.
  TemporarySeries(const std::filesystem::path& folder, bool made, std::string_view name,
                  int digits);
  ~TemporarySeries();
  TemporarySeries(const TemporarySeries&) = delete;
  TemporarySeries& operator=(const TemporarySeries&) = delete;

  // Path at which the next file is to be written, whole.
  std::filesystem::path next();
  // Renames all of them to their places, which takes a moment.
  std::error_code rename_all();

 private:
  std::filesystem::path hidden(int number) const;

  std::filesystem::path folder_;
  bool made_;
  std::string before_, after_;  // the number, in their names
  std::string mark_;            // behind the hidden ones' names
  int digits_, count_ = 0;
  Guard guard_;
};

}  // namespace sys
