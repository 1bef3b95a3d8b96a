#include "core/task/sequence/corpus.h"

#include <algorithm>
#include <fstream>

#include "core/io/regular_file.h"
#include "core/message.h"
#include "core/refuse.h"
#include "core/text/printable.h"
#include "core/text/utf8.h"
#include "core/tokenizer/models/pair_training.h"

namespace core::task {
namespace {

constexpr std::size_t kAtOnce = std::size_t{1} << 20;  // bytes between two looks at the cancel
constexpr char32_t kCodePoints = 0x110000;

template <class Take>
void each_character(std::string_view text, const Cancel& cancel, Take&& take) {
  std::size_t polled = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (at >= polled) {
      cancel.poll();
      polled = at + kAtOnce;
    }
    const char32_t character = next_code_point(text, at);
    if (character != '\r') take(character);
  }
}

void check_size(std::size_t size, const std::string& name) {
  if (size <= kMostCorpusBytes) return;
  throw InputError(
      Message(N_("{}: expected at most {} bytes of text, got {}"), name, kMostCorpusBytes, size));
}

void check_text(std::string_view text, const std::string& name) {
  check_size(text.size(), name);
  if (const auto wrong = invalid_utf8(text)) {
    throw InputError(
        Message(N_("{}: expected UTF-8, got something else at byte {}"), name, *wrong));
  }
}

// A tenth, where that is enough to be measured by.
std::size_t held_from(std::size_t size) {
  constexpr std::size_t kLeastHeld = 256;
  const std::size_t tenth = size / 10;
  return tenth >= kLeastHeld ? size - tenth : size;
}

}  // namespace

Index Corpus::longest() const {
  const std::size_t shorter = holds_out() ? std::min(held, ids.size() - held) : ids.size();
  return static_cast<Index>(shorter) - 1;
}

Corpus corpus_of_characters(std::string_view text, const std::string& name, const Cancel& cancel) {
  check_text(text, name);
  std::vector<std::uint16_t> numbers(kCodePoints, 0);  // 1: it occurs; later its number
  std::size_t size = 0;
  each_character(text, cancel, [&](char32_t character) {
    numbers[character] = 1;
    ++size;
  });
  const auto kinds = static_cast<std::size_t>(std::count(numbers.begin(), numbers.end(), 1));
  if (size < kLeastCorpusTokens) {
    throw InputError(
        Message(N_("{}: expected at least {} characters, got {}"), name, kLeastCorpusTokens, size));
  }
  if (kinds > kMostCorpusKinds) {
    throw InputError(Message(N_("{}: expected at most {} different characters, got {}"), name,
                             kMostCorpusKinds, kinds));
  }
  Corpus corpus;
  for (char32_t character = 0; character < kCodePoints; ++character) {
    if (numbers[character] == 0) continue;
    numbers[character] = static_cast<std::uint16_t>(corpus.tokens.size());
    append_utf8(corpus.tokens.emplace_back(), character);
  }
  corpus.ids.reserve(size);
  each_character(text, cancel,
                 [&](char32_t character) { corpus.ids.push_back(numbers[character]); });
  corpus.held = held_from(size);
  return corpus;
}

namespace {

// Where a stretch of about that size ends, so that no piece of a text crosses it: before a space or
// a line's end behind a visible ASCII character, where there is one near.
std::size_t stretch_end(std::string_view text, std::size_t begin) {
  constexpr std::size_t kLooked = std::size_t{1} << 16;
  const std::size_t wanted = begin + kAtOnce;
  if (wanted >= text.size()) return text.size();
  for (std::size_t at = wanted; at < std::min(text.size(), wanted + kLooked); ++at) {
    const bool ends = text[at - 1] > ' ' && text[at - 1] < 0x7F;
    if (ends && (text[at] == ' ' || text[at] == '\n')) return at;
  }
  std::size_t at = wanted;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
  return at;
}

}  // namespace

Corpus corpus_of_pairs(std::string_view text, Index vocabulary, const std::string& name,
                       const Cancel& cancel) {
  check_text(text, name);
  if (vocabulary < kLeastPairs || vocabulary > static_cast<Index>(kMostCorpusKinds)) {
    refuse("vocabulary", "from 256 to 4096 tokens", std::to_string(vocabulary));
  }
  Corpus corpus = corpus_of_merges(subword::train_pairs(text, vocabulary, cancel).merges);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = stretch_end(text, begin);
    const auto cut = corpus.pairs->encode(text.substr(begin, end - begin), cancel);
    corpus.ids.insert(corpus.ids.end(), cut.ids.begin(), cut.ids.end());
    begin = end;
  }
  if (corpus.ids.size() < kLeastCorpusTokens) {
    throw InputError(Message(N_("{}: expected at least {} tokens, got {}"), name,
                             kLeastCorpusTokens, corpus.ids.size()));
  }
  corpus.held = held_from(corpus.ids.size());
  return corpus;
}

Corpus corpus_of_merges(std::vector<subword::Merge> merges) {
  Corpus corpus;
  const subword::PairTexts texts = subword::texts_of({.merges = merges, .counts = {}});
  corpus.pairs = std::make_shared<const subword::Tokenizer>(
      subword::parse_pairs(texts, subword::ByteSplit::gpt2, {}, "merges"));
  for (subword::Id id = 0; id < corpus.pairs->end(); ++id) {
    corpus.tokens.push_back(corpus.pairs->bytes(id));
  }
  corpus.merges = std::move(merges);
  return corpus;
}

std::vector<std::string> Corpus::pieces(const std::string& text) const {
  std::vector<std::string> all;
  if (pairs) {
    for (const subword::Id id : pairs->encode(text).ids) all.push_back(pairs->bytes(id));
  } else {
    each_character(text, {}, [&](char32_t c) { append_utf8(all.emplace_back(), c); });
  }
  return all;
}

std::string Corpus::shown(std::size_t token) const {
  if (pairs) return pairs->shown(static_cast<subword::Id>(token));
  const std::string& text = tokens[token];
  return text == " " ? "␣" : text == "\n" ? "⏎" : text == "\t" ? "⇥" : printable(text);
}

std::string read_text(const std::filesystem::path& path) {
  constexpr std::size_t kShownName = 400;
  const std::string name = printable(path.filename().string(), kShownName);
  std::ifstream in;
  if (const Message fault = open_regular(path, in); !fault.empty()) {
    throw InputError(Message(N_("{}: expected a text, but {}"), name, fault));
  }
  in.seekg(0, std::ios::end);
  const auto size = static_cast<std::size_t>(std::max<std::streamoff>(0, in.tellg()));
  check_size(size, name);
  in.seekg(0);
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  if (static_cast<std::size_t>(in.gcount()) != size) {
    throw InputError(Message(N_("{}: expected {} bytes of text, got {}"), name, size, in.gcount()));
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

}  // namespace core::task
