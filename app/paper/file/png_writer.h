// Pixels as a PNG file's bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace paper {

// Keyword and text (UTF-8), written as iTXt chunks before the pixels.
using PngTexts = std::vector<std::pair<std::string, std::string>>;

// An image that is asked for row by row, from the top.
struct PngRows {
  int width = 0, height = 0;
  bool alpha = false;  // four bytes a pixel, opacity the last and straight; else three
  std::function<void(int y, std::uint8_t* out)> row;
};

// `scale` 1 means 96 dots an inch.
std::string encode_png(const PngRows& rows, const PngTexts& texts, float scale);

// Encodes pixels as GL gives them: width x height x 4 bytes, row 0 at the top. Opacity is ignored
// unless `clear`; then nothing is left of the colour where it is 0.
std::string encode_png(int width, int height, const std::uint8_t* rgba, const PngTexts& texts,
                       bool clear = false);

}  // namespace paper
