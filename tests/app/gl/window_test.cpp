#include "app/gl/window.h"

#include <doctest/doctest.h>
#include <glad/gl.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "app/gl/program.h"
#include "gl_fixture.h"

namespace window_test {

namespace {

// Sets an environment variable for a while; null removes it.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Environment() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

std::string refusal() {
  try {
    const gl::Window window(320, 200, "attnscope");
  } catch (const gl::Unavailable& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("with no display a window says so in a sentence") {
  const Environment display("DISPLAY", nullptr), wayland("WAYLAND_DISPLAY", nullptr);
  CHECK(refusal() == "no display: neither WAYLAND_DISPLAY nor DISPLAY is set");
}

TEST_CASE("why no window opens is told in any language") {
  const Environment display("DISPLAY", nullptr), wayland("WAYLAND_DISPLAY", "wayland-4711");
  const auto quoted = [](std::string_view literal) { return "<" + std::string(literal) + ">"; };
  try {
    const gl::Window window(320, 200, "attnscope");
    FAIL("a window without a display");
  } catch (const gl::Unavailable& e) {
    CHECK(e.message().in(quoted).starts_with("<no display: "));
    CHECK(e.message().in_english() == e.what());
  }
}

TEST_CASE("where there is Wayland alone, it is said whether GLFW could speak to it") {
  const Environment display("DISPLAY", nullptr), wayland("WAYLAND_DISPLAY", "wayland-4711");
  const bool speaks = gl::glfw_version().find("Wayland") != std::string::npos;
  const std::string message = refusal();
  CAPTURE(message);
  CHECK(message.find(speaks ? "no display: wayland-4711 does not answer"
                            : "no display: WAYLAND_DISPLAY is wayland-4711, but this GLFW") == 0);
}

TEST_CASE("a display that does not answer is named") {
  const Environment display("DISPLAY", ":4711");
  CHECK(refusal().find("no display: :4711 does not answer") == 0);
}

TEST_CASE("pixels come back as they were cleared, the top row first") {
  const auto context = try_windowless(31, 17);
  if (!context) return;
  gl::clear(31, 17, 10, 20, 30);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 16, 1, 1);  // GL counts rows from below: the top left pixel
  glClearColor(1, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  const gl::Image image = gl::read_pixels(31, 17);
  CHECK(image.width == 31);
  CHECK(image.height == 17);
  REQUIRE(image.rgba.size() == 31 * 17 * 4);
  CHECK(image.rgba[0] == 255);
  CHECK(image.rgba[1] == 0);
  for (std::size_t i = 4; i < image.rgba.size(); i += 4) {
    REQUIRE(image.rgba[i] == 10);
    REQUIRE(image.rgba[i + 1] == 20);
    REQUIRE(image.rgba[i + 2] == 30);
    REQUIRE(image.rgba[i + 3] == 255);
  }
  CHECK(gl::take_errors().empty());
}

TEST_CASE("errors are reported once, in words") {
  const auto context = try_windowless(8, 8);
  if (!context) return;
  CHECK(gl::take_errors().empty());
  glEnable(0xdead);
  CHECK(gl::take_errors().find("invalid enum") != std::string::npos);
  CHECK(gl::take_errors().empty());
  CHECK(gl::description().find("OpenGL ") != std::string::npos);
}

TEST_CASE("several contexts live side by side and end one by one") {
  const auto first = try_windowless(4, 4);
  if (!first) return;
  gl::clear(4, 4, 1, 2, 3);
  {
    const gl::Windowless second(5, 5);
    gl::clear(5, 5, 7, 8, 9);
    CHECK(gl::read_pixels(5, 5).rgba[0] == 7);
    first->bind();
    CHECK(gl::read_pixels(4, 4).rgba[0] == 1);
  }
  first->bind();
  CHECK(gl::read_pixels(4, 4).rgba[2] == 3);
  CHECK(gl::take_errors().empty());
}

TEST_CASE("a picture of no size, or too large for the driver, is refused") {
  if (!try_windowless(1, 1)) return;
  CHECK_THROWS_AS(gl::Windowless(0, 5), gl::Unavailable);
  CHECK_THROWS_AS(gl::Windowless(1 << 20, 5), gl::Unavailable);
}

TEST_CASE("a shader that does not compile is shown with numbered lines") {
  const auto context = try_windowless(4, 4);
  if (!context) return;
  const std::string vertex = "#version 330 core\nvoid main() { gl_Position = vec4(0); }\n";
  const std::string fragment = "#version 330 core\nout vec4 o;\nvoid main() { o = vec3(1); }\n";
  std::string message;
  try {
    gl::make_program("broken", vertex, fragment);
  } catch (const std::runtime_error& e) {
    message = e.what();
  }
  CHECK(message.find("broken.frag does not compile") != std::string::npos);
  CHECK(message.find("   3  void main() { o = vec3(1); }\n") != std::string::npos);
  try {
    gl::make_program("unlinked", "#version 330 core\nvoid f();\nvoid main() { f(); }\n",
                     "#version 330 core\nvoid main() {}\n");
    message.clear();
  } catch (const std::runtime_error& e) {
    message = e.what();
  }
  CHECK(message.find("unlinked") != std::string::npos);
  CHECK(gl::take_errors().empty());
}

TEST_CASE("where there is a display, a window opens with a context of 3.3 and no spare buffers") {
  const char* display = std::getenv("DISPLAY");
  if (!display || !*display) return;
  const gl::Window window(320, 200, "attnscope");
  CHECK(window.size().width == 320);
  CHECK(window.size().height == 200);
  CHECK(window.content_scale() > 0);
  GLint depth = -1, stencil = -1;
  glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_DEPTH,
                                        GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &depth);
  glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_STENCIL,
                                        GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &stencil);
  CHECK(depth == GL_NONE);
  CHECK(stencil == GL_NONE);
  gl::clear(320, 200, 1, 2, 3);
  CHECK(gl::read_pixels(320, 200).rgba[2] == 3);
  CHECK(gl::take_errors().empty());
}

TEST_CASE("a display with less than OpenGL 3.3 is told apart from none") {
  const char* display = std::getenv("DISPLAY");
  if (!display || !*display) return;
  const Environment old("MESA_GL_VERSION_OVERRIDE", "2.1");
  const std::string message = refusal();
  CHECK(message.find("needs OpenGL 3.3, this display offers 2.1") == 0);
}

}  // namespace window_test
