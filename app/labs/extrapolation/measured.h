// What small trained language models do on texts longer than those that they were trained on: their
// loss by position, measured here and now (Press et al. 2022, figure 1; Peng et al. 2023, figure
// 1).
#pragma once

#include "app/labs/extrapolation/model.h"
#include "core/task/language/length_loss.h"
#include "core/tokenizer/tokenizer.h"

namespace lab::extrapolation {

inline constexpr int kReaders = core::kEnumerators<Reader>;
inline constexpr int kSchemesRead = 6;  // the first readers: a model each

std::string_view reader_id(Reader reader);
constexpr bool is_scaled(Reader reader) { return to_int(reader) >= kSchemesRead; }

// The six models, their tokenizer and what none of them learned from.
struct Shipped {
  std::vector<core::task::LanguageModel> models;  // by Reader
  std::vector<std::vector<float>> values;
  std::shared_ptr<const core::subword::Tokenizer> tokenizer;
  std::vector<std::vector<std::int32_t>> streams;  // by HeldOut: texts with separators

  Index trained() const { return models.front().form.context; }
};

// Texts of a stream: tokens, one more than their length, and where each begins.
struct Texts {
  std::shared_ptr<const Shipped> shipped;
  HeldOut held_out = HeldOut::bible;
  Index length = 0;
  std::vector<Index> begins;

  const std::vector<std::int32_t>& stream() const { return shipped->streams[to_size(held_out)]; }
  std::vector<const std::int32_t*> at(Index place) const;
};

// One reader's losses. `whole` has all positions that it can read: with learned positions those of
// training. `last` are those of the last tokens, half a trained length, where it reads the trained
// length alone: as many tokens before them as it was trained on, not turned in another way.
struct ReaderLosses {
  core::task::LengthLosses whole;
  MatrixD last;

  Index length() const { return whole.loss.cols(); }
  // Mean over all texts and these positions; NaN where it cannot read them.
  double mean(Index first, Index count) const;
  // By how much the last tokens' loss is above what it is with the trained length alone; NaN where
  // it cannot read them.
  double excess(Index length) const;
};

struct Measured {
  std::shared_ptr<const Texts> texts;
  std::array<std::shared_ptr<const ReaderLosses>, kReaders> of{};  // null: not shown, or not yet
  int done = 0, wanted = 0;

  Index trained() const { return texts->shipped->trained(); }
  Index length() const { return texts->length; }
  const ReaderLosses* by(Reader reader) const { return of[to_size(reader)].get(); }
  // The loss at the end of the trained length, and of so many times it: means over half of it.
  double at_times(Reader reader, Index times) const;
};

// Whether a reader is shown.
bool is_read(const Parameters& p, Reader reader);

// `report` is told of what is there so far, as readers are done with.
Measured measure(const Parameters& p, const Context& context,
                 const std::function<void(const Measured&)>& report);

// For tests: a reader's losses on texts, plainly.
ReaderLosses read_texts(const Texts& texts, Reader reader, const Parameters& p, const Run& run);

}  // namespace lab::extrapolation
