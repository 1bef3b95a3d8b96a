#include "app/ui/frame/file_questions.h"

#include <filesystem>
#include <system_error>

#include "app/paper/export_figure.h"
#include "app/paper/file/session_carrier.h"
#include "app/sweep/make.h"
#include "app/words/sentence.h"

namespace ui {

std::string FileQuestions::default_name(const std::string& ending) const {
  const std::string name = fmt::format("{}.{}", program_.desk.lab().id, ending);
  return (std::filesystem::path(folder_) / name).string();
}

// What `check` throws about a path, in the reader's language; empty when it is good.
std::string FileQuestions::problem_of(const std::string& path,
                                      void (*check)(const std::filesystem::path&)) const {
  try {
    check(path);
  } catch (const core::InputError& error) {
    return words::translated(error, program_.words());
  }
  return std::string();
}

namespace {

// What the page calls a figure or plot of this id; the id where nothing is written over it.
std::string called(const lab::Page& page, const std::string& id) {
  for (const figure::Figure& one : page.figures) {
    if (one.id == id) return one.title.empty() ? id : one.title;
  }
  for (const figure::Figure& one : page.figures) {
    for (const figure::Plot& plot : one.plots) {
      if (plot.id == id && !plot.title.empty()) return plot.title;
      if (plot.id == id && !one.title.empty()) return one.title;
    }
  }
  return id;
}

}  // namespace

void FileQuestions::write(const std::string& ending, const std::string& figure) {
  if (!program_.pages.page()) return;
  const words::Words& w = program_.words();
  std::string path = default_name(ending);
  if (!figure.empty()) {
    path = (std::filesystem::path(folder_) / fmt::format("{}.{}", figure, ending)).string();
  }
  const std::string title =
      figure.empty() ? w("Export the page")
                     : w.format(N_("Export: {}"), called(program_.pages.page()->page, figure));
  const auto write = [this, figure](const std::string& to) {
    const auto folder = std::filesystem::path(to).parent_path();
    if (program_.exports.write(to, figure, &program_.looks.paper))
      folder_ = folder.empty() ? "." : folder.string();
  };
  const auto problem = [this](const std::string& to) {
    return problem_of(to, paper::check_ending);
  };
  const auto warning = [this, figure](const std::string& to) {
    constexpr double kLarge = 1e9;  // bytes
    const double bytes = program_.exports.bytes(to, figure);
    if (bytes < kLarge) return std::string();
    return program_.words().format(N_("It will take about {:.1f} GB of disk space."), bytes / 1e9);
  };
  dialogs_.ask_file(
      {.title = title,
       .action = w("Export"),
       .path = path,
       .done = write,
       .writes = true,
       .ending = "." + ending,
       .problem = problem,
       .warning = warning,
       .beside = [this](const Rect& r, const std::string& to) { export_panel_.draw(r, to); }});
  export_panel_.open(figure);
}

// Writes the lecture as it is seen, with the pen's strokes.
void FileQuestions::write_picture() {
  const words::Words& w = program_.words();
  dialogs_.ask_file({.title = w("Save the screen as a picture"),
                     .action = w("Write it"),
                     .path = default_name("png"),
                     .done =
                         [this](const std::string& path) {
                           if (write_picture_) write_picture_(path);
                         },
                     .writes = true,
                     .ending = ".png",
                     .problem =
                         [this](const std::string& path) {
                           const bool png = std::filesystem::path(path).extension() == ".png";
                           return png ? std::string()
                                      : program_.words().format(
                                            N_("expected a name that ends in .png, got \"{}\""),
                                            path);
                         }});
}

// At once and without a question: so nothing is replaced, a second file gets a number.
void FileQuestions::write_quickly(const std::string& ending) {
  std::string path = default_name(ending);
  std::error_code error;
  for (int k = 2; std::filesystem::exists(path, error); ++k) {
    const std::string name = fmt::format("{}-{}.{}", program_.desk.lab().id, k, ending);
    path = (std::filesystem::path(folder_) / name).string();
  }
  program_.exports.write(path);
}

void FileQuestions::save(bool then_quit) {
  const words::Words& w = program_.words();
  const std::string own = program_.files.own();
  const bool again = param::has_ending(own, ".attn");
  dialogs_.ask_file({.title = w("Save the session"),
                     .action = w("Save"),
                     .path = again ? own : default_name("attn"),
                     .done =
                         [this, then_quit](const std::string& path) {
                           if (program_.files.save(path) && then_quit) left_ = true;
                         },
                     .writes = true,
                     .own = again ? own : "",
                     .ending = ".attn",
                     .problem =
                         [this](const std::string& path) {
                           return problem_of(path, paper::check_session_ending);
                         }});
}

void FileQuestions::open() {
  const words::Words& w = program_.words();
  dialogs_.ask_file({.title = w("Open a session, an exported figure or a lesson"),
                     .action = w("Open"),
                     .path = (std::filesystem::path(folder_) / "").string(),
                     .done = [this](const std::string& path) { program_.files.open(path); }});
}

void FileQuestions::write_sweep(const std::string& figure) {
  if (!program_.pages.page()) return;
  const words::Words& w = program_.words();
  const sweep::Sweep swept = sweep_bar_.sweeper().sweep();
  const std::string name =
      fmt::format("{}-{}.gif", figure.empty() ? std::string(program_.desk.lab().id) : figure,
                  swept.tracks.front().id);
  dialogs_.ask_file({.title = w("Export the sweep (.gif .png .mp4 .webm, or a folder)"),
                     .action = w("Export"),
                     .path = (std::filesystem::path(folder_) / name).string(),
                     .done =
                         [this, swept, figure](const std::string& to) {
                           const auto folder = std::filesystem::path(to).parent_path();
                           if (program_.exports.write_film(to, swept, figure)) {
                             sweep_bar_.sweeper().pause();
                             folder_ = folder.empty() ? "." : folder.string();
                           }
                         },
                     .writes = true,
                     .ending = ".gif",
                     .problem =
                         [this](const std::string& to) {
                           try {
                             sweep::check_film(to, sweep::kMostFrames);
                           } catch (const core::InputError& error) {
                             return words::translated(error, program_.words());
                           }
                           return film_panel_.problem();
                         },
                     .beside = [this](const Rect& r, const std::string&) { film_panel_.draw(r); },
                     .wide = 820,
                     .high = 420});
  film_panel_.open(swept);
}

void FileQuestions::leave() {
  if (!program_.files.unsaved()) {
    left_ = true;
    return;
  }
  const std::string own = program_.files.own();
  const auto save = [this, own] {
    if (!param::has_ending(own, ".attn")) return this->save(true);
    if (program_.files.save(own)) left_ = true;
  };
  dialogs_.ask_to_leave(std::filesystem::path(own).filename().string(), save,
                        [this] { left_ = true; });
}

}  // namespace ui
