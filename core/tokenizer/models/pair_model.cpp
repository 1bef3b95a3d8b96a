#include "core/tokenizer/models/pair_model.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/text/printable.h"
#include "core/text/utf8.h"
#include "core/tokenizer/models/byte_alphabet.h"

namespace core::subword {

// A piece in the making: a list in which merged neighbours are skipped.
struct PairModel::Symbol {
  Id id;
  std::uint32_t begin, end;
  std::uint32_t before, after;  // neighbours; kNowhere at the ends

  bool gone() const { return begin == end; }
};

namespace {

constexpr std::uint32_t kNowhere = 0xffffffff;

std::uint64_t pair_key(Id first, Id second) {
  return PairMap::key(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second));
}

std::string_view first_character(std::string_view text) {
  std::size_t at = 0;
  if (!text.empty()) next_code_point(text, at);
  return text.substr(0, at);
}

std::string_view last_character(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[--at]) & 0xc0) == 0x80) {
  }
  return text.substr(at);
}

}  // namespace

PairModel::PairModel(Vocabulary words, const std::vector<Merge>& merges, PairOptions options)
    : Model(std::move(words)), options_(std::move(options)) {
  plain_ = options_.continuing_prefix.empty() && options_.ending_suffix.empty();
  if (options_.unknown) {
    unknown_ = vocabulary().find(*options_.unknown);
    if (!unknown_) {
      throw InputError(Message(N_("the unknown token, \"{}\", is not in the vocabulary"),
                               printable(*options_.unknown)));
    }
  }
  if (options_.byte_fallback && !plain_) {
    throw InputError(Message(N_("expected either bytes for unknown characters or marks at the ends "
                                "of words, got byte_fallback with \"{}\""),
                             printable(options_.continuing_prefix + options_.ending_suffix)));
  }
  for (unsigned byte = 0; options_.byte_fallback && byte < 256; ++byte) {
    const std::string name = byte_token(static_cast<unsigned char>(byte));
    const auto id = vocabulary().find(name);
    if (!id) {
      throw InputError(Message(N_("unknown characters fall back to bytes, but the token {} is not "
                                  "in the vocabulary"),
                               name));
    }
    bytes_[byte] = *id;
  }
  for (unsigned c = 0; c < 128; ++c) {
    ascii_[c] = vocabulary().find(std::string(1, static_cast<char>(c))).value_or(-1);
  }
  wholes_.reserve(merges.size());
  for (const Merge& one : merges) add_merge(one);
  allow_joins(merges);
}

Id PairModel::part(const std::string& text, const Merge& merge) const {
  if (const auto id = vocabulary().find(text)) return *id;
  throw InputError(Message(N_("merge {}, of \"{}\" and \"{}\", needs the token \"{}\", which is "
                              "not in the vocabulary"),
                           wholes_.size(), printable(merge.first), printable(merge.second),
                           printable(text)));
}

void PairModel::add_merge(const Merge& merge) {
  const Id first = part(merge.first, merge), second = part(merge.second, merge);
  const std::size_t prefix = options_.continuing_prefix.size();
  const Id whole =
      part(merge.first + merge.second.substr(std::min(prefix, merge.second.size())), merge);
  // A pair that is listed twice has its last rank, as in the published library.
  ranks_.at(pair_key(first, second)) = static_cast<std::uint32_t>(wholes_.size());
  wholes_.push_back(whole);
}

// Which symbols can ever be neighbours inside one token, so that a long text without a split falls
// into short stretches that are merged by themselves.
void PairModel::allow_joins(const std::vector<Merge>& merges) {
  const auto built_of_characters = [&](const std::string& token) {
    return !token.empty() && token != options_.unknown && !byte_of_token(token);
  };
  divides_ = plain_ && std::all_of(merges.begin(), merges.end(), [&](const Merge& one) {
               return built_of_characters(one.first) && built_of_characters(one.second);
             });
  if (!divides_) return;
  for (const Merge& one : merges) {
    const auto before = vocabulary().find(last_character(one.first));
    const auto after = vocabulary().find(first_character(one.second));
    if (before && after) joins_.at(pair_key(*before, *after)) = 1;
  }
}

bool PairModel::can_join(Id before, Id after) const {
  return !divides_ || joins_.find(pair_key(before, after)) != PairMap::kNone;
}

std::optional<Id> PairModel::id_of_character(std::string_view character, bool first,
                                             bool last) const {
  if (plain_) {
    if (character.size() > 1) return vocabulary().find(character);
    const Id id = ascii_[static_cast<unsigned char>(character.front())];
    return id < 0 ? std::nullopt : std::optional<Id>(id);
  }
  std::string whole(first ? "" : options_.continuing_prefix);
  whole += character;
  if (last) whole += options_.ending_suffix;
  return vocabulary().find(whole);
}

std::vector<PairModel::Symbol> PairModel::symbols(std::string_view piece) const {
  std::vector<Symbol> all;
  all.reserve(piece.size());
  bool fuses = false;  // into the unknown one before
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t from = at;
    next_code_point(piece, at);
    const auto begin = static_cast<std::uint32_t>(from), end = static_cast<std::uint32_t>(at);
    const std::string_view character = piece.substr(from, at - from);
    if (const auto id = id_of_character(character, from == 0, at == piece.size())) {
      all.push_back({*id, begin, end, 0, 0});
      fuses = false;
    } else if (options_.byte_fallback) {
      for (std::uint32_t k = begin; k < end; ++k) {
        all.push_back({bytes_[static_cast<unsigned char>(piece[k])], k, k + 1, 0, 0});
      }
    } else if (unknown_ && fuses && options_.fuse_unknown) {
      all.back().end = end;
    } else if (unknown_) {
      all.push_back({*unknown_, begin, end, 0, 0});
      fuses = true;
    }
  }
  return all;
}

// Merges by rank, the leftmost first among equal ones. An entry of the queue is good while the
// tokens at its place still make what it stands for.
void PairModel::merge(Symbol* symbols, std::size_t count) const {
  std::vector<std::uint64_t> queue;
  const auto push = [&](std::uint32_t at) {
    if (at == kNowhere || symbols[at].after == kNowhere) return;
    const std::uint32_t rank = ranks_.find(pair_key(symbols[at].id, symbols[symbols[at].after].id));
    if (rank == PairMap::kNone) return;
    queue.push_back(PairMap::key(rank, at));
    std::push_heap(queue.begin(), queue.end(), std::greater<>());
  };
  for (std::uint32_t k = 0; k < count; ++k) {
    symbols[k].before = k == 0 ? kNowhere : k - 1;
    symbols[k].after = k + 1 == count ? kNowhere : k + 1;
  }
  for (std::uint32_t k = 0; k < count; ++k) push(k);
  while (!queue.empty()) {
    std::pop_heap(queue.begin(), queue.end(), std::greater<>());
    const std::uint64_t top = queue.back();
    queue.pop_back();
    const auto at = static_cast<std::uint32_t>(top);
    Symbol& left = symbols[at];
    if (left.gone() || left.after == kNowhere) continue;
    Symbol& right = symbols[left.after];
    const std::uint32_t rank = ranks_.find(pair_key(left.id, right.id));
    const Id whole = wholes_[top >> 32];
    if (rank == PairMap::kNone || wholes_[rank] != whole) continue;
    left.id = whole;
    left.end = right.end;
    right.begin = right.end;
    left.after = right.after;
    if (left.after != kNowhere) symbols[left.after].before = at;
    push(left.before);
    push(at);
  }
}

void PairModel::encode(std::string_view piece, std::vector<Unit>& to) const {
  if (options_.whole_first) {
    if (const auto id = vocabulary().find(piece)) {
      to.push_back({*id, 0, static_cast<std::uint32_t>(piece.size())});
      return;
    }
  }
  std::vector<Symbol> all = symbols(piece);
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && can_join(all[end - 1].id, all[end].id)) ++end;
    if (end - begin > 1) merge(all.data() + begin, end - begin);
    begin = end;
  }
  for (const Symbol& one : all) {
    if (!one.gone()) to.push_back({one.id, one.begin, one.end});
  }
}

}  // namespace core::subword
