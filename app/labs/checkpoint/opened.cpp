#include "app/labs/checkpoint/opened.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "assets/assets.h"
#include "core/checkpoint/config.h"
#include "core/text/printable.h"
#include "core/text/subword/tokenizer_file.h"

namespace lab::checkpoint {
namespace {

namespace fs = std::filesystem;
namespace published = core::checkpoint;
using core::subword::ByteSplit, core::subword::Tokenizer;

constexpr std::string_view kWritten[] = {".json", ".safetensors", ".txt"};

fs::path folder_of(const std::string& path) {
  std::error_code unread;
  const fs::path given(path);
  return fs::is_directory(given, unread) ? given : given.parent_path();
}

std::string asset_of(const std::string& name, const char* file) {
  return "checkpoints/" + name + "/" + file;
}

ByteSplit split_of(const std::string& type) {
  if (type.starts_with("qwen")) return ByteSplit::qwen2;
  return type == "llama" ? ByteSplit::llama3 : ByteSplit::gpt2;
}

// vocab.txt is lower case unless tokenizer_config.json says otherwise, as in the published code.
bool lowers(const fs::path& folder, const core::Cancel& cancel) {
  const fs::path path = folder / "tokenizer_config.json";
  std::error_code unread;
  if (!fs::exists(path, unread)) return true;
  return published::Config::of_file(path, cancel).flag("do_lower_case", true);
}

void read_tokenizer_of(const fs::path& folder, Opened& opened, const core::Cancel& cancel) {
  std::error_code unread;
  const auto has = [&](const char* file) { return fs::exists(folder / file, unread); };
  const auto take = [&](Tokenizer tokenizer, std::string from) {
    opened.tokenizer = std::make_shared<const Tokenizer>(std::move(tokenizer));
    opened.tokenizer_from = std::move(from);
  };
  if (has("tokenizer.json")) {
    take(core::subword::read_tokenizer(folder / "tokenizer.json", cancel), "tokenizer.json");
  } else if (has("vocab.json") && has("merges.txt")) {
    const ByteSplit split = split_of(opened.facts().type);
    const std::vector<std::string> special =
        split == ByteSplit::qwen2
            ? std::vector<std::string>{"<|endoftext|>", "<|im_start|>", "<|im_end|>"}
            : std::vector<std::string>{"<|endoftext|>", "<|begin_of_text|>", "<|end_of_text|>"};
    take(core::subword::read_pairs(folder / "vocab.json", folder / "merges.txt", split, special,
                                   cancel),
         "vocab.json, merges.txt");
  } else if (has("vocab.txt")) {
    take(core::subword::read_word_list(folder / "vocab.txt", lowers(folder, cancel), cancel),
         "vocab.txt");
  }
}

Opened open_shipped(const std::string& name, const core::Cancel& cancel) {
  Opened opened;
  opened.name = name;
  const auto bytes = [&](const char* file) { return assets::find(asset_of(name, file)); };
  opened.model = published::open_model(
      published::ModelBytes{name, bytes("config.json"), bytes("model.safetensors")}, {}, cancel);
  opened.tokenizer = std::make_shared<const Tokenizer>(
      core::subword::parse_tokenizer(bytes("tokenizer.json"), name + "/tokenizer.json"));
  opened.tokenizer_from = "tokenizer.json";
  for (const char* file : {"config.json", "model.safetensors", "tokenizer.json"}) {
    opened.files.push_back({.path = file, .size = bytes(file).size()});
  }
  return opened;
}

}  // namespace

std::string_view shipped_folder(Shipped shipped) {
  switch (shipped) {
    case Shipped::gpt2: return "gpt2";
    case Shipped::llama: return "llama";
    case Shipped::bloom: return "bloom";
    case Shipped::bert: return "bert";
    case Shipped::t5: return "t5";
  }
  return {};
}

ModelSource ModelSource::of(const std::string& path, Shipped shipped) {
  ModelSource source;
  if (path.empty()) {
    source.shipped = shipped_folder(shipped);
    return source;
  }
  const fs::path folder = folder_of(path);
  source.folder = folder.string();
  std::error_code unread;
  for (fs::directory_iterator it(folder, unread), end; !unread && it != end; it.increment(unread)) {
    const std::string ending = it->path().extension().string();
    if (std::find(std::begin(kWritten), std::end(kWritten), ending) == std::end(kWritten)) continue;
    source.files.push_back(stamp_of(it->path().string()));
  }
  std::sort(source.files.begin(), source.files.end(),
            [](const FileStamp& a, const FileStamp& b) { return a.path < b.path; });
  return source;
}

std::string Opened::shown(std::int32_t id) const {
  if (!tokenizer || !tokenizer->token(id)) return fmt::format("#{}", id);
  const std::string text = tokenizer->shown(id);
  return text.empty() ? fmt::format("#{}", id) : text;
}

std::string Opened::bytes(std::int32_t id) const {
  if (!tokenizer || !tokenizer->token(id)) return {};
  std::string text;
  for (const char c : tokenizer->bytes(id)) {
    text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(c));
  }
  return text;
}

Opened open(const ModelSource& source, const Run& run) {
  if (!source.shipped.empty()) return open_shipped(source.shipped, run.cancel);
  Opened opened;
  const fs::path folder(source.folder);
  opened.model = published::open_model(folder, {}, run.cancel);
  opened.name = core::printable(fs::absolute(folder).lexically_normal().filename().string());
  if (opened.name.empty()) {
    opened.name =
        core::printable(fs::absolute(folder).lexically_normal().parent_path().filename().string());
  }
  opened.files = source.files;
  for (FileStamp& file : opened.files) {
    file.path = core::printable(fs::path(file.path).filename().string());
  }
  run.cancel.poll();
  read_tokenizer_of(folder, opened, run.cancel);
  return opened;
}

}  // namespace lab::checkpoint
