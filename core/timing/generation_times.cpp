#include "core/timing/generation_times.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

#include "core/decode/cached_decoder.h"
#include "core/decode/generation_cost.h"
#include "core/decode/memory_reader.h"
#include "core/parallel.h"
#include "core/timing/measure_seconds.h"

namespace core {
namespace {

using TimedClock = std::chrono::steady_clock;

constexpr Index kMostTimedNumbers = 150'000'000;  // of a model that is measured
constexpr Index kTimedBytes = Index{1} << 28;

// Bytes a second; the fastest of several, since whatever disturbs a measurement adds to it.
double memory_bandwidth(int threads, const Cancel& cancel) {
  decode::MemoryReader reader(kTimedBytes, threads);
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 5; ++k) {
    cancel.poll();
    best = std::min(best, measure_seconds([&] { reader.add_up(); }));
    best = std::min(best, measure_seconds([&] { reader.multiply(); }));
  }
  return static_cast<double>(reader.bytes()) / best;
}

// Numbers that nobody learned; only their count matters.
std::vector<float> made_up_numbers(const model::Layout& layout) {
  std::vector<float> values(static_cast<std::size_t>(layout.size()));
  std::uint32_t state = 1;
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    value = 0.05F * (static_cast<float>(state >> 8) * 0x1p-24F - 0.5F);
  }
  return values;
}

// Lengths 16, 64, 256, ... up to the longest, which is one of them.
std::vector<Index> timed_lengths(Index longest) {
  std::vector<Index> lengths;
  for (Index n = 16; n < longest; n *= 4) lengths.push_back(n);
  lengths.push_back(longest);
  return lengths;
}

// The text is read up to each length, and its last token several times.
std::vector<TokenTime> token_times(decode::CachedDecoder& decoder, Index longest,
                                   const Cancel& cancel) {
  constexpr double kPatience = 8;  // seconds
  constexpr int kSamples = 5;
  const Index vocabulary = decoder.packed().form.vocabulary;
  const auto id = [&](Index t) { return static_cast<std::int32_t>((t * t * 7 + t) % vocabulary); };
  std::vector<TokenTime> times;
  const TimedClock::time_point start = TimedClock::now();
  for (const Index n : timed_lengths(longest)) {
    while (decoder.tokens() < n - 1) {
      cancel.poll();
      cancel.progress(
          static_cast<float>(static_cast<double>(decoder.tokens()) / static_cast<double>(longest)));
      std::vector<std::int32_t> ids;
      for (Index t = decoder.tokens(); t < n - 1 && ids.size() < 16; ++t) ids.push_back(id(t));
      decoder.read(ids);
      if (std::chrono::duration<double>(TimedClock::now() - start).count() > kPatience)
        return times;
    }
    TokenTime time{n, std::numeric_limits<double>::infinity(),
                   static_cast<double>(decoder.bytes_of_token(n).read())};
    for (int k = 0; k < kSamples; ++k) {
      cancel.poll();
      decoder.back_to(n - 1);
      const std::int32_t last = id(n - 1);
      time.seconds = std::min(time.seconds, measure_seconds([&] { decoder.read(&last, 1); }));
    }
    times.push_back(time);
  }
  return times;
}

}  // namespace

GenerationTimes time_generation(const TimedDecoder& key, int threads, const Cancel& cancel) {
  GenerationTimes measured;
  measured.threads = thread_count(threads);
  model::Layout layout;
  const auto model = model::Decoder::declare(model::Scope(layout), key.form);
  const Index cached = decode::cache_bytes(key.form, {.stored = key.cache}, key.longest);
  if (layout.size() > kMostTimedNumbers || cached > kTimedBytes * 4) {
    measured.too_large = true;
    return measured;
  }
  measured.bandwidth = memory_bandwidth(threads, cancel);
  std::shared_ptr<const decode::PackedDecoder> packed;
  {
    const std::vector<float> values = made_up_numbers(layout);
    cancel.poll();
    packed =
        std::make_shared<const decode::PackedDecoder>(model, values.data(), key.weights, threads);
  }
  decode::CachedDecoder decoder(packed, {.cache = {.stored = key.cache}, .threads = threads});
  measured.times = token_times(decoder, key.longest, cancel);
  return measured;
}

}  // namespace core
