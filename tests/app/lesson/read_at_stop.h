// What is read at a stop of a lesson, with all that is not covered, and the numbers that stand in a
// text.
#pragma once

#include <string>
#include <vector>

#include "app/lesson/cover.h"
#include "rig.h"

namespace read_at_stop {

struct Text {
  std::string where, says;  // "figure:weights caption", "readout:loss", "lesson"
};

// On the page, and in the lesson's own words, before the stop's question is answered.
std::vector<Text> texts_of(const lesson::Stop& stop, const lesson::Cover& cover,
                           const rig::Seen& seen, const words::Words& words);
void add_paragraph(const lesson::Paragraph& one, const rig::Seen& seen, const words::Words& words,
                   const std::string& where, std::vector<Text>& all);

struct Printed {
  double value = 0;
  int digits = 0;  // significant ones
  bool whole = true;
};

// As they are written: 12,288, -0.25, −12. One behind an e- is none.
std::vector<Printed> numbers_in(const std::string& text);

// A figure's primitives, with its ticks or without.
figure::Drawing drawn(figure::Figure figure, bool ticks);

}  // namespace read_at_stop
