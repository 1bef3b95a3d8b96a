#include "core/tokenizer/steps/added_tokens.h"

#include <algorithm>
#include <utility>

#include "core/text/printable.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace core::subword {
namespace {

// Where the last character of a text begins.
std::size_t last_begin(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[--at]) & 0xc0) == 0x80) {
  }
  return at;
}

bool is_word(std::string_view character) {
  static const Pattern word = Pattern::regex("[" + std::string(kWordClass) + "]");
  const std::vector<Stretch> found = word.stretches(character);
  return !found.empty() && found.front().matched;
}

bool ends_with_word(std::string_view text) { return is_word(text.substr(last_begin(text))); }

bool begins_with_word(std::string_view text) {
  std::size_t end = 0;
  if (!text.empty()) next_code_point(text, end);
  return is_word(text.substr(0, end));
}

std::size_t space_at_end_begins(std::string_view text) {
  while (!text.empty()) {
    const std::size_t begin = last_begin(text);
    std::size_t at = begin;
    if (!unicode::is_white_space(next_code_point(text, at))) break;
    text = text.substr(0, begin);
  }
  return text.size();
}

std::size_t space_at_beginning_ends(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    if (!unicode::is_white_space(next_code_point(text, at))) return from;
  }
  return text.size();
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const Normalizer& normalizer)
    : tokens_(std::move(tokens)) {
  for (std::size_t k = 0; k < tokens_.size(); ++k) {
    const AddedToken& one = tokens_[k];
    const auto [slot, new_id] = slots_.emplace(one.id, k);
    if (!new_id) {
      throw InputError(Message(N_("expected a token for each id, got both \"{}\" and \"{}\" for "
                                  "{}"),
                               printable(tokens_[slot->second].text), printable(one.text), one.id));
    }
    const auto [text, new_text] = texts_.emplace(one.text, k);
    if (!new_text) {
      throw InputError(Message(N_("expected each token once, got \"{}\" with the ids {} and {}"),
                               printable(one.text), tokens_[text->second].id, one.id));
    }
    AlignedText shown(one.text, 0);
    if (one.normalized) {
      for (const NormalizerStep& step : normalizer) step(shown);
    }
    ByteTrie& trie = one.normalized ? normalized_ : raw_;
    trie.add(shown.text, static_cast<std::uint32_t>(k));
  }
}

const AddedToken* AddedTokens::find(Id id) const {
  const auto found = slots_.find(id);
  return found == slots_.end() ? nullptr : &tokens_[found->second];
}

const AddedToken* AddedTokens::find(const std::string& text) const {
  const auto found = texts_.find(text);
  return found == texts_.end() ? nullptr : &tokens_[found->second];
}

std::vector<AddedTokens::Cut> AddedTokens::cut(std::string_view text, bool normalized) const {
  const ByteTrie& trie = normalized ? normalized_ : raw_;
  std::vector<Cut> cuts;
  std::size_t plain = 0;  // where what is not cut yet begins
  for (std::size_t at = 0; at < text.size() && !trie.empty();) {
    std::size_t end = at;
    std::uint32_t slot = 0;
    trie.each_beginning(text, at, [&](std::size_t longer, std::uint32_t found) {
      end = longer;
      slot = found;
    });
    if (end == at) {
      ++at;
      continue;
    }
    std::size_t begin = std::exchange(at, end);
    const AddedToken& token = tokens_[slot];
    if (token.single_word &&
        (ends_with_word(text.substr(0, begin)) || begins_with_word(text.substr(end)))) {
      continue;
    }
    if (token.left) begin = std::max(space_at_end_begins(text.substr(0, begin)), plain);
    if (token.right) end += space_at_beginning_ends(text.substr(end));
    if (plain < begin) cuts.push_back({plain, begin, std::nullopt});
    // White space that the token before took may be taken again, but by nothing else than a token.
    if (begin < end) cuts.push_back({begin, end, token.id});
    plain = end;
  }
  if (plain < text.size()) cuts.push_back({plain, text.size(), std::nullopt});
  return cuts;
}

}  // namespace core::subword
