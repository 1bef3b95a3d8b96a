// A sentence that one place writes and another reads out: what refuses a file does not know the
// reader's language, so the message is kept with what fills it in.
#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "app/words/words.h"

namespace words {

class Sentence {
 public:
  // `message` is a literal in N_(); arguments are copied, and those that are sentences themselves
  // are told in the same language.
  template <class... Args>
  explicit Sentence(std::string_view message, const Args&... args)
      : tell_([message, kept = std::tuple<Kept<Args>...>(args...)](const Words& w) {
          return std::apply(
              [&](const auto&... each) { return w.format(message, told(each, w)...); }, kept);
        }) {}

  std::string in(const Words& w) const { return tell_(w); }

 private:
  // Texts are copied, whatever kind they come as.
  template <class T>
  using Kept = std::conditional_t<std::convertible_to<const T&, std::string_view>, std::string,
                                  std::remove_cvref_t<T>>;

  static std::string told(const Sentence& sentence, const Words& w) { return sentence.in(w); }
  template <class T>
  static const T& told(const T& value, const Words&) {
    return value;
  }

  std::function<std::string(const Words&)> tell_;
};

// What an error has besides what(), which is English, when it can be told in every language.
class Telling {
 public:
  virtual ~Telling() = default;
  virtual std::string in(const Words& w) const = 0;
};

template <class Error>
class Told final : public Error, public Telling {
 public:
  explicit Told(Sentence sentence) : Error(sentence.in({})), sentence_(std::move(sentence)) {}
  std::string in(const Words& w) const override { return sentence_.in(w); }

 private:
  Sentence sentence_;
};

// Throws Error with a sentence: refuse<core::InputError>(N_("expected {}, got {}"), a, b).
template <class Error, class... Args>
[[noreturn]] void refuse(std::string_view message, const Args&... args) {
  throw Told<Error>(Sentence(message, args...));
}

// The error in the reader's language, or as it came.
inline std::string told(const std::exception& error, const Words& w) {
  const auto* telling = dynamic_cast<const Telling*>(&error);
  return telling ? telling->in(w) : error.what();
}

}  // namespace words
