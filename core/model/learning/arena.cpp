#include "core/model/learning/arena.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace core::model {
namespace {

constexpr std::size_t kSmallestBlock = std::size_t{1} << 16;

}  // namespace

void Arena::add(std::size_t size) {
  Block block;
  block.size = (size + kLine - 1) / kLine * kLine;
  block.memory.reset(static_cast<std::byte*>(::operator new(block.size, kAligned)));
  blocks_.push_back(std::move(block));
}

std::byte* Arena::bytes(std::size_t wanted) {
  const std::size_t rounded = std::max((wanted + kLine - 1) / kLine * kLine, kLine);
  if (blocks_.empty() || blocks_.back().size - blocks_.back().used < rounded) {
    add(std::max({rounded, held(), kSmallestBlock}));
  }
  Block& block = blocks_.back();
  std::byte* at = block.memory.get() + block.used;
  block.used += rounded;
  return at;
}

void Arena::reset() {
  if (blocks_.size() > 1) {
    const std::size_t all = held();
    blocks_.clear();
    add(all);
  }
  for (Block& block : blocks_) block.used = 0;
}

void Arena::clear() {
  for (Block& block : blocks_) std::memset(block.memory.get(), 0, block.used);
}

std::size_t Arena::taken() const {
  std::size_t sum = 0;
  for (const Block& block : blocks_) sum += block.used;
  return sum;
}

std::size_t Arena::held() const {
  std::size_t sum = 0;
  for (const Block& block : blocks_) sum += block.size;
  return sum;
}

}  // namespace core::model
