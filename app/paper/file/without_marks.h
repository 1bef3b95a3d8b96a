// Figures without what a pointer has chosen in them.
#pragma once

#include <vector>

#include "app/figure/figure.h"

namespace paper {

// Frames, names, bars and rows that stand out since they were picked, the pinned cell, and what
// shows where a knob stands in a curve: a line across it that nothing names, a single point or
// a handle, in the accent colour or the one upon the other. The numbers stay as they are.
std::vector<figure::Figure> without_marks(std::vector<figure::Figure> figures);

}  // namespace paper
