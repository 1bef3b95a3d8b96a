// Files of the shell: what is saved, opened, exported and dropped, what is asked before it is lost,
// and the control map.
#include <cmath>
#include <filesystem>
#include <system_error>

#include "app/paper/export_figure.h"
#include "app/paper/file/session_carrier.h"
#include "app/ui/frame/control_map.h"
#include "app/ui/frame/shell.h"
#include "app/words/sentence.h"

namespace ui {

std::string Shell::default_name(const std::string& ending) const {
  const std::string name = fmt::format("{}.{}", program_.desk.lab().id, ending);
  return (std::filesystem::path(export_folder_) / name).string();
}

// What `check` throws about a path, in the reader's language; empty when it is good.
std::string Shell::problem_of(const std::string& path,
                              void (*check)(const std::filesystem::path&)) const {
  try {
    check(path);
  } catch (const core::InputError& error) {
    return words::told(error, program_.words());
  }
  return std::string();
}

void Shell::ask_export(const std::string& ending, const std::string& figure) {
  if (!program_.pages.page()) return;
  const words::Words& w = program_.words();
  std::string path = default_name(ending);
  if (!figure.empty()) {
    path = (std::filesystem::path(export_folder_) / fmt::format("{}.{}", figure, ending)).string();
  }
  const std::string title =
      figure.empty() ? w("Export the page") : w.format(N_("Export the figure {}"), figure);
  const auto write = [this, figure](const std::string& to) {
    const auto folder = std::filesystem::path(to).parent_path();
    if (program_.exports.write(to, figure, &program_.looks.paper))
      export_folder_ = folder.empty() ? "." : folder.string();
  };
  const auto problem = [this](const std::string& to) {
    return problem_of(to, paper::check_ending);
  };
  const auto warning = [this, figure](const std::string& to) {
    constexpr double kLarge = 1e9;  // bytes
    const double bytes = program_.exports.bytes(to, figure);
    if (bytes < kLarge) return std::string();
    return program_.words().format(N_("It will take about {:.1f} GB of the disk."), bytes / 1e9);
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

// Of the lecture as it is seen, with the pen's strokes.
void Shell::ask_picture() {
  const words::Words& w = program_.words();
  dialogs_.ask_file({.title = w("Write what is on screen as a picture"),
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
void Shell::export_quickly(const std::string& ending) {
  std::string path = default_name(ending);
  std::error_code error;
  for (int k = 2; std::filesystem::exists(path, error); ++k) {
    const std::string name = fmt::format("{}-{}.{}", program_.desk.lab().id, k, ending);
    path = (std::filesystem::path(export_folder_) / name).string();
  }
  program_.exports.write(path);
}

void Shell::ask_save(bool then_quit) {
  const words::Words& w = program_.words();
  const std::string own = program_.files.own();
  const bool again = param::has_ending(own, ".attn");
  dialogs_.ask_file({.title = w("Save the session"),
                     .action = w("Save"),
                     .path = again ? own : default_name("attn"),
                     .done =
                         [this, then_quit](const std::string& path) {
                           if (program_.files.save(path) && then_quit) quit_ = true;
                         },
                     .writes = true,
                     .own = again ? own : "",
                     .ending = ".attn",
                     .problem =
                         [this](const std::string& path) {
                           return problem_of(path, paper::check_session_ending);
                         }});
}

void Shell::ask_to_quit() {
  if (!program_.files.unsaved()) {
    quit_ = true;
    return;
  }
  const std::string own = program_.files.own();
  const auto save = [this, own] {
    if (!param::has_ending(own, ".attn")) return ask_save(true);
    if (program_.files.save(own)) quit_ = true;
  };
  dialogs_.ask_to_leave(std::filesystem::path(own).filename().string(), save,
                        [this] { quit_ = true; });
}

void Shell::drop(const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  // No lab is on screen that could take it.
  if (start_.open() || !program_.files.take(paths.front())) program_.files.open(paths.front());
}

void Shell::ask_open() {
  const words::Words& w = program_.words();
  dialogs_.ask_file({.title = w("Open a session, an exported figure or a lesson"),
                     .action = w("Open"),
                     .path = (std::filesystem::path(export_folder_) / "").string(),
                     .done = [this](const std::string& path) { program_.files.open(path); }});
}

std::string Shell::control_map(const InputCount& input, long frames, bool answered) const {
  ControlMapFacts facts;
  facts.frames = frames;
  facts.settled = answered && settled();
  facts.sleeps = facts.settled && std::isinf(next_change());
  facts.said = &said_;
  facts.marked = page_view_.last_marked();
  facts.clicks = clicks_;
  facts.double_clicks = double_clicks_;
  const ImGuiIO& io = ImGui::GetIO();
  facts.width = static_cast<int>(io.DisplaySize.x);
  facts.height = static_cast<int>(io.DisplaySize.y);
  const auto inside = [](float at, float size) {
    return at >= 0 && at < size ? static_cast<int>(std::lround(at)) : -1;
  };
  facts.pointer_x = inside(io.MousePos.x, io.DisplaySize.x);
  facts.pointer_y = inside(io.MousePos.y, io.DisplaySize.y);
  for (int button = 0; button < IM_ARRAYSIZE(io.MouseDown); ++button) {
    if (io.MouseDown[button]) facts.buttons_down.push_back(button);
  }
  facts.input = input;
  facts.first_page_s = first_page_s_;
  facts.controls = &gui_.controls();
  static const std::map<std::string, PageView::PlotPlace> none;
  facts.plots = start_.open() ? &none : &page_view_.plots();
  if (!start_.open()) facts.hits = page_view_.hits();
  facts.lesson = lesson_.standing();
  facts.tip = gui_.tip_now();
  facts.sweep = &sweep_bar_.sweeper();
  facts.lecture = lecture_.standing();
  return control_map_json(program_, facts);
}

}  // namespace ui
