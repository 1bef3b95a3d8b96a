// Bytes as text of 64 characters (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace core {

// Section 4, padded.
std::string to_base64(std::string_view bytes);
// Section 5, for URLs, without padding.
std::string to_base64url(std::string_view bytes);

// The bytes, or nothing when the text is none of these: a foreign character, a length that no
// number of bytes has, bits set that no byte holds.
std::optional<std::string> from_base64(std::string_view text);
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace core
