// How much worse a published decoder guesses texts when some of its numbers are rounded: position
// ids, the tables of its rotations, weights, what products are given, keys and values.
//
// Formats of up to 8 bits hold few powers of two, so that numbers are scaled before they are
// rounded, as quantised models do: the largest of a group becomes the largest of the format. A
// group is a matrix, a row of it, or a block of a row (Rouhani et al. 2023, "Microscaling data
// formats for deep learning").
#pragma once

#include <array>
#include <memory>

#include "core/checkpoint/over_texts/texts.h"
#include "core/checkpoint/pass_edit.h"
#include "core/precision/format.h"

namespace core::checkpoint {

enum class RoundedPart { ids, tables, weights, activations, cache };
enum class ScaleGroup { tensor, row, block };
inline constexpr Index kScaleBlock = 32;  // numbers

// `group` has no meaning for ids and tables, which are never scaled.
struct RoundedCase {
  RoundedPart part = RoundedPart::weights;
  ScaleGroup group = ScaleGroup::tensor;
  bool operator==(const RoundedCase&) const = default;
};
const std::array<RoundedCase, 11>& rounded_cases();
// Widest first.
const std::array<NamedFormat, 6>& rounded_formats();

// Numbers too large for the format become its largest one.
void round_scaled(Matrix& x, const Format& format, ScaleGroup group);

// A pass with some numbers rounded.
class RoundedPass {
 public:
  // offset: where ids and tables are rounded the place of the first token; else it is 0. InputError
  // for those parts of a model that rotates nothing.
  RoundedPass(const Model& model, const RoundedCase& what, const Format& format, Index offset,
              const Cancel& cancel = {});
  // Live as long as this.
  const ForwardOptions<float>& options() const { return options_; }

 private:
  ForwardOptions<float> options_;
  std::unique_ptr<const PassEdit> edit_;
};

struct RoundedLoss {
  double rise = 0;     // nats a token; NaN or infinite where logits are no numbers
  double changed = 0;  // the share of likeliest next tokens that are others
};
// [case][format]
using RoundedLosses = std::array<std::array<RoundedLoss, 6>, 11>;
// Ids and tables of a model that rotates nothing have no rise and change nothing.
RoundedLosses rounded_losses(const Model& model, const std::vector<TokenText>& texts, Index offset,
                             int threads = 0, const Cancel& cancel = {});
// The likeliest next token behind a text in each case.
struct RoundedNext {
  std::int32_t exact = 0;
  std::array<std::array<std::int32_t, 6>, 11> rounded = {};  // [case][format]
};
RoundedNext rounded_next(const Model& model, const TokenText& text, Index offset, int threads = 0,
                         const Cancel& cancel = {});

// The first of the formats, from the widest on, whose rise is above `least` nats or no number; 6:
// none of them.
std::size_t breaks_at(const std::array<RoundedLoss, 6>& losses, double least);

}  // namespace core::checkpoint
