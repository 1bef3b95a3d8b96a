#include "app/labs/shared/model/published_model.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/labs/shared/parts.h"
#include "app/labs/shared/shipped_file.h"
#include "assets/assets.h"
#include "core/io/what_lies.h"
#include "core/text/printable.h"
#include "core/text/utf8.h"
#include "core/tokenizer/tokenizer_file.h"

namespace lab {
namespace {

namespace fs = std::filesystem;
namespace published = core::checkpoint;
using core::subword::ByteSplit, core::subword::Tokenizer;

constexpr std::string_view kWritten[] = {".json", ".safetensors", ".txt"};

constexpr std::string_view kTextAtFirst = "The cat sat on the mat, and the dog sat by the cat.";
constexpr std::string_view kVerseAtFirst = "床前明月光，";
constexpr std::string_view kMaskedAtFirst = "the cat [MASK] on the mat.";
constexpr Index kIdsAtFirst = 12;  // of a folder without a tokenizer

// What is not there is not looked for elsewhere.
fs::path folder_of(const std::string& path) {
  std::error_code unread;
  const fs::path given(path);
  return fs::is_regular_file(given, unread) ? given.parent_path() : core::model_folder(given);
}

// The name that a hub's cache gives a snapshot: models--OWNER--NAME is OWNER/NAME.
std::string name_of(const fs::path& folder) {
  fs::path path = fs::absolute(folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  constexpr std::string_view kModels = "models--";
  const std::string root = path.parent_path().parent_path().filename().string();
  if (path.parent_path().filename() != "snapshots" || !root.starts_with(kModels)) {
    return path.filename().string();
  }
  std::string name = root.substr(kModels.size());
  if (const std::size_t at = name.find("--"); at != name.npos) name.replace(at, 2, "/");
  return name;
}

constexpr const char* kShippedFiles[] = {"config.json", "model.safetensors", "tokenizer.json"};

// A shipped model lies inside of the program, or in a folder beside it.
std::string embedded_folder(const std::string& name) {
  for (const char* group : {"checkpoints/", "language/"}) {
    if (assets::exists(group + name + "/config.json")) return group + name;
  }
  return {};
}

ByteSplit split_of(const std::string& type) {
  if (type.starts_with("qwen")) return ByteSplit::qwen2;
  return type == "llama" ? ByteSplit::llama3 : ByteSplit::gpt2;
}

// Tokens that are cut out of texts though no file beside the vocabulary says so.
std::vector<std::string> special_of(ByteSplit split) {
  if (split == ByteSplit::qwen2) return {"<|endoftext|>", "<|im_start|>", "<|im_end|>"};
  return {"<|endoftext|>", "<|begin_of_text|>", "<|end_of_text|>"};
}

void read_tokenizer_of(const fs::path& folder, PublishedModel& opened, const core::Cancel& cancel) {
  std::error_code unread;
  // A link that leads nowhere is there: reading it says so.
  const auto has = [&](const char* file) {
    return fs::exists(fs::symlink_status(folder / file, unread));
  };
  const core::subword::SideFiles side = core::subword::read_side_files(folder, cancel);
  const auto take = [&](Tokenizer tokenizer, std::string from) {
    opened.tokenizer = std::make_shared<const Tokenizer>(std::move(tokenizer));
    opened.tokenizer_from = std::move(from);
    for (const std::string& file : side.files) opened.tokenizer_from += ", " + file;
    opened.tokenizer_unread = side.unread;
  };
  if (has("tokenizer.json")) {
    return take(core::subword::read_tokenizer(folder / "tokenizer.json", side, cancel),
                "tokenizer.json");
  }
  if (has("vocab.json") && has("merges.txt")) {
    const ByteSplit split = split_of(opened.facts().type);
    return take(core::subword::read_pairs(folder / "vocab.json", folder / "merges.txt", split,
                                          special_of(split), side, cancel),
                "vocab.json, merges.txt");
  }
  if (has("vocab.txt")) {
    return take(core::subword::read_word_list(folder / "vocab.txt", side, cancel), "vocab.txt");
  }
  for (const char* file :
       {"tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "tekken.json"}) {
    if (!has(file)) continue;
    opened.no_tokenizer = core::Message(N_("{}, {}"), file, core::what_lies(folder / file));
    return;
  }
}

// What a model that has read comes with; tests read it whole.
template <class Bytes>
void add_texts(const Bytes& bytes_of, PublishedModel& opened) {
  opened.held_out =
      nlohmann::json::parse(bytes_of("held_out.json")).template get<std::vector<std::string>>();
  opened.history = std::make_shared<const published::ScoreHistory>(
      published::read_history(bytes_of("history.json"), "history.json"));
  opened.comparison = std::make_shared<const published::Comparison>(
      published::read_comparison(bytes_of("comparison.json"), "comparison.json"));
}

PublishedModel open_shipped_model(const std::string& name, const core::Cancel& cancel) {
  PublishedModel opened;
  const auto stamp = [&](const char* file, std::size_t size) {
    opened.files.push_back({.path = file, .size = size});
  };
  if (const std::string inside = embedded_folder(name); !inside.empty()) {
    const auto bytes = [&](const char* file) { return assets::find(inside + "/" + file); };
    opened.model = published::open_model(
        published::ModelBytes{name, bytes("config.json"), bytes("model.safetensors")}, {}, cancel);
    opened.tokenizer = std::make_shared<const Tokenizer>(
        core::subword::parse_tokenizer(bytes("tokenizer.json"), name + "/tokenizer.json"));
    opened.tokenizer_from = "tokenizer.json";
    for (const char* file : kShippedFiles) stamp(file, bytes(file).size());
    if (assets::exists(inside + "/held_out.json")) add_texts(bytes, opened);
  } else {
    const fs::path folder = folder_beside(name, "config.json");
    opened.model = published::open_model(folder, {}, cancel);
    read_tokenizer_of(folder, opened, cancel);
    for (const char* file : kShippedFiles) stamp(file, fs::file_size(folder / file));
    add_texts([&](const char* file) { return file_bytes(folder / file); }, opened);
  }
  opened.name = name;
  if (name == shipped_folder(ShippedModel::chinese)) opened.text_at_first = kVerseAtFirst;
  return opened;
}

// Numbers of tokens with spaces between them, where there is no tokenizer.
std::vector<std::int32_t> token_numbers(const PublishedModel& model, const std::string& text) {
  std::vector<std::int32_t> ids;
  std::vector<std::string> unread;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" ,\t\n", at), text.size());
    const std::string one = text.substr(at, end - at);
    at = end + 1;
    if (one.empty()) continue;
    const bool digits = one.size() <= 9 && one.find_first_not_of("0123456789") == one.npos;
    digits ? ids.push_back(std::stoi(one)) : unread.push_back(core::printable(one));
  }
  if (unread.empty()) return ids;
  if (!model.no_tokenizer.empty()) {
    words::refuse<core::InputError>(
        N_("text: expected token ids separated by spaces, as the folder has {}, got {}"),
        model.no_tokenizer, quoted(unread));
  }
  words::refuse<core::InputError>(
      N_("text: expected token ids separated by spaces, as the folder has no tokenizer, got {}"),
      quoted(unread));
}

// A vocabulary may have more tokens than the model has rows.
void require_rows(const PublishedModel& model, const core::subword::Encoding& encoding) {
  const Index rows = model.facts().vocabulary;
  for (const std::int32_t id : encoding.ids) {
    if (id < rows) continue;
    words::refuse<core::InputError>(N_("text: expected token ids from 0 to {}, the rows of the "
                                       "model's table, got {} (\"{}\") out of {}"),
                                    rows - 1, id, model.shown(id), model.tokenizer_from);
  }
}

std::vector<std::int32_t> numbers_at_first(Index vocabulary) {
  std::vector<std::int32_t> ids;
  for (Index id = 1; id <= std::min(kIdsAtFirst, vocabulary - 1); ++id) {
    ids.push_back(static_cast<std::int32_t>(id));
  }
  return ids;
}

}  // namespace

std::string_view shipped_folder(ShippedModel shipped) {
  switch (shipped) {
    case ShippedModel::english: return "english";
    case ShippedModel::chinese: return "chinese";
    case ShippedModel::gpt2: return "gpt2";
    case ShippedModel::llama: return "llama";
    case ShippedModel::bloom: return "bloom";
    case ShippedModel::bert: return "bert";
    case ShippedModel::t5: return "t5";
  }
  return {};
}

std::string_view made_up_weights(ShippedModel shipped) {
  if (shipped == ShippedModel::english || shipped == ShippedModel::chinese) return {};
  return N_("random weights: the computation is real, the text means nothing");
}

PublishedSource PublishedSource::of(const std::string& path, ShippedModel shipped) {
  PublishedSource source;
  if (path.empty()) {
    source.shipped = shipped_folder(shipped);
    return source;
  }
  const fs::path folder = folder_of(path);
  source.folder = folder.string();
  for (const std::string& name : core::names_in(folder)) {
    const fs::path file = folder / name;
    const std::string ending = file.extension().string();
    if (std::find(std::begin(kWritten), std::end(kWritten), ending) == std::end(kWritten)) continue;
    source.files.push_back(stamp_of(file.string()));
  }
  return source;
}

std::string PublishedModel::shown(std::int32_t id) const {
  if (!tokenizer || !tokenizer->token(id)) return fmt::format("#{}", id);
  const std::string text = tokenizer->shown(id);
  return text.empty() ? fmt::format("#{}", id) : text;
}

std::string PublishedModel::bytes(std::int32_t id) const {
  if (!tokenizer || !tokenizer->token(id)) return {};
  std::string text;
  for (const char c : tokenizer->bytes(id)) {
    text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(c));
  }
  return text;
}

std::optional<std::int32_t> PublishedModel::find(const std::string& text,
                                                 const core::Cancel& cancel) const {
  const auto within = [this](std::int32_t id) { return id >= 0 && id < facts().vocabulary; };
  if (tokenizer) {
    if (const auto spelled = tokenizer->find(text); spelled && within(*spelled)) return *spelled;
  }
  std::string read = text;
  for (std::size_t at = 0; (at = read.find("␣", at)) != read.npos; ++at) {
    read.replace(at, std::string_view("␣").size(), " ");
  }
  if (!tokenizer && read.find_first_not_of("0123456789") != read.npos) return std::nullopt;
  const auto ids = published_ids(*this, read, cancel);
  if (ids.size() != 1 || !within(ids.front())) return std::nullopt;
  return ids.front();
}

std::string PublishedModel::text_of(const std::vector<std::int32_t>& ids) const {
  if (tokenizer) return tokenizer->decode(ids, Tokenizer::Specials::skip);
  std::string text;
  for (const std::int32_t id : ids) text += fmt::format("{}{}", text.empty() ? "" : " ", id);
  return text;
}

std::optional<std::string> PublishedModel::continued(const std::vector<std::int32_t>& read,
                                                     std::int32_t id) const {
  if (tokenizer && (!tokenizer->token(id) || tokenizer->is_special(id))) return std::nullopt;
  std::vector<std::int32_t> ids = read;
  ids.push_back(id);
  std::string text = text_of(ids);
  // It may stand for bytes that are no whole character.
  if (core::invalid_utf8(text) || text.find("\uFFFD") != text.npos) return std::nullopt;
  return text.size() > kMostTyped ? std::nullopt : std::optional(std::move(text));
}

ForcedToken::ForcedToken(const PublishedModel& model, const std::vector<std::int32_t>& text,
                         Index first)
    : model_(model),
      read_(text.begin(), text.begin() + first),
      after_(text.begin() + first, text.end()) {
  // Those of a template come back with every text.
  const Tokenizer* tokenizer = model.tokenizer.get();
  std::erase_if(after_, [&](std::int32_t id) { return tokenizer && tokenizer->is_special(id); });
}

Assignments ForcedToken::pick(std::int32_t id) const {
  const auto text = model_.continued(read_, id);
  return text ? sets("text", *text, "token", -1) : Assignments{};
}

figure::Loss ForcedToken::loss(std::int32_t id, const Words& w) const {
  constexpr std::size_t kShown = 60;  // bytes
  auto left = after_;
  if (!left.empty() && left.front() == id) left.erase(left.begin());
  if (left.empty()) return {};
  const std::string text = core::printable(model_.text_of(left), kShown);
  return {w.format("A click leaves out the tokens behind it ({}): \"{}\". Undo brings them back.",
                   left.size(), text),
          w.format("Left out of the text (tokens: {}): \"{}\". Undo brings them back.", left.size(),
                   text)};
}

PublishedModel open_published(const PublishedSource& source, const Run& run) {
  if (!source.shipped.empty()) return open_shipped_model(source.shipped, run.cancel);
  PublishedModel opened;
  const fs::path folder(source.folder);
  opened.model = published::open_model(folder, {}, run.cancel);
  opened.name = core::printable(name_of(folder));
  opened.files = source.files;
  for (FileStamp& file : opened.files) {
    file.path = core::printable(fs::path(file.path).filename().string());
  }
  run.cancel.poll();
  read_tokenizer_of(folder, opened, run.cancel);
  return opened;
}

std::string unread_text(const PublishedModel& model, const Words& w) {
  const std::size_t settings = model.facts().unread_settings.size() + model.tokenizer_unread.size();
  const std::size_t tensors = model.facts().left_over.size();
  std::string text;
  if (settings > 0) text += w.format(" · settings not read: {}", settings);
  if (tensors > 0) text += w.format(" · tensors not read: {}", tensors);
  return text;
}

std::string text_if_empty(const PublishedModel& model) {
  if (!model.tokenizer || !model.text_at_first.empty()) return model.text_at_first;
  const bool masked =
      model.facts().kind == published::Kind::encoder && model.tokenizer->find("[MASK]").has_value();
  return std::string(masked ? kMaskedAtFirst : kTextAtFirst);
}

void add_published_notes(const PublishedModel& model, const Words& w, Page& page) {
  for (const core::Message& remark : model.facts().remarks) page.note(remark.in(w));
  page.empty_texts = {{"text", text_if_empty(model)}};
  if (model.tokenizer) return;
  if (model.no_tokenizer.empty()) {
    return page.note(w("The folder has no tokenizer: the text is token ids, separated by spaces."));
  }
  page.note(
      w.format("The folder has no tokenizer that can be read, but {}. Until then the text is token "
               "ids, separated by spaces.",
               model.no_tokenizer.in(w)));
}

std::vector<std::int32_t> published_ids(const PublishedModel& model, const std::string& text,
                                        const core::Cancel& cancel) {
  if (!model.tokenizer) return token_numbers(model, text);
  const core::subword::Encoding encoding = model.tokenizer->encode(text, cancel);
  require_rows(model, encoding);
  return {encoding.ids.begin(), encoding.ids.end()};
}

PublishedText published_text(const PublishedModel& model, const std::string& text, bool around,
                             const core::Cancel& cancel) {
  PublishedText out;
  if (!model.tokenizer) {
    out.ids =
        text.empty() ? numbers_at_first(model.facts().vocabulary) : token_numbers(model, text);
    return out;
  }
  core::subword::Encoding encoding =
      model.tokenizer->encode(text.empty() ? text_if_empty(model) : text, cancel);
  if (around) encoding = model.tokenizer->around(encoding);
  require_rows(model, encoding);
  out.ids.assign(encoding.ids.begin(), encoding.ids.end());
  out.put_in = encoding.put_in;
  if (model.facts().token_types > 1) {
    out.types.assign(encoding.types.begin(), encoding.types.end());
  }
  return out;
}

void describe_folder(std::string& folder, param::List& list, bool active) {
  list.file(folder, "folder", N_("Folder"),
            N_("A model as downloaded: config.json, model.safetensors or its shards, and the files "
               "of its tokenizer. The folder, or a file in it; drop it on the window"),
            ".json .safetensors .txt /", {.active = active});
}

void describe_around(bool& around, param::List& list, bool active) {
  list.flag(
      around, "around", N_("Special tokens"),
      N_("What the tokenizer's template puts around a text: a start, [CLS] and [SEP], an end"),
      {.active = active});
}

std::string_view shipped_help() {
  return N_(
      "English and Chinese: models that learned from texts, in the layout of LLaMA. The others: "
      "layouts of published models with random weights");
}

std::vector<param::Option> shipped_options(std::span<const ShippedModel> offered) {
  const auto label = [](ShippedModel shipped) -> std::string_view {
    switch (shipped) {
      case ShippedModel::english: return N_("English");
      case ShippedModel::chinese: return N_("Chinese");
      case ShippedModel::gpt2: return N_("GPT-2, random");
      case ShippedModel::llama: return N_("LLaMA, random");
      case ShippedModel::bloom: return N_("BLOOM, random");
      case ShippedModel::bert: return N_("BERT, random");
      case ShippedModel::t5: return N_("T5, random");
    }
    return {};
  };
  return each(offered, [&](ShippedModel shipped) -> param::Option {
    return {shipped_folder(shipped), label(shipped)};
  });
}

void describe_published(PublishedKnobs& knobs, param::List& list, bool active, bool layered) {
  std::vector<ShippedModel> decoders{ShippedModel::english, ShippedModel::chinese,
                                     ShippedModel::gpt2};
  if (!layered) decoders.insert(decoders.end(), {ShippedModel::llama, ShippedModel::bloom});
  list.choice_of(knobs.shipped, decoders, "published", N_("Model"), shipped_help(),
                 shipped_options(decoders), {.active = active && knobs.folder.empty()});
  describe_folder(knobs.folder, list, active);
  describe_around(knobs.around, list, active);
}

}  // namespace lab
