// config.json of a published model. A key is read with what it may be, and anything else is refused
// by the key's name.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/model/activation.h"
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
  // The file, which is a JSON object of at most kMostConfigBytes, else InputError.
  static Config of_file(const std::filesystem::path& path, const Cancel& cancel = {});
  // The same of a text, which messages call `name`.
  static Config of_text(const std::string& text, const std::string& name);

  // Whether the key is there at all, and whether it is there and not null.
  bool has(std::string_view key) const { return value_->contains(key); }
  bool gives(std::string_view key) const;
  // The first of these keys that is given, else the first of all.
  std::string_view first_of(std::initializer_list<std::string_view> keys) const;
  // What a message calls a key: "config.json, rope_scaling.factor".
  Message where(std::string_view key) const;

  // A whole number from `least` to `most`. `otherwise`: for a key that is not there, or null;
  // without it such a key is refused.
  Index size(std::string_view key, std::optional<Index> otherwise = {}, Index most = kMostSize,
             Index least = 1) const;
  Index layers(std::string_view key, std::optional<Index> otherwise = {}) const {
    return size(key, otherwise, kMostLayers);
  }
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
  // An object, or none where the key is not there, or null.
  std::optional<Config> section(std::string_view key) const;
  // The number of a token, or the first of a list of them; -1 for whatever else stands there.
  std::int32_t token(std::string_view key, Index vocabulary) const;
  // Lists.
  std::vector<double> numbers(std::string_view key, Index count) const;
  std::optional<std::vector<std::string>> texts(std::string_view key, Index count) const;

  // InputError unless `part` divides `whole`; keys say which they are.
  void require_divides(std::string_view part_key, Index part, std::string_view whole_key,
                       Index whole) const;
  // "expected {}, got {}" of a key.
  [[noreturn]] void refuse(std::string_view key, const Message& expected) const;

 private:
  Config(std::string file, std::string path, std::shared_ptr<const nlohmann::json> whole,
         const nlohmann::json* value)
      : file_(std::move(file)), path_(std::move(path)), whole_(std::move(whole)), value_(value) {}

  Message came(std::string_view key) const;
  std::optional<std::string> text_of(std::string_view key, bool may_be_absent) const;

  std::string file_, path_;  // "config.json", "rope_scaling." or nothing
  std::shared_ptr<const nlohmann::json> whole_;
  const nlohmann::json* value_;  // the object, inside of the whole
};

}  // namespace core::checkpoint
