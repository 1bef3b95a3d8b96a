#include "app/gl/window.h"

namespace gl {

// A page has the one context of its canvas.
struct Windowless::Inner {};

Windowless::Windowless(int, int) {
  throw Unavailable(core::Message(N_("a page draws on its canvas and nowhere else")));
}

Windowless::~Windowless() = default;

void Windowless::bind() {}

}  // namespace gl
