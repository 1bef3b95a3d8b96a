#include "core/io/tensor/token_list.h"

#include <doctest/doctest.h>

#include "core/io/memory_bytes.h"
#include "io/made_files.h"

namespace token_list_test {

namespace {

using Tokens = std::vector<std::string>;

std::string why_no_tokens(const made::Folder& folder, const std::filesystem::path& path) {
  try {
    core::read_tokens(path);
  } catch (const core::InputError& error) {
    std::string why = error.what();
    const std::string before = (folder.path() / "").string();
    if (why.starts_with(before)) why.erase(0, before.size());
    return why;
  }
  return "nothing was refused";
}

core::Tensor byte_array(const std::string& bytes, std::vector<core::Index> shape) {
  core::Tensor tensor;
  tensor.type = core::NumberType::uint8;
  tensor.shape = std::move(shape);
  tensor.bytes = std::make_shared<const core::MemoryBytes>(bytes);
  return tensor;
}

}  // namespace

TEST_CASE("tokens are read a line each, or as a list in JSON") {
  const made::Folder folder;
  CHECK(core::read_tokens(folder.write("a.txt", "the\ncat\n")) == Tokens{"the", "cat"});
  CHECK(core::read_tokens(folder.write("b.txt", "\xef\xbb\xbfthe\r\n\r\ncat")) ==
        Tokens{"the", "", "cat"});
  CHECK(core::read_tokens(folder.write("c.json", "[\"[CLS]\", \"\\u5b57\", \" a\\n\"]")) ==
        Tokens{"[CLS]", "字", " a\n"});
  CHECK(core::read_tokens(folder.write("d.json", "{\"tokens\": [\"x\"], \"n\": 1}")) ==
        Tokens{"x"});
}

TEST_CASE("files without tokens are refused in a sentence") {
  const made::Folder folder;
  const auto why = [&](const std::string& name, const std::string& bytes) {
    return why_no_tokens(folder, folder.write(name, bytes));
  };
  CHECK(why("a.txt", "") == "a.txt: expected at least one token, got none");
  CHECK(why("a.json", "[]") == "a.json: expected at least one token, got none");
  CHECK(why("b.txt", "a\n\xff") == "b.txt: expected tokens in UTF-8, got other bytes at 2");
  CHECK(why("b.json", "[1]") == "b.json: expected only strings, got 1 as token 0");
  CHECK(why("c.json", "{\"a\": 1}") ==
        "c.json: expected a list of strings, or an object with such a list as \"tokens\", got "
        "{\"a\":1}");
  CHECK(why("d.json", "[").starts_with("d.json: expected a list of tokens in JSON, but "));
  const auto large = folder.write("large.txt", "");
  std::filesystem::resize_file(large, core::kMostTokenBytes + 1);
  CHECK(why_no_tokens(folder, large) ==
        "large.txt: expected tokens of at most 67108864 bytes, got 67108865");
}

TEST_CASE("tokens lie in arrays of bytes") {
  const core::Message where = core::Message::plain("a");
  const std::string lines = "the\ncat\n", zeros("the\0cat\0", 8), list = "[\"the\", \"cat\"]";
  for (const std::string& bytes : {lines, zeros, list}) {
    const auto size = static_cast<core::Index>(bytes.size());
    CHECK(core::tokens_of(byte_array(bytes, {size}), where) == Tokens{"the", "cat"});
  }
  const std::string padded("the\0cats", 8);
  CHECK(core::tokens_of(byte_array(padded, {2, 4}), where) == Tokens{"the", "cats"});
  core::Tensor floats = byte_array(padded, {2});
  floats.type = core::NumberType::float32;
  CHECK_THROWS_WITH_AS(
      core::tokens_of(floats, where),
      "a: expected tokens as bytes in one or two axes, got float32 in the shape (2)",
      core::InputError);
}

TEST_CASE("the first of several tokens may begin with a bracket") {
  const core::Message where = core::Message::plain("a");
  for (const std::string& bytes :
       {std::string("[CLS]\nthe\n{x}"), std::string("[CLS]\0the\0{x}", 13)}) {
    const auto size = static_cast<core::Index>(bytes.size());
    CHECK(core::tokens_of(byte_array(bytes, {size}), where) == Tokens{"[CLS]", "the", "{x}"});
  }
  CHECK(core::tokens_of(byte_array("[\"a\",\n\"b\"]", {10}), where) == Tokens{"a", "b"});
  // One line that begins as JSON was meant as such.
  CHECK_THROWS_AS(core::tokens_of(byte_array("[CLS]", {5}), where), core::InputError);
}

TEST_CASE("tokens are shown so that each can be seen") {
  CHECK(core::shown_token(" the\n") == "␣the⏎");
  CHECK(core::shown_token("Ġcat") == "Ġcat");
  CHECK(core::shown_token("\x1b") == "\\x1b");
}

}  // namespace token_list_test
