#include <windows.h>

#include <cstddef>
#include <cwchar>

#include "core/per_thread.h"
#include "core/system/windows/wide.h"

namespace core {

std::wstring wide(std::string_view utf8) {
  const int size = static_cast<int>(utf8.size());
  std::wstring out(utf8.size(), L'\0');  // never more units than bytes
  const int units = ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, out.data(), size);
  out.resize(static_cast<std::size_t>(units));
  return out;
}

std::string utf8(std::wstring_view wide) {
  const int size = static_cast<int>(wide.size());
  std::string out(3 * wide.size(), '\0');  // never more bytes
  const int bytes = ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, out.data(),
                                          static_cast<int>(out.size()), nullptr, nullptr);
  out.resize(static_cast<std::size_t>(bytes));
  return out;
}

std::wstring system_path(const std::filesystem::path& path) {
  // Fewer than 260: a folder's path is followed by the name of a file in it.
  constexpr std::size_t kLong = 240;
  constexpr std::wstring_view kMark = LR"(\\?\)", kShare = LR"(\\)";
  const std::wstring& plain = path.native();
  if (plain.starts_with(kMark)) return plain;
  std::wstring whole(1 << 15, L'\0');
  const DWORD units =
      ::GetFullPathNameW(plain.c_str(), static_cast<DWORD>(whole.size()), whole.data(), nullptr);
  if (units < kLong || units >= whole.size()) return plain;
  whole.resize(units);
  if (!whole.starts_with(kShare)) return whole.insert(0, kMark);
  return whole.replace(0, kShare.size(), LR"(\\?\UNC\)");
}

std::error_code last_system_error() {
  return {static_cast<int>(::GetLastError()), std::system_category()};
}

namespace {

// One character of UTF-8: how many of the bytes it takes, and what it is; U+FFFD of one byte where
// they are none, also where the text ends too early.
struct Decoded {
  std::size_t bytes;
  char32_t character;
};

Decoded decode(const char* text, std::size_t size) {
  constexpr char32_t kNone = 0xFFFD;
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {1, first};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return {1, kNone};
  char32_t character = first & (0x7Fu >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    if (k == size || (byte(k) & 0xC0) != 0x80) return {1, kNone};
    character = character << 6 | (byte(k) & 0x3Fu);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = character >= 0xD800 && character < 0xE000;
  if (character < kLeast[bytes] || character > 0x10FFFF || surrogate) return {1, kNone};
  return {bytes, character};
}

}  // namespace
}  // namespace core

// The C library's functions for texts of bytes, with UTF-8 for what it calls the locale's: by them
// the standard library makes a path of a std::string, and would take each byte for a letter, though
// path::string() gives UTF-8. A state is the second half of a pair that is still to come. In one
// source, which is linked by whoever opens a file, and all of them, so that none comes from
// elsewhere.
extern "C" {

std::size_t mbrtowc(wchar_t* to, const char* text, std::size_t size, std::mbstate_t* state) {
  static thread_local core::PerThread<std::mbstate_t> own{};
  if (!state) state = &own;
  if (!text) {
    *state = {};
    return 0;
  }
  if (*state != 0) {
    if (to) *to = static_cast<wchar_t>(*state);
    *state = {};
    return 1;
  }
  if (size == 0) return static_cast<std::size_t>(-2);
  const auto [bytes, character] = core::decode(text, size);
  if (character < 0x10000) {
    if (to) *to = static_cast<wchar_t>(character);
    return character == 0 ? 0 : bytes;
  }
  if (to) *to = static_cast<wchar_t>(0xD7C0 + (character >> 10));
  *state = static_cast<std::mbstate_t>(0xDC00 + (character & 0x3FF));
  return bytes - 1;  // the last byte is the second half
}

std::size_t mbrlen(const char* text, std::size_t size, std::mbstate_t* state) {
  static thread_local core::PerThread<std::mbstate_t> own{};
  return mbrtowc(nullptr, text, size, state ? state : &own);
}

std::size_t mbsrtowcs(wchar_t* to, const char** text, std::size_t size, std::mbstate_t* state) {
  static thread_local core::PerThread<std::mbstate_t> own{};
  const char* at = *text;
  std::size_t units = 0;
  for (; !to || units < size; ++units) {
    wchar_t unit = 0;
    // A text ends with a zero, which is a part of no other character.
    const std::size_t bytes = mbrtowc(&unit, at, 4, state ? state : &own);
    if (to) to[units] = unit;
    if (bytes == 0) {
      if (to) *text = nullptr;
      return units;
    }
    at += bytes;
  }
  *text = at;
  return units;
}

}  // extern "C"
