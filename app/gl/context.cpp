#include "app/gl/context.h"

#include <algorithm>
#include <array>
#include <string>

#include "app/gl/window.h"
#include "core/system/environment.h"

namespace gl {
namespace {

std::string text_of(GLenum name) {
  const GLubyte* text = glGetString(name);
  return text ? reinterpret_cast<const char*>(text) : "";
}

std::string name_of(GLenum error) {
  switch (error) {
    case GL_INVALID_ENUM: return "invalid enum";
    case GL_INVALID_VALUE: return "invalid value";
    case GL_INVALID_OPERATION: return "invalid operation";
    case GL_INVALID_FRAMEBUFFER_OPERATION: return "invalid framebuffer operation";
    case GL_OUT_OF_MEMORY: return "out of memory";
    default: return "error " + std::to_string(error);
  }
}

// The errors that a debug context logged, in words. Its log needs no callback.
std::string take_debug_errors() {
  std::string out;
  GLint flags = 0;
  glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
  if (!GLAD_GL_KHR_debug || !(flags & GL_CONTEXT_FLAG_DEBUG_BIT)) return out;
  std::array<char, 4096> message{};
  GLenum type = 0;
  while (glGetDebugMessageLog(1, static_cast<GLsizei>(message.size()), nullptr, &type, nullptr,
                              nullptr, nullptr, message.data()) == 1) {
    if (type == GL_DEBUG_TYPE_ERROR) out += std::string(message.data()) + "\n";
  }
  return out;
}

}  // namespace

void load_gl(GLADloadfunc load) {
  const int version = gladLoadGL(load);
  if (version == 0) throw Unavailable(core::Message(N_("the OpenGL driver could not be loaded")));
  const int major = GLAD_VERSION_MAJOR(version), minor = GLAD_VERSION_MINOR(version);
  if (major < 3 || (major == 3 && minor < 3)) {
    throw Unavailable(
        core::Message(N_("needs OpenGL 3.3, this display offers {}"), text_of(GL_VERSION)));
  }
}

void make_framebuffer(int width, int height, GLuint& framebuffer, GLuint& colors) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
  if (width < 1 || height < 1 || width > largest || height > largest) {
    throw Unavailable(
        core::Message(N_("a picture has between 1 and {} pixels a side here, not {} x {}"), largest,
                      width, height));
  }
  glGenRenderbuffers(1, &colors);
  glBindRenderbuffer(GL_RENDERBUFFER, colors);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colors);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    throw Unavailable(
        core::Message(N_("the OpenGL driver refused a picture of {} x {} pixels"), width, height));
  }
}

bool is_embedded() { return text_of(GL_VERSION).starts_with("OpenGL ES"); }

bool wants_debug_context() {
#ifdef NDEBUG
  return core::environment("ATTNSCOPE_GL_DEBUG").has_value();
#else
  return true;
#endif
}

Size largest_picture(int width, int height, int side) {
  constexpr int kMostPixels = 1 << 26;
  const Size cut{std::min(width, side), std::min(height, side)};
  if (cut.width <= 0 || cut.height <= kMostPixels / cut.width) return cut;
  return {cut.width, kMostPixels / cut.width};
}

Size largest_picture(int width, int height) {
  GLint side = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
  return largest_picture(width, height, side);
}

void clear(int width, int height, std::uint8_t r, std::uint8_t g, std::uint8_t b) {
  glViewport(0, 0, width, height);
  glDisable(GL_SCISSOR_TEST);
  const auto unit = [](std::uint8_t c) { return static_cast<float>(c) / 255.0f; };
  glClearColor(unit(r), unit(g), unit(b), 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void fill(int x, int y, int width, int height, std::uint8_t r, std::uint8_t g, std::uint8_t b) {
  glEnable(GL_SCISSOR_TEST);
  glScissor(x, y, width, height);
  const auto unit = [](std::uint8_t c) { return static_cast<float>(c) / 255.0f; };
  glClearColor(unit(r), unit(g), unit(b), 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

Image read_pixels(int width, int height) {
  Image image{width, height, {}};
  const std::size_t stride = 4 * static_cast<std::size_t>(width);
  image.rgba.resize(stride * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  // GL's first row is the lowest.
  for (int top = 0, low = height - 1; top < low; ++top, --low) {
    const auto row = [&](int y) { return image.rgba.begin() + std::ptrdiff_t{y} * 4 * width; };
    std::swap_ranges(row(top), row(top + 1), row(low));
  }
  return image;
}

std::string take_errors() {
  std::string out = take_debug_errors();
  // A lost context may answer with an error forever.
  for (int i = 0; i < 16; ++i) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) break;
    out += "OpenGL: " + name_of(error) + "\n";
  }
  return out;
}

std::string description() { return text_of(GL_RENDERER) + ", OpenGL " + text_of(GL_VERSION); }

bool draws_on_processor() {
  const std::string driver = text_of(GL_RENDERER);
  return driver.starts_with("llvmpipe") || driver.starts_with("softpipe");
}

}  // namespace gl
