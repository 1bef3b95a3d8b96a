#include "app/ui/frame/window.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "app/labs/labs.h"
#include "app/paper/file/png_writer.h"
#include "app/paper/file/session_carrier.h"
#include "app/state/files/settings.h"
#include "app/system/atomic_file.h"
#include "app/system/streams.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/frame/control_map.h"
#include "app/ui/frame/notes_window.h"
#include "app/ui/frame/renderer.h"
#include "app/ui/frame/window_icon.h"
#include "app/words/sentence.h"

namespace ui {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

// Writes a line to the standard error; where nothing can be written there, nothing is.
void report(const std::string& message) {
  const std::string line = "attnscope: " + message + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

// ImGui needs a few frames after an event, and one more after a new page, until sizes and scrolling
// have settled.
constexpr int kFramesAfterEvent = 3, kFramesAfterPage = 2;
constexpr int kFramesUntilGone = 3;   // the dialog that asked for a picture
constexpr double kBetweenMaps = 0.1;  // seconds, while pictures follow one another
// At 100 %: what the header's buttons and a figure of some rows need.
constexpr float kLeastWidth = 480, kLeastHeight = 360;

class App {
 public:
  explicit App(const WindowOptions& options)
      : program_(lab::all(), [] { gl::wake(); }), map_(options.control_map) {
    take_settings(options);
    if (options.session) program_.files.restore(*options.session);
    if (options.session && !options.file.empty()) program_.files.opened_from(options.file);
    window_ = std::make_unique<gl::Window>(options.width, options.height, "attnscope");
    if (!options.sized) window_->fit_to_screen();
    give_icon(*window_);
    take_scale(options);
    imgui_ = std::make_unique<ImGuiSession>();
    renderer_ = std::make_unique<Renderer>();
    shell_ = std::make_unique<Shell>(program_, [] { gl::wake(); });
    shell_->files().write_pictures_by([this](const std::string& path) {
      picture_.path = path;
      picture_.after = kFramesUntilGone;
      program_.messages.dismiss();
      frames_.left = kFramesAfterEvent;
    });
    connect();
    if (options.own_lesson) shell_->lesson().begin(options.file, *options.own_lesson, options.stop);
    if (!options.lesson.empty()) shell_->lesson().begin(options.lesson, options.stop);
    if (!options.lesson.empty() && options.session) shell_->lesson().show(*options.session);
    if (options.embedded) shell_->embedded().show(*options.embedded);
    const bool opens =
        options.embedded || options.session || options.own_lesson || !options.lesson.empty();
    if (!opens && !options.lecture && program_.looks.shows_start) shell_->start().show();
    if (options.lecture) {
      state::LectureLook& look = program_.looks.lecture;
      look.theme = options.theme.value_or(look.theme);
      if (options.scale > 0) look.scale = options.scale;
      shell_->lecture().begin();
    }
    // Under a script a slow picture must not hold back the input: turns wait for events.
    window_->wait_for_screen(options.control_map.empty());
  }

  // Seconds until the next, as gl::run_turns has it.
  double turn();
  void end();

 private:
  void take_settings(const WindowOptions& options);
  void take_scale(const WindowOptions& options);
  void follow_screen();
  void keep_settings() const;
  void keep_learned();
  void connect();
  void share_clipboard();
  void draw();
  bool fits();
  void keep_least_size();
  void update_notes();
  void write_picture();
  void update_map();
  void update_cursor();
  void expose() {
    frames_.exposed = true;
    frames_.left = kFramesAfterEvent;
  }

  void stir() { frames_.left = kFramesAfterEvent; }

  std::unique_ptr<gl::Window> window_;
  state::Program program_;
  state::Settings kept_, began_with_;
  lesson::Progress learned_;  // as the file has it
  float own_scale_ = 1;       // the screen's
  bool follows_screen_ = true;
  std::unique_ptr<ImGuiSession> imgui_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<Shell> shell_;
  ControlMapFile map_;
  InputQueue input_;
  struct Frames {
    int left = kFramesAfterEvent;
    int since_input = 0;  // drawn since the last of it was let through
    long drawn = 0;
    long page_version = 0;
    Clock::time_point last = Clock::now(), mapped = {};
    bool page_seen = false;
    bool exposed = true;  // the window system has lost what was on screen
  };
  struct Cursor {
    gl::Pointer now = gl::Pointer::arrow;
    bool rests = false;
  };
  // A picture that is to be written.
  struct PictureRequest {
    std::string path;
    int after = 0;  // frames: the dialog that asked for it has to be gone
  };

  Frames frames_;
  Cursor cursor_;
  PictureRequest picture_;
  float least_for_ = 0;  // the scale that the window's least size was set for
  std::unique_ptr<NotesWindow> notes_;
  std::string copied_;  // what ImGui was last given of the clipboard
};

// The command line's words win over what was kept.
void App::take_settings(const WindowOptions& options) {
  try {
    if (const auto file = state::settings_file(); !file.empty()) kept_ = state::read_settings(file);
  } catch (const std::exception& error) {
    program_.messages.say(words::translated(error, program_.words()), true);
  }
  state::Settings settings = kept_;
  settings.theme = options.theme.value_or(settings.theme);
  settings.language = options.language.value_or(settings.language);
  apply(settings, program_, own_scale_);
}

// Once there is a window, which knows the display's own.
void App::take_scale(const WindowOptions& options) {
  program_.looks.rescale(window_->content_scale());
  own_scale_ = program_.looks.scale;
  program_.looks.rescale(options.scale > 0 ? options.scale
                         : kept_.scale > 0 ? kept_.scale
                                           : own_scale_);
  follows_screen_ = !(options.scale > 0 || kept_.scale > 0);
  began_with_ = state::settings_of(program_, own_scale_);
  learned_ = program_.learned;
}

// Until a person chooses a scale. Wayland says the screen's only once the window is on it.
void App::follow_screen() {
  if (!follows_screen_ || program_.looks.scale != own_scale_) return;
  program_.looks.rescale(window_->content_scale());
  own_scale_ = program_.looks.scale;
}

void App::keep_settings() const {
  const state::Settings now =
      remembered(kept_, began_with_, state::settings_of(program_, own_scale_));
  const auto file = state::settings_file();
  if (now == kept_ || file.empty()) return;
  try {
    state::write_settings(now, file);
  } catch (const std::exception& error) {
    report(words::translated(error, program_.words()));
  }
}

// What a person learned outlives whatever ends the program.
void App::keep_learned() {
  if (program_.learned == learned_) return;
  learned_ = program_.learned;
  keep_settings();
}

void App::connect() {
  window_->listen({
      .move = [this](float x, float y) { input_.move(x, y), stir(); },
      .leave = [this] { input_.move(-1e6f, -1e6f), stir(); },
      .button =
          [this](int button, bool down) {
            input_.button(button, down, std::chrono::steady_clock::now());
            stir();
          },
      .wheel = [this](float x, float y) { input_.wheel(x, y), stir(); },
      .key = [this](int key, bool down, bool repeat,
                    int mods) { input_.key(key, down, repeat, mods), stir(); },
      .character = [this](unsigned code_point) { input_.character(code_point), stir(); },
      .drop = [this](const std::vector<std::string>& paths) { shell_->drop(paths), stir(); },
      .expose = [this] { expose(); },
      .rescale = [this] { follow_screen(), stir(); },
      .touch = [this] { stir(); },
      .keep = [this] { keep_settings(); },
      .view = [this] { return shell_->view(); },
      .place = [this] { return shell_->place(); },
      .go = [this](const std::string& link) { shell_->go(link); },
  });
  if (window_->chooses_files()) {
    shell_->dialogs().choose_by([this](auto done) { window_->choose_files(std::move(done)); });
  }
  share_clipboard();
}

void App::share_clipboard() {
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = this;
  io.SetClipboardTextFn = [](void* app, const char* text) {
    // Without the ends of lines that a box has put in.
    static_cast<App*>(app)->window_->set_clipboard(soft_join(text));
  };
  io.GetClipboardTextFn = [](void* data) {
    App& app = *static_cast<App*>(data);
    app.copied_ = app.window_->clipboard();
    return app.copied_.c_str();
  };
}

gl::Pointer pointer_of(int cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput: return gl::Pointer::text;
    case ImGuiMouseCursor_Hand: return gl::Pointer::hand;
    case ImGuiMouseCursor_ResizeAll: return gl::Pointer::cross;
    default: return gl::Pointer::arrow;
  }
}

void App::update_cursor() {
  if (const bool rests = shell_->lecture().pointer_rests(); rests != cursor_.rests) {
    cursor_.rests = rests;
    if (rests) input_.move(-1e6f, -1e6f);
  }
  const gl::Pointer wanted =
      shell_->lecture().hides_pointer() ? gl::Pointer::hidden : pointer_of(ImGui::GetMouseCursor());
  if (wanted == cursor_.now) return;
  cursor_.now = wanted;
  window_->set_pointer(wanted);
}

// A window that is larger than any picture is made smaller again.
bool App::fits() {
  const gl::Size pixels = window_->pixels(), units = window_->size();
  const gl::Size most = gl::largest_picture(pixels.width, pixels.height);
  if (most.width == pixels.width && most.height == pixels.height) return true;
  const double ratio = static_cast<double>(pixels.width) / std::max(units.width, 1);
  window_->resize({static_cast<int>(most.width / ratio), static_cast<int>(most.height / ratio)});
  return false;
}

// It grows with the scale.
void App::keep_least_size() {
  if (least_for_ == program_.looks.scale) return;
  least_for_ = program_.looks.scale;
  window_->keep_at_least({static_cast<int>(std::ceil(kLeastWidth * least_for_)),
                          static_cast<int>(std::ceil(kLeastHeight * least_for_))});
}

void App::draw() {
  keep_least_size();
  // Under a script a lecture's window stays as it is.
  window_->fill_screen(shell_->lecture().on() && !map_.kept());
  if (!fits()) return;
  const auto began = Clock::now();
  ImGuiIO& io = ImGui::GetIO();
  if (!show_on(*window_, io)) return;
  io.DeltaTime = std::max(1e-4f, static_cast<float>(seconds_since(frames_.last)));
  frames_.last = began;
  const auto show = frames_.exposed ? Renderer::Show::always : Renderer::Show::when_changed;
  frames_.since_input = input_.empty() ? frames_.since_input + 1 : 0;
  if (frames_.since_input == 0) frames_.left = std::max(frames_.left, kFramesAfterEvent);
  ++frames_.drawn;
  const bool changed = renderer_->frame(*shell_, input_.feed(io), show);
  if (changed || frames_.exposed) window_->present();
  frames_.exposed = false;
  if (frames_.page_version != program_.pages.version()) {
    frames_.page_version = program_.pages.version();
    frames_.left = std::max(frames_.left, kFramesAfterPage);
  }
  shell_->set_frame_ms(seconds_since(began) * 1000);
  if (!frames_.page_seen && program_.pages.page()) {
    frames_.page_seen = true;
    shell_->set_first_page_s(
        std::chrono::duration<double>(Clock::now().time_since_epoch()).count());
  }
  update_cursor();
  update_notes();
  write_picture();
  if (!input_.empty()) frames_.left = std::max(frames_.left, kFramesAfterEvent);
}

// The lecturer's own window, whose keys are the lecture's, too.
void App::update_notes() {
  LectureView& lecture = shell_->lecture();
  if (notes_ && notes_->closed()) lecture.close_notes();
  const bool wanted = lecture.on() && lecture.lecture().notes();
  if (!wanted) return notes_.reset();
  if (!notes_) {
    try {
      notes_ = std::make_unique<NotesWindow>(*window_, "attnscope: " + program_.words()("notes"));
    } catch (const gl::Unavailable& error) {
      lecture.close_notes();
      return program_.messages.say(
          program_.words().format(N_("The notes window cannot be opened: {}"),
                                  words::translated(error, program_.words())),
          true);
    }
    frames_.left = kFramesAfterEvent;
  }
  notes_->draw(*shell_);
}

// What is on screen, drawn once more in memory.
void App::write_picture() {
  if (picture_.path.empty() || --picture_.after > 0) {
    if (!picture_.path.empty()) frames_.left = kFramesAfterEvent;
    return;
  }
  const std::string path = std::exchange(picture_.path, {});
  try {
    Picture picture;
    picture.draw(*shell_);
    const gl::Image image = picture.pixels().image();
    const paper::PngTexts texts{
        {std::string(paper::kSessionKey), session::to_json(program_.desk.now())}};
    sys::write_atomically(path,
                          paper::encode_png(image.width, image.height, image.rgba.data(), texts));
    program_.messages.say(program_.words().format(N_("Wrote {}."), path));
  } catch (const std::exception& error) {
    program_.messages.say(words::translated(error, program_.words()), true);
  }
  frames_.left = kFramesAfterEvent;
}

void App::update_map() {
  frames_.mapped = Clock::now();
  try {
    const bool answered = input_.empty() && frames_.left == 0;
    map_.update(shell_->control_map(input_.count(), frames_.drawn, answered));
  } catch (const std::exception& error) {
    program_.messages.say(words::translated(error, program_.words()), true);
    frames_.left = kFramesAfterEvent;
  }
}

double App::turn() {
  constexpr double kDone = -1;
  if (shell_->files().left()) return kDone;
  if (window_->take_close()) {
    shell_->files().leave();
    stir();
    if (shell_->files().left()) return kDone;
  }
  draw();
  if (frames_.left > 0) --frames_.left;
  const bool at_rest = frames_.left == 0;
  if (at_rest) keep_learned();
  // Whatever input the map counts, the window has answered to.
  const bool answered = input_.empty() && frames_.since_input + 1 >= kFramesAfterEvent;
  if (answered && (at_rest || seconds_since(frames_.mapped) > kBetweenMaps)) update_map();
  if (frames_.left > 0 || !input_.empty()) return 0;
  return std::max(shell_->next_change(), 0.0);
}

void App::end() {
  notes_.reset();
  shell_->lecture().leave();  // the looks that are kept are the person's own
  keep_settings();
  // What is nearly written is finished; nobody waits for more.
  window_->hide();
  gl::poll_events();
  for (const std::string& path : program_.exports.give_up(std::chrono::milliseconds(300))) {
    report(fmt::format("{} was not written: the window was closed", path));
  }
  if (const std::string errors = gl::take_errors(); !errors.empty()) {
    report("GL reported: " + errors);
  }
}

}  // namespace

int run_window(const WindowOptions& options) {
  // Whoever asked for the clipboard may close the pipe, as Wayland has it, before all was read.
  sys::outlive_readers();
  const auto app = std::make_shared<App>(options);
  gl::run_turns([app] { return app->turn(); }, [app] { app->end(); });
  return 0;
}

}  // namespace ui
