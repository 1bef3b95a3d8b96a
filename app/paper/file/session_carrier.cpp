#include "app/paper/file/session_carrier.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "app/paper/style/colors.h"
#include "app/paper/svg/svg_text.h"
#include "app/system/atomic_file.h"
#include "app/words/sentence.h"
#include "core/io/case/json_check.h"
#include "core/io/regular_file.h"
#include "core/system/error.h"
#include "core/text/base64.h"
#include "core/types.h"

namespace paper {
namespace {

using core::InputError;
using std::string_view;

constexpr string_view kPngSignature("\x89PNG\r\n\x1a\n", 8);
constexpr string_view kSvgBegin = "<attnscope:session xmlns:attnscope=\"urn:attnscope\">";
constexpr string_view kSvgEnd = "</attnscope:session>";
constexpr string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// What stands in the way of reading a session, without the file's name.
struct Damaged {
  string_view reason;  // a message
};

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) return put(0xc0 | (code >> 6)), put(0x80 | (code & 63));
  if (code < 0x10000) {
    return put(0xe0 | (code >> 12)), put(0x80 | ((code >> 6) & 63)), put(0x80 | (code & 63));
  }
  put(0xf0 | (code >> 18)), put(0x80 | ((code >> 12) & 63));
  put(0x80 | ((code >> 6) & 63)), put(0x80 | (code & 63));
}

// The character of "amp", "#13", "#x4e2d".
void append_entity(std::string& out, string_view name) {
  constexpr std::array<std::pair<string_view, char>, 5> kNamed = {
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
  for (const auto& [known, character] : kNamed) {
    if (name == known) {
      out += character;
      return;
    }
  }
  const bool hex = name.starts_with("#x");
  const string_view digits = name.substr(std::min(name.size(), std::size_t{hex ? 2u : 1u}));
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
  if (!name.starts_with('#') || error != std::errc() || end != digits.data() + digits.size() ||
      code == 0 || code > 0x10ffff) {
    throw Damaged{N_("the session in it is damaged")};
  }
  append_utf8(out, code);
}

std::string xml_unescape(string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '&') {
      out += text[k];
      continue;
    }
    const std::size_t end = text.find(';', k);
    if (end == string_view::npos || end - k > 10) throw Damaged{N_("the session in it is damaged")};
    append_entity(out, text.substr(k + 1, end - k - 1));
    k = end;
  }
  return out;
}

std::uint32_t big_endian(string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes.substr(0, 4)) value = (value << 8) | static_cast<unsigned char>(c);
  return value;
}

std::string inflate_text(string_view packed) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  std::array<char, 1 << 16> part;
  int status = Z_OK;
  while (status == Z_OK && out.size() <= kMaxSession) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = part.size();
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(part.data(), part.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) throw Damaged{N_("the session in it is damaged or too long")};
  return out;
}

// iTXt: keyword 0 flag method language 0 translated-keyword 0 text (PNG specification, 11.3.4.5).
std::optional<std::string> text_of_chunk(string_view data) {
  if (!data.starts_with(kSessionKey) || data.size() < kSessionKey.size() + 5 ||
      data[kSessionKey.size()] != 0) {
    return std::nullopt;
  }
  data.remove_prefix(kSessionKey.size() + 1);
  const bool packed = data[0] == 1;
  data.remove_prefix(2);
  for (int k = 0; k < 2; ++k) {
    const std::size_t end = data.find('\0');
    if (end == string_view::npos) throw Damaged{N_("the session in it is damaged")};
    data.remove_prefix(end + 1);
  }
  return packed ? inflate_text(data) : std::string(data);
}

std::optional<std::string> from_png(string_view bytes) {
  bytes.remove_prefix(kPngSignature.size());
  while (bytes.size() >= 12) {
    const std::size_t length = big_endian(bytes);
    const string_view type = bytes.substr(4, 4);
    if (length > bytes.size() - 12) throw Damaged{N_("it is cut short")};
    if (type == "IEND") return std::nullopt;
    if (type == "iTXt") {
      const string_view data = bytes.substr(8, length);
      const auto* checked = reinterpret_cast<const Bytef*>(bytes.data() + 4);
      const auto sum = crc32(0, checked, static_cast<uInt>(length + 4));
      if (auto text = text_of_chunk(data)) {
        if (sum != big_endian(bytes.substr(8 + length))) {
          throw Damaged{N_("the session in it is damaged")};
        }
        return text;
      }
    }
    bytes.remove_prefix(length + 12);
  }
  throw Damaged{N_("it is cut short")};
}

std::optional<std::string> from_svg(string_view bytes) {
  const std::size_t begin = bytes.find(kSvgBegin);
  if (begin == string_view::npos) return std::nullopt;
  bytes.remove_prefix(begin + kSvgBegin.size());
  const std::size_t end = bytes.find(kSvgEnd);
  if (end == string_view::npos) throw Damaged{N_("it is cut short")};
  return xml_unescape(bytes.substr(0, end));
}

std::optional<std::string> from_pdf(string_view bytes) {
  const std::string key = std::string(kSessionKey) + ":";
  const std::size_t begin = bytes.rfind(key);
  if (begin == string_view::npos) return std::nullopt;
  bytes.remove_prefix(begin + key.size());
  const std::size_t end = bytes.find_first_not_of(kDigits);
  if (end == string_view::npos) throw Damaged{N_("it is cut short")};
  std::optional<std::string> session = core::from_base64url(bytes.substr(0, end));
  if (!session) throw Damaged{N_("the session in it is damaged")};
  return session;
}

// A session is a JSON object with the member "attnscope"; its meaning is the labs' business. What
// keeps a text from being one; empty: nothing.
words::Sentence not_a_session(const std::string& text) {
  if (const words::Sentence fault = core::json_fault(text); !fault.empty()) {
    return fault;
  }
  const auto parsed = nlohmann::json::parse(text, nullptr, false);
  if (parsed.is_object() && parsed.contains("attnscope")) return {};
  return words::Sentence(N_("it has no member \"attnscope\""));
}

// The session in an export as .json. It is the last member, so only the end of a large file is
// read.
std::optional<std::string> from_export(string_view text) {
  constexpr string_view kKey = "\"session\":";
  const std::size_t begin = text.rfind(kKey);
  const std::size_t end = text.find_last_of('}');
  if (begin == string_view::npos || end == string_view::npos || end <= begin) return std::nullopt;
  return std::string(text.substr(begin + kKey.size(), end - begin - kKey.size()));
}

// Whether a text in JSON is an export rather than a session: its first member says so.
bool is_export(string_view text) {
  constexpr string_view kFirst = "\"figures\"";
  const std::size_t member = text.find_first_not_of(" \t\r\n", 1);
  return member != string_view::npos && text.substr(member).starts_with(kFirst);
}

std::optional<std::string> find_session(string_view bytes) {
  if (bytes.starts_with(kPngSignature)) return from_png(bytes);
  if (bytes.starts_with("%PDF-")) return from_pdf(bytes);
  string_view text = bytes;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == string_view::npos) return std::nullopt;
  if (text[first] == '<') return from_svg(text.substr(first));
  text.remove_prefix(first);
  if (text.front() == '{') return is_export(text) ? from_export(text) : std::string(text);
  return std::nullopt;
}

std::string read_all(const std::filesystem::path& path) {
  const auto fail = [&](const words::Sentence& reason) {
    words::refuse<sys::IoError>(N_("cannot read {}: {}"), sys::shown_path(path), reason);
  };
  std::ifstream file;
  if (const words::Sentence reason = core::open_regular(path, file); !reason.empty()) fail(reason);
  const auto refuse_size = [&] {
    words::refuse<InputError>(N_("{} is larger than {} MiB, the limit for reading a session"),
                              sys::shown_path(path), kMaxFile >> 20);
  };
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path, unknown);
  if (!unknown && size > kMaxFile) refuse_size();  // before a byte of it is read
  std::string bytes;
  std::array<char, 1 << 16> part;
  while (file.read(part.data(), part.size()) || file.gcount() > 0) {
    bytes.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (bytes.size() > kMaxFile) refuse_size();
  }
  if (file.bad()) fail(core::system_reason(core::last_error()));
  return bytes;
}

}  // namespace

// XML 1.0 cannot hold U+FFFE and U+FFFF, nor control characters; in JSON these stand in strings
// only, the latter already escaped, so that JSON's own escape says the same.
std::string xml_escape(string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (text.substr(k, 3) == "\xef\xbf\xbe" || text.substr(k, 3) == "\xef\xbf\xbf") {
      out += text[k + 2] == '\xbe' ? "\\ufffe" : "\\uffff";
      k += 2;
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '\r') {
      out += "&#13;";
    } else if (static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\t') {
      out += ' ';
    } else {
      out += c;
    }
  }
  return out;
}

std::string session_in(string_view bytes, const std::string& name) {
  std::optional<std::string> found;
  try {
    found = find_session(bytes);
  } catch (const Damaged& damaged) {
    words::refuse<InputError>(N_("no session can be read from {}: {}"), name,
                              words::Sentence(damaged.reason));
  }
  if (!found) {
    words::refuse<InputError>(
        N_("no session can be read from {}: it is neither a session (.attn) "
           "nor a figure (.png, .svg, .pdf, .html, .json) that attnscope exported"),
        name);
  }
  if (found->size() > kMaxSession) {
    words::refuse<InputError>(N_("no session can be read from {}: it is longer than {} MiB"), name,
                              kMaxSession >> 20);
  }
  if (const words::Sentence reason = not_a_session(*found); !reason.empty()) {
    words::refuse<InputError>(N_("no session can be read from {}: {}"), name, reason);
  }
  return *found;
}

std::string read_session(const std::filesystem::path& path) {
  return session_in(read_all(path), sys::shown_path(path));
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

session::Session open_session(const std::filesystem::path& path) {
  if (auto opened = session::session_opening(path)) return *std::move(opened);
  const std::string text = read_session(path);
  try {
    session::Session session = session::from_json(text, folder_of(path));
    check_colors(session.figures.colors);
    return session;
  } catch (const InputError& error) {
    words::refuse<InputError>(N_("{}: {}"), sys::shown_path(path), core::message_of(error));
  }
}

void check_session_ending(const std::filesystem::path& path) {
  if (param::has_ending(path.string(), ".attn") && path.filename().string().size() > 5) return;
  words::refuse<InputError>(N_("{}: expected a name that ends in .attn"), sys::shown_path(path));
}

std::string save_session(const session::Session& session, const std::filesystem::path& path) {
  check_session_ending(path);
  std::string text = session::to_json(session, folder_of(path));
  sys::write_atomically(path, text);
  return text;
}

std::string svg_metadata(const std::string& title, const std::string& description,
                         std::string_view language, const std::string& session) {
  const auto element = [&](const char* name, const std::string& text) {
    return fmt::format("<{0} xml:lang=\"{1}\">{2}</{0}>\n", name, language, xml_escape(text));
  };
  std::string out;
  if (!title.empty()) out += element("title", title);
  if (!description.empty()) out += element("desc", description);
  if (!session.empty()) {
    out += fmt::format("<metadata>{}{}{}</metadata>\n", kSvgBegin, xml_escape(session), kSvgEnd);
  }
  return out;
}

std::string pdf_keyword(const std::string& session) {
  return fmt::format("{}:{}", kSessionKey, core::to_base64url(session));
}

}  // namespace paper
