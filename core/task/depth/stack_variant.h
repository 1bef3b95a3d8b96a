// How a stack of layers keeps its numbers in range: where its norms stand, and whether it has
// residual connections.
#pragma once

#include <array>

#include "core/model/transformer_parts.h"

namespace core::task {

enum class NormPlace { after, before, none };

struct StackVariant {
  NormPlace norm = NormPlace::after;
  bool residual = true;
  bool operator==(const StackVariant&) const = default;
};

inline constexpr std::array<StackVariant, 6> kStackVariants = {{{NormPlace::after, true},
                                                                {NormPlace::before, true},
                                                                {NormPlace::none, true},
                                                                {NormPlace::after, false},
                                                                {NormPlace::before, false},
                                                                {NormPlace::none, false}}};

// The same layers, built this way.
inline model::TransformerForm varied(model::TransformerForm form, const StackVariant& variant) {
  form.norm_first = variant.norm == NormPlace::before;
  form.normed = variant.norm != NormPlace::none;
  form.residual = variant.residual;
  return form;
}

}  // namespace core::task
