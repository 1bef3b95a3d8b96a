// What turns a piece of text into tokens of a vocabulary.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tokenizer/models/vocabulary.h"

namespace core::subword {

// A token, and the bytes [begin, end) of the piece that it stands for.
struct Unit {
  Id id;
  std::uint32_t begin, end;
};

class Model {
 public:
  explicit Model(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
  virtual ~Model() = default;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  // Appends the tokens of a piece, which is UTF-8. May be called from several threads at once.
  virtual void encode(std::string_view piece, std::vector<Unit>& to) const = 0;

 private:
  Vocabulary vocabulary_;
};

}  // namespace core::subword
