// The hash of a file's contents: as published, the same for copies with and without holes, and
// another for every byte.
#include "core/io/content_hash.h"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include "io/made_files.h"
#include "system_files.h"

namespace content_hash_test {

namespace {

namespace fs = std::filesystem;

std::uint64_t hash_of(const std::string& text, std::uint64_t seed = 0) {
  return core::xxh64(std::as_bytes(std::span(text)), seed);
}

std::uint64_t of_file(const fs::path& path, int threads = 0) {
  return core::content_hash(core::LargeFile(path), threads);
}

// The same without blocks, threads or a file.
std::uint64_t plainly(const std::string& bytes) {
  const auto number = [](std::uint64_t n) {
    std::string text;
    for (int k = 0; k < 8; ++k) text += static_cast<char>(n >> (8 * k) & 0xff);
    return text;
  };
  std::uint64_t hash = hash_of(number(bytes.size()));
  for (std::size_t k = 0; k * core::kContentBlock < bytes.size(); ++k) {
    const std::string block = bytes.substr(k * core::kContentBlock, core::kContentBlock);
    if (block.find_first_not_of('\0') == block.npos) continue;
    hash = hash_of(number(hash) + number(k) + number(hash_of(block)));
  }
  return hash;
}

std::string numbered(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 7;
  for (char& c : bytes) c = static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
  return bytes;
}

}  // namespace

TEST_CASE("XXH64 is the published one") {
  CHECK(hash_of("") == 0xEF46DB3751D8E999u);
  CHECK(hash_of("a") == 0xD24EC4F1A98C6E5Bu);
  CHECK(hash_of("abc") == 0x44BC2CF5AD770999u);
  // 39 bytes: lanes, eight, four and one.
  CHECK(hash_of("Nobody inspects the spammish repetition") == 0xFBCEA83C8A378BF1u);
  CHECK(hash_of("abc", 1) != hash_of("abc"));
}

TEST_CASE("a file has the hash of its bytes, with any number of threads") {
  const made::Folder folder;
  for (const std::size_t size :
       std::initializer_list<std::size_t>{0, 1, 100, 1 << 20, (1 << 20) + 5, 70 << 20}) {
    CAPTURE(size);
    std::string bytes = numbered(size);
    if (size > (2u << 20)) std::fill(bytes.begin() + (1 << 20), bytes.begin() + (5 << 20), '\0');
    const fs::path path = folder.write("bytes", bytes);
    const std::uint64_t hash = plainly(bytes);
    CHECK(of_file(path, 1) == hash);
    CHECK(of_file(path, 4) == hash);
    if (size == 0) continue;
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      std::string other = bytes;
      other[at] = static_cast<char>(other[at] + 1);
      CHECK(of_file(folder.write("bytes", other)) != hash);
    }
    CHECK(of_file(folder.write("bytes", bytes + '\0')) != hash);
  }
}

TEST_CASE("blocks that change places make another hash") {
  const made::Folder folder;
  const std::string a(core::kContentBlock, 'a'), b(core::kContentBlock, 'b');
  const std::string none(core::kContentBlock, '\0');
  CHECK(of_file(folder.write("x", a + b)) != of_file(folder.write("y", b + a)));
  CHECK(of_file(folder.write("x", a + none)) != of_file(folder.write("y", none + a)));
  CHECK(of_file(folder.write("x", none)) != of_file(folder.write("y", none + none)));
}

TEST_CASE("a hole counts as the zeros that it reads as, and is not read") {
  const made::Folder folder;
  const fs::path sparse = folder.path() / "sparse", full = folder.path() / "full";
  const std::size_t size = (std::size_t{12} << 20) + 77;
  std::string bytes(size, '\0');
  bytes[0] = 'x', bytes[(std::size_t{7} << 20) + 5] = 'y';
  std::ofstream(full) << bytes;
  std::ofstream(sparse) << 'x';
  test::grow(sparse, size);
  std::fstream(sparse, std::ios::in | std::ios::out).seekp((7 << 20) + 5) << 'y';
  CHECK(of_file(sparse) == of_file(full));
  CHECK(of_file(sparse) == plainly(bytes));
  // What a file system that knows holes has to tell; another one has all of it read.
  const core::LargeFile file(sparse);
  const bool knows = file.data_from(1 << 20).begin > (1 << 20);
  CHECK(core::stored_blocks(file) ==
        (knows ? std::vector<std::uint64_t>{0, 7} : core::stored_blocks(core::LargeFile(full))));
  CHECK(core::stored_blocks(core::LargeFile(full)).size() == 13);
  CHECK(core::stored_blocks(core::LargeFile(full), {}, 3) == std::vector<std::uint64_t>{0, 1, 2});
  // 128 GB of which one byte was written.
  test::grow(sparse, std::uintmax_t{128'000'000'000});
  if (knows) {
    const core::LargeFile huge(sparse);
    CHECK(core::stored_blocks(huge) == std::vector<std::uint64_t>{0, 7});
    const std::uint64_t before = core::content_hash(huge);
    std::fstream(sparse, std::ios::in | std::ios::out).seekp(100'000'000'000) << 'z';
    CHECK(of_file(sparse) != before);
  }
}

TEST_CASE("it is cancelled, and tells its share") {
  const made::Folder folder;
  const core::LargeFile file(folder.write("bytes", numbered(std::size_t{200} << 20)));
  std::atomic<std::int64_t> questions = 100;
  CHECK_THROWS_AS(core::content_hash(file, 1, core::Cancel(questions)), core::Cancelled);
  std::atomic<float> progress = 0;
  core::content_hash(file, 0, core::Cancel({}, &progress), {0.5F, 0.75F});
  CHECK(progress.load() > 0.6F);
  CHECK(progress.load() < 0.75F);
}

}  // namespace content_hash_test
