// Files and folders that are something else than was looked for, by name, and what is to be done.
#include "core/io/what_lies.h"

#include <doctest/doctest.h>

#include <fstream>

#include "io/made_files.h"
#include "system_files.h"

namespace what_lies_test {

using core::what_file;
namespace fs = std::filesystem;

namespace {

bool says(const core::Message& message, const std::string& part) {
  const std::string text = message.in_english();
  INFO(text);
  return !part.empty() && text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("files by how they begin and what they are called") {
  CHECK(says(what_file("model.safetensors", "version https://git-lfs.github.com/spec/v1\n"),
             "Git LFS pointer"));
  CHECK(says(what_file("pytorch_model.bin", "version https://git-lfs.github.com/spec/v1\n"),
             "git lfs pull"));
  CHECK(says(what_file("x.bin", "GGUF\3"), "GGUF"));
  CHECK(says(what_file("x.json", "\n<!DOCTYPE HTML><html>"), "web page"));
  CHECK(says(what_file("m.h5", "\x89HDF\r\n\x1a\n"), "HDF5"));
  CHECK(says(what_file("m.bin", std::string_view("PK\3\4", 4)), "save_pretrained"));
  CHECK(says(what_file("m.pth", "anything"), "pickle"));
  CHECK(says(what_file("m.onnx", "\x08\x07"), "ONNX"));
  CHECK(says(what_file("flax_model.msgpack", "\x81"), "Flax"));
  CHECK(says(what_file("tokenizer.model", "\n\x0e"), "make tokenizer.json from it"));
  CHECK(says(what_file("spiece.model", "\n\x0e"), "SentencePiece"));
  CHECK(says(what_file("tekken.json", "{"), "tekken"));
  CHECK(says(what_file("model.safetensors.part", "abc"), "an unfinished download"));
  CHECK(says(what_file("model.safetensors", ""), "empty"));
  CHECK(what_file("model.safetensors", "abcdefgh{}").empty());
  CHECK(what_file("training_args.bin", "abc").empty());
  CHECK(what_file("config.json", "{}").empty());
}

TEST_CASE("a text that stands for another file is refused by its name") {
  CHECK_THROWS_WITH_AS(
      core::require_downloaded("a.json", "version https://git-lfs.github.com/spec/v1\n"),
      "a.json: expected the file itself, got a Git LFS pointer, which only names the file: fetch "
      "the "
      "file itself by \"git lfs pull\" in its folder",
      core::InputError);
  CHECK_NOTHROW(core::require_downloaded("a.json", "{}"));
}

TEST_CASE("the root of a hub's cache is its snapshot") {
  const made::Folder folder;
  const fs::path root = folder.path();
  CHECK(core::model_folder(root) == root);
  fs::create_directories(root / "snapshots" / "older");
  fs::create_directories(root / "snapshots" / "newer");
  fs::create_directories(root / "refs");
  const auto now = fs::file_time_type::clock::now();
  test::set_time(root / "snapshots" / "older", now - std::chrono::hours(2));
  CHECK(core::model_folder(root) == root / "snapshots" / "newer");
  std::ofstream(root / "refs" / "main") << "older";
  CHECK(core::model_folder(root) == root / "snapshots" / "older");
  folder.write("config.json", "{}");
  CHECK(core::model_folder(root) == root);
}

TEST_CASE("a folder is what lies in it") {
  const made::Folder folder;
  const fs::path root = folder.path();
  CHECK(core::what_lies(root).empty());
  folder.write("readme.md", "words");
  CHECK(core::what_lies(root).empty());
  folder.write("weights.safetensors", "abc");
  CHECK(says(core::what_lies(root), "rename the file to model.safetensors"));
  folder.write("consolidated.00.pth", "PK");
  CHECK(says(core::what_lies(root), "consolidated.00.pth, a PyTorch pickle"));
  folder.write("model-00001-of-00002.safetensors", "abc");
  CHECK(says(core::what_lies(root), "every shard"));
  folder.write("adapter_config.json", "{}");
  CHECK(says(core::what_lies(root), "merge_and_unload"));
}

}  // namespace what_lies_test
