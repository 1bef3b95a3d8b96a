// Random clicks, drags, keys, resizes and drops on the whole program with a real (windowless) GL
// context. A crash, a GL error or a sanitizer's report is a failure; so is a window that stops
// answering. Each run has a seed of its own, told before anything happens, and the same seed makes
// the same events; what a page that is computed meanwhile shows may come a frame sooner or later.
//
// usage: random_walk [EVENTS [SEED]]
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "../folder.h"
#include "../variable.h"
#include "app/gl/window.h"
#include "app/labs/labs.h"
#include "app/session/link.h"
#include "app/ui/frame/renderer.h"

namespace {

namespace fs = std::filesystem;

constexpr int kFramesPerDrawing = 16;
constexpr int kWidth = 1920, kHeight = 1200;  // the framebuffer; windows are at most as large

class Walker {
 public:
  explicit Walker(unsigned seed)
      : random_(seed), context_(kWidth, kHeight), program_(lab::all()), shell_(program_, {}) {
    std::filesystem::current_path(folder_.path());  // exports by random clicks land here
    write("broken.attn", "{\"attnscope\": 1, \"lab\": \"multi_h");
    write("noise.pdf", "%PDF-1.4 nothing of ours");
    program_.wait();
    program_.files.save((folder_ / "good.attn").string());
  }
  ~Walker() { std::filesystem::current_path("/"); }

  // True when nothing was reported.
  bool step(unsigned event) {
    std::string fault;
    try {
      act();
      for (int frames = 0; frames == 0 || (!input_.empty() && frames < 50); ++frames) frame();
      const std::string errors = gl::take_errors();
      if (errors.empty()) return true;
      fault = "expected no GL error, got " + errors;
    } catch (const std::exception& error) {
      fault = fmt::format("expected no exception, got \"{}\"", error.what());
    }
    fmt::print("FAILED: {} after event {} ({}) in {}\n", fault, event, last_,
               session::to_link({.session = program_.desk.now()}));
    std::fflush(stdout);
    return false;
  }

 private:
  void write(const std::string& name, const std::string& text) { folder_.write(name, text); }
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  template <class List>
  const auto& one_of(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
  }

  // Never at the way out of the folder: what is written by chance stays in it, and whoever else has
  // a folder beside it is left alone.
  void point() {
    const auto& controls = shell_.gui().controls();
    const auto out = controls.find("dialog.entry...");
    figure::Point to{};
    do {
      to = somewhere(controls);
    } while (out != controls.end() && out->second.contains(to));
    input_.move(to.x, to.y);
  }
  figure::Point somewhere(const ui::Controls& controls) {
    if (below(5) > 0 && !controls.empty()) {
      auto control = controls.begin();
      std::advance(control, below(static_cast<int>(controls.size())));
      const figure::Rect& r = control->second;
      last_ = control->first;
      return {r.x + r.w * static_cast<float>(below(100)) / 99,
              r.y + r.h * static_cast<float>(below(100)) / 99};
    }
    last_ = "anywhere";
    return {static_cast<float>(below(width_ + 40) - 20),
            static_cast<float>(below(height_ + 40) - 20)};
  }

  void click() {
    point();
    const int button = below(6) == 0 ? 1 : 0;
    for (int times = below(6) == 0 ? 2 : 1; times > 0; --times) {
      input_.button(button, true);
      input_.button(button, false);
    }
  }

  void drag() {
    point();
    input_.button(0, true);
    for (int moves = below(5); moves >= 0; --moves) point();
    input_.button(0, false);
  }

  void press() {
    static constexpr int kKeys[] = {
        GLFW_KEY_TAB,   GLFW_KEY_ENTER,  GLFW_KEY_ESCAPE, GLFW_KEY_LEFT,    GLFW_KEY_RIGHT,
        GLFW_KEY_UP,    GLFW_KEY_DOWN,   GLFW_KEY_HOME,   GLFW_KEY_END,     GLFW_KEY_BACKSPACE,
        GLFW_KEY_SPACE, GLFW_KEY_DELETE, GLFW_KEY_F1,     GLFW_KEY_PAGE_UP, GLFW_KEY_PAGE_DOWN,
        GLFW_KEY_A,     GLFW_KEY_E,      GLFW_KEY_F,      GLFW_KEY_K,       GLFW_KEY_L,
        GLFW_KEY_O,     GLFW_KEY_S,      GLFW_KEY_T,      GLFW_KEY_V,       GLFW_KEY_C,
        GLFW_KEY_X,     GLFW_KEY_Y,      GLFW_KEY_Z,      GLFW_KEY_EQUAL,   GLFW_KEY_MINUS,
        GLFW_KEY_0};
    static constexpr int kMods[] = {0,
                                    0,
                                    GLFW_MOD_SHIFT,
                                    GLFW_MOD_CONTROL,
                                    GLFW_MOD_CONTROL,
                                    GLFW_MOD_CONTROL | GLFW_MOD_SHIFT};
    input_.tap(one_of(kKeys), one_of(kMods));
    last_ = "a key";
  }

  void type() {
    static const std::string kTexts[] = {"7",      "-1",      "99999999999", "1e400",
                                         "nan",    "the cat", "注意力",      "𝕏🙂",
                                         "\u202e", "a\tb",    "0.5",         ""};
    input_.type(one_of(kTexts));
    last_ = "typing";
  }

  void resize() {
    static constexpr int kWidths[] = {320, 640, 1024, 1280, 1600, 1920};
    static constexpr int kHeights[] = {200, 480, 720, 1000, 1200};
    width_ = one_of(kWidths);
    height_ = one_of(kHeights);
    last_ = "a resize";
  }

  void drop() {
    static const char* const kNames[] = {"good.attn", "broken.attn", "noise.pdf", "missing.png",
                                         "."};
    shell_.drop({(folder_ / one_of(kNames)).string()});
    last_ = "a drop";
  }

  // Another program writes the files that the pages read: the same bytes, or cut off.
  void change_files() {
    const auto models = folder_ / "data" / "attnscope" / "models";
    for (const fs::path& folder : {folder_.path(), models}) {
      std::error_code none;
      for (const auto& file : fs::directory_iterator(folder, none)) {
        if (!file.is_regular_file()) continue;
        const std::string bytes = test::read(file);
        const fs::path fresh = folder_ / "fresh";
        test::write(fresh, below(4) == 0 ? bytes.substr(0, bytes.size() / 2) : bytes);
        fs::rename(fresh, file);
      }
    }
    last_ = "files that change";
  }

  void act() {
    // Long computations would make this a test of patience.
    if (!program_.knobs.value("length").empty() &&
        std::atoi(program_.knobs.value("length").c_str()) > 1024) {
      program_.knobs.set("length", "64");
    }
    const int dice = below(100);
    if (dice < 35) return click();
    if (dice < 50) return drag();
    if (dice < 65) return press();
    if (dice < 75) return type();
    if (dice < 85) {
      point();
      return input_.wheel(0, static_cast<float>(below(7) - 3));
    }
    if (dice < 97) return point();
    if (dice < 99) return resize();
    below(3) == 0 ? change_files() : drop();
  }

  void frame() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
    io.DeltaTime = 1.0f / 60;
    context_.bind();
    ui::update(shell_, input_.feed(io));
    // Drawing costs far more than deciding what to draw, without a graphics card.
    if (++frames_ % kFramesPerDrawing != 0) return;
    const bool by_driver = frames_ / kFramesPerDrawing % 2 == 0;
    (by_driver ? by_driver_ : by_processor_).draw(shell_);
  }

  std::mt19937 random_;
  // What is kept for later runs stays in it too.
  test::Folder folder_;
  test::Variable data_{test::kDataFolder, folder_.file("data").c_str()};
  gl::Windowless context_;
  ui::ImGuiSession imgui_;
  state::Program program_;
  ui::Renderer by_driver_{ui::Renderer::By::driver}, by_processor_{ui::Renderer::By::processor};
  ui::Shell shell_;
  ui::InputQueue input_;
  std::string last_;
  int width_ = 1600, height_ = 1000;
  long frames_ = 0;
};

}  // namespace

// A whole number of at least `least`; nothing when the word is none.
std::optional<unsigned> number(std::string_view word, unsigned least) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < least) return {};
  return value;
}

int main(int argc, char** argv) {
  constexpr unsigned kEvents = 20000;
  const auto events = argc > 1 ? number(argv[1], 1) : kEvents;
  const auto seed = argc > 2 ? number(argv[2], 0) : std::random_device()();
  if (argc > 3 || !events || !seed) {
    fmt::print(stderr, "usage: random_walk [EVENTS [SEED]], both of them whole numbers up to {}\n",
               std::numeric_limits<unsigned>::max());
    return 2;
  }
  const std::string again = fmt::format("random_walk {} {}", *events, *seed);
  // Before anything can crash.
  fmt::print("the same again: {}\n", again);
  std::fflush(stdout);
  try {
    Walker walker(*seed);
    for (unsigned event = 1; event <= *events; ++event) {
      if (!walker.step(event)) {
        fmt::print("the same again: {}\n", again);
        return 1;
      }
    }
  } catch (const gl::Unavailable& none) {
    fmt::print("{}: no windowless OpenGL here: {}\n", std::getenv("CI") ? "FAILED" : "skipped",
               none.what());
    return std::getenv("CI") ? 1 : 77;  // CTest calls that skipped
  }
  fmt::print("{} random events from seed {}: nothing was reported\n", *events, *seed);
  return 0;
}
