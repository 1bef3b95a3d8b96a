#include "app/words/sentence.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "core/types.h"

namespace sentence_test {

TEST_SUITE("words: sentences") {
  TEST_CASE("a sentence is told in every language, the ones inside of it too") {
    const words::Words en, zh(words::Language::zh_CN);
    const words::Sentence reason("the disk is full");
    const words::Sentence whole("cannot write {}: {}", std::string("a.png"), reason);
    CHECK(whole.in(en) == "cannot write a.png: the disk is full");
    CHECK(whole.in(zh) == "无法写入 a.png：磁盘已满");
  }

  TEST_CASE("arguments are copied") {
    std::string path = "first";
    const words::Sentence sentence("cannot write {}: {}", std::string_view(path), path.c_str());
    path = "other";
    CHECK(sentence.in({}) == "cannot write first: first");
  }

  TEST_CASE("an error is what it says it is, and tells itself") {
    const words::Words zh(words::Language::zh_CN);
    try {
      words::refuse<core::InputError>("size: expected 0 to {} pixels, got {}", 16, -1);
    } catch (const core::InputError& error) {
      CHECK(std::string(error.what()) == "size: expected 0 to 16 pixels, got -1");
      CHECK(words::translated(error, zh) == "尺寸：应为 0 到 16 像素，得到的是 -1");
    }
    CHECK(words::translated(std::runtime_error("as it came"), zh) == "as it came");
  }
}

}  // namespace sentence_test
