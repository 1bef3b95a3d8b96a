#include "core/io/csv.h"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <sstream>

using core::CsvError;
using Problem = core::CsvError::Problem;

namespace {

core::NumberPairs read(const std::string& text, const core::CsvLimits& limits = {}) {
  std::istringstream in(text);
  return core::read_number_pairs(in, "data.csv", limits);
}

struct Refused {
  std::string sentence;
  Problem problem;
  core::Index line;
};

Refused refused(const std::string& text, const core::CsvLimits& limits = {}) {
  try {
    read(text, limits);
  } catch (const CsvError& e) {
    return {e.what(), e.problem, e.line};
  }
  return {"nothing was refused", Problem::missing, -1};
}

std::string sentence(const std::string& text) { return refused(text).sentence; }

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
  CHECK(sentence("1,5;2,3\n1,6;2,4\n") == "data.csv, line 2: expected a number, got \"1,6\"");
  CHECK(sentence("0x10,1\n") == "data.csv, line 1: expected a number, got \"0x10\"");
  CHECK(sentence("1,2\n3,--4\n") == "data.csv, line 2: expected a number, got \"--4\"");
  for (const std::string bad : {"nan", "-inf", "1e999", "1e-999"}) {
    CHECK(sentence("1,2\n" + bad + ",4\n") ==
          "data.csv, line 2: expected a finite number that fits into a double, got \"" + bad + '"');
  }
  CHECK(sentence("1,2\n3,\xff\n") == "data.csv, line 2: expected UTF-8 text, got the byte 0xff");
  const std::string cut = sentence("1,2\n3,七七七七七七七七七七七七\n");
  CHECK(cut == "data.csv, line 2: expected a number, got \"七七七七七七七七…\"");
  CHECK(refused("1,2\n3\n").problem == Problem::ragged);
  CHECK(refused("1,2\n3\n").line == 2);
}

TEST_CASE("limits: rows beyond them and endless lines are refused without reading on") {
  CHECK(read("1,1\n2,2\n3,3\n", {3, 4096}).x.size() == 3);
  CHECK(refused("x,y\n1,1\n2,2\n3,3\n4,4\n", {3, 4096}).sentence ==
        "data.csv: expected at most 3 rows, got more");
  CHECK(refused(std::string(5000, '1')).sentence ==
        "data.csv, line 1: expected at most 4096 bytes, got a longer line");
  // What comes after the limit is never looked at: here it would be no number.
  CHECK(refused("1,1\n2,2\n3,3\nnot, read\n", {2, 4096}).problem == Problem::too_many);
}

TEST_CASE("a million rows are read, ten million refused, in moderate time") {
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
                       "m: expected at most 1000000 rows, got more", CsvError);
  CHECK(ten.left > 8'990'000);
}

TEST_CASE("files: what is none, and a cancelled reading") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "attnscope_csv_test";
  fs::create_directories(folder);
  std::ofstream(folder / "good.csv") << "x,y\n1,2\n";
  CHECK(core::read_number_pairs(folder / "good.csv").y(0) == 2);
  CHECK_THROWS_WITH_AS(core::read_number_pairs(folder / "none.csv"),
                       "none.csv: there is no such file", CsvError);
  CHECK_THROWS_WITH_AS(core::read_number_pairs(folder),
                       "attnscope_csv_test: expected a file, got a directory or a device",
                       CsvError);
  fs::remove_all(folder);
  std::stop_source stop;
  stop.request_stop();
  std::string rows;
  for (int k = 0; k < 5000; ++k) rows += "1,2\n";
  std::istringstream in(rows);
  CHECK_THROWS_AS(core::read_number_pairs(in, "rows", {}, core::Cancel(stop.get_token())),
                  core::Cancelled);
}
