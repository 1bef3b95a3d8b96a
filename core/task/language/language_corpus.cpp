#include "core/task/language/language_corpus.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <unordered_set>
#include <utility>

#include "core/random.h"
#include "core/task/language/shuffle.h"

namespace core::task {
namespace {

// Calls f(line) for each line, without its end.
template <class F>
void each_line(std::string_view text, F f) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    f(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view stripped(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Single spaces, and no braces.
void append_words(std::string_view from, std::string& to) {
  for (const char c : from) {
    if (c == '{' || c == '}') continue;
    const bool space = c == ' ' || c == '\t';
    if (!space) {
      to += c;
    } else if (!to.empty() && to.back() != ' ') {
      to += ' ';
    }
  }
}

// Terminals' colors: from escape to the letter that ends them.
std::string without_colors(std::string_view line) {
  std::string out;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] != '\x1b') {
      out += line[k];
      continue;
    }
    while (k < line.size() && !std::isalpha(static_cast<unsigned char>(line[k]))) ++k;
  }
  return out;
}

}  // namespace

Lines wordnet_lines(std::string_view data) {
  Lines lines;
  each_line(data, [&](std::string_view line) {
    // Offset, number of the lexicographer's file, part of speech, number of words, the first word.
    const std::size_t bar = line.find(" | ");
    if (line.size() < 17 || !is_digit(line.front()) || bar == std::string_view::npos) return;
    std::string word(line.substr(17, line.find(' ', 17) - 17));
    if (const std::size_t marker = word.find('('); marker != std::string::npos) {
      word.resize(marker);
    }
    std::replace(word.begin(), word.end(), '_', ' ');
    const std::string_view gloss = stripped(line.substr(bar + 3));
    if (word.empty() || gloss.empty()) return;
    lines.push_back(word + ": " + std::string(gloss));
  });
  return lines;
}

Lines chapter_lines(std::string_view verses) {
  Lines lines;
  std::string chapter;
  each_line(verses, [&](std::string_view line) {
    const std::size_t space = line.find(' '), colon = line.find(':');
    if (space == std::string_view::npos || colon > space) return;
    if (line.substr(0, colon) != chapter) {
      chapter = line.substr(0, colon);
      lines.emplace_back();
    }
    std::string& to = lines.back();
    if (!to.empty()) to += ' ';
    append_words(stripped(line.substr(space)), to);
  });
  return lines;
}

Lines paragraph_lines(std::string_view text, std::size_t fewest) {
  Lines lines;
  std::string paragraph;
  const auto end = [&] {
    if (paragraph.size() >= fewest) lines.push_back(paragraph);
    paragraph.clear();
  };
  each_line(text, [&](std::string_view line) {
    const std::string_view words = stripped(line);
    if (words.empty()) return end();
    if (!paragraph.empty()) paragraph += ' ';
    append_words(words, paragraph);
  });
  end();
  return lines;
}

Lines poem_lines(std::string_view text) {
  Lines lines;
  std::string title, poet, verses;
  const auto end = [&] {
    if (!verses.empty()) lines.push_back(title + poet + (title.empty() ? "" : "\n") + verses);
    for (std::string* part : {&title, &poet, &verses}) part->clear();
  };
  const auto after = [](std::string_view line, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) {
      if (line.starts_with(word)) return std::string(stripped(line.substr(word.size())));
    }
    return std::string();
  };
  each_line(text, [&](std::string_view raw) {
    const std::string plain = without_colors(raw);
    const std::string_view line = stripped(plain);
    if (line == "%") return end();
    const bool first = title.empty() && verses.empty();
    std::string named = after(line, {"题目:", "题目：", "--"});
    if (named.empty() && first && line.starts_with("《")) named = line;
    if (!named.empty()) {
      title = named;
    } else if (std::string by = after(line, {"作者：", "作者:"}); !by.empty()) {
      poet = std::move(by);
    } else if (!line.empty()) {
      verses += (verses.empty() ? "" : "\n") + std::string(line);
    }
  });
  end();
  return lines;
}

SplitLines split(Lines lines, std::uint64_t seed) {
  std::unordered_set<std::string> seen;
  std::erase_if(lines, [&](const std::string& line) { return !seen.insert(line).second; });
  Random random(seed);
  shuffle(lines, random);
  SplitLines parts;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    (k % 10 == 9 ? parts.held : parts.train).push_back(std::move(lines[k]));
  }
  return parts;
}

}  // namespace core::task
