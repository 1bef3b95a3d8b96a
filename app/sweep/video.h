// MP4 and WebM, by the ffmpeg program: frames go to it as they are, it writes the temporary. It
// ends with the film, or with the program, also where it hangs.
#pragma once

#include <filesystem>

#include "app/sweep/film.h"
#include "app/system/atomic_file.h"
#include "app/system/program.h"

namespace sweep {

// Path of the program; empty: it is not there.
std::filesystem::path ffmpeg_program();

class Video final : public Film {
 public:
  Video(const std::filesystem::path& out, FilmFacts facts);
  void add(const paper::Pixels& frame, const core::Cancel& cancel) override;
  void finish(const core::Cancel& cancel) override;

 private:
  // What it said, or its exit status where it said nothing.
  [[noreturn]] void fail(int status) const;

  sys::AtomicFile file_;
  FilmFacts facts_;
  bool mp4_ = false;
  sys::Program ffmpeg_;
};

}  // namespace sweep
