#include "core/heads/given_heads.h"

#include <cmath>

#include "core/heads/given_tokens.h"
#include "core/heads/head_arrays.h"
#include "folder.h"
#include "heads/given_rows.h"

namespace given_heads_test {

namespace {

using namespace core::heads;
using core::Index;

// Numbers that tell their places.
NumberArray counted(const std::string& name, const std::vector<Index>& shape) {
  NumberArray array{name, shape};
  Index count = 1;
  for (const Index size : shape) count *= size;
  for (Index k = 0; k < count; ++k) array.values.push_back(static_cast<float>(k) / 8);
  return array;
}

HeadFilePointer file_of(const test::Folder& folder, const std::vector<NumberArray>& arrays) {
  return std::make_shared<const HeadFile>(
      open_head_file(folder.write("heads.safetensors", safetensors_of(arrays))));
}

std::string why_not(const HeadChoice& choice) {
  try {
    given_heads(choice);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace

TEST_CASE("the likeliest array is taken, and what there is along its axes") {
  const test::Folder folder;
  const auto source = file_of(folder, {counted("bias", {4, 4}), counted("attention", {2, 3, 4, 4}),
                                       counted("v", {2, 3, 4, 5})});
  CHECK(source->name == "heads.safetensors");
  const GivenHeads given = given_heads({.source = source});
  CHECK(given.holds == Holds::weights);
  CHECK(given.pairs->tensor.name == "attention");
  CHECK(std::vector{given.layers, given.batches, given.heads, given.n, given.m} ==
        std::vector<Index>{2, 1, 3, 4, 4});
  CHECK_FALSE(given.has_vectors());
  CHECK(given.no_vectors.in_english() == "the file has no arrays that are named q and k");
  // Layer 1, head 2: the last 16 of 96.
  CHECK(given.head({1, 0, 2})->row(3) == std::vector<float>{11.5F, 11.625F, 11.75F, 11.875F});
  CHECK(given.heads_of({1, 0, 0}).size() == 3);
  CHECK(given.heads_of({1, 0, 0})[2]->row(3) == given.head({1, 0, 2})->row(3));
  // The letters say otherwise.
  const GivenHeads other = given_heads({.source = source, .order = "qlhk"});
  CHECK(other.layers == 3);
  CHECK(other.n == 2);
  CHECK(given_heads({.source = source, .order = "qq"}).odd_order);
  CHECK_FALSE(given_heads({.source = source, .order = "  "}).odd_order);
}

TEST_CASE("softmax is taken of scores, and of the products of queries with the keys of a group") {
  const test::Folder folder;
  const auto source = file_of(folder, {counted("q", {1, 4, 2, 2}), counted("k", {1, 2, 3, 2})});
  const GivenHeads given = given_heads({.source = source});
  CHECK(given.holds == Holds::vectors);
  CHECK(given.key_heads == 2);
  CHECK(given.width() == 2);
  // Head 3 reads the second head of keys: q = (1.75, 1.875), k_0 = (0.75, 0.875).
  CHECK(given.key_vectors({0, 0, 3}).value(0, 0) == 0.75);
  CHECK(given.key_vectors({0, 0, 1}).value(0, 0) == 0);
  const std::vector<float> row = given.head({0, 0, 3})->row(1);
  double sum = 0;
  const auto e = [&](int j) {
    const double k0 = 0.75 + 0.25 * j;
    return std::exp((1.75 * k0 + 1.875 * (k0 + 0.125)) / std::sqrt(2.0));
  };
  for (int j = 0; j < 3; ++j) sum += e(j);
  for (int j = 0; j < 3; ++j)
    CHECK(row[std::size_t(j)] == doctest::Approx(e(j) / sum).epsilon(1e-6));
  // Of scores too; a query sees the keys up to its own.
  const auto scores = file_of(folder, {counted("scores", {3, 3})});
  const GivenHeads causal = given_heads({.source = scores, .holds = Holds::scores, .causal = true});
  given::check_row(causal.head({}), 0, {1, given::kMasked, given::kMasked});
  CHECK_FALSE(causal.stored({}));
  CHECK(causal.pair_numbers({}).value(1, 0) == 0.375);
}

TEST_CASE("arrays that do not fit are refused, or left out beside weights, and it is said why") {
  const test::Folder folder;
  const auto vectors = file_of(folder, {counted("q", {2, 4, 3, 2}), counted("k", {2, 3, 3, 2})});
  CHECK(
      why_not({.source = vectors, .holds = Holds::vectors}).find("(2, 4, 3, 2) and (2, 3, 3, 2)") !=
      std::string::npos);
  CHECK(why_not({.source = vectors, .holds = Holds::weights, .array = "none"}) ==
        "heads.safetensors: expected the name of an array of two to five axes, got \"none\"");
  const auto line = file_of(folder, {counted("a", {7})});
  CHECK(why_not({.source = line}) == "heads.safetensors: it holds no array of two to five axes");
  CHECK(why_not({.source = line, .holds = Holds::vectors}) ==
        "heads.safetensors: it holds no arrays of queries and keys");
  const auto both = file_of(
      folder, {counted("attention", {2, 3, 3}), counted("q", {2, 4, 2}), counted("k", {2, 4, 2})});
  const GivenHeads given = given_heads({.source = both});
  CHECK_FALSE(given.has_vectors());
  CHECK(given.no_vectors.in_english() ==
        "the weights have the shape (2, 3, 3), queries and keys (2, 4, 2) and (2, 4, 2)");
}

TEST_CASE("statistics of all heads are those of each, whatever the threads") {
  const test::Folder folder;
  const GivenHeads given = given_heads(
      {.source = file_of(folder, {counted("q", {2, 2, 6, 3}), counted("k", {2, 2, 6, 3})})});
  const auto all = all_statistics(given, 0, {.most_rows = 4}, 1),
             three = all_statistics(given, 0, {.most_rows = 4}, 3);
  REQUIRE(all.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    const HeadStatistics one =
        head_statistics(*given.head({Index(k) / 2, 0, Index(k) % 2}),
                        {.tolerance = sum_tolerance(given.type()), .most_rows = 4});
    CHECK(all[k].entropy == one.entropy);
    CHECK(three[k].entropy == one.entropy);
    CHECK(all[k].faults.rows == 4);
  }
  CHECK(all[0].entropy != all[3].entropy);
}

TEST_CASE("names of tokens: of a file, of the file itself, too many and too few") {
  const test::Folder folder;
  HeadFile source = *file_of(folder, {counted("attention", {2, 3})});
  source.tokens = {"a", "b", "c"};
  // One text: the queries are its last tokens.
  const GivenTokens own = given_tokens(source, "", "", 2, 3);
  CHECK(own.queries == std::vector<std::string>{"b", "c"});
  CHECK(own.keys == source.tokens);
  CHECK(own.fits);
  const std::string two = folder.write("two.txt", "x\ny\n"),
                    four = folder.write("four.txt", "p\nq\nr\ns\n");
  const GivenTokens few = given_tokens(source, two, four, 3, 3);
  CHECK(few.queries == std::vector<std::string>{"x", "y", "#2"});
  CHECK(few.keys == std::vector<std::string>{"p", "q", "r"});
  CHECK_FALSE(few.fits);
  CHECK(few.given_queries == 2);
  CHECK(few.given_keys == 4);
  source.tokens = {};
  CHECK(given_tokens(source, "", "", 2, 3).queries.empty());
  CHECK(among({"a", " b", ""}, {"␣b", "a"}) == std::vector{true, true, false});
  CHECK(in_first_sentence({"a", ".", "b", "."}, {"."}) == std::vector{true, true, false, false});
  CHECK(in_first_sentence({"a", "b"}, {"."}) == std::vector{true, true});
}

}  // namespace given_heads_test
