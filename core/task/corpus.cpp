#include "core/task/corpus.h"

#include <algorithm>
#include <fstream>

#include "core/io/regular_file.h"
#include "core/message.h"
#include "core/text/printable.h"
#include "core/text/utf8.h"

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

Corpus read_corpus(const std::filesystem::path& path, const Cancel& cancel) {
  constexpr std::size_t kShownName = 400;
  const std::string name = printable(path.filename().string(), kShownName);
  std::ifstream in;
  if (const Message fault = open_regular(path, in); !fault.empty()) {
    throw InputError(Message(N_("{}: expected a text, {}"), name, fault));
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
  std::string_view whole = text;
  if (whole.starts_with("\xEF\xBB\xBF")) whole.remove_prefix(3);
  return corpus_of_characters(whole, name, cancel);
}

std::vector<std::string> corpus_pieces(std::string_view text) {
  std::vector<std::string> pieces;
  each_character(text, {}, [&](char32_t c) { append_utf8(pieces.emplace_back(), c); });
  return pieces;
}

}  // namespace core::task
