// Lines of dictionaries, books and poems, and which of them are held out.
#include "core/task/language/language_corpus.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace language_corpus_test {

using namespace core::task;  // NOLINT: the box under test

TEST_CASE("a line of each synset: its first word and its gloss") {
  const Lines lines = wordnet_lines(
      "  1 This software and database is being provided to you | by \n"
      "00001930 03 n 01 physical_entity 0 001 @ 00001740 n 0000 | an entity that has existence  \n"
      "00020103 00 s 02 outback(a) 0 remote 0 000 | inaccessible; \"the outback areas\"  \n"
      "00020104 00 s 01 short 0 000\n");
  CHECK(lines == Lines{"physical entity: an entity that has existence",
                       "outback: inaccessible; \"the outback areas\""});
  CHECK(wordnet_lines("").empty());
}

TEST_CASE("a line of each chapter, of verses without their numbers") {
  CHECK(chapter_lines("Ge1:1 In the beginning\nGe1:2 And  the earth\nGe2:1 Thus\nnothing\n") ==
        Lines{"In the beginning And the earth", "Thus"});
}

TEST_CASE("a line of each paragraph that is long enough") {
  CHECK(paragraph_lines("one {two}\n   three\n\nfour\n\n\nfive six  seven\r\n", 6) ==
        Lines{"one two three", "five six seven"});
}

TEST_CASE("poems without their colors, the title and the poet in one line") {
  CHECK(
      poem_lines("\x1b[32m《送别》\x1b[m\n\x1b[33m作者：王维\x1b[m\n下马饮君酒，\n问君何所之。\n%\n"
                 "题目:《春居杂兴》二首\n作者:王禹偁\n\n  其一\n\n两株桃杏映篱斜\n%\n"
                 "道，可道，非恒道。\n    --《道德经》\n%\n言入黄花川\n《青溪》\n%\n%\n") ==
      Lines{"《送别》王维\n下马饮君酒，\n问君何所之。",
            "《春居杂兴》二首王禹偁\n其一\n两株桃杏映篱斜", "《道德经》\n道，可道，非恒道。",
            "言入黄花川\n《青溪》"});
}

TEST_CASE("every tenth line is held out, and no line stands on both sides") {
  Lines lines;
  for (int k = 0; k < 1000; ++k) lines.push_back(std::to_string(k % 500));
  const SplitLines parts = split(lines, 7);
  CHECK(parts.train.size() == 450);
  CHECK(parts.held.size() == 50);
  std::set<std::string> all(parts.train.begin(), parts.train.end());
  for (const std::string& line : parts.held) CHECK(all.insert(line).second);
  CHECK(all.size() == 500);
  CHECK(split(lines, 7).held == parts.held);
  CHECK(split(lines, 8).held != parts.held);
  // On every machine the same.
  CHECK(split({"a", "b", "c", "d", "e"}, 7).train == Lines{"d", "e", "c", "a", "b"});
}

}  // namespace language_corpus_test
