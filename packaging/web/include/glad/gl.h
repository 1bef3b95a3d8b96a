// WebGL 2 (OpenGL ES 3) as app/gl knows OpenGL by glad: nothing is loaded, and what only desktops
// have is never asked for.
#pragma once

#include <GLES3/gl3.h>

using GLADapiproc = void (*)();
using GLADloadfunc = GLADapiproc (*)(const char*);
#define GLAD_VERSION_MAJOR(version) ((version) / 10000)
#define GLAD_VERSION_MINOR(version) ((version) % 10000)
// Of OpenGL ES 3.0, which has what 3.3 is needed for.
inline int gladLoadGL(GLADloadfunc) { return 30003; }

inline constexpr bool GLAD_GL_KHR_debug = false;
#define GL_CONTEXT_FLAGS 0x821E
#define GL_CONTEXT_FLAG_DEBUG_BIT 0x0002
#define GL_DEBUG_TYPE_ERROR 0x824C
inline GLuint glGetDebugMessageLog(GLuint, GLsizei, GLenum*, GLenum*, GLuint*, GLenum*, GLsizei*,
                                   char*) {
  return 0;
}

#define GL_BGRA 0x80E1
#define GL_UNSIGNED_INT_8_8_8_8_REV GL_UNSIGNED_BYTE  // the same bytes on a little-endian machine
#define GL_FILL 0x1B02
inline void glPolygonMode(GLenum, GLenum) {}
