#include "core/heads/given_tokens.h"

#include <algorithm>
#include <utility>

#include "core/io/tensor/token_list.h"

namespace core::heads {
namespace {

bool is_for_keys(const std::string& name) { return name.find("key") != std::string::npos; }

// Texts that are named for it, or else as many as there are queries; or an array of bytes.
const TextEntry* texts_in(const HeadFile& source, bool of_keys, Index count) {
  const TextEntry* as_many = nullptr;
  for (const TextEntry& entry : source.file->texts) {
    if (is_for_keys(entry.name) != of_keys) continue;
    if (is_of_tokens(entry.name)) return &entry;
    if (!as_many && static_cast<Index>(entry.texts.size()) == count) as_many = &entry;
  }
  return as_many;
}

std::vector<std::string> tokens_in(const HeadFile& source, bool of_keys, Index count) {
  if (const TextEntry* texts = texts_in(source, of_keys, count)) return texts->texts;
  for (const Tensor& tensor : source.file->tensors) {
    if (!names_tokens(tensor) || is_for_keys(tensor.name) != of_keys) continue;
    return tokens_of(tensor, Message::plain(source.name + ", " + tensor.name));
  }
  return of_keys ? std::vector<std::string>{} : source.tokens;
}

// The first `count` of them, or all and numbers behind them.
std::vector<std::string> fitted(std::vector<std::string> tokens, Index count) {
  if (tokens.empty()) return tokens;
  for (Index k = static_cast<Index>(tokens.size()); k < count; ++k) {
    tokens.push_back("#" + std::to_string(k));
  }
  tokens.resize(static_cast<std::size_t>(count));
  return tokens;
}

}  // namespace

GivenTokens given_tokens(const HeadFile& source, const std::filesystem::path& path,
                         const std::filesystem::path& key_path, Index n, Index m,
                         const Cancel& cancel) {
  GivenTokens tokens;
  tokens.queries = path.empty() ? tokens_in(source, false, n) : read_tokens(path, cancel);
  tokens.keys = key_path.empty() ? tokens_in(source, true, m) : read_tokens(key_path, cancel);
  const auto given = static_cast<Index>(tokens.queries.size());
  // Queries of a text whose beginning is in a cache are its last tokens.
  const bool one_text = tokens.keys.empty() && (n == m || given == m);
  if (one_text) tokens.keys = tokens.queries;
  if (one_text && n < m && given == m) {
    tokens.queries.erase(tokens.queries.begin(), tokens.queries.begin() + (m - n));
  }
  tokens.given_queries = static_cast<Index>(tokens.queries.size());
  tokens.given_keys = static_cast<Index>(tokens.keys.size());
  const auto fits = [](Index have, Index wanted) { return have == 0 || have == wanted; };
  tokens.fits = fits(tokens.given_queries, n) && fits(tokens.given_keys, m);
  tokens.queries = fitted(std::move(tokens.queries), n);
  tokens.keys = fitted(std::move(tokens.keys), m);
  return tokens;
}

std::vector<bool> among(const std::vector<std::string>& tokens,
                        const std::vector<std::string>& wanted) {
  std::vector<bool> found(tokens.size(), false);
  if (wanted.empty()) return found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::string shown = shown_token(tokens[k]);
    found[k] = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& one) {
      return one == tokens[k] || one == shown;
    });
  }
  return found;
}

std::vector<bool> in_first_sentence(const std::vector<std::string>& tokens,
                                    const std::vector<std::string>& separators) {
  const std::vector<bool> ends = among(tokens, separators);
  std::vector<bool> first(tokens.size(), true);
  const auto end = std::find(ends.begin(), ends.end(), true);
  for (auto k = end == ends.end() ? end : end + 1; k != ends.end(); ++k) {
    first[static_cast<std::size_t>(k - ends.begin())] = false;
  }
  return first;
}

}  // namespace core::heads
