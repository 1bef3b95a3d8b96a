#include "core/io/tensor/safetensors.h"

#include <doctest/doctest.h>

#include <string>

#include "core/io/tensor/tensor_view.h"
#include "io/made_files.h"

namespace safetensors_test {

namespace {

std::filesystem::path checkpoint(const std::string& name) {
  return std::filesystem::path(ATTNSCOPE_SOURCE_DIR) / "tests/reference/checkpoints" / name;
}

std::string refused_bytes(const std::string& bytes) {
  const made::Folder folder;
  return made::why_not(folder, folder.write("a.safetensors", bytes));
}
std::string refused_header(const std::string& header, std::size_t data = 24) {
  return refused_bytes(made::safetensors(header, std::string(data, '\0')));
}
// Of one tensor of 24 bytes called w.
std::string refused_tensor(const std::string& tensor) {
  return refused_header("{\"w\":" + tensor + "}");
}

std::string declared(const std::string& name, const std::string& shape, int begin, int end) {
  return '"' + name + "\":{\"dtype\":\"F32\",\"shape\":" + shape + ",\"data_offsets\":[" +
         std::to_string(begin) + "," + std::to_string(end) + "]}";
}

const std::string kWhere = "a.safetensors, tensor \"w\": expected ";

}  // namespace

TEST_CASE("a published file with several types in it") {
  const auto file = core::open_tensors(checkpoint("pythia/model.safetensors"));
  CHECK(file->tensors.size() == 34);
  CHECK(file->metadata.at("format") == "pt");
  const core::Tensor* const embedding = file->find("gpt_neox.embed_in.weight");
  REQUIRE(embedding != nullptr);
  CHECK(embedding->type == core::NumberType::float16);
  CHECK(embedding->shape == std::vector<core::Index>{44, 32});
  // The embedding of token 11 in case pythia_0 of the reference numbers.
  const core::TensorView rows(*embedding);
  const double want[] = {-0.8525390625, -0.1793212890625, 1.2451171875, 1.2802734375};
  for (core::Index j = 0; j < 4; ++j) CHECK(rows.value(11, j) == want[j]);

  const core::Tensor* const mask = file->find("gpt_neox.layers.1.attention.bias");
  REQUIRE(mask != nullptr);
  CHECK(mask->type == core::NumberType::boolean);
  const core::TensorView causal(*mask);
  int wrong = 0;
  for (core::Index i = 0; i < 16; ++i) {
    for (core::Index j = 0; j < 16; ++j) wrong += (causal.value(i, j) == 1) != (j <= i);
  }
  CHECK(wrong == 0);
  const core::Tensor* const number = file->find("gpt_neox.layers.0.attention.masked_bias");
  REQUIRE(number != nullptr);
  CHECK(number->shape.empty());
  CHECK(core::TensorView(*number).value(0, 0) == -1e9);
  CHECK(file->find("gpt_neox") == nullptr);
}

TEST_CASE("a published checkpoint in two files") {
  const auto file =
      core::open_tensors(checkpoint("llama-gqa-sharded/model.safetensors.index.json"));
  CHECK(file->tensors.size() == 21);
  const core::Tensor* const embedding = file->find("model.embed_tokens.weight");
  REQUIRE(embedding != nullptr);
  CHECK(embedding->type == core::NumberType::bfloat16);
  CHECK(embedding->file.ends_with("model-00001-of-00002.safetensors"));
  // Tokens 9 and 31 in case llama_gqa_sharded_0.
  const core::TensorView rows(*embedding);
  CHECK(rows.value(9, 0) == -0.07958984375);
  CHECK(rows.value(9, 3) == 1.0703125);
  CHECK(rows.value(31, 15) == -0.1337890625);
  REQUIRE(file->find("lm_head.weight") != nullptr);
  CHECK(file->find("lm_head.weight")->file.ends_with("model-00002-of-00002.safetensors"));
}

TEST_CASE("tensors in any order, empty ones, and spaces after the header") {
  const made::Folder folder;
  const std::string header = "{" + declared("b", "[2]", 4, 12) + "," +
                             declared("none", "[0,7]", 4, 4) + "," + declared("a", "[]", 0, 4) +
                             "}   ";
  const auto file = core::open_tensors(
      folder.write("a.safetensors", made::safetensors(header, std::string(12, '\0'))));
  REQUIRE(file->tensors.size() == 3);
  CHECK(file->tensors[0].name == "b");
  CHECK(file->tensors[1].count() == 0);
  CHECK(file->tensors[2].begin == 8 + header.size());
  CHECK(core::open_tensors(folder.write("b.safetensors", made::safetensors("{}", "")))
            ->tensors.empty());
}

TEST_CASE("a header that is none") {
  CHECK(refused_bytes("1234567") ==
        "a.safetensors: expected at least 8 bytes, the header's length, got 7");
  CHECK(refused_bytes(made::little(100, 8) + "{}") ==
        "a.safetensors: expected a header that ends within its 10 bytes, got 100");
  CHECK(refused_bytes(std::string(8, '\xff')) ==
        "a.safetensors: expected a header that ends within its 8 bytes, got 18446744073709551615");
  const std::string no_json = "a.safetensors: expected a header in JSON, but ";
  CHECK(refused_header("") == no_json + "it is not valid JSON from line 1, column 1 on");
  CHECK(refused_header("{\"w\":") == no_json + "it is not valid JSON from line 1, column 6 on");
  CHECK(refused_header("{\"\xff\":1}").starts_with(no_json));
  CHECK(refused_header(std::string(10'000, '[')) ==
        no_json + "its nesting is deeper than 32 levels");
  CHECK(refused_header("{" + declared("w", "[2]", 0, 8) + "," + declared("w", "[2]", 8, 16) +
                       "}") == no_json + "it has the key \"w\" twice in one object");
  const std::string no_object = "a.safetensors: expected a header that is a JSON object, got ";
  CHECK(refused_header("[1]") == no_object + "[");
  CHECK(refused_header("\"x\"") == no_object + "\"x\"");
  CHECK(refused_header("{\"__metadata__\":{\"step\":3}}", 0) ==
        "a.safetensors: expected strings in __metadata__, got 3 for \"step\"");
  CHECK(refused_header("{\"__metadata__\":{\"step\":{}}}", 0) ==
        "a.safetensors: expected strings in __metadata__, got { for \"step\"");
}

TEST_CASE("a header longer than any is not read") {
  const made::Folder folder;
  const auto path = folder.write("a.safetensors", made::little(100'000'001, 8));
  std::filesystem::resize_file(path, 100'000'100);
  CHECK(made::why_not(folder, path) ==
        "a.safetensors: expected a header of at most 100000000 bytes, got 100000001");
}

TEST_CASE("a tensor that is not declared as the format has it") {
  const std::string three = kWhere + "dtype, shape and data_offsets, got ";
  CHECK(refused_tensor("7") == three + "7");
  CHECK(refused_tensor("[7]") == three + "[");
  CHECK(refused_tensor("{}") == three + "no dtype");
  CHECK(refused_tensor("{\"dtype\":\"F32\",\"shape\":[6]}") == three + "no data_offsets");
  CHECK(refused_tensor("{\"dtype\":\"F32\",\"data_offsets\":[0,24]}") == three + "no shape");
  CHECK(refused_tensor("{\"device\":\"cpu\"}") == three + "the key \"device\"");
  CHECK(refused_tensor("{\"dtype\":5}") == kWhere + "a dtype that is a string, got 5");
  CHECK(refused_tensor("{\"dtype\":[]}") == kWhere + "a dtype that is a string, got [");
  const std::string sizes = kWhere + "a shape of at most 64 whole numbers of at least 0, got ";
  CHECK(refused_tensor("{\"shape\":6}") == sizes + "6");
  CHECK(refused_tensor("{\"shape\":[-6]}") == sizes + "-6");
  CHECK(refused_tensor("{\"shape\":[1.5]}") == sizes + "1.5");
  CHECK(refused_tensor("{\"shape\":[[6]]}") == sizes + "[");
  CHECK(refused_tensor("{\"shape\":[\"6\"]}") == sizes + "\"6\"");
  CHECK(refused_tensor("{\"shape\":[18446744073709551615]}") == sizes + "18446744073709551615");
  const std::string offsets = kWhere + "data_offsets of two whole numbers of at least 0, got ";
  CHECK(refused_tensor("{\"data_offsets\":[-1,2]}") == offsets + "-1");
  CHECK(refused_tensor("{\"data_offsets\":[0,24,25]}") == offsets + "25");
  CHECK(refused_tensor("{\"data_offsets\":null}") == offsets + "null");
  CHECK(refused_tensor("{\"dtype\":\"F32\",\"shape\":[6],\"data_offsets\":[24]}") ==
        kWhere + "two data_offsets, got 1");
  CHECK(refused_tensor("{\"dtype\":\"F8_E4M3\",\"shape\":[24],\"data_offsets\":[0,24]}") ==
        kWhere +
            "one of the dtypes BOOL, I8 to I64, U8 to U64, F16, BF16, F32 and F64, got "
            "\"F8_E4M3\"");
  std::string ones = "[1";
  for (int k = 0; k < 64; ++k) ones += ",1";
  CHECK(refused_header("{" + declared("w", ones + "]", 0, 4) + "}", 4) ==
        kWhere + "at most 64 axes, got 65");
}

TEST_CASE("offsets: outside, reversed, other than the shape, overlapping, with holes") {
  const auto one = [](const std::string& shape, int begin, int end) {
    return refused_header("{" + declared("w", shape, begin, end) + "}");
  };
  const std::string within = kWhere + "data_offsets within 24 bytes of data, got ";
  CHECK(one("[7]", 0, 28) ==
        "a.safetensors: expected 28 bytes of numbers, as its header says, got 24: the download is "
        "incomplete; download it again");
  CHECK(one("[6]", 24, 0) == within + "24 to 0");
  CHECK(one("[5]", 0, 24) == kWhere + "20 bytes of float32 for the shape (5), got 24");
  CHECK(one("[4294967296,4294967296]", 0, 24) ==
        kWhere + "a shape whose bytes can be counted, got (4294967296, 4294967296)");
  CHECK(one("[5]", 0, 20) ==
        "a.safetensors: expected tensors that fill its 24 bytes of data, got 20");
  const auto two = [](int begin, int end, const std::string& shape) {
    return refused_header("{" + declared("v", "[3]", 0, 12) + "," +
                          declared("w", shape, begin, end) + "}");
  };
  const std::string from = kWhere + "its data from byte 12 on, where the data before it ends, got ";
  CHECK(two(8, 28, "[5]") == kWhere + "data_offsets within 24 bytes of data, got 8 to 28");
  CHECK(two(8, 24, "[4]") == from + "8");
  CHECK(two(16, 24, "[2]") == from + "16");
  CHECK(two(12, 24, "[3]") == "nothing was refused");
  CHECK(refused_header("{}", 24) ==
        "a.safetensors: expected tensors that fill its 24 bytes of data, got 0");
}

TEST_CASE("a file that was cut off") {
  const std::string whole = test::read(checkpoint("pythia/model.safetensors"));
  CHECK(refused_bytes(whole.substr(0, whole.size() - 1))
            .ends_with("expected 48792 bytes of numbers, as its header says, got 48791: the "
                       "download is incomplete; download it again"));
  CHECK(refused_bytes(whole.substr(0, 100))
            .starts_with("a.safetensors: expected a header that ends within its 100 bytes"));
}

TEST_CASE("an index: files missing, elsewhere, without the tensor, or with one of another") {
  const made::Folder folder;
  folder.write("1.safetensors", made::safetensors("{" + declared("v", "[1]", 0, 4) + "}", "abcd"));
  folder.write("2.safetensors", made::safetensors("{" + declared("w", "[1]", 0, 4) + "}", "abcd"));
  const auto refused = [&](const std::string& text) {
    return made::why_not(folder, folder.write("m.index.json", text));
  };
  const auto mapped = [&](const std::string& map) {
    return refused("{\"metadata\":{},\"weight_map\":" + map + "}");
  };
  CHECK(mapped(R"({"v":"1.safetensors","w":"2.safetensors"})") == "nothing was refused");
  CHECK(mapped(R"({"v":"3.safetensors"})") ==
        "cannot read 3.safetensors: there is no such file or folder");
  CHECK(mapped(R"({"v":"2.safetensors"})") ==
        "m.index.json: expected \"v\" in 2.safetensors, got a file without it");
  for (const std::string name :
       {"../2.safetensors", "/2.safetensors", "a/b", "..", ".", "", "a\\\\b"}) {
    CHECK(mapped("{\"v\":\"" + name + "\"}") ==
          "m.index.json, tensor \"v\": expected the name of a file in the same folder, got \"" +
              name + "\"");
  }
  CHECK(mapped(R"({"v":7})") ==
        "m.index.json, tensor \"v\": expected the name of a file in the same folder, got 7");
  CHECK(mapped(R"({"v":"a\u0000"})").find("expected the name of a file in the same folder") !=
        std::string::npos);
  const std::string no_map = "m.index.json: expected a weight_map from names to files, got none";
  CHECK(refused("[]") == no_map);
  CHECK(refused("{}") == no_map);
  CHECK(mapped("[]") == no_map);
  CHECK(
      refused("{") ==
      "m.index.json: expected an index in JSON, but it is not valid JSON from line 1, column 2 on");
  CHECK(mapped(R"({"v":"1.safetensors","v":"2.safetensors"})") ==
        "m.index.json: expected an index in JSON, but it has the key \"v\" twice in one object");
  folder.write("2.safetensors", made::safetensors("{" + declared("v", "[1]", 0, 4) + "}", "abcd"));
  CHECK(mapped(R"({"v":"1.safetensors","w":"2.safetensors"})") ==
        "m.index.json: expected each name once, got \"v\" in 1.safetensors and in 2.safetensors");
  const auto large = folder.write("l.index.json", "");
  std::filesystem::resize_file(large, core::kMostShardIndexBytes + 1);
  CHECK(made::why_not(folder, large) ==
        "l.index.json: expected an index of at most 16777216 bytes, got 16777217");
}

}  // namespace safetensors_test
