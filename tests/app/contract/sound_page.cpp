#include "sound_page.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "app/figure/formula.h"
#include "app/labs/labs.h"
#include "counted.h"
#include "figure/fake_measure.h"
#include "sound_picks.h"

namespace contract {
namespace {

// The lab that is led to takes every value as it is given, and has a knob for each file.
void check_jump(const lab::Jump& jump) {
  CAPTURE(jump.lab);
  CHECK_FALSE(jump.label.empty());
  CHECK_FALSE(jump.help.empty());
  CHECK_FALSE((jump.sets.empty() && jump.files.empty()));
  const auto state = lab::find(jump.lab).make();
  std::string refusal;
  try {
    param::assign(state->describe(), jump.sets);
  } catch (const core::InputError& error) {
    refusal = error.what();
  }
  CHECK(refusal == "");
  param::List list = state->list();
  for (const auto& [id, value] : jump.sets) {
    const Parameter* p = list.find(id);
    REQUIRE(p);
    CHECK(param::serialize(*p) == value);
  }
  for (const lab::JumpFile& file : jump.files) {
    CAPTURE(file.knob);
    CHECK(file.bytes);
    const Parameter* takes = list.find(file.knob);
    REQUIRE(takes);
    const auto* kind = std::get_if<param::File>(&takes->kind);
    REQUIRE(kind);
    CHECK(param::has_ending(file.ending, kind->endings));
  }
}

}  // namespace

void check_page(const State& state, const Page& page) {
  std::set<std::string> figures, plots, readouts;
  for (const auto& figure : page.figures) {
    CAPTURE(figure.id);
    CHECK(figures.insert(figure.id).second);
    CHECK_FALSE(figure.title.empty());
    CHECK_FALSE(figure.caption.empty());
    CHECK((figure.span >= 1 && figure.span <= 12));
    CHECK_FALSE(figure.plots.empty());
    for (const auto& plot : figure.plots) {
      CAPTURE(plot.id);
      CHECK(plots.insert(plot.id).second);
      CHECK_FALSE(plot.marks.empty());
      CHECK(std::isfinite(plot.x.lo + plot.x.hi + plot.y.lo + plot.y.hi));
      CHECK(plot.x.lo < plot.x.hi);
      CHECK(plot.y.lo < plot.y.hi);
    }
  }
  for (const auto& readout : page.readouts) {
    CAPTURE(readout.id);
    CHECK(readouts.insert(readout.id).second);
    CHECK(std::isfinite(double{readout.value}));
    CHECK_FALSE(readout.text.empty());
    CHECK_FALSE(readout.help.empty());
  }
  const FakeOptions fake;
  CHECK(figure::formula_size(page.formula, fake.options).x > 0);
  CHECK_FALSE(page.status.empty());
  for (const std::string& text : texts_of(page)) {
    if (const auto one = plural_of_one(text)) {
      CAPTURE(text);
      FAIL_CHECK(*one);
    }
  }
  for (const lab::Jump& jump : page.jumps) check_jump(jump);
  check_picks(state, page);
}

}  // namespace contract
