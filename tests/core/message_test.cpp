#include "core/message.h"

#include <doctest/doctest.h>

#include <map>
#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "core/types.h"

namespace message_test {

using core::Message;

TEST_CASE("a message fills its holes in order, or as a translation numbers them") {
  const std::map<std::string_view, std::string_view> german{
      {"expected {}, got {}", "{1} statt {0}"}, {"a number", "eine Zahl"}};
  const Message::Translate translate = [&](std::string_view literal) {
    const auto found = german.find(literal);
    return std::string(found == german.end() ? literal : found->second);
  };
  const Message message("expected {}, got {}", Message("a number"), "a {} \"word\"");
  CHECK(message.in_english() == "expected a number, got a {} \"word\"");
  CHECK(message.in(translate) == "a {} \"word\" statt eine Zahl");
  // What a person wrote is no literal.
  CHECK(Message::plain("a number").in(translate) == "a number");
  CHECK(Message("{}", std::string("a number")).in(translate) == "a number");
  CHECK(Message("{{{}}}", 1).in_english() == "{1}");
  CHECK(Message("{} {} {7}", 1).in_english() == "1 {} {7}");
  CHECK(Message().empty());
  CHECK(Message("a {}", 1) == Message("a {}", 1));
  CHECK_FALSE(Message("a {}", 1) == Message("a {}", 2));
}

TEST_CASE("numbers are written with the fewest digits that say them") {
  const auto text = [](auto number) { return Message("{}", number).in_english(); };
  CHECK(text(3) == "3");
  CHECK(text(std::size_t{0}) == "0");
  CHECK(text(-7L) == "-7");
  CHECK(text(0.1) == "0.1");
  CHECK(text(0.1f) == "0.1");
  CHECK(text(200.0) == "200");
  CHECK(text(1e100) == "1e+100");
  CHECK(text(2e-5) == "2e-05");
  CHECK(text(-1.0 / 0.0) == "-inf");
  CHECK(text(0.0 / 0.0) == "nan");
}

TEST_CASE("an error keeps its parts, whoever catches it") {
  try {
    throw core::InputError(Message("expected {}, got {}", 1, 2));
  } catch (const std::exception& error) {
    CHECK(std::string(error.what()) == "expected 1, got 2");
    CHECK(core::message_of(error) == Message("expected {}, got {}", 1, 2));
  }
  const auto caught = [](auto thrown) {
    try {
      throw thrown;
    } catch (...) {
      return core::caught().in_english();
    }
  };
  CHECK(caught(std::bad_alloc()) == "not enough memory for this size");
  CHECK(caught(std::length_error("vector::reserve")) == "not enough memory for this size");
  CHECK(caught(std::system_error(EAGAIN, std::generic_category())) ==
        "not enough memory or threads are left on this machine");
  CHECK(caught(std::runtime_error("as it came")) == "as it came");
  CHECK(caught(3) == "the computation failed without saying why");
}

TEST_CASE("nothing is -0 to a reader") {
  CHECK(core::Message("from {} to {}", -0.0, -0.0F).in_english() == "from 0 to 0");
}

}  // namespace message_test
