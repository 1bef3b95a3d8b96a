// A sentence in parts: a literal in English with {} in it, and what fills these. Core speaks
// English; whoever reads a sentence out translates its literals first (app/words/sentence.h).
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Marks a literal for the translators where it is data and will be translated later. Expands to the
// literal alone.
#define N_(message) message

namespace core {

class Message {
 public:
  // A literal in another language; an empty function leaves it in English.
  using Translate = std::function<std::string(std::string_view)>;

  Message();  // says nothing
  Message(const Message&);
  Message(Message&&) noexcept;
  Message& operator=(const Message&);
  Message& operator=(Message&&) noexcept;
  ~Message();
  // `literal` lives as long as the program. Arguments are numbers, texts, and messages, which are
  // told in the same language; they are copied. {} takes the next one and {1} the second.
  template <class... Args>
  explicit Message(std::string_view literal, const Args&... args) : literal_(literal) {
    arguments_.reserve(sizeof...(args));
    (arguments_.push_back(argument(args)), ...);
  }
  // A text that is the same in every language.
  static Message plain(std::string text);

  bool empty() const { return literal_.empty() && text_.empty(); }
  std::string in(const Translate& translate) const;
  std::string in_english() const { return in({}); }
  bool operator==(const Message&) const = default;

 private:
  static Message argument(const Message& message);
  static Message argument(std::string_view text);
  static Message argument(char c);
  template <std::integral Number>
  static Message argument(Number number) {
    return integer(
        static_cast<std::conditional_t<std::is_signed_v<Number>, std::int64_t, std::uint64_t>>(
            number));
  }
  static Message integer(std::int64_t number);
  static Message integer(std::uint64_t number);
  static Message argument(double number);
  static Message argument(float number);

  std::string_view literal_;  // empty: the text itself
  std::string text_;
  std::vector<Message> arguments_;
};

// The message of an error, for every language, besides what(), which is English.
class Translatable {
 public:
  explicit Translatable(Message message) : message_(std::move(message)) {}
  virtual ~Translatable();
  const Message& message() const { return message_; }

 private:
  Message message_;
};

// Message of an error, or what() as it came.
Message message_of(const std::exception& error);

// Message of the exception being handled; for a catch (...) around a computation.
Message caught();

}  // namespace core
