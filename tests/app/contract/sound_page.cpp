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

// Fails the test with these words, once however many pages show it.
void wants(bool holds, const std::string& words) {
  static std::set<std::string> said;
  if (!holds && said.insert(words).second) FAIL_CHECK(words);
}

void check_plot(const std::string& where, const figure::Plot& plot) {
  CAPTURE(plot.id);
  wants(!plot.marks.empty(), where + ": plot " + plot.id + ": expected marks, got none");
  CHECK(std::isfinite(plot.x.lo + plot.x.hi + plot.y.lo + plot.y.hi));
  CHECK(plot.x.lo < plot.x.hi);
  CHECK(plot.y.lo < plot.y.hi);
}

}  // namespace

void check_page(const Lab& lab, const State& state, const Page& page) {
  std::set<std::string> figures, plots, readouts;
  for (const auto& figure : page.figures) {
    const std::string where = named(lab) + ": figure " + figure.id;
    CAPTURE(figure.id);
    wants(figures.insert(figure.id).second, where + ": expected an id of its own, got it twice");
    wants(!figure.title.empty(), where + ": expected a title, got nothing");
    wants(!figure.caption.empty(), where + ": expected a caption, got nothing");
    CHECK((figure.span >= 1 && figure.span <= 12));
    wants(!figure.plots.empty(), where + ": expected plots, got none");
    for (const auto& plot : figure.plots) {
      wants(plots.insert(plot.id).second,
            where + ": plot " + plot.id + ": expected an id of its own on the page, got it twice");
      check_plot(where, plot);
    }
  }
  for (const auto& readout : page.readouts) {
    const std::string where = named(lab) + ": readout " + readout.id;
    CAPTURE(readout.id);
    wants(readouts.insert(readout.id).second, where + ": expected an id of its own, got it twice");
    CHECK(std::isfinite(double{readout.value}));
    wants(!readout.text.empty(), where + ": expected its number as text, got nothing");
    wants(!readout.help.empty(), where + ": expected help, got nothing");
  }
  const FakeOptions fake;
  CHECK(figure::formula_size(page.formula, fake.options).x > 0);
  wants(!page.status.empty(), named(lab) +
                                  ": page.status: expected the settings in a line, such as "
                                  "\"n = 14 · 8 heads\", got nothing");
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
