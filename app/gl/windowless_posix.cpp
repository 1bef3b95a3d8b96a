#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <cstring>

#include "app/gl/context.h"
#include "app/gl/window.h"

namespace gl {
namespace {

struct Display {
  EGLDisplay id = EGL_NO_DISPLAY;
  Display() = default;
  explicit Display(EGLDisplay display) : id(display) {}
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;
  ~Display() {
    if (id != EGL_NO_DISPLAY) eglTerminate(id);
  }
};

// EGL gives one display to all who ask for the same, and ending it would end every context on it:
// it ends with its last context.
std::weak_ptr<Display> current_display;

bool has_client_extension(const char* name) {
  const char* all = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  return all && std::strstr(all, name);
}

template <class Function>
Function egl_function(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

EGLDisplay initialized(EGLDisplay display) {
  if (display == EGL_NO_DISPLAY) return EGL_NO_DISPLAY;
  return eglInitialize(display, nullptr, nullptr) == EGL_TRUE ? display : EGL_NO_DISPLAY;
}

EGLContext make_context(EGLDisplay display) {
  if (display == EGL_NO_DISPLAY || eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return EGL_NO_CONTEXT;
  const std::array<EGLint, 5> wanted{EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                     EGL_NONE};
  EGLConfig config = EGL_NO_CONFIG_KHR;
  EGLint count = 0;
  if (!eglChooseConfig(display, wanted.data(), &config, 1, &count) || count < 1) {
    config = EGL_NO_CONFIG_KHR;
  }
  const EGLint debug = wants_debug_context() ? EGL_TRUE : EGL_FALSE;
  const std::array<EGLint, 9> attributes{EGL_CONTEXT_MAJOR_VERSION,
                                         3,
                                         EGL_CONTEXT_MINOR_VERSION,
                                         3,
                                         EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                         EGL_CONTEXT_OPENGL_DEBUG,
                                         debug,
                                         EGL_NONE};
  return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
}

// A display of Mesa's that has no screen, else that of the first device that can.
std::pair<std::shared_ptr<Display>, EGLContext> open_context() {
  if (auto display = current_display.lock()) return {display, make_context(display->id)};
  const auto platform_display =
      egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  if (!platform_display) return {nullptr, EGL_NO_CONTEXT};
  const auto attempt = [&](EGLenum platform, void* native) {
    auto display =
        std::make_shared<Display>(initialized(platform_display(platform, native, nullptr)));
    const EGLContext context = make_context(display->id);
    return std::pair{std::move(display), context};
  };
  if (has_client_extension("EGL_MESA_platform_surfaceless")) {
    auto opened = attempt(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
    if (opened.second != EGL_NO_CONTEXT) return opened;
  }
  std::array<EGLDeviceEXT, 16> devices{};
  EGLint count = 0;
  const auto query = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  if (query) query(static_cast<EGLint>(devices.size()), devices.data(), &count);
  for (EGLint i = 0; i < count; ++i) {
    auto opened = attempt(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)]);
    if (opened.second != EGL_NO_CONTEXT) return opened;
  }
  return {nullptr, EGL_NO_CONTEXT};
}

}  // namespace

struct Windowless::Inner {
  std::shared_ptr<Display> display;
  EGLContext context = EGL_NO_CONTEXT;
  GLuint framebuffer = 0, colors = 0;
  int width = 0, height = 0;

  ~Inner() {
    if (context == EGL_NO_CONTEXT) return;
    // Objects of the framebuffer die with their context.
    if (eglGetCurrentContext() == context) {
      eglMakeCurrent(display->id, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    eglDestroyContext(display->id, context);
  }

  void make_current() const {
    if (eglMakeCurrent(display->id, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE) {
      throw Unavailable(core::Message(N_("the OpenGL driver cannot draw without a window")));
    }
  }
};

Windowless::Windowless(int width, int height) : inner_(std::make_unique<Inner>()) {
  Inner& in = *inner_;
  std::tie(in.display, in.context) = open_context();
  if (in.context == EGL_NO_CONTEXT) {
    throw Unavailable(
        core::Message(N_("needs OpenGL 3.3 through EGL to draw without a display, and found none "
                         "(on Debian: libegl1 and libgl1-mesa-dri)")));
  }
  current_display = in.display;
  in.width = width;
  in.height = height;
  in.make_current();
  load_gl(eglGetProcAddress);
  make_framebuffer(width, height, in.framebuffer, in.colors);
  bind();
}

Windowless::~Windowless() = default;

void Windowless::bind() {
  inner_->make_current();
  glBindFramebuffer(GL_FRAMEBUFFER, inner_->framebuffer);
  glViewport(0, 0, inner_->width, inner_->height);
}

}  // namespace gl
