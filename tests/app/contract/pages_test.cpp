// Every page of every lab is sound, in every preset and at the ends of every range.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>
#include <stop_token>
#include <string>

#include "sound_page.h"

namespace pages_test {

using namespace contract;

TEST_CASE("Every preset computes a sound page, the same one twice") {
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    check_page(lab, *lab.make(), seen(lab, {}).page);
    for (std::size_t n = 0; n < lab.presets.size(); ++n) {
      const lab::Preset& preset = lab.presets[n];
      CAPTURE(std::string(preset.id));
      const auto state = lab.make();
      param::assign(state->describe(), preset.values);
      for (const auto& [id, value] : preset.values) {
        CHECK(param::serialize(*state->list().find(id)) == value);  // settling took nothing back
      }
      // Long trainings are made whole where a lab is tried wholly, else their first steps are.
      const param::Values values =
          tried_wholly() ? preset.values : with_short_training(lab, preset.values);
      param::assign(state->describe(), values);
      const auto& figures = seen(lab, values).page.figures;
      check_page(lab, *state, seen(lab, values).page);
      // It opens at the page's top; what it is about stands further down.
      if (!preset.figure.empty()) {
        CHECK_MESSAGE(std::any_of(figures.begin() + 1, figures.end(),
                                  [&](const auto& one) { return one.id == preset.figure; }),
                      "figure: expected one of the page after its first, got \"", preset.figure,
                      "\"");
      }
      if (has_its_turn(n, 0)) CHECK(hash(*state) == seen(lab, values).hash);
    }
  }
}

TEST_CASE("Each number computes at both ends of its range, in the settings where it counts") {
  for (const Lab& lab : tried_labs()) {
    const std::vector<param::Values> all = settings(lab);
    std::set<std::string, std::less<>> long_ones;  // in one setting, unless a lab is tried wholly
    for (std::size_t n = 0; n < all.size(); ++n) {
      const auto state = lab.make();
      param::assign(state->describe(), all[n]);
      const lab::Memo& memo = seen(lab, all[n]).memo;
      const param::List list = state->list();
      for (std::size_t k = 0; k < list.items().size(); ++k) {
        const Parameter& p = list.items()[k];
        if (!param::number(p) || !p.info.active || !has_its_turn(n, k)) continue;
        const bool again = takes_long(p) && !long_ones.emplace(p.info.id).second;
        if (again && !tried_wholly()) continue;
        for (const double end : {p.info.min, p.info.max}) {
          // In settings beyond the first the ends take turns.
          const bool other = (n + k) % 2 == (end == p.info.min ? 0U : 1U);
          if (n > 0 && other && !tried_wholly()) continue;
          CAPTURE(named(lab));
          CAPTURE(std::string(p.info.id));
          CAPTURE(end);
          const auto changed = state->clone();
          set(*changed, p.info.id, number_text(p, param::nearest(p, end)));
          check_page(lab, *changed, compute(*changed, memo));
        }
      }
    }
  }
}

TEST_CASE("Each list of points computes with none and with one, in the settings where it counts") {
  for (const Lab& lab : tried_labs()) {
    for (const param::Values& values : settings(lab)) {
      const auto state = lab.make();
      param::assign(state->describe(), values);
      const param::List list = state->list();
      for (const Parameter& p : list.items()) {
        const auto* points = std::get_if<param::Points>(&p.kind);
        if (!points || !p.info.active) continue;
        const std::array<double, 2> middle{(points->x_min + points->x_max) / 2,
                                           (points->y_min + points->y_max) / 2};
        CAPTURE(named(lab));
        CAPTURE(std::string(p.info.id));
        for (const param::PointList& few : {param::PointList{}, param::PointList{middle}}) {
          CAPTURE(few.size());
          const auto changed = state->clone();
          set(*changed, p.info.id, param::serialize(few));
          check_page(lab, *changed, compute(*changed));
        }
      }
    }
  }
}

TEST_CASE("A text of one letter, and an empty one, are a sound page or refused") {
  for (const Lab& lab : tried_labs()) {
    const std::vector<param::Values> all = settings(lab);
    for (std::size_t n = 0; n < all.size(); ++n) {
      const auto state = lab.make();
      param::assign(state->describe(), all[n]);
      const param::List list = state->list();
      for (std::size_t k = 0; k < list.items().size(); ++k) {
        const Parameter& p = list.items()[k];
        const auto* text = std::get_if<param::Text>(&p.kind);
        if (!text || text->words || !p.info.active || !has_its_turn(n, k)) continue;
        for (const char* value : {"a", ""}) {
          CAPTURE(named(lab));
          CAPTURE(std::string(p.info.id));
          CAPTURE(std::string(value));
          const auto changed = state->clone();
          set(*changed, p.info.id, value);
          try {
            check_page(lab, *changed, compute(*changed));
          } catch (const core::InputError& refusal) {
            CHECK_FALSE(std::string(refusal.what()).empty());
          }
        }
      }
    }
  }
}

TEST_CASE("Every entry of a catalogue computes with each of its numbers at both ends") {
  for (const Lab& lab : tried_labs()) {
    const auto state = lab.make();
    const param::List list = state->list();
    for (const Parameter& p : list.items()) {
      const auto* stack = std::get_if<param::Stack>(&p.kind);
      if (!stack) continue;
      const param::Catalogue& catalogue = *stack->catalogue;
      for (int entry = 0; entry < static_cast<int>(catalogue.entries.size()); ++entry) {
        const auto& arguments = catalogue.entries[static_cast<std::size_t>(entry)].arguments;
        for (std::size_t a = 0; a < arguments.size(); ++a) {
          for (const int end : {arguments[a].min, arguments[a].max}) {
            param::StackItem item = param::initial_item(catalogue, entry);
            item.arguments.at(a) = end;
            const std::string text = param::serialize_stack({item}, catalogue);
            CAPTURE(named(lab));
            CAPTURE(text);
            const auto changed = state->clone();
            set(*changed, p.info.id, text);
            check_page(lab, *changed, compute(*changed));
          }
        }
      }
    }
  }
}

// Papers are cited in the page's language, in tables as elsewhere.
void cites_in_chinese(const Page& page) {
  for (const figure::Figure& one : page.figures) {
    for (const figure::Plot& plot : one.plots) {
      for (const figure::Mark& mark : plot.marks) {
        const auto* table = std::get_if<figure::Table>(&mark);
        if (!table) continue;
        for (const auto& row : table->rows) {
          for (const figure::Table::Cell& cell : row) {
            for (const figure::Span& span : cell) {
              CHECK(span.text.find(" et al.") == std::string::npos);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("A page in Chinese, with its example, has the same numbers") {
  const words::Words chinese(words::Language::zh_CN);
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    const auto state = lab.make();
    param::assign(state->describe(), param::read_settings(lab.chinese));
    lab::Memo memo;
    const Page page = state->compute({{}, chinese, memo, {}, 0});
    const Page english = compute(*state);
    check_page(lab, *state, page);
    cites_in_chinese(page);
    REQUIRE(page.readouts.size() == english.readouts.size());
    for (std::size_t k = 0; k < page.readouts.size(); ++k) {
      CHECK(page.readouts[k].value == english.readouts[k].value);
    }
  }
}

TEST_CASE("A computation that is cancelled beforehand does not begin") {
  const words::Words english;
  std::stop_source stop;
  stop.request_stop();
  for (const Lab& lab : tried_labs()) {
    lab::Memo memo;
    bool cancelled = false;
    try {
      lab.make()->compute({core::Cancel(stop.get_token()), english, memo, {}, 0});
    } catch (const core::Cancelled&) {
      cancelled = true;
    }
    CHECK_MESSAGE(cancelled, named(lab) << ": compute: expected context.cancel.poll() before "
                                           "anything else, got a page although it was cancelled");
  }
}

}  // namespace pages_test
