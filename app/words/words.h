// The words a person sees. English is written where it is used and is the key; other languages come
// from gettext catalogues (assets/translations/*.po, embedded as .mo).
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/message.h"  // N_ marks literals for the translators

namespace words {

enum class Language { en, zh_CN };

// "en" or "zh_CN"; anything else throws core::InputError.
Language parse_language(std::string_view id);
std::string_view language_id(Language language);

// One language's catalogue: a value, handed down to whoever writes text. Copies are cheap.
class Words {
 public:
  Words() = default;                  // English: every message is its own translation
  explicit Words(Language language);  // reads the embedded catalogue

  Language language() const { return language_; }

  // The translation of `message`, or `message` itself.
  std::string operator()(std::string_view message) const;

  // Translates the format, then fills in {} as fmt does; a translation may reorder with {0} {1}.
  // In Chinese there is a blank where Chinese meets Latin or a number (seams.h).
  template <class... Args>
  std::string format(std::string_view message, const Args&... args) const {
    return filled(message, fmt::make_format_args(args...));
  }

  // The names one after the other: "a, b, c" or "a、b、c".
  std::string list(const std::vector<std::string>& names) const;

 private:
  std::string filled(std::string_view message, fmt::format_args args) const;

  Language language_ = Language::en;
};

// Every message of a language's catalogue with its translation; for fonts and tests.
const std::map<std::string_view, std::string_view>& catalogue(Language language);

}  // namespace words
