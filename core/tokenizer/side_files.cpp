#include "core/tokenizer/side_files.h"

#include <algorithm>
#include <charconv>

#include "core/text/printable.h"
#include "core/tokenizer/json_node.h"
#include "core/tokenizer/whole_file.h"

namespace core::subword {
namespace {

constexpr const char* kConfig = "tokenizer_config.json";
constexpr const char* kSpecials = "special_tokens_map.json";
constexpr const char* kAdded = "added_tokens.json";
constexpr Index kMostSideId = 0x7ffffffe;

constexpr std::string_view kSpecialKeys[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                             "pad_token", "cls_token", "mask_token"};

// Keys of tokenizer_config.json that change no token of a text: how texts are cut, padded, written
// out and put into a conversation.
constexpr std::string_view kNoEffect[] = {"added_tokens_decoder",
                                          "additional_special_tokens",
                                          "auto_map",
                                          "backend",
                                          "chat_template",
                                          "clean_up_tokenization_spaces",
                                          "errors",
                                          "extra_ids",
                                          "extra_special_tokens",
                                          "full_tokenizer_file",
                                          "init_inputs",
                                          "is_local",
                                          "legacy",
                                          "local_files_only",
                                          "max_len",
                                          "max_length",
                                          "model_input_names",
                                          "model_max_length",
                                          "model_specific_special_tokens",
                                          "name_or_path",
                                          "pad_to_multiple_of",
                                          "pad_token_type_id",
                                          "padding",
                                          "padding_side",
                                          "processor_class",
                                          "response_schema",
                                          "return_token_type_ids",
                                          "sp_model_kwargs",
                                          "spaces_between_special_tokens",
                                          "special_tokens_map_file",
                                          "stride",
                                          "tokenizer_class",
                                          "tokenizer_file",
                                          "truncation",
                                          "truncation_side",
                                          "truncation_strategy",
                                          "unk_token_id",
                                          "use_default_system_prompt",
                                          "use_fast"};
constexpr std::string_view kRead[] = {"add_bos_token", "add_eos_token", "add_prefix_space",
                                      "do_lower_case", "strip_accents", "tokenize_chinese_chars"};

template <class All>
bool among(const All& all, std::string_view key) {
  return std::find(std::begin(all), std::end(all), key) != std::end(all);
}

class Reader {
 public:
  explicit Reader(SideFiles& side) : side_(side) {}

  void read_config(const JsonNode& file) {
    read_decoder(file.at("added_tokens_decoder"));
    read_specials(file);
    const auto flag = [&](const char* key) -> std::optional<bool> {
      const JsonNode node = file.at(key);
      if (node.is_null()) return std::nullopt;
      return node.boolean();
    };
    side_.adds_begin = flag("add_bos_token"), side_.adds_end = flag("add_eos_token");
    side_.adds_space = flag("add_prefix_space");
    side_.lower = flag("do_lower_case"), side_.accents = flag("strip_accents");
    side_.ideographs = flag("tokenize_chinese_chars");
    side_.of_class = file.at("tokenizer_class").text_or("");
    if (side_.of_class.ends_with("Fast")) side_.of_class.resize(side_.of_class.size() - 4);
    for (const auto& [key, value] : file.object().items()) {
      const bool nothing =
          value.is_null() || value == false || (value.is_structured() && value.empty());
      const bool known = nothing || key.starts_with('_') || among(kNoEffect, key) ||
                         among(kRead, key) || among(kSpecialKeys, key);
      if (!known) side_.unread.push_back(key);
    }
  }

  void read_specials(const JsonNode& file) {
    for (const std::string_view key : kSpecialKeys) {
      const JsonNode node = file.at(std::string(key));
      const std::string text = node.is_null() ? "" : add_special(node);
      if (key == "bos_token" && !text.empty()) side_.begin = text;
      if (key == "eos_token" && !text.empty()) side_.end = text;
    }
    const JsonNode more = file.at("additional_special_tokens");
    for (std::size_t k = 0; more.is_list() && k < more.count(); ++k) add_special(more.item(k));
  }

  // Texts and ids.
  void read_added(const JsonNode& file) {
    for (const auto& [text, id] : file.object().items()) {
      const JsonNode node(id, printable(text));
      add({static_cast<Id>(node.whole(0, kMostSideId)), {0, text}});
    }
  }

 private:
  // Ids and what they stand for.
  void read_decoder(const JsonNode& node) {
    if (node.is_null()) return;
    for (const auto& [id, token] : node.object().items()) {
      const JsonNode at(token, node.path() + "." + printable(id));
      Index number = -1;
      const char* const end = id.data() + id.size();
      const auto [stopped, fault] = std::from_chars(id.data(), end, number);
      if (fault != std::errc{} || stopped != end || number < 0 || number > kMostSideId) {
        at.refuse(Message(N_("a whole number from {} to {} as its name"), 0, kMostSideId));
      }
      add({static_cast<Id>(number), token_of(at, false)});
    }
  }

  static AddedToken token_of(const JsonNode& node, bool special) {
    if (node.is_text()) {
      AddedToken token{0, node.text()};
      token.special = special;
      return token;
    }
    AddedToken token{0, node.at("content").text()};
    token.special = node.at("special").boolean_or(special);
    token.single_word = node.at("single_word").boolean_or(false);
    token.left = node.at("lstrip").boolean_or(false);
    token.right = node.at("rstrip").boolean_or(false);
    token.normalized = node.at("normalized").boolean_or(!token.special);
    return token;
  }

  std::string add_special(const JsonNode& node) {
    AddedToken token = token_of(node, true);
    token.special = true;
    std::string text = token.text;
    add({std::nullopt, std::move(token)});
    return text;
  }

  // The first word of a text counts, but for its id and that it is special.
  void add(SideFiles::Token token) {
    if (token.token.text.empty()) return;
    const auto known = std::find_if(
        side_.tokens.begin(), side_.tokens.end(),
        [&](const SideFiles::Token& one) { return one.token.text == token.token.text; });
    if (known == side_.tokens.end()) return side_.tokens.push_back(std::move(token));
    if (!known->id) known->id = token.id;
    known->token.special = known->token.special || token.token.special;
  }

  SideFiles& side_;
};

// `take` reads the object that the text is.
template <class Take>
void read_one(const std::string& text, const char* name, SideFiles& side, Take&& take) {
  if (text.empty()) return;
  named(name, [&] {
    const nlohmann::json json = parse_json(text);
    take(JsonNode(json, ""));
  });
  side.files.emplace_back(name);
}

}  // namespace

SideFiles parse_side_files(const SideTexts& texts) {
  SideFiles side;
  Reader reader(side);
  read_one(texts.config, kConfig, side, [&](const JsonNode& file) { reader.read_config(file); });
  const bool listed = std::any_of(side.tokens.begin(), side.tokens.end(),
                                  [](const SideFiles::Token& one) { return one.id.has_value(); });
  read_one(texts.specials, kSpecials, side,
           [&](const JsonNode& file) { reader.read_specials(file); });
  if (listed) return side;
  read_one(texts.added, kAdded, side, [&](const JsonNode& file) { reader.read_added(file); });
  return side;
}

SideFiles read_side_files(const std::filesystem::path& folder, const Cancel& cancel) {
  const auto text = [&](const char* name) {
    std::error_code unread;
    const std::filesystem::path path = folder / name;
    return std::filesystem::exists(path, unread) ? whole_file(path, cancel) : std::string();
  };
  return parse_side_files({text(kConfig), text(kSpecials), text(kAdded)});
}

void add_side_tokens(const SideFiles& side, const Vocabulary& vocabulary,
                     std::vector<AddedToken>& known) {
  for (const SideFiles::Token& one : side.tokens) {
    const auto has = std::find_if(known.begin(), known.end(), [&](const AddedToken& other) {
      return other.text == one.token.text;
    });
    if (has != known.end()) continue;
    const std::optional<Id> id =
        vocabulary.find(one.token.text) ? vocabulary.find(one.token.text) : one.id;
    if (!id) continue;
    AddedToken token = one.token;
    token.id = *id;
    known.push_back(std::move(token));
  }
}

}  // namespace core::subword
