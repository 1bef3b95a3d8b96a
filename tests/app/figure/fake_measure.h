// A font whose letters all have one width: layouts come out the same on every machine.
#pragma once

#include <string>

#include "app/figure/layout.h"

struct FakeMeasure final : figure::TextMeasure {
  float scale = 1;
  figure::Point size(const std::string& text, figure::TextStyle style) const override {
    float letters = 0;
    for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    const float em = figure::text_spec(style).size * scale;
    return {0.6f * em * letters, 1.25f * em};
  }
};

// A measure and options that belong together.
struct FakeOptions {
  FakeMeasure measure;
  figure::LayoutOptions options;
  explicit FakeOptions(float scale = 1, figure::ThemeName theme = figure::ThemeName::dark) {
    measure.scale = scale;
    options.theme = &figure::theme(theme);
    options.measure = &measure;
    options.scale = scale;
  }
  FakeOptions(const FakeOptions&) = delete;
  FakeOptions& operator=(const FakeOptions&) = delete;
};
