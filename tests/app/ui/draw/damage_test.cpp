#include "app/ui/draw/damage.h"

#include <doctest/doctest.h>

#include <random>
#include <set>

namespace damage_test {

namespace {

constexpr int kWidth = 331, kHeight = 203;

using Picture = std::vector<std::uint64_t>;  // a fingerprint of each pixel: the simple way

struct Both {
  ui::Damage damage;
  Picture now = Picture(kWidth * kHeight), before;

  void begin() {
    before = now;
    now.assign(now.size(), 0);
    damage.begin(kWidth, kHeight, 7);
  }
  void add(const gl::Box& box, std::uint64_t fingerprint) {
    damage.add(box, fingerprint);
    const gl::Box b = common(box, {0, 0, kWidth, kHeight});
    for (int y = b.y0; y < b.y1; ++y) {
      for (int x = b.x0; x < b.x1; ++x) {
        std::uint64_t& pixel = now[static_cast<std::size_t>(y * kWidth + x)];
        pixel = ui::hash_combine(pixel, fingerprint);
      }
    }
  }
  // Pixels that differ and lie in no box, and pixels that lie in several.
  std::pair<int, int> wrong(const std::vector<gl::Box>& boxes) const {
    std::vector<int> covered(now.size());
    for (const gl::Box& b : boxes) {
      for (int y = b.y0; y < b.y1; ++y) {
        for (int x = b.x0; x < b.x1; ++x) ++covered[static_cast<std::size_t>(y * kWidth + x)];
      }
    }
    int missed = 0, twice = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      missed += now[i] != before[i] && covered[i] == 0;
      twice += covered[i] > 1;
    }
    return {missed, twice};
  }
};

}  // namespace

TEST_CASE("the first picture is drawn whole, an equal one not at all") {
  Both both;
  const gl::Box box{40, 50, 90, 60};
  both.begin();
  both.add(box, 1);
  CHECK(both.damage.finish() == std::vector<gl::Box>{{0, 0, kWidth, kHeight}});
  both.begin();
  both.add(box, 1);
  CHECK(both.damage.finish().empty());
  CHECK_FALSE(both.damage.meets(box));
  both.damage.forget();
  both.begin();
  both.add(box, 1);
  CHECK(both.damage.finish() == std::vector<gl::Box>{{0, 0, kWidth, kHeight}});
}

TEST_CASE("another size, another ground and another order are other pictures") {
  ui::Damage damage;
  const auto picture = [&](int width, std::uint64_t ground, std::uint64_t one, std::uint64_t two) {
    damage.begin(width, 100, ground);
    damage.add({10, 10, 20, 20}, one);
    damage.add({15, 15, 25, 25}, two);
    return damage.finish();
  };
  picture(200, 1, 2, 3);
  CHECK(picture(200, 1, 2, 3).empty());
  CHECK_FALSE(picture(200, 1, 3, 2).empty());
  CHECK(picture(200, 9, 3, 2) == std::vector<gl::Box>{{0, 0, 200, 100}});
  CHECK(picture(201, 9, 3, 2) == std::vector<gl::Box>{{0, 0, 201, 100}});
}

TEST_CASE("every pixel that differs lies in just one box") {
  std::mt19937 random(5);
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  Both both;
  std::vector<std::pair<gl::Box, std::uint64_t>> things;
  for (int round = 0; round < 200; ++round) {
    if (round % 20 == 0) things.clear();
    for (int changes = below(40); changes >= 0; --changes) {
      const int x = below(kWidth + 20) - 10, y = below(kHeight + 20) - 10;
      things.push_back(
          {{x, y, x + below(60), y + below(20)}, static_cast<std::uint64_t>(random())});
    }
    if (things.size() > 30) things.erase(things.begin() + below(20));
    both.begin();
    for (const auto& [box, fingerprint] : things) both.add(box, fingerprint);
    const auto boxes = both.damage.finish();
    CHECK(both.wrong(boxes) == std::pair{0, 0});
    for (const gl::Box& box : boxes) CHECK(both.damage.meets(box));
    if (round == 0) continue;
    CHECK(boxes.size() <= 16);
  }
}

TEST_CASE("wide pictures have wider tiles") {
  ui::Damage damage;
  for (const int width : {2048, 2049, 7680}) {
    damage.begin(width, 64, 0);
    damage.finish();
    damage.begin(width, 64, 0);
    damage.add({width - 1, 0, width, 1}, 1);
    const auto boxes = damage.finish();
    REQUIRE(boxes.size() == 1);
    CHECK(boxes.front().x1 == width);
    CHECK(boxes.front().width() <= 128);
  }
}

}  // namespace damage_test
