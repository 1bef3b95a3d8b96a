// Finished tiles, the least recently used ones forgotten first.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/figure/tile_source.h"
#include "core/message.h"

namespace worker {

// Pooled cells along a tile's side.
inline constexpr figure::Index kTileSide = 256;

// Key of a tile: row and column count tiles of a level.
struct TileKey {
  std::uint64_t source = 0;
  int level = 0;
  figure::Pool pool = figure::Pool::max;
  figure::Index row = 0, col = 0;
  auto operator<=>(const TileKey&) const = default;
};

struct Tile {
  figure::Index rows = 0, cols = 0;
  std::vector<float> values;  // rows x cols
  core::Message error;        // why the source could not make it; its values are NaN then
};

class TileCache {
 public:
  bool contains(const TileKey& key) const { return tiles_.contains(key); }
  // Null when there is none; one that is found counts as used.
  std::shared_ptr<const Tile> find(const TileKey& key);
  void insert(const TileKey& key, std::shared_ptr<const Tile> tile);
  // Forgets tiles of at least so many bytes that `wanted` does not hold, the longest unused first.
  void give_up(std::size_t bytes, const std::function<bool(const TileKey&)>& wanted);
  // Forgets every tile of a source.
  void forget(std::uint64_t source);
  std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::shared_ptr<const Tile> tile;
    std::list<TileKey>::iterator use;
  };
  std::map<TileKey, Entry>::iterator erase(std::map<TileKey, Entry>::iterator it);

  std::size_t bytes_ = 0;
  std::map<TileKey, Entry> tiles_;
  std::list<TileKey> uses_;  // the most recent one first
};

}  // namespace worker
