// What a token of generation takes on this machine, and how fast its memory is read.
#pragma once

#include <vector>

#include "core/model/decoder.h"
#include "core/precision/format.h"
#include "core/types.h"

namespace core {

struct TokenTime {
  Index n = 0;
  double seconds = 0, bytes = 0;  // of one token: the fastest of several
};
struct GenerationTimes {
  double bandwidth = 0;  // bytes a second, the fastest of several
  int threads = 1;
  std::vector<TokenTime> times;
  bool too_large = false;
};
// A decoder of this form with made-up numbers, one sequence.
struct TimedDecoder {
  model::DecoderForm form;
  Format weights, cache;
  Index longest = 0;
  bool operator==(const TimedDecoder&) const = default;
};
GenerationTimes time_generation(const TimedDecoder& key, int threads, const Cancel& cancel);

}  // namespace core
