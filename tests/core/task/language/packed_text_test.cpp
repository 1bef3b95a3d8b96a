// Texts one after another, in another order in each epoch.
#include "core/task/language/packed_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "refusal.h"

namespace packed_text_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index;

namespace {

std::vector<TokenText> texts() {
  std::vector<TokenText> all;
  for (std::int32_t k = 1; k <= 40; ++k) all.push_back(TokenText(static_cast<std::size_t>(k), k));
  return all;
}

std::vector<std::int32_t> epoch_of(PackedText& text, Index epoch) {
  std::vector<std::int32_t> all;
  for (Index w = 0; w < text.windows(); ++w) {
    const std::int32_t* tokens = text.at(epoch * text.windows() + w);
    all.insert(all.end(), tokens, tokens + text.window());
  }
  return all;
}

}  // namespace

TEST_CASE("an epoch has all texts whole, with a separator between any two") {
  PackedText text(texts(), 0, 7, 3);
  CHECK(text.tokens() == 820 + 41);
  CHECK(text.windows() == 860 / 7);
  const std::vector<std::int32_t> all = epoch_of(text, 0);
  CHECK(all.front() == 0);
  std::vector<bool> seen(41);
  for (std::size_t k = 1; k + 42 < all.size(); ++k) {
    if (all[k - 1] != 0) continue;
    const auto n = static_cast<std::size_t>(all[k]);
    CHECK(std::count(all.begin() + static_cast<Index>(k), all.begin() + static_cast<Index>(k + n),
                     all[k]) == all[k]);
    CHECK(all[k + n] == 0);
    CHECK_FALSE(seen[n]);
    seen[n] = true;
  }
  CHECK(std::count(seen.begin(), seen.end(), true) > 35);
}

TEST_CASE("what a window is to guess last is what the next one begins with") {
  PackedText text(texts(), 0, 7, 3);
  for (Index w = 0; w + 1 < text.windows(); ++w) {
    const std::int32_t last = text.at(w)[7];
    CHECK(text.at(w + 1)[0] == last);
  }
}

TEST_CASE("each epoch has its own order, whichever was looked at before") {
  PackedText text(texts(), 0, 7, 3), again(texts(), 0, 7, 3), other(texts(), 0, 7, 4);
  const auto first = epoch_of(text, 0), second = epoch_of(text, 1);
  CHECK(first != second);
  CHECK(epoch_of(again, 1) == second);
  CHECK(epoch_of(again, 0) == first);
  CHECK(epoch_of(other, 0) != first);
  CHECK(text.hash() == again.hash());
  CHECK(text.hash() != other.hash());
  auto changed = texts();
  changed[5][2] = 1;
  CHECK(PackedText(changed, 0, 7, 3).hash() != text.hash());
}

TEST_CASE("too few texts for a window are refused") {
  CHECK(refusals::sentence([] {
          PackedText({{1, 2}, {3}}, 0, 6, 1);
        }) == "packed text: expected more than 6 tokens, got 6");
}

}  // namespace packed_text_test
