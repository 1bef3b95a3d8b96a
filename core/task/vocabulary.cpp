#include "core/task/vocabulary.h"

#include <algorithm>
#include <utility>

#include "core/refuse.h"

namespace core::task {

Vocabulary::Vocabulary(std::vector<std::string> symbols) : symbols_(std::move(symbols)) {
  for (const std::string& symbol : symbols_) {
    const auto id = static_cast<std::int32_t>(kFirst + static_cast<Index>(ids_.size()));
    if (!ids_.emplace(symbol, id).second) refuse("vocabulary", "different symbols", symbol);
  }
}

std::int32_t Vocabulary::id(const std::string& symbol) const {
  const auto found = ids_.find(symbol);
  return found == ids_.end() ? kUnknown : found->second;
}

const std::string& Vocabulary::symbol(std::int32_t id) const {
  static const std::string none;
  return id < kFirst ? none : symbols_[static_cast<std::size_t>(id - kFirst)];
}

std::vector<std::int32_t> Vocabulary::encode(const std::string& text, Unit unit) const {
  std::vector<std::int32_t> ids;
  for (const std::string& token : split(text, unit)) ids.push_back(id(token));
  return ids;
}

std::string Vocabulary::decode(const std::vector<std::int32_t>& ids, Unit unit) const {
  std::vector<std::string> tokens;
  for (const std::int32_t id : ids) {
    if (id == kEnd) break;
    if (id >= kFirst) tokens.push_back(symbol(id));
  }
  return join(tokens, unit);
}

std::vector<std::string> Vocabulary::unknown(const std::string& text, Unit unit) const {
  std::vector<std::string> all;
  for (std::string& token : split(text, unit)) {
    if (id(token) != kUnknown || std::find(all.begin(), all.end(), token) != all.end()) continue;
    all.push_back(std::move(token));
  }
  return all;
}

}  // namespace core::task
