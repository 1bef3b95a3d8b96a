#include "core/tokenizer/steps/normalizer.h"

#include <algorithm>
#include <utility>

#include "core/text/unicode.h"
#include "core/text/utf8.h"
#include "core/tokenizer/models/byte_alphabet.h"

namespace core::subword {
namespace {

using Changes = std::vector<CharacterChange>;

void apply_changes(AlignedText& text, const Changes& changes) { text = transformed(text, changes); }

// The text without the characters that `keep` refuses.
template <class Keep>
void filter(AlignedText& text, Keep&& keep) {
  AlignedText kept;
  kept.text.reserve(text.text.size());
  kept.origins.reserve(text.text.size());
  for (std::size_t at = 0; at < text.text.size();) {
    const std::size_t from = at;
    if (keep(next_code_point(text.text, at))) kept.append(text, from, at);
  }
  text = std::move(kept);
}

// Each character becomes what `append` writes for it.
template <class Append>
void map_characters(AlignedText& text, Append&& append) {
  AlignedText made;
  made.text.reserve(text.text.size());
  made.origins.reserve(text.text.size());
  std::u32string parts;
  for (std::size_t at = 0; at < text.text.size();) {
    const ByteRange origin = text.origins[at];
    parts.clear();
    append(parts, next_code_point(text.text, at));
    for (const char32_t part : parts) made.append(part, origin);
  }
  text = std::move(made);
}

// --- normal forms

bool all_below(const std::string& text, unsigned char limit) {
  return std::all_of(text.begin(), text.end(),
                     [=](char c) { return static_cast<unsigned char>(c) < limit; });
}

// Marks in a row are ordered by their classes.
void order_marks(Changes& parts, std::size_t begin) {
  std::stable_sort(parts.begin() + static_cast<std::ptrdiff_t>(begin), parts.end(),
                   [](const CharacterChange& a, const CharacterChange& b) {
                     return unicode::combining_class(a.character) <
                            unicode::combining_class(b.character);
                   });
}

Changes decomposed(const std::string& text, bool compatible) {
  Changes parts;
  parts.reserve(text.size());
  std::u32string own;
  std::size_t marks = 0;  // where the marks that stand last begin
  for (std::size_t at = 0; at < text.size();) {
    own.clear();
    unicode::append_decomposed(own, next_code_point(text, at), compatible);
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (unicode::combining_class(own[k]) == 0) {
        order_marks(parts, marks);
        marks = parts.size() + 1;
      }
      parts.push_back({own[k], k == 0 ? 0 : 1});
    }
  }
  if (marks < parts.size()) order_marks(parts, marks);
  return parts;
}

// Annex 15, D117: a mark joins the starter before it unless one of its class or higher stands
// between. What joins is taken out of the count of changes.
class Composer {
 public:
  explicit Composer(std::size_t most) { made_.reserve(most); }

  void take(const CharacterChange& one) {
    const int own_class = unicode::combining_class(one.character);
    if (!has_starter_) {
      made_.push_back(one);
      if (own_class == 0) begin(made_.size() - 1);
      return;
    }
    const bool blocked = last_class_ >= 0 && last_class_ >= own_class;
    CharacterChange& starter = made_[starter_];
    const char32_t whole = blocked ? 0 : unicode::composed(starter.character, one.character);
    if (whole != 0) {
      starter = {whole, starter.change + one.change - 1};
      return;
    }
    made_.push_back(one);
    if (own_class == 0) {
      begin(made_.size() - 1);
    } else {
      last_class_ = own_class;
    }
  }
  Changes made() && { return std::move(made_); }

 private:
  void begin(std::size_t starter) {
    has_starter_ = true;
    starter_ = starter;
    last_class_ = -1;
  }

  Changes made_;
  bool has_starter_ = false;
  std::size_t starter_ = 0;
  int last_class_ = -1;  // of the last mark after the starter; -1: none stands there
};

void normal_form(AlignedText& text, bool compose, bool compatible) {
  // Below U+0080 nothing changes; nor below U+0300, whose first byte is 0xCC, by composing alone.
  if (all_below(text.text, compose && !compatible ? 0xcc : 0x80)) return;
  Changes parts = decomposed(text.text, compatible);
  if (compose) {
    Composer composer(parts.size());
    for (const CharacterChange& one : parts) composer.take(one);
    parts = std::move(composer).made();
  }
  apply_changes(text, parts);
}

// --- BERT

bool is_ideograph(char32_t c) {
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) ||
         (c >= 0x20000 && c <= 0x2a6df) || (c >= 0x2a700 && c <= 0x2b73f) ||
         (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b920 && c <= 0x2ceaf) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

void clean(AlignedText& text) {
  filter(text, [](char32_t c) {
    if (c == '\t' || c == '\n' || c == '\r') return true;
    return c >= 0x20 && c != 0xfffd && !unicode::is_control(c);
  });
  map_characters(text, [](std::u32string& to, char32_t c) {
    to.push_back(unicode::is_white_space(c) ? U' ' : c);
  });
}

void lower_case(AlignedText& text) { map_characters(text, unicode::append_lower); }

// --- SentencePiece

bool nmt_drops(char32_t c) {
  return (c >= 0x01 && c <= 0x08) || c == 0x0b || (c >= 0x0e && c <= 0x1f) || c == 0x7f ||
         c == 0x8f || c == 0x9f;
}

bool nmt_spaces(char32_t c) {
  return c == 0x09 || c == 0x0a || c == 0x0c || c == 0x0d || c == 0x1680 ||
         (c >= 0x200b && c <= 0x200f) || c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xfeff ||
         c == 0xfffd;
}

std::size_t characters_in(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) next_code_point(text, at);
  return count;
}

// As the published library counts: what is longer ends in insertions, what is shorter takes away
// at the last character written, which is one of before when there is no new one.
void add_replaced(Changes& changes, std::string_view before, std::string_view after) {
  for (std::size_t at = 0; at < after.size();) {
    changes.push_back({next_code_point(after, at), 0});
  }
  const auto more = static_cast<std::int32_t>(characters_in(after)) -
                    static_cast<std::int32_t>(characters_in(before));
  if (more > 0) {
    for (auto one = changes.end() - more; one != changes.end(); ++one) one->change = 1;
  } else if (more < 0 && !changes.empty()) {
    changes.back().change += more;
  }
}

constexpr std::size_t kLongestCluster = 5;  // bytes of a cluster that is looked up as a whole

bool add_cluster(const PrecompiledMap& map, std::string_view cluster, Changes& changes) {
  if (cluster.size() <= kLongestCluster) {
    if (const auto whole = map.find(cluster)) {
      add_replaced(changes, cluster, *whole);
      return true;
    }
  }
  bool changed = false;
  for (std::size_t at = 0; at < cluster.size();) {
    const std::size_t from = at;
    const char32_t c = next_code_point(cluster, at);
    const std::string_view character = cluster.substr(from, at - from);
    if (const auto other = map.find(character)) {
      add_replaced(changes, character, *other);
      changed = true;
    } else {
      changes.push_back({c, 0});
    }
  }
  return changed;
}

void map_clusters(AlignedText& text, const PrecompiledMap& map) {
  const std::string_view all = text.text;
  if (all.empty()) return;
  Changes changes;
  changes.reserve(all.size());
  unicode::ClusterBreaks breaks;
  bool changed = false;
  std::size_t begin = 0, at = 0;
  char32_t before = next_code_point(all, at);
  while (begin < all.size()) {
    std::size_t end = at;
    const char32_t after = at < all.size() ? next_code_point(all, at) : 0;
    if (end == all.size() || breaks.between(before, after)) {
      changed = add_cluster(map, all.substr(begin, end - begin), changes) || changed;
      begin = end;
    }
    before = after;
  }
  if (changed) apply_changes(text, changes);
}

}  // namespace

namespace normalize {

NormalizerStep form(bool compose, bool compatible) {
  return [=](AlignedText& text) { normal_form(text, compose, compatible); };
}

NormalizerStep lower() { return lower_case; }

NormalizerStep strip_accents() {
  return [](AlignedText& text) { filter(text, [](char32_t c) { return !unicode::is_mark(c); }); };
}

NormalizerStep strip(bool left, bool right) {
  return [=](AlignedText& text) {
    std::size_t begin = text.text.size(), end = 0;
    for (std::size_t at = 0; at < text.text.size();) {
      const std::size_t from = at;
      if (unicode::is_white_space(next_code_point(text.text, at))) continue;
      begin = std::min(begin, from);
      end = at;
    }
    begin = left ? begin : 0;
    end = right ? end : text.text.size();
    AlignedText kept;
    if (begin < end) kept.append(text, begin, end);
    text = std::move(kept);
  };
}

NormalizerStep prepend(std::string prefix) {
  return [prefix = std::move(prefix)](AlignedText& text) {
    AlignedText longer;
    append_prefixed(longer, prefix, text, 0, text.text.size());
    text = std::move(longer);
  };
}

NormalizerStep replace(Pattern pattern, std::string content) {
  return [pattern = std::move(pattern), content = std::move(content)](AlignedText& text) {
    AlignedText other;
    for (const Stretch& one : pattern.stretches(text.text)) {
      if (!one.matched) {
        other.append(text, one.begin, one.end);
        continue;
      }
      other.text += content;
      const ByteRange origin = one.end > 0 ? text.origins[one.end - 1] : ByteRange{};
      other.origins.resize(other.text.size(), origin);
    }
    text = std::move(other);
  };
}

NormalizerStep bytes() {
  return [](AlignedText& text) {
    AlignedText visible;
    visible.text.reserve(text.text.size());
    visible.origins.reserve(text.text.size());
    for (std::size_t at = 0; at < text.text.size(); ++at) {
      const auto byte = static_cast<unsigned char>(text.text[at]);
      visible.append(byte_characters()[byte], text.origins[at]);
    }
    text = std::move(visible);
  };
}

NormalizerStep nmt() {
  return [](AlignedText& text) {
    filter(text, [](char32_t c) { return !nmt_drops(c); });
    map_characters(text,
                   [](std::u32string& to, char32_t c) { to.push_back(nmt_spaces(c) ? U' ' : c); });
  };
}

NormalizerStep precompiled(PrecompiledMap map) {
  return [map = std::move(map)](AlignedText& text) { map_clusters(text, map); };
}

NormalizerStep bert(Bert options) {
  return [options](AlignedText& text) {
    if (options.clean) clean(text);
    if (options.ideographs) {
      map_characters(text, [](std::u32string& to, char32_t c) {
        const bool apart = is_ideograph(c);
        if (apart) to.push_back(U' ');
        to.push_back(c);
        if (apart) to.push_back(U' ');
      });
    }
    if (options.accents) {
      normal_form(text, false, false);
      filter(text, [](char32_t c) { return !unicode::is_nonspacing_mark(c); });
    }
    if (options.lower) lower_case(text);
  };
}

}  // namespace normalize
}  // namespace core::subword
