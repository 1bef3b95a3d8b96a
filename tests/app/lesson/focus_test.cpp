// What of a page a stop means.
#include "app/lesson/focus.h"

#include <doctest/doctest.h>

#include "app/lesson/play.h"
#include "rig.h"

namespace focus_test {

using namespace lesson;
using Ids = std::vector<std::string>;
using Names = std::set<std::string>;

struct Seen {
  rig::Pages pages;
  Lesson lesson;
  explicit Seen(const std::string& stop) : lesson(parse(rig::around(stop), "class.md")) {}
  Focus focus(bool answered = false) {
    const rig::Seen seen(pages, scene(lesson, 0, answered));
    return focus_of(lesson.stops.front(), answered, seen.page);
  }
};

TEST_CASE("a stop means the figures that it shows and points at, two at most") {
  CHECK(Seen("show: figure:data\nWords.").focus().figures == Row{"data"});
  CHECK(Seen("show: figure:data\npoint: plot:weights, figure:sweep\nWords.").focus().figures ==
        Row{"data", "weights"});
  CHECK(Seen("show: figure:data alone\npoint: plot:weights\nWords.").focus().figures ==
        Row{"data"});
}

TEST_CASE("it means the knobs that are to be turned and the numbers that are named, no others") {
  const Focus focus = Seen(
                          "set: noise=0.3\nshow: figure:data\npoint: knob:query\n"
                          "wait: readout:neighbours < 20\ndo: bandwidth=0.3\n"
                          "It is {readout:prediction} at {knob:n}; turn [it](knob:kernel).")
                          .focus();
  CHECK(focus.knobs == Ids{"query", "bandwidth", "kernel"});
  CHECK(focus.readouts == Names{"neighbours", "prediction"});
  CHECK_FALSE(focus.derivation);
  CHECK(focus.beside);
}

TEST_CASE("once it is answered it means what the answer changes and says, too") {
  Seen seen(
      "show: figure:data\nW.\n? Q\nanswer: readout:neighbours within 5 %\nreveal: bandwidth=0.02\n"
      "why: At {cell:attention:0,0} it is {readout:largest}.");
  CHECK(seen.focus().knobs.empty());
  CHECK(seen.focus().readouts.empty());
  CHECK(seen.focus().beside);  // so that nothing moves when it is answered
  const Focus then = seen.focus(true);
  CHECK(then.knobs == Ids{"bandwidth"});
  CHECK(then.readouts == Names{"largest", "neighbours"});
  CHECK(then.figures == Row{"data", "attention"});
  CHECK_FALSE(Seen("show: figure:data\nW.\n? Q\nanswer: true\nwhy: So.").focus().beside);
}

TEST_CASE("a knob that the answer turns is not meant before it is answered") {
  Seen seen(
      "show: figure:data\npoint: knob:bandwidth, knob:query\nW.\n? Q\nanswer: true\n"
      "reveal: bandwidth=0.02\nwhy: So.");
  CHECK(seen.focus().knobs == Ids{"query"});
  CHECK(seen.focus(true).knobs == Ids{"query", "bandwidth"});
}

TEST_CASE("numbers of what was done are meant once it is done") {
  Seen seen(
      "show: figure:data\nwait: knob:bandwidth > 2\nseen: It went to {readout:prediction}.\nTurn "
      "it.");
  CHECK(seen.focus().readouts.empty());
  CHECK(seen.focus().beside);
  CHECK(seen.focus(true).readouts == Names{"prediction"});
}

TEST_CASE("where something is clicked, its derivation is meant") {
  CHECK(Seen("show: figure:attention\nwait: picked:attention\nClick.").focus().derivation);
}

TEST_CASE("no place is kept for a derivation that later questions cover") {
  rig::Pages pages;
  const auto means = [&](const char* name, std::size_t stop) {
    Play play(name, shipped(name, words::Language::en));
    play.go(stop);
    const rig::Seen seen(pages, play.scene());
    return focus_of(play.stop(), true, seen.page, play.derives(seen.page));
  };
  const Focus norms = means("box", 5);  // it sets what is explained: the norms' frame
  CHECK_FALSE(norms.derivation);
  CHECK_FALSE(norms.beside);
  CHECK(means("box", 3).derivation);  // where one is clicked
  CHECK(means("documents", 0).derivation);
}

}  // namespace focus_test
