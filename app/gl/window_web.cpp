// The window as the canvas of a page. What JavaScript has to do for it (the clipboard, files that
// are dropped, an input method) lies in the page's own script, which calls the functions at the
// end.
#include <emscripten.h>
#include <emscripten/html5.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/gl/context.h"

namespace gl {
namespace {

constexpr const char* kCanvas = "#canvas";
constexpr double kPixelsANotch = 100;  // of a wheel, as browsers count

struct Code {
  std::string_view name;  // KeyboardEvent.code
  int key;
};
constexpr Code kCodes[] = {
    {"Space", GLFW_KEY_SPACE},
    {"Quote", GLFW_KEY_APOSTROPHE},
    {"Comma", GLFW_KEY_COMMA},
    {"Minus", GLFW_KEY_MINUS},
    {"Period", GLFW_KEY_PERIOD},
    {"Slash", GLFW_KEY_SLASH},
    {"Semicolon", GLFW_KEY_SEMICOLON},
    {"Equal", GLFW_KEY_EQUAL},
    {"BracketLeft", GLFW_KEY_LEFT_BRACKET},
    {"Backslash", GLFW_KEY_BACKSLASH},
    {"BracketRight", GLFW_KEY_RIGHT_BRACKET},
    {"Backquote", GLFW_KEY_GRAVE_ACCENT},
    {"Escape", GLFW_KEY_ESCAPE},
    {"Enter", GLFW_KEY_ENTER},
    {"Tab", GLFW_KEY_TAB},
    {"Backspace", GLFW_KEY_BACKSPACE},
    {"Insert", GLFW_KEY_INSERT},
    {"Delete", GLFW_KEY_DELETE},
    {"ArrowRight", GLFW_KEY_RIGHT},
    {"ArrowLeft", GLFW_KEY_LEFT},
    {"ArrowDown", GLFW_KEY_DOWN},
    {"ArrowUp", GLFW_KEY_UP},
    {"PageUp", GLFW_KEY_PAGE_UP},
    {"PageDown", GLFW_KEY_PAGE_DOWN},
    {"Home", GLFW_KEY_HOME},
    {"End", GLFW_KEY_END},
    {"NumpadEnter", GLFW_KEY_KP_ENTER},
    {"NumpadAdd", GLFW_KEY_KP_ADD},
    {"NumpadSubtract", GLFW_KEY_KP_SUBTRACT},
    {"ShiftLeft", GLFW_KEY_LEFT_SHIFT},
    {"ShiftRight", GLFW_KEY_RIGHT_SHIFT},
    {"ControlLeft", GLFW_KEY_LEFT_CONTROL},
    {"ControlRight", GLFW_KEY_RIGHT_CONTROL},
    {"AltLeft", GLFW_KEY_LEFT_ALT},
    {"AltRight", GLFW_KEY_RIGHT_ALT},
    {"MetaLeft", GLFW_KEY_LEFT_SUPER},
    {"MetaRight", GLFW_KEY_RIGHT_SUPER},
};

int key_of(std::string_view code) {
  if (code.size() == 4 && code.starts_with("Key")) return GLFW_KEY_A + (code[3] - 'A');
  if (code.size() == 6 && code.starts_with("Digit")) return GLFW_KEY_0 + (code[5] - '0');
  if (code.size() == 7 && code.starts_with("Numpad")) return GLFW_KEY_KP_0 + (code[6] - '0');
  if (code.size() == 2 && code[0] == 'F') return GLFW_KEY_F1 + (code[1] - '1');
  for (const Code& one : kCodes) {
    if (one.name == code) return one.key;
  }
  return GLFW_KEY_UNKNOWN;
}

// The Mac's command key is what others have Ctrl for.
int mods_of(const EmscriptenKeyboardEvent& event) {
  return (event.shiftKey ? GLFW_MOD_SHIFT : 0) |
         (event.ctrlKey || event.metaKey ? GLFW_MOD_CONTROL : 0) |
         (event.altKey ? GLFW_MOD_ALT : 0);
}

const char* style_of(Pointer pointer) {
  switch (pointer) {
    case Pointer::text: return "text";
    case Pointer::hand: return "pointer";
    case Pointer::cross: return "move";
    case Pointer::hidden: return "none";
    case Pointer::arrow: break;
  }
  return "default";
}

// What the browser's calls reach: there is one window, and it does not end.
WindowEvents heard;
std::function<void(const std::string&)> choosing;  // gets what a person chose last
std::atomic<bool> woken{false};
std::optional<std::string> place;  // that the page knows of

// The browser's way back leads from place to place.
void report_place() {
  if (!heard.place) return;
  std::string now = heard.place();
  if (place && *place != now) EM_ASM({ attnscope.went(UTF8ToString($0)); }, now.c_str());
  place = std::move(now);
}

struct Turns {
  std::function<double()> turn;
  std::function<void()> end;
  double next = 0;  // when the next is due, in the milliseconds of emscripten_get_now
  void operator()() {
    if (!woken.exchange(false) && emscripten_get_now() < next) return;
    const double seconds = turn();
    if (seconds < 0) {
      emscripten_cancel_main_loop();
      return end();
    }
    report_place();
    next = emscripten_get_now() + seconds * 1000;
  }
} turns;

void stir() { woken = true; }

bool on_move(int, const EmscriptenMouseEvent* event, void*) {
  if (heard.move) {
    heard.move(static_cast<float>(event->targetX), static_cast<float>(event->targetY));
  }
  stir();
  return false;
}

bool on_button(int type, const EmscriptenMouseEvent* event, void*) {
  on_move(type, event, nullptr);
  constexpr int kButtons[] = {GLFW_MOUSE_BUTTON_LEFT, GLFW_MOUSE_BUTTON_MIDDLE,
                              GLFW_MOUSE_BUTTON_RIGHT};
  if (heard.button && event->button < 3) {
    heard.button(kButtons[event->button], type == EMSCRIPTEN_EVENT_MOUSEDOWN);
  }
  return false;
}

bool on_leave(int, const EmscriptenMouseEvent*, void*) {
  if (heard.leave) heard.leave();
  stir();
  return false;
}

// With Ctrl the wheel zooms. Browsers say so of a pinch on a trackpad, too, without the key.
void zoom(float notches) {
  constexpr int kKey = GLFW_KEY_LEFT_CONTROL;
  if (heard.key) heard.key(kKey, true, false, GLFW_MOD_CONTROL);
  if (heard.wheel) heard.wheel(0, notches);
  if (heard.key) heard.key(kKey, false, false, 0);
  stir();
}

bool on_wheel(int, const EmscriptenWheelEvent* event, void*) {
  double notch = kPixelsANotch;
  if (event->deltaMode == DOM_DELTA_LINE) notch = 3;
  if (event->deltaMode == DOM_DELTA_PAGE) notch = 1;
  if (event->mouse.ctrlKey) {
    // A pinch comes in many small steps.
    zoom(static_cast<float>(-event->deltaY / (std::abs(event->deltaY) < notch / 2 ? 10 : notch)));
  } else if (heard.wheel) {
    heard.wheel(static_cast<float>(-event->deltaX / notch),
                static_cast<float>(-event->deltaY / notch));
  }
  stir();
  return true;
}

bool on_key(int type, const EmscriptenKeyboardEvent* event, void*) {
  const int key = key_of(event->code);
  if (heard.key && key != GLFW_KEY_UNKNOWN) {
    heard.key(key, type == EMSCRIPTEN_EVENT_KEYDOWN, event->repeat, mods_of(*event));
  }
  stir();
  return false;
}

struct Finger {
  float x = 0, y = 0;
};
Finger finger_of(const EmscriptenTouchPoint& point) {
  return {static_cast<float>(point.targetX), static_cast<float>(point.targetY)};
}

void press(bool down) {
  if (heard.button) heard.button(GLFW_MOUSE_BUTTON_LEFT, down);
}

// Two fingers: their middle moves the page as a wheel does, their distance zooms.
class Pinch {
 public:
  bool begun() const { return apart_ > 0; }
  void end() { apart_ = 0; }
  void go_on(const Finger& a, const Finger& b) {
    const Finger middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    const float apart = std::max(1.0f, std::hypot(a.x - b.x, a.y - b.y));
    if (heard.move) heard.move(middle.x, middle.y);
    if (begun()) {
      constexpr float kNotchesADoubling = 5, kPixels = 40;  // of a page's wheel
      const float notches = kNotchesADoubling * std::log2(apart / apart_);
      if (std::abs(notches) > 0.02f) zoom(notches);
      if (heard.wheel) heard.wheel((middle.x - at_.x) / kPixels, (middle.y - at_.y) / kPixels);
    }
    at_ = middle;
    apart_ = apart;
  }

 private:
  Finger at_;
  float apart_ = 0;
} pinch;

// One finger is the left button. A second one ends what the first has begun.
bool on_touch(int type, const EmscriptenTouchEvent* event, void*) {
  stir();
  const bool ends = type == EMSCRIPTEN_EVENT_TOUCHEND || type == EMSCRIPTEN_EVENT_TOUCHCANCEL;
  if (event->numTouches >= 2 && !ends) {
    if (!pinch.begun()) press(false);
    pinch.go_on(finger_of(event->touches[0]), finger_of(event->touches[1]));
    return true;
  }
  if (pinch.begun()) {
    if (ends && event->numTouches <= 1) pinch.end();
    return true;
  }
  const Finger at = finger_of(event->touches[0]);
  if (heard.move) heard.move(at.x, at.y);
  if (type == EMSCRIPTEN_EVENT_TOUCHSTART) press(true);
  if (ends) {
    press(false);
    if (heard.leave) heard.leave();  // no finger hovers
  }
  return true;
}

void connect() {
  emscripten_set_mousemove_callback(kCanvas, nullptr, false, on_move);
  emscripten_set_mousedown_callback(kCanvas, nullptr, false, on_button);
  // Wherever it is let go of.
  emscripten_set_mouseup_callback(EMSCRIPTEN_EVENT_TARGET_WINDOW, nullptr, false,
                                  [](int type, const EmscriptenMouseEvent* event, void*) {
                                    EmscriptenMouseEvent there = *event;
                                    there.targetX = event->clientX;
                                    there.targetY = event->clientY;
                                    return on_button(type, &there, nullptr);
                                  });
  emscripten_set_mouseleave_callback(kCanvas, nullptr, false, on_leave);
  emscripten_set_wheel_callback(kCanvas, nullptr, false, on_wheel);
  emscripten_set_keydown_callback(EMSCRIPTEN_EVENT_TARGET_WINDOW, nullptr, true, on_key);
  emscripten_set_keyup_callback(EMSCRIPTEN_EVENT_TARGET_WINDOW, nullptr, true, on_key);
  emscripten_set_touchstart_callback(kCanvas, nullptr, false, on_touch);
  emscripten_set_touchmove_callback(kCanvas, nullptr, false, on_touch);
  emscripten_set_touchend_callback(kCanvas, nullptr, false, on_touch);
  emscripten_set_touchcancel_callback(kCanvas, nullptr, false, on_touch);
  // All that was drawn with is lost, too: the page begins anew, where it was.
  emscripten_set_webglcontextlost_callback(kCanvas, nullptr, false, [](int, const void*, void*) {
    emscripten_cancel_main_loop();
    EM_ASM({ attnscope.lost(); });
    return true;
  });
  emscripten_set_resize_callback(EMSCRIPTEN_EVENT_TARGET_WINDOW, nullptr, false,
                                 [](int, const EmscriptenUiEvent*, void*) {
                                   if (heard.expose) heard.expose();
                                   stir();
                                   return false;
                                 });
}

// The canvas has a pixel for each of the screen's.
void fit_canvas() {
  double width = 0, height = 0;
  emscripten_get_element_css_size(kCanvas, &width, &height);
  const double ratio = emscripten_get_device_pixel_ratio();
  const int wanted_w = static_cast<int>(std::lround(width * ratio));
  const int wanted_h = static_cast<int>(std::lround(height * ratio));
  int w = 0, h = 0;
  emscripten_get_canvas_element_size(kCanvas, &w, &h);
  if (w != wanted_w || h != wanted_h) {
    emscripten_set_canvas_element_size(kCanvas, wanted_w, wanted_h);
  }
}

}  // namespace

struct Window::Inner {
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = 0;
  bool filled = false;
  std::string clipboard = {};
};

Window::Window(int, int, const std::string&, bool behind) : inner_(std::make_unique<Inner>()) {
  if (behind) throw Unavailable(core::Message(N_("a page has no second window")));
  fit_canvas();
  EmscriptenWebGLContextAttributes wanted;
  emscripten_webgl_init_context_attributes(&wanted);
  wanted.majorVersion = 2;
  wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = false;
  // Only what changed is drawn.
  wanted.preserveDrawingBuffer = true;
  inner_->context = emscripten_webgl_create_context(kCanvas, &wanted);
  if (inner_->context <= 0) {
    throw Unavailable(core::Message(N_("needs WebGL 2, which this browser does not offer")));
  }
  make_current();
  load_gl(nullptr);
  connect();
}

Window::~Window() { emscripten_webgl_destroy_context(inner_->context); }

void Window::listen(WindowEvents events) { heard = std::move(events); }

void Window::share_keys_of(const Window&) {}

Size Window::size() const {
  double width = 0, height = 0;
  emscripten_get_element_css_size(kCanvas, &width, &height);
  return {static_cast<int>(std::lround(width)), static_cast<int>(std::lround(height))};
}

Size Window::pixels() const {
  fit_canvas();
  Size size;
  emscripten_get_canvas_element_size(kCanvas, &size.width, &size.height);
  return size;
}

float Window::content_scale() const { return 1; }  // a unit is a pixel of CSS

void Window::resize(Size) {}

void Window::keep_at_least(Size) {}

void Window::fit_to_screen() {}  // it is as large as the page
void Window::fill_screen(bool filled) {
  if (filled == inner_->filled) return;
  inner_->filled = filled;
  if (filled) {
    emscripten_request_fullscreen("#page", true);
  } else {
    emscripten_exit_fullscreen();
  }
}

void Window::float_beside(const Window&, int) {}

void Window::hide() {}

void Window::make_current() { emscripten_webgl_make_context_current(inner_->context); }

void Window::present() {}  // the browser does, after each turn

void Window::wait_for_screen(bool) {}

void Window::set_icon(const std::vector<Image>& images) {
  for (const Image& image : images) {
    EM_ASM({ attnscope.show_icon($0, $1, $2); }, image.rgba.data(), image.width, image.height);
  }
}

void Window::set_pointer(Pointer pointer) {
  EM_ASM({ document.getElementById('canvas').style.cursor = UTF8ToString($0); }, style_of(pointer));
}

void Window::set_clipboard(const std::string& text) {
  inner_->clipboard = text;
  EM_ASM({ attnscope.copy(UTF8ToString($0)); }, text.c_str());
}

std::string Window::clipboard() const {
  char* text = static_cast<char*>(EM_ASM_PTR({ return attnscope.paste(); }));
  if (!text) return inner_->clipboard;
  const std::string out = text;
  std::free(text);
  return out;
}

bool Window::chooses_files() const { return true; }

void Window::choose_files(std::function<void(const std::string&)> done) {
  choosing = std::move(done);
  EM_ASM({ attnscope.choose(); });
}

bool Window::take_close() { return false; }

void poll_events() {}

void wake() { stir(); }

void run_turns(std::function<double()> turn, std::function<void()> end) {
  turns.turn = std::move(turn);
  turns.end = std::move(end);
  emscripten_set_main_loop([] { turns(); }, 0, false);
}

std::string glfw_version() { return "none: a page's canvas"; }

}  // namespace gl

// For the page's script.
extern "C" {

EMSCRIPTEN_KEEPALIVE void attnscope_type(const char* text) {
  // As code points: what is typed, or put together by an input method.
  const auto* at = reinterpret_cast<const unsigned char*>(text);
  while (*at) {
    unsigned code = *at++;
    const int more = code >= 0xf0 ? 3 : code >= 0xe0 ? 2 : code >= 0xc0 ? 1 : 0;
    if (more > 0) code &= 0x3fu >> more;
    for (int k = 0; k < more && *at; ++k) code = code << 6 | (*at++ & 0x3fu);
    if (gl::heard.character) gl::heard.character(code);
  }
  gl::stir();
}

EMSCRIPTEN_KEEPALIVE void attnscope_key(int key, int mods) {
  if (!gl::heard.key) return;
  gl::heard.key(key, true, false, mods);
  gl::heard.key(key, false, false, mods);
  gl::stir();
}

EMSCRIPTEN_KEEPALIVE void attnscope_drop(const char* path) {
  if (gl::heard.drop) gl::heard.drop({path});
  gl::stir();
}

EMSCRIPTEN_KEEPALIVE void attnscope_chosen(const char* path) {
  if (!gl::choosing) return attnscope_drop(path);
  gl::choosing(path);
  gl::stir();
}

EMSCRIPTEN_KEEPALIVE void attnscope_expose() {
  if (gl::heard.expose) gl::heard.expose();
  gl::stir();
}

EMSCRIPTEN_KEEPALIVE void attnscope_go(const char* link) {
  if (!gl::heard.go || !gl::heard.place) return;
  gl::heard.go(link);
  gl::place = gl::heard.place();
  gl::stir();
}

EMSCRIPTEN_KEEPALIVE void attnscope_keep() {
  if (gl::heard.keep) gl::heard.keep();
}

// As a link, in memory of malloc.
EMSCRIPTEN_KEEPALIVE char* attnscope_view() {
  return ::strdup(gl::heard.view ? gl::heard.view().c_str() : "");
}
}
