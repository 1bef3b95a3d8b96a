#include "app/ui/controls/dialogs.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>

#include "app/system/folders.h"
#include "app/ui/controls/widgets.h"

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
    {N_("Wheel"), N_("Move the page")},
    {N_("Ctrl wheel, drag"), N_("Zoom into a plot, pan; double click: show all")},
    {"Ctrl Z", N_("Undo")},
    {"Ctrl Shift Z", N_("Redo")},
    {"Ctrl S", N_("Save the session")},
    {"Ctrl O", N_("Open a session or an exported figure")},
    {"Ctrl E", N_("Export the figure under the pointer: paper, preview and file")},
    {"Ctrl Shift E", N_("Export the page as PDF at once")},
    {"Ctrl K", N_("Find anything by name: labs, lessons, stops, presets, knobs, papers, actions")},
    {"Ctrl F", N_("Search labs, lessons, stops, presets and knobs")},
    {"Ctrl T", N_("Dark or light")},
    {"Ctrl L", N_("English or Chinese")},
    {"F",
     N_("The figure under the pointer alone, or the whole page; also: double click its title")},
    {"H", N_("Hold the page: it stays as a ghost while you turn knobs")},
    {"C", N_("Show or hide captions")},
    {"M", N_("Sweep the focused knob; pause or go on")},
    {"Ctrl + − 0", N_("Larger, smaller, 100 %")},
    {"Page Up / Down", N_("Previous lab, next lab")},
    {N_("Tab, arrows"), N_("Move between controls, move a slider")},
    {"F5", N_("Lecture: figures full screen; Page Down or Space goes on, Page Up goes back")},
    {N_("In a lecture"),
     N_("S sentence, C captions, K knobs, R asks again (Shift R begins afresh), "
        "B black, W white, L spotlight (the wheel widens it), P pen (1 2 3 "
        "colours, E eraser, Delete all here, Shift Delete all everywhere), N "
        "notes in their own window, Ctrl E saves a picture")},
    {"Escape", N_("Unpin, leave a single figure or the start page, end a sweep")},
    {N_("Space"), N_("In a lesson: show what is asked for, or go on; also Page Down")},
    {N_("Backspace"), N_("In a lesson: previous stop; also Page Up")},
    {"1 2 3 …", N_("In a lesson: answer with the choice of that number")},
    {"Escape", N_("In a lesson: ask whether to leave it for the page that was there before")},
    {N_("Delete, right click"), N_("Take away the point under the pointer, where points are set")},
};

constexpr std::string_view kAboutKnobs =
    N_("On the right are the knobs that matter most and every knob that you have changed; the "
       "button below them shows the others. A knob that would change nothing is not shown. "
       "Right-click a knob's name, or press the button above the knobs, to sweep it; a bar then "
       "appears that plays, scrubs and exports the sweep.");

constexpr std::string_view kAboutSessions =
    N_("A session names the files that it reads and identifies them by their contents, so it can "
       "tell you when a file has changed. Contents of more than 16 MB are read in the background "
       "(the holes of sparse files are skipped); the bar below can cancel this. Until the contents "
       "have been read, and when a command would have to read more than 4 GB, the session uses "
       "length and time instead and says so.");

constexpr std::string_view kAboutStart =
    N_("Learn takes the next lesson, or the one that you left, where you left it. Try shows what "
       "every head of a trained model does with a sentence, or trains a GPT on a text of yours. "
       "Open takes a file; it can be dropped anywhere on the window, too. A route is a series of "
       "lessons; its minutes count its own lessons, and those listed below them are optional. Each "
       "picture is computed by its lab and opens it with that preset. Ctrl K finds anything by "
       "name.");

}  // namespace

void Dialogs::show(Kind kind) {
  kind_ = kind;
  opening_ = true;
}

void Dialogs::ask_file(FileQuestion question) {
  if (choose_ && !question.writes && !question.adds) return choose_(std::move(question.done));
  show(Kind::file);
  question_ = std::move(question);
  path_ = question_.path;
  listed_.clear();
  problem_.clear();
  asked_.clear();
}

void Dialogs::ask_to_leave(const std::string& file, std::function<void()> save,
                           std::function<void()> discard) {
  show(Kind::leave);
  file_ = file;
  save_ = std::move(save);
  discard_ = std::move(discard);
}

void Dialogs::ask(const std::string& title, const std::string& text, const std::string& action,
                  std::function<void()> done) {
  show(Kind::question);
  two_ = {title, text, action, std::move(done)};
}

void Dialogs::show_help(bool on_start) {
  show(Kind::help);
  on_start_ = on_start;
}

void Dialogs::close() {
  kind_ = Kind::none;
  edit_.id.clear();
  ImGui::CloseCurrentPopup();
}

void Dialogs::edit_path() {
  asked_.clear();
  open_edit(edit_, kPathBox, path_);
}

void Dialogs::accept(bool asked) {
  const fs::path typed(path_);
  if ((question_.writes || question_.adds) && !typed.filename().empty() && !typed.has_extension()) {
    path_ += question_.ending;
  }
  std::error_code error;
  const bool folder = fs::is_directory(path_, error);
  if (folder) path_ = (fs::path(path_) / "").string();
  problem_ = path_.empty()                  ? std::string(gui_.words()("expected a name, got none"))
             : question_.problem && !folder ? question_.problem(path_)
                                            : std::string();
  if (folder || !problem_.empty()) return edit_path();
  const bool there = question_.writes && fs::exists(path_, error) &&
                     !(!question_.own.empty() && fs::equivalent(path_, question_.own, error));
  const std::string warning = question_.warning && !asked ? question_.warning(path_) : "";
  if ((there || !warning.empty()) && !asked) {
    const words::Words& w = gui_.words();
    const std::string name = fs::path(path_).filename().string();
    asked_ = path_;
    replaces_ = there;
    question_about_it_ =
        !there
            ? warning
            : w.format(N_("{} {}"), w.format(N_("{} already exists. Replace it?"), name), warning);
    gui_.keyboard().focus("dialog.keep", true);
    return;
  }
  const auto done = question_.done;
  const std::string path = path_;
  close();
  if (done) done(path);
}

void Dialogs::draw() {
  ImGuiContext& imgui = *ImGui::GetCurrentContext();
  if (kind_ == Kind::none) {
    imgui.DimBgRatio = 0;
    return;
  }
  if (opening_) {
    ImGui::OpenPopup(kPopup);
    if (kind_ == Kind::file && !question_.adds) open_edit(edit_, kPathBox, path_);
    if (kind_ == Kind::leave) gui_.keyboard().focus("dialog.save", true);
    if (kind_ == Kind::question) gui_.keyboard().focus("dialog.stay", true);
  }
  imgui.DimBgRatio = 1;  // at once: it would go on fading only while there are events
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool beside = kind_ == Kind::file && question_.beside;
  const bool own = beside && question_.wide > 0;
  const float wide = own ? question_.wide : beside ? 1040 : kind_ == Kind::help ? 900 : 560;
  const float w = std::min(gui_.px(wide), screen.x - gui_.px(24));
  const float units = own                             ? question_.high
                      : kind_ == Kind::help || beside ? 620
                      : kind_ == Kind::file           ? 420
                                                      : 150;
  const float h = std::min(gui_.px(units), screen.y - gui_.px(24));
  const Rect r{std::round((screen.x - w) / 2), std::round((screen.y - h) / 2), w, h};
  ImGui::SetNextWindowPos({r.x, r.y});
  ImGui::SetNextWindowSize({r.w, r.h});
  if (!ImGui::BeginPopupModal(kPopup, nullptr,
                              ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse)) {
    kind_ = Kind::none;
    return;
  }
  gui_.keyboard().push_layer();
  gui_.outline(r, mix(gui_.theme().line, gui_.theme().text, 0.2f));
  if (kind_ == Kind::file) {
    draw_file(r);
  } else if (kind_ == Kind::leave) {
    draw_leave(r);
  } else if (kind_ == Kind::question) {
    draw_question(r);
  } else {
    draw_help(r);
  }
  opening_ = false;
  if (kind_ != Kind::none && gui_.keyboard().take(GLFW_KEY_ESCAPE)) {
    asked_.empty() || kind_ != Kind::file ? close() : edit_path();
  }
  gui_.keyboard().pop_layer();
  ImGui::EndPopup();
}

// A row of buttons at the foot of a dialog, the last at the right; the id of the one pressed, else
// null.
const char* Dialogs::buttons(const Rect& r, const std::vector<Choice>& choices) {
  const float pad = gui_.px(18), height = gui_.px(30);
  float right = r.right() - pad;
  const char* pressed = nullptr;
  std::vector<Rect> places;
  for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice) {
    const float width = std::max(gui_.px(80), button_width(gui_, choice->label, {}));
    right -= width;
    places.insert(places.begin(), {right, r.bottom() - pad - height, width, height});
    right -= gui_.px(8);
  }
  for (std::size_t k = 0; k < choices.size(); ++k) {
    ButtonLook look;
    if (choices[k].accent) look.kind = ButtonLook::Kind::accent;
    if (button(gui_, choices[k].id, places[k], choices[k].label, look)) pressed = choices[k].id;
  }
  return pressed;
}

void Dialogs::draw_leave(const Rect& r) {
  const words::Words& w = gui_.words();
  const float pad = gui_.px(18);
  gui_.text(r.x + pad, r.y + gui_.px(26), w("Save the changes?"), TextStyle::panel,
            gui_.theme().text);
  gui_.paragraph(r.x + pad, r.y + gui_.px(48), r.w - 2 * pad,
                 w.format(N_("Knobs have changed since {} was saved or opened."), file_),
                 TextStyle::body, gui_.theme().dim);
  const char* pressed = buttons(r, {{"dialog.stay", w("Stay"), false},
                                    {"dialog.discard", w("Discard"), false},
                                    {"dialog.save", w("Save"), true}});
  if (!pressed) return;
  const std::string_view id(pressed);
  const auto save = save_, discard = discard_;
  close();
  if (id == "dialog.save") save();
  if (id == "dialog.discard") discard();
}

void Dialogs::draw_question(const Rect& r) {
  const float pad = gui_.px(18);
  gui_.text(r.x + pad, r.y + gui_.px(26), two_.title, TextStyle::panel, gui_.theme().text);
  gui_.paragraph(r.x + pad, r.y + gui_.px(48), r.w - 2 * pad, two_.text, TextStyle::body,
                 gui_.theme().dim);
  const char* pressed =
      buttons(r, {{"dialog.stay", gui_.words()("Stay"), true}, {"dialog.go", two_.action, false}});
  if (!pressed) return;
  const auto done = two_.done;
  close();
  if (std::string_view(pressed) == "dialog.go") done();
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
  const float pad = gui_.px(18), x = r.x + pad;
  const float width = question_.beside ? std::round(r.w * 0.38f) - pad : r.w - 2 * pad;
  gui_.text_in(x, r.y + gui_.px(26), r.w - 2 * pad, question_.title, TextStyle::panel, theme.text);
  const Rect box{x, r.y + gui_.px(46), width, gui_.px(30)};
  BoxLook look;
  look.align = 0;
  look.wrong = !problem_.empty();
  const EditEvent event = text_box(gui_, edit_, kPathBox, box, path_, look);
  if (edit_.id == kPathBox || event == EditEvent::applied) path_ = edit_.buffer;
  if (event == EditEvent::changed) problem_.clear();
  if (path_ != asked_) asked_.clear();
  if (event == EditEvent::escaped) return close();
  if (event == EditEvent::applied) return accept(false);
  list_folder();
  const float foot = gui_.px(30) + gui_.px(12), top = box.bottom() + gui_.px(10);
  const std::string& said = asked_.empty() ? problem_ : question_about_it_;
  const float line = said.empty() ? 0 : gui_.px(26);
  draw_entries({x, top, width, r.bottom() - pad - foot - line - top});
  if (kind_ == Kind::none) return;
  if (question_.beside) {
    const float left = x + width + pad;
    question_.beside({left, box.y, r.right() - pad - left, r.bottom() - pad - foot - line - box.y},
                     path_);
  }
  if (!said.empty()) {
    gui_.text_or_tip("dialog.said", x, r.bottom() - pad - foot - gui_.px(8), width, said,
                     TextStyle::body, problem_.empty() ? theme.text : theme.bad);
    gui_.control("dialog.said", {x, r.bottom() - pad - foot - line, width, line});
  }
  if (asked_.empty()) {
    const char* pressed = buttons(
        r, {{"dialog.cancel", w("Cancel"), false}, {"dialog.accept", question_.action, true}});
    if (!pressed) return;
    return pressed == std::string_view("dialog.accept") ? accept(false) : close();
  }
  const char* pressed =
      buttons(r, {{"dialog.keep", w("Another name"), true},
                  {"dialog.replace", replaces_ ? w("Replace") : w("Write it"), false}});
  if (!pressed) return;
  pressed == std::string_view("dialog.replace") ? accept(true) : edit_path();
}

void Dialogs::draw_entries(const Rect& r) {
  gui_.outline(r, gui_.theme().line, gui_.px(6));
  ImGui::SetCursorScreenPos({r.x + gui_.px(4), r.y + gui_.px(4)});
  ImGui::BeginChild("entries", {r.w - gui_.px(8), r.h - gui_.px(8)});
  const auto row = [&](const std::string& name, bool folder, const std::string& to) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect line{at.x, at.y, ImGui::GetContentRegionAvail().x, gui_.px(25)};
    ImGui::Dummy({line.w, line.h});
    if (menu_item(gui_, fmt::format("dialog.entry.{}", name), line,
                  fmt::format("{}{}", name, folder ? "/" : ""))) {
      path_ = to;
      problem_.clear();
    }
  };
  const fs::path folder(listed_);
  const std::string typed_name = fs::path(path_).filename().string();
  std::error_code error;
  const fs::path above = fs::absolute(folder, error).lexically_normal().parent_path();
  row("..", true, (above / typed_name).string());
  if (above == above.root_path()) {
    for (const fs::path& root : sys::roots()) {
      if (root != above) row(root.string(), false, (root / typed_name).string());
    }
  }
  for (const Entry& entry : entries_) {
    const fs::path full = folder / entry.name;
    row(entry.name, entry.folder, entry.folder ? (full / typed_name).string() : full.string());
  }
  ImGui::EndChild();
}

float Dialogs::help_on_start(float x, float y, float room) const {
  const words::Words& w = gui_.words();
  gui_.text(x, y + gui_.px(12), w("Start page"), TextStyle::panel, gui_.theme().text);
  y += gui_.px(32);
  const float h = gui_.paragraph(x, y, room, w(kAboutStart), TextStyle::body, gui_.theme().text);
  gui_.control("help.start", {x, y, room, h});
  return y + h;
}

float Dialogs::help_on_lab(float x, float y, float room) const {
  const words::Words& w = gui_.words();
  const lab::Lab& lab = program_.desk.lab();
  for (const std::string& line : gui_.wrap(w(lab.title), TextStyle::panel, room)) {
    gui_.text(x, y + gui_.px(12), line, TextStyle::panel, gui_.theme().text);
    y += gui_.px(24);
  }
  y += gui_.px(8);
  y += gui_.paragraph(x, y, room, w(lab.about), TextStyle::body, gui_.theme().text) + gui_.px(10);
  y += gui_.paragraph(x, y, room, w(kAboutKnobs), TextStyle::body, gui_.theme().dim) + gui_.px(10);
  return y + gui_.paragraph(x, y, room, w(kAboutSessions), TextStyle::body, gui_.theme().dim);
}

float Dialogs::help_on_keys(float x, float y, float room) const {
  const words::Words& w = gui_.words();
  gui_.text(x, y + gui_.px(12), w("Shortcuts"), TextStyle::panel, gui_.theme().text);
  y += gui_.px(32);
  for (const Shortcut& shortcut : kShortcuts) {
    gui_.text(x, y + gui_.px(9), w(shortcut.keys), TextStyle::mono, gui_.theme().text);
    y += gui_.paragraph(x + gui_.px(160), y, room - gui_.px(160), w(shortcut.does), TextStyle::body,
                        gui_.theme().dim) +
         gui_.px(5);
  }
  return y;
}

void Dialogs::draw_help(const Rect& r) {
  const words::Words& w = gui_.words();
  const float pad = gui_.px(20);
  const std::string label(w("Close"));
  const float width = std::max(gui_.px(80), button_width(gui_, label, {}));
  if (button(gui_, "dialog.close",
             {r.right() - pad - width, r.bottom() - gui_.px(46), width, gui_.px(30)}, label) ||
      gui_.keyboard().take(GLFW_KEY_F1)) {
    return close();
  }
  ImGui::SetCursorScreenPos({r.x, r.y + gui_.px(12)});
  ImGui::BeginChild("help", {r.w, r.h - gui_.px(66)});
  if (opening_) ImGui::SetScrollY(0);
  const float all = r.w - 2 * pad - gui_.px(8);
  // The lab's text and the shortcuts side by side; under each other where that is too narrow.
  const bool two = all >= gui_.px(640);
  const float x = r.x + pad, gap = gui_.px(36);
  const float room = two ? std::round((all - gap) * 0.45f) : all;
  const float top = r.y + gui_.px(14) - ImGui::GetScrollY();
  float y = on_start_ ? help_on_start(x, top, room) : help_on_lab(x, top, room);
  const float under = y + gui_.px(16);
  y = std::max(
      y, two ? help_on_keys(x + room + gap, top, all - room - gap) : help_on_keys(x, under, room));
  extend_content(y + gui_.px(8));
  ImGui::EndChild();
}

}  // namespace ui
