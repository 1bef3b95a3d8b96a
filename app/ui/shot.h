// The whole window as a picture, with no display: the same shell on a windowless context.
#pragma once

#include <optional>

#include "app/figure/theme.h"
#include "app/gl/window.h"
#include "app/labs/session.h"
#include "app/words/words.h"

namespace ui {

struct ShotOptions {
  std::optional<lab::Session> session;
  figure::ThemeName theme = figure::ThemeName::dark;
  words::Language language = words::Language::en;
  int width = 1600, height = 1000;
  float scale = 0;  // 0: 1
};

// Throws gl::Unavailable without EGL or OpenGL 3.3, core::InputError for a refused session.
gl::Image render_shot(const ShotOptions& options);

}  // namespace ui
