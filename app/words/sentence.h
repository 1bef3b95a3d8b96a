// Sentences that one place writes and another reads out: what refuses a file does not know the
// reader's language, so the message is kept with what fills it in.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "app/words/words.h"
#include "core/message.h"

namespace words {

// Sentence(N_("cannot write {}: {}"), path, reason).in(words)
using Sentence = core::Message;

// Throws Error with a sentence: refuse<core::InputError>(N_("expected {}, got {}"), a, b).
template <class Error, class... Args>
[[noreturn]] void refuse(std::string_view message, const Args&... args) {
  throw Error(Sentence(message, args...));
}

// The names one after the other: "a, b, c" or "a、b、c".
inline Sentence listed(const std::vector<std::string>& names) {
  Sentence all;
  for (const std::string& name : names) {
    all = all.empty() ? Sentence::plain(name) : Sentence("{}{}{}", all, Sentence(N_(", ")), name);
  }
  return all;
}

// The error in the reader's language, or as it came.
inline std::string translated(const std::exception& error, const Words& w) {
  return core::message_of(error).in(w);
}

}  // namespace words
