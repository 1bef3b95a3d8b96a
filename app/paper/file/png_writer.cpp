#include "app/paper/file/png_writer.h"

#include <cairo.h>
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
  std::vector<unsigned char> row;
  const unsigned char* pixels = nullptr;
  int width = 0, height = 0, stride = 0;
  bool alpha = false;
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

// Cairo's colours are premultiplied, PNG's are not.
unsigned char straight(std::uint32_t part, std::uint32_t alpha) {
  return static_cast<unsigned char>(alpha == 0 ? 0 : (part * 255 + alpha / 2) / alpha);
}

void write_alpha_rows(png_structp png, Writing& job) {
  for (int y = 0; y < job.height; ++y) {
    const auto* in = reinterpret_cast<const std::uint32_t*>(
        job.pixels + static_cast<std::ptrdiff_t>(y) * job.stride);
    unsigned char* out = job.row.data();
    for (int x = 0; x < job.width; ++x, out += 4) {
      const std::uint32_t alpha = in[x] >> 24;
      out[0] = straight(in[x] >> 16 & 255, alpha);
      out[1] = straight(in[x] >> 8 & 255, alpha);
      out[2] = straight(in[x] & 255, alpha);
      out[3] = static_cast<unsigned char>(alpha);
    }
    png_write_row(png, job.row.data());
  }
}

void write_rows(png_structp png, Writing& job) {
  if (job.alpha) return write_alpha_rows(png, job);
  for (int y = 0; y < job.height; ++y) {
    const auto* in = reinterpret_cast<const std::uint32_t*>(
        job.pixels + static_cast<std::ptrdiff_t>(y) * job.stride);
    unsigned char* out = job.row.data();
    for (int x = 0; x < job.width; ++x, out += 3) {
      out[0] = static_cast<unsigned char>(in[x] >> 16);
      out[1] = static_cast<unsigned char>(in[x] >> 8);
      out[2] = static_cast<unsigned char>(in[x]);
    }
    png_write_row(png, job.row.data());
  }
}

bool write_image(png_structp png, png_infop info, Writing& job) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_write_fn(png, &job, append, flush);
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_IHDR(png, info, static_cast<png_uint_32>(job.width), static_cast<png_uint_32>(job.height),
               8, job.alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_RELATIVE);
  png_set_pHYs(png, info, job.dots_per_metre, job.dots_per_metre, PNG_RESOLUTION_METER);
  // Figures are flat areas and repeated rows: one cheap filter and the quick level are smaller and
  // several times faster than trying all filters.
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
  png_set_compression_level(png, 2);
  png_set_text(png, info, job.texts.data(), static_cast<int>(job.texts.size()));
  png_write_info(png, info);
  write_rows(png, job);
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

std::string encode_png(cairo_surface_t* surface, const PngTexts& texts, float scale) {
  cairo_surface_flush(surface);
  Writing job;
  job.pixels = cairo_image_surface_get_data(surface);
  job.width = cairo_image_surface_get_width(surface);
  job.height = cairo_image_surface_get_height(surface);
  job.stride = cairo_image_surface_get_stride(surface);
  job.alpha = cairo_image_surface_get_format(surface) == CAIRO_FORMAT_ARGB32;
  job.row.resize(static_cast<std::size_t>(job.width) * (job.alpha ? 4 : 3));
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
  cairo_surface_t* surface =
      cairo_image_surface_create(clear ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, width, height);
  const int stride = cairo_image_surface_get_stride(surface);
  unsigned char* data = cairo_image_surface_get_data(surface);
  if (!data) {
    cairo_surface_destroy(surface);
    throw std::bad_alloc();
  }
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < width; ++x, rgba += 4) {
      const auto color = static_cast<std::uint32_t>(rgba[0] << 16 | rgba[1] << 8 | rgba[2]);
      row[x] = !clear ? color : rgba[3] == 0 ? 0 : 0xff000000u | color;
    }
  }
  cairo_surface_mark_dirty(surface);
  std::string bytes;
  try {
    bytes = encode_png(surface, texts, 1);
  } catch (...) {
    cairo_surface_destroy(surface);
    throw;
  }
  cairo_surface_destroy(surface);
  return bytes;
}

}  // namespace paper
