#include "app/state/desk/history.h"

#include <doctest/doctest.h>

namespace history_test {

namespace {

session::Session session(const std::string& lab, const param::Values& values,
                         const figure::Views& views = {}) {
  return {lab, values, views};
}

session::Session ab(const std::string& a, const std::string& b) {
  return session("one", {{"a", a}, {"b", b}});
}

}  // namespace

TEST_CASE("a step back and forth sets what the step changed, and no more") {
  state::History history;
  history.add("one", ab("1", "2"), ab("3", "2"), "");
  CHECK_FALSE(history.can_redo());
  const auto back = history.undo();
  REQUIRE(back);
  CHECK(back->shown == "one");
  CHECK(back->to == session("one", {{"a", "1"}}));
  CHECK_FALSE(history.undo());
  CHECK(history.redo()->to == session("one", {{"a", "3"}}));
  CHECK_FALSE(history.redo());
}

TEST_CASE("a gesture is one step, from where it began to where it ended") {
  state::History history;
  history.add("one", ab("1", "2"), ab("2", "2"), "drag");
  history.add("one", ab("2", "2"), ab("3", "0"), "drag");
  REQUIRE(history.before_gesture("drag"));
  CHECK(*history.before_gesture("drag") == param::Values{{"a", "1"}, {"b", "2"}});
  history.add("one", ab("3", "0"), ab("4", "2"), "drag");  // b is as it was
  CHECK(*history.before_gesture("drag") == param::Values{{"a", "1"}});
  CHECK(history.steps() == 1);
  CHECK_FALSE(history.before_gesture("other"));
  CHECK_FALSE(history.before_gesture(""));
  history.end_gesture();
  CHECK_FALSE(history.before_gesture("drag"));
  history.add("one", ab("4", "2"), ab("5", "2"), "drag");
  CHECK(history.steps() == 2);
  CHECK(history.undo()->to.values == param::Values{{"a", "4"}});
  CHECK(history.undo()->to.values == param::Values{{"a", "1"}});
}

TEST_CASE("a gesture that comes back to where it began is no step") {
  state::History history;
  history.add("one", ab("1", "2"), ab("2", "2"), "drag");
  history.add("one", ab("2", "2"), ab("1", "2"), "drag");
  CHECK_FALSE(history.can_undo());
  history.add("one", ab("1", "2"), ab("7", "2"), "drag");  // it goes on
  CHECK(history.undo()->to.values == param::Values{{"a", "1"}});
}

TEST_CASE("a gesture that is given up leaves nothing to redo") {
  state::History history;
  history.add("one", ab("1", "2"), ab("3", "2"), "paint");
  CHECK_FALSE(history.take_back("other"));
  CHECK(history.take_back("paint")->to.values == param::Values{{"a", "1"}});
  CHECK_FALSE(history.can_redo());
  CHECK_FALSE(history.take_back("paint"));
}

TEST_CASE("a session opened in another lab: back to the lab that was shown, and its values too") {
  state::History history;
  const figure::Views zoomed{{"plot", {0, 1, 0, 1}}};
  history.add("one", session("two", {{"c", "1"}}), session("two", {{"c", "9"}}, zoomed), "");
  const auto back = history.undo();
  CHECK(back->shown == "one");
  CHECK(back->to == session("two", {{"c", "1"}}));
  const auto forth = history.redo();
  CHECK(forth->shown == "two");
  CHECK(forth->to == session("two", {{"c", "9"}}, zoomed));
}

TEST_CASE("figures that are hidden or moved are a step") {
  state::History history;
  session::Session before = ab("1", "2"), after = before;
  after.figures = {{"b", "a"}, {"c"}};
  history.add("one", before, after, "");
  CHECK(history.steps() == 1);
  CHECK(history.undo()->to.figures.empty());
  CHECK(history.redo()->to.figures == after.figures);
  history.add("one", after, after, "");
  CHECK(history.steps() == 1);
}

TEST_CASE("a new step forgets what was undone, and the oldest steps go") {
  state::History history(3);
  for (int k = 0; k < 5; ++k) {
    history.add("one", ab(std::to_string(k), ""), ab(std::to_string(k + 1), ""), "");
  }
  CHECK(history.steps() == 3);
  history.undo();
  CHECK(history.can_redo());
  history.add("one", ab("4", ""), ab("4", "x"), "");
  CHECK_FALSE(history.can_redo());
  while (history.steps() > 1) history.undo();
  CHECK(history.undo()->to.values == param::Values{{"a", "2"}});
}

TEST_CASE("what a step did not change is not kept") {
  state::History history;
  const std::string large(1'000'000, 'x');
  for (int k = 0; k < 400; ++k) {
    history.add("one", ab(std::to_string(k), large), ab(std::to_string(k + 1), large), "");
  }
  CHECK(history.bytes() < 10'000);
}

}  // namespace history_test
