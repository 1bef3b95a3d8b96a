#include "core/tokenizer/models/vocabulary.h"

#include <algorithm>

#include "core/text/printable.h"

namespace core::subword {

void Vocabulary::add(std::string token, Id id) {
  if (const std::string* other = this->token(id)) {
    throw InputError(Message(N_("expected a token for each id, got both \"{}\" and \"{}\" for {}"),
                             printable(*other), printable(token), id));
  }
  const auto [entry, is_new] = ids_.emplace(std::move(token), id);
  if (!is_new) {
    throw InputError(Message(N_("expected each token once, got \"{}\" with the ids {} and {}"),
                             printable(entry->first), entry->second, id));
  }
  const std::size_t place = static_cast<std::size_t>(id);
  if (place >= tokens_.size()) {
    // Ids come in any order, and mostly without holes.
    if (place >= tokens_.capacity()) tokens_.reserve(std::max(place + 1, 2 * tokens_.size()));
    tokens_.resize(place + 1, nullptr);
  }
  tokens_[place] = &entry->first;
}

}  // namespace core::subword
