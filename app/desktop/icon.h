// The program's icon: a map of causal attention and the trace of an oscilloscope.
#pragma once

#include "app/figure/drawing.h"

namespace desktop {

// A square of 64 units. Its cells are weights of a causal attention of sinusoidal encodings to each
// other, softmax(P P^T / sqrt(d) ...), computed here; the trace is the encoding's own wave.
// `pixels`: how many it will have a side; a small one has fewer cells and no trace.
figure::Drawing icon(int pixels);

inline constexpr float kIconUnits = 64;

}  // namespace desktop
