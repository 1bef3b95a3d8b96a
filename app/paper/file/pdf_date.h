// The date in a PDF.
#pragma once

#include <cairo.h>

namespace paper {

// The same input makes the same bytes: there is no date but the one of SOURCE_DATE_EPOCH
// (reproducible-builds.org, seconds since 1970), where the environment has it. Throws
// core::InputError where that is no such number.
void set_pdf_date(cairo_surface_t* surface);

}  // namespace paper
