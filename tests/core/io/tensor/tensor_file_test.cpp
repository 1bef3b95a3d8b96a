#include "core/io/tensor/tensor_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "core/io/tensor/tensor_view.h"
#include "io/made_files.h"

namespace tensor_file_test {

namespace {

using core::Index;

// Bytes of memory that this process has in use; 0 where the system has no such file.
double resident_bytes() {
  std::ifstream in("/proc/self/status");
  for (std::string key, rest; in >> key; std::getline(in, rest)) {
    double kibibytes = 0;
    if (key == "VmRSS:" && in >> kibibytes) return 1024 * kibibytes;
  }
  return 0;
}

// A file whose middle was never written and takes no room on the disk.
std::filesystem::path sparse(const made::Folder& folder, const std::string& name,
                             const std::string& head, std::uint64_t hole, const std::string& tail) {
  const auto path = folder.write(name, head);
  std::filesystem::resize_file(path, head.size() + hole);
  std::ofstream(path, std::ios::binary | std::ios::app) << tail;
  return path;
}

const std::string kSeven("\x00\x00\xe0\x40", 4);  // a float32

// What is opened, and its last number read, takes no more memory than a few windows.
void check_opened_small(const std::filesystem::path& path, const std::string& name, Index rows,
                        Index cols) {
  const double before = resident_bytes();
  const auto file = core::open_tensors(path);
  const core::Tensor* const tensor = file->find(name);
  REQUIRE(tensor != nullptr);
  CHECK(tensor->shape == std::vector<Index>{rows, cols});
  const core::TensorView view(*tensor);
  CHECK(view.value(0, 0) == 0);
  CHECK(view.value(rows / 2, cols / 2) == 0);
  CHECK(view.value(rows - 1, cols - 1) == 7);
  std::vector<float> row(static_cast<std::size_t>(cols));
  view.read({rows - 1, 0, 1, cols}, row.data());
  CHECK(row.back() == 7);
  CHECK(resident_bytes() - before < 20e6);
}

}  // namespace

TEST_CASE("an .npz of more than 4 GB is indexed without being read") {
  const made::Folder folder;
  const Index rows = 1'200'000, cols = 1000;
  const std::string array =
      made::npy_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1200000, 1000), }\n");
  made::Entry large{"large.npy", "", array.size() + std::uint64_t{4} * rows * cols};
  const made::Entry small = made::stored("small.npy", made::npy("<f4", "(1,)", kSeven));
  const std::uint64_t after = 30 + large.name.size() + large.size;
  // The header of a large entry has its sizes in an extra field, too, which nobody reads.
  const std::string head = made::local_header(large) + array;
  const std::string directory = made::central_header(large, large.size, 0, true) +
                                made::central_header(small, small.size, after, true);
  const std::string body = made::local_header(small) + small.packed;
  const auto path = sparse(
      folder, "a.npz", head, 4u * rows * cols - 4,
      kSeven + body + directory + made::end_records_64(2, directory.size(), after + body.size()));
  REQUIRE(std::filesystem::file_size(path) > 0xffffffffu);
  check_opened_small(path, "large", rows, cols);
  CHECK(core::TensorView(*core::open_tensors(path)->find("small")).value(0, 0) == 7);
}

TEST_CASE("a .safetensors of 20 GB is indexed without being read") {
  const made::Folder folder;
  const Index rows = 50'000, cols = 10'000;  // 2 GB each
  std::string header = "{\"__metadata__\":{\"format\":\"pt\"}";
  for (std::uint64_t k = 0; k < 10; ++k) {
    const std::uint64_t bytes = 2'000'000'000;
    header += ",\"layer." + std::to_string(k) +
              "\":{\"dtype\":\"F32\",\"shape\":[50000,10000],\"data_offsets\":[" +
              std::to_string(k * bytes) + "," + std::to_string((k + 1) * bytes) + "]}";
  }
  const std::string head = made::safetensors(header + "}", "");
  const auto path = sparse(folder, "a.safetensors", head, 20'000'000'000 - 4, kSeven);
  check_opened_small(path, "layer.9", rows, cols);
}

TEST_CASE("files are told by the ending of their name") {
  const made::Folder folder;
  const auto refused = [&](const std::string& name) {
    return made::why_not(folder, folder.write(name, "whatever"));
  };
  const std::string endings =
      ": expected a name that ends in .npy, .npz, .safetensors or .index.json";
  CHECK(refused("a.bin") == "a.bin" + endings);
  CHECK(refused("npy") == "npy" + endings);
  CHECK(refused("a.json") == "a.json" + endings);
  CHECK(made::why_not(folder, folder.path() / "none.npy") ==
        "cannot read none.npy: there is no such file or folder");
  CHECK(made::why_not(folder, folder.path() / "none.npz") ==
        "cannot read none.npz: there is no such file or folder");
}

TEST_CASE("only entries that end in .npy are arrays, named without that") {
  const made::Folder folder;
  const std::string array = made::npy("<f4", "()", kSeven);
  const auto file = core::open_tensors(folder.write(
      "a.npz", made::zip({made::stored("notes.txt", "hello"), made::stored("层/w.npy", array),
                          made::deflated("b.npy", array)})));
  REQUIRE(file->tensors.size() == 2);
  CHECK(file->tensors[0].name == "层/w");
  CHECK(file->tensors[1].name == "b");
  CHECK(core::TensorView(file->tensors[1]).value(0, 0) == 7);
  CHECK(made::why_not(folder, folder.write("b.npz", made::zip({made::stored("x.npy", "hello")}))) ==
        "b.npz, entry \"x.npy\": expected an array that begins with \\x93NUMPY, got \"hello\"");
}

TEST_CASE("an entry that cannot be read is told, and the others are read") {
  const made::Folder folder;
  const auto entry = [](const std::string& name, const std::string& descr, const std::string& shape,
                        const std::string& bytes) {
    return made::stored(name + ".npy", made::npy(descr, shape, bytes));
  };
  const std::string weights = made::npy("<f4", "()", kSeven);
  const auto path = folder.write(
      "a.npz",
      made::zip({entry("when", "<M8[D]", "(1,)", std::string(8, '\0')),
                 made::stored("w.npy", weights), entry("b", "|S2", "(1,)", "ab"),
                 entry("o", "|O", "(1,)", "pickle"),
                 entry("z", "<c8", "(1,)", std::string(8, '\0')), made::stored("x.npy", "hello")}));
  const auto file = core::open_tensors(path);
  REQUIRE(file->tensors.size() == 1);
  CHECK(file->tensors[0].name == "w");
  std::vector<std::string> names;
  for (const core::UnreadEntry& one : file->unread) names.push_back(one.name);
  CHECK(names == std::vector<std::string>{"when", "b", "o", "z", "x"});
  CHECK(file->unread[2].why.in_english().ends_with(
      "a.npz, entry \"o.npy\": expected numbers, got Python objects, which are never unpickled"));
}

TEST_CASE("texts of NumPy's type U are read, whichever their byte order") {
  const made::Folder folder;
  const auto of = [](const std::u32string& text, std::size_t width, bool big) {
    std::string bytes;
    for (std::size_t k = 0; k < width; ++k) {
      std::string one = made::little(k < text.size() ? text[k] : 0, 4);
      if (big) std::reverse(one.begin(), one.end());
      bytes += one;
    }
    return bytes;
  };
  const std::string array = made::npy("<f4", "()", kSeven);
  for (const bool big : {false, true}) {
    const std::string bytes = of(U"[CLS]", 5, big) + of(U"猫", 5, big) + of(U"", 5, big);
    const std::string texts = made::npy(big ? ">U5" : "<U5", "(3,)", bytes);
    for (const bool deflated : {false, true}) {
      const auto path = folder.write(
          "a.npz",
          made::zip({made::stored("w.npy", array), deflated ? made::deflated("tokens.npy", texts)
                                                            : made::stored("tokens.npy", texts)}));
      const auto file = core::open_tensors(path);
      REQUIRE(file->texts.size() == 1);
      CHECK(file->texts[0].name == "tokens");
      CHECK(file->texts[0].texts == std::vector<std::string>{"[CLS]", "猫", ""});
      CHECK(file->unread.empty());
    }
  }
  const auto why = [&](const std::string& descr, const std::string& shape,
                       const std::string& bytes) {
    const auto path =
        folder.write("b.npz", made::zip({made::stored("w.npy", array),
                                         made::stored("t.npy", made::npy(descr, shape, bytes))}));
    const auto file = core::open_tensors(path);
    REQUIRE(file->unread.size() == 1);
    const std::string said = file->unread[0].why.in_english();
    return said.substr(said.find("b.npz"));
  };
  CHECK(why("<U1", "(2, 2)", std::string(16, '\0')) ==
        "b.npz, entry \"t.npy\": expected strings along one axis, got the shape (2, 2)");
  CHECK(why("<U1", "(1,)", made::little(0xd800, 4)) ==
        "b.npz, entry \"t.npy\": expected Unicode strings, got the code point 55296");
  CHECK(why("<U2", "(2,)", std::string(4, '\0')) ==
        "b.npz, entry \"t.npy\": expected 2 strings of 8 bytes each, at most 67108864 bytes in "
        "all, got 4 bytes");
}

TEST_CASE("tensors of types that are not read are told, and the others are read") {
  const made::Folder folder;
  const std::string header =
      "{\"s\":{\"dtype\":\"F8_E4M3\",\"shape\":[4],\"data_offsets\":[0,4]},"
      "\"w\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[4,8]}}";
  const auto file = core::open_tensors(
      folder.write("a.safetensors", made::safetensors(header, std::string(4, '\0') + kSeven)));
  REQUIRE(file->tensors.size() == 1);
  CHECK(core::TensorView(file->tensors[0]).value(0, 0) == 7);
  REQUIRE(file->unread.size() == 1);
  CHECK(file->unread[0].name == "s");
}

TEST_CASE("opening can be cancelled") {
  const auto path =
      std::filesystem::path(ATTNSCOPE_SOURCE_DIR) / "tests/reference/tensors/stored.npz";
  std::atomic<std::int64_t> questions = 5;
  CHECK_THROWS_AS(core::open_tensors(path, core::Cancel(questions)), core::Cancelled);
}

TEST_CASE("a tensor outlives the index that it came from, and keeps its file open") {
  const made::Folder folder;
  core::Tensor tensor;
  {
    const auto path = folder.write("a.npy", made::npy("<f4", "()", kSeven));
    tensor = core::open_tensors(path)->tensors[0];
  }
  CHECK(core::TensorView(tensor).value(0, 0) == 7);
}

}  // namespace tensor_file_test
