#include "core/tokenizer/tokenizer_file.h"

#include <algorithm>
#include <utility>

#include "core/text/printable.h"
#include "core/text/utf8.h"
#include "core/tokenizer/models/pair_model.h"
#include "core/tokenizer/models/unigram_model.h"
#include "core/tokenizer/models/word_piece_model.h"
#include "core/tokenizer/steps/step_reader.h"
#include "core/tokenizer/whole_file.h"

namespace core::subword {
namespace {

constexpr Index kMostWordCharacters = 10'000;

std::string shown_name(const std::filesystem::path& path) { return printable(path.string(), 400); }

// --- models of a tokenizer.json

// An id takes some bytes of the file, so what is beyond its size is no id of a vocabulary.
Id read_id(const JsonNode& node, std::size_t file_bytes) {
  return static_cast<Id>(node.whole(0, static_cast<Index>(file_bytes)));
}

Vocabulary read_vocabulary(const JsonNode& node, std::size_t file_bytes) {
  Vocabulary words;
  for (const auto& [token, id] : node.object().items()) {
    words.add(token, read_id({id, node.path() + "." + printable(token)}, file_bytes));
  }
  return words;
}

Merge split_merge(std::string_view text, std::size_t number) {
  const std::size_t space = text.find(' ');
  if (space == text.npos || text.find(' ', space + 1) != text.npos) {
    throw InputError(
        Message(N_("expected two tokens with a space between them as merge {}, got \"{}\""), number,
                printable(text)));
  }
  return {std::string(text.substr(0, space)), std::string(text.substr(space + 1))};
}

// Each is "a b" or ["a", "b"].
std::vector<Merge> read_merges(const JsonNode& node) {
  std::vector<Merge> merges;
  merges.reserve(node.count());
  for (std::size_t k = 0; k < node.count(); ++k) {
    const JsonNode one = node.item(k);
    if (one.is_text()) {
      merges.push_back(split_merge(one.text(), k));
    } else {
      if (one.count() != 2) one.refuse(Message(N_("two tokens")));
      merges.emplace_back(one.item(0).text(), one.item(1).text());
    }
  }
  return merges;
}

std::shared_ptr<const Model> read_pair_model(const JsonNode& node, std::size_t file_bytes) {
  const JsonNode dropout = node.at("dropout");
  if (!dropout.is_null() && dropout.number() != 0) {
    dropout.refuse(Message(N_("no dropout, which would make tokens a matter of chance,")));
  }
  PairOptions options;
  const JsonNode unknown = node.at("unk_token");
  if (!unknown.is_null()) options.unknown = unknown.text();
  options.fuse_unknown = node.at("fuse_unk").boolean_or(false);
  options.byte_fallback = node.at("byte_fallback").boolean_or(false);
  options.whole_first = node.at("ignore_merges").boolean_or(false);
  options.continuing_prefix = node.at("continuing_subword_prefix").text_or("");
  options.ending_suffix = node.at("end_of_word_suffix").text_or("");
  return std::make_shared<const PairModel>(read_vocabulary(node.at("vocab"), file_bytes),
                                           read_merges(node.at("merges")), options);
}

std::shared_ptr<const Model> read_word_model(const JsonNode& node, std::size_t file_bytes) {
  WordPieceOptions options;
  options.unknown = node.at("unk_token").text_or(options.unknown);
  options.continuing_prefix =
      node.at("continuing_subword_prefix").text_or(options.continuing_prefix);
  const JsonNode most = node.at("max_input_chars_per_word");
  if (!most.is_null()) {
    options.most_characters = static_cast<std::size_t>(most.whole(1, kMostWordCharacters));
  }
  return std::make_shared<const WordPieceModel>(read_vocabulary(node.at("vocab"), file_bytes),
                                                options);
}

// Reads a list of tokens with their scores; the positions are the ids.
std::shared_ptr<const Model> read_unigram_model(const JsonNode& node) {
  Vocabulary words;
  std::vector<double> scores;
  const JsonNode list = node.at("vocab");
  for (std::size_t k = 0; k < list.count(); ++k) {
    const JsonNode one = list.item(k);
    if (one.count() != 2) one.refuse(Message(N_("a string and a score")));
    words.add(one.item(0).text(), static_cast<Id>(k));
    scores.push_back(one.item(1).number());
  }
  std::optional<Id> unknown;
  const JsonNode id = node.at("unk_id");
  if (!id.is_null()) unknown = static_cast<Id>(id.whole(0, words.end() - 1));
  return std::make_shared<const UnigramModel>(std::move(words), std::move(scores), unknown,
                                              node.at("byte_fallback").boolean_or(false));
}

// The type in files from before models were named.
std::string guessed_type(const JsonNode& node) {
  if (!node.at("merges").is_null()) return "BPE";
  if (node.at("vocab").is_list()) return "Unigram";
  if (!node.at("max_input_chars_per_word").is_null()) return "WordPiece";
  return {};
}

std::shared_ptr<const Model> read_model(const JsonNode& node, std::size_t file_bytes) {
  const std::string type = node.at("type").text_or(guessed_type(node));
  if (type == "BPE") return read_pair_model(node, file_bytes);
  if (type == "WordPiece") return read_word_model(node, file_bytes);
  if (type == "Unigram") return read_unigram_model(node);
  node.refuse_step(Message(N_("the model")), type);
}

std::vector<AddedToken> read_added(const JsonNode& node, std::size_t file_bytes) {
  std::vector<AddedToken> all;
  if (node.is_null()) return all;
  for (std::size_t k = 0; k < node.count(); ++k) {
    const JsonNode one = node.item(k);
    AddedToken token{read_id(one.at("id"), file_bytes), one.at("content").text()};
    token.single_word = one.at("single_word").boolean_or(false);
    token.left = one.at("lstrip").boolean_or(false);
    token.right = one.at("rstrip").boolean_or(false);
    token.special = one.at("special").boolean_or(false);
    token.normalized = one.at("normalized").boolean_or(!token.special);
    all.push_back(std::move(token));
  }
  return all;
}

// Two texts or one between what stands around them.
Template begin_and_end(std::optional<Id> begin, std::optional<Id> end) {
  const auto put = [](std::vector<TemplateItem>& to, std::optional<Id> id, int type) {
    if (id) to.push_back({{*id}, 0, type});
  };
  Template around;
  for (auto* items : {&around.single, &around.pair}) {
    put(*items, begin, 0);
    items->push_back({{}, 0, 0});
    put(*items, end, 0);
  }
  put(around.pair, begin, 1);
  around.pair.push_back({{}, 1, 1});
  put(around.pair, end, 1);
  return around;
}

// The template that side files ask for.
Template side_template(const SideFiles& side, const TokenizerParts& parts) {
  const auto id_of = [&](const std::string& text) -> std::optional<Id> {
    for (const AddedToken& one : parts.added) {
      if (one.text == text) return one.id;
    }
    return parts.model->vocabulary().find(text);
  };
  const bool begins = side.adds_begin.value_or(side.makes_template());
  const bool ends = side.adds_end.value_or(false);
  return begin_and_end(begins ? id_of(side.begin) : std::nullopt,
                       ends ? id_of(side.end) : std::nullopt);
}

Tokenizer tokenizer_of(std::string_view text, const SideFiles& side) {
  const nlohmann::json json = parse_json(text);
  const JsonNode file(json, "");
  const JsonNode version = file.at("version");
  if (!version.is_null() && version.text() != "1.0") version.refuse(Message(N_("version 1.0")));
  TokenizerParts parts;
  if (file.at("model").is_null()) file.at("model").refuse(Message(N_("an object")));
  parts.normalizer = read_normalizer(file.at("normalizer"));
  parts.pre_tokenizer = read_pre_tokenizer(file.at("pre_tokenizer"));
  PostProcessor after = read_post_processor(file.at("post_processor"));
  parts.around = std::move(after.around);
  parts.trim = after.trim;
  const JsonNode decoder = file.at("decoder");
  if (!decoder.is_null()) parts.decoder = read_decoder(decoder, parts.spelling);
  parts.added = read_added(file.at("added_tokens"), text.size());
  parts.model = read_model(file.at("model"), text.size());
  add_side_tokens(side, parts.model->vocabulary(), parts.added);
  if (side.makes_template()) parts.around = side_template(side, parts);
  return Tokenizer(std::move(parts));
}

// --- vocabularies by themselves

constexpr const char* kLlama3Split =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)"
    R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kQwen2Split =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)"
    R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

// Calls take(line, number) for each line, without its end; the last may lack one.
template <class Take>
void each_line(std::string_view text, Take&& take) {
  for (std::size_t number = 0; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line, number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::vector<Merge> merges_of(std::string_view text) {
  require_utf8(text);
  std::vector<Merge> merges;
  each_line(text, [&](std::string_view line, std::size_t) {
    if (line.empty() || line.starts_with("#version")) return;
    merges.push_back(split_merge(line, merges.size()));
  });
  return merges;
}

std::vector<AddedToken> special_tokens(const Vocabulary& words,
                                       const std::vector<std::string>& special) {
  std::vector<AddedToken> all;
  for (const std::string& text : special) {
    const auto id = words.find(text);
    if (!id) continue;
    AddedToken token{*id, text};
    token.special = true;
    all.push_back(std::move(token));
  }
  return all;
}

void add_byte_split(ByteSplit split, bool space_first, TokenizerParts& parts) {
  if (split == ByteSplit::qwen2) parts.normalizer.push_back(normalize::form(true, false));
  if (split != ByteSplit::gpt2) {
    const char* pattern = split == ByteSplit::llama3 ? kLlama3Split : kQwen2Split;
    parts.pre_tokenizer.push_back(
        pre_tokenize::split_at(Pattern::regex(pattern), Behavior::isolated));
  }
  parts.pre_tokenizer.push_back(pre_tokenize::byte_level({space_first, split == ByteSplit::gpt2}));
}

Template bert_template(const Vocabulary& words) {
  const auto begin = words.find("[CLS]"), end = words.find("[SEP]");
  if (!begin || !end) return {};
  const TemplateItem first{{}, 0, 0}, second{{}, 1, 1};
  Template around;
  around.single = {{{*begin}, 0, 0}, first, {{*end}, 0, 0}};
  around.pair = around.single;
  around.pair.insert(around.pair.end(), {second, {{*end}, 0, 1}});
  return around;
}

Tokenizer word_list_tokenizer(std::string_view text, const SideFiles& side) {
  require_utf8(text);
  Vocabulary words;
  each_line(text, [&](std::string_view line, std::size_t number) {
    words.add(std::string(line), static_cast<Id>(number));
  });
  TokenizerParts parts;
  parts.added = special_tokens(words, {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"});
  add_side_tokens(side, words, parts.added);
  parts.around = bert_template(words);
  const bool lower = side.lower.value_or(true);
  parts.normalizer = {
      normalize::bert({true, side.ideographs.value_or(true), side.accents.value_or(lower), lower})};
  parts.pre_tokenizer = {pre_tokenize::bert()};
  parts.decoder = Decoder{decode_tokens::word_piece("##", true)};
  parts.spelling.continuing_prefix = "##";
  parts.model = std::make_shared<const WordPieceModel>(std::move(words), WordPieceOptions{});
  return Tokenizer(std::move(parts));
}

}  // namespace

Tokenizer parse_tokenizer(std::string_view json, const std::string& name, const SideFiles& side) {
  return named(name, [&] { return tokenizer_of(json, side); });
}

Tokenizer read_tokenizer(const std::filesystem::path& file, const SideFiles& side,
                         const Cancel& cancel) {
  return parse_tokenizer(whole_file(file, cancel), shown_name(file), side);
}

Tokenizer parse_pairs(const PairTexts& texts, ByteSplit split,
                      const std::vector<std::string>& special, const std::string& name,
                      const SideFiles& side) {
  return named(name, [&] {
    const nlohmann::json json = parse_json(texts.vocabulary);
    Vocabulary words = read_vocabulary({json, ""}, texts.vocabulary.size());
    TokenizerParts parts;
    parts.added = special_tokens(words, special);
    add_side_tokens(side, words, parts.added);
    add_byte_split(split, side.adds_space.value_or(false), parts);
    parts.decoder = Decoder{decode_tokens::byte_level()};
    parts.spelling.bytes_visible = true;
    PairOptions options;
    options.whole_first = split == ByteSplit::llama3;
    parts.model =
        std::make_shared<const PairModel>(std::move(words), merges_of(texts.merges), options);
    if (side.adds_begin || side.adds_end) parts.around = side_template(side, parts);
    return Tokenizer(std::move(parts));
  });
}

Tokenizer read_pairs(const std::filesystem::path& vocabulary, const std::filesystem::path& merges,
                     ByteSplit split, const std::vector<std::string>& special,
                     const SideFiles& side, const Cancel& cancel) {
  return parse_pairs({whole_file(vocabulary, cancel), whole_file(merges, cancel)}, split, special,
                     shown_name(vocabulary) + " + " + shown_name(merges), side);
}

Tokenizer parse_word_list(std::string_view text, const std::string& name, const SideFiles& side) {
  return named(name, [&] { return word_list_tokenizer(text, side); });
}

Tokenizer read_word_list(const std::filesystem::path& file, const SideFiles& side,
                         const Cancel& cancel) {
  return parse_word_list(whole_file(file, cancel), shown_name(file), side);
}

}  // namespace core::subword
