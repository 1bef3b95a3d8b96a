// Exact ids, offsets and texts of tokenizers, from tokenizer.json and from plain vocabularies.
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/tokenizer/tokenizer_file.h"
#include "registry.h"

namespace core_check {
namespace topic_14_tokenizers {

using namespace core::subword;
using core::Index;
namespace fs = std::filesystem;

CaseValue list_of(const std::vector<Id>& ids) {
  std::vector<CaseValue> items;
  for (const Id id : ids) items.emplace_back(static_cast<Index>(id));
  return CaseValue::list(std::move(items));
}

CaseValue list_of(const std::vector<ByteRange>& offsets) {
  std::vector<CaseValue> items;
  for (const ByteRange& range : offsets) {
    items.push_back(
        CaseValue::list({static_cast<Index>(range.begin), static_cast<Index>(range.end)}));
  }
  return CaseValue::list(std::move(items));
}

// Read once for all strings.
const Tokenizer& tokenizer_in(const fs::path& folder) {
  static std::map<fs::path, Tokenizer> known;
  const auto found = known.find(folder);
  if (found != known.end()) return found->second;
  return known.emplace(folder, read_tokenizer(folder / "tokenizer.json")).first->second;
}

// What the files beside tokenizer.json leave to the kind of model, which the folder's name says.
Tokenizer tokenizer_without_json(const fs::path& folder, const std::string& kind, bool words) {
  SideFiles side;
  side.lower = kind.ends_with("uncased");
  if (words) return read_word_list(folder / "vocab.txt", side);
  const ByteSplit split = kind.find("qwen2") != kind.npos    ? ByteSplit::qwen2
                          : kind.find("llama3") != kind.npos ? ByteSplit::llama3
                                                             : ByteSplit::gpt2;
  return read_pairs(folder / "vocab.json", folder / "merges.txt", split, {"<|endoftext|>"});
}

void check_other_files(const ReferenceCase& one, const fs::path& folder,
                       const std::vector<Id>& ids) {
  const CaseValue* files = one.params.find("also_from");
  if (!files) return;
  const std::vector<CaseValue> names = files->items();
  const bool words = std::any_of(names.begin(), names.end(), [](const CaseValue& name) {
    return name.as_text() == "vocab.txt";
  });
  const Tokenizer other =
      tokenizer_without_json(folder, one.params.at("tokenizer").as_text(), words);
  if (other.encode(one.inputs.at("text").as_text()).ids != ids) {
    throw core::InputError("expected the same ids from the plain vocabulary, got others");
  }
}

// A key that a case leaves out says that the value is that of another key; of a long text there are
// the ids alone.
void check_left_out(const ReferenceCase& one, const char* key, const char* same,
                    const CaseValue& got) {
  if (one.expected.find(key) || !one.expected.find("offsets")) return;
  const auto difference =
      core::compare_values(one.expected.at(same), got.at(key), one.tolerance, key);
  if (!difference.agrees()) throw core::InputError(difference.message);
}

CaseValue tokenize_case(const ReferenceCase& one, const ReferenceFile& file) {
  const fs::path folder = file.folder / one.inputs.at("folder").as_text();
  const Tokenizer& tokenizer = tokenizer_in(folder);
  const Encoding text = tokenizer.encode(one.inputs.at("text").as_text());
  const Encoding around = tokenizer.around(text);
  CaseValue got = CaseValue::object();
  got.set("ids", list_of(text.ids));
  got.set("ids_with_special", list_of(around.ids));
  got.set("offsets", list_of(text.offsets));
  got.set("decoded", tokenizer.decode(text.ids));
  got.set("decoded_skip_special", tokenizer.decode(around.ids, Tokenizer::Specials::skip));
  check_left_out(one, "ids_with_special", "ids", got);
  check_left_out(one, "decoded_skip_special", "decoded", got);
  check_other_files(one, folder, text.ids);
  return got;
}

const Topic topic("14_tokenizers", {{"*", tokenize_case}});

}  // namespace topic_14_tokenizers
}  // namespace core_check
