// Numbers drawn bit by bit, one below the other: sign, exponent, kept mantissa and what a format
// has no room for.
#pragma once

#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/words/words.h"
#include "core/precision/format.h"

namespace lab {

struct BitRow {
  std::string lead;  // at the left
  double value = 0;
  // A number of the format, infinity and NaN included, drawn without dropped bits; others have an
  // exact value.
  bool rounded = false;
  std::string result = {};  // at the right
  bool marked = false;
  figure::Assignments pick = {};  // what a click on a bit sets
};

// A plot `id` of the rows in `format`, each with `dropped` bits below its last one (rounded rows
// with none). A value whose exponent the format does not have says so in words.
figure::Plot bit_plot(std::string id, const core::Format& format, const std::vector<BitRow>& rows,
                      int dropped, const words::Words& w);

// How many bits below the format's last one `value` needs, at most `most`.
int dropped_bits(const core::Format& format, double value, int most);

}  // namespace lab
