#include "core/heads/words.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace core::heads {
namespace {

constexpr std::string_view kGoesOn = "##";
constexpr std::array<std::string_view, 4> kBegins = {" ", "␣", "Ġ", "▁"};

std::string_view mark_of(std::string_view token) {
  for (const std::string_view mark : kBegins) {
    if (token.starts_with(mark)) return mark;
  }
  return {};
}

// Whether it begins as words go on: with a letter, a digit or an apostrophe. Chinese characters,
// from U+2E80 on, are words by themselves, as is punctuation.
bool is_letter(std::string_view token) {
  if (token.empty()) return false;
  const auto lead = static_cast<unsigned char>(token.front());
  if (lead < 0x80) {
    const bool digit = lead >= '0' && lead <= '9';
    const bool letter = (lead >= 'a' && lead <= 'z') || (lead >= 'A' && lead <= 'Z');
    return digit || letter || lead == '\'' || lead == '\\';
  }
  return lead < 0xe2;
}

void require_starts(const std::vector<Index>& starts, Index count) {
  const bool rise =
      std::adjacent_find(starts.begin(), starts.end(), std::greater_equal<>()) == starts.end();
  if (!starts.empty() && starts.front() == 0 && rise && starts.back() < count) return;
  throw InputError(
      Message(N_("words: expected places that begin with 0 and rise below {}"), count));
}

class JoinedRows final : public HeadRows {
 public:
  JoinedRows(HeadPointer head, std::vector<Index> query_starts, std::vector<Index> key_starts)
      : head_(std::move(head)), queries_(std::move(query_starts)), keys_(std::move(key_starts)) {
    require_starts(queries_, head_->queries());
    require_starts(keys_, head_->keys());
    queries_.push_back(head_->queries());
    keys_.push_back(head_->keys());
  }
  Index queries() const override { return static_cast<Index>(queries_.size()) - 1; }
  Index keys() const override { return static_cast<Index>(keys_.size()) - 1; }
  void read(Index first, Index count, float* out, const Cancel& cancel) const override {
    std::vector<float> row(static_cast<std::size_t>(head_->keys()));
    std::vector<double> sums(static_cast<std::size_t>(keys()));
    std::vector<char> seen(sums.size());
    for (Index i = 0; i < count; ++i) {
      const Index begin = start(queries_, first + i), end = start(queries_, first + i + 1);
      std::fill(sums.begin(), sums.end(), 0.0);
      std::fill(seen.begin(), seen.end(), 0);
      for (Index token = begin; token < end; ++token) {
        head_->read(token, 1, row.data(), cancel);
        add(row, sums, seen);
      }
      const auto tokens = static_cast<double>(end - begin);
      for (std::size_t j = 0; j < sums.size(); ++j) {
        *out++ = seen[j] ? static_cast<float>(sums[j] / tokens) : kMasked;
      }
    }
  }

 private:
  static Index start(const std::vector<Index>& starts, Index word) {
    return starts[static_cast<std::size_t>(word)];
  }
  void add(const std::vector<float>& row, std::vector<double>& sums,
           std::vector<char>& seen) const {
    for (std::size_t j = 0; j < sums.size(); ++j) {
      for (Index token = keys_[j]; token < keys_[j + 1]; ++token) {
        const float weight = row[static_cast<std::size_t>(token)];
        if (is_masked(weight)) continue;
        sums[j] += static_cast<double>(weight);
        seen[j] = 1;
      }
    }
  }

  HeadPointer head_;
  std::vector<Index> queries_, keys_;  // and the number of tokens
};

}  // namespace

bool is_special(std::string_view token) {
  if (token.size() < 3) return false;
  const bool angles = token.front() == '<' && token.back() == '>' && !token.starts_with("<0x");
  return angles || (token.front() == '[' && token.back() == ']');
}

std::vector<Index> word_starts(const std::vector<std::string>& tokens) {
  const auto any = [&](auto&& holds) { return std::any_of(tokens.begin(), tokens.end(), holds); };
  const bool pieces = any([](const std::string& one) {
    return one.size() > kGoesOn.size() && one.starts_with(kGoesOn);
  });
  const bool marks = !pieces && any([](const std::string& one) { return !mark_of(one).empty(); });
  const auto goes_on = [&](std::size_t k) {
    const std::string& token = tokens[k];
    if (is_special(token) || is_special(tokens[k - 1])) return false;
    if (pieces) return token.starts_with(kGoesOn);
    return marks && mark_of(token).empty() && is_letter(token);
  };
  std::vector<Index> starts;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (k == 0 || !goes_on(k)) starts.push_back(static_cast<Index>(k));
  }
  return starts;
}

std::vector<std::string> word_names(const std::vector<std::string>& tokens,
                                    const std::vector<Index>& starts) {
  std::vector<std::string> names;
  std::size_t next = 0;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool begins = next < starts.size() && starts[next] == static_cast<Index>(k);
    if (begins) names.emplace_back(), ++next;
    std::string_view text = tokens[k];
    const std::string_view mark = begins ? mark_of(text) : kGoesOn;
    const auto end = next < starts.size() ? starts[next] : static_cast<Index>(tokens.size());
    const bool alone = begins && end == static_cast<Index>(k) + 1;
    if (text.starts_with(mark) && !(alone && text == mark)) text.remove_prefix(mark.size());
    names.back() += text;
  }
  return names;
}

HeadPointer joined_rows(HeadPointer head, std::vector<Index> query_starts,
                        std::vector<Index> key_starts) {
  return std::make_shared<const JoinedRows>(std::move(head), std::move(query_starts),
                                            std::move(key_starts));
}

GivenHeads joined_heads(const GivenHeads& given, std::vector<Index> query_starts,
                        std::vector<Index> key_starts) {
  GivenHeads joined = given;
  joined.n = static_cast<Index>(query_starts.size());
  joined.m = static_cast<Index>(key_starts.size());
  joined.words = JoinedWords{std::move(query_starts), std::move(key_starts)};
  joined.no_vectors = Message(N_("a word of several tokens has no query and no key of its own"));
  return joined;
}

}  // namespace core::heads
