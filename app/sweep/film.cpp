#include "app/sweep/film.h"

#include <fmt/format.h>

#include <set>

#include "app/paper/file/session_carrier.h"
#include "app/sweep/apng.h"
#include "app/sweep/gif.h"
#include "app/sweep/video.h"
#include "app/system/atomic_file.h"
#include "app/system/folders.h"
#include "app/system/temporary_series.h"
#include "app/words/sentence.h"
#include "core/system/error.h"

namespace sweep {
namespace {

namespace fs = std::filesystem;

std::string ending_of(const fs::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending;
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return !path.has_filename() || fs::is_directory(path, error) || path.extension().empty();
}

// "frame-0001.png": with as many digits as the last one has, four at least.
int digits_of(int frames) {
  return std::max(4, static_cast<int>(fmt::format("{}", frames).size()));
}
std::string frame_name(int number, int frames) {
  return fmt::format("frame-{:0{}}.png", number, digits_of(frames));
}

// Frames of another film would stand among this one's.
void refuse_other_frames(const fs::path& folder, int frames) {
  std::set<std::string> own;
  for (int k = 1; k <= frames; ++k) own.insert(frame_name(k, frames));
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with("frame-") || !name.ends_with(".png") || own.contains(name)) continue;
    words::refuse<core::InputError>(
        N_("{}: expected a folder without frames of another film, got one with {}"),
        sys::shown_path(folder), name);
  }
}

// Nothing of it is seen before all of it is there.
class Folder final : public Film {
 public:
  Folder(const fs::path& folder, FilmFacts facts)
      : folder_(folder),
        facts_(std::move(facts)),
        frames_(folder, sys::make_folder(folder), "frame-{}.png", digits_of(facts_.frames)) {}

  void add(const paper::Pixels& frame, const core::Cancel&) override {
    sys::write_atomically(frames_.next(), png_of(frame, texts_of(facts_)));
  }
  void finish(const core::Cancel& cancel) override {
    cancel.poll();
    if (const std::error_code error = frames_.rename_all()) {
      words::refuse<sys::IoError>(N_("cannot write {}: {}"), sys::shown_path(folder_),
                                  core::system_reason(error));
    }
  }

 private:
  fs::path folder_;
  FilmFacts facts_;
  sys::TemporarySeries frames_;
};

}  // namespace

bool is_film(const fs::path& out) {
  const std::string ending = ending_of(out);
  for (const char* one : {".gif", ".png", ".apng", ".mp4", ".webm"}) {
    if (ending == one) return true;
  }
  return false;
}

FilmKind check_film(const fs::path& out, int frames) {
  const std::string ending = ending_of(out);
  if (is_folder(out)) {
    refuse_other_frames(out, frames);
    return FilmKind::folder;
  }
  if (ending == ".gif") return FilmKind::gif;
  if (ending == ".png" || ending == ".apng") return FilmKind::apng;
  if (ending != ".mp4" && ending != ".webm") {
    words::refuse<core::InputError>(
        N_("{}: expected a name that ends in .gif, .png, .apng, .mp4 or .webm, or a folder for the "
           "frames"),
        sys::shown_path(out));
  }
  if (ffmpeg_program().empty()) {
    words::refuse<core::InputError>(
        N_("{}: a film of this kind needs the ffmpeg program, which is not installed (Debian "
           "package ffmpeg); .gif and .png do not need it"),
        sys::shown_path(out));
  }
  return FilmKind::video;
}

std::unique_ptr<Film> open_film(const fs::path& out, const FilmFacts& facts) {
  switch (check_film(out, facts.frames)) {
    case FilmKind::gif: return std::make_unique<Gif>(out, facts);
    case FilmKind::apng: return std::make_unique<Apng>(out, facts);
    case FilmKind::video: return std::make_unique<Video>(out, facts);
    case FilmKind::folder: break;
  }
  return std::make_unique<Folder>(out, facts);
}

}  // namespace sweep
