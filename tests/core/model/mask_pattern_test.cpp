// Masks of models: each length sees the first rows of one pattern.
#include "core/model/mask_pattern.h"

#include <doctest/doctest.h>

#include "core/model/decoder.h"
#include "core/task/sequence/sequence_model.h"

namespace mask_pattern_test {

using namespace core::model;  // NOLINT: the box under test
using core::BoolMatrix, core::Index, core::Matrix;

namespace {

// A window of three tokens, the query's own among them.
BoolMatrix window(Index n) {
  BoolMatrix allowed(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) allowed(i, j) = std::abs(i - j) <= 2;
  }
  return allowed;
}

DecoderForm form_of(core::SharedValue<MaskPattern> sees) {
  return {.vocabulary = 9,
          .layer = {.d_model = 8, .heads = 2, .key_heads = 2, .feed_forward = {.width = 12}},
          .layers = 2,
          .positions = {.scheme = Scheme::rotary, .longest = 16},
          .sees = std::move(sees)};
}

Matrix logits(const DecoderForm& form, const std::vector<std::int32_t>& ids,
              const core::Mask* mask = nullptr) {
  Layout layout;
  const Decoder model = Decoder::declare(Scope(layout), form);
  const std::vector<float> values = layout.start<float>(3);
  Tape<float> tape;
  tape.begin(values.data(), nullptr, {.differentiates = false});
  return model(tape, ids.data(), {.length = static_cast<Index>(ids.size())}, mask).matrix();
}

}  // namespace

TEST_CASE("a pattern's first rows, never what stands behind the query") {
  const MaskPattern pattern(window(12));
  CHECK(pattern.longest() == 12);
  for (const Index n : {1, 5, 12}) {
    const core::Mask& mask = pattern.of(n);
    CHECK(mask.rows() == n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) CHECK(mask.allowed(i, j) == (j <= i && i - j <= 2));
    }
    CHECK(&pattern.of(n) == &mask);
  }
  CHECK_THROWS_WITH_AS(pattern.of(13),
                       "mask: expected at most 12 tokens, as many as it covers, got 13",
                       core::InputError);
  CHECK_THROWS_AS(MaskPattern(BoolMatrix(3, 4)), core::InputError);
  CHECK(pattern == MaskPattern(window(12)));
  CHECK(!(pattern == MaskPattern(window(11))));
  BoolMatrix other = window(12);
  other(7, 6) = false;
  CHECK(!(pattern == MaskPattern(other)));
}

TEST_CASE("a form that sees a window computes what the mask of that window gives") {
  const std::vector<std::int32_t> ids{1, 4, 2, 8, 5, 7, 3, 6, 0};
  const core::Mask mask = core::Mask::causal(9, 9) & core::Mask::local(9, 9, 2);
  const Matrix seen = logits(form_of(MaskPattern(window(16))), ids);
  CHECK(seen == logits(form_of({}), ids, &mask));
  CHECK(!(seen == logits(form_of({}), ids)));
  // All that stands before is what a form without a pattern sees.
  const BoolMatrix all = BoolMatrix::Constant(16, 16, true);
  CHECK(logits(form_of(MaskPattern(all)), ids) == logits(form_of({}), ids));
}

TEST_CASE("a token that may look at nothing adds nothing but itself") {
  const std::vector<std::int32_t> ids{1, 4, 2};
  BoolMatrix none = BoolMatrix::Constant(16, 16, false);
  const Matrix alone = logits(form_of(MaskPattern(none)), ids);
  CHECK(alone.allFinite());
  // Whatever stands before it.
  CHECK(alone.row(2) == logits(form_of(MaskPattern(none)), {7, 7, 2}).row(2));
}

}  // namespace mask_pattern_test
