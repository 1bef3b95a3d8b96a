#include "app/param/stack.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "app/param/reading.h"
#include "app/param/values.h"
#include "core/random.h"

namespace stack_test {

namespace {

using param::StackItems;

std::shared_ptr<const param::Catalogue> catalogue() {
  static const auto all = std::make_shared<const param::Catalogue>(param::Catalogue{
      {{"or", "or"}, {"and", "and"}, {"minus", "minus"}},
      {{"full", "Full", "all"},
       {"local", "Local", "near", {{"window", "Window", "reach", 0, 100, 3}}},
       {"far", "Far", "two", {{"step", "Step", "s", 1, 9, 4}, {"at", "At", "a", -5, 5, 0}}}}});
  return all;
}

struct Sample {
  StackItems mask = param::read_stack("local", *catalogue(), 4);
  int other = 2;
};

param::Describe describer(Sample& s) {
  return [&s] {
    param::List list;
    list.stack(s.mask, "mask", "Mask", "", catalogue(), 4);
    list.integer(s.other, "other", "Other", "", {.min = 1, .max = 9});
    return list;
  };
}

std::string refused(Sample& s, const std::string& text) {
  const StackItems before = s.mask;
  try {
    param::assign(describer(s), {{"other", "7"}, {"mask", text}});
  } catch (const core::InputError& error) {
    CHECK(s.mask == before);
    CHECK(s.other == 2);
    return error.what();
  }
  return "";
}

StackItems read(std::string_view text) { return param::read_stack(text, *catalogue(), 4); }

}  // namespace

TEST_CASE("A stack is read item by item, arguments left out have their initial values") {
  CHECK(read("local window=7; or far; minus full") ==
        StackItems{{0, 1, {7}}, {0, 2, {4, 0}}, {2, 0, {}}});
  CHECK(read("far at=-2 step=9") == StackItems{{0, 2, {9, -2}}});
  CHECK(read(" \t local  window=+7 ;and   full ; ") == StackItems{{0, 1, {7}}, {1, 0, {}}});
  CHECK(read("minus full") == StackItems{{0, 0, {}}});  // the first joins nothing
}

TEST_CASE("What is printed is read back, for any stack") {
  core::Random random(3);
  for (int k = 0; k < 500; ++k) {
    const auto below = [&](int n) {
      return static_cast<int>(random.next() % static_cast<unsigned>(n));
    };
    StackItems items;
    for (int count = 1 + below(4); count > 0; --count) {
      items.push_back(param::initial_item(*catalogue(), below(3), items.empty() ? 0 : below(3)));
      auto& arguments = items.back().arguments;
      if (items.back().entry == 1) arguments[0] = below(101);
      if (items.back().entry == 2) arguments = {1 + below(9), below(11) - 5};
    }
    CHECK(read(param::serialize_stack(items, *catalogue())) == items);
  }
  CHECK(param::serialize_stack(read("far; and local window=0"), *catalogue()) ==
        "far step=4 at=0; and local window=0");
}

TEST_CASE("A stack that does not fit is refused in a sentence that says which item") {
  Sample s;
  CHECK(refused(s, "near") == "mask: expected in item 1 one of full, local, far, got near");
  CHECK(refused(s, "") == "mask: expected in item 1 one of full, local, far, got nothing");
  CHECK(refused(s, "full; local") ==
        "mask: expected item 2 to begin with one of or, and, minus, got local");
  CHECK(refused(s, "full;; or local") ==
        "mask: expected item 2 to begin with one of or, and, minus, got nothing");
  CHECK(refused(s, "full; or") == "mask: expected in item 2 one of full, local, far, got nothing");
  CHECK(refused(s, "full 3") == "mask: expected in item 1 nothing after full, got 3");
  CHECK(refused(s, "local 3") ==
        "mask: expected in item 1 after local a number for one of window, such as window=3, got 3");
  CHECK(refused(s, "local wide=3").find("one of window") != std::string::npos);
  CHECK(refused(s, "full; or far step=0") ==
        "mask: expected in item 2 for step an integer from 1 to 9, got 0");
  CHECK(refused(s, "far step=1e3").find("got 1e3") != std::string::npos);
  CHECK(refused(s, "far step=99999999999999999999").find("from 1 to 9") != std::string::npos);
  CHECK(refused(s, "far step=2 step=3") ==
        "mask: expected in item 1 each argument once, got \"step=3\"");
  CHECK(refused(s, "full; or full; or full; or full; or full; or full") ==
        "mask: expected at most 4 items, got 6");
  CHECK(refused(s, "\xff").find("got \"\\xff\"") != std::string::npos);
  CHECK(refused(s, "full; minus local window=100").empty());
}

TEST_CASE("A stack goes through JSON as its text, and is told what it is") {
  Sample s;
  param::List list = describer(s)();
  const param::Parameter& p = *list.find("mask");
  CHECK(param::kind_name(p) == "stack");
  CHECK_FALSE(param::is_text(p));
  CHECK_FALSE(param::number(p).has_value());
  CHECK(param::to_json(p) == "local window=3");
  param::from_json(p, "far; or full");
  CHECK(param::serialize(p) == "far step=4 at=0; or full");
  CHECK_THROWS_AS(param::from_json(p, 3), param::Refusal);
  CHECK_THROWS_AS(param::from_json(p, "far; or"), param::Refusal);
  CHECK(param::expected(p) ==
        "1 to 4 items such as local window=3; minus far step=4 at=0, chosen from full, local, far");
}

TEST_CASE("Numbers with decimals count parts, and items without operations follow one another") {
  const param::Catalogue filters{
      {},
      {{"cool", "Cool", "c", {{"t", "T", "t", 1, 500, 70, param::Scale::log, 100}}},
       {"keep", "Keep", "k", {{"p", "p", "p", 0, 1000, 900, param::Scale::linear, 1000}}}}};
  const auto items = param::read_stack("cool t=0.07; keep; keep p=1", filters, 4);
  CHECK(items == StackItems{{0, 0, {7}}, {0, 1, {900}}, {0, 1, {1000}}});
  CHECK(param::serialize_stack(items, filters) == "cool t=0.07; keep p=0.9; keep p=1");
  CHECK(filters.entries[0].arguments[0].number(7) == 0.07);
  for (int k = 0; k <= 1000; ++k) {
    const StackItems one{{0, 1, {k}}};
    CHECK(param::read_stack(param::serialize_stack(one, filters), filters, 1) == one);
  }
  const auto refusal = [&](const char* text) {
    try {
      param::read_stack(text, filters, 4);
    } catch (const param::Mismatch& mismatch) {
      return mismatch.expected.in_english();
    }
    return std::string("taken");
  };
  CHECK(refusal("cool t=0.005") == "in item 1 for t a number from 0.01 to 5 in steps of 0.01");
  CHECK(refusal("cool t=5.01") == "in item 1 for t a number from 0.01 to 5 in steps of 0.01");
  CHECK(refusal("keep; keep p=1e300") == "in item 2 for p a number from 0 to 1 in steps of 0.001");
  CHECK(refusal("keep p=nan").starts_with("in item 1 for p a number"));
  CHECK(refusal("keep 3") == "in item 1 after keep a number for one of p, such as p=0.9");
  CHECK(refusal("keep; then cool") == "in item 2 one of cool, keep");
}

TEST_CASE("Items are moved and removed; the first has no operation of its own") {
  const StackItems items = read("full; minus local; and far");
  const auto text = [](const StackItems& s) { return param::serialize_stack(s, *catalogue()); };
  CHECK(text(param::with_moved(items, 2, -1)) == "full; and far step=4 at=0; minus local window=3");
  CHECK(text(param::with_moved(items, 1, 1)) == "full; and far step=4 at=0; minus local window=3");
  CHECK(text(param::with_moved(items, 1, -1)) == "local window=3; minus full; and far step=4 at=0");
  CHECK(text(param::with_moved(items, 0, 1)) == "local window=3; minus full; and far step=4 at=0");
  CHECK(param::with_moved(items, 0, -1) == items);
  CHECK(param::with_moved(items, 2, 1) == items);
  CHECK(param::with_moved(items, 9, 1) == items);
  CHECK(text(param::with_removed(items, 0)) == "local window=3; and far step=4 at=0");
  CHECK(param::with_removed(items, 0)[0].operation == 0);
  CHECK(text(param::with_removed(items, 1)) == "full; and far step=4 at=0");
  CHECK(param::with_removed(read("far"), 0) == read("far"));
  // Moving there and back changes nothing.
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(param::with_moved(param::with_moved(items, k, 1), k + 1, -1) == items);
  }
}

}  // namespace stack_test
