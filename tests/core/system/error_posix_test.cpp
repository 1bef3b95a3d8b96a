#include <doctest/doctest.h>

#include <cerrno>

#include "core/system/error.h"

TEST_CASE("a disk is full by whatever name") {
  const auto said = [](int error, const std::error_category& category) {
    return core::system_reason({error, category}).in_english();
  };
  CHECK(said(EDQUOT, std::generic_category()) == "the disk is full");
  CHECK(said(ENOSPC, std::system_category()) == "the disk is full");
}
