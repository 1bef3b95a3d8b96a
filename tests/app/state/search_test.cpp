#include "app/state/search.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "app/labs/labs.h"
#include "app/lesson/library.h"
#include "app/state/actions.h"
#include "test_lab.h"

namespace search_test {

TEST_CASE("names are searched by every word, whatever the case") {
  const std::vector<param::Named> names = {
      {"layers.0.attn.weight"}, {"layers.1.attn.weight"}, {"Layers.1.mlp"}, {"x", "la 1 身高"}};
  using Found = std::vector<std::size_t>;
  CHECK(state::search(names, "") == Found{0, 1, 2, 3});
  CHECK(state::search(names, "LAYERS 1") == Found{1, 2});
  CHECK(state::search(names, "attn 1") == Found{1});
  CHECK(state::search(names, "身高") == Found{3});
  CHECK(state::search(names, "nothing").empty());
}

TEST_CASE("search finds labs, presets and knobs by every word typed") {
  const state::SearchIndex index(test_lab::labs(), words::Words());
  CHECK(index.find("").empty());
  CHECK(index.find("   ").empty());
  const auto hot = index.find("HOT sc");
  REQUIRE(hot.size() == 1);
  CHECK(hot[0].kind == state::Found::Kind::preset);
  CHECK(hot[0].id == "hot");
  CHECK(hot[0].where == "The first");
  const auto knobs = index.find("temperature");
  REQUIRE(knobs.size() == 2);
  CHECK(knobs[0].kind == state::Found::Kind::knob);
  CHECK(knobs[0].lab == "one");
  CHECK(index.find("second")[0].kind == state::Found::Kind::lab);
  CHECK(index.find("hot nothing").empty());
}

TEST_CASE("what is typed is taken apart into what it asks for") {
  const state::Query divide("Why divide by sqrt(d)?");
  CHECK(divide.count() == 3);
  CHECK(divide.matches("divided by √d_k"));
  CHECK_FALSE(divide.matches("divided by d"));
  CHECK(state::Query("长度外推").count() == 2);
  CHECK(state::Query("长度外推").matches("超出训练长度"));
  CHECK(state::Query("extrapolation").matches("longer than trained"));
  CHECK(state::Query("为什么是257").count() == 1);
  CHECK(state::Query("why").count() == 1);  // nothing else was asked for
  CHECK(state::Query("fp16x").count() == 1);
  CHECK(state::Query("xfp16").matches("xfp16"));
  CHECK_FALSE(state::Query("xfp16").matches("float16"));
  CHECK(state::Query("divide sqrt").count_in("divide") == 1);
}

TEST_CASE("ideas are found in both languages, whichever the window's is") {
  struct Case {
    const char *query, *lab, *preset;  // preset "": the lab itself
  };
  const Case cases[] = {{"divide by sqrt(d)", "multi_head", "saturated"},
                        {"除以根号d", "multi_head", "saturated"},
                        {"why 257", "number_line", "integer"},
                        {"为什么是257", "number_line", "integer"},
                        {"长度外推", "extrapolation", ""},
                        {"length extrapolation", "extrapolation", ""},
                        {"Vaswani", "transformer", ""},
                        {"word order", "absolute", ""}};
  for (const auto language : {words::Language::en, words::Language::zh_CN}) {
    const state::SearchIndex index(lab::all(), words::Words(language));
    for (const Case& one : cases) {
      CAPTURE(one.query);
      const auto found = index.find(one.query);
      const auto wanted = [&](const state::Found& hit) {
        return hit.lab == one.lab && hit.id == one.preset;
      };
      CHECK(std::any_of(found.begin(), found.end(), wanted));
      CHECK(found.size() < 40);
    }
  }
}

TEST_CASE("the best is what is called so, then what begins so, then words that begin so") {
  using Kind = state::Found::Kind;
  const state::SearchIndex index(lab::all(), words::Words());
  const auto first = [&](const char* query) { return index.ranked(query, 60).front(); };
  CHECK(first("masks").lab == "masks");
  CHECK(first("masks").kind == Kind::lab);
  CHECK(first("MASK").kind == Kind::lab);
  CHECK(first("rota").lab == "rotary");
  CHECK(first("position").kind == Kind::lab);  // "Position ids collide" begins so
  CHECK(first("undo").kind == Kind::action);
  CHECK(first("undo").keys == "Ctrl Z");
  CHECK(first("side by side").kind == Kind::lab);
  const auto found = index.ranked("temperature", 60);
  const auto place = [&](auto is_it) {
    return std::find_if(found.begin(), found.end(), is_it) - found.begin();
  };
  const auto begins =
      place([](const state::Found& f) { return f.title == "Temperature evens attention out"; });
  const auto knob = place([](const state::Found& f) { return f.kind == Kind::knob; });
  const auto said =
      place([](const state::Found& f) { return f.title.find("emperature") == std::string::npos; });
  CHECK(begins < knob);  // knobs come last among what begins so
  CHECK(knob < said);
  CHECK(found[static_cast<std::size_t>(knob)].id == "temperature");  // called just so
  CHECK(index.ranked("temperature", 3).size() == 3);
  CHECK(index.ranked("nothing of that kind", 60).empty());
}

TEST_CASE("everything is found by its name in both languages, whichever the window's is") {
  using Kind = state::Found::Kind;
  struct Case {
    const char* query;
    Kind kind;
    const char *lab, *id;
  };
  const Case cases[] = {{"多头注意力", Kind::lab, "multi_head", ""},
                        {"From a mean to attention", Kind::lesson, "pooling", "averaging"},
                        {"从平均到注意力", Kind::lesson, "pooling", "averaging"},
                        {"averaging", Kind::lesson, "pooling", "averaging"},
                        {"重做", Kind::action, "", "redo"},
                        {"redo", Kind::action, "", "redo"},
                        {"clipboard", Kind::action, "", "copy"},
                        {"BigBird", Kind::preset, "masks", "bigbird"},
                        {"温度", Kind::knob, "multi_head", "temperature"},
                        {"RoFormer", Kind::paper, "rotary", nullptr}};
  for (const auto language : {words::Language::en, words::Language::zh_CN}) {
    const state::SearchIndex index(lab::all(), words::Words(language));
    for (const Case& one : cases) {
      CAPTURE(one.query);
      const auto found = index.ranked(one.query, 60);
      CHECK(std::any_of(found.begin(), found.end(), [&](const state::Found& hit) {
        return hit.kind == one.kind && hit.lab == one.lab && (!one.id || hit.id == one.id);
      }));
    }
    // A stop, with the lesson that it is of.
    for (const auto shown : {words::Language::en, words::Language::zh_CN}) {
      const auto& stop = lesson::shipped("rope", shown).stops[4];
      const auto found = index.ranked(stop.title, 5);
      REQUIRE_FALSE(found.empty());
      CHECK(found[0].kind == Kind::stop);
      CHECK(found[0].id == "rope");
      CHECK(found[0].stop == 4);
      CHECK(found[0].title == lesson::shipped("rope", language).stops[4].title);
      CHECK(found[0].where.find(lesson::shipped("rope", language).title) == 0);
    }
  }
}

TEST_CASE("the sidebar's search has lessons and stops, behind labs and before presets and knobs") {
  using Kind = state::Found::Kind;
  const state::SearchIndex index(lab::all(), words::Words());
  const auto found = index.find("rope");
  const auto order = [](Kind kind) {
    const Kind all[] = {Kind::lab, Kind::lesson, Kind::stop, Kind::preset, Kind::knob};
    return std::find(std::begin(all), std::end(all), kind) - std::begin(all);
  };
  CHECK(std::is_sorted(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    return order(a.kind) < order(b.kind);
  }));
  const auto has = [&](Kind kind) {
    return std::any_of(found.begin(), found.end(), [&](auto& f) { return f.kind == kind; });
  };
  CHECK(has(Kind::lesson));
  CHECK(has(Kind::stop));
  CHECK_FALSE(has(Kind::action));
  CHECK_FALSE(has(Kind::paper));
}

TEST_CASE("without a word all actions are listed, then labs") {
  const state::SearchIndex index(lab::all(), words::Words());
  const auto all = index.ranked(" ", 1000);
  CHECK(all.size() == state::actions().size() + lab::all().size());
  CHECK(all.front().kind == state::Found::Kind::action);
  CHECK(all.back().kind == state::Found::Kind::lab);
}

}  // namespace search_test
