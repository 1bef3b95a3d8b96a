#include "core/text/printable.h"

#include <doctest/doctest.h>

#include <string>

namespace printable_test {

using core::printable;

TEST_CASE("what a terminal would obey is written out") {
  CHECK(printable("plain 河岸 🙂") == "plain 河岸 🙂");
  CHECK(printable("\x1b[2J\n\t\x7f") == "\\x1b[2J\\x0a\\x09\\x7f");
  CHECK(printable("\xff\xc3") == "\\xff\\xc3");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\x9b31m");  // CSI as one character
  CHECK(printable("a\xe2\x80\xae"
                  "b") == "a\\u202eb");  // right to left from here
  CHECK(printable("a\xe2\x80\xa8"
                  "b") == "a\\u2028b");  // a line's end
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("long text is cut between characters") {
  CHECK(printable(std::string(100'000, 'x')) == std::string(60, 'x') + "…");
  CHECK(printable(std::string(60, 'x')) == std::string(60, 'x'));
  CHECK(printable("七七七", 7) == "七七…");
}

}  // namespace printable_test
