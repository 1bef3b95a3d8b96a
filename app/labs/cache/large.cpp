// Models that are too large to be looked at: what they cost, and what a token takes here.
#include <chrono>

#include "app/labs/cache/model.h"
#include "app/labs/shared/measure_seconds.h"
#include "core/decode/memory_reader.h"
#include "core/parallel.h"

namespace lab::cache {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Index kMostNumbers = 150'000'000;  // of a model that is measured
constexpr Index kReaderBytes = Index{1} << 28;

// Bytes a second; the fastest of several, since whatever disturbs a measurement adds to it.
double bandwidth(int threads, const core::Cancel& cancel) {
  core::decode::MemoryReader reader(kReaderBytes, threads);
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 5; ++k) {
    cancel.poll();
    best = std::min(best, measure_seconds([&] { reader.add_up(); }));
    best = std::min(best, measure_seconds([&] { reader.multiply(); }));
  }
  return to_double(reader.bytes()) / best;
}

// Numbers that nobody learned; only their count matters.
std::vector<float> made_up(const core::model::Layout& layout) {
  std::vector<float> values(to_size(layout.size()));
  std::uint32_t state = 1;
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    value = 0.05F * (to_float(state >> 8) * 0x1p-24F - 0.5F);
  }
  return values;
}

// Lengths 16, 64, 256, ... up to the longest, which is one of them.
std::vector<Index> measured_lengths(Index longest) {
  std::vector<Index> lengths;
  for (Index n = 16; n < longest; n *= 4) lengths.push_back(n);
  lengths.push_back(longest);
  return lengths;
}

// The text is read up to each length, and its last token several times.
std::vector<TokenTime> token_times(core::decode::CachedDecoder& decoder, Index longest,
                                   const Run& run) {
  constexpr double kPatience = 8;  // seconds
  constexpr int kSamples = 5;
  const Index vocabulary = decoder.packed().form.vocabulary;
  const auto id = [&](Index t) { return static_cast<std::int32_t>((t * t * 7 + t) % vocabulary); };
  std::vector<TokenTime> times;
  const Clock::time_point start = Clock::now();
  for (const Index n : measured_lengths(longest)) {
    while (decoder.tokens() < n - 1) {
      run.cancel.poll();
      run.cancel.progress(to_float(to_double(decoder.tokens()) / to_double(longest)));
      std::vector<std::int32_t> ids;
      for (Index t = decoder.tokens(); t < n - 1 && ids.size() < 16; ++t) ids.push_back(id(t));
      decoder.read(ids);
      if (std::chrono::duration<double>(Clock::now() - start).count() > kPatience) return times;
    }
    TokenTime time{n, std::numeric_limits<double>::infinity(),
                   to_double(decoder.bytes_of_token(n).read())};
    for (int k = 0; k < kSamples; ++k) {
      run.cancel.poll();
      decoder.back_to(n - 1);
      const std::int32_t last = id(n - 1);
      time.seconds = std::min(time.seconds, measure_seconds([&] { decoder.read(&last, 1); }));
    }
    times.push_back(time);
  }
  return times;
}

}  // namespace

Index fitting_key_heads(Index heads, Index key_heads) {
  while (heads % key_heads != 0) --key_heads;
  return key_heads;
}

core::Format stored_format(Stored stored) {
  if (stored == Stored::float32) return core::kFloat32;
  return stored == Stored::bfloat16 ? core::kBFloat16 : core::kFp8E4m3;
}

core::model::DecoderForm large_form(const Parameters& p) {
  core::model::DecoderForm form;
  form.vocabulary = p.vocabulary;
  form.layers = p.layers;
  form.layer.d_model = Index{p.heads} * p.width;
  form.layer.heads = p.heads;
  form.layer.key_heads = fitting_key_heads(p.heads, p.key_heads);
  form.layer.norm_first = true;
  form.layer.feed_forward.width = p.inner;
  form.layer.feed_forward.function =
      p.gated ? core::model::Activation::silu : core::model::Activation::gelu_tanh;
  form.layer.feed_forward.gated = p.gated;
  form.positions = {.scheme = core::model::Scheme::rotary, .longest = p.length};
  form.tied = true;  // untied, the same bytes are read
  form.output_bias = false;
  return form;
}

KindCost kind_cost(const Parameters& p, Kind kind, Index length) {
  core::model::DecoderForm form = large_form(p);
  CacheForm cache{.stored = format_of(p.format)};
  if (kind == Kind::multi_head) form.layer.key_heads = form.layer.heads;
  if (kind == Kind::multi_query) form.layer.key_heads = 1;
  if (kind == Kind::sliding) cache.window = p.sliding;
  const auto bytes = core::decode::generation_bytes(form, stored_format(p.stored), cache, length);
  KindCost cost;
  cost.cache = to_double(bytes.cached) * p.sequences;
  cost.written = to_double(bytes.written);
  cost.read = to_double(bytes.weights) + to_double(bytes.tables) + cost.cache;
  cost.seconds = cost.read / (1e9 * p.bandwidth);
  return cost;
}

MeasureKey measure_key(const Parameters& p) {
  constexpr Index kLongest = 4096;
  MeasureKey key{large_form(p), stored_format(p.stored), format_of(p.format),
                 std::min<Index>(p.length, kLongest), p.measurement};
  key.form.positions.longest = key.longest;
  return key;
}

Measured measure(const MeasureKey& key, const Run& run) {
  Measured measured;
  measured.threads = core::thread_count(run.threads);
  core::model::Layout layout;
  const auto model = core::model::Decoder::declare(core::model::Scope(layout), key.form);
  const Index cached = core::decode::cache_bytes(key.form, {.stored = key.cache}, key.longest);
  if (layout.size() > kMostNumbers || cached > kReaderBytes * 4) {
    measured.too_large = true;
    return measured;
  }
  measured.bandwidth = bandwidth(run.threads, run.cancel);
  std::shared_ptr<const core::decode::PackedDecoder> packed;
  {
    const std::vector<float> values = made_up(layout);
    run.cancel.poll();
    packed = std::make_shared<const core::decode::PackedDecoder>(model, values.data(), key.weights,
                                                                 run.threads);
  }
  core::decode::CachedDecoder decoder(packed,
                                      {.cache = {.stored = key.cache}, .threads = run.threads});
  measured.times = token_times(decoder, key.longest, run);
  return measured;
}

}  // namespace lab::cache
