#include "app/paper/file/surface.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <string>

namespace paper {

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  if (status != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error(
        fmt::format("the figure could not be drawn: {}", cairo_status_to_string(status)));
  }
}

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int size) {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
  } catch (const std::exception&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace paper
