// What a memo takes for the same key.
#include "app/labs/memo.h"

#include <doctest/doctest.h>

#include "core/types.h"

namespace memo_test {

using core::VectorD;

TEST_CASE("A stage runs again for a longer or a shorter vector that begins alike") {
  lab::Memo memo;
  const auto size_of = [&](const VectorD& key, int other) {
    return *memo.get("size", std::tuple(key, other), [&] { return key.size(); });
  };
  VectorD two(2), three(3);
  two << 1, 2;
  three << 1, 2, 3;
  for (const VectorD& key : {two, three, two, VectorD(), three}) {
    CHECK(size_of(key, 0) == key.size());
  }
  CHECK(memo.runs("size") == 5);
  CHECK(size_of(three, 0) == 3);
  CHECK(memo.runs("size") == 5);
  CHECK(size_of(three, 1) == 3);
  CHECK(memo.runs("size") == 6);
}

}  // namespace memo_test
