#include "app/worker/tile_cache.h"

#include <doctest/doctest.h>

namespace tile_cache_test {

using core::Index;
using figure::Pool;

TEST_CASE("the cache forgets the longest unused tiles that nobody wants") {
  const auto tile = [] {
    auto t = std::make_shared<worker::Tile>();
    t->rows = t->cols = 256;
    t->values.resize(256 * 256);
    return t;
  };
  worker::TileCache cache;
  const auto key = [](Index row) { return worker::TileKey{1, 0, Pool::max, row, 0}; };
  const auto nobody = [](const worker::TileKey&) { return false; };
  for (Index i = 0; i < 4; ++i) cache.insert(key(i), tile());
  CHECK(cache.find(key(0)));  // now 1 is the longest unused
  const std::size_t each = cache.bytes() / 4;
  cache.give_up(0, nobody);
  CHECK(cache.bytes() == 4 * each);
  cache.give_up(1, nobody);  // a tile goes whole
  CHECK(cache.contains(key(0)));
  CHECK_FALSE(cache.contains(key(1)));
  CHECK(cache.bytes() == 3 * each);
  cache.give_up(2 * each, [&](const worker::TileKey& k) { return k == key(2); });
  CHECK(cache.contains(key(2)));
  CHECK_FALSE(cache.contains(key(0)));
  CHECK_FALSE(cache.contains(key(3)));
  cache.give_up(100 * each, [&](const worker::TileKey& k) { return k == key(2); });
  CHECK(cache.contains(key(2)));
  cache.insert(key(4), tile());
  cache.insert({2, 5, Pool::mean, 0, 0}, tile());
  cache.forget(1);
  CHECK(cache.contains({2, 5, Pool::mean, 0, 0}));
  CHECK_FALSE(cache.contains(key(4)));
  cache.forget(2);
  CHECK(cache.bytes() == 0);
}

}  // namespace tile_cache_test
