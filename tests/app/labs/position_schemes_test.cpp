// Which position schemes the labs' knobs offer, held against the table in core.
#include <doctest/doctest.h>

#include <set>

#include "app/labs/labs.h"
#include "app/labs/position_compare/schemes.h"
#include "app/labs/shared/knobs.h"
#include "core/model/positions/scheme.h"

namespace position_schemes_test {

using core::model::Acts, core::model::Scheme, core::model::SchemeEntry;

namespace {

// How knobs call a scheme where it is not by the table's id, and variants that are none of their
// own.
Scheme scheme_of(std::string_view id) {
  if (id == "rope") return Scheme::rotary;
  if (id == "shaw") return Scheme::relative;
  if (id == "xlnet") return Scheme::transformer_xl;
  if (id == "grid") return Scheme::sinusoidal;
  const auto& ids = core::model::kSchemeIds;
  const auto at = std::find(ids.begin(), ids.end(), id);
  CAPTURE(id);
  REQUIRE(at != ids.end());
  return static_cast<Scheme>(at - ids.begin());
}

// "as_trained" and "off" are not schemes.
std::set<Scheme> offered(std::string_view lab, std::string_view knob) {
  const auto state = lab::find(lab).make();
  param::List list = state->list();
  std::set<Scheme> schemes;
  const auto& choice = std::get<param::Choice>(list.find(knob)->kind);
  for (const param::Option& option : choice.options) {
    if (option.id != "as_trained" && option.id != "off") schemes.insert(scheme_of(option.id));
  }
  return schemes;
}

std::set<Scheme> all_that(bool (*fits)(const SchemeEntry&)) {
  std::set<Scheme> schemes;
  for (const Scheme scheme : core::model::kAllSchemes) {
    if (fits(core::model::entry(scheme))) schemes.insert(scheme);
  }
  return schemes;
}

bool within(const std::set<Scheme>& some, const std::set<Scheme>& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

}  // namespace

TEST_CASE("knobs of models list the schemes of the table that fit") {
  CHECK(offered("gpt_training", "positions") == all_that([](const auto&) { return true; }));
  const auto in_encoders = all_that([](const auto& scheme) { return scheme.in_encoders; });
  CHECK(offered("transformer", "positions") == in_encoders);
  CHECK(offered("translation", "positions") == in_encoders);
  CHECK(offered("gpt_inside", "positions") ==
        all_that([](const auto& scheme) { return !scheme.learns; }));
}

TEST_CASE("labs of one kind of scheme list those that act there") {
  const auto compared = lab::position_compare::kCompared;
  CHECK(offered("position_compare", "scheme_1") ==
        std::set<Scheme>(compared.begin(), compared.end()));
  CHECK(offered("position_compare", "scheme_4") ==
        std::set<Scheme>(compared.begin(), compared.end()));
  CHECK(offered("absolute", "scheme") == all_that([](const auto& scheme) {
          return scheme.acts == Acts::embeddings || scheme.acts == Acts::layers;
        }));
  CHECK(offered("relative", "scheme") == all_that([](const auto& scheme) {
          return scheme.acts == Acts::scores || scheme.acts == Acts::weights;
        }));
  CHECK(offered("rotary", "text_scheme") ==
        all_that([](const auto& scheme) { return scheme.acts == Acts::queries_and_keys; }));
  CHECK(within(offered("multi_head", "position"),
               all_that([](const auto& scheme) { return !scheme.learns; })));
}

TEST_CASE("a scheme is called by its name in the table") {
  const words::Words english;
  for (const Scheme scheme : core::model::kAllSchemes) {
    CHECK(lab::scheme_name(scheme, english) == core::model::entry(scheme).name);
  }
  for (const Scheme scheme : lab::position_compare::kCompared) {
    const auto& own = lab::position_compare::compared_as(scheme);
    CHECK((own.id.empty() || scheme_of(own.id) == scheme));
    // One has another name beside others: that of its authors.
    CHECK(own.name.empty() == (scheme != Scheme::relative));
    CHECK_FALSE(own.acts.empty());
    CHECK_FALSE(own.beyond.empty());
    CHECK_FALSE(own.formula.empty());
  }
}

}  // namespace position_schemes_test
