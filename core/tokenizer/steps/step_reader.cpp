#include "core/tokenizer/steps/step_reader.h"

#include <map>
#include <utility>

#include "core/text/base64.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace core::subword {
namespace {

constexpr Index kMostId = 0x7ffffffe;
constexpr Index kMostStripped = 1'000'000;

template <class Step>
using Readers = std::map<std::string, Step (*)(const JsonNode&), std::less<>>;

// The steps at a place: none for null, those of a list for a "Sequence".
template <class Step>
void add_steps(const JsonNode& node, const char* list, const Message& what,
               const Readers<Step>& readers, std::vector<Step>& to) {
  if (node.is_null()) return;
  const JsonNode kind = node.at("type");
  const std::string& type = kind.text();
  if (type == "Sequence") {
    const JsonNode steps = node.at(list);
    for (std::size_t k = 0; k < steps.count(); ++k) {
      add_steps(steps.item(k), list, what, readers, to);
    }
    return;
  }
  const auto reader = readers.find(type);
  if (reader == readers.end()) node.refuse_step(what, type);
  to.push_back(reader->second(node));
}

// {"String": "..."} or {"Regex": "..."}
Pattern read_pattern(const JsonNode& node) {
  const JsonNode literal = node.at("String");
  if (!literal.is_null()) return Pattern::literal(literal.text());
  const JsonNode regex = node.at("Regex");
  if (regex.is_null()) node.refuse(Message(N_("an object with a String or a Regex")));
  return Pattern::regex(regex.text());
}

std::string text_of(char32_t c) {
  std::string text;
  append_utf8(text, c);
  return text;
}

// --- normalizers

NormalizerStep read_bert(const JsonNode& node) {
  normalize::Bert options;
  options.clean = node.at("clean_text").boolean_or(true);
  options.ideographs = node.at("handle_chinese_chars").boolean_or(true);
  options.lower = node.at("lowercase").boolean_or(true);
  options.accents = node.at("strip_accents").boolean_or(options.lower);
  return normalize::bert(options);
}

NormalizerStep read_precompiled(const JsonNode& node) {
  const JsonNode map = node.at("precompiled_charsmap");
  const auto blob = from_base64(map.text());
  if (!blob) map.refuse(Message(N_("a base64 string")));
  return normalize::precompiled(PrecompiledMap(*blob));
}

const Readers<NormalizerStep>& normalizers() {
  using Node = const JsonNode&;
  static const Readers<NormalizerStep> all = {
      {"NFC", [](Node) { return normalize::form(true, false); }},
      {"NFD", [](Node) { return normalize::form(false, false); }},
      {"NFKC", [](Node) { return normalize::form(true, true); }},
      {"NFKD", [](Node) { return normalize::form(false, true); }},
      {"Lowercase", [](Node) { return normalize::lower(); }},
      {"StripAccents", [](Node) { return normalize::strip_accents(); }},
      {"Strip",
       [](Node at) {
         return normalize::strip(at.at("strip_left").boolean_or(true),
                                 at.at("strip_right").boolean_or(true));
       }},
      {"Prepend", [](Node at) { return normalize::prepend(at.at("prepend").text()); }},
      {"Replace",
       [](Node at) {
         return normalize::replace(read_pattern(at.at("pattern")), at.at("content").text());
       }},
      {"ByteLevel", [](Node) { return normalize::bytes(); }},
      {"Nmt", [](Node) { return normalize::nmt(); }},
      {"Precompiled", read_precompiled},
      {"BertNormalizer", read_bert}};
  return all;
}

// --- pre-tokenizers

Behavior read_behavior(const JsonNode& node) {
  static const std::map<std::string, Behavior, std::less<>> names = {
      {"Removed", Behavior::removed},
      {"Isolated", Behavior::isolated},
      {"MergedWithPrevious", Behavior::merged_with_previous},
      {"MergedWithNext", Behavior::merged_with_next},
      {"Contiguous", Behavior::contiguous}};
  const auto found = names.find(node.text());
  if (found == names.end()) {
    node.refuse(Message(N_("Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous")));
  }
  return found->second;
}

PreTokenizerStep read_split(const JsonNode& node) {
  return pre_tokenize::split_at(read_pattern(node.at("pattern")),
                                read_behavior(node.at("behavior")),
                                node.at("invert").boolean_or(false));
}

PreTokenizerStep read_byte_level(const JsonNode& node) {
  return pre_tokenize::byte_level(
      {node.at("add_prefix_space").boolean_or(true), node.at("use_regex").boolean_or(true)});
}

// Reads older files, which say add_prefix_space, and newer ones.
pre_tokenize::Metaspace::First read_first(const JsonNode& node) {
  using First = pre_tokenize::Metaspace::First;
  static const std::map<std::string, First, std::less<>> names = {
      {"always", First::always}, {"first", First::at_the_beginning}, {"never", First::never}};
  const bool wanted = node.at("add_prefix_space").boolean_or(true);
  const JsonNode scheme = node.at("prepend_scheme");
  if (scheme.is_null()) return wanted ? First::always : First::never;
  const auto found = names.find(scheme.text());
  if (found == names.end()) scheme.refuse(Message(N_("always, first or never")));
  if (!wanted && found->second != First::never) {
    scheme.refuse(Message(N_("never, where add_prefix_space is false,")));
  }
  return found->second;
}

PreTokenizerStep read_metaspace(const JsonNode& node) {
  pre_tokenize::Metaspace options;
  options.replacement = text_of(node.at("replacement").character());
  options.first = read_first(node);
  options.splits = node.at("split").boolean_or(true);
  return pre_tokenize::metaspace(options);
}

PreTokenizerStep split_at_class(Pattern::Class fits, Behavior behavior) {
  return pre_tokenize::split_at(Pattern::characters(fits), behavior);
}

PreTokenizerStep read_punctuation(const JsonNode& node) {
  const JsonNode behavior = node.at("behavior");
  return split_at_class(pre_tokenize::is_bert_punctuation,
                        behavior.is_null() ? Behavior::isolated : read_behavior(behavior));
}

PreTokenizerStep read_digits(const JsonNode& node) {
  const bool each = node.at("individual_digits").boolean_or(false);
  return split_at_class(unicode::is_number, each ? Behavior::isolated : Behavior::contiguous);
}

PreTokenizerStep read_delimiter(const JsonNode& node) {
  return pre_tokenize::split_at(Pattern::literal(text_of(node.at("delimiter").character())),
                                Behavior::removed);
}

PreTokenizerStep read_words(const JsonNode&) {
  const std::string word(kWordClass);
  return pre_tokenize::split_at(Pattern::regex("[" + word + "]+|[^" + word + "\\s]+"),
                                Behavior::removed, true);
}

const Readers<PreTokenizerStep>& pre_tokenizers() {
  static const Readers<PreTokenizerStep> all = {
      {"Split", read_split},
      {"ByteLevel", read_byte_level},
      {"Metaspace", read_metaspace},
      {"BertPreTokenizer", [](const JsonNode&) { return pre_tokenize::bert(); }},
      {"Punctuation", read_punctuation},
      {"Digits", read_digits},
      {"CharDelimiterSplit", read_delimiter},
      {"Whitespace", read_words},
      {"WhitespaceSplit",
       [](const JsonNode&) { return split_at_class(unicode::is_white_space, Behavior::removed); }}};
  return all;
}

// --- decoders

DecoderStep read_replacing(const JsonNode& node) {
  return decode_tokens::replace(read_pattern(node.at("pattern")), node.at("content").text());
}

DecoderStep read_stripping(const JsonNode& node) {
  const auto count = [&](const char* key) {
    return static_cast<std::size_t>(node.at(key).whole(0, kMostStripped));
  };
  return decode_tokens::strip(node.at("content").character(), count("start"), count("stop"));
}

DecoderStep read_metaspace_back(const JsonNode& node) {
  return decode_tokens::metaspace(node.at("replacement").character(),
                                  read_first(node) != pre_tokenize::Metaspace::First::never);
}

const Readers<DecoderStep>& decoders() {
  using Node = const JsonNode&;
  static const Readers<DecoderStep> all = {
      {"ByteLevel", [](Node) { return decode_tokens::byte_level(); }},
      {"ByteFallback", [](Node) { return decode_tokens::byte_fallback(); }},
      {"Fuse", [](Node) { return decode_tokens::fuse(); }},
      {"Replace", read_replacing},
      {"Strip", read_stripping},
      {"Metaspace", read_metaspace_back},
      {"WordPiece",
       [](Node at) {
         return decode_tokens::word_piece(at.at("prefix").text_or("##"),
                                          at.at("cleanup").boolean_or(true));
       }},
      {"BPEDecoder",
       [](Node at) { return decode_tokens::ending(at.at("suffix").text_or("</w>")); }}};
  return all;
}

void add_spelling(const JsonNode& node, Spelling& spelling) {
  const JsonNode kind = node.at("type");
  const std::string& type = kind.text();
  if (type == "Sequence") {
    const JsonNode steps = node.at("decoders");
    for (std::size_t k = 0; k < steps.count(); ++k) add_spelling(steps.item(k), spelling);
  } else if (type == "ByteLevel") {
    spelling.bytes_visible = true;
  } else if (type == "ByteFallback") {
    spelling.byte_tokens = true;
  } else if (type == "Metaspace") {
    spelling.space = node.at("replacement").text();
  } else if (type == "Replace" && node.at("content").text() == " ") {
    spelling.space = node.at("pattern").at("String").text_or("");
  } else if (type == "WordPiece") {
    spelling.continuing_prefix = node.at("prefix").text_or("##");
  } else if (type == "BPEDecoder") {
    spelling.ending_suffix = node.at("suffix").text_or("</w>");
  }
}

// --- post-processors

using Items = std::vector<TemplateItem>;

Items read_items(const JsonNode& node, const JsonNode& specials) {
  Items items;
  for (std::size_t k = 0; k < node.count(); ++k) {
    const JsonNode item = node.item(k);
    const JsonNode text = item.at("Sequence"), special = item.at("SpecialToken");
    const JsonNode& what = special.is_null() ? text : special;
    if (what.is_null()) item.refuse(Message(N_("a Sequence or a SpecialToken")));
    TemplateItem made;
    made.type = static_cast<int>(what.at("type_id").whole(0, 255));
    const JsonNode id = what.at("id");
    const std::string& name = id.text();
    if (special.is_null()) {
      if (name != "A" && name != "B") id.refuse(Message(N_("A or B")));
      made.text = name == "B" ? 1 : 0;
    } else {
      const JsonNode ids = specials.at(name).at("ids");
      for (std::size_t i = 0; i < ids.count(); ++i) {
        made.ids.push_back(static_cast<Id>(ids.item(i).whole(0, kMostId)));
      }
      if (made.ids.empty()) ids.refuse(Message(N_("at least one id")));
    }
    items.push_back(std::move(made));
  }
  return items;
}

void require_single(const Items& items, const JsonNode& node) {
  for (const TemplateItem& item : items) {
    if (item.ids.empty() && item.text != 0) node.refuse(Message(N_("a template of one text")));
  }
}

void read_template(const JsonNode& node, Template& around) {
  const JsonNode specials = node.at("special_tokens");
  around.single = read_items(node.at("single"), specials);
  require_single(around.single, node.at("single"));
  around.pair = read_items(node.at("pair"), specials);
}

// ["[SEP]", 102]
TemplateItem read_named_id(const JsonNode& node, int type) {
  if (node.count() != 2) node.refuse(Message(N_("a string and an id")));
  node.item(0).text();
  return {{static_cast<Id>(node.item(1).whole(0, kMostId))}, 0, type};
}

void read_bert_template(const JsonNode& node, Template& around) {
  const TemplateItem first{{}, 0, 0}, second{{}, 1, 1};
  const JsonNode end = node.at("sep");
  around.single = {read_named_id(node.at("cls"), 0), first, read_named_id(end, 0)};
  around.pair = around.single;
  around.pair.push_back(second);
  around.pair.push_back(read_named_id(end, 1));
}

void read_roberta_template(const JsonNode& node, Template& around) {
  const TemplateItem first{{}, 0, 0}, second{{}, 1, 0};
  const TemplateItem end = read_named_id(node.at("sep"), 0);
  around.single = {read_named_id(node.at("cls"), 0), first, end};
  around.pair = around.single;
  around.pair.insert(around.pair.end(), {end, second, end});
}

void add_post_processor(const JsonNode& node, PostProcessor& to) {
  if (node.is_null()) return;
  const JsonNode kind = node.at("type");
  const std::string& type = kind.text();
  if (type == "Sequence") {
    const JsonNode steps = node.at("processors");
    for (std::size_t k = 0; k < steps.count(); ++k) add_post_processor(steps.item(k), to);
    return;
  }
  const bool trims = type == "ByteLevel" || type == "RobertaProcessing";
  if (trims && node.at("trim_offsets").boolean_or(true)) {
    to.trim = OffsetTrim{node.at("add_prefix_space").boolean_or(true)};
  }
  if (type == "TemplateProcessing") {
    read_template(node, to.around);
  } else if (type == "BertProcessing") {
    read_bert_template(node, to.around);
  } else if (type == "RobertaProcessing") {
    read_roberta_template(node, to.around);
  } else if (type != "ByteLevel") {
    node.refuse_step(Message(N_("the post-processor")), type);
  }
}

}  // namespace

Normalizer read_normalizer(const JsonNode& node) {
  Normalizer steps;
  add_steps(node, "normalizers", Message(N_("the normalizer")), normalizers(), steps);
  return steps;
}

PreTokenizer read_pre_tokenizer(const JsonNode& node) {
  PreTokenizer steps;
  add_steps(node, "pretokenizers", Message(N_("the pre-tokenizer")), pre_tokenizers(), steps);
  return steps;
}

Decoder read_decoder(const JsonNode& node, Spelling& spelling) {
  Decoder steps;
  add_steps(node, "decoders", Message(N_("the decoder")), decoders(), steps);
  add_spelling(node, spelling);
  return steps;
}

PostProcessor read_post_processor(const JsonNode& node) {
  PostProcessor all;
  add_post_processor(node, all);
  return all;
}

}  // namespace core::subword
