// What is covered of a page at a stop: by its own question and by those after it.
#include "app/lesson/cover.h"

#include <doctest/doctest.h>

#include "rig.h"

namespace cover_test {

using namespace lesson;

// Three stops of one lab, one of another, and one of the first again.
const std::string kText =
    "# T\nabout: a\nminutes: 3\nlab: pooling\n"
    "## Read\nshow: figure:data\nLook.\n"
    "## Ask\nshow: figure:weights\n? Which?\nanswer: true\n"
    "hide: figure:weights, figure:attention, readout:prediction\nwhy: It is {readout:neighbours}.\n"
    "## Click\nshow: figure:attention\nwait: picked:attention\nClick.\n"
    "## Ask again\nshow: figure:attention\n? Which?\nclick: largest cell:attention\n"
    "hide: figure:attention, readout:largest, readout:neighbours\nwhy: So.\n"
    "## Elsewhere\nlab: masks\nshow: figure:mask\n? Which?\nanswer: true\nhide: figure:row\nwhy: "
    "So.\n"
    "## Back\nlab: pooling\nshow: figure:data\n? Which?\nanswer: true\nhide: "
    "readout:left_out_error\nwhy: So.\n";

struct Covers {
  rig::Pages pages;
  Lesson lesson = parse(kText, "class.md");
  Cover at(std::size_t stop, std::set<std::size_t> answered = {}) {
    const rig::Seen seen(pages, scene(lesson, stop, answered.contains(stop)));
    return cover_of(
        lesson, stop, [&](std::size_t k) { return answered.contains(k); }, seen.page);
  }
};

TEST_CASE("what a later question hides is not on the page before it, until it is answered") {
  Covers covers;
  const Cover first = covers.at(0);
  CHECK(first.left_out == std::set<std::string>{"weights", "attention"});
  CHECK(first.whole.empty());
  CHECK(first.readouts ==
        std::set<std::string>{"prediction", "largest", "neighbours", "left_out_error"});
  CHECK(first.words);
  CHECK_FALSE(first.captions);  // they say how what is shown is read
  const Cover then = covers.at(0, {1, 3});
  CHECK(then.left_out.empty());
  CHECK(then.readouts == std::set<std::string>{"left_out_error"});
  CHECK(covers.at(5, {5}).readouts.empty());
}

TEST_CASE("a stop keeps what it is about, and its answer shows what it speaks of") {
  Covers covers;
  const Cover asks = covers.at(1);
  CHECK(asks.inside == std::set<std::string>{"weights"});  // the axes of what it shows
  CHECK(asks.left_out == std::set<std::string>{"attention"});
  CHECK(asks.captions);
  CHECK(asks.readouts.contains("prediction"));
  const Cover answered = covers.at(1, {1});
  CHECK(answered.inside.empty());
  CHECK(answered.left_out == std::set<std::string>{"attention"});  // of stop 4
  CHECK_FALSE(answered.readouts.contains("prediction"));
  CHECK_FALSE(answered.readouts.contains("neighbours"));  // why: says it
  CHECK(answered.readouts.contains("largest"));
}

TEST_CASE("a stop that waits for a click keeps the derivation of what is clicked") {
  Covers covers;
  CHECK_FALSE(covers.at(2, {0, 1}).words);
  CHECK(covers.at(2, {0, 1}).left_out.empty());  // it is about the figure that is asked about next
}

TEST_CASE(
    "places that are asked for are empty, and another lab's names are those of other things") {
  Covers covers;
  const Cover click = covers.at(3, {1});
  CHECK(click.asked == "attention");
  CHECK(click.inside == std::set<std::string>{"attention"});
  CHECK(click.whole.empty());
  CHECK_FALSE(click.left_out.contains("row"));
  CHECK(covers.at(4, {1, 3}).left_out == std::set<std::string>{"row"});
  CHECK(covers.at(4, {1, 3}).readouts.empty());
}

}  // namespace cover_test
