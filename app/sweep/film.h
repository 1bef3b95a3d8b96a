// Pictures one after the other, as a file: GIF, APNG, MP4 and WebM, or a folder of PNGs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/paper/export_figure.h"

namespace sweep {

struct FilmFacts {
  std::string title = {}, comment = {};  // for the file's metadata
  std::string session = {};  // of the first frame, as paper::PaperOptions has it; may be empty
  bool forever = true;       // it begins anew at its end
  double fps = 25;           // each frame is as long
  int frames = 0;            // that will come
};

class Film {
 public:
  virtual ~Film() = default;
  // All are of one size. `cancel` may stop it where it waits for another program.
  virtual void add(const paper::Pixels& frame, const core::Cancel& cancel) = 0;
  // Writes what is not written yet; without it nothing is left behind. `cancel` may stop it.
  virtual void finish(const core::Cancel& cancel) = 0;
};

inline constexpr double kLeastFps = 1, kMostFps = 60;

enum class FilmKind { gif, apng, video, folder };
// The kind by the ending: .gif, .png and .apng, .mp4 and .webm; none, or an existing folder, is a
// folder. Throws core::InputError for other endings, and where it is known beforehand that it
// cannot be written: the ffmpeg program is missing, other frames are in the folder.
FilmKind check_film(const std::filesystem::path& out, int frames);

// Whether its ending is that of a film in one file.
bool is_film(const std::filesystem::path& out);

// Opens such a film. Throws sys::IoError when it cannot be written.
std::unique_ptr<Film> open_film(const std::filesystem::path& out, const FilmFacts& facts);

}  // namespace sweep
