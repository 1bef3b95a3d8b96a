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

  // Makes the picture the current framebuffer, to be shown in the one that is so now. True when its
  // pixels are undefined: it is new or has another size. Throws Unavailable when the driver refuses
  // the size.
  bool begin(int width, int height);
  // Whether its rows are stored from the top, as a window's are by the drivers that draw on a
  // processor: of such a picture the copy to a window is a plain one, while to turn it over takes
  // longer than most frames. Whoever draws counts y from the top of what is seen and asks this.
  bool top_first() const { return top_first_; }
  // Makes the framebuffer current that was so before `begin`; copies the whole picture to it when
  // `show` says so.
  void end(bool show);

 private:
  unsigned framebuffer_ = 0, colors_ = 0, before_ = 0;
  int width_ = 0, height_ = 0;
  bool top_first_ = false;
};

}  // namespace gl
