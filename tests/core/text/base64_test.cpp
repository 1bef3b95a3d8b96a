#include "core/text/base64.h"

#include <doctest/doctest.h>

#include <string>

namespace base64_test {

TEST_CASE("RFC 4648, section 10, forth and back") {
  const std::pair<const char*, const char*> kVectors[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : kVectors) {
    CHECK(core::to_base64(bytes) == text);
    CHECK(core::from_base64(text) == bytes);
    const std::string url(text, std::string(text).find_last_not_of('=') + 1);
    CHECK(core::to_base64url(bytes) == url);
    CHECK(core::from_base64url(url) == bytes);
  }
}

TEST_CASE("every byte comes back, and the two alphabets differ in two characters") {
  std::string all;
  for (int k = 0; k < 256; ++k) all += static_cast<char>(k);
  for (std::size_t size = 0; size <= all.size(); ++size) {
    const std::string some = all.substr(all.size() - size);
    CHECK(core::from_base64(core::to_base64(some)) == some);
    CHECK(core::from_base64url(core::to_base64url(some)) == some);
  }
  CHECK(core::to_base64("\xfb\xff") == "+/8=");
  CHECK(core::to_base64url("\xfb\xff") == "-_8");
}

TEST_CASE("what is no such text is nothing") {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "=g==", "Zh==", "Zm9=", "Z\ng=", "Zm9vY"}) {
    CHECK_FALSE(core::from_base64(text).has_value());
  }
  for (const char* text : {"Z", "Zg==", "Zh", "Zm9", "+/8", "Zm9v "}) {
    CHECK_FALSE(core::from_base64url(text).has_value());
  }
}

}  // namespace base64_test
