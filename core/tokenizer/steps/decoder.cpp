#include "core/tokenizer/steps/decoder.h"

#include <algorithm>
#include <utility>

#include "core/text/utf8.h"
#include "core/tokenizer/models/byte_alphabet.h"

namespace core::subword {
namespace {

constexpr std::string_view kReplacement = "\ufffd";

using Texts = std::vector<std::string>;

std::string joined(const Texts& texts) {
  std::string all;
  for (const std::string& one : texts) all += one;
  return all;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

std::string replaced(const std::string& text, const Pattern& pattern, const std::string& content) {
  std::string other;
  for (const Stretch& one : pattern.stretches(text)) {
    if (one.matched) {
      other += content;
    } else {
      other.append(text, one.begin, one.end - one.begin);
    }
  }
  return other;
}

// English marks without the space before them, in the published order.
void clean_up(std::string& text) {
  static constexpr std::pair<std::string_view, std::string_view> kMarks[] = {
      {" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
      {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
      {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& [from, to] : kMarks) replace_all(text, from, to);
}

void append_fallen_back(Texts& to, std::string& bytes) {
  if (bytes.empty()) return;
  if (invalid_utf8(bytes)) {
    to.insert(to.end(), bytes.size(), std::string(kReplacement));
  } else {
    to.push_back(bytes);
  }
  bytes.clear();
}

std::u32string characters_of(std::string_view text) {
  std::u32string all;
  for (std::size_t at = 0; at < text.size();) all.push_back(next_code_point(text, at));
  return all;
}

std::string stripped(const std::string& text, char32_t content, std::size_t start,
                     std::size_t stop) {
  const std::u32string all = characters_of(text);
  std::size_t begin = 0, end = all.size();
  while (begin < std::min(start, all.size()) && all[begin] == content) ++begin;
  while (end > begin && all.size() - end < stop && all[end - 1] == content) --end;
  std::string kept;
  for (std::size_t k = begin; k < end; ++k) append_utf8(kept, all[k]);
  return kept;
}

}  // namespace

std::string lossy_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t valid = invalid_utf8(bytes).value_or(bytes.size());
    text += bytes.substr(0, valid);
    bytes.remove_prefix(valid);
    if (bytes.empty()) break;
    text += kReplacement;
    bytes.remove_prefix(invalid_length(bytes));
  }
  return text;
}

namespace decode_tokens {

DecoderStep byte_level() {
  return [](Texts& texts) {
    std::string all;
    for (const std::string& one : texts) all += bytes_of(one).value_or(one);
    texts = {lossy_utf8(all)};
  };
}

DecoderStep byte_fallback() {
  return [](Texts& texts) {
    Texts made;
    std::string bytes;
    for (std::string& one : texts) {
      if (const auto byte = byte_of_token(one)) {
        bytes.push_back(static_cast<char>(*byte));
        continue;
      }
      append_fallen_back(made, bytes);
      made.push_back(std::move(one));
    }
    append_fallen_back(made, bytes);
    texts = std::move(made);
  };
}

DecoderStep fuse() {
  return [](Texts& texts) { texts = {joined(texts)}; };
}

DecoderStep replace(Pattern pattern, std::string content) {
  return [pattern = std::move(pattern), content = std::move(content)](Texts& texts) {
    for (std::string& one : texts) one = replaced(one, pattern, content);
  };
}

DecoderStep strip(char32_t content, std::size_t start, std::size_t stop) {
  return [=](Texts& texts) {
    for (std::string& one : texts) one = stripped(one, content, start, stop);
  };
}

DecoderStep metaspace(char32_t replacement, bool first_goes) {
  std::string from;
  append_utf8(from, replacement);
  return [from = std::move(from), first_goes](Texts& texts) {
    for (std::size_t k = 0; k < texts.size(); ++k) {
      replace_all(texts[k], from, k == 0 && first_goes ? "" : " ");
    }
  };
}

DecoderStep word_piece(std::string prefix, bool clean) {
  return [prefix = std::move(prefix), clean](Texts& texts) {
    for (std::size_t k = 0; k < texts.size(); ++k) {
      std::string& one = texts[k];
      if (k > 0 && one.starts_with(prefix)) {
        one.erase(0, prefix.size());
      } else if (k > 0) {
        one.insert(0, " ");
      }
      if (clean) clean_up(one);
    }
  };
}

DecoderStep ending(std::string suffix) {
  return [suffix = std::move(suffix)](Texts& texts) {
    for (std::size_t k = 0; !suffix.empty() && k < texts.size(); ++k) {
      replace_all(texts[k], suffix, k + 1 == texts.size() ? "" : " ");
    }
  };
}

}  // namespace decode_tokens
}  // namespace core::subword
