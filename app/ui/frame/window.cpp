#include "app/ui/frame/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

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
      : program_(lab::all(), [] { glfwPostEmptyEvent(); }), map_(options.control_map) {
    take_settings(options);
    if (options.session) program_.files.restore(*options.session);
    if (options.session && !options.file.empty()) program_.files.opened_from(options.file);
    window_ = std::make_unique<gl::Window>(options.width, options.height, "attnscope");
    give_icon(handle());
    take_scale(options);
    imgui_ = std::make_unique<ImGuiSession>();
    renderer_ = std::make_unique<Renderer>();
    shell_ = std::make_unique<Shell>(program_, [] { glfwPostEmptyEvent(); });
    shell_->files().write_pictures_by([this](const std::string& path) {
      picture_.path = path;
      picture_.after = kFramesUntilGone;
      program_.messages.dismiss();
      frames_.left = kFramesAfterEvent;
    });
    connect();
    if (options.own_lesson) shell_->lesson().begin(options.file, *options.own_lesson, options.stop);
    if (!options.lesson.empty()) shell_->lesson().begin(options.lesson, options.stop);
    const bool opens = options.session || options.own_lesson || !options.lesson.empty();
    if (!opens && !options.lecture && program_.looks.shows_start) shell_->start().show();
    if (options.lecture) {
      state::LectureLook& look = program_.looks.lecture;
      look.theme = options.theme.value_or(look.theme);
      if (options.scale > 0) look.scale = options.scale;
      shell_->lecture().begin();
    }
    // A slow picture must not hold back the input: the loop itself waits for events.
    glfwSwapInterval(options.control_map.empty() ? 1 : 0);
  }

  int run();

 private:
  void take_settings(const WindowOptions& options);
  void take_scale(const WindowOptions& options);
  void keep_settings() const;
  void connect();
  void clipboard();
  void draw();
  bool fits();
  void keep_least_size();
  void fill_screen();
  void update_notes();
  void write_picture();
  void connect_keys(GLFWwindow* window);
  void update_map();
  void update_cursor();
  void wait();
  void expose() {
    frames_.exposed = true;
    frames_.left = kFramesAfterEvent;
  }

  static App& of(GLFWwindow* window) {
    return *static_cast<App*>(glfwGetWindowUserPointer(window));
  }
  GLFWwindow* handle() const { return window_->handle(); }

  std::unique_ptr<gl::Window> window_;
  state::Program program_;
  state::Settings kept_, began_with_;
  float own_scale_ = 1;
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
    std::array<GLFWcursor*, ImGuiMouseCursor_COUNT> all{};
    int now = -1;
    bool hidden = false, rests = false;
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
  std::optional<std::array<int, 4>> windowed_;  // where it was before it filled the screen
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
  began_with_ = state::settings_of(program_, own_scale_);
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

void App::connect() {
  GLFWwindow* w = handle();
  glfwSetWindowUserPointer(w, this);
  glfwSetCursorPosCallback(w, [](GLFWwindow* win, double x, double y) {
    App& app = of(win);
    app.input_.move(static_cast<float>(x), static_cast<float>(y));
    app.frames_.left = kFramesAfterEvent;
  });
  glfwSetMouseButtonCallback(w, [](GLFWwindow* win, int button, int action, int) {
    App& app = of(win);
    app.input_.button(button, action == GLFW_PRESS);
    app.frames_.left = kFramesAfterEvent;
  });
  glfwSetScrollCallback(w, [](GLFWwindow* win, double x, double y) {
    App& app = of(win);
    app.input_.wheel(static_cast<float>(x), static_cast<float>(y));
    app.frames_.left = kFramesAfterEvent;
  });
  connect_keys(w);
  glfwSetCharCallback(w, [](GLFWwindow* win, unsigned c) {
    App& app = of(win);
    app.input_.character(c);
    app.frames_.left = kFramesAfterEvent;
  });
  glfwSetDropCallback(w, [](GLFWwindow* win, int count, const char** paths) {
    App& app = of(win);
    app.shell_->drop(std::vector<std::string>(paths, paths + count));
    app.frames_.left = kFramesAfterEvent;
  });
  glfwSetFramebufferSizeCallback(w, [](GLFWwindow* win, int, int) { of(win).expose(); });
  glfwSetWindowRefreshCallback(w, [](GLFWwindow* win) { of(win).expose(); });
  glfwSetWindowFocusCallback(
      w, [](GLFWwindow* win, int) { of(win).frames_.left = kFramesAfterEvent; });
  glfwSetCursorEnterCallback(w, [](GLFWwindow* win, int entered) {
    App& app = of(win);
    if (!entered) app.input_.move(-1e6f, -1e6f);
    app.frames_.left = kFramesAfterEvent;
  });
  clipboard();
  for (const auto& [imgui, glfw] : {std::pair<int, int>{ImGuiMouseCursor_Arrow, GLFW_ARROW_CURSOR},
                                    {ImGuiMouseCursor_TextInput, GLFW_IBEAM_CURSOR},
                                    {ImGuiMouseCursor_Hand, GLFW_HAND_CURSOR},
                                    {ImGuiMouseCursor_ResizeAll, GLFW_CROSSHAIR_CURSOR}}) {
    cursor_.all[static_cast<std::size_t>(imgui)] = glfwCreateStandardCursor(glfw);
  }
}

void App::connect_keys(GLFWwindow* window) {
  glfwSetKeyCallback(window, [](GLFWwindow* win, int key, int, int action, int mods) {
    App& app = of(win);
    app.input_.key(key, action != GLFW_RELEASE, action == GLFW_REPEAT, mods);
    app.frames_.left = kFramesAfterEvent;
  });
}

void App::clipboard() {
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = handle();
  io.SetClipboardTextFn = [](void* window, const char* text) {
    // Without the ends of lines that a box has put in.
    glfwSetClipboardString(static_cast<GLFWwindow*>(window), soft_join(text).c_str());
  };
  io.GetClipboardTextFn = [](void* window) {
    const char* text = glfwGetClipboardString(static_cast<GLFWwindow*>(window));
    return text ? text : "";
  };
}

void App::update_cursor() {
  const bool hidden = shell_->lecture().hides_pointer();
  if (hidden != cursor_.hidden) {
    cursor_.hidden = hidden;
    glfwSetInputMode(handle(), GLFW_CURSOR, hidden ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL);
  }
  if (const bool rests = shell_->lecture().pointer_rests(); rests != cursor_.rests) {
    cursor_.rests = rests;
    if (rests) input_.move(-1e6f, -1e6f);
  }
  const int wanted = ImGui::GetMouseCursor();
  if (wanted == cursor_.now || wanted < 0 || wanted >= ImGuiMouseCursor_COUNT) return;
  cursor_.now = wanted;
  glfwSetCursor(handle(), cursor_.all[static_cast<std::size_t>(wanted)]);
}

// A window that is larger than any picture is made smaller again.
bool App::fits() {
  int w = 0, h = 0;
  glfwGetFramebufferSize(handle(), &w, &h);
  const gl::Size most = gl::largest_picture(w, h);
  if (most.width == w && most.height == h) return true;
  int units_w = 0, units_h = 0;
  glfwGetWindowSize(handle(), &units_w, &units_h);
  const double ratio = static_cast<double>(w) / std::max(units_w, 1);
  glfwSetWindowSize(handle(), static_cast<int>(most.width / ratio),
                    static_cast<int>(most.height / ratio));
  return false;
}

// It grows with the scale, but not beyond the screen.
void App::keep_least_size() {
  if (least_for_ == program_.looks.scale) return;
  least_for_ = program_.looks.scale;
  std::array<int, 4> place{};
  glfwGetWindowPos(handle(), &place[0], &place[1]);
  glfwGetWindowSize(handle(), &place[2], &place[3]);
  GLFWmonitor* monitor = gl::monitor_of(place);
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  const auto least = [&](float side, int most) {
    return std::min(static_cast<int>(std::ceil(side * least_for_)), most);
  };
  constexpr int kAny = std::numeric_limits<int>::max();
  glfwSetWindowSizeLimits(handle(), least(kLeastWidth, mode ? mode->width : kAny),
                          least(kLeastHeight, mode ? mode->height : kAny), GLFW_DONT_CARE,
                          GLFW_DONT_CARE);
}

// A lecture fills the screen on which most of the window lies; under a script it stays as it is.
void App::fill_screen() {
  const bool wanted = shell_->lecture().on() && !map_.kept();
  if (wanted == windowed_.has_value()) return;
  GLFWwindow* window = handle();
  if (!wanted) {
    const auto [x, y, w, h] = *std::exchange(windowed_, std::nullopt);
    return glfwSetWindowMonitor(window, nullptr, x, y, w, h, GLFW_DONT_CARE);
  }
  std::array<int, 4> place{};
  glfwGetWindowPos(window, &place[0], &place[1]);
  glfwGetWindowSize(window, &place[2], &place[3]);
  GLFWmonitor* monitor = gl::monitor_of(place);
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (!mode) return;
  windowed_ = place;
  // It stays there while another window is used: that of the lecturer.
  glfwSetWindowAttrib(window, GLFW_AUTO_ICONIFY, GLFW_FALSE);
  glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void App::draw() {
  keep_least_size();
  fill_screen();
  if (!fits()) return;
  const auto began = Clock::now();
  ImGuiIO& io = ImGui::GetIO();
  int w = 0, h = 0, pixels_w = 0, pixels_h = 0;
  glfwGetWindowSize(handle(), &w, &h);
  glfwGetFramebufferSize(handle(), &pixels_w, &pixels_h);
  if (w <= 0 || h <= 0) return;
  io.DisplaySize = {static_cast<float>(w), static_cast<float>(h)};
  io.DisplayFramebufferScale = {static_cast<float>(pixels_w) / static_cast<float>(w),
                                static_cast<float>(pixels_h) / static_cast<float>(h)};
  io.DeltaTime = std::max(1e-4f, static_cast<float>(seconds_since(frames_.last)));
  frames_.last = began;
  const auto show = frames_.exposed ? Renderer::Show::always : Renderer::Show::when_changed;
  frames_.since_input = input_.empty() ? frames_.since_input + 1 : 0;
  if (frames_.since_input == 0) frames_.left = std::max(frames_.left, kFramesAfterEvent);
  ++frames_.drawn;
  const bool changed = renderer_->frame(*shell_, input_.feed(io), show);
  if (changed || frames_.exposed) glfwSwapBuffers(handle());
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
      notes_ = std::make_unique<NotesWindow>(handle(), "attnscope: " + program_.words()("notes"));
    } catch (const gl::Unavailable& error) {
      lecture.close_notes();
      return program_.messages.say(
          program_.words().format(N_("The notes window cannot be opened: {}"), error.what()), true);
    }
    glfwSetWindowUserPointer(notes_->handle(), this);
    connect_keys(notes_->handle());
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

void App::wait() {
  const double next = shell_->next_change();
  if (!input_.empty() || next <= 0) {
    glfwPollEvents();
  } else if (std::isinf(next)) {
    glfwWaitEvents();
  } else {
    glfwWaitEventsTimeout(std::max(next, 0.005));
  }
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

int App::run() {
  while (!shell_->files().left()) {
    if (glfwWindowShouldClose(handle())) {
      glfwSetWindowShouldClose(handle(), GLFW_FALSE);
      shell_->files().leave();
      frames_.left = kFramesAfterEvent;
      if (shell_->files().left()) break;
    }
    draw();
    if (frames_.left > 0) --frames_.left;
    const bool at_rest = frames_.left == 0;
    // Whatever input the map counts, the window has answered to.
    const bool answered = input_.empty() && frames_.since_input + 1 >= kFramesAfterEvent;
    if (answered && (at_rest || seconds_since(frames_.mapped) > kBetweenMaps)) update_map();
    if (frames_.left > 0 || !input_.empty()) {
      glfwPollEvents();
    } else {
      wait();
    }
  }
  notes_.reset();
  shell_->lecture().leave();  // the looks that are kept are the person's own
  keep_settings();
  // What is nearly written is finished; nobody waits for more.
  glfwHideWindow(handle());
  glfwPollEvents();
  for (const std::string& path : program_.exports.give_up(std::chrono::milliseconds(300))) {
    report(fmt::format("{} was not written: the window was closed", path));
  }
  if (const std::string errors = gl::take_errors(); !errors.empty()) {
    report("GL reported: " + errors);
  }
  for (GLFWcursor* cursor : cursor_.all) {
    if (cursor) glfwDestroyCursor(cursor);
  }
  return 0;
}

}  // namespace

int run_window(const WindowOptions& options) {
  // Whoever asked for the clipboard may close the pipe, as Wayland has it, before all was read.
  sys::outlive_readers();
  App app(options);
  return app.run();
}

}  // namespace ui
