// Tokens and their numbers, those of both sides of a task.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/task/pair/pairs.h"

namespace core::task {

class Vocabulary {
 public:
  static constexpr std::int32_t kStart = 0;    // before what is written; also fills up batches
  static constexpr std::int32_t kEnd = 1;      // after both texts
  static constexpr std::int32_t kUnknown = 2;  // what is in no text of the task
  static constexpr std::int32_t kFirst = 3;    // the first symbol

  Vocabulary() = default;
  // Different symbols, else InputError.
  explicit Vocabulary(std::vector<std::string> symbols);

  Index size() const { return kFirst + static_cast<Index>(symbols_.size()); }
  const std::vector<std::string>& symbols() const { return symbols_; }
  // kUnknown when it has none.
  std::int32_t id(const std::string& symbol) const;
  // Empty for those without a text of their own.
  const std::string& symbol(std::int32_t id) const;

  // The ids of a text's tokens, without an end.
  std::vector<std::int32_t> encode(const std::string& text, Unit unit) const;
  // The text of ids up to the first end; start and unknown ones are left out.
  std::string decode(const std::vector<std::int32_t>& ids, Unit unit) const;
  // The tokens of a text that are not known, each once, in the order in which they come.
  std::vector<std::string> unknown(const std::string& text, Unit unit) const;

 private:
  std::vector<std::string> symbols_;
  std::map<std::string, std::int32_t, std::less<>> ids_;
};

}  // namespace core::task
