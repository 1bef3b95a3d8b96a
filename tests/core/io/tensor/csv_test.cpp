#include "core/io/tensor/csv.h"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "folder.h"

namespace csv_test {

namespace {

core::NumberPairs read(const std::string& text, const core::CsvLimits& limits = {}) {
  std::istringstream in(text);
  return core::read_number_pairs(in, "data.csv", {}, limits);
}

std::string sentence(const std::string& text, const core::CsvLimits& limits = {}) {
  try {
    read(text, limits);
  } catch (const core::InputError& e) {
    return e.what();
  }
  return "nothing was refused";
}

// The columns x and y of a text.
core::NumberPairs chosen(const std::string& text, const core::CsvChoice& choice) {
  std::istringstream in(text);
  return core::read_number_pairs(in, "data.csv", choice);
}

std::string why_not(const std::string& text, const core::CsvChoice& choice) {
  try {
    chosen(text, choice);
  } catch (const core::InputError& e) {
    return e.what();
  }
  return "nothing was refused";
}

// The names of a text's columns; those that are no header's in brackets.
std::string columns(const std::string& text) {
  std::istringstream in(text);
  std::string names;
  for (const core::CsvColumn& column : core::csv_columns(in, "data.csv")) {
    names += column.from_header ? column.name + " " : "[" + column.name + "] ";
  }
  return names;
}

core::VectorD vector(std::initializer_list<double> values) {
  core::VectorD v(static_cast<core::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

}  // namespace

TEST_CASE("pairs are read whatever the separator, with and without a header") {
  for (const std::string separator : {",", ";", "\t", " , "}) {
    const auto pairs = read("1" + separator + "2.5\n-3e2" + separator + "+.25\n");
    CHECK(pairs.x == vector({1, -300}));
    CHECK(pairs.y == vector({2.5, 0.25}));
    CHECK(pairs.x_name.empty());
  }
  const auto named =
      read("\xef\xbb\xbf\"height\";\"weight\"\r\n170;60.5\r\n 180 ; 75 \r\n\r\n\r\n");
  CHECK(named.x_name == "height");
  CHECK(named.y_name == "weight");
  CHECK(named.x == vector({170, 180}));
  CHECK(named.y == vector({60.5, 75}));
  CHECK(read("1,2").x.size() == 1);  // no end of line at the end
  // A comma is no separator where a semicolon is one.
  CHECK(read("a, b;c\n1;2").x_name == "a, b");
  CHECK(read("身高,体重\n1,2").x_name == "身高");
}

TEST_CASE("every broken file gets one sentence with its line") {
  CHECK(sentence("") == "data.csv: expected lines of two numbers, got none");
  CHECK(sentence("\n\n") == "data.csv: expected lines of two numbers, got none");
  CHECK(sentence("x,y\n") == "data.csv: expected lines of two numbers, got none");
  CHECK(sentence("1,2\n3\n") == "data.csv, line 2: expected 2 columns, got 1");
  CHECK(sentence("1,2\n3,4,5\n") == "data.csv, line 2: expected 2 columns, got 3");
  CHECK(sentence("1,2\n\n3,4\n") == "data.csv, line 2: expected 2 columns, got an empty line");
  CHECK(sentence("x,y\n1,two\n") == "data.csv, line 2: expected a number, got \"two\"");
  CHECK(sentence("x,y\n1,\n") == "data.csv, line 2: expected a number, got \"\"");
  CHECK(sentence("1,y\n") == "data.csv, line 1: expected a number, got \"y\"");
  CHECK(sentence(",\n") == "data.csv, line 1: expected a number, got \"\"");
  CHECK(sentence("a,b\nc,d\n") == "data.csv, line 2: expected a number, got \"c\"");
  CHECK(sentence("0x10,1\n") == "data.csv, line 1: expected a number, got \"0x10\"");
  CHECK(sentence("1,2\n3,--4\n") == "data.csv, line 2: expected a number, got \"--4\"");
  for (const std::string bad : {"nan", "-inf", "1e999", "1e-999"}) {
    CHECK(sentence("1,2\n" + bad + ",4\n") ==
          "data.csv, line 2: expected a finite number that fits into a double, got \"" + bad + '"');
  }
  CHECK(sentence("1,2\n3,\xff\n") == "data.csv, line 2: expected UTF-8 text, got the byte 0xff");
  const std::string cut = sentence("1,2\n3,七七七七七七七七七七七七七七七七七七七七七七七七\n");
  CHECK(cut ==
        "data.csv, line 2: expected a number, got \"七七七七七七七七七七七七七七七七七七七七…\"");
  CHECK(sentence("1,2\n3,\x1b[2Jred\n") ==
        "data.csv, line 2: expected a number, got \"\\x1b[2Jred\"");
}

TEST_CASE("decimal commas are read where no comma separates, and never taken for a header") {
  const auto pairs = read("1,5;2,5\n3;4\n-5,25;+6e1\n");
  CHECK(pairs.x == vector({1.5, 3, -5.25}));
  CHECK(pairs.y == vector({2.5, 4, 60}));
  CHECK(pairs.decimal_comma);
  CHECK_FALSE(pairs.header);
  CHECK(pairs.separator == ';');
  CHECK(read("x\ty\n1,5\t2\n").x == vector({1.5}));
  const auto plain = read("a,b\n1.5,2.5\n");
  CHECK(plain.header);
  CHECK_FALSE(plain.decimal_comma);
  // Fifteen hundred or one and a half?
  CHECK(sentence("1,500;2.5\n") ==
        "data.csv: expected decimal points or decimal commas, got a comma in line 1 and a point in "
        "line 1");
  CHECK(sentence("1.5;2\n3;4\n5,0;6\n").find("a comma in line 3 and a point in line 1") !=
        std::string::npos);
  CHECK(sentence("1,234,567;2\n") == "data.csv, line 1: expected a number, got \"1,234,567\"");
  // What begins like a number is none of a header's names.
  CHECK(sentence("1_000;2_000\n3;4\n") == "data.csv, line 1: expected a number, got \"1_000\"");
  CHECK(sentence("12 km;13 km\n1;2\n") == "data.csv, line 1: expected a number, got \"12 km\"");
}

TEST_CASE("what stands in quotes is one cell, whatever separates cells") {
  const auto pairs = read("\"1,5\",\"2,5\"\n\"3\",4\n");
  CHECK(pairs.x == vector({1.5, 3}));
  CHECK(pairs.y == vector({2.5, 4}));
  CHECK(pairs.separator == ',');
  CHECK(pairs.decimal_comma);
  CHECK(columns("\"height, in m\",weight\n") == "height, in m weight ");
  CHECK(columns("\"a;b\",c\n") == "a;b c ");
  CHECK(columns("\"a \"\"b\"\", c\",d\n") == "a \"b\", c d ");
  CHECK(read("\"1,5\";\"2,5\"\n").separator == ';');
  // A quote that ends nowhere is a letter.
  CHECK(columns("5-inch\" disc,b\" c,x\n") == "[column 1] [column 2] [column 3] ");
  CHECK(columns("a\" disc,b\" c,x\n") == "a\" disc b\" c x ");
  CHECK(sentence("\"1,2\n3,4\n") == "data.csv, line 1: expected a number, got \"\"1\"");
}

TEST_CASE("two columns are chosen by name, and what the others hold does not matter") {
  const std::string table = "name,height,age,weight\nAda,1.7,36,60\nBob,1.8,nan,75\n";
  CHECK(columns(table) == "name height age weight ");
  const auto pairs = chosen(table, {"weight", "height"});
  CHECK(pairs.x == vector({60, 75}));
  CHECK(pairs.y == vector({1.7, 1.8}));
  CHECK(pairs.x_name == "weight");
  CHECK(pairs.y_name == "height");
  CHECK(pairs.header);
  CHECK(chosen(table, {"height", "height"}).y == vector({1.7, 1.8}));
  // What is chosen is read as strictly as ever.
  CHECK(why_not(table, {}) == "data.csv, line 2: expected a number, got \"Ada\"");
  CHECK(why_not(table, {"height", "age"}) ==
        "data.csv, line 3: expected a finite number that fits into a double, got \"nan\"");
  CHECK(why_not(table, {"height", "size"}) == "data.csv: there is no column \"size\"");
  CHECK(why_not("a,b,c\n1,2,3\n1,2\n", {"a", "c"}) ==
        "data.csv, line 3: expected 3 columns, got 2");
  CHECK(why_not("a,b,c\n1,2,3\n\n1,2,3\n", {"a", "c"}) ==
        "data.csv, line 3: expected 3 columns, got an empty line");
  // A decimal comma in a column that is not read leaves the others alone.
  CHECK(chosen("1,5;2.5;3\n", {"column 2", "column 3"}).x == vector({2.5}));
  CHECK(chosen("1;2;3\n4;5;6\n", {"", "column 3"}).y == vector({3, 6}));
}

TEST_CASE("every column has a name of its own") {
  CHECK(columns("1,2,3\n") == "[column 1] [column 2] [column 3] ");
  CHECK(columns("\n\na;b\n") == "a b ");
  CHECK(columns("x,,x,y\n") == "x [column 2] [column 3] y ");
  CHECK(columns("column 3,column 2,,\n") == "column 3 column 2 [column 3'] [column 4] ");
  CHECK(columns("column 2,,column 2'\n") == "column 2 [column 2'] [column 3] ");
  CHECK(columns("Ada,1.5,x\n") == "[column 1] [column 2] [column 3] ");  // a number: no header
  for (const char* none : {"", "\n\n"}) {
    CHECK_THROWS_WITH_AS(columns(none), "data.csv: expected lines of two numbers, got none",
                         core::InputError);
  }
  CHECK_THROWS_WITH_AS(columns("1\n"), "data.csv, line 1: expected at least 2 columns, got 1",
                       core::InputError);
}

TEST_CASE("limits: rows beyond them and endless lines are refused without reading on") {
  CHECK(read("1,1\n2,2\n3,3\n", {3, 4096}).x.size() == 3);
  CHECK(sentence("x,y\n1,1\n2,2\n3,3\n4,4\n", {3, 4096}) ==
        "data.csv: expected at most 3 rows, got more");
  CHECK(sentence(std::string(70'000, '1')) ==
        "data.csv, line 1: expected at most 65536 bytes, got a longer line");
  CHECK(sentence(std::string(5000, '1'), {3, 4096}) ==
        "data.csv, line 1: expected at most 4096 bytes, got a longer line");
  // What comes after the limit is never looked at: here it would be no number.
  CHECK(sentence("1,1\n2,2\n3,3\nnot, read\n", {2, 4096}) ==
        "data.csv: expected at most 2 rows, got more");
}

TEST_CASE("a million rows are read, ten million refused, in moderate time" *
          doctest::test_suite("long")) {
  struct Rows : std::streambuf {
    explicit Rows(long count) : left(count) {}
    int underflow() override {
      if (left == 0) return traits_type::eof();
      --left;
      setg(row, row, row + 8);
      return row[0];
    }
    char row[9] = "0.5,1.5\n";
    long left;
  };
  Rows million(1'000'000), ten(10'000'000);
  std::istream in(&million), many(&ten);
  CHECK(core::read_number_pairs(in, "m").x.size() == 1'000'000);
  CHECK_THROWS_WITH_AS(core::read_number_pairs(many, "m"),
                       "m: expected at most 1000000 rows, got more", core::InputError);
  CHECK(ten.left > 8'990'000);
}

TEST_CASE("files: what is none, and a cancelled reading") {
  namespace fs = std::filesystem;
  const test::Folder made;
  const fs::path& folder = made.path();
  std::ofstream(folder / "good.csv") << "x,y\n1,2\n";
  CHECK(core::read_number_pairs(folder / "good.csv").y(0) == 2);
  const auto why = [](const fs::path& path) {
    try {
      core::read_number_pairs(path);
    } catch (const core::InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const auto cannot = [&](const fs::path& path, const std::string& reason) {
    return "cannot read " + path.string() + ": " + reason;
  };
  CHECK(why(folder / "none.csv") == cannot(folder / "none.csv", "there is no such file or folder"));
  CHECK(why(folder) == cannot(folder, "it is a folder"));
  std::stop_source stop;
  stop.request_stop();
  std::string rows;
  for (int k = 0; k < 5000; ++k) rows += "1,2\n";
  std::istringstream in(rows);
  CHECK_THROWS_AS(core::read_number_pairs(in, "rows", {}, {}, core::Cancel(stop.get_token())),
                  core::Cancelled);
}

}  // namespace csv_test
