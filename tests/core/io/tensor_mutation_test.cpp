// Small valid files of every kind, damaged at random but the same way in every run: whatever is in
// a file, it is read or refused in a sentence.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/io/tensor/tensor_view.h"
#include "io/made_files.h"

namespace tensor_mutation_test {

namespace {

using core::Index;

std::string reference_bytes(const std::string& name) {
  return test::read(std::filesystem::path(ATTNSCOPE_SOURCE_DIR) / "tests/reference" / name);
}

// Flips bits, writes other bytes, cuts off, leaves out or repeats a piece.
std::string damaged(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t count) { return count == 0 ? 0 : random() % count; };
  const std::size_t times = 1 + below(4);
  for (std::size_t k = 0; k < times && !bytes.empty(); ++k) {
    const std::size_t at = below(bytes.size());
    const std::size_t size = 1 + below(std::min<std::size_t>(bytes.size() - at, 16));
    switch (below(6)) {
      case 0: bytes.resize(at); break;
      case 1: bytes.erase(at, size); break;
      case 2: bytes.insert(at, bytes.substr(at, size)); break;
      case 3: std::fill_n(bytes.begin() + static_cast<Index>(at), size, '\xff'); break;
      case 4: bytes[at] = static_cast<char>(random() & 0xff); break;
      default: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
    }
  }
  return bytes;
}

// Reads at most 100,000 numbers of each tensor.
void read_what_there_is(const std::filesystem::path& path) {
  const auto file = core::open_tensors(path);
  for (const core::Tensor& tensor : file->tensors) {
    const core::TensorView view(tensor);
    const Index rows = std::min<Index>(view.rows(), 100), cols = std::min<Index>(view.cols(), 1000);
    core::Matrix numbers(rows, cols);
    view.read({view.rows() - rows, view.cols() - cols, rows, cols}, numbers.data());
  }
}

// How many of `count` damaged files are refused.
int refused_of(const made::Folder& folder, const std::string& name, const std::string& whole,
               int count) {
  std::mt19937 random(7);
  int refused = 0;
  for (int k = 0; k < count; ++k) {
    const auto path = folder.write(name, damaged(whole, random));
    try {
      read_what_there_is(path);
    } catch (const core::InputError& error) {
      ++refused;
      CHECK(std::string(error.what()).find('\n') == std::string::npos);
    }
  }
  return refused;
}

}  // namespace

TEST_CASE("damaged files of every kind are read or refused, and never crash" *
          doctest::test_suite("long")) {
  const made::Folder folder;
  const std::string array = made::npy("<f4", "(3, 5)", std::string(60, '\x3f'));
  const std::string shard =
      reference_bytes("checkpoints/llama-gqa-sharded/model-00001-of-00002.safetensors");
  folder.write("model-00001-of-00002.safetensors", shard);
  folder.write("model-00002-of-00002.safetensors",
               reference_bytes("checkpoints/llama-gqa-sharded/model-00002-of-00002.safetensors"));
  const struct File {
    std::string name, bytes;
  } files[] = {
      {"a.npy", array},
      {"big.npy", reference_bytes("tensors/version_2.npy")},
      {"a.npz", made::zip({made::stored("x.npy", array), made::deflated("y.npy", array)})},
      {"zip64.npz", reference_bytes("tensors/zip64.npz")},
      {"deflated.npz", reference_bytes("tensors/deflated.npz")},
      {"a.safetensors",
       made::safetensors(R"({"v":{"dtype":"F16","shape":[2,3],"data_offsets":[0,12]},)"
                         R"("w":{"dtype":"BF16","shape":[2],"data_offsets":[12,16]}})",
                         std::string(16, '\x3c'))},
      {"model.safetensors", shard},
      {"model.safetensors.index.json",
       reference_bytes("checkpoints/llama-gqa-sharded/model.safetensors.index.json")},
  };
  for (const File& file : files) {
    CAPTURE(file.name);
    REQUIRE_NOTHROW(read_what_there_is(folder.write("whole." + file.name, file.bytes)));
    CHECK(refused_of(folder, "damaged." + file.name, file.bytes, 1500) > 0);
  }
}

TEST_CASE("a file that ends anywhere is refused") {
  const made::Folder folder;
  const std::string array = made::npy("<f4", "(3, 5)", std::string(60, '\x3f'));
  for (const std::string name : {"a.npy", "a.npz", "zip64.npz"}) {
    const std::string whole =
        name == "a.npy" ? array
        : name == "a.npz"
            ? made::zip({made::stored("x.npy", array), made::deflated("y.npy", array)})
            : reference_bytes("tensors/zip64.npz");
    int read = 0;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      read +=
          made::why_not(folder, folder.write(name, whole.substr(0, size))) == "nothing was refused";
    }
    CHECK(read == 0);
  }
}

}  // namespace tensor_mutation_test
