// How tokens become a text again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tokenizer/steps/pattern.h"

namespace core::subword {

// Changes the texts of tokens, or joins them; in the end they are written one after the other.
using DecoderStep = std::function<void(std::vector<std::string>&)>;
using Decoder = std::vector<DecoderStep>;

namespace decode_tokens {

// Bytes out of visible characters; what is no UTF-8 becomes U+FFFD.
DecoderStep byte_level();
// Tokens of bytes, <0x0A>, become characters; of bytes that make none each is a U+FFFD.
DecoderStep byte_fallback();
DecoderStep fuse();
DecoderStep replace(Pattern pattern, std::string content);
// Removes at most `start` of the character from the beginning of each token and `stop` from its
// end.
DecoderStep strip(char32_t content, std::size_t start, std::size_t stop);
// `replacement` becomes a space; in the first token it goes, when `first_goes`.
DecoderStep metaspace(char32_t replacement, bool first_goes);
// A token after the first without the prefix begins with a space. clean: no space before marks.
DecoderStep word_piece(std::string prefix, bool clean);
// `suffix` becomes a space, and at the end of the text nothing.
DecoderStep ending(std::string suffix);

}  // namespace decode_tokens

// What bytes show as text, each longest wrong beginning of a character as one U+FFFD (Unicode
// Standard, section 3.9, "substitution of maximal subparts").
std::string lossy_utf8(std::string_view bytes);

}  // namespace core::subword
