// What the window and the windowless context share.
#pragma once

#include <glad/gl.h>

namespace gl {

// Loads GL through `load` and throws Unavailable when the current context has less than 3.3.
void load_gl(GLADloadfunc load);

// Makes a framebuffer of this size for the current context, and what it draws on. Throws
// Unavailable.
void make_framebuffer(int width, int height, GLuint& framebuffer, GLuint& colors);

// Whether the current context is one of OpenGL ES, as browsers have it: shaders begin otherwise,
// and no texture has blue first.
bool is_embedded();

// Whether contexts are asked to report what they dislike: debug builds, and when the environment
// variable ATTNSCOPE_GL_DEBUG is set.
bool wants_debug_context();

}  // namespace gl
