// Text in lines.
#include <algorithm>
#include <string_view>

#include "app/figure/layout/pen.h"

namespace figure::parts {
namespace {

// A line does not begin with any of the first, nor end with any of the second.
constexpr std::u32string_view kClosing = U"。，、；：！？）】」』》〉”’…%.,;:!?)]}";
constexpr std::u32string_view kOpening = U"（【「『《〈“‘([{";

constexpr char32_t kFirstWide = 0x2E80;  // Chinese and other letters that may be parted anywhere

char32_t code_point(std::string_view letter) {
  const auto lead = static_cast<unsigned char>(letter.front());
  if (lead < 0xC0) return lead;
  char32_t code = lead & (lead < 0xE0 ? 0x1Fu : lead < 0xF0 ? 0x0Fu : 0x07u);
  for (const char c : letter.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
  return code;
}

// Accents and the like stay with the letter before them.
bool joins(char32_t c) {
  return (c >= 0x300 && c <= 0x36F) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0x200D;
}

bool may_break(char32_t before, char32_t after) {
  if (after == U' ' || joins(after)) return false;
  if (before == U' ') return after != U'%';  // a number keeps its sign
  if (before < kFirstWide && after < kFirstWide) return false;
  return kClosing.find(after) == kClosing.npos && kOpening.find(before) == kOpening.npos;
}

// What must stay together, each piece with the spaces that follow it.
std::vector<std::string> pieces_of(const std::string& text) {
  std::vector<std::string> pieces(1);
  std::vector<std::size_t> starts = letters(text);
  if (starts.empty() || starts.front() != 0) starts.insert(starts.begin(), 0);
  char32_t before = 0;
  for (std::size_t k = 0; k < starts.size() && starts[k] < text.size(); ++k) {
    const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : text.size();
    const std::string letter = text.substr(starts[k], end - starts[k]);
    const char32_t c = code_point(letter);
    if (k > 0 && may_break(before, c)) pieces.emplace_back();
    pieces.back() += letter;
    before = c;
  }
  return pieces;
}

std::string trimmed(const std::string& text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);  // npos + 1 is 0: only spaces
}

// As many letters as fit, at least one; `word` keeps the rest.
std::string take_line(std::string& word, TextStyle style, float width, const Pen& pen) {
  std::vector<std::size_t> ends = letters(word);
  if (!ends.empty() && ends.front() == 0) ends.erase(ends.begin());
  ends.push_back(word.size());
  std::size_t fits = 0, too_many = ends.size();
  while (too_many - fits > 1) {
    const std::size_t middle = (fits + too_many) / 2;
    const bool good = pen.size(word.substr(0, ends[middle]), style).x <= width;
    (good ? fits : too_many) = middle;
  }
  const std::string line = word.substr(0, ends[fits]);
  word.erase(0, ends[fits]);
  return line;
}

void wrap_paragraph(const std::string& text, TextStyle style, float width, const Pen& pen,
                    std::vector<std::string>& lines) {
  const auto fits = [&](const std::string& line) {
    return pen.size(trimmed(line), style).x <= width;
  };
  if (fits(text)) return lines.push_back(trimmed(text));
  std::string line;
  for (std::string& piece : pieces_of(text)) {
    if (fits(line + piece)) {
      line += piece;
      continue;
    }
    if (!line.empty()) lines.push_back(trimmed(line));
    while (!fits(piece)) lines.push_back(take_line(piece, style, width, pen));
    line = std::move(piece);
  }
  if (!trimmed(line).empty()) lines.push_back(trimmed(line));
}

}  // namespace

std::vector<std::string> Pen::wrap(const std::string& text, TextStyle style, float room) const {
  const float width = std::max(0.0F, room);  // where there is none, a letter a line: it has an end
  std::vector<std::string> lines;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    wrap_paragraph(text.substr(from, end - from), style, width, *this, lines);
    from = end + 1;
  }
  return lines;
}

float Pen::widest_word(const std::string& text, TextStyle style) const {
  float width = 0;
  for (const std::string& piece : pieces_of(text)) {
    width = std::max(width, size(trimmed(piece), style).x);
  }
  return width;
}

}  // namespace figure::parts
