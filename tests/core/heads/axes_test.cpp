#include "core/heads/axes.h"

#include <doctest/doctest.h>

#include <string>

namespace axes_test {

namespace {

using namespace core::heads;
using core::Index;

std::string guessed(const std::vector<Index>& shape, Kind kind = Kind::pairs,
                    const std::string& name = "attention") {
  return letters_of(guessed_axes(shape, name, kind, core::Message::plain("a")));
}

std::string why(const std::vector<Index>& shape) {
  try {
    guessed(shape);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace

TEST_CASE("axes of attention are guessed from its shape") {
  CHECK(guessed({7, 7}) == "qk");
  CHECK(guessed({5, 9}) == "qk");
  CHECK(guessed({8, 20, 20}) == "hqk");
  CHECK(guessed({20, 20, 8}) == "qkh");
  CHECK(guessed({12, 12, 50, 50}) == "lhqk");
  CHECK(guessed({12, 12, 50, 70}) == "lhqk");  // layers as many as heads are no pair
  CHECK(guessed({50, 50, 12, 12}) == "qklh");
  CHECK(guessed({16, 16, 16, 16}) == "lhqk");
  CHECK(guessed({12, 3, 12, 50, 50}) == "lbhqk");
  CHECK(guessed({1, 12, 12, 50, 50}) == "blhqk");
  CHECK(guessed({1, 1, 12, 50, 50}) == "lbhqk");
}

TEST_CASE("the name of one layer's array makes its first axis a batch") {
  CHECK(guessed({3, 8, 20, 20}, Kind::pairs, "layers.4.attn") == "bhqk");
  CHECK(guessed({3, 8, 20, 20}, Kind::pairs, "attentions") == "lhqk");
}

TEST_CASE("of vectors the last two axes are tokens and width") {
  CHECK(guessed({20, 64}, Kind::vectors) == "td");
  CHECK(guessed({64, 64, 20}, Kind::vectors) == "htd");
  CHECK(guessed({12, 8, 20, 64}, Kind::vectors) == "lhtd");
  CHECK(guessed({12, 3, 8, 20, 64}, Kind::vectors) == "lbhtd");
}

TEST_CASE("shapes without pairs are refused") {
  CHECK(why({5}) == "a: expected an array of two to five axes, got the shape (5)");
  CHECK(why({1, 2, 3, 4, 5, 6}) ==
        "a: expected an array of two to five axes, got the shape (1, 2, 3, 4, 5, 6)");
  CHECK(why({3, 0, 4}) == "a: expected at least one number, got the shape (3, 0, 4)");
}

TEST_CASE("axes are named by letters") {
  CHECK(axes_of("lhqk", 4, Kind::pairs) == Axes{Axis::layer, Axis::head, Axis::query, Axis::key});
  CHECK(axes_of(" k q h ", 3, Kind::pairs) == Axes{Axis::key, Axis::query, Axis::head});
  CHECK(axes_of("tdh", 3, Kind::vectors) == Axes{Axis::token, Axis::width, Axis::head});
  CHECK_FALSE(axes_of("lhqk", 3, Kind::pairs));   // another number of axes
  CHECK_FALSE(axes_of("lqqk", 4, Kind::pairs));   // one twice
  CHECK_FALSE(axes_of("lhbk", 4, Kind::pairs));   // no queries
  CHECK_FALSE(axes_of("lhtd", 4, Kind::pairs));   // of vectors
  CHECK_FALSE(axes_of("hqk", 3, Kind::vectors));  // of pairs
  CHECK_FALSE(axes_of("lhqx", 4, Kind::pairs));
  CHECK_FALSE(axes_of("", 0, Kind::pairs));
  for (const char* letters : {"qk", "kq", "hqk", "lhqk", "bhqk", "qkhl", "lbhqk"}) {
    CHECK(letters_of(*axes_of(letters, std::string(letters).size(), Kind::pairs)) == letters);
  }
}

}  // namespace axes_test
