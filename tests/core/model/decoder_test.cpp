// The decoder alone: how the gradient test tries it, and the laws that make it a language model.
#include "core/model/decoder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/model/layer/cross_entropy.h"
#include "core/model/learning/parts.h"
#include "core/random.h"
#include "model/gradient_cases.h"

namespace decoder_test {

using namespace model_test;
using namespace core::model;

namespace {

constexpr std::int32_t kIds[] = {0, 3, 1, 1, 2, 4, 4, 0};
constexpr Sequences kTwo{.batch = 2, .length = 4};

const core::Mask& own_mask() {
  static const core::Mask mask = [] {
    core::BoolMatrix allowed = core::BoolMatrix::Constant(4, 4, true);
    allowed(0, 1) = allowed(2, 2) = allowed(3, 0) = false;
    return core::Mask::dense(allowed);
  }();
  return mask;
}

Registered decoder(const std::string& name, const DecoderForm& form,
                   const core::Mask* mask = nullptr) {
  return layer(
      "decoder: " + name, {}, [=](const Scope& s) { return Decoder::declare(s, form); },
      [=](auto& tape, const auto&, const Decoder& model) { return model(tape, kIds, kTwo, mask); },
      {.train = true, .dropout = 3});
}

const DecoderForm kGpt2{.vocabulary = 5,
                        .layer = {.d_model = 4,
                                  .heads = 2,
                                  .key_heads = 2,
                                  .feed_forward = {.width = 6, .function = Activation::gelu_tanh},
                                  .norm_first = true},
                        .positions = {.scheme = Scheme::learned, .longest = 5},
                        .tied = true,
                        .output_bias = false};
// Induction's (attention alone), with heads that share keys.
const DecoderForm kAttentionOnly{.vocabulary = 5,
                                 .layer = {.d_model = 8,
                                           .heads = 4,
                                           .key_heads = 2,
                                           .feed_forward = {.width = 0},
                                           .norm_first = true},
                                 .layers = 2,
                                 .positions = {.scheme = Scheme::rotary, .longest = 4}};

const Registered kPublished = decoder("GPT-2", kGpt2);
const Registered kAlone = decoder("attention only, rotary, grouped heads", kAttentionOnly);
// Frequencies that are no slots of their own elsewhere, factors and courses of two layers.
DecoderForm of_two_layers(Scheme scheme) {
  DecoderForm form = kAttentionOnly;
  form.layer = {.d_model = 4, .heads = 2, .key_heads = 1, .feed_forward = {.width = 3}};
  form.positions = {.scheme = scheme, .longest = 4, .base = 9, .flow_width = 3, .flow_delta = 0.4};
  form.tied = scheme == Scheme::complex;
  form.scaled = form.tied;
  return form;
}
const Registered kUrpe = decoder("urpe", of_two_layers(Scheme::urpe));
const Registered kComplex = decoder("complex, tied and scaled", of_two_layers(Scheme::complex));
const Registered kFloater = decoder("floater", of_two_layers(Scheme::floater));

const Registered kMasked =
    decoder("norm behind, dropout, scaled, tied with a bias, a mask of its own",
            {.vocabulary = 5,
             .layer = {.d_model = 4, .feed_forward = {.width = 3, .gated = true}, .dropout = 0.3},
             .positions = {.scheme = Scheme::sinusoidal, .longest = 4},
             .tied = true,
             .scaled = true},
            &own_mask());

DecoderForm with_positions(Scheme scheme) {
  DecoderForm form = kAttentionOnly;
  form.layer.feed_forward = {.width = 12, .function = Activation::silu};
  form.positions = {.scheme = scheme, .longest = 9, .clip = 2, .buckets = 4, .farthest = 6};
  return form;
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

  core::Matrix logits(const std::vector<std::int32_t>& ids, Index batch = 1,
                      const core::Mask* mask = nullptr) const {
    Tape<float> tape;
    tape.begin(values.data(), nullptr, {.differentiates = false});
    const Sequences sequences{.batch = batch, .length = static_cast<Index>(ids.size()) / batch};
    return model(tape, ids.data(), sequences, mask).matrix();
  }
};

// Numbers that are learnt, without the gaps between parameters.
Index count(const DecoderForm& form) {
  const Made made(form);
  Index sum = 0;
  for (const Parameter& p : made.layout.parameters()) sum += p.slot.size();
  return sum;
}

}  // namespace

TEST_CASE("whatever the positions, a later token changes no earlier logit, to the bit") {
  for (const Scheme scheme : kAllSchemes) {
    CAPTURE(static_cast<int>(scheme));
    const Made made(with_positions(scheme));
    const std::vector<std::int32_t> ids = {1, 4, 2, 2, 0, 3, 1, 4, 0};
    const core::Matrix before = made.logits(ids);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      std::vector<std::int32_t> other = ids;
      other[k] = (ids[k] + 1) % 5;
      const core::Matrix after = made.logits(other);
      const auto place = static_cast<Index>(k);
      CHECK(after.topRows(place) == before.topRows(place));
      CHECK(after.row(place) != before.row(place));
    }
  }
}

TEST_CASE("a sequence has the same logits alone as among others") {
  const Made made(with_positions(Scheme::rotary));
  const std::vector<std::int32_t> a = {1, 4, 2, 2}, b = {0, 0, 3, 1};
  std::vector<std::int32_t> both = a;
  both.insert(both.end(), b.begin(), b.end());
  const core::Matrix together = made.logits(both, 2);
  CHECK(together.topRows(4).isApprox(made.logits(a), 1e-6F));
  CHECK(together.bottomRows(4).isApprox(made.logits(b), 1e-6F));
}

TEST_CASE("a mask stands in for the causal one") {
  const Made made(with_positions(Scheme::learned));
  const std::vector<std::int32_t> ids = {1, 4, 2, 2};
  const core::Mask causal = core::Mask::causal(4, 4);
  CHECK(made.logits(ids, 1, &causal).isApprox(made.logits(ids), 1e-6F));
  // One that hides nothing lets the last token be seen by the first.
  const core::Mask open = core::Mask::none(4, 4);
  const std::vector<std::int32_t> other = {1, 4, 2, 3};
  CHECK(made.logits(ids, 1, &open).row(0) != made.logits(other, 1, &open).row(0));
  const core::Mask wrong = core::Mask::none(3, 4);
  CHECK_THROWS_AS(made.logits(ids, 1, &wrong), core::InputError);
}

TEST_CASE("a tied embedding is counted once, and learns from both of its ends") {
  // Embedding 5 x 4, positions 5 x 4, four projections 4 x 4 with biases, 4 x 6 and 6 x 4 with
  // theirs, three norms of 2 x 4.
  constexpr Index kTied = 20 + 20 + 4 * (16 + 4) + (24 + 6) + (24 + 4) + 3 * 8;
  CHECK(count(kGpt2) == kTied);
  DecoderForm form = kGpt2;
  form.output_bias = true;
  CHECK(count(form) == kTied + 5);
  form.tied = false;
  CHECK(count(form) == kTied + 5 + 20);

  // A word that is not read is still not to be written: the output's part alone reaches its row.
  const Made made(kGpt2);
  Tape<float> tape;
  std::vector<float> gradients(made.values.size());
  tape.begin(made.values.data(), gradients.data(), {});
  const std::vector<std::int32_t> ids = {0, 1, 1, 0}, next = {1, 1, 0, 2};
  const Tensor<float> logits = made.model(tape, ids.data(), {.batch = 1, .length = 4});
  tape.backward(cross_entropy(tape, logits, next.data(), 4.0F));
  const Eigen::Map<const core::Matrix> rows(gradients.data() + made.model.embedding.offset, 5, 4);
  for (Index id = 0; id < 5; ++id) CHECK(rows.row(id).norm() > 0);
}

TEST_CASE("one thread or two: the same gradient, to the bit") {
  for (const Scheme scheme : {Scheme::rotary, Scheme::urpe, Scheme::complex, Scheme::floater}) {
    CAPTURE(static_cast<int>(scheme));
    DecoderForm form = with_positions(scheme);
    form.layer.dropout = 0.2;
    const Made made(form);
    const auto gradient = [&](int threads) {
      Parts parts;
      parts.gradients(made.layout.size(), made.values.data(), 3, 9, threads,
                      [&](Tape<float>& tape, Index part, Index& hits) {
                        const std::int32_t* ids = kIds + part;
                        const Sequences four{.batch = 1, .length = 4};
                        const Tensor<float> logits = made.model(tape, ids, four);
                        hits = core::model::hits(logits, ids + 1);
                        return cross_entropy(tape, logits, ids + 1, 12.0F);
                      });
      return std::vector<float>(parts.gradient(), parts.gradient() + made.layout.size());
    };
    const std::vector<float> once = gradient(1);
    CHECK(once == gradient(2));
    CHECK(once == gradient(1));
  }
}

TEST_CASE("a trace changes nothing: the same logits and gradients, to the bit") {
  DecoderForm form = with_positions(Scheme::rotary);
  form.layer.feed_forward.function = Activation::relu;
  const Made made(form);
  std::vector<float> gradients[2];
  core::Matrix logits[2];
  Trace<float> trace;
  for (const int traced : {0, 1}) {
    gradients[traced].resize(made.values.size());
    Tape<float> tape;
    tape.begin(made.values.data(), gradients[traced].data(), {}, traced ? &trace : nullptr);
    const Tensor<float> out = made.model(tape, kIds, {.batch = 1, .length = 7});
    logits[traced] = out.matrix();
    tape.backward(cross_entropy(tape, out, kIds + 1, 7.0F));
  }
  CHECK(logits[0] == logits[1]);
  CHECK(gradients[0] == gradients[1]);
  // And a name has its own numbers, before and after what is else done in place.
  const auto least = [&](const char* name) {
    const std::vector<float>& all = trace.at(name).values;
    return *std::min_element(all.begin(), all.end());
  };
  CHECK(least("decoder.0.feed_forward.up") < 0);
  CHECK(least("decoder.0.feed_forward.active") == 0);
}

TEST_CASE("every stage has the name that it has in a decoder with an encoder") {
  const Made made(kAttentionOnly);
  Trace<float> trace;
  Tape<float> tape;
  tape.begin(made.values.data(), nullptr, {.differentiates = false}, &trace);
  made.model(tape, kIds, kTwo);
  const std::vector<std::pair<std::string, std::vector<Index>>> wanted = {
      {"decoder.embedded", {2, 4, 8}},     {"decoder.placed", {2, 4, 8}},
      {"decoder.0.self.keys", {2, 4, 4}},  {"decoder.0.self.weights", {2, 4, 4, 4}},
      {"decoder.1.self.heads", {2, 4, 8}}, {"decoder.1.out", {2, 4, 8}},
      {"decoder.out", {2, 4, 8}},          {"decoder.logits", {2, 4, 5}}};
  for (const auto& [name, shape] : wanted) CHECK(trace.at(name).shape == shape);
}

TEST_CASE("it begins as one who knows nothing, tied or not") {
  for (const bool tied : {false, true}) {
    DecoderForm form{.vocabulary = 30,
                     .layer = {.d_model = 64, .heads = 4, .key_heads = 4, .norm_first = true},
                     .layers = 2,
                     .tied = tied};
    Layout layout;
    const Decoder model = Decoder::declare(Scope(layout), form);
    const std::vector<double> values = layout.start<double>(3);
    std::vector<std::int32_t> ids(41);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(i * i % 30);
    Tape<double> tape;
    tape.begin(values.data(), nullptr, {.differentiates = false});
    const Tensor<double> logits = model(tape, ids.data(), {.batch = 1, .length = 40});
    const double loss = *cross_entropy(tape, logits, ids.data() + 1, 40.0).value;
    CHECK(loss == doctest::Approx(std::log(30.0)).epsilon(0.15));
    const double deviation = std::sqrt(logits.matrix().array().square().mean());
    CHECK(deviation == doctest::Approx(0.5).epsilon(0.3));
  }
}

TEST_CASE("ids and lengths that do not fit are refused") {
  const Made made(kGpt2);
  CHECK_THROWS_AS(made.logits({0, 5}), core::InputError);
  CHECK_THROWS_AS(made.logits({0, -1}), core::InputError);
  CHECK_THROWS_AS(made.logits({0, 1, 2, 3, 4, 0}), core::InputError);  // 5 learned places
}

}  // namespace decoder_test
