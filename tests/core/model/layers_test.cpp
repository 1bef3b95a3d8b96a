// The layers one by one: how the gradient test tries each, and what each does by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include "core/model/encoder_decoder.h"
#include "core/model/layer/activation.h"
#include "core/model/layer/attention.h"
#include "core/model/layer/cross_entropy.h"
#include "core/model/layer/distance_steps.h"
#include "core/model/layer/embedding.h"
#include "core/model/layer/feed_forward.h"
#include "core/model/layer/linear.h"
#include "core/model/layer/norm.h"
#include "core/model/positions/positions.h"
#include "core/model/transformer.h"
#include "model/gradient_cases.h"

namespace layers_test {

using namespace model_test;
using namespace core::model;

namespace {

const Registered kLinear = layer(
    "linear", {{7, 5}}, [](const Scope& s) { return Linear::declare(s, 5, 19); },
    [](auto& tape, const auto& in, const Linear& linear) { return linear(tape, in[0]); }, {});

const Registered kTied =
    layer("linear: turned, without a bias", {{7, 5}, {33, 5}},
          [](auto& tape, const auto& in) { return linear(tape, in[0], in[1], {}, true); });

constexpr std::int32_t kIds[] = {3, 0, 3, 2, 5, 1};

const Registered kEmbedding = layer("embedding", {{6, 3}}, [](auto& tape, const auto& in) {
  using S = std::remove_pointer_t<decltype(in[0].value)>;
  return embedding(tape, in[0], kIds, 6, static_cast<S>(1.5));
});

const Registered kPositions =
    layer("embedding: positions", {{6, 4}, {5, 4}}, [](auto& tape, const auto& in) {
      return add_positions(tape, in[0], in[1], {.batch = 2, .length = 3});
    });

const Registered kLayerNorm =
    layer("norm", {{4, 21}, {1, 21}, {1, 21}}, [](auto& tape, const auto& in) {
      using S = std::remove_pointer_t<decltype(in[0].value)>;
      return layer_norm(tape, in[0], in[1], in[2], static_cast<S>(1e-5));
    });

const Registered kRmsNorm = layer("norm: RMS", {{4, 21}, {1, 21}}, [](auto& tape, const auto& in) {
  using S = std::remove_pointer_t<decltype(in[0].value)>;
  return rms_norm(tape, in[0], in[1], static_cast<S>(1e-5));
});

const Registered kBatchNorm =
    layer("norm: batch", {{6, 3}, {1, 3}, {1, 3}}, [](auto& tape, const auto& in) {
      using S = std::remove_pointer_t<decltype(in[0].value)>;
      return batch_norm(tape, in[0], in[1], in[2], static_cast<S>(1e-5));
    });

Registered function(const char* name, Activation which) {
  return layer(std::string("activation: ") + name, {{5, 9}},
               [which](auto& tape, const auto& in) { return activation(tape, in[0], which); });
}

const Registered kRelu = function("relu", Activation::relu);
const Registered kGelu = function("gelu", Activation::gelu);
const Registered kGeluTanh = function("gelu by tanh", Activation::gelu_tanh);
const Registered kSilu = function("silu", Activation::silu);
const Registered kTanh = function("tanh", Activation::tanh);
const Registered kSigmoid = function("sigmoid", Activation::sigmoid);

const Registered kAdd = layer("activation: add", {{5, 3}, {5, 3}},
                              [](auto& tape, const auto& in) { return add(tape, in[0], in[1]); });
const Registered kSame = layer("activation: add to itself", {{5, 3}},
                               [](auto& tape, const auto& in) { return add(tape, in[0], in[0]); });
const Registered kReluOver = layer(
    "activation: relu over itself", {{5, 9}},
    [](auto& tape, const auto& in) { return activation_over(tape, in[0], Activation::relu); });
const Registered kAddOver =
    layer("activation: add over one", {{5, 3}, {5, 3}},
          [](auto& tape, const auto& in) { return add_over(tape, in[0], in[1]); });
const Registered kGate = layer("activation: gate", {{5, 3}, {5, 3}},
                               [](auto& tape, const auto& in) { return gate(tape, in[0], in[1]); });
const Registered kDropout = layer("activation: dropout", {{9, 7}},
                                  [](auto& tape, const auto& in) {
                                    using S = std::remove_pointer_t<decltype(in[0].value)>;
                                    return dropout(tape, in[0], static_cast<S>(0.4));
                                  },
                                  {.train = true, .dropout = 5});

constexpr Index kLengths[] = {4, 2};

const Registered kAttention =
    layer("attention", {{6, 8}, {8, 8}, {8, 6}}, [](auto& tape, const auto& in) {
      return attention(tape, in[0], in[1], in[2], {.batch = 2, .length = 3},
                       {.batch = 2, .length = 4, .lengths = kLengths},
                       {.heads = 2, .key_heads = 2});
    });

const Registered kCausal =
    layer("attention: causal, grouped, biased", {{10, 12}, {10, 6}, {10, 4}, {20, 5}},
          [](auto& tape, const auto& in) {
            const Sequences both{.batch = 2, .length = 5};
            return attention(tape, in[0], in[1], in[2], both, both,
                             {.heads = 4, .key_heads = 2, .causal = true, .scale = 0.7}, in[3]);
          });

const Registered kLong = layer(
    "attention: longer than a block", {{50, 2}, {50, 2}, {50, 2}}, [](auto& tape, const auto& in) {
      const Sequences both{.batch = 1, .length = 50};
      return attention(tape, in[0], in[1], in[2], both, both, {.causal = true});
    });

const Registered kMasked =
    layer("attention: a mask with an empty row", {{4, 2}, {4, 2}, {4, 3}},
          [](auto& tape, const auto& in) {
            static const core::Mask mask = [] {
              core::BoolMatrix allowed = core::BoolMatrix::Constant(4, 4, true);
              allowed.row(2).setConstant(false);
              allowed(1, 3) = allowed(3, 0) = false;
              return core::Mask::dense(allowed);
            }();
            const Sequences both{.batch = 1, .length = 4};
            return attention(tape, in[0], in[1], in[2], both, both, {.mask = &mask});
          });

const Registered kFeedForward = layer(
    "feed_forward", {{3, 4}},
    [](const Scope& s) { return FeedForward::declare(s, 4, {.width = 6}); },
    [](auto& tape, const auto& in, const FeedForward& net) {
      return net(tape, in[0], {.length = 3});
    },
    {});
const Registered kGated = layer(
    "feed_forward: gated", {{3, 4}},
    [](const Scope& s) {
      return FeedForward::declare(
          s, 4, {.width = 6, .function = Activation::silu, .gated = true, .bias = false});
    },
    [](auto& tape, const auto& in, const FeedForward& net) {
      return net(tape, in[0], {.length = 3});
    },
    {});

Registered transformer(const std::string& name, const TransformerForm& form, bool decodes) {
  return layer(
      "transformer: " + name, {{6, 8}, {8, 8}},
      [=](const Scope& s) { return TransformerLayer::declare(s, form, decodes); },
      [=](auto& tape, const auto& in, const TransformerLayer& net) {
        const Sequences target{.batch = 2, .length = 3};
        const Sequences source{.batch = 2, .length = 4, .lengths = kLengths};
        if (!decodes) return net(tape, in[1], source, {});
        return net.decode(tape, in[0], target, {.causal = true}, in[1], source);
      },
      {.train = true, .dropout = 3});
}

const Registered kEncoder =
    transformer("encoder", {.d_model = 8, .heads = 2, .key_heads = 2}, false);
const Registered kDecoder = transformer(
    "decoder, norm first, grouped, with dropout",
    {.d_model = 8, .heads = 4, .key_heads = 2, .norm_first = true, .dropout = 0.2}, true);
const Registered kUnnormed = transformer(
    "decoder without norms", {.d_model = 8, .heads = 2, .key_heads = 2, .normed = false}, true);
const Registered kAlone =
    transformer("decoder without residual connections",
                {.d_model = 8, .heads = 2, .key_heads = 2, .residual = false}, true);

Registered positions(const std::string& name, Scheme scheme, bool causal) {
  const PositionForm form{.scheme = scheme, .longest = 5, .clip = 2, .buckets = 6, .farthest = 5};
  return layer(
      "positions: " + name, {{10, 8}},
      [=](const Scope& s) {
        return std::pair(MultiHead::declare(s, 8, 2, 1),
                         HeadPositions::declare(s, 2, 4, causal, form));
      },
      [=](auto& tape, const auto& in, const auto& declared) {
        const Sequences both{.batch = 2, .length = 5};
        const auto& [attention, positions] = declared;
        return attention(tape, in[0], both, in[0], both,
                         {.causal = causal, .positions = &positions});
      },
      {});
}
const Registered kRotary = positions("rotary", Scheme::rotary, true);
const Registered kAlibi = positions("alibi", Scheme::alibi, false);
const Registered kT5 = positions("t5", Scheme::t5, false);
const Registered kT5Causal = positions("t5, causal", Scheme::t5, true);
const Registered kRelative = positions("relative", Scheme::relative, true);
const Registered kUrpe = positions("urpe", Scheme::urpe, false);
const Registered kUrpeCausal = positions("urpe, causal", Scheme::urpe, true);
const Registered kXpos = positions("xpos", Scheme::xpos, true);
const Registered kTransformerXl = positions("transformer_xl", Scheme::transformer_xl, false);
const Registered kDeberta = positions("deberta", Scheme::deberta, false);

// Keys' terms added to queries', as DeBERTa has them; grouped key heads, fewer queries than keys.
const Registered kDistanceTerms =
    layer("distance_steps", {{4, 12}, {6, 6}, {5, 3}}, [](auto& tape, const auto& in) {
      using S = std::remove_pointer_t<decltype(in[0].value)>;
      const Sequences queries{.batch = 2, .length = 2}, keys{.batch = 2, .length = 3};
      const auto y = tape.tensor(2 * 4 * 2, 3);
      const auto term = [&](const auto& x, Index x_heads, Index length, bool of_keys) {
        tape.record("term", DistanceTermStep<S>{x,
                                                in[2],
                                                y,
                                                queries,
                                                keys,
                                                4,
                                                x_heads,
                                                {.zero = 2, .falls = of_keys},
                                                of_keys,
                                                of_keys,
                                                S(0.5),
                                                tape.template room<S>(length * 5)});
      };
      term(in[0], 4, 2, false);
      term(in[1], 2, 3, true);
      return y;
    });

Registered added(const std::string& name, Scheme scheme) {
  return layer(
      "positions: " + name, {{6, 4}},
      [=](const Scope& s) {
        return AddedPositions::declare(s, 4, {.scheme = scheme, .longest = 5});
      },
      [=](auto& tape, const auto& in, const AddedPositions& positions) {
        return positions(tape, in[0], nullptr, {.batch = 2, .length = 3});
      },
      {});
}
const Registered kLearned = added("learned", Scheme::learned);
const Registered kSinusoidal = added("sinusoidal", Scheme::sinusoidal);

constexpr std::int32_t kWords[] = {2, 0, 2, 1, 1, 2};
const Registered kComplexOrder =
    layer("positions: complex", {{6, 4}, {3, 2}}, [](auto& tape, const auto& in) {
      return rotate_by_words(tape, in[0], in[1], kWords, {.batch = 2, .length = 3});
    });
// Factors of their own, with keys that nobody may see, padding and grouped keys.
const Registered kFactors =
    layer("attention: factors", {{4, 8}, {6, 4}, {6, 4}, {8, 3}}, [](auto& tape, const auto& in) {
      static constexpr Index lengths[] = {3, 2};
      const Sequences queries{.batch = 2, .length = 2};
      const Sequences keys{.batch = 2, .length = 3, .lengths = lengths};
      return attention(tape, in[0], in[1], in[2], queries, keys,
                       {.heads = 4, .key_heads = 2, .causal = true}, {}, in[3]);
    });
// Two layers over four places, and of one place alone.
Registered flow(const std::string& name, Index length) {
  return layer(
      "flow: " + name, {},
      [](const Scope& s) { return Flow::declare(s, 2, 3, {.hidden = 4, .delta = 0.5}); },
      [=](auto& tape, const auto&, const Flow& net) { return net(tape, length); }, {});
}
const Registered kFlow = flow("four places", 4);
const Registered kFlowOfOne = flow("one place", 1);

Registered encoder_decoder(const std::string& name, const EncoderDecoderForm& form) {
  return layer(
      "encoder_decoder: " + name, {},
      [=](const Scope& s) { return EncoderDecoder::declare(s, form); },
      [=](auto& tape, const auto&, const EncoderDecoder& model) {
        static constexpr std::int32_t source_ids[] = {1, 2, 3, 4, 4, 0, 0, 0};
        static constexpr std::int32_t target_ids[] = {0, 3, 1, 0, 2, 4};
        const Sequences source{.batch = 2, .length = 4, .lengths = kLengths};
        const Sequences target{.batch = 2, .length = 3};
        const auto memory = model.encode(tape, source_ids, source);
        return model.decode(tape, memory, source, target_ids, target);
      },
      {});
}
const Registered kPublished = encoder_decoder(
    "as published",
    {.vocabulary = 5,
     .layer = {.d_model = 4, .heads = 2, .key_heads = 2, .feed_forward = {.width = 6}},
     .positions = {.scheme = Scheme::sinusoidal, .longest = 4}});
const Registered kNormFirst =
    encoder_decoder("norm first, learned positions, an output of its own",
                    {.vocabulary = 5,
                     .layer = {.d_model = 4, .feed_forward = {.width = 6}, .norm_first = true},
                     .positions = {.scheme = Scheme::learned, .longest = 4},
                     .tied = false,
                     .scaled = false});

constexpr std::int32_t kTargets[] = {2, -1, 0, 17, 4};

const Registered kCrossEntropy = layer("cross_entropy", {{5, 18}}, [](auto& tape, const auto& in) {
  using S = std::remove_pointer_t<decltype(in[0].value)>;
  return cross_entropy(tape, in[0], kTargets, S{4});
});
const Registered kSmoothed =
    layer("cross_entropy: smoothed", {{5, 18}}, [](auto& tape, const auto& in) {
      using S = std::remove_pointer_t<decltype(in[0].value)>;
      return cross_entropy(tape, in[0], kTargets, S{4}, static_cast<S>(0.1));
    });

}  // namespace

TEST_CASE("cross entropy by hand") {
  Tape<double> tape;
  tape.begin(nullptr, nullptr, {});
  MatrixD logits(2, 2);
  logits << std::log(3.0), 0, 5, 5;
  const Tensor<double> x = tape.input(logits);
  constexpr std::int32_t targets[] = {0, 1};
  // -log(3/4) and log 2.
  const double wanted = (std::log(4.0 / 3) + std::log(2.0)) / 2;
  CHECK(*cross_entropy(tape, x, targets, 2.0).value == doctest::Approx(wanted).epsilon(1e-15));
  CHECK(hits(x, targets) == 1);
  constexpr std::int32_t beyond[] = {0, 2};
  CHECK_THROWS_AS(cross_entropy(tape, x, beyond, 2.0), core::InputError);
}

TEST_CASE("dropout drops its share, the same ones again, and nothing when it does not train") {
  const MatrixD ones = MatrixD::Ones(100, 100);
  const auto dropped = [&](std::uint64_t seed, bool train) -> MatrixD {
    Tape<double> tape;
    tape.begin(nullptr, nullptr, {.train = train, .dropout = seed});
    return dropout(tape, tape.input(ones), 0.25).matrix();
  };
  const MatrixD once = dropped(1, true);
  CHECK(once == dropped(1, true));
  CHECK(once != dropped(2, true));
  CHECK(dropped(1, false) == ones);
  const double share = static_cast<double>((once.array() == 0).count()) / 10'000;
  CHECK(share == doctest::Approx(0.25).epsilon(0.07));  // four deviations of sqrt(.25 .75) / 100
  CHECK(once.maxCoeff() == doctest::Approx(4.0 / 3));
}

TEST_CASE("a causal form and masks of the same pairs give the same, to the last bit") {
  for (const auto& [n, m] : {std::pair<Index, Index>{9, 9}, {5, 9}, {9, 5}, {60, 60}}) {
    CAPTURE(n);
    CAPTURE(m);
    const MatrixD q = MatrixD::Random(n, 4), k = MatrixD::Random(m, 4);
    const auto weights = [&](const AttentionForm& form) {
      Tape<double> tape;
      Trace<double> trace;
      tape.begin(nullptr, nullptr, {}, &trace);
      const Tensor<double> keys = tape.input(k);
      attention(tape, tape.input(q), keys, keys, {.length = n}, {.length = m}, form);
      return trace.at("weights").values;
    };
    const core::Mask ranges = core::Mask::causal(n, m);
    core::BoolMatrix allowed(n, m);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) allowed(i, j) = ranges.allowed(i, j);
    }
    const core::Mask bits = core::Mask::dense(allowed);
    const std::vector<double> causal = weights({.causal = true});
    CHECK(weights({.mask = &ranges}) == causal);
    CHECK(weights({.mask = &bits}) == causal);
    CHECK(weights({}) != causal);
  }
}

TEST_CASE("attention names its weights, whose rows sum to one") {
  Tape<double> tape;
  Trace<double> trace;
  tape.begin(nullptr, nullptr, {}, &trace);
  const Tensor<double> x = tape.input(MatrixD::Random(6, 4));
  const Sequences both{.batch = 2, .length = 3};
  {
    const Tape<double>::Named scope(tape, "encoder");
    attention(tape, x, x, x, both, both, {.heads = 2, .key_heads = 2, .causal = true});
  }
  const Traced<double>& weights = trace.at("encoder.weights");
  CHECK(weights.shape == std::vector<Index>{2, 2, 3, 3});
  CHECK(weights.axes == std::vector<std::string>{"batch", "head", "query", "key"});
  for (std::size_t row = 0; row < 12; ++row) {
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const double w = weights.values[3 * row + j];
      sum += w;
      if (j > row % 3) CHECK(w == 0);
    }
    CHECK(sum == doctest::Approx(1));
  }
  CHECK_THROWS_AS(trace.at("weights"), core::InputError);
}

}  // namespace layers_test
