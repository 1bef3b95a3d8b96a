#include "app/ui/dialogs.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <filesystem>

#include "app/ui/widgets.h"

namespace ui {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPopup = "dialog";
constexpr const char* kPathBox = "dialog.path";

struct Shortcut {
  const char* keys;
  const char* does;
};
constexpr Shortcut kShortcuts[] = {
    {"Ctrl Z", N_("Undo")},
    {"Ctrl Shift Z", N_("Redo")},
    {"Ctrl S", N_("Save the session")},
    {"Ctrl O", N_("Open a session or an exported figure")},
    {"Ctrl E", N_("Export the figure under the pointer")},
    {"Ctrl Shift E", N_("Export the page as PDF at once")},
    {"Ctrl F", N_("Search labs, knobs and presets")},
    {"Ctrl T", N_("Dark or light")},
    {"Ctrl L", N_("English or Chinese")},
    {"Ctrl + − 0", N_("Larger, smaller, 100 %")},
    {"Page Up / Down", N_("The lab before, the lab after")},
    {N_("Tab, arrows"), N_("Walk over the controls, move a slider")},
    {"Escape", N_("Un-pin")},
    {N_("Delete, right click"), N_("Take away the point under the pointer, where points are set")},
    {N_("Wheel, drag"), N_("Zoom into a plot, move what it shows; double click: the whole")},
};

}  // namespace

void Dialogs::ask_file(FileQuestion question) {
  kind_ = Kind::file;
  opening_ = true;
  question_ = std::move(question);
  path_ = question_.path;
  listed_.clear();
}

void Dialogs::close() {
  kind_ = Kind::none;
  edit_.id.clear();
  ImGui::CloseCurrentPopup();
}

void Dialogs::accept() {
  const auto done = question_.done;
  const std::string path = path_;
  close();
  if (done) done(path);
}

void Dialogs::draw() {
  if (kind_ == Kind::none) return;
  if (opening_) {
    ImGui::OpenPopup(kPopup);
    if (kind_ == Kind::file) open_edit(edit_, kPathBox, path_);
    opening_ = false;
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float w = std::min(gui_.px(560), screen.x - gui_.px(24));
  const float h = std::min(gui_.px(kind_ == Kind::help ? 520 : 420), screen.y - gui_.px(24));
  const Rect r{std::round((screen.x - w) / 2), std::round((screen.y - h) / 2), w, h};
  ImGui::SetNextWindowPos({r.x, r.y});
  ImGui::SetNextWindowSize({r.w, r.h});
  if (!ImGui::BeginPopupModal(kPopup, nullptr,
                              ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse)) {
    kind_ = Kind::none;
    return;
  }
  gui_.push_layer();
  if (kind_ == Kind::file) {
    draw_file(r);
  } else {
    draw_help(r);
  }
  if (kind_ != Kind::none && gui_.take(GLFW_KEY_ESCAPE)) close();
  gui_.pop_layer();
  ImGui::EndPopup();
}

void Dialogs::list_folder() {
  std::error_code error;
  const fs::path parent = fs::path(path_).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (folder == listed_) return;
  listed_ = folder;
  entries_.clear();
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.empty() || name[0] == '.') continue;
    std::error_code unreadable;
    const bool is_folder = it->is_directory(unreadable);
    const bool wanted = question_.endings.empty() || param::has_ending(name, question_.endings);
    if (is_folder || wanted) entries_.push_back({name, is_folder});
    if (entries_.size() >= 2000) break;
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::pair(!a.folder, a.name) < std::pair(!b.folder, b.name);
  });
}

void Dialogs::draw_file(const Rect& r) {
  const words::Words& w = gui_.words();
  const figure::Theme& theme = gui_.theme();
  const float pad = gui_.px(18), x = r.x + pad, width = r.w - 2 * pad;
  gui_.text(x, r.y + gui_.px(26), question_.title, TextStyle::panel, theme.text);
  const Rect box{x, r.y + gui_.px(46), width, gui_.px(30)};
  BoxLook look;
  look.align = 0;
  const EditEvent event = text_box(gui_, edit_, kPathBox, box, path_, look);
  if (edit_.id == kPathBox || event == EditEvent::applied) path_ = edit_.buffer;
  if (event == EditEvent::escaped) return close();
  if (event == EditEvent::applied) return accept();
  list_folder();
  const float buttons = gui_.px(30), top = box.bottom() + gui_.px(10);
  const float bottom = r.bottom() - pad - buttons - gui_.px(12);
  gui_.outline({x, top, width, bottom - top}, theme.line, gui_.px(6));
  ImGui::SetCursorScreenPos({x + gui_.px(4), top + gui_.px(4)});
  ImGui::BeginChild("entries", {width - gui_.px(8), bottom - top - gui_.px(8)});
  const auto row = [&](const std::string& name, bool folder, const std::string& to) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect line{at.x, at.y, ImGui::GetContentRegionAvail().x, gui_.px(25)};
    ImGui::Dummy({line.w, line.h});
    if (menu_item(gui_, fmt::format("dialog.entry.{}", name), line,
                  fmt::format("{}{}", name, folder ? "/" : "")))
      path_ = to;
  };
  const fs::path folder(listed_);
  const std::string typed_name = fs::path(path_).filename().string();
  std::error_code error;
  const fs::path above = fs::absolute(folder, error).lexically_normal().parent_path();
  row("..", true, (above / typed_name).string());
  for (const Entry& entry : entries_) {
    const fs::path full = folder / entry.name;
    row(entry.name, entry.folder, entry.folder ? (full / typed_name).string() : full.string());
  }
  ImGui::EndChild();
  const float y = r.bottom() - pad - buttons;
  const float accept_width = std::max(gui_.px(90), button_width(gui_, question_.action, {}));
  const std::string cancel(w("Cancel"));
  const float cancel_width = std::max(gui_.px(80), button_width(gui_, cancel, {}));
  ButtonLook accent;
  accent.kind = ButtonLook::Kind::accent;
  if (button(gui_, "dialog.cancel",
             {r.right() - pad - accept_width - gui_.px(8) - cancel_width, y, cancel_width, buttons},
             cancel)) {
    return close();
  }
  if (button(gui_, "dialog.accept", {r.right() - pad - accept_width, y, accept_width, buttons},
             question_.action, accent)) {
    accept();
  }
}

void Dialogs::draw_help(const Rect& r) {
  const words::Words& w = gui_.words();
  const figure::Theme& theme = gui_.theme();
  const float pad = gui_.px(20);
  const std::string label(w("Close"));
  const float width = std::max(gui_.px(80), button_width(gui_, label, {}));
  if (button(gui_, "dialog.close",
             {r.right() - pad - width, r.bottom() - gui_.px(46), width, gui_.px(30)}, label) ||
      gui_.take(GLFW_KEY_F1)) {
    return close();
  }
  ImGui::SetCursorScreenPos({r.x, r.y + gui_.px(12)});
  ImGui::BeginChild("help", {r.w, r.h - gui_.px(66)});
  const float x = r.x + pad, room = r.w - 2 * pad - gui_.px(8);
  float y = r.y + gui_.px(14) - ImGui::GetScrollY();
  const lab::Lab& lab = model_.lab();
  gui_.text(x, y + gui_.px(12), w(lab.title), TextStyle::panel, theme.text);
  y += gui_.px(32);
  y += gui_.paragraph(x, y, room, w(lab.about), TextStyle::body, theme.text) + gui_.px(16);
  gui_.text(x, y + gui_.px(8), w("Shortcuts"), TextStyle::label_bold, theme.dim);
  y += gui_.px(24);
  for (const Shortcut& shortcut : kShortcuts) {
    gui_.text(x, y + gui_.px(9), w(shortcut.keys), TextStyle::mono, theme.text);
    const float used = gui_.paragraph(x + gui_.px(140), y, room - gui_.px(140), w(shortcut.does),
                                      TextStyle::body, theme.dim);
    y += used + gui_.px(5);
  }
  extend_content(y + gui_.px(8));
  ImGui::EndChild();
}

}  // namespace ui
