#include "core/tokenizer/models/unigram_model.h"

#include <algorithm>

#include "core/text/printable.h"
#include "core/text/utf8.h"
#include "core/tokenizer/models/byte_alphabet.h"

namespace core::subword {

// The best way to the end of a token: its score, the token and where this begins.
struct UnigramModel::Step {
  double score = 0;
  Id id = -1;
  std::uint32_t begin = 0;
  bool reached = false;

  void offer(double other, Id token, std::size_t from) {
    if (reached && other <= score) return;
    *this = {other, token, static_cast<std::uint32_t>(from), true};
  }
};

UnigramModel::UnigramModel(Vocabulary words, std::vector<double> scores, std::optional<Id> unknown,
                           bool byte_fallback)
    : Model(std::move(words)),
      scores_(std::move(scores)),
      unknown_(unknown),
      byte_fallback_(byte_fallback) {
  if (unknown_ && !vocabulary().token(*unknown_)) {
    throw InputError(
        Message(N_("the unknown token has the id {}, which is not in the vocabulary"), *unknown_));
  }
  for (unsigned byte = 0; byte_fallback_ && byte < 256; ++byte) {
    const std::string name = byte_token(static_cast<unsigned char>(byte));
    if (!vocabulary().find(name)) {
      throw InputError(Message(N_("unknown characters fall back to bytes, but the token {} is not "
                                  "in the vocabulary"),
                               name));
    }
  }
  for (Id id = 0; id < vocabulary().end(); ++id) {
    tokens_.add(*vocabulary().token(id), static_cast<std::uint32_t>(id));
  }
  if (!scores_.empty()) {
    unknown_score_ = *std::min_element(scores_.begin(), scores_.end()) - kUnknownPenalty;
  }
}

std::vector<UnigramModel::Step> UnigramModel::best_steps(std::string_view piece) const {
  std::vector<Step> ends_at(piece.size() + 1);
  for (std::size_t begin = 0; begin < piece.size();) {
    std::size_t next = begin;
    next_code_point(piece, next);
    const double so_far = ends_at[begin].score;
    bool whole_character = false;
    tokens_.each_beginning(piece, begin, [&](std::size_t end, std::uint32_t id) {
      ends_at[end].offer(so_far + scores_[id], static_cast<Id>(id), begin);
      whole_character = whole_character || end == next;
    });
    if (!whole_character) {
      if (!unknown_) {
        throw InputError(Message(N_("expected a text of characters that the vocabulary holds, got "
                                    "\"{}\""),
                                 printable(piece.substr(begin, next - begin))));
      }
      ends_at[next].offer(so_far + unknown_score_, *unknown_, begin);
    }
    begin = next;
  }
  return ends_at;
}

void UnigramModel::append(std::string_view piece, Unit unit, std::vector<Unit>& to) const {
  const std::string_view text = piece.substr(unit.begin, unit.end - unit.begin);
  if (const auto id = vocabulary().find(text)) {
    to.push_back({*id, unit.begin, unit.end});
  } else if (byte_fallback_) {
    for (const char byte : text) {
      const auto own = vocabulary().find(byte_token(static_cast<unsigned char>(byte)));
      to.push_back({*own, unit.begin, unit.end});
    }
  } else {
    to.push_back(unit);
  }
}

void UnigramModel::encode(std::string_view piece, std::vector<Unit>& to) const {
  const std::vector<Step> ends_at = best_steps(piece);
  std::vector<Unit> backwards;
  for (std::size_t end = piece.size(); end > 0; end = ends_at[end].begin) {
    const Step& step = ends_at[end];
    const bool fuses =
        unknown_ && step.id == *unknown_ && !backwards.empty() && backwards.back().id == *unknown_;
    if (fuses) {
      backwards.back().begin = step.begin;
    } else {
      backwards.push_back({step.id, step.begin, static_cast<std::uint32_t>(end)});
    }
  }
  for (auto unit = backwards.rbegin(); unit != backwards.rend(); ++unit) append(piece, *unit, to);
}

}  // namespace core::subword
