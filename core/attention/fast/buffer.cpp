#include "core/attention/fast/buffer.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/system/memory.h"

namespace core {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::align_val_t boundary_of(std::size_t bytes) {
  return std::align_val_t{bytes >= 2 * kHugePage ? kHugePage : kCacheLine};
}

float* allocate(std::size_t bytes) {
  const std::align_val_t boundary = boundary_of(bytes);
  const auto side = static_cast<std::size_t>(boundary);
  const std::size_t rounded = (bytes + side - 1) / side * side;
  void* memory = ::operator new(rounded, boundary);
  if (side == kHugePage) wish_huge_pages(memory, rounded);
  return static_cast<float*>(memory);
}

void release(float* memory, Index count) {
  if (memory) {
    ::operator delete(memory, boundary_of(static_cast<std::size_t>(count) * sizeof(float)));
  }
}

}  // namespace

FloatBuffer::FloatBuffer(const FloatBuffer& other) {
  if (other.capacity_ > 0) std::copy_n(other.data_, other.capacity_, reserve(other.capacity_));
}

FloatBuffer::FloatBuffer(FloatBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}

FloatBuffer& FloatBuffer::operator=(FloatBuffer other) noexcept {
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

FloatBuffer::~FloatBuffer() { release(data_, capacity_); }

float* FloatBuffer::reserve(Index count) {
  if (count > capacity_) {
    release(data_, capacity_);
    data_ = nullptr;
    capacity_ = 0;
    data_ = allocate(static_cast<std::size_t>(count) * sizeof(float));
    capacity_ = count;
  }
  return data_;
}

}  // namespace core
