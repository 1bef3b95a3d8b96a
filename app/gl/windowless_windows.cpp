#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/gl/context.h"
#include "app/gl/window.h"

namespace gl {

// Contexts belong to windows here: to one that is never shown.
struct Windowless::Inner {
  GLFWwindow* window = nullptr;
  GLuint framebuffer = 0, colors = 0;
  int width = 0, height = 0;

  ~Inner() {
    // Objects of the framebuffer die with their context.
    if (window) glfwDestroyWindow(window);
  }
};

Windowless::Windowless(int width, int height) : inner_(std::make_unique<Inner>()) {
  Inner& in = *inner_;
  // GLFW stays until the program ends: a window may be open that counts on it.
  if (glfwInit() != GLFW_TRUE) throw Unavailable(core::Message(N_("no display")));
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, wants_debug_context() ? GLFW_TRUE : GLFW_FALSE);
  in.window = glfwCreateWindow(16, 16, "", nullptr, nullptr);
  if (!in.window) {
    throw Unavailable(core::Message(N_("needs OpenGL 3.3, and this display does not offer it")));
  }
  in.width = width;
  in.height = height;
  glfwMakeContextCurrent(in.window);
  load_gl(glfwGetProcAddress);
  make_framebuffer(width, height, in.framebuffer, in.colors);
  bind();
}

Windowless::~Windowless() = default;

void Windowless::bind() {
  glfwMakeContextCurrent(inner_->window);
  glBindFramebuffer(GL_FRAMEBUFFER, inner_->framebuffer);
  glViewport(0, 0, inner_->width, inner_->height);
}

}  // namespace gl
