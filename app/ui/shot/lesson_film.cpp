#include "app/ui/shot/lesson_film.h"

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

#include "app/labs/labs.h"
#include "app/lesson/library.h"
#include "app/sweep/film.h"
#include "app/ui/frame/picture.h"
#include "core/text/characters.h"
#include "core/text/utf8.h"

namespace ui {
namespace {

constexpr double kLetters = 15, kIdeographs = 5;        // that are read in a second
constexpr double kLeastSeconds = 3, kMostSeconds = 20;  // of a part
constexpr double kDoneSeconds = 4;                      // that are shown of what a stop has done
constexpr float kLines = 720;                           // at which a lecture's type has its size
constexpr float kScale = 1.25f;

// What is shown for a while: a stop as it opens, or after its question or what it waits for.
struct Part {
  bool goes_on = false;  // the lesson goes forward as it begins
  int frames = 0;
};

// Its words, with a number's width where a number of the page will stand.
std::string words_of(const lesson::Paragraph& paragraph) {
  std::string text;
  for (const lesson::Piece& one : paragraph.pieces) {
    text += one.kind == lesson::Piece::Kind::live ? "0.00" : one.text;
  }
  return text;
}

std::vector<Part> parts_of(const lesson::Lesson& lesson, double fps) {
  const auto frames = [fps](double seconds) {
    return static_cast<int>(std::lround(std::clamp(seconds, kLeastSeconds, kMostSeconds) * fps));
  };
  const auto read = [&](const lesson::Text& text) {
    double seconds = 0;
    for (const lesson::Paragraph& one : text) seconds += reading_seconds(words_of(one));
    return seconds;
  };
  std::vector<Part> parts;
  for (const lesson::Stop& stop : lesson.stops) {
    double seconds = read(stop.text);
    if (stop.question) seconds += read({stop.question->asked});
    parts.push_back({!parts.empty(), frames(seconds)});
    if (stop.question) {
      parts.push_back({true, frames(read({stop.question->why}) + read(stop.question->after))});
    } else if (stop.wait) {
      parts.push_back({true, frames(kDoneSeconds)});
    }
  }
  return parts;
}

// Takes frame after frame of a window whose clock is the film's.
class Camera {
 public:
  Camera(state::Program& program, Shell& shell, sweep::Film& film)
      : program_(program), shell_(shell), film_(film) {}

  // A second in which nothing changed is taken to go on.
  void record(int frames, int second, const core::Cancel& cancel) {
    int still = 0;
    for (int k = 0; k < frames; ++k) {
      cancel.poll();
      if (still < second) still = look() ? 0 : still + 1;
      film_.add(seen_, cancel);
    }
  }

 private:
  // True where something changed.
  bool look() {
    program_.wait(std::nullopt);
    update(shell_, {});
    picture_.draw(shell_);
    if (picture_.drawn().empty() && !seen_.rgb.empty()) return false;
    const gl::Image image = picture_.pixels().image();
    seen_.width = image.width, seen_.height = image.height;
    const std::size_t pixels = image.rgba.size() / 4;
    seen_.rgb.resize(pixels * 3);
    for (std::size_t k = 0; k < pixels; ++k) {
      std::copy_n(image.rgba.data() + 4 * k, 3, seen_.rgb.data() + 3 * k);
    }
    return true;
  }

  state::Program& program_;
  Shell& shell_;
  sweep::Film& film_;
  Picture picture_;
  paper::Pixels seen_;
};

}  // namespace

double reading_seconds(const std::string& text) {
  double seconds = 0;
  for (std::size_t at = 0; at < text.size();) {
    const bool ideograph =
        core::character_kind(core::next_code_point(text, at)) == core::CharacterKind::single;
    seconds += 1 / (ideograph ? kIdeographs : kLetters);
  }
  return seconds;
}

void write_lesson_film(const LessonFilm& wanted, const core::Cancel& cancel, const Filmed& report) {
  const lesson::Lesson& lesson =
      wanted.own_lesson ? *wanted.own_lesson : lesson::shipped(wanted.lesson, wanted.language);
  const std::vector<Part> parts = parts_of(lesson, wanted.fps);
  int total = 0;
  for (const Part& one : parts) total += one.frames;
  const auto film = sweep::open_film(wanted.out, {.title = lesson.title,
                                                  .comment = words_of(lesson.about),
                                                  .forever = false,
                                                  .fps = wanted.fps,
                                                  .frames = total});
  state::Program program(lab::all());
  program.set_language(wanted.language);
  program.looks.moves = true;
  program.looks.lecture = {
      wanted.theme,
      wanted.scale > 0 ? wanted.scale : kScale * static_cast<float>(wanted.height) / kLines, true};
  const ImGuiSession session;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(wanted.width), static_cast<float>(wanted.height)};
  io.DeltaTime = static_cast<float>(1 / wanted.fps);
  io.MousePos = {-FLT_MAX, -FLT_MAX};
  Shell shell(program, {});
  if (wanted.own_lesson) {
    shell.lesson().begin(wanted.file, lesson, 0);
  } else {
    shell.lesson().begin(wanted.lesson, 0);
  }
  shell.lecture().begin();
  constexpr int kSettle = 3;  // scroll areas know their content after a frame
  for (int k = 0; k < kSettle; ++k) {
    program.wait(std::nullopt);
    update(shell, {});
  }
  Camera camera(program, shell, *film);
  int done = 0;
  for (const Part& one : parts) {
    if (one.goes_on) shell.lesson().forward();
    camera.record(one.frames, static_cast<int>(std::ceil(wanted.fps)), cancel);
    done += one.frames;
    if (report) report(done, total);
  }
  film->finish(cancel);
}

}  // namespace ui
