// A published model with its tokenizer, out of a folder or out of the program, as labs open it.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/model/file_stamp.h"
#include "core/checkpoint/over_texts/comparison.h"
#include "core/checkpoint/over_texts/score_history.h"
#include "core/tokenizer/tokenizer.h"

namespace lab {

// Those that travel with the program. English and Chinese have read (tools/make_language.cpp); the
// weights of the others, layouts of published models, are random.
enum class ShippedModel { english, chinese, gpt2, llama, bloom, bert, t5 };
std::string_view shipped_folder(ShippedModel shipped);
// Beside the question where the weights are random; empty: they were learned.
std::string_view made_up_weights(ShippedModel shipped);

// What a stage is told of a folder: another stamp, another model.
struct PublishedSource {
  std::string shipped = {};  // or:
  std::string folder = {};
  std::vector<FileStamp> files = {};
  bool operator==(const PublishedSource&) const = default;

  // `path`: a folder, or a file in it, or the root of a hub's cache, whose snapshot is meant;
  // empty: the shipped one.
  static PublishedSource of(const std::string& path, ShippedModel shipped);
};

struct PublishedModel {
  std::string name;
  std::string text_at_first;
  std::shared_ptr<const core::checkpoint::Model> model;
  // Null where the folder has none: texts are then written as numbers of tokens.
  std::shared_ptr<const core::subword::Tokenizer> tokenizer;
  std::string tokenizer_from;    // "tokenizer.json"
  core::Message no_tokenizer;    // what lies there that is none; empty: nothing, or there is one
  std::vector<FileStamp> files;  // of the folder, by their names
  // Of a shipped one that has read: texts that it did not learn from.
  std::vector<std::string> held_out;
  // What its heads did on them at steps of its training; null: nobody kept it.
  std::shared_ptr<const core::checkpoint::ScoreHistory> history;
  // How well it guesses what was held out, beside others; null: nobody measured it.
  std::shared_ptr<const core::checkpoint::Comparison> comparison;
  std::vector<std::string> tokenizer_unread;  // keys of tokenizer_config.json that nothing reads

  const core::checkpoint::ModelFacts& facts() const { return model->facts(); }
  // To be read: spaces and bytes that are no whole character are visible.
  std::string shown(std::int32_t id) const;
  std::string bytes(std::int32_t id) const;  // "20 63 61 74"; empty where nothing is known
  // The token that a text is alone, as the vocabulary spells it, as it is read, or as shown() says
  // it; none for others.
  std::optional<std::int32_t> find(const std::string& text, const core::Cancel& cancel) const;
  // What tokens stand for, without special ones; without a tokenizer their numbers.
  std::string text_of(const std::vector<std::int32_t>& ids) const;
  // What was read and a token more, to be typed again; none where that is no text, or is longer
  // than a text may be.
  std::optional<std::string> continued(const std::vector<std::int32_t>& read,
                                       std::int32_t id) const;
};
inline constexpr std::size_t kMostTyped = 100'000;  // bytes of a text

// A text whose first tokens go on with one of a person's choice, in place of what follows them. The
// model outlives it.
class ForcedToken {
 public:
  ForcedToken(const PublishedModel& model, const std::vector<std::int32_t>& text, Index first);
  // Sets the knobs "text" and "token"; empty where that is no text.
  Assignments pick(std::int32_t id) const;
  // What is left out: all that followed, but for the token itself where it came next.
  figure::Loss loss(std::int32_t id, const Words& w) const;

 private:
  const PublishedModel& model_;
  std::vector<std::int32_t> read_, after_;
};

// What an empty text stands for; empty where there is no tokenizer.
std::string text_if_empty(const PublishedModel& model);

// What whoever looks at any page of it has to know: where its files differ from each other, that it
// has no tokenizer, and of settings and tensors that are not read how many there are; and what an
// empty text is.
void add_published_notes(const PublishedModel& model, const Words& w, Page& page);
// " · settings not read: 2 · tensors not read: 1"; empty: all are read.
std::string unread_text(const PublishedModel& model, const Words& w);

// Throws core::InputError in one sentence for whatever cannot be opened.
PublishedModel open_published(const PublishedSource& source, const Run& run);

// A text as its tokens.
struct PublishedText {
  std::vector<std::int32_t> ids = {}, types = {};
  std::vector<std::uint8_t> put_in = {};  // 1: by the tokenizer's template
};
// An empty text stands for the one that is there at first; `around`: with the template. Without a
// tokenizer the text is numbers of tokens with spaces between them. InputError for what is none,
// and for a token that the model has no row for.
PublishedText published_text(const PublishedModel& model, const std::string& text, bool around,
                             const core::Cancel& cancel);
// The same by the tokenizer alone, without a template.
std::vector<std::int32_t> published_ids(const PublishedModel& model, const std::string& text,
                                        const core::Cancel& cancel);

// --- a decoder, as labs of trained decoders offer it beside their own

struct PublishedKnobs {
  ShippedModel shipped = ShippedModel::english;
  std::string folder = {};
  bool around = true;

  PublishedSource source() const { return PublishedSource::of(folder, shipped); }
  // As made_up_weights; empty for a folder.
  std::string_view made_up() const { return folder.empty() ? made_up_weights(shipped) : ""; }
  bool operator==(const PublishedKnobs&) const = default;
};
// The choice of a shipped model, and what it is.
std::vector<param::Option> shipped_options(std::span<const ShippedModel> offered);
std::string_view shipped_help();
// The knobs "published", "folder" and "around"; `layered`: of the shipped ones those alone that
// core/checkpoint/inside/packed.h lays out.
void describe_published(PublishedKnobs& knobs, param::List& list, bool active,
                        bool layered = false);
// The knob "folder" alone, and "around".
void describe_folder(std::string& folder, param::List& list, bool active = true);
void describe_around(bool& around, param::List& list, bool active = true);
}  // namespace lab
