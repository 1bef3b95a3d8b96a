// The buttons of a parameter that plays: to the start, a step back, play, a step on, and how fast.
// They stand by its knob, and by the figure that it moves.
#pragma once

#include <string>

#include "app/state/program.h"
#include "app/ui/draw/gui.h"

namespace ui {

// `prefix` begins the ids of its controls. Returns its height.
float transport(Gui& gui, state::Program& program, const param::Parameter& p,
                const std::string& prefix, float x, float y, float w);

void toggle_play(state::Program& program, const std::string& id);

}  // namespace ui
