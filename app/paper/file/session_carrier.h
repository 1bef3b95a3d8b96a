// The session inside of a file: how it gets in, and how it comes out again.
//
//   .png  an iTXt chunk "attnscope-session" before the pixels
//   .svg, .html  <metadata><attnscope:session xmlns:attnscope="urn:attnscope">, XML-escaped
//   .pdf  the keyword "attnscope-session:" followed by the JSON in base64url (RFC 4648, section 5,
//         without padding): ASCII, so that no writer re-encodes it
//   .json the member "session" of the numbers
//   .attn the JSON itself
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/session/session.h"

namespace paper {

inline constexpr std::string_view kSessionKey = "attnscope-session";

// The session's JSON text from any of these, told apart by content and not by name. Throws
// core::InputError in one sentence when the file is none of these, carries no session, is damaged
// or larger than kMaxFile; IoError when it cannot be read.
std::string read_session(const std::filesystem::path& path);

// The session in a file's bytes; `name` is for messages.
std::string session_in(std::string_view bytes, const std::string& name);

// The session in such a file; what it reads is looked for from where it lies. A person's own
// tensors open in the lab that takes them (session::session_opening). Throws as these and
// read_session do.
session::Session open_session(const std::filesystem::path& path);

// Throws core::InputError unless the name ends in .attn, as a saved session's does: a slip of the
// hand must not make one of thesis.tex.
void check_session_ending(const std::filesystem::path& path);
// Writes the session, after that check, and returns its text; IoError when it cannot be written.
std::string save_session(const session::Session& session, const std::filesystem::path& path);

// The folder of a file that is to hold a session, for session::to_json.
std::filesystem::path folder_of(const std::filesystem::path& path);

inline constexpr std::size_t kMaxFile = std::size_t{1} << 29;     // 512 MiB
inline constexpr std::size_t kMaxSession = std::size_t{1} << 26;  // 64 MiB

// The elements that go into an SVG's root: title and description in `language` ("en", "zh-CN"), and
// the session.
std::string svg_metadata(const std::string& title, const std::string& description,
                         std::string_view language, const std::string& session);
// The keyword for a PDF.
std::string pdf_keyword(const std::string& session);

}  // namespace paper
