// A decoder with a cache against the whole pass, which keeps nothing.
#include "core/decode/cached_decoder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/decode/cached_logits.h"
#include "core/decode/memory_reader.h"
#include "core/precision/convert.h"
#include "core/random.h"

namespace cached_decoder_test {

using namespace core::decode;
using namespace core::model;
using core::Index, core::kFloat32, core::Matrix, core::Vector;

namespace {

DecoderForm form_of(Scheme scheme, Index layers = 2, Index key_heads = 2) {
  return {.vocabulary = 11,
          .layer = {.d_model = 16,
                    .heads = 4,
                    .key_heads = key_heads,
                    .feed_forward = {.width = 20, .function = Activation::gelu_tanh},
                    .norm_first = true},
          .layers = layers,
          .positions = {.scheme = scheme, .longest = 24, .clip = 3, .buckets = 6, .farthest = 9}};
}

struct Made {
  Layout layout;
  Decoder model;
  std::vector<float> values;

  explicit Made(const DecoderForm& form) : model(Decoder::declare(Scope(layout), form)) {
    values = layout.start<float>(5);
    core::Random random(6);  // no gain is 1, no bias 0
    for (float& x : values) x += static_cast<float>(0.1 * random.gaussian());
  }

  // Of the token after each.
  Matrix whole(const std::vector<std::int32_t>& ids, const core::Mask* mask = nullptr) const {
    Tape<float> tape;
    tape.begin(values.data(), nullptr, {.differentiates = false});
    return model(tape, ids.data(), {.length = static_cast<Index>(ids.size())}, mask).matrix();
  }
  CachedDecoder cached(const CachedOptions& options = {},
                       const core::Format& format = core::kFloat32) const {
    return {std::make_shared<const PackedDecoder>(model, values.data(), format), options};
  }
};

// One token after the other.
Matrix by_tokens(CachedDecoder& decoder, const std::vector<std::int32_t>& ids) {
  Matrix all(static_cast<Index>(ids.size()), decoder.packed().form.vocabulary);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    all.row(static_cast<Index>(i)) = decoder.read({ids[i]}).transpose();
  }
  return all;
}

std::vector<std::int32_t> some_ids(Index count) {
  std::vector<std::int32_t> ids;
  for (Index i = 0; i < count; ++i) ids.push_back(static_cast<std::int32_t>((i * i + 3 * i) % 11));
  return ids;
}

float apart(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

// Logits are about 1: rounding of sums of some 20 products, a few layers deep.
constexpr float kRounding = 2e-5F;

core::Mask window_mask(Index n, Index window, Index sinks) {
  core::BoolMatrix allowed = core::BoolMatrix::Constant(n, n, false);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) allowed(i, j) = i - j < window || j < sinks;
  }
  return core::Mask::dense(allowed);
}

}  // namespace

TEST_SUITE_BEGIN("cached decoder");

TEST_CASE("logits asked for again and again: only what is new is read, and they are the same") {
  const Made made(form_of(Scheme::rotary));
  CachedLogits next(
      std::make_shared<const PackedDecoder>(made.model, made.values.data(), core::kFloat32));
  const auto check = [&](const std::vector<std::int32_t>& ids) {
    const Matrix whole = made.whole(ids);
    CHECK(
        (next(ids).transpose().cast<float>() - whole.row(whole.rows() - 1)).cwiseAbs().maxCoeff() <
        1e-4F);
  };
  check({1, 2, 3});
  check({1, 2, 3, 4});     // goes on
  check({1, 2, 3, 4});     // the same again
  check({1, 2, 7, 4, 5});  // differs in the middle
  check({1, 2});           // shorter
  check({9});              // nothing in common
  CHECK_THROWS_AS(next({}), core::InputError);
  CHECK_THROWS_AS(next({1, 11}), core::InputError);
  check({1, 5});  // after a refusal
  CHECK_THROWS_AS(next(std::vector<std::int32_t>(25, 1)), core::InputError);
  check(some_ids(24));
}

TEST_CASE("a mask of the model's own: the cache is read through it, under every scheme") {
  core::BoolMatrix allowed = core::BoolMatrix::Constant(24, 24, true);
  for (Index i = 0; i < 24; ++i) {
    for (Index j = 0; j < 24; ++j) allowed(i, j) = i - j < 4 || j % 5 == 0;
  }
  allowed.row(7).setConstant(false);
  const std::vector<std::int32_t> ids = some_ids(20);
  for (const Scheme scheme : kAllSchemes) {
    CAPTURE(static_cast<int>(scheme));
    DecoderForm form = form_of(scheme);
    form.sees = MaskPattern(allowed);
    const Made made(form);
    const Matrix whole = made.whole(ids);
    CHECK(!whole.isApprox(Made(form_of(scheme)).whole(ids), 1e-3F));
    CachedDecoder decoder = made.cached();
    CHECK((by_tokens(decoder, ids) - whole).cwiseAbs().maxCoeff() < 1e-4F);
  }
}

TEST_CASE("token by token the logits are those of the whole pass, whatever the positions") {
  const std::vector<std::int32_t> ids = some_ids(24);
  for (const Scheme scheme : kAllSchemes) {
    for (const Index key_heads : {4, 2, 1}) {
      CAPTURE(static_cast<int>(scheme));
      CAPTURE(key_heads);
      const Made made(form_of(scheme, 2, key_heads));
      CachedDecoder cached = made.cached();
      CHECK(apart(by_tokens(cached, ids), made.whole(ids)) < kRounding);
      CHECK(cached.tokens() == 24);
    }
  }
}

TEST_CASE("every way to build a layer") {
  std::vector<DecoderForm> forms(7, form_of(Scheme::rotary));
  forms[0].layer.norm_first = false;
  forms[1].layer.feed_forward = {.width = 0};
  forms[2].layer.feed_forward = {.width = 12, .function = Activation::silu, .gated = true};
  forms[3].tied = true, forms[3].scaled = true;
  forms[4].tied = true, forms[4].output_bias = false, forms[4].layer.bias = false;
  forms[5].layer.normed = false, forms[5].layer.feed_forward.function = Activation::gelu;
  forms[6].layer.residual = false, forms[6].layer.feed_forward.bias = false;
  const std::vector<std::int32_t> ids = some_ids(20);
  for (std::size_t k = 0; k < forms.size(); ++k) {
    CAPTURE(k);
    const Made made(forms[k]);
    CachedDecoder cached = made.cached();
    const Matrix whole = made.whole(ids);
    CHECK(apart(by_tokens(cached, ids), whole) < kRounding * whole.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("a prompt at once gives the same bits as its tokens, with any number of threads") {
  const std::vector<std::int32_t> ids = some_ids(21);
  for (const CacheForm& form : {CacheForm{}, CacheForm{.window = 5, .sinks = 2}}) {
    const Made made(form_of(Scheme::rotary));
    CachedDecoder one = made.cached({.cache = form, .threads = 1});
    const Matrix all = by_tokens(one, ids);
    for (const int threads : {1, 2, 3}) {
      CachedDecoder prompt = made.cached({.cache = form, .threads = threads});
      CHECK(prompt.read(ids) == all.row(20).transpose());
      prompt.forget();
      CHECK(prompt.read({ids[0], ids[1], ids[2]}) == all.row(2).transpose());
      CHECK(prompt.read({ids.begin() + 3, ids.end()}) == all.row(20).transpose());
    }
  }
}

TEST_CASE("a window, with sinks or without, is the whole pass under that mask") {
  const std::vector<std::int32_t> ids = some_ids(24);
  for (const Scheme scheme : kAllSchemes) {
    for (const Index sinks : {0, 3}) {
      CAPTURE(static_cast<int>(scheme));
      CAPTURE(sinks);
      const Made made(form_of(scheme, 3));
      const core::Mask mask = window_mask(24, 5, sinks);
      CachedDecoder cached = made.cached({.cache = {.window = 5, .sinks = sinks}});
      CHECK(apart(by_tokens(cached, ids), made.whole(ids, &mask)) < kRounding);
      CHECK(cached.held() == 5 + sinks);
    }
  }
}

TEST_CASE("places within the cache: one layer reads what is left as a text of its own") {
  const std::vector<std::int32_t> ids = some_ids(40);
  for (const Scheme scheme : kAllSchemes) {
    if (is_in_keys(scheme)) continue;
    CAPTURE(static_cast<int>(scheme));
    const Made made(form_of(scheme, 1));
    CachedDecoder cached =
        made.cached({.cache = {.window = 6, .sinks = 2, .positions = CachePositions::in_cache}});
    // xPos ends where float's range does; all others go on beyond the 24 places of the model.
    const Index count = scheme == Scheme::xpos ? 24 : 40;
    const std::vector<std::int32_t> read(ids.begin(), ids.begin() + count);
    const Matrix all = by_tokens(cached, read);
    for (const Index t : {5, 8, 12, 23, 33, 39}) {
      if (t >= count) continue;
      std::vector<std::int32_t> left(ids.begin(), ids.begin() + std::min<Index>(2, t + 1));
      for (Index j = std::max<Index>(2, t - 5); j <= t; ++j) {
        left.push_back(ids[static_cast<std::size_t>(j)]);
      }
      CHECK(apart(all.row(t), made.whole(left).bottomRows(1)) < kRounding);
    }
  }
}

TEST_CASE("what is stored is rounded: a cache of a format, and weights of one") {
  const std::vector<std::int32_t> ids = some_ids(20);
  const Made made(form_of(Scheme::rotary));
  const Matrix whole = made.whole(ids);
  for (const auto& [format, most] :
       {std::pair{core::kTf32, 0.01F}, std::pair{core::kBFloat16, 0.05F},
        std::pair{core::kFloat16, 0.01F}, std::pair{core::kFp8E4m3, 0.5F}}) {
    const int bits = core::bit_count(format);
    CAPTURE(bits);
    CachedDecoder cached = made.cached({.cache = {.stored = format}});
    const float off = apart(by_tokens(cached, ids), whole);
    CHECK(off > 1e-5F);
    CHECK(off < most);
    // Rounded weights are those of a model whose weights were rounded before.
    Made rounded = made;
    for (const Parameter& p : made.layout.parameters()) {
      float* at = rounded.values.data() + p.slot.offset;
      if (p.slot.rows > 1) core::round_floats(format, at, at, p.slot.size());
    }
    CachedDecoder low = made.cached({}, format);
    CHECK(apart(by_tokens(low, ids), rounded.whole(ids)) < kRounding);
  }
}

TEST_CASE("one key and value in a format of 8 bits, by hand") {
  StoredMatrix rows(2, 3, core::kFp8E4m3);
  const float first[] = {1.F, -0.3F, 100.F}, second[] = {0.F, 2.2F, 1.F};
  rows.put(0, first);
  rows.put(1, second);
  CHECK(rows.bytes() == 6);
  float read[3];
  rows.read(0, read);  // 8 numbers a binade: -0.3 lies between -0.28125 and -0.3125, 100 at 96, 104
  CHECK(read[0] == 1.F);
  CHECK(read[1] == -0.3125F);
  CHECK(read[2] == 96.F);
  std::vector<float> room(static_cast<std::size_t>(rows.room()));
  const float x[] = {1.F, 2.F, 0.5F};
  float y[2];
  rows.dots(0, 2, View<const float>(x, 1, 3), View<float>(y, 1, 2), room.data());
  CHECK(y[0] == 48.375F);  // 1 - 0.625 + 48
  CHECK(y[1] == 5.F);      // 2 * 2.25 + 0.5
  const float p[] = {0.25F, 0.75F};
  float mixed[] = {1.F, 0.F, 0.F};
  rows.add_mixture(0, 2, p, mixed, room.data());
  CHECK(mixed[0] == 1.25F);
  CHECK(mixed[1] == 1.609375F);  // -0.078125 + 1.6875
  CHECK(mixed[2] == 24.75F);
}

TEST_CASE("kernels for any width, in float32 and bfloat16") {
  for (const core::Format& format : {core::kFloat32, core::kBFloat16}) {
    for (const Index cols : {1, 3, 15, 16, 17, 64, 79, 200}) {
      CAPTURE(cols);
      core::Random random(static_cast<std::uint64_t>(cols));
      const auto drawn = [&] { return static_cast<float>(random.gaussian()); };
      Matrix m = Matrix::NullaryExpr(7, cols, drawn), x = Matrix::NullaryExpr(2, cols, drawn);
      StoredMatrix rows(7, cols, format);
      for (Index i = 0; i < 7; ++i) rows.put(i, m.row(i).data());
      m = core::rounded(m, format);
      std::vector<float> room(static_cast<std::size_t>(rows.room()));
      Matrix y(2, 7);
      rows.dots(0, 7, View<const float>(x.data(), 2, cols), View<float>(y.data(), 2, 7),
                room.data());
      CHECK(y.isApprox(x * m.transpose(), 1e-5F));
      Vector p = Vector::NullaryExpr(5, drawn), out = Vector::Ones(cols);
      rows.add_mixture(2, 5, p.data(), out.data(), room.data());
      const Vector wanted = Vector::Ones(cols) + m.bottomRows(5).transpose() * p;
      CHECK(out.isApprox(wanted, 1e-5F));
    }
  }
}

TEST_CASE("a reader reads every byte, whoever adds up") {
  for (const int threads : {1, 2}) {
    MemoryReader reader(5'000'000, threads);
    CHECK(reader.bytes() == 1221 * 4096);
    CHECK(reader.add_up() == 1221 * 1024);
    CHECK(reader.multiply() == 1221 * 1024);
  }
  CHECK_THROWS_AS(MemoryReader(0, 1), core::InputError);
}

TEST_CASE("slots: sinks stay, the others take turns") {
  const CacheSlots slots({.window = 3, .sinks = 2}, 100);
  CHECK(slots.capacity() == 5);
  CHECK(slots.tokens_in_slots(4) == std::vector<Index>{0, 1, 2, 3});
  CHECK(slots.tokens_in_slots(6) == std::vector<Index>{0, 1, 5, 3, 4});
  CHECK(slots.tokens_in_slots(10) == std::vector<Index>{0, 1, 8, 9, 7});
  std::vector<Index> distances(5);
  slots.distances(10, distances.data());
  CHECK(distances == std::vector<Index>{9, 8, 1, 0, 2});
  const CacheSlots closed({.window = 3, .sinks = 2, .positions = CachePositions::in_cache}, 100);
  closed.distances(10, distances.data());
  CHECK(distances == std::vector<Index>{4, 3, 1, 0, 2});
}

TEST_CASE("bytes: kept, read and written, counted by hand") {
  // A layer keeps 2 (keys and values) * 2 key heads * 4 numbers = 16 numbers a token.
  const Made made(form_of(Scheme::rotary));
  CachedDecoder cached = made.cached({.cache = {.stored = core::kBFloat16}});
  CHECK(cached.cache().bytes_a_token() == 2 * 16 * 2);
  const TokenBytes tenth = cached.bytes_of_token(10);
  CHECK(tenth.cached == 10 * 64);
  CHECK(tenth.written == 64);
  CHECK(tenth.tables == 0);
  // Layer: 16 by 32 queries, keys and values, 16 by 16 output, two of 16 by 20; biases 32, 16, 20,
  // 16; two norms of 32. Besides the last norm, 11 by 16 output with 11 biases, a row of embedding.
  constexpr Index kLayer = 512 + 256 + 640 + 84 + 64;
  CHECK(tenth.weights == 4 * (2 * kLayer + 32 + 176 + 11 + 16));
  CHECK(tenth.read() == tenth.weights + 640);
  CachedDecoder window = made.cached({.cache = {.window = 4, .sinks = 1}});
  CHECK(window.bytes_of_token(3).cached == 3 * 128);
  CHECK(window.bytes_of_token(10).cached == 5 * 128);
}

TEST_CASE("weights that are kept sum to one, and going back reads again what was there") {
  const std::vector<std::int32_t> ids = some_ids(12);
  const Made made(form_of(Scheme::alibi));
  CachedDecoder cached = made.cached({.keep_weights = true});
  const Vector before = cached.read(ids);
  const Vector row = cached.weights(1, 3);
  CHECK(row.size() == 12);
  CHECK(row.sum() == doctest::Approx(1).epsilon(1e-6));
  CachedDecoder branch = cached;  // a cache of its own
  branch.back_to(5);
  branch.read({1, 1, 1});
  cached.back_to(11);
  CHECK(cached.read({ids[11]}) == before);
  CHECK(cached.weights(1, 3) == row);
}

TEST_CASE("what cannot be is refused, and changes nothing") {
  const Made made(form_of(Scheme::learned));
  CHECK_THROWS_AS(made.cached({.cache = {.window = 4, .positions = CachePositions::in_cache}}),
                  core::InputError);
  CHECK_THROWS_AS(made.cached({.cache = {.sinks = 4}}), core::InputError);
  CHECK_THROWS_AS(made.cached({.cache = {.window = -1}}), core::InputError);
  CHECK_THROWS_AS(made.cached({.cache = {.window = 24, .sinks = 1}}), core::InputError);
  CHECK_THROWS_AS(made.cached({.cache = {.stored = core::kFloat64}}), core::InputError);
  CachedDecoder cached = made.cached();
  CHECK_THROWS_AS(cached.read(std::vector<std::int32_t>{}), core::InputError);
  CHECK_THROWS_AS(cached.read({3, 11}), core::InputError);
  CHECK_THROWS_AS(cached.read({-1}), core::InputError);
  CHECK_THROWS_AS(cached.read(some_ids(25)), core::InputError);
  CHECK_THROWS_AS(cached.weights(0, 0), core::InputError);
  CHECK(cached.tokens() == 0);
  CachedDecoder window = made.cached({.cache = {.window = 4}});
  window.read(some_ids(8));
  CHECK_THROWS_AS(window.back_to(6), core::InputError);
}

TEST_SUITE_END();

}  // namespace cached_decoder_test
