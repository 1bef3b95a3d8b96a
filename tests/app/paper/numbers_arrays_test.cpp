// The numbers of figures as arrays (.npy, .npz), and how much is written at all.
#include <algorithm>
#include <atomic>
#include <stop_token>

#include "app/paper/export_figure.h"
#include "app/paper/numbers/number_formats.h"
#include "app/system/atomic_file.h"
#include "numbers_rig.h"

namespace numbers_arrays_test {

using namespace numbers_rig;

TEST_CASE("NPY of a heatmap, bit for bit") {
  const auto values = odd_values(60);
  const Npy npy = read_npy(exported(
      page_of({test::heatmap_plot("map", std::make_shared<test::PlainSource>(6, 10, values))}),
      "a.npy"));
  CHECK(has(npy.header, "{'descr': '<f4', 'fortran_order': False, 'shape': (6, 10), }"));
  REQUIRE(npy.data.size() == values.size());
  CHECK(std::memcmp(npy.data.data(), values.data(), values.size() * 4) == 0);
}

TEST_CASE("NPY of many rows comes whole and in order, in blocks") {
  const auto source = test::ramp(3000, 1001);  // three blocks of reading
  const Npy npy = read_npy(exported(page_of({test::heatmap_plot("map", source)}), "a.npy"));
  REQUIRE(npy.data.size() == 3003000);
  CHECK(npy.data.front() == source->value(0, 0));
  CHECK(npy.data[1001 * 1500 + 7] == source->value(1500, 7));
  CHECK(npy.data.back() == source->value(2999, 1000));
}

TEST_CASE("NPY of equal heatmaps, bars and lines") {
  const auto a = test::heatmap_plot("a", test::ramp(2, 3));
  const auto b = test::heatmap_plot("b", test::ramp(2, 3));
  const Npy stack = read_npy(exported(page_of({a, b}), "a.npy"));
  CHECK(has(stack.header, "'shape': (2, 2, 3)"));
  CHECK(stack.data.size() == 12);
  CHECK(stack.data[7] == test::ramp(2, 3)->value(0, 1));
  CHECK(has(read_npy(exported(page_of({a, b}), "a.npy", {"b"})).header, "'shape': (2, 3)"));

  figure::Plot bars;
  bars.id = "bars";
  bars.marks.emplace_back(figure::Bars{{1, -2.5, 4}, {}, true, {}, -1});
  const Npy one = read_npy(exported(page_of({bars}), "a.npy"));
  CHECK(has(one.header, "'shape': (3,)"));
  CHECK(one.data == std::vector<float>{1, -2.5f, 4});

  const Npy lines = read_npy(
      exported(page_of({line_plot("l", {line({0, 1}, {2, 3}), line({4, 5}, {6, 7})})}), "a.npy"));
  CHECK(has(lines.header, "'shape': (2, 2, 2)"));
  CHECK(lines.data == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("NPY refuses what is not one array, naming the choices") {
  const auto a = test::heatmap_plot("first", test::ramp(2, 3));
  const auto b = test::heatmap_plot("second", test::ramp(3, 3));
  CHECK(has(refusal(page_of({a, b}), "a.npy"), "first, second"));
  CHECK(has(refusal(page_of({a, b}), "a.npy"), ".npz"));
  CHECK(has(refusal(page_of({}), "a.npy"), "no array"));
  CHECK(has(refusal(page_of({line_plot("l", {line({0, 1}, {2, 3}), line({4}, {6})})}), "a.npy"),
            "differ in length"));
  CHECK(has(refusal(page_of({a}), "a.npy", {"third"}), "\"third\""));
}

namespace {

// The stored files of an archive by name, whose directory must agree with them.
std::map<std::string, std::string> unzipped(const std::string& bytes) {
  const auto number = [&](std::size_t at, std::size_t length) {
    std::size_t value = 0;
    for (std::size_t k = 0; k < length; ++k) {
      value |= static_cast<std::size_t>(static_cast<unsigned char>(bytes.at(at + k))) << (8 * k);
    }
    return value;
  };
  std::map<std::string, std::string> files;
  const std::size_t end = bytes.size() - 22;
  REQUIRE(number(end, 4) == 0x06054b50);
  std::size_t entry = number(end + 16, 4);
  for (std::size_t k = 0; k < number(end + 10, 2); ++k) {
    REQUIRE(number(entry, 4) == 0x02014b50);
    const std::size_t size = number(entry + 24, 4), name = number(entry + 28, 2);
    const std::size_t at = number(entry + 42, 4);
    REQUIRE(number(at, 4) == 0x04034b50);
    const std::size_t data = at + 30 + number(at + 26, 2) + number(at + 28, 2);
    files[bytes.substr(entry + 46, name)] = bytes.substr(data, size);
    CHECK(number(data + size, 4) == 0x08074b50);
    CHECK(number(data + size + 4, 4) == number(entry + 16, 4));  // the checksum
    entry += 46 + name;
  }
  return files;
}

}  // namespace

TEST_CASE("NPZ holds every array of several, each as an NPY") {
  figure::Plot bars;
  bars.id = "bars";
  bars.marks.emplace_back(figure::Bars{{1, -2.5, 4}, {}, true, {}, -1});
  figure::Plot both = line_plot("l", {line({0, 1}, {2, 3}), line({4}, {5})});
  both.marks.emplace_back(figure::Points{.x = {7}, .y = {8}});
  const auto map = test::heatmap_plot("map", test::ramp(2, 3));
  const auto files = unzipped(exported(page_of({map, bars, both}), "a.npz"));
  REQUIRE(files.size() == 5);
  CHECK(has(read_npy(files.at("map.npy")).header, "'shape': (2, 3)"));
  CHECK(read_npy(files.at("bars.npy")).data == std::vector<float>{1, -2.5f, 4});
  CHECK(read_npy(files.at("l.lines_1.npy")).data == std::vector<float>{0, 1, 2, 3});
  CHECK(has(read_npy(files.at("l.lines_2.npy")).header, "'shape': (2, 1)"));
  CHECK(has(read_npy(files.at("l.points.npy")).header, "'shape': (1, 2, 1)"));
  CHECK(has(refusal(page_of({}), "a.npz"), "no array"));
}

namespace {

// Says that it is large; its cells are never asked for.
class Vast final : public figure::TileSource {
 public:
  core::Index rows() const override { return 100'000; }
  core::Index cols() const override { return 100'000; }
  float value(core::Index, core::Index) const override { return 0; }
  void pooled(int, const core::Region&, core::Pool, float*, const core::Cancel&) const override {
    throw std::logic_error("asked for cells");
  }
  double cost(int, const core::Region&, core::Pool) const override { return 1e12; }
};

}  // namespace

TEST_CASE("a heatmap too large for text is refused, with the way out") {
  const lab::Page page = page_of({test::heatmap_plot("vast", std::make_shared<Vast>())});
  CHECK(has(refusal(page, "a.json"), "export it as .npy"));
  CHECK(has(refusal(page, "a.csv"), "export it as .npy"));
}

namespace {

// As many cells as are asked for, all alike.
class Endless final : public figure::TileSource {
 public:
  explicit Endless(core::Index side) : side_(side) {}
  core::Index rows() const override { return side_; }
  core::Index cols() const override { return side_; }
  float value(core::Index, core::Index) const override { return 0.125f; }
  void pooled(int, const core::Region& region, core::Pool, float* out,
              const core::Cancel&) const override {
    std::fill(out, out + region.rows * region.cols, 0.125f);
  }
  double cost(int, const core::Region&, core::Pool) const override { return 1; }

 private:
  core::Index side_;
};

}  // namespace

TEST_CASE("what would fill any disk is refused before its first byte, and the way out is one") {
  const auto of = [](core::Index side) {
    return page_of({test::heatmap_plot("vast", std::make_shared<Endless>(side))});
  };
  const lab::Page million = of(1'000'000);
  CHECK(refusal(million, "a.npy") ==
        "as .npy this takes 4 TB, more than the limit of 64 GB: make it smaller, or export a "
        "picture (.png, .pdf)");
  for (const char* name : {"a.json", "a.csv"}) {
    const std::string message = refusal(million, name);
    CHECK(has(message, "make it smaller, or export a picture"));
    CHECK_FALSE(has(message, ".npy"));
  }
  CHECK(has(refusal(of(20'000), "a.json"), "export it as .npy, which takes 1.6 GB"));
}

TEST_CASE("how large an export will be is known beforehand, and held against the disk") {
  const test::Folder folder;
  const lab::Page page = page_of({test::heatmap_plot("map", test::ramp(300, 400))});
  for (const char* name : {"a.json", "a.csv", "a.npy"}) {
    CAPTURE(std::string(name));
    paper::export_numbers(page, {}, "", folder / name);
    const double guessed = paper::estimated_bytes(page, {}, folder / name);
    const auto size = static_cast<double>(std::filesystem::file_size(folder / name));
    CHECK(guessed > 0.8 * size);
    CHECK(guessed < 1.2 * size);
  }
  CHECK(paper::estimated_bytes(page, {}, folder / "a.png") == 0);
  try {
    paper::check_room(folder / "a.npy", 4e30);
    FAIL("there is no such disk");
  } catch (const sys::IoError& error) {
    CHECK(has(error.what(), "a.npy: it needs 4e+15 PB, and the disk has "));
    CHECK(has(error.what(), " free"));
  }
  paper::check_room(folder / "a.npy", 1);
  paper::check_room(folder / "none" / "a.npy",
                    4e30);  // writing will say that there is no such folder
}

TEST_CASE("an empty page is refused in every format alike") {
  for (const char* name : {"a.json", "a.csv", "a.npy", "a.npz"}) {
    CHECK(refusal({}, name) == "this page has no figures to export");
  }
}

TEST_CASE(
    "how far it is is told; a cancelled export leaves what was there, and nothing beside it") {
  const lab::Page page = test::heatmap_page();
  for (const char* name : {"a.json", "a.csv", "a.png", "a.pdf", "a.svg"}) {
    CAPTURE(std::string(name));
    const test::Folder folder;
    sys::write_atomically(folder / name, "old");
    std::stop_source stop;
    std::atomic<float> progress = 0;
    stop.request_stop();
    CHECK_THROWS_AS(paper::export_page(page, {}, {}, {}, folder / name,
                                       core::Cancel(stop.get_token(), &progress)),
                    core::Cancelled);
    CHECK(test::read(folder / name) == "old");
    CHECK(folder.files() == 1);
    CHECK(progress < 1);
    paper::export_page(page, {}, {}, {}, folder / name, core::Cancel({}, &progress));
    CHECK(progress == 1);
    CHECK(test::read(folder / name) != "old");
  }
}

}  // namespace numbers_arrays_test
