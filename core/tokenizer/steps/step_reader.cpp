#include "core/tokenizer/steps/step_reader.h"

#include <map>
#include <utility>

#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace core::subword {
namespace {

constexpr Index kMostId = 0x7ffffffe;
constexpr Index kMostStripped = 1'000'000;

template <class Step>
using Readers = std::map<std::string, Step (*)(const JsonPlace&), std::less<>>;

// The steps at a place: none for null, those of a list for a "Sequence".
template <class Step>
void add_steps(const JsonPlace& place, const char* list, const Message& what,
               const Readers<Step>& readers, std::vector<Step>& to) {
  if (place.is_null()) return;
  const JsonPlace kind = place.at("type");
  const std::string& type = kind.text();
  if (type == "Sequence") {
    const JsonPlace steps = place.at(list);
    for (std::size_t k = 0; k < steps.count(); ++k) {
      add_steps(steps.item(k), list, what, readers, to);
    }
    return;
  }
  const auto reader = readers.find(type);
  if (reader == readers.end()) place.refuse_step(what, type);
  to.push_back(reader->second(place));
}

// {"String": "..."} or {"Regex": "..."}
Pattern read_pattern(const JsonPlace& place) {
  const JsonPlace literal = place.at("String");
  if (!literal.is_null()) return Pattern::literal(literal.text());
  const JsonPlace regex = place.at("Regex");
  if (regex.is_null()) place.refuse(Message(N_("an object with a String or a Regex")));
  return Pattern::regex(regex.text());
}

std::string text_of(char32_t c) {
  std::string text;
  append_utf8(text, c);
  return text;
}

// --- normalizers

NormalizerStep read_bert(const JsonPlace& place) {
  normalize::Bert options;
  options.clean = place.at("clean_text").boolean_or(true);
  options.ideographs = place.at("handle_chinese_chars").boolean_or(true);
  options.lower = place.at("lowercase").boolean_or(true);
  options.accents = place.at("strip_accents").boolean_or(options.lower);
  return normalize::bert(options);
}

NormalizerStep read_precompiled(const JsonPlace& place) {
  const JsonPlace map = place.at("precompiled_charsmap");
  const auto blob = from_base64(map.text());
  if (!blob) map.refuse(Message(N_("a base64 string")));
  return normalize::precompiled(PrecompiledMap(*blob));
}

const Readers<NormalizerStep>& normalizers() {
  using Place = const JsonPlace&;
  static const Readers<NormalizerStep> all = {
      {"NFC", [](Place) { return normalize::form(true, false); }},
      {"NFD", [](Place) { return normalize::form(false, false); }},
      {"NFKC", [](Place) { return normalize::form(true, true); }},
      {"NFKD", [](Place) { return normalize::form(false, true); }},
      {"Lowercase", [](Place) { return normalize::lower(); }},
      {"StripAccents", [](Place) { return normalize::strip_accents(); }},
      {"Strip",
       [](Place at) {
         return normalize::strip(at.at("strip_left").boolean_or(true),
                                 at.at("strip_right").boolean_or(true));
       }},
      {"Prepend", [](Place at) { return normalize::prepend(at.at("prepend").text()); }},
      {"Replace",
       [](Place at) {
         return normalize::replace(read_pattern(at.at("pattern")), at.at("content").text());
       }},
      {"ByteLevel", [](Place) { return normalize::bytes(); }},
      {"Nmt", [](Place) { return normalize::nmt(); }},
      {"Precompiled", read_precompiled},
      {"BertNormalizer", read_bert}};
  return all;
}

// --- pre-tokenizers

Behavior read_behavior(const JsonPlace& place) {
  static const std::map<std::string, Behavior, std::less<>> names = {
      {"Removed", Behavior::removed},
      {"Isolated", Behavior::isolated},
      {"MergedWithPrevious", Behavior::merged_with_previous},
      {"MergedWithNext", Behavior::merged_with_next},
      {"Contiguous", Behavior::contiguous}};
  const auto found = names.find(place.text());
  if (found == names.end()) {
    place.refuse(
        Message(N_("Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous")));
  }
  return found->second;
}

PreTokenizerStep read_split(const JsonPlace& place) {
  return pre_tokenize::split_at(read_pattern(place.at("pattern")),
                                read_behavior(place.at("behavior")),
                                place.at("invert").boolean_or(false));
}

PreTokenizerStep read_byte_level(const JsonPlace& place) {
  return pre_tokenize::byte_level(
      {place.at("add_prefix_space").boolean_or(true), place.at("use_regex").boolean_or(true)});
}

// Of older files, which say add_prefix_space, and of newer ones.
pre_tokenize::Metaspace::First read_first(const JsonPlace& place) {
  using First = pre_tokenize::Metaspace::First;
  static const std::map<std::string, First, std::less<>> names = {
      {"always", First::always}, {"first", First::at_the_beginning}, {"never", First::never}};
  const bool wanted = place.at("add_prefix_space").boolean_or(true);
  const JsonPlace scheme = place.at("prepend_scheme");
  if (scheme.is_null()) return wanted ? First::always : First::never;
  const auto found = names.find(scheme.text());
  if (found == names.end()) scheme.refuse(Message(N_("always, first or never")));
  if (!wanted && found->second != First::never) {
    scheme.refuse(Message(N_("never, where add_prefix_space is false,")));
  }
  return found->second;
}

PreTokenizerStep read_metaspace(const JsonPlace& place) {
  pre_tokenize::Metaspace options;
  options.replacement = text_of(place.at("replacement").character());
  options.first = read_first(place);
  options.splits = place.at("split").boolean_or(true);
  return pre_tokenize::metaspace(options);
}

PreTokenizerStep split_at_class(Pattern::Class fits, Behavior behavior) {
  return pre_tokenize::split_at(Pattern::characters(fits), behavior);
}

PreTokenizerStep read_punctuation(const JsonPlace& place) {
  const JsonPlace behavior = place.at("behavior");
  return split_at_class(pre_tokenize::is_bert_punctuation,
                        behavior.is_null() ? Behavior::isolated : read_behavior(behavior));
}

PreTokenizerStep read_digits(const JsonPlace& place) {
  const bool each = place.at("individual_digits").boolean_or(false);
  return split_at_class(unicode::is_number, each ? Behavior::isolated : Behavior::contiguous);
}

PreTokenizerStep read_delimiter(const JsonPlace& place) {
  return pre_tokenize::split_at(Pattern::literal(text_of(place.at("delimiter").character())),
                                Behavior::removed);
}

PreTokenizerStep read_words(const JsonPlace&) {
  const std::string word(kWordClass);
  return pre_tokenize::split_at(Pattern::regex("[" + word + "]+|[^" + word + "\\s]+"),
                                Behavior::removed, true);
}

const Readers<PreTokenizerStep>& pre_tokenizers() {
  static const Readers<PreTokenizerStep> all = {
      {"Split", read_split},
      {"ByteLevel", read_byte_level},
      {"Metaspace", read_metaspace},
      {"BertPreTokenizer", [](const JsonPlace&) { return pre_tokenize::bert(); }},
      {"Punctuation", read_punctuation},
      {"Digits", read_digits},
      {"CharDelimiterSplit", read_delimiter},
      {"Whitespace", read_words},
      {"WhitespaceSplit", [](const JsonPlace&) {
         return split_at_class(unicode::is_white_space, Behavior::removed);
       }}};
  return all;
}

// --- decoders

DecoderStep read_replacing(const JsonPlace& place) {
  return decode_tokens::replace(read_pattern(place.at("pattern")), place.at("content").text());
}

DecoderStep read_stripping(const JsonPlace& place) {
  const auto count = [&](const char* key) {
    return static_cast<std::size_t>(place.at(key).whole(0, kMostStripped));
  };
  return decode_tokens::strip(place.at("content").character(), count("start"), count("stop"));
}

DecoderStep read_metaspace_back(const JsonPlace& place) {
  return decode_tokens::metaspace(place.at("replacement").character(),
                                  read_first(place) != pre_tokenize::Metaspace::First::never);
}

const Readers<DecoderStep>& decoders() {
  using Place = const JsonPlace&;
  static const Readers<DecoderStep> all = {
      {"ByteLevel", [](Place) { return decode_tokens::byte_level(); }},
      {"ByteFallback", [](Place) { return decode_tokens::byte_fallback(); }},
      {"Fuse", [](Place) { return decode_tokens::fuse(); }},
      {"Replace", read_replacing},
      {"Strip", read_stripping},
      {"Metaspace", read_metaspace_back},
      {"WordPiece",
       [](Place at) {
         return decode_tokens::word_piece(at.at("prefix").text_or("##"),
                                          at.at("cleanup").boolean_or(true));
       }},
      {"BPEDecoder",
       [](Place at) { return decode_tokens::ending(at.at("suffix").text_or("</w>")); }}};
  return all;
}

void add_spelling(const JsonPlace& place, Spelling& spelling) {
  const JsonPlace kind = place.at("type");
  const std::string& type = kind.text();
  if (type == "Sequence") {
    const JsonPlace steps = place.at("decoders");
    for (std::size_t k = 0; k < steps.count(); ++k) add_spelling(steps.item(k), spelling);
  } else if (type == "ByteLevel") {
    spelling.bytes_visible = true;
  } else if (type == "ByteFallback") {
    spelling.byte_tokens = true;
  } else if (type == "Metaspace") {
    spelling.space = place.at("replacement").text();
  } else if (type == "Replace" && place.at("content").text() == " ") {
    spelling.space = place.at("pattern").at("String").text_or("");
  } else if (type == "WordPiece") {
    spelling.continuing_prefix = place.at("prefix").text_or("##");
  } else if (type == "BPEDecoder") {
    spelling.ending_suffix = place.at("suffix").text_or("</w>");
  }
}

// --- post-processors

using Items = std::vector<TemplateItem>;

Items read_items(const JsonPlace& place, const JsonPlace& specials) {
  Items items;
  for (std::size_t k = 0; k < place.count(); ++k) {
    const JsonPlace item = place.item(k);
    const JsonPlace text = item.at("Sequence"), special = item.at("SpecialToken");
    const JsonPlace& what = special.is_null() ? text : special;
    if (what.is_null()) item.refuse(Message(N_("a Sequence or a SpecialToken")));
    TemplateItem made;
    made.type = static_cast<int>(what.at("type_id").whole(0, 255));
    const JsonPlace id = what.at("id");
    const std::string& name = id.text();
    if (special.is_null()) {
      if (name != "A" && name != "B") id.refuse(Message(N_("A or B")));
      made.text = name == "B" ? 1 : 0;
    } else {
      const JsonPlace ids = specials.at(name).at("ids");
      for (std::size_t i = 0; i < ids.count(); ++i) {
        made.ids.push_back(static_cast<Id>(ids.item(i).whole(0, kMostId)));
      }
      if (made.ids.empty()) ids.refuse(Message(N_("at least one id")));
    }
    items.push_back(std::move(made));
  }
  return items;
}

void require_single(const Items& items, const JsonPlace& place) {
  for (const TemplateItem& item : items) {
    if (item.ids.empty() && item.text != 0) place.refuse(Message(N_("a template of one text")));
  }
}

void read_template(const JsonPlace& place, Template& around) {
  const JsonPlace specials = place.at("special_tokens");
  around.single = read_items(place.at("single"), specials);
  require_single(around.single, place.at("single"));
  around.pair = read_items(place.at("pair"), specials);
}

// ["[SEP]", 102]
TemplateItem read_named_id(const JsonPlace& place, int type) {
  if (place.count() != 2) place.refuse(Message(N_("a string and an id")));
  place.item(0).text();
  return {{static_cast<Id>(place.item(1).whole(0, kMostId))}, 0, type};
}

void read_bert_template(const JsonPlace& place, Template& around) {
  const TemplateItem first{{}, 0, 0}, second{{}, 1, 1};
  const JsonPlace end = place.at("sep");
  around.single = {read_named_id(place.at("cls"), 0), first, read_named_id(end, 0)};
  around.pair = around.single;
  around.pair.push_back(second);
  around.pair.push_back(read_named_id(end, 1));
}

void read_roberta_template(const JsonPlace& place, Template& around) {
  const TemplateItem first{{}, 0, 0}, second{{}, 1, 0};
  const TemplateItem end = read_named_id(place.at("sep"), 0);
  around.single = {read_named_id(place.at("cls"), 0), first, end};
  around.pair = around.single;
  around.pair.insert(around.pair.end(), {end, second, end});
}

void add_post_processor(const JsonPlace& place, PostProcessor& to) {
  if (place.is_null()) return;
  const JsonPlace kind = place.at("type");
  const std::string& type = kind.text();
  if (type == "Sequence") {
    const JsonPlace steps = place.at("processors");
    for (std::size_t k = 0; k < steps.count(); ++k) add_post_processor(steps.item(k), to);
    return;
  }
  const bool trims = type == "ByteLevel" || type == "RobertaProcessing";
  if (trims && place.at("trim_offsets").boolean_or(true)) {
    to.trim = OffsetTrim{place.at("add_prefix_space").boolean_or(true)};
  }
  if (type == "TemplateProcessing") {
    read_template(place, to.around);
  } else if (type == "BertProcessing") {
    read_bert_template(place, to.around);
  } else if (type == "RobertaProcessing") {
    read_roberta_template(place, to.around);
  } else if (type != "ByteLevel") {
    place.refuse_step(Message(N_("the post-processor")), type);
  }
}

}  // namespace

Normalizer read_normalizer(const JsonPlace& place) {
  Normalizer steps;
  add_steps(place, "normalizers", Message(N_("the normalizer")), normalizers(), steps);
  return steps;
}

PreTokenizer read_pre_tokenizer(const JsonPlace& place) {
  PreTokenizer steps;
  add_steps(place, "pretokenizers", Message(N_("the pre-tokenizer")), pre_tokenizers(), steps);
  return steps;
}

Decoder read_decoder(const JsonPlace& place, Spelling& spelling) {
  Decoder steps;
  add_steps(place, "decoders", Message(N_("the decoder")), decoders(), steps);
  add_spelling(place, spelling);
  return steps;
}

PostProcessor read_post_processor(const JsonPlace& place) {
  PostProcessor all;
  add_post_processor(place, all);
  return all;
}

}  // namespace core::subword
