// Cairo's surfaces and contexts as things that end by themselves, their errors and pixels as ours.
#pragma once

#include <cairo.h>

#include <cstdint>
#include <memory>

#include "app/paper/file/png_writer.h"

namespace paper {

struct CloseCairo {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};
using Surface = std::unique_ptr<cairo_surface_t, CloseCairo>;
using Cairo = std::unique_ptr<cairo_t, CloseCairo>;

// Throws what a status that is no success means.
void check(cairo_status_t status);

// The bytes of an image's pixels, row by row from the top: red, green and blue, and of
// CAIRO_FORMAT_ARGB32 opacity, which is straight (Cairo's own colours are premultiplied). `surface`
// outlives it.
PngRows rows_of(cairo_surface_t* surface);

// For Cairo's streams: adds to a std::string.
cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int size);

}  // namespace paper
