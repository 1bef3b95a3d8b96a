// What the shell has to do with a sweep: its bar under the page, and its export.
#include <filesystem>

#include "app/lesson/lesson.h"
#include "app/sweep/make.h"
#include "app/ui/frame/shell.h"
#include "app/words/sentence.h"

namespace ui {

void Shell::sweep(const Rect& r) {
  sweep_bar_.draw(r);
  sweep_bar_.menus(sweep_bar_.open() ? stops_here() : std::vector<param::Values>());
}

// The scenes of the lesson that is open, of the lab that is shown, each once.
std::vector<param::Values> Shell::stops_here() const {
  std::vector<param::Values> all;
  const lesson::Play* play = lesson_.play();
  for (std::size_t k = 0; play && k < play->lesson().stops.size(); ++k) {
    const session::Session scene = lesson::scene(play->lesson(), k, true);
    if (scene.lab != program_.desk.now().lab) continue;
    if (all.empty() || all.back() != scene.values) all.push_back(scene.values);
  }
  return all;
}

void Shell::ask_sweep_export() {
  if (!program_.pages.page()) return;
  const words::Words& w = program_.words();
  const sweep::Sweep swept = sweep_bar_.sweeper().sweep();
  const std::string figure = page_view_.alone();
  const std::string name =
      fmt::format("{}-{}.gif", figure.empty() ? std::string(program_.desk.lab().id) : figure,
                  swept.tracks.front().id);
  dialogs_.ask_file({.title = w("Export the sweep (.gif .png .mp4 .webm, or a folder)"),
                     .action = w("Export"),
                     .path = (std::filesystem::path(export_folder_) / name).string(),
                     .done =
                         [this, swept, figure](const std::string& to) {
                           const auto folder = std::filesystem::path(to).parent_path();
                           if (program_.exports.write_film(to, swept, figure)) {
                             sweep_bar_.sweeper().pause();
                             export_folder_ = folder.empty() ? "." : folder.string();
                           }
                         },
                     .writes = true,
                     .ending = ".gif",
                     .problem =
                         [this](const std::string& to) {
                           try {
                             sweep::check_film(to, sweep::kMostFrames);
                           } catch (const core::InputError& error) {
                             return words::told(error, program_.words());
                           }
                           return film_panel_.problem();
                         },
                     .beside = [this](const Rect& r, const std::string&) { film_panel_.draw(r); },
                     .wide = 820,
                     .high = 420});
  film_panel_.open(swept);
}

}  // namespace ui
