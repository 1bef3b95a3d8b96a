#include "core/tokenizer/models/pair_training.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/text/utf8.h"
#include "core/tokenizer/models/byte_alphabet.h"

namespace core::subword {
namespace {

using Symbol = std::uint16_t;
static_assert(kMostTrainedVocabulary <= 0x10000);

constexpr float kShareOfCounting = 0.5F;
constexpr std::size_t kBetweenPolls = 1 << 14;

// The bytes in the order of their visible characters.
std::vector<std::string> tokens_of_bytes() {
  std::vector<char32_t> order(byte_characters().begin(), byte_characters().end());
  std::sort(order.begin(), order.end());
  std::vector<std::string> tokens(order.size());
  for (std::size_t id = 0; id < order.size(); ++id) append_utf8(tokens[id], order[id]);
  return tokens;
}

// How often each different piece stands in the text, in the order in which they come.
struct Piece {
  std::string_view text;
  Index count = 0;
};

std::vector<Piece> count_pieces(std::string_view text, const Cancel& cancel) {
  std::unordered_map<std::string_view, std::size_t> slots;
  std::vector<Piece> pieces;
  std::size_t seen = 0;
  Regex(pre_tokenize::kGpt2Split).each_match(text, [&](std::size_t begin, std::size_t end) {
    if (++seen % kBetweenPolls == 0) {
      cancel.poll();
      cancel.progress(kShareOfCounting * static_cast<float>(end) / static_cast<float>(text.size()));
    }
    const std::string_view piece = text.substr(begin, end - begin);
    const auto [slot, is_new] = slots.emplace(piece, pieces.size());
    if (is_new) pieces.push_back({piece, 0});
    ++pieces[slot->second].count;
    return true;
  });
  return pieces;
}

class Trainer {
 public:
  Trainer(const std::vector<Piece>& pieces, const Cancel& cancel);
  TrainedPairs run(Index vocabulary_size);

 private:
  struct Word {
    std::vector<Symbol> symbols;
    Index count;
  };
  struct Pair {
    Symbol first, second;
    Index count = 0;
    std::vector<std::uint32_t> words;  // where it stands, or has stood
    std::size_t raised_in = 0;         // the last round in which it was counted up
    bool merged = false;               // once; it can come up again where a token is made anew
  };
  // A pair as it stood in the queue; its count may have fallen since.
  struct Entry {
    Index count;
    Symbol first, second;
    bool operator<(const Entry& other) const {
      if (count != other.count) return count < other.count;
      return std::pair(first, second) > std::pair(other.first, other.second);
    }
  };

  // fresh: the token that was just put in; none: everything is new.
  void add_pairs(std::uint32_t word, std::optional<Symbol> fresh);
  void remove_pairs(std::uint32_t word);
  void merge_in(std::uint32_t word, Symbol first, Symbol second, Symbol whole);
  bool next(Entry& best);
  void queue_raised();
  Symbol id_of(const std::string& token);
  Pair& pair(Symbol first, Symbol second) {
    const auto fresh = static_cast<std::uint32_t>(pairs_.size());
    const std::uint32_t slot = slots_.at(PairMap::key(first, second), fresh);
    if (slot == fresh) pairs_.push_back({first, second, 0, {}, 0, false});
    return pairs_[slot];
  }

  const Cancel& cancel_;
  std::vector<Word> words_;
  std::vector<Pair> pairs_;
  PairMap slots_;  // in pairs_
  std::priority_queue<Entry> queue_;
  std::vector<std::pair<Symbol, Symbol>> raised_;
  std::size_t round_ = 1;
  std::vector<std::string> tokens_;  // of visible bytes
  std::unordered_map<std::string, Symbol> ids_;
};

Trainer::Trainer(const std::vector<Piece>& pieces, const Cancel& cancel) : cancel_(cancel) {
  tokens_ = tokens_of_bytes();
  std::array<Symbol, 256> ids{};
  for (std::size_t id = 0; id < tokens_.size(); ++id) {
    const auto byte = static_cast<unsigned char>(bytes_of(tokens_[id])->front());
    ids[byte] = ids_[tokens_[id]] = static_cast<Symbol>(id);
  }
  words_.reserve(pieces.size());
  for (const Piece& piece : pieces) {
    Word word{{}, piece.count};
    word.symbols.reserve(piece.text.size());
    for (const char byte : piece.text) {
      word.symbols.push_back(ids[static_cast<unsigned char>(byte)]);
    }
    words_.push_back(std::move(word));
  }
  for (std::uint32_t k = 0; k < words_.size(); ++k) {
    if (k % kBetweenPolls == 0) cancel_.poll();
    add_pairs(k, std::nullopt);
  }
  queue_raised();
}

void Trainer::add_pairs(std::uint32_t word, std::optional<Symbol> fresh) {
  const Word& own = words_[word];
  for (std::size_t k = 0; k + 1 < own.symbols.size(); ++k) {
    Pair& one = pair(own.symbols[k], own.symbols[k + 1]);
    one.count += own.count;
    if (fresh && one.first != *fresh && one.second != *fresh) continue;  // it stood there before
    // Words come in rising order within a round.
    if (one.words.empty() || one.words.back() != word) one.words.push_back(word);
    if (one.raised_in != round_) {
      one.raised_in = round_;
      raised_.emplace_back(one.first, one.second);
    }
  }
}

void Trainer::remove_pairs(std::uint32_t word) {
  const Word& own = words_[word];
  for (std::size_t k = 0; k + 1 < own.symbols.size(); ++k) {
    pair(own.symbols[k], own.symbols[k + 1]).count -= own.count;
  }
}

void Trainer::merge_in(std::uint32_t word, Symbol first, Symbol second, Symbol whole) {
  std::vector<Symbol>& symbols = words_[word].symbols;
  const auto stands = [&](std::size_t k) {
    return k + 1 < symbols.size() && symbols[k] == first && symbols[k + 1] == second;
  };
  std::size_t from = 0;
  while (from < symbols.size() && !stands(from)) ++from;
  if (from == symbols.size()) return;
  remove_pairs(word);
  std::size_t to = from;
  while (from < symbols.size()) {
    const bool merges = stands(from);
    symbols[to++] = merges ? whole : symbols[from];
    from += merges ? 2 : 1;
  }
  symbols.resize(to);
  add_pairs(word, whole);
}

// The pair with the largest count as it is now; false when none stands twice.
bool Trainer::next(Entry& best) {
  while (!queue_.empty()) {
    best = queue_.top();
    queue_.pop();
    const Index count = pair(best.first, best.second).count;
    if (count < 2) continue;
    if (count == best.count) return true;
    queue_.push({count, best.first, best.second});
  }
  return false;
}

void Trainer::queue_raised() {
  for (const auto& [first, second] : raised_) {
    const Index count = pair(first, second).count;
    if (count >= 2) queue_.push({count, first, second});
  }
  raised_.clear();
  ++round_;
}

Symbol Trainer::id_of(const std::string& token) {
  const auto [known, is_new] = ids_.emplace(token, static_cast<Symbol>(tokens_.size()));
  if (is_new) tokens_.push_back(token);
  return known->second;
}

TrainedPairs Trainer::run(Index vocabulary_size) {
  TrainedPairs trained;
  const auto wanted = static_cast<std::size_t>(vocabulary_size);
  Entry best{};
  while (tokens_.size() < wanted && next(best)) {
    const std::string first = tokens_[best.first], second = tokens_[best.second];
    const Symbol whole = id_of(first + second);
    Pair& merged = pair(best.first, best.second);
    if (!std::exchange(merged.merged, true)) {
      trained.merges.emplace_back(first, second);
      trained.counts.push_back(best.count);
    }
    std::vector<std::uint32_t> words = std::exchange(merged.words, {});
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const std::uint32_t word : words) {
      cancel_.poll();
      merge_in(word, best.first, best.second, whole);
    }
    queue_raised();
    cancel_.poll();
    cancel_.progress(kShareOfCounting + (1 - kShareOfCounting) *
                                            static_cast<float>(tokens_.size()) /
                                            static_cast<float>(wanted));
  }
  trained.vocabulary_size = static_cast<Index>(tokens_.size());
  return trained;
}

}  // namespace

TrainedPairs train_pairs(std::string_view text, Index vocabulary_size, const Cancel& cancel) {
  if (text.size() > kMostTrainingBytes) {
    throw InputError(Message(N_("expected a text of at most {} bytes, got {}"), kMostTrainingBytes,
                             text.size()));
  }
  if (vocabulary_size < kLeastTrainedVocabulary || vocabulary_size > kMostTrainedVocabulary) {
    throw InputError(Message(N_("expected a vocabulary of {} to {} tokens, got {}"),
                             kLeastTrainedVocabulary, kMostTrainedVocabulary, vocabulary_size));
  }
  require_utf8(text);
  return Trainer(count_pieces(text, cancel), cancel).run(vocabulary_size);
}

PairTexts texts_of(const TrainedPairs& trained, const std::vector<std::string>& special) {
  PairTexts texts;
  std::unordered_set<std::string> known;
  const auto add = [&](const std::string& token) {
    if (!known.insert(token).second) return;
    texts.vocabulary += known.size() == 1 ? "{" : ", ";
    texts.vocabulary += nlohmann::json(token).dump() + ": " + std::to_string(known.size() - 1);
  };
  for (const std::string& token : tokens_of_bytes()) add(token);
  texts.merges = "#version: 0.2\n";
  for (const auto& [first, second] : trained.merges) {
    add(first + second);
    texts.merges += first + " " + second + "\n";
  }
  for (const std::string& token : special) add(token);
  texts.vocabulary += "}";
  return texts;
}

}  // namespace core::subword
