// How well a model guesses, beside others: the file, and what it says of all.
#include "core/checkpoint/over_texts/comparison.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

namespace comparison_test {

using namespace core::checkpoint;  // NOLINT: the box under test

namespace {

Comparison two_sources() {
  Comparison all{.measured_by = "a tool",
                 .guessers = {{"model"}, {"ppmd", 12}, {"zstd", 22}, {"another", 3}},
                 .sources = {{"bible", 300, {1, 2, 3, 1.5}}, {"of its own", 100, {3, 2, 1, 2}}},
                 .all = {}};
  all.all = all.mean();
  return all;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("of all sources the mean is over their bytes; the best of the others has the fewest") {
  const Comparison all = two_sources();
  CHECK(all.all.bytes == 400);
  CHECK(all.all.bits == std::vector<double>{1.5, 2, 2.5, 1.625});
  CHECK(all.best_other() == 3);
  Comparison alone{
      .measured_by = "", .guessers = {{"model"}}, .sources = {{"a", 1, {1}}}, .all = {}};
  alone.all = alone.mean();
  CHECK(alone.best_other() == 0);
}

TEST_CASE("a comparison is read as it was written, and has names in words") {
  const Comparison all = two_sources();
  const Comparison read = read_comparison(comparison_json(all), "x");
  CHECK(comparison_json(read) == comparison_json(all));
  CHECK(read.guessers[1].name().in_english() == "PPMd 12");
  CHECK(read.guessers[3].name().in_english() == "another");
  CHECK(read.sources[0].name().in_english() == "King James Bible");
  CHECK(read.sources[1].name().in_english() == "of its own");
  CHECK(read.all.name().in_english() == "all of them");
}

TEST_CASE("what is no comparison is refused in one sentence") {
  std::vector<std::string> bad = {"", "[]", "{", "{\"all\": 3}"};
  const auto add = [&](auto change) {
    Comparison all = two_sources();
    change(all);
    bad.push_back(comparison_json(all));
  };
  add([](Comparison& all) { all.guessers.front().id = "ppmd"; });
  add([](Comparison& all) { all.sources.clear(); });
  add([](Comparison& all) { all.sources[0].bits.pop_back(); });
  add([](Comparison& all) { all.sources[0].bits[1] = -1; });
  add([](Comparison& all) { all.sources[0].bytes = 0; });
  add([](Comparison& all) { all.all.bits[2] += 0.1; });  // no mean of theirs
  add([](Comparison& all) { all.all.bytes += 1; });
  for (const std::string& text : bad) {
    CAPTURE(text);
    CHECK_THROWS_WITH(read_comparison(text, "comparison.json"),
                      "comparison.json: expected bits a byte of held-out texts by source, of the "
                      "model and others, got something else");
  }
}

TEST_CASE("the files of the models that have read say what their README says") {
  const std::string folder = std::string(ATTNSCOPE_SOURCE_DIR) + "/assets/language/";
  const std::string readme = contents(folder + "README.md");
  for (const char* language : {"english", "chinese"}) {
    const Comparison all = read_comparison(contents(folder + language + "/comparison.json"), "x");
    CHECK(all.guessers.size() == 5);
    auto rows = all.sources;
    rows.push_back(all.all);
    for (const Comparison::Source& one : rows) {
      CAPTURE(one.id);
      std::string row = std::to_string(one.bytes);
      for (std::size_t at = row.size(); at > 3; at -= 3) row.insert(at - 3, ",");
      for (const double bits : one.bits) {
        std::string digits = std::to_string(bits);
        digits.resize(5);  // three decimals
        row += " | " + digits;
      }
      CHECK(readme.find("| " + row + " |") != std::string::npos);
    }
  }
}

}  // namespace comparison_test
