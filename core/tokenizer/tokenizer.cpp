#include "core/tokenizer/tokenizer.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/text/printable.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"
#include "core/tokenizer/models/byte_alphabet.h"

namespace core::subword {

void Encoding::append(Id id, ByteRange range, int type, bool by_template) {
  ids.push_back(id);
  offsets.push_back(range);
  types.push_back(static_cast<std::uint8_t>(type));
  put_in.push_back(by_template);
}

// One text's encoding: words come again and again, so the tokens of short pieces are kept.
struct Tokenizer::Pass {
  const Cancel& cancel;
  Encoding encoding;
  // How added tokens stand in the text, with what white space they took: their places in the
  // encoding.
  std::vector<std::pair<std::size_t, std::string>> added;
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> known;
  std::vector<Unit> units;    // of the pieces that are known
  std::vector<Unit> scratch;  // of one that is not kept
  std::string key;

  void append_added(Id id, std::string_view as_written, ByteRange range) {
    added.emplace_back(encoding.ids.size(), as_written);
    encoding.append(id, range);
  }
  std::span<const Unit> of(const Model& model, std::string_view piece) {
    constexpr std::size_t kLongestKept = 64, kMostKept = std::size_t{1} << 18;
    if (piece.size() > kLongestKept || known.size() >= kMostKept) {
      scratch.clear();
      model.encode(piece, scratch);
      return scratch;
    }
    key = piece;
    auto place = known.find(key);
    if (place == known.end()) {
      const std::size_t begin = units.size();
      model.encode(piece, units);
      place = known.emplace(key, std::pair(begin, units.size() - begin)).first;
    }
    return std::span<const Unit>(units).subspan(place->second.first, place->second.second);
  }
};

namespace {

constexpr std::size_t kPiecesBetweenPolls = 4096;

bool is_space_of_token(char32_t c) { return c == 0x120 || unicode::is_white_space(c); }

// A space at the ends of a token as it is spelt.
std::size_t leading_spaces(std::string_view token) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < token.size(); ++count) {
    if (!is_space_of_token(next_code_point(token, at))) break;
  }
  return count;
}

std::size_t trailing_spaces(std::string_view token) {
  std::size_t count = 0, run = 0;
  for (std::size_t at = 0; at < token.size();) {
    run = is_space_of_token(next_code_point(token, at)) ? run + 1 : 0;
    count = run;
  }
  return count;
}

// `count` characters on, or back, but not beyond `end`.
std::uint32_t moved_on(std::string_view text, std::uint32_t from, std::size_t count,
                       std::uint32_t end) {
  std::size_t at = from;
  for (; count > 0 && at < end; --count) next_code_point(text, at);
  return std::min(static_cast<std::uint32_t>(at), end);
}

std::uint32_t moved_back(std::string_view text, std::uint32_t from, std::size_t count,
                         std::uint32_t end) {
  std::size_t at = from;
  for (; count > 0 && at > end; --count) {
    do {
      --at;
    } while (at > end && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
  }
  return static_cast<std::uint32_t>(at);
}

}  // namespace

Tokenizer::Tokenizer(TokenizerParts parts)
    : parts_(std::move(parts)), added_(parts_.added, parts_.normalizer) {
  check_added();
  end_ = parts_.model->vocabulary().end();
  for (const AddedToken& one : added_.all()) end_ = std::max(end_, one.id + 1);
  check_template(parts_.around.single);
  check_template(parts_.around.pair);
}

void Tokenizer::check_added() const {
  const Vocabulary& words = parts_.model->vocabulary();
  for (const AddedToken& one : added_.all()) {
    const auto listed = words.find(one.text);
    if (listed && *listed != one.id) {
      throw InputError(Message(N_("expected each token once, got \"{}\" with the ids {} and {}"),
                               printable(one.text), *listed, one.id));
    }
    const std::string* other = words.token(one.id);
    if (other && *other != one.text) {
      throw InputError(Message(N_("expected a token for each id, got both \"{}\" and \"{}\" for "
                                  "{}"),
                               printable(*other), printable(one.text), one.id));
    }
  }
}

void Tokenizer::check_template(const std::vector<TemplateItem>& items) const {
  for (const TemplateItem& item : items) {
    for (const Id id : item.ids) {
      if (token(id)) continue;
      throw InputError(Message(
          N_("the template inserts a token with the id {}, which is not in the vocabulary"), id));
    }
  }
}

Encoding Tokenizer::encode(std::string_view text, const Cancel& cancel) const {
  if (text.size() > kMostTextBytes) {
    throw InputError(
        Message(N_("expected a text of at most {} bytes, got {}"), kMostTextBytes, text.size()));
  }
  require_utf8(text);
  Pass pass{cancel, {}, {}, {}, {}, {}, {}};
  for (const AddedTokens::Cut& cut : added_.cut(text, false)) {
    const std::string_view own = text.substr(cut.begin, cut.end - cut.begin);
    if (cut.id) {
      pass.append_added(
          *cut.id, own,
          {static_cast<std::uint32_t>(cut.begin), static_cast<std::uint32_t>(cut.end)});
    } else {
      encode_stretch(own, cut.begin, pass);
    }
  }
  if (parts_.trim) trim_spaces(text, pass);
  return std::move(pass.encoding);
}

void Tokenizer::encode_stretch(std::string_view stretch, std::size_t begin, Pass& pass) const {
  AlignedText text(stretch, begin);
  for (const NormalizerStep& step : parts_.normalizer) {
    pass.cancel.poll();
    step(text);
  }
  const std::vector<AddedTokens::Cut> cuts = added_.cut(text.text, true);
  if (cuts.size() == 1 && !cuts.front().id) return encode_pieces(std::move(text), pass);
  for (const AddedTokens::Cut& cut : cuts) {
    if (cut.id) {
      pass.append_added(*cut.id, std::string_view(text.text).substr(cut.begin, cut.end - cut.begin),
                        text.origin(cut.begin, cut.end));
    } else {
      AlignedText part;
      part.append(text, cut.begin, cut.end);
      encode_pieces(std::move(part), pass);
    }
  }
}

void Tokenizer::encode_pieces(AlignedText text, Pass& pass) const {
  Pieces pieces{std::move(text), {}};
  pieces.all.push_back({0, pieces.text.text.size()});
  for (const PreTokenizerStep& step : parts_.pre_tokenizer) {
    pass.cancel.poll();
    step(pieces);
  }
  const std::string_view all = pieces.text.text;
  for (std::size_t k = 0; k < pieces.all.size(); ++k) {
    if (k % kPiecesBetweenPolls == 0) pass.cancel.poll();
    const Stretch& piece = pieces.all[k];
    const std::string_view own = all.substr(piece.begin, piece.end - piece.begin);
    for (const Unit& unit : pass.of(*parts_.model, own)) {
      pass.encoding.append(unit.id,
                           pieces.text.origin(piece.begin + unit.begin, piece.begin + unit.end));
    }
  }
}

// The library's rule, character by character: what a token has of spaces at its ends, as it is
// spelt or as an added one stands in the text, goes from its offsets.
void Tokenizer::trim_spaces(std::string_view text, Pass& pass) const {
  Encoding& encoding = pass.encoding;
  auto next_added = pass.added.begin();
  for (std::size_t k = 0; k < encoding.ids.size(); ++k) {
    const bool is_added = next_added != pass.added.end() && next_added->first == k;
    const std::string& spelt = is_added ? (next_added++)->second : *token(encoding.ids[k]);
    std::size_t leading = leading_spaces(spelt);
    const std::size_t trailing = trailing_spaces(spelt);
    ByteRange& range = encoding.offsets[k];
    const bool first = k == 0 || range.begin == 0;
    if (first && parts_.trim->space_first && leading == 1) leading = 0;
    range.begin = moved_on(text, range.begin, leading, range.end);
    range.end = moved_back(text, range.end, trailing, range.begin);
  }
}

Encoding Tokenizer::filled(const std::vector<TemplateItem>& items, const Encoding* first,
                           const Encoding* second) const {
  Encoding all;
  for (const TemplateItem& item : items) {
    for (const Id id : item.ids) all.append(id, {}, item.type, true);
    if (!item.ids.empty()) continue;
    const Encoding& text = item.text == 0 ? *first : *second;
    for (std::size_t k = 0; k < text.ids.size(); ++k) {
      all.append(text.ids[k], text.offsets[k], item.type);
    }
  }
  return all;
}

Encoding Tokenizer::around(const Encoding& text) const {
  if (parts_.around.single.empty()) return text;
  return filled(parts_.around.single, &text, nullptr);
}

Encoding Tokenizer::around(const Encoding& first, const Encoding& second) const {
  if (parts_.around.pair.empty()) {
    return filled({{{}, 0, 0}, {{}, 1, 1}}, &first, &second);
  }
  return filled(parts_.around.pair, &first, &second);
}

std::string Tokenizer::decode(std::span<const Id> ids, Specials specials) const {
  std::vector<std::string> texts;
  for (const Id id : ids) {
    const std::string* text = token(id);
    if (text && !(specials == Specials::skip && is_special(id))) texts.push_back(*text);
  }
  std::string all;
  if (parts_.decoder) {
    if (texts.empty()) return all;
    for (const DecoderStep& step : *parts_.decoder) step(texts);
  }
  for (std::size_t k = 0; k < texts.size(); ++k) {
    if (!parts_.decoder && k > 0) all += ' ';
    all += texts[k];
  }
  return all;
}

const std::string* Tokenizer::token(Id id) const {
  const AddedToken* added = added_.find(id);
  return added ? &added->text : parts_.model->vocabulary().token(id);
}

std::optional<Id> Tokenizer::find(const std::string& text) const {
  const AddedToken* added = added_.find(text);
  return added ? added->id : parts_.model->vocabulary().find(text);
}

bool Tokenizer::is_special(Id id) const {
  const AddedToken* added = added_.find(id);
  return added && added->special;
}

std::string Tokenizer::bytes(Id id) const {
  const std::string* spelt = token(id);
  if (!spelt) return {};
  if (added_.find(id)) return *spelt;
  const Spelling& rule = parts_.spelling;
  if (rule.bytes_visible) return bytes_of(*spelt).value_or(*spelt);
  if (rule.byte_tokens) {
    if (const auto byte = byte_of_token(*spelt)) return std::string(1, static_cast<char>(*byte));
  }
  std::string text = *spelt;
  if (!rule.continuing_prefix.empty() && text.starts_with(rule.continuing_prefix)) {
    text.erase(0, rule.continuing_prefix.size());
  }
  const auto become_spaces = [&](const std::string& sign) {
    for (std::size_t at = 0; !sign.empty() && (at = text.find(sign, at)) != text.npos; ++at) {
      text.replace(at, sign.size(), " ");
    }
  };
  become_spaces(rule.space);
  become_spaces(rule.ending_suffix);
  return text;
}

std::string Tokenizer::shown(Id id) const {
  const std::string text = bytes(id);
  std::string visible;
  for (const char c : text) {
    switch (c) {
      case ' ': visible += "␣"; break;
      case '\t': visible += "⇥"; break;
      case '\n': visible += "⏎"; break;
      default: visible += c;
    }
  }
  return printable(visible, visible.size());
}

}  // namespace core::subword
