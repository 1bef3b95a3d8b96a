// A Cairo image as a PNG file's bytes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

typedef struct _cairo_surface cairo_surface_t;

namespace paper {

// Keyword and text (UTF-8), written as iTXt chunks before the pixels.
using PngTexts = std::vector<std::pair<std::string, std::string>>;

// `surface` is an image in CAIRO_FORMAT_RGB24, or with transparent places in CAIRO_FORMAT_ARGB32.
// `scale` 1 means 96 dots an inch.
std::string encode_png(cairo_surface_t* surface, const PngTexts& texts, float scale);

// Encodes pixels as GL gives them: width x height x 4 bytes, row 0 at the top. Alpha is ignored; of
// `clear` pixels it is 0 or 255.
std::string encode_png(int width, int height, const std::uint8_t* rgba, const PngTexts& texts,
                       bool clear = false);

}  // namespace paper
