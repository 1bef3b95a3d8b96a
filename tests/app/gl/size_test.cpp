#include <doctest/doctest.h>

#include <utility>

#include "app/gl/window.h"

namespace size_test {

TEST_CASE("a picture is cut down to what can be made") {
  const auto cut = [](int w, int h, int side) {
    const gl::Size size = gl::largest_picture(w, h, side);
    return std::pair{size.width, size.height};
  };
  CHECK(cut(1600, 1000, 16384) == std::pair{1600, 1000});
  CHECK(cut(7680, 4320, 16384) == std::pair{7680, 4320});
  CHECK(cut(32000, 500, 16384) == std::pair{16384, 500});
  CHECK(cut(32000, 32000, 16384) == std::pair{16384, 4096});
  CHECK(cut(0, 32000, 8192) == std::pair{0, 8192});
}

}  // namespace size_test
