// What tests of refusals share: the sentence that something is refused with, and files that are
// damaged in one place.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "core/io/memory_bytes.h"
#include "core/io/tensor/safetensors.h"

namespace refusals {

// The sentence; empty: nothing was refused.
template <class Attempt>
std::string sentence(Attempt attempt) {
  try {
    attempt();
  } catch (const core::InputError& error) {
    return error.what();
  }
  return {};
}

// A text with one stretch of it, which is there, replaced by one as long.
inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  REQUIRE(what.size() == by.size());
  const std::size_t at = text.find(what);
  REQUIRE(at != text.npos);
  return text.replace(at, what.size(), by);
}

// Bytes as a file that messages call "it".
inline core::Safetensors opened(const std::string& bytes) {
  return core::read_safetensors(std::make_shared<const core::MemoryBytes>(bytes), "it");
}

}  // namespace refusals
