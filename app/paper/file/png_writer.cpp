#include "app/paper/file/png_writer.h"

#include <png.h>

#include <cmath>
#include <cstdint>
#include <new>
#include <stdexcept>

namespace paper {
namespace {

// What the callbacks of libpng see. Exceptions must not cross C frames and longjmp must not skip
// destructors, so everything that has one lives outside of `write_image`.
struct Writing {
  std::string bytes;
  std::string error;
  std::vector<png_text> texts;
  std::vector<std::uint8_t> row;
  const PngRows* rows = nullptr;
  png_uint_32 dots_per_metre = 0;
};

void append(png_structp png, png_bytep data, png_size_t size) {
  auto* job = static_cast<Writing*>(png_get_io_ptr(png));
  bool full = false;
  try {
    job->bytes.append(reinterpret_cast<const char*>(data), size);
  } catch (const std::exception&) {
    full = true;
  }
  if (full) png_error(png, "not enough memory");
}

void flush(png_structp) {}

void on_error(png_structp png, png_const_charp message) {
  auto* job = static_cast<Writing*>(png_get_error_ptr(png));
  try {
    job->error = message;
  } catch (const std::exception&) {
    job->error.clear();
  }
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

bool write_image(png_structp png, png_infop info, Writing& job) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_write_fn(png, &job, append, flush);
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_IHDR(png, info, static_cast<png_uint_32>(job.rows->width),
               static_cast<png_uint_32>(job.rows->height), 8,
               job.rows->alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_RELATIVE);
  png_set_pHYs(png, info, job.dots_per_metre, job.dots_per_metre, PNG_RESOLUTION_METER);
  // Figures are flat areas and repeated rows: one cheap filter and the quick level are smaller and
  // several times faster than trying all filters.
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
  png_set_compression_level(png, 2);
  png_set_text(png, info, job.texts.data(), static_cast<int>(job.texts.size()));
  png_write_info(png, info);
  for (int y = 0; y < job.rows->height; ++y) {
    job.rows->row(y, job.row.data());
    png_write_row(png, job.row.data());
  }
  png_write_end(png, nullptr);
  return true;
}

png_text as_chunk(const std::string& keyword, const std::string& text) {
  png_text chunk{};
  // libpng's struct is not const-correct; it only reads.
  chunk.compression = text.size() > 65536 ? PNG_ITXT_COMPRESSION_zTXt : PNG_ITXT_COMPRESSION_NONE;
  chunk.key = const_cast<char*>(keyword.c_str());
  chunk.text = const_cast<char*>(text.c_str());
  chunk.itxt_length = text.size();
  return chunk;
}

}  // namespace

std::string encode_png(const PngRows& rows, const PngTexts& texts, float scale) {
  Writing job;
  job.rows = &rows;
  job.row.resize(static_cast<std::size_t>(rows.width) * (rows.alpha ? 4 : 3));
  job.dots_per_metre =
      static_cast<png_uint_32>(std::lround(96.0 * static_cast<double>(scale) / 0.0254));
  for (const auto& [keyword, text] : texts) job.texts.push_back(as_chunk(keyword, text));

  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
  if (!png) throw std::bad_alloc();
  png_infop info = png_create_info_struct(png);
  const bool good = info && write_image(png, info, job);
  png_destroy_write_struct(&png, &info);
  if (!good) throw std::runtime_error("the PNG could not be made: " + job.error);
  return std::move(job.bytes);
}

std::string encode_png(int width, int height, const std::uint8_t* rgba, const PngTexts& texts,
                       bool clear) {
  const auto row = [&](int y, std::uint8_t* out) {
    const std::uint8_t* in = rgba + std::ptrdiff_t{4} * width * y;
    for (int x = 0; x < width; ++x, in += 4) {
      const bool nothing = clear && in[3] == 0;
      for (int k = 0; k < 3; ++k) *out++ = nothing ? std::uint8_t{0} : in[k];
      if (clear) *out++ = in[3];
    }
  };
  return encode_png({width, height, clear, row}, texts, 1);
}

}  // namespace paper
