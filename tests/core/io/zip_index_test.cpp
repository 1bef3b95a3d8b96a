#include "core/io/zip_index.h"

#include <doctest/doctest.h>

#include <string>

#include "io/made_files.h"

namespace zip_index_test {

namespace {

const std::string kArray = made::npy("<f4", "(2,)", std::string(8, '\x3f'));

std::string npz_complaint(const std::string& bytes) {
  const made::Folder folder;
  return made::why_not(folder, folder.write("a.npz", bytes));
}

std::string with(std::string bytes, std::size_t at, const std::string& other) {
  return bytes.replace(at, other.size(), other);
}

}  // namespace

TEST_CASE("the directory says where everything is") {
  const made::Folder folder;
  const std::string bytes = made::zip(
      {made::stored("x.npy", kArray), made::stored("notes/", ""), made::deflated("y.npy", kArray)});
  const core::LargeFile file(folder.write("a.npz", bytes + ""));
  const auto entries = core::read_zip_index(file);
  REQUIRE(entries.size() == 2);  // no folder
  CHECK(entries[0].name == "x.npy");
  CHECK_FALSE(entries[0].deflated);
  CHECK(entries[0].begin == 30 + 5);
  CHECK(entries[0].size == kArray.size());
  CHECK(entries[1].deflated);
  CHECK(entries[1].packed == kArray.size() + 5);
  CHECK(bytes.substr(entries[1].begin + 5, kArray.size()) == kArray);
}

TEST_CASE("a comment may follow the directory, also one with an end of its own") {
  const made::Folder folder;
  std::string bytes = made::zip({made::stored("x.npy", kArray)});
  const std::string comment = "see " + made::end_record(1, 2, 3) + " above";
  bytes.replace(bytes.size() - 2, 2, made::little(comment.size(), 2));
  const core::LargeFile file(folder.write("a.npz", bytes + comment));
  CHECK(core::read_zip_index(file).size() == 1);
}

TEST_CASE("zip64: numbers that do not fit stand in fields of 8 bytes") {
  const made::Folder folder;
  const made::Entry entry = made::stored("x.npy", kArray);
  const std::string body = made::local_header(entry) + kArray;
  const std::string directory = made::central_header(entry, kArray.size(), 0, true);
  const std::string end = made::end_records_64(1, directory.size(), body.size());
  const auto file = core::open_tensors(folder.write("a.npz", body + directory + end));
  REQUIRE(file->tensors.size() == 1);
  CHECK(file->tensors[0].shape == std::vector<core::Index>{2});
  const std::string no_locator = made::end_record(0xffff, 0xffffffff, 0xffffffff);
  CHECK(npz_complaint(body + directory + no_locator) ==
        "a.npz: expected a zip64 archive, got no zip64 end of its directory");
  CHECK(npz_complaint(body + directory + made::end_records_64(1, directory.size(), 1ull << 60)) ==
        "a.npz: expected a zip64 archive, got no zip64 end of its directory");
}

TEST_CASE("what is no archive, or a part of one") {
  const std::string good = made::zip({made::stored("x.npy", kArray)});
  const std::string no_end = "a.npz: expected a zip archive, got no end of its directory";
  CHECK(npz_complaint("") == no_end);
  CHECK(npz_complaint(kArray) == no_end);
  CHECK(npz_complaint(good.substr(0, good.size() - 1)) == no_end);
  CHECK(npz_complaint(good + "x") == no_end);
  const std::size_t end = good.size() - 22;
  CHECK(npz_complaint(with(good, end + 4, made::little(2, 2))) ==
        "a.npz: expected a zip archive in one file, got part 2 of several");
  CHECK(npz_complaint(made::zip({})) ==
        "a.npz: expected arrays (entries that end in .npy), got none");
  CHECK(npz_complaint(made::zip({made::stored("notes.txt", "hello")})) ==
        "a.npz: expected arrays (entries that end in .npy), got none");
}

TEST_CASE("a directory that lies outside of the file, or is damaged") {
  const std::string good = made::zip({made::stored("x.npy", kArray)});
  const std::string size = std::to_string(good.size());
  const std::size_t end = good.size() - 22, directory = end - 51;
  const std::string outside = "a.npz: expected a directory within its " + size + " bytes, got ";
  CHECK(npz_complaint(with(good, end + 12, made::little(4'000'000'000, 4))) ==
        outside + "4000000000 bytes from " + std::to_string(directory) + " on");
  CHECK(npz_complaint(with(good, end + 16, made::little(4'000'000'000, 4))) ==
        outside + "51 bytes from 4000000000 on");
  CHECK(npz_complaint(with(good, directory, "xx")) ==
        "a.npz: expected 1 entries in its directory, got a damaged one at number 1");
  CHECK(npz_complaint(with(good, end + 10, made::little(3, 2))) ==
        "a.npz: expected 3 entries in its directory, got a damaged one at number 2");
  CHECK(npz_complaint(with(good, directory + 28, made::little(60'000, 2))) ==
        "a.npz: expected 1 entries in its directory, got a damaged one at number 1");
}

TEST_CASE("a directory of more bytes than any has") {
  const made::Folder folder;
  const std::uint64_t bytes = core::kMostZipDirectoryBytes + 1;
  const auto path = folder.write("a.npz", "");
  std::filesystem::resize_file(path, bytes);
  std::ofstream(path, std::ios::binary | std::ios::app) << made::end_record(9, bytes, 0);
  CHECK(made::why_not(folder, path) ==
        "a.npz: expected a directory of at most 67108864 bytes, got 67108865");
}

TEST_CASE("entries that cannot be read") {
  const auto complaint = [](const made::Entry& entry) { return npz_complaint(made::zip({entry})); };
  const std::string where = "a.npz, entry \"x.npy\": expected ";
  made::Entry entry = made::stored("x.npy", kArray);
  entry.flags = 1;
  CHECK(complaint(entry) == where + "an unencrypted file, got an encrypted one");
  entry.flags = 1 << 6 | 1;
  CHECK(complaint(entry) == where + "an unencrypted file, got an encrypted one");
  entry = made::stored("x.npy", kArray);
  for (const int method : {1, 9, 12, 14, 93, 99}) {
    entry.method = method;
    CHECK(complaint(entry) ==
          where + "it stored or deflated, got compression method " + std::to_string(method));
  }
  entry = made::stored("x.npy", kArray);
  entry.size += 3;
  CHECK(complaint(entry) == where + std::to_string(kArray.size() + 3) + " stored bytes, got " +
                                std::to_string(kArray.size()));
  CHECK(npz_complaint(made::zip({made::stored("x\xff.npy", kArray)})) ==
        "a.npz: expected names in UTF-8, got \"x\\xff.npy\"");
}

TEST_CASE("names twice") {
  CHECK(npz_complaint(made::zip({made::stored("x.npy", kArray), made::stored("y.npy", kArray),
                                 made::deflated("x.npy", kArray)})) ==
        "a.npz: expected each name once, got \"x.npy\" twice");
}

TEST_CASE("zip bombs: more than deflate can make, and the same bytes for several") {
  made::Entry bomb = made::deflated("x.npy", kArray);
  bomb.size = 1ull << 31;
  CHECK(npz_complaint(made::zip({bomb})) ==
        "a.npz, entry \"x.npy\": expected at most 1032 times its " +
            std::to_string(bomb.packed.size()) + " bytes, got 2147483648: deflate cannot do that");
  // Within what deflate can do, it is what the array's header says or nothing.
  bomb.size = 1032 * bomb.packed.size();
  CHECK(npz_complaint(made::zip({bomb})) ==
        "a.npz, entry \"x.npy\": expected 8 bytes of float32 for the shape (2), got " +
            std::to_string(bomb.size - kArray.size() + 8));

  const made::Entry x = made::stored("x.npy", kArray), y = made::stored("y.npy", kArray);
  const std::string inner = made::local_header(y) + kArray;
  const made::Entry outer = made::stored("x.npy", inner);
  const std::string body = made::local_header(outer) + inner;
  const std::string directory =
      made::central_header(outer, inner.size(), 0) + made::central_header(y, kArray.size(), 35);
  CHECK(npz_complaint(body + directory + made::end_record(2, directory.size(), body.size())) ==
        "a.npz, entry \"y.npy\": expected bytes of its own, got some of \"x.npy\"");
}

TEST_CASE("entries that lie elsewhere than the directory says") {
  const made::Entry x = made::stored("x.npy", kArray), y = made::stored("y.npy", kArray);
  const std::string body = made::local_header(x) + kArray;
  const auto moved = [&](const made::Entry& entry, std::uint64_t packed, std::uint64_t offset) {
    const std::string directory = made::central_header(entry, packed, offset);
    return npz_complaint(body + directory + made::end_record(1, directory.size(), body.size()));
  };
  const std::string another = ": expected a header as in the directory, got another";
  CHECK(moved(y, kArray.size(), 0) == "a.npz, entry \"y.npy\"" + another);
  CHECK(moved(x, kArray.size(), 1) == "a.npz, entry \"x.npy\"" + another);
  made::Entry other = made::deflated("x.npy", kArray);
  CHECK(moved(other, kArray.size(), 0) == "a.npz, entry \"x.npy\"" + another);
  const std::string before =
      "a.npz, entry \"x.npy\": expected it before byte " + std::to_string(body.size()) + ", got ";
  CHECK(moved(x, kArray.size(), 4'000'000'000) ==
        before + std::to_string(kArray.size()) + " bytes from 4000000000 on");
  other = x;
  other.size += 1;
  CHECK(moved(other, other.size, 0) == before + std::to_string(other.size) + " bytes from 0 on");
}

}  // namespace zip_index_test
