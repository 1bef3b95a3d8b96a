// What holds for every parameter of every lab.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/text/utf8.h"
#include "settings.h"

namespace parameters_test {

using namespace contract;

namespace {

// The parameters of which another value gives another page, in some setting in which they are
// active.
std::set<std::string> that_matter(const Lab& lab) {
  std::set<std::string> found;
  for (const param::Values& setting : settings(lab)) {
    const auto state = lab.make();
    param::assign(state->describe(), setting);
    const param::List before_names = state->list();
    const auto is_open = [&](const Parameter& p) {
      return p.info.active && !found.contains(std::string(p.info.id));
    };
    if (std::none_of(before_names.items().begin(), before_names.items().end(), is_open)) continue;
    const auto& [page, memo, before] = seen(lab, setting);
    state->learn(page.found);
    const param::List list = state->list();
    for (const Parameter& p : list.items()) {
      if (!is_open(p)) continue;
      for (const std::string& value : other_values(p)) {
        const auto changed = state->clone();
        set(*changed, p.info.id, value);
        if (hash(*changed, memo) == before) continue;
        found.emplace(p.info.id);
        break;
      }
    }
  }
  return found;
}

// What is nonsense to most parameters may be a value of one: an option, or a number in its range.
bool is_sensible(const Parameter& p, const std::string& text) {
  if (const auto* choice = std::get_if<param::Choice>(&p.kind)) {
    return std::any_of(choice->options.begin(), choice->options.end(),
                       [&](const param::Option& option) { return option.id == text; });
  }
  return param::number(p) && text == "-1e9" && p.info.min <= -1e9;
}

}  // namespace

TEST_CASE("Parameters are described with ids of their own, labels, help and sound bounds") {
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    const auto state = lab.make();
    std::set<std::string_view> ids;
    const param::List list = state->list();
    for (const Parameter& p : list.items()) {
      CAPTURE(std::string(p.info.id));
      CHECK(ids.insert(p.info.id).second);
      CHECK_FALSE(p.info.label.empty());
      CHECK_FALSE(p.info.help.empty());
      CHECK_FALSE(p.group.empty());
      CHECK((p.info.plays == 0 || std::holds_alternative<param::Integer>(p.kind)));
      CHECK(p.info.plays >= 0);
      if (const auto value = param::number(p)) {
        CHECK(p.info.min <= p.info.max);
        CHECK(*value >= p.info.min);
        CHECK(*value <= p.info.max);
        if (p.info.scale == param::Scale::log) {
          const bool whole = std::holds_alternative<param::Integer>(p.kind);
          CHECK((p.info.min > 0 || (whole && p.info.min == 0)));
        }
        if (p.info.unpinned) CHECK(param::nearest(p, *p.info.unpinned) == *p.info.unpinned);
      }
    }
    // The defaults and every preset already are settled: nothing moves when they are taken.
    const param::Values before = param::values(state->describe());
    param::settle(state->describe());
    CHECK(param::values(state->describe()) == before);
  }
}

TEST_CASE("Values survive text and JSON, and a clone is independent") {
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    for (const auto& preset : lab.presets) {
      const auto state = lab.make();
      param::assign(state->describe(), preset.values);
      const param::Values values = param::values(state->describe());
      const auto by_text = lab.make();
      param::assign(by_text->describe(), values);
      CHECK(param::values(by_text->describe()) == values);
      const auto by_json = lab.make();
      const param::List source = state->list();
      for (const Parameter& p : source.items()) {
        const auto json = nlohmann::json::parse(param::to_json(p).dump());
        param::from_json(*by_json->list().find(p.info.id), json);
      }
      CHECK(param::values(by_json->describe()) == values);
      const auto clone = state->clone();
      const Parameter first = source.items().front();
      param::parse(*clone->list().find(first.info.id), other_values(first).front());
      CHECK(param::values(state->describe()) == values);
    }
  }
}

TEST_CASE("Every parameter matters in some setting") {
  for (const Lab& lab : tried_labs()) {
    const std::set<std::string> found = that_matter(lab);
    const auto state = lab.make();
    const param::List list = state->list();
    for (const Parameter& p : list.items()) {
      CAPTURE(named(lab));
      CAPTURE(std::string(p.info.id));
      CHECK(found.contains(std::string(p.info.id)));
    }
  }
}

TEST_CASE("A parameter that is said to be inactive has no effect") {
  for (const Lab& lab : tried_labs()) {
    const std::vector<param::Values> all = settings(lab);
    for (std::size_t n = 0; n < all.size(); ++n) {
      const auto state = lab.make();
      param::assign(state->describe(), all[n]);
      const auto& [page, memo, before] = seen(lab, all[n]);
      const param::List list = state->list();
      for (std::size_t k = 0; k < list.items().size(); ++k) {
        const Parameter& p = list.items()[k];
        if (p.info.active || !has_its_turn(n, k)) continue;
        CAPTURE(named(lab));
        CAPTURE(std::string(p.info.id));
        for (const std::string& value : other_values(p)) {
          const auto changed = state->clone();
          set(*changed, p.info.id, value);
          CHECK(hash(*changed, memo) == before);
        }
      }
    }
  }
}

TEST_CASE("Nonsense is refused in a sentence and leaves everything alone") {
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    const auto state = lab.make();
    const param::Values before = param::values(state->describe());
    const param::List list = state->list();
    for (const Parameter& p : list.items()) {
      CAPTURE(std::string(p.info.id));
      for (const std::string& bad :
           {std::string("\xff\xfe"), std::string("not this one"), std::string("nan"),
            std::string("1e400"), std::string("-1e99")}) {
        // Whether a file or a name is there is seen when the lab reads it.
        const bool is_text = std::holds_alternative<param::Text>(p.kind) ||
                             std::holds_alternative<param::File>(p.kind) ||
                             std::holds_alternative<param::Name>(p.kind);
        if (is_text && !core::invalid_utf8(bad)) continue;
        if (is_sensible(p, bad)) continue;
        std::string message;
        try {
          param::assign(state->describe(), {{std::string(p.info.id), bad}});
        } catch (const core::InputError& error) {
          message = error.what();
        }
        CHECK(message.find(std::string(p.info.id) + ": expected ") == 0);
        CHECK_FALSE(core::invalid_utf8(message));
        CHECK(param::values(state->describe()) == before);
      }
    }
    CHECK_THROWS_AS(param::assign(state->describe(), {{"no_such_parameter", "1"}}),
                    core::InputError);
  }
}

}  // namespace parameters_test
