#include "core/attention/fast/buffer.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace core {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

float* allocate(std::size_t bytes) {
  const bool large = bytes >= 2 * kHugePage;
  const std::size_t boundary = large ? kHugePage : kCacheLine;
  const std::size_t rounded = (bytes + boundary - 1) / boundary * boundary;
  void* memory = std::aligned_alloc(boundary, rounded);
  if (!memory) throw std::bad_alloc();
#if defined(__linux__)
  if (large) madvise(memory, rounded, MADV_HUGEPAGE);  // a wish: refusal costs time only
#endif
  return static_cast<float*>(memory);
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

FloatBuffer::~FloatBuffer() { std::free(data_); }

float* FloatBuffer::reserve(Index count) {
  if (count > capacity_) {
    std::free(data_);
    data_ = nullptr;
    capacity_ = 0;
    data_ = allocate(static_cast<std::size_t>(count) * sizeof(float));
    capacity_ = count;
  }
  return data_;
}

}  // namespace core
