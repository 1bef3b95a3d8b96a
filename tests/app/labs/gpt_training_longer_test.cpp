// Models on sequences that are longer than those of their training, by their positions.
#include <doctest/doctest.h>

#include <algorithm>

#include "gpt_training_rig.h"
#include "lengths_record.h"

namespace gpt_training_longer_test {

using namespace gpt_training_rig;

namespace {

const LengthCurve& curve_of(const Model& model, Scheme scheme) {
  for (const LengthCurve& curve : model.lengths) {
    if (curve.scheme == scheme) return curve;
  }
  FAIL("no such scheme");
  std::abort();
}
double right_at(const LengthCurve& curve, Index length) {
  const auto found = std::find(curve.lengths.begin(), curve.lengths.end(), length);
  REQUIRE(found != curve.lengths.end());
  return curve.right[static_cast<std::size_t>(found - curve.lengths.begin())];
}

// What all three trainings of a recipe and scheme have right at a length, the least first.
std::vector<double> recorded(std::string_view recipe, Scheme scheme, Index length) {
  std::vector<double> all;
  for (const auto& row : lengths_record::read()) {
    if (row.recipe != recipe || row.positions != core::model::scheme_id(scheme)) continue;
    all.push_back(row.score.at(length).value_or(-1));
  }
  REQUIRE(all.size() == 3);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("longer than trained: what copies in each of three trainings, and what does not") {
  const auto at = [](Scheme scheme, Index length) {
    return recorded("copy_any_length", scheme, length);
  };
  CHECK(at(Scheme::alibi, 20).front() >= 0.8);
  CHECK(at(Scheme::rotary, 12).front() == 1);
  CHECK(at(Scheme::rotary, 15).front() > 0.5);
  CHECK(at(Scheme::rotary, 20).back() == 0);
  CHECK(at(Scheme::sinusoidal, 11).back() == 0);
  CHECK(at(Scheme::t5, 11)[1] == 0);
  CHECK(at(Scheme::t5, 11)[2] > 0.5);
  CHECK(at(Scheme::learned, 10).front() == 1);
  CHECK(at(Scheme::learned, 11).back() == -1);
  CHECK(at(Scheme::none, 10).back() < 0.5);
}

TEST_CASE("longer than trained: what reverses in each of three trainings, and what does not") {
  const auto at = [](Scheme scheme, Index length) {
    return recorded("reverse_any_length", scheme, length);
  };
  CHECK(at(Scheme::t5, 15).front() >= 0.8);
  CHECK(at(Scheme::rotary, 15).front() >= 0.5);
  CHECK(at(Scheme::alibi, 15).back() < 0.5);
  CHECK(at(Scheme::alibi, 25).back() == 0);
  for (const Scheme scheme : lab::kComparedSchemes) {
    CAPTURE(core::model::scheme_id(scheme));
    CHECK(at(scheme, 20).back() <= 0.1);
    CHECK(at(scheme, 30).back() <= 0);
  }
}

TEST_CASE("longer than trained: curves of equals, or the page says what differs") {
  for (const char* id : {"longer", "longer_backwards"}) {
    Tried m = preset(id);
    const Model model = m.model();
    CHECK(model.lengths.size() == std::size(lab::kComparedSchemes));
    CHECK(model.unlike.empty());
    CHECK(curve_of(model, Scheme::learned).ends);
    const lab::Page page = m.page();
    // It is what the page is about.
    CHECK(page.figures.front().id == "lengths");
    CHECK(page.figures.front().caption.find("not comparable") == std::string::npos);
    const auto lines = marks_of<figure::Line>(plot_of(page, "lengths"));
    REQUIRE(lines.size() == model.lengths.size());
    // The page's own comes last, on top.
    CHECK(lines.back().y == model.lengths.front().right);
  }
  // One that is trained here, by hand and for fewer steps, is no equal of the others.
  Tried m = made({{"task", "copy_any_length"},
                  {"weights", "here"},
                  {"made", "own"},
                  {"symbols", "36"},
                  {"shortest", "1"},
                  {"longest", "10"},
                  {"steps", "12"},
                  {"step", "12"}});
  const Model model = m.model();
  CHECK(model.lengths.size() == std::size(lab::kComparedSchemes));
  const auto differs = [&](std::string_view what) {
    const auto found = std::find_if(model.unlike.begin(), model.unlike.end(),
                                    [&](const Unlike& one) { return one.what == what; });
    REQUIRE(found != model.unlike.end());
    return std::pair(found->own, found->theirs);
  };
  CHECK(differs("heads") == std::pair(1.0, 4.0));
  CHECK(differs("width") == std::pair(32.0, 48.0));
  CHECK(differs("steps") == std::pair(12.0, 1000.0));
  CHECK(differs("batch") == std::pair(32.0, 64.0));
  CHECK(m.page().figures.front().caption.find("heads 1, shipped 4") != std::string::npos);
}

TEST_CASE("sorting needs no positions, and goes on at twice the length") {
  const Model model = preset("sorting").model();
  CHECK(model.form().positions.scheme == Scheme::none);
  CHECK(model.score->accuracy() > 0.99);
  CHECK(right_at(model.lengths.front(), 2 * model.learned.task().longest) > 0.9);
}

}  // namespace gpt_training_longer_test
