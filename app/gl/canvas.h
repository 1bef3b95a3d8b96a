// A picture that lasts from one frame to the next, so that only what changed is drawn anew; a
// window's own buffers are undefined after every swap.
#pragma once

#include <cstdint>
#include <span>

#include "app/gl/box.h"

namespace gl {

// Needs a current context from construction to destruction.
class Canvas {
 public:
  Canvas() = default;
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  // Who draws the picture: OpenGL, or somebody in memory.
  enum class Source { drawn, put };

  // Makes the picture the current framebuffer, to be shown in the one that is so now. True when its
  // pixels are undefined: it is new or has another size. Throws Unavailable when the driver refuses
  // the size.
  bool begin(int width, int height, Source source = Source::drawn);
  // How pictures in memory are to be stored: like those of a window by the drivers that draw on a
  // processor. Then the copy to the window is a plain one, while to turn it over takes longer than
  // most frames.
  bool top_first() const { return as_window_; }
  bool blue_first() const { return as_window_; }
  // Takes over the pixels of these boxes, y down, from a picture of this size.
  void put(std::span<const Box> boxes, const std::uint32_t* pixels);
  // Makes the framebuffer current that was so before `begin`; copies the whole picture to it when
  // `show` says so.
  void end(bool show);

 private:
  unsigned framebuffer_ = 0, colors_ = 0, before_ = 0;
  int width_ = 0, height_ = 0;
  bool as_window_ = false;
};

}  // namespace gl
