#include "app/worker/tile_cache.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace worker {
namespace {

std::size_t bytes_of(const Tile& tile) { return tile.values.size() * sizeof(float) + sizeof(Tile); }

}  // namespace

std::shared_ptr<const Tile> TileCache::find(const TileKey& key) {
  const auto it = tiles_.find(key);
  if (it == tiles_.end()) return nullptr;
  uses_.splice(uses_.begin(), uses_, it->second.use);
  return it->second.tile;
}

void TileCache::insert(const TileKey& key, std::shared_ptr<const Tile> tile) {
  if (const auto old = tiles_.find(key); old != tiles_.end()) erase(old);
  bytes_ += bytes_of(*tile);
  uses_.push_front(key);
  tiles_.emplace(key, Entry{std::move(tile), uses_.begin()});
}

void TileCache::give_up(std::size_t bytes, const std::function<bool(const TileKey&)>& wanted) {
  const std::size_t most = bytes_ - std::min(bytes_, bytes);
  for (auto it = uses_.end(); bytes_ > most && it != uses_.begin();) {
    --it;
    if (wanted(*it)) continue;
    const TileKey oldest = *it;
    ++it;  // past the entry that goes
    erase(tiles_.find(oldest));
  }
}

void TileCache::forget(std::uint64_t source) {
  auto it =
      tiles_.lower_bound(TileKey{source, std::numeric_limits<int>::min(), figure::Pool::max, 0, 0});
  while (it != tiles_.end() && it->first.source == source) it = erase(it);
}

std::map<TileKey, TileCache::Entry>::iterator TileCache::erase(
    std::map<TileKey, Entry>::iterator it) {
  bytes_ -= bytes_of(*it->second.tile);
  uses_.erase(it->second.use);
  return tiles_.erase(it);
}

}  // namespace worker
