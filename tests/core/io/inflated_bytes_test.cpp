#include "core/io/inflated_bytes.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "io/made_files.h"

namespace inflated_bytes_test {

namespace {

// An entry at the beginning of a file of its own.
struct Deflated {
  explicit Deflated(const std::string& packed, std::uint64_t size, std::uint32_t checksum)
      : bytes(std::make_shared<const core::LargeFile>(folder.write("a.npz", packed)),
              {"x.npy", true, 0, 0, packed.size(), size, checksum}) {}

  std::string part(std::uint64_t begin, std::size_t size) const {
    std::string out(size, '?');
    bytes.read(begin, std::as_writable_bytes(std::span(out)), {});
    return out;
  }
  std::string why_not(std::uint64_t begin, std::size_t size) const {
    try {
      part(begin, size);
    } catch (const core::InputError& error) {
      const std::string why = error.what();
      return why.substr(why.find("entry"));
    }
    return "nothing was refused";
  }

  made::Folder folder;
  core::InflatedBytes bytes;
};

// Blocks that hold their bytes as they are, one after another.
std::string in_blocks(const std::string& text) {
  std::string out;
  constexpr std::size_t kBlock = 60'000;
  for (std::size_t at = 0; at < text.size(); at += kBlock) {
    std::string block = made::deflate_stored(text.substr(at, kBlock));
    block[0] = at + kBlock < text.size() ? '\0' : '\1';  // the last one
    out += block;
  }
  return out;
}

std::string noise(std::size_t size) {
  std::mt19937 random(1);
  std::string text(size, ' ');
  for (char& c : text) c = static_cast<char>(random() & 0xff);
  return text;
}

}  // namespace

TEST_CASE("any part of an entry, in any order, forwards and back") {
  const std::string text = noise(5'000'000);  // states are kept on the way
  const Deflated entry(in_blocks(text), text.size(), made::crc32_of(text));
  CHECK(entry.part(0, text.size()) == text);
  std::mt19937_64 random(2);
  int wrong = 0;
  for (int k = 0; k < 200; ++k) {
    const std::size_t begin = random() % text.size();
    const std::size_t size = std::min<std::size_t>(random() % 100'000, text.size() - begin);
    wrong += entry.part(begin, size) != text.substr(begin, size);
  }
  CHECK(wrong == 0);
  CHECK(entry.part(text.size(), 0).empty());
  CHECK_THROWS_AS(entry.part(text.size(), 1), core::InputError);
}

TEST_CASE("what NumPy deflated, from several threads") {
  const auto file = core::open_tensors(std::filesystem::path(ATTNSCOPE_SOURCE_DIR) /
                                       "tests/reference/tensors/deflated.npz");
  const core::Tensor* const tensor = file->find("long");
  REQUIRE(tensor != nullptr);
  CHECK(tensor->deflated);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t k = t; k < 12'000; k += 97) {
        std::byte four[4];
        tensor->bytes->read(tensor->begin + 4 * k, four, {});
        float number = 0;
        core::decode_numbers(tensor->type, false, four, 4, 1, &number);
        wrong[t] += number != 0.75f * static_cast<float>(k) - 4;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("entries that do not inflate to what is said") {
  const std::string text = "fourteen bytes";
  const std::string packed = made::deflate_stored(text);
  const std::uint32_t sum = made::crc32_of(text);
  const std::string where = "entry \"x.npy\": expected ";
  CHECK(Deflated(packed, 14, sum).part(3, 11) == "rteen bytes");
  CHECK(Deflated(packed, 20, sum).why_not(0, 20) == where + "20 bytes when inflated, got 14");
  CHECK(Deflated(packed, 13, sum).why_not(0, 13) == where + "13 bytes when inflated, got more");
  CHECK(Deflated(packed, 13, sum).part(0, 12) == "fourteen byt");
  CHECK(Deflated(packed.substr(0, 9), 14, sum).why_not(0, 14) ==
        where + "deflated bytes, got damaged ones after 4");
  CHECK(Deflated("\x07" + packed, 14, sum).why_not(0, 1) ==
        where + "deflated bytes, got damaged ones after 0");
  CHECK(Deflated("", 14, sum).why_not(0, 1) == where + "deflated bytes, got damaged ones after 0");
  CHECK(Deflated(packed, 14, sum + 1).why_not(0, 14) == where + "bytes with the checksum " +
                                                            std::to_string(sum + 1) + ", got " +
                                                            std::to_string(sum));
  // The same again: a reading that failed leaves nothing behind.
  const Deflated twice(packed, 20, sum);
  CHECK(twice.why_not(0, 20) == twice.why_not(0, 20));
  CHECK(twice.part(0, 8) == "fourteen");
}

}  // namespace inflated_bytes_test
