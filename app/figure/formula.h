// Formulas: a small part of TeX, laid out into the primitives that figures are made of.
//
//   \softmax\left(\frac{\Q{Q}\K{K}^{\top}}{\sqrt{d_k}} + M\right)\V{V}
//
// letters        a single letter is italic, digits and signs upright; spaces mean nothing, "~" is
// one words          \text{any words}, as are \mathrm and \operatorname; \softmax \exp \log
//                \cos and other operators stand upright; \mathbb{R}
// scripts        x^2  x_{ij}  x_i^{2}
// parts          \frac{a}{b}  \sqrt{a}  \bar{a}  \hat{a}  \tilde{a}
//                \left( ... \right) grow with what is inside
// colours        \Q{..} \K{..} \V{..} of queries, keys and values; \accent{..} \dim{..}
// symbols        \theta \Sigma ..., \cdot \times \sum \le \in \to \top ..., or Unicode as it is
// spaces         \, thin, \; medium, \quad wide
#pragma once

#include <string>

#include "app/figure/layout.h"

namespace figure {

// The formula with its top left corner at `at`; `bounds` is the rectangle it takes. Throws
// core::InputError that says what is wrong at which character.
Drawing formula(const std::string& tex, Point at, const LayoutOptions& options);

// The same with the left end of its baseline at `at`.
Drawing formula_on(const std::string& tex, Point at, const LayoutOptions& options);

// Throws as above where it cannot be set.
void check_formula(const std::string& tex);

// Its width and height.
Point formula_size(const std::string& tex, const LayoutOptions& options);

}  // namespace figure
