// MP4 and WebM, by the ffmpeg program: frames go to it as they are, it writes the temporary. It
// ends with the film, or with the program, also where it hangs.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>

#include "app/paper/atomic_file.h"
#include "app/sweep/film.h"

namespace sweep {

// Where the program lies; empty: it is not there.
std::string ffmpeg_program();

class Video final : public Film {
 public:
  Video(const std::filesystem::path& out, FilmFacts facts);
  ~Video() override;
  void add(const paper::Pixels& frame, const core::Cancel& cancel) override;
  void finish(const core::Cancel& cancel) override;

 private:
  void start(const paper::Pixels& first);
  void send(const std::uint8_t* bytes, std::size_t size, const core::Cancel& cancel);
  // Waits for it to end; its status as waitpid has it.
  int wait();
  [[noreturn]] void fail();

  paper::AtomicFile file_;
  FilmFacts facts_;
  bool mp4_ = false;
  pid_t process_ = -1;
  int pipe_ = -1, said_ = -1;  // what it reads, and where it says what is wrong
};

}  // namespace sweep
