// config.json of a published model. A key is read with what it may be, and anything else is refused
// by the key's name. It is noted which keys were asked for: the others are told, or refused.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/layer/activation.h"
#include "core/types.h"

namespace core::checkpoint {

inline constexpr std::uint64_t kMostConfigBytes = std::uint64_t{1} << 20;
// No published model has a size beyond it, and a square of it is still an Index.
inline constexpr Index kMostSize = Index{1} << 26;
inline constexpr Index kMostLayers = 4096;

// A text in a file and what it means.
template <class T>
struct Word {
  std::string_view text;
  T value;
};

// hidden_act and its like. "gelu_fast" and "gelu_new" are the tanh form, "gelu" is the exact one.
inline constexpr Word<model::Activation> kActivations[] = {
    {"gelu", model::Activation::gelu},
    {"gelu_python", model::Activation::gelu},
    {"gelu_new", model::Activation::gelu_tanh},
    {"gelu_fast", model::Activation::gelu_tanh},
    {"gelu_pytorch_tanh", model::Activation::gelu_tanh},
    {"relu", model::Activation::relu},
    {"silu", model::Activation::silu},
    {"swish", model::Activation::silu},
    {"tanh", model::Activation::tanh}};

class Config {
 public:
  // The file, which is a JSON object of at most kMostConfigBytes, else InputError. NaN, Infinity
  // and -Infinity, which Python writes, are numbers here.
  static Config of_file(const std::filesystem::path& path, const Cancel& cancel = {});
  // Reads a text, which messages call `name`.
  static Config of_text(const std::string& text, const std::string& name);

  // Whether the key is there at all, and whether it is there and not null.
  bool has(std::string_view key) const { return find(key) != value_->end(); }
  bool gives(std::string_view key) const;
  // The first of these keys that is given, else the first of all. Others that say the same are read
  // with it.
  std::string_view first_of(std::initializer_list<std::string_view> keys) const;
  // Name of a key in messages: "config.json, rope_scaling.factor".
  Message where(std::string_view key) const;

  // A whole number from `least` to `most`. `otherwise`: for a key that is not there, or null;
  // without it such a key is refused.
  Index size(std::string_view key, std::optional<Index> otherwise = {}, Index most = kMostSize,
             Index least = 1) const;
  Index layers(std::string_view key, std::optional<Index> otherwise = {}) const {
    return size(key, otherwise, kMostLayers);
  }
  // A count that files may write with a point, too: 4096.0.
  Index count(std::string_view key, std::optional<Index> otherwise = {}) const;
  // A finite number above 0.
  double positive(std::string_view key, std::optional<double> otherwise = {}) const;
  bool flag(std::string_view key, bool otherwise) const;
  // One of the words.
  template <class T>
  T word(std::string_view key, std::span<const Word<T>> words,
         std::optional<T> otherwise = {}) const {
    const std::optional<std::string> text = text_of(key, otherwise.has_value());
    if (!text) return *otherwise;
    std::string known;
    for (const Word<T>& one : words) {
      if (one.text == *text) return one.value;
      known += (known.empty() ? "" : ", ") + std::string(one.text);
    }
    refuse(key, Message(N_("one of {}"), known));
  }
  model::Activation activation(std::string_view key,
                               std::optional<model::Activation> otherwise = {}) const {
    return word<model::Activation>(key, kActivations, otherwise);
  }
  // An object, or none where the key is not there, or null, or is an empty object.
  std::optional<Config> section(std::string_view key) const;
  // Whether a list of texts has this one; true where there is no such list.
  bool lists(std::string_view key, std::string_view text) const;
  // The names of the object's keys, and whether all it says are objects.
  std::vector<std::string> keys() const;
  bool holds_objects_alone() const;
  // The number of a token, or the first of a list of them; -1 for whatever else stands there.
  std::int32_t token(std::string_view key, Index vocabulary) const;
  // Lists.
  std::vector<double> numbers(std::string_view key, Index count) const;
  std::optional<std::vector<std::string>> texts(std::string_view key, Index count) const;
  // The texts among a list's elements; none where there is no list.
  std::vector<std::string> texts_of(std::string_view key) const;

  // InputError unless `part` divides `whole`; keys say which they are.
  void require_divides(std::string_view part_key, Index part, std::string_view whole_key,
                       Index whole) const;
  // "expected {}, got {}" of a key.
  [[noreturn]] void refuse(std::string_view key, const Message& expected) const;

  // The keys of this object that nobody asked for and that say something: not null, no empty list
  // or object.
  std::vector<std::string> unread() const;
  // The same without those that are known to have no effect on what is computed here (config.cpp
  // lists them). InputError, by its name, for one that matters for what is computed: a list or an
  // object about positions, attention or quantisation.
  std::vector<std::string> unread_settings() const;
  // InputError for the first of unread().
  void require_all_read() const;

 private:
  using Asked = std::shared_ptr<std::set<std::string, std::less<>>>;
  Config(std::string file, std::string path, std::shared_ptr<const nlohmann::json> whole,
         const nlohmann::json* value, Asked asked)
      : file_(std::move(file)),
        path_(std::move(path)),
        whole_(std::move(whole)),
        value_(value),
        asked_(std::move(asked)) {}

  // Notes that the key was asked for.
  nlohmann::json::const_iterator find(std::string_view key) const;
  Message came(std::string_view key) const;
  std::optional<std::string> text_of(std::string_view key, bool may_be_absent) const;

  std::string file_, path_;  // "config.json", "rope_scaling." or nothing
  std::shared_ptr<const nlohmann::json> whole_;
  const nlohmann::json* value_;  // the object, inside of the whole
  Asked asked_;                  // paths of keys, of the whole
};

}  // namespace core::checkpoint
