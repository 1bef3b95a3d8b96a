// A tokenizer.json of pairs that were trained here is read like any other.
#include "core/tokenizer/written_tokenizer.h"

#include <doctest/doctest.h>

#include <string>

namespace written_tokenizer_test {

using namespace core::subword;

TEST_CASE("a tokenizer.json that was written encodes as its pairs do") {
  std::string text;
  for (int k = 0; k < 50; ++k)
    text += "the other: a \"quoted\" thing; mother, 12 and 言入 brother\n";
  const TrainedPairs trained = train_pairs(text, 280);
  CHECK(trained.vocabulary_size == 280);
  const Tokenizer read = parse_tokenizer(tokenizer_json(trained, "<|endoftext|>"), "written");
  const Tokenizer pairs = parse_pairs(texts_of(trained), ByteSplit::gpt2, {}, "pairs");
  CHECK(read.end() == 281);
  CHECK(read.is_special(280));
  CHECK(read.find("<|endoftext|>") == 280);
  for (const char* one : {"the other mother", " thing:  \"12\"\n\nlast ", "言入黄花川 naïve", ""}) {
    const Encoding encoding = read.encode(one);
    CHECK(encoding.ids == pairs.encode(one).ids);
    CHECK(read.decode(encoding.ids) == one);
    const Encoding around = read.around(encoding);
    CHECK(around.ids.size() == encoding.ids.size() + 1);
    CHECK(around.ids.front() == 280);
  }
  CHECK(read.encode("the<|endoftext|>").ids.back() == 280);
}

}  // namespace written_tokenizer_test
