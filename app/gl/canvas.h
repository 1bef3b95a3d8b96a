// A picture that lasts from one frame to the next, so that only what changed is drawn anew; a
// window's own buffers are undefined after every swap.
#pragma once

namespace gl {

// Needs a current context from construction to destruction.
class Canvas {
 public:
  Canvas() = default;
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  // Makes the picture the current framebuffer. True when its pixels are undefined: it is new or has
  // another size. Throws Unavailable when the driver refuses the size.
  bool begin(int width, int height);
  // Makes the framebuffer current that was so before `begin`; copies the whole picture to it when
  // `show` says so.
  void end(bool show);

 private:
  unsigned framebuffer_ = 0, colors_ = 0, before_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace gl
