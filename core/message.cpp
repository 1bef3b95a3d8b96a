#include "core/message.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <system_error>

namespace core {
namespace {

// The fewest digits that read back as the same number, without an exponent from 1e-4 up to 1e16.
template <class Number>
std::string shortest(Number number) {
  if (std::isnan(number)) return "nan";
  const double size = std::fabs(static_cast<double>(number));
  const bool fixed = number == 0 || (size >= 1e-4 && size < 1e16);
  char text[64];
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, number,
                    fixed ? std::chars_format::fixed : std::chars_format::scientific);
  return error == std::errc{} ? std::string(text, end) : std::string();
}

// Fills {} and {1} with what `translated` holds; {{ and }} are braces. A hole that nothing fills
// stays as it is: an error must not fail over its own message.
std::string filled(std::string_view literal, const std::vector<std::string>& translated) {
  std::string out;
  std::size_t next = 0;
  while (!literal.empty()) {
    const char c = literal.front();
    if (literal.starts_with("{{") || literal.starts_with("}}")) {
      out += c;
      literal.remove_prefix(2);
      continue;
    }
    const std::size_t end = c == '{' ? literal.find('}') : literal.npos;
    if (end != literal.npos) {
      const std::string digits(literal.substr(1, end - 1));
      const std::size_t which =
          digits.empty() ? next++ : static_cast<std::size_t>(std::strtoul(digits.c_str(), {}, 10));
      out +=
          which < translated.size() ? translated[which] : std::string(literal.substr(0, end + 1));
      literal.remove_prefix(end + 1);
      continue;
    }
    out += c;
    literal.remove_prefix(1);
  }
  return out;
}

}  // namespace

Translatable::~Translatable() = default;

Message::Message() = default;
Message::Message(const Message&) = default;
Message::Message(Message&&) noexcept = default;
Message& Message::operator=(const Message&) = default;
Message& Message::operator=(Message&&) noexcept = default;
Message::~Message() = default;

Message Message::plain(std::string text) {
  Message message;
  message.text_ = std::move(text);
  return message;
}

Message Message::argument(const Message& message) { return message; }
Message Message::argument(std::string_view text) { return plain(std::string(text)); }
Message Message::argument(char c) { return plain(std::string(1, c)); }
Message Message::integer(std::int64_t number) { return plain(std::to_string(number)); }
Message Message::integer(std::uint64_t number) { return plain(std::to_string(number)); }
Message Message::argument(double number) { return plain(shortest(number + 0)); }  // no -0
Message Message::argument(float number) { return plain(shortest(number + 0)); }   // no -0

std::string Message::in(const Translate& translate) const {
  if (literal_.empty()) return text_;
  std::vector<std::string> translated;
  translated.reserve(arguments_.size());
  for (const Message& argument : arguments_) translated.push_back(argument.in(translate));
  return filled(translate ? translate(literal_) : std::string(literal_), translated);
}

Message message_of(const std::exception& error) {
  if (const auto* translated = dynamic_cast<const Translatable*>(&error))
    return translated->message();
  // A vector or text longer than there can be is a size that does not fit, too.
  if (dynamic_cast<const std::bad_alloc*>(&error) ||
      dynamic_cast<const std::length_error*>(&error)) {
    return Message(N_("not enough memory for this size"));
  }
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  if (system && (system->code() == std::errc::resource_unavailable_try_again ||
                 system->code() == std::errc::not_enough_memory)) {
    return Message(N_("not enough memory or threads are left on this machine"));
  }
  return Message::plain(error.what());
}

Message caught() {
  try {
    throw;
  } catch (const std::exception& error) {
    return message_of(error);
  } catch (...) {
    return Message(N_("the computation failed without saying why"));
  }
}

}  // namespace core
