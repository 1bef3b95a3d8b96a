// An APNG (PNG third edition, W3C 2025, 11.3.2): a PNG for who knows no better, and after its
// picture the rectangles that change. libpng writes each; here their chunks are put together.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/paper/file/png_writer.h"
#include "app/sweep/film.h"
#include "app/system/atomic_file.h"

namespace sweep {

struct Chunk {
  std::string type, data;
};
// The chunks of a PNG's bytes. Throws std::runtime_error where it is none.
std::vector<Chunk> chunks_of(std::string_view png);
// With its length and its check sum.
std::string bytes_of(const Chunk& chunk);

std::string png_of(const paper::Pixels& pixels, const paper::PngTexts& texts);
paper::PngTexts texts_of(const FilmFacts& facts);

class Apng final : public Film {
 public:
  Apng(const std::filesystem::path& out, FilmFacts facts) : file_(out), facts_(std::move(facts)) {}
  void add(const paper::Pixels& frame, const core::Cancel&) override;
  void finish(const core::Cancel& cancel) override;

 private:
  struct Frame {
    int x = 0, y = 0, width = 0, height = 0;
    std::string data;  // of IDAT, whole
    int repeats = 1;
  };
  std::string control(const Frame& frame, int shown) const;

  sys::AtomicFile file_;
  FilmFacts facts_;
  paper::Pixels last_;
  std::vector<Chunk> head_;  // of the first frame, what stands before its picture
  std::vector<Frame> frames_;
};

}  // namespace sweep
