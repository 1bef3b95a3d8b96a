#include "core/system/error.h"

#include <doctest/doctest.h>

#include <fstream>

namespace error_test {

TEST_CASE("the reasons of the system are told in words, and unknown ones in its own") {
  const auto said = [](std::errc error) {
    return core::system_reason(std::make_error_code(error)).in_english();
  };
  CHECK(said(std::errc::no_such_file_or_directory) == "there is no such file or folder");
  CHECK(said(std::errc::operation_not_permitted) == "permission denied");
  CHECK(said(std::errc::too_many_symbolic_link_levels) == "its links form a loop");
  CHECK(said(std::errc::not_enough_memory) ==
        std::make_error_code(std::errc::not_enough_memory).message());
}

TEST_CASE("the last error is the last one, until it is forgotten") {
  core::forget_error();
  CHECK_FALSE(core::last_error());
  std::ifstream none("there/is/none");
  CHECK(core::last_error() == std::errc::no_such_file_or_directory);
}

}  // namespace error_test
