// Points from a file.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "pooling_rig.h"

namespace pooling_file_test {

using namespace pooling_rig;  // NOLINT: the box under test

TEST_CASE("a file: its names and span; every bad one is refused in a sentence, in both languages") {
  const TempFile file("heights.csv", "height;weight\n180;75\n170;60\n175;70\n");
  Made m;
  m.p.file = file.path();
  const lab::Page page = m.page();
  CHECK(plot_of(page, "data").x.label == "height");
  CHECK(m.model().data->x(0) == 170);
  CHECK(m.model().data->y(2) == 75);
  CHECK(m.model().pooled->queries(0) == 170);
  CHECK(m.model().pooled->queries(49) == 180);
  CHECK(page.status.find(file.name()) != page.status.npos);
  CHECK_FALSE(m.model().data->known);
  // A file that changes is read again, one that does not is not.
  const int runs = m.memo.runs("data");
  m.page();
  CHECK(m.memo.runs("data") == runs);
  file.write("height;weight\n180;75\n170;60\n175;70\n190;99\n");
  CHECK(m.model().data->size() == 4);
  const auto refused = [&](const std::string& text) {
    file.write(text);
    std::string sentence = refusal(m);
    // The file with its folder comes first.
    const auto at = sentence.find(file.name());
    REQUIRE(at != std::string::npos);
    REQUIRE(sentence.front() == '/');
    return sentence.substr(at + file.name().size());
  };
  CHECK(refused("") == ": expected lines of two numbers, got none");
  CHECK(refused("1,2\n3\n") == ", line 2: expected 2 columns, got 1");
  CHECK(refused("1,2\n\n3,4\n") == ", line 2: expected 2 columns, got an empty line");
  CHECK(refused("1,2\n3,nan\n") ==
        ", line 2: expected a finite number that fits into a double, got \"nan\"");
  CHECK(refused("1,2\nx,3\n") == ", line 2: expected a number, got \"x\"");
  CHECK(refused("1,2\n\xff,3\n") == ", line 2: expected UTF-8 text, got the byte 0xff");
  CHECK(refused(std::string(70'000, '7')) ==
        ", line 1: expected at most 65536 bytes, got a longer line");
  CHECK(refused("1,2\n1e200,3\n") == ": expected numbers from -1e100 to 1e100, got 1e+200");
  m.p.file = "/no/such/file.csv";
  CHECK(refusal(m) == "cannot read /no/such/file.csv: there is no such file or folder");
  const test::Folder folder;
  m.p.file = folder.path().string();
  CHECK(refusal(m).find("it is a folder") != std::string::npos);
  // One place, one row: still a page.
  for (const char* text : {"3,4\n", "3,4\n3,5\n", "1e99,1\n-1e99,-1\n"}) {
    file.write(text);
    m.p.file = file.path();
    for (const char* method : {"average", "kernel", "parametric"}) {
      m.set({{"method", method}});
      CHECK(std::isfinite(readout(m.page(), "prediction")));
    }
  }
}

TEST_CASE("columns of a file are chosen by their names, which the page tells") {
  const TempFile file("wide.csv", "name,height,weight,age\nAda,1.7,60,36\nBob,1.8,75,41\n");
  Made m;
  m.p.file = file.path();
  const auto known = [&](const lab::Page& page, const char* id) {
    const param::Found& found = page.found.at(id);
    CHECK(found.of == file.path());
    std::string names;
    for (const param::Named& one : *found.names) names += one.id + "/" + one.label + " ";
    return names;
  };
  // The first two are no numbers: nothing to show, but what there is to choose from.
  lab::Page page = m.page();
  CHECK(page.fault.in_english().ends_with("line 2: expected a number, got \"Ada\""));
  CHECK(page.figures.empty());
  CHECK(known(page, "x_column") == "name/ height/ weight/ age/ ");
  CHECK(known(page, "y_column") == known(page, "x_column"));
  m.set({{"x_column", "age"}, {"y_column", "height"}});
  page = m.page();
  CHECK(page.fault.empty());
  CHECK(m.model().data->x(1) == 41);
  CHECK(m.model().data->y(1) == 1.8);
  CHECK(plot_of(page, "data").x.label == "age");
  CHECK(known(page, "x_column") == "name/ height/ weight/ age/ ");
  // One that is gone is kept, and said.
  file.write("name,height,weight\nAda,1.7,60\nBob,1.8,75\n");
  page = m.page();
  CHECK(page.fault.in_english() == file.path() + ": there is no column \"age\"");
  CHECK(known(page, "x_column") == "name/ height/ weight/ ");
  CHECK(m.p.x_column == "age");
  m.set({{"x_column", ""}, {"y_column", "weight"}});
  m.p.x_column = "height";
  CHECK(m.page().fault.empty());
  file.write("1,2,3\n4,5,6\n");
  m.set({{"x_column", ""}, {"y_column", "column 3"}});
  page = m.page();
  CHECK(m.model().data->y(1) == 6);
  CHECK(known(page, "y_column") == "column 1/column 1 column 2/column 2 column 3/column 3 ");
  m.words = words::Words(words::Language::zh_CN);
  CHECK(known(m.page(), "y_column") == "column 1/第 1 列 column 2/第 2 列 column 3/第 3 列 ");
  m.p.file.clear();
  CHECK(m.page().found.empty());
}

TEST_CASE("names of another file are not taken for this one's") {
  const TempFile one("one.csv", "a,b,c\n1,2,3\n4,5,6\n");
  const auto state = lab::find("pooling").make();
  param::assign(state->describe(), {{"file", one.path()}, {"x_column", "c"}});
  const auto names = [&] {
    const param::List list = state->list();
    for (const param::Parameter& p : list.items()) {
      if (p.info.id == "x_column") return std::get<param::Name>(p.kind);
    }
    throw std::logic_error("no x_column");
  };
  const words::Words english;
  lab::Memo memo;
  const auto computed = [&] { return state->compute({{}, english, memo, {}, 1}); };
  CHECK(names().names == nullptr);
  state->learn(computed().found);
  REQUIRE(names().names);
  CHECK(names().at() == 2);
  CHECK(state->clone()->list().find("x_column")->info.active);
  const TempFile other("other.csv", "a,b\n1,2\n4,5\n");
  param::assign(state->describe(), {{"file", other.path()}});
  CHECK(names().names == nullptr);  // until its page is there
  CHECK_NOTHROW(param::require_names(state->list()));
  state->learn(computed().found);
  CHECK(names().missing());
  CHECK_THROWS_WITH_AS(param::require_names(state->list()), "x_column: expected one of a, b, got c",
                       param::Refusal);
  CHECK(state->list().find("x_column")->info.active);
  CHECK(param::serialize(*state->list().find("x_column")) == "c");
}

}  // namespace pooling_file_test
