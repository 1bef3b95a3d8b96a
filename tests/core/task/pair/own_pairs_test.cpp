// A person's own pairs, and everything that is none.
#include <doctest/doctest.h>

#include <sstream>

#include "core/task/pair/own_pairs.h"
#include "refusal.h"

namespace own_pairs_test {

using namespace core::task;
using core::InputError;

namespace {

std::vector<Pair> read(const std::string& text) {
  std::istringstream in(text);
  return read_pairs(in, "own.csv");
}

std::string typed(const std::string& text) {
  return refusals::sentence([&] { parse_pairs(text); });
}
std::string in_file(const std::string& text) {
  return refusals::sentence([&] { read(text); });
}

const std::vector<Pair> kTwo{{"le chat", "the cat"}, {"le chien", "the dog"}};

}  // namespace

TEST_CASE("typed pairs") {
  CHECK(parse_pairs("le chat=the cat; le chien = the dog ;") == kTwo);
  CHECK(parse_pairs("1 = 2 = 3") == std::vector<Pair>{{"1", "2 = 3"}});
  CHECK(typed("le chat") == "pair 1: expected two texts with = between them, got \"le chat\"");
  CHECK(typed("a=b; =c") == "pair 2: expected a text on both sides, got an empty one");
  CHECK(typed("a=") == "pair 1: expected a text on both sides, got an empty one");
  CHECK(typed(" ;; ") == "pairs: expected at least one pair, got none");
  CHECK(typed("a=\xFF") == "pair 1: expected UTF-8, got something else at byte 0");
  CHECK(typed("a=" + std::string(401, 'b')) ==
        "pair 1: expected texts of at most 400 bytes, got 401");
}

TEST_CASE("pairs in a file") {
  CHECK(read("le chat\tthe cat\r\n\nle chien\tthe dog") == kTwo);
  CHECK(read("\xEF\xBB\xBFle chat;the cat\nle chien;the dog\n") == kTwo);
  CHECK(read("\"le chat\",the cat\n\"le chien\" , \"the dog\"\n") == kTwo);
  CHECK(read("\"a, \"\"b\"\"\",c") == std::vector<Pair>{{"a, \"b\"", "c"}});
  CHECK(in_file("a,b\nc\n") == "own.csv, line 2: expected a text on both sides, got an empty one");
  CHECK(in_file("a,b,c") == "own.csv, line 1: expected two texts, got \"a,b,c\"");
  CHECK(in_file("\"a,b") == "own.csv, line 1: expected two texts, got \"\"a,b\"");
  CHECK(in_file("\"a\"x,b") == "own.csv, line 1: expected two texts, got \"\"a\"x,b\"");
  CHECK(in_file("\n\n") == "own.csv: expected at least one pair, got none");
  CHECK(in_file(std::string(2000, 'a')).find("at most 400 bytes") != std::string::npos);
}

TEST_CASE("a hundred thousand pairs are too many") {
  std::string text;
  for (int k = 0; k < 100'000; ++k) text += "a,b\n";
  CHECK(in_file(text) == "own.csv: expected at most 20000 pairs, got more");
  CHECK_THROWS_AS(read_pairs(std::filesystem::path("/nowhere/own.csv")), InputError);
  CHECK_THROWS_AS(read_pairs(std::filesystem::path("/dev/null")), InputError);
}

}  // namespace own_pairs_test
