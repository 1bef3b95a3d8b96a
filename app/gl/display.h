// What is told of the display: that there is none, and errors of the X server, which end nothing.
#pragma once

#include "core/message.h"

namespace gl {

// From now on an error of the X server is told on the standard error and otherwise passed over,
// where Xlib's own handler ends the program: a client that asks for the clipboard, or drops a file,
// and vanishes before it is answered makes one. To be called again after GLFW has made a window:
// before 3.4 it leaves Xlib's own handler behind. Without an X server it does nothing.
void outlive_x_errors();

// "no display: ..." in a sentence: which one was asked for, if any. `reason` is GLFW's.
core::Message no_display(const core::Message& reason);

}  // namespace gl
