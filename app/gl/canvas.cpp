#include "app/gl/canvas.h"

#include <glad/gl.h>

#include <string>

#include "app/gl/context.h"
#include "app/gl/window.h"

namespace gl {

Canvas::~Canvas() {
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &colors_);
}

bool Canvas::begin(int width, int height, Source source) {
  GLint before = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
  before_ = static_cast<unsigned>(before);
  if (framebuffer_ == 0) {
    glGenFramebuffers(1, &framebuffer_);
    glGenTextures(1, &colors_);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  const bool as_window = before_ == 0 && source == Source::put && !is_embedded();
  if (width == width_ && height == height_ && as_window == as_window_) return false;
  as_window_ = as_window;
  width_ = height_ = 0;
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, colors_);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  const bool fits = width <= largest && height <= largest;
  if (fits) {
    // Windows mostly store blue first. Of a picture that does so too the copy is a plain one; a
    // driver is told by the order of the data, and only where the size of a channel is left to it.
    glTexImage2D(GL_TEXTURE_2D, 0, as_window ? GL_RGBA : GL_RGBA8, width, height, 0,
                 as_window ? GL_BGRA : GL_RGBA, GL_UNSIGNED_INT_8_8_8_8_REV, nullptr);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colors_, 0);
  }
  if (!fits || glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    glBindFramebuffer(GL_FRAMEBUFFER, before_);
    throw Unavailable(
        core::Message(N_("the OpenGL driver refused a picture of {} x {} pixels"), width, height));
  }
  width_ = width;
  height_ = height;
  return true;
}

void Canvas::put(std::span<const Box> boxes, const std::uint32_t* pixels) {
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, colors_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, width_);
  for (const Box& box : boxes) {
    const int low = as_window_ ? box.y0 : height_ - box.y1;
    glTexSubImage2D(GL_TEXTURE_2D, 0, box.x0, low, box.width(), box.height(),
                    as_window_ ? GL_BGRA : GL_RGBA, GL_UNSIGNED_INT_8_8_8_8_REV,
                    pixels + std::ptrdiff_t{low} * width_ + box.x0);
  }
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

void Canvas::end(bool show) {
  if (show) {
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, before_);
    const int low = as_window_ ? height_ : 0;
    glBlitFramebuffer(0, low, width_, height_ - low, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, before_);
}

}  // namespace gl
