// In a browser what is large and seldom wanted lies beside the page. It is fetched once, into
// memory that stays. What JavaScript does for it is in packaging/web/library.js.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include "assets/assets.h"

extern "C" {
// Waits for a file of this size and gives its bytes and a zero byte in memory of malloc; null: it
// cannot be had.
char* attnscope_fetch(const char* name, std::size_t size);
// The same without waiting, on the main thread: attnscope_arrived is called then.
void attnscope_ask(const char* name, std::size_t size);
}

namespace assets {
namespace {

const detail::Later* later(std::string_view name) {
  for (const detail::Later& one : detail::later) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

// One for each of detail::later; null: not at hand.
std::atomic<const char*>& bytes_of(const detail::Later& one) {
  static const auto all = std::make_unique<std::atomic<const char*>[]>(detail::later.size());
  return all[static_cast<std::size_t>(&one - detail::later.data())];
}

std::mutex fetching;  // of several threads that want a file one fetches it

void keep(const detail::Later& one, char* bytes) {
  const char* none = nullptr;
  if (!bytes_of(one).compare_exchange_strong(none, bytes)) std::free(bytes);
}

}  // namespace

std::string_view find(std::string_view name) {
  if (const detail::Entry* found = detail::entry(name)) return found->bytes;
  const detail::Later* wanted = later(name);
  if (!wanted) throw std::out_of_range("no embedded file named " + std::string(name));
  const std::atomic<const char*>& bytes = bytes_of(*wanted);
  if (!bytes) {
    const std::lock_guard lock(fetching);
    if (!bytes) keep(*wanted, attnscope_fetch(wanted->name.data(), wanted->size));
    if (!bytes) throw std::runtime_error("cannot fetch " + std::string(name) + " of this page");
  }
  return {bytes, wanted->size};
}

bool exists(std::string_view name) { return detail::entry(name) || later(name); }

std::vector<std::string_view> names(std::string_view begin) {
  std::vector<std::string_view> found = detail::entry_names(begin);
  for (const detail::Later& one : detail::later) {
    if (one.name.starts_with(begin)) found.push_back(one.name);
  }
  return found;
}

bool at_hand(std::string_view name) {
  const detail::Later* wanted = later(name);
  return !wanted || bytes_of(*wanted);
}

void ask_for(std::string_view name) {
  const detail::Later* wanted = later(name);
  if (wanted && !bytes_of(*wanted)) attnscope_ask(wanted->name.data(), wanted->size);
}

}  // namespace assets

extern "C" void attnscope_arrived(const char* name, char* bytes) {
  assets::keep(*assets::later(name), bytes);
}
