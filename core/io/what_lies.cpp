#include "core/io/what_lies.h"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <optional>

#include "core/text/lower_case.h"
#include "core/text/printable.h"
#include "core/types.h"

namespace core {
namespace {

namespace fs = std::filesystem;

bool is_pointer(std::string_view begins) {
  return begins.starts_with("version https://git-lfs.github.com/spec/");
}

bool is_web_page(std::string_view begins) {
  const std::size_t text = std::min(begins.find_first_not_of(" \t\r\n"), begins.size());
  const std::string tag = ascii_lower(begins.substr(text, kBeginning));
  return tag.starts_with("<!doctype html") || tag.starts_with("<html");
}

Message pointer() {
  return Message(
      N_("a Git LFS pointer, which only names the file: fetch the file itself by "
         "\"git lfs pull\" in its folder"));
}
Message web_page() {
  return Message(N_("a web page saved in its place: download the file itself"));
}

std::string beginning_of(const fs::path& path) {
  std::string text(kBeginning, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

Message by_beginning(std::string_view begins) {
  if (is_pointer(begins)) return pointer();
  if (is_web_page(begins)) return web_page();
  if (begins.starts_with("GGUF") || begins.starts_with("ggjt") || begins.starts_with("tjgg")) {
    return Message(
        N_("GGUF, the format of llama.cpp, whose numbers are mostly quantised: use the model it "
           "was made from, as safetensors"));
  }
  if (begins.starts_with("\x89HDF\r\n")) {
    return Message(N_("HDF5 weights of Keras: load them in Python and save them as safetensors"));
  }
  return Message();
}

bool ends(const std::string& name, std::initializer_list<std::string_view> all) {
  return std::any_of(all.begin(), all.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

Message by_name(const std::string& name, std::string_view begins) {
  if (ends(name, {".incomplete", ".part", ".crdownload", ".aria2", ".download"})) {
    return Message(N_("an unfinished download: let it finish, or start it again"));
  }
  if (ends(name, {".bin", ".pt", ".pth", ".ckpt", ".pkl"})) {
    const bool pickle = begins.starts_with("PK") || begins.starts_with('\x80');
    if (!pickle && !ends(name, {".pt", ".pth"}) && !name.starts_with("pytorch_model")) return {};
    return Message(
        N_("a PyTorch pickle, which is a program and is not run here: load it in Python and save "
           "it with model.save_pretrained(folder)"));
  }
  if (ends(name, {".onnx"})) {
    return Message(
        N_("ONNX, a graph whose weights have lost their names: use the model it was made from, as "
           "safetensors"));
  }
  if (ends(name, {".msgpack"})) {
    return Message(N_("weights of Flax: load them in Python and save them as safetensors"));
  }
  if (ends(name, {"tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "spm.model"})) {
    return Message(
        N_("only a SentencePiece vocabulary: make tokenizer.json from it in Python, with "
           "AutoTokenizer.from_pretrained(folder).save_pretrained(folder)"));
  }
  if (name == "tekken.json") {
    return Message(
        N_("only a tekken vocabulary: download tokenizer.json from the model's page, or make it in "
           "Python, with AutoTokenizer.from_pretrained(folder).save_pretrained(folder)"));
  }
  return Message();
}

Message in_folder(const fs::path& folder) {
  const std::vector<std::string> names = names_in(folder);
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (has("adapter_config.json") || has("adapter_model.safetensors")) {
    return Message(
        N_("a LoRA adapter, which changes a model stored elsewhere: merge the two in Python, with "
           "merge_and_unload(), and save the result"));
  }
  const auto shard = std::find_if(names.begin(), names.end(), is_shard);
  if (shard != names.end() && !has("model.safetensors.index.json")) {
    return Message(N_("{} without the index of the shards or without all of them: download "
                      "model.safetensors.index.json and every shard that it names"),
                   printable(*shard));
  }
  for (const std::string& name : names) {
    std::error_code unread;
    if (!fs::is_regular_file(folder / name, unread)) continue;
    const Message what = what_lies(folder / name);
    if (!what.empty()) return Message(N_("{}, {}"), printable(name), what);
  }
  const auto other = std::find_if(names.begin(), names.end(), [](const std::string& name) {
    return name.ends_with(".safetensors") && name != "model.safetensors";
  });
  if (other == names.end()) return Message();
  return Message(
      N_("only {}: if these are the model's weights, rename the file to model.safetensors"),
      printable(*other));
}

}  // namespace

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code unread;
  for (fs::directory_iterator it(folder, unread), end; !unread && it != end; it.increment(unread)) {
    names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_shard(std::string_view name) {
  return name.ends_with(".safetensors") && name.find("-of-") != name.npos;
}

Message what_file(const std::string& name, std::string_view begins) {
  if (Message by = by_name(name, begins); !by.empty() && !is_pointer(begins)) return by;
  if (begins.empty()) return Message(N_("an empty file: download it again"));
  return by_beginning(begins);
}

Message what_lies(const fs::path& path) {
  std::error_code unread;
  if (fs::is_directory(path, unread)) return in_folder(path);
  if (!fs::is_regular_file(path, unread)) return Message();
  return what_file(path.filename().string(), beginning_of(path));
}

void require_downloaded(const std::string& name, std::string_view begins) {
  if (is_pointer(begins)) {
    throw InputError(Message(N_("{}: expected the file itself, got {}"), name, pointer()));
  }
  if (is_web_page(begins)) {
    throw InputError(Message(N_("{}: expected the file itself, got {}"), name, web_page()));
  }
}

fs::path model_folder(const fs::path& path) {
  std::error_code unread;
  const fs::path snapshots = path / "snapshots";
  if (fs::exists(path / "config.json", unread) || !fs::is_directory(snapshots, unread)) return path;
  std::string main;
  std::ifstream(path / "refs" / "main") >> main;
  const bool named = !main.empty() && main.find('/') == main.npos && main != "..";
  if (named && fs::is_directory(snapshots / main, unread)) return snapshots / main;
  fs::path latest = path;
  std::optional<fs::file_time_type> when;
  for (fs::directory_iterator it(snapshots, unread), end; !unread && it != end;
       it.increment(unread)) {
    std::error_code ignored;
    const auto time = fs::last_write_time(it->path(), ignored);
    if (ignored || !it->is_directory(ignored) || (when && *when >= time)) continue;
    when = time;
    latest = it->path();
  }
  return latest;
}

}  // namespace core
