// A value inside of a JSON file and where it stands, so that what is wrong with it can be said.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/types.h"

namespace core::subword {

// Accessors throw InputError with a sentence when the value is of another kind. The file's JSON
// outlives its places.
class JsonNode {
 public:
  JsonNode(const nlohmann::json& value, std::string path)
      : value_(&value), path_(std::move(path)) {}

  const nlohmann::json& value() const { return *value_; }
  const std::string& path() const { return path_; }
  bool is_null() const { return value_->is_null(); }
  bool is_text() const { return value_->is_string(); }
  bool is_list() const { return value_->is_array(); }

  // A member of an object; null where it has no such key.
  JsonNode at(const std::string& key) const;
  // The length of a list, and its elements.
  std::size_t count() const;
  JsonNode item(std::size_t k) const;

  const nlohmann::json& object() const;
  const std::string& text() const;
  bool boolean() const;
  Index whole(Index least, Index most) const;
  double number() const;  // finite
  // A text of one character.
  char32_t character() const;
  // What stands there, else, where nothing does, `otherwise`.
  bool boolean_or(bool otherwise) const { return is_null() ? otherwise : boolean(); }
  std::string text_or(const std::string& otherwise) const { return is_null() ? otherwise : text(); }

  [[noreturn]] void refuse(const Message& expected) const;
  // For a step whose type is not one that this program takes: it is never left out.
  [[noreturn]] void refuse_step(const Message& what, const std::string& type) const;

 private:
  const nlohmann::json* value_;
  std::string path_;  // "model.vocab"
};

}  // namespace core::subword
