// The lens, and what parts add to the residual stream and to logits: laws of any model, and one
// that was worked by hand.
#include "core/task/inside/inside.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/random.h"

namespace inside_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index, core::Matrix, core::MatrixD, core::VectorD;

namespace {

using core::model::Scheme;

const SequenceTask kTask{.symbols = 9, .shortest = 4, .longest = 5, .length = 12};

core::model::DecoderForm some_form() {
  return {.layer = {.d_model = 16,
                    .heads = 4,
                    .key_heads = 2,
                    .feed_forward = {.width = 24},
                    .norm_first = true},
          .layers = 2,
          .positions = {.scheme = Scheme::rotary, .longest = 16}};
}

struct Made {
  SequenceModel model;
  std::vector<float> values;

  // Nothing is 0 or 1: biases, gains and shifts are moved too.
  explicit Made(const core::model::DecoderForm& form, const SequenceTask& task = kTask)
      : model(task, form), values(model.layout.start<float>(5)) {
    core::Random random(3);
    for (float& value : values) {
      value += 0.1F * static_cast<float>(random.uniform() - 0.5);
    }
  }
  LookedSequence looked() const {
    return look(model, values.data(), draw_sequences(model.task, 1, 1, true).front().ids);
  }
};

Matrix logits_of(const LookedSequence& looked) {
  const auto& traced = looked.trace.at("decoder.logits");
  return Eigen::Map<const Matrix>(traced.values.data(), traced.shape[1], traced.shape[2]);
}

std::vector<core::model::DecoderForm> forms_with_parts() {
  std::vector<core::model::DecoderForm> forms(9, some_form());
  forms[1].positions.scheme = Scheme::learned;
  forms[1].tied = true;
  forms[2].positions.scheme = Scheme::sinusoidal;
  forms[2].scaled = true;
  forms[2].layer.feed_forward.gated = true;
  forms[3].layer.feed_forward.width = 0;
  forms[3].output_bias = false;
  forms[4].layer.normed = false;
  forms[4].layer.bias = false;
  forms[5].layers = 0;
  forms[6].positions.scheme = Scheme::urpe;
  forms[7].positions.scheme = Scheme::complex;
  forms[8].positions.scheme = Scheme::floater;
  return forms;
}

}  // namespace

TEST_CASE("the lens's last row is the model's logits, to the last bit") {
  auto forms = forms_with_parts();
  forms.push_back(some_form());
  forms.back().layer.norm_first = false;
  forms.push_back(some_form());
  forms.back().layer.residual = false;
  for (const auto& form : forms) {
    const Made made(form);
    const LookedSequence looked = made.looked();
    const Lens lens = logit_lens(made.model, made.values.data(), looked);
    const Index each = form.layer.feed_forward.width > 0 ? 2 : 1;
    REQUIRE(static_cast<Index>(lens.points.size()) == 1 + each * form.layers);
    REQUIRE(lens.logits.size() == lens.points.size());
    CHECK(lens.points.front().kind == StreamPoint::Kind::placed);
    CHECK(lens.logits.back() == logits_of(looked));
    if (form.layers > 0) CHECK(lens.logits.front() != logits_of(looked));
  }
}

TEST_CASE("parts add up to the residual, and their shares to the logit") {
  for (const auto& form : forms_with_parts()) {
    const Made made(form);
    const LookedSequence looked = made.looked();
    const Matrix logits = logits_of(looked);
    for (const Index token : {Index{0}, logits.rows() - 1}) {
      const StreamParts parts = stream_parts(made.model, made.values.data(), looked, token);
      const VectorD sum = parts.vectors.colwise().sum();
      CHECK((sum - parts.residual).cwiseAbs().maxCoeff() < 3e-6 * (1 + sum.cwiseAbs().maxCoeff()));
      const auto share_of = [&](std::int32_t id, std::int32_t against) {
        const LogitDirection to =
            logit_direction(made.model, made.values.data(), parts.residual, id, against);
        return (parts.vectors * to.direction).sum() + to.constant;
      };
      CHECK(share_of(5, -1) ==
            doctest::Approx(static_cast<double>(logits(token, 5))).epsilon(1e-4));
      CHECK(
          share_of(5, 3) ==
          doctest::Approx(static_cast<double>(logits(token, 5) - logits(token, 3))).epsilon(1e-4));
    }
  }
}

TEST_CASE("a head's share is what each token it looks at gives it") {
  const Made made(some_form());
  const LookedSequence looked = made.looked();
  constexpr Index kToken = 9;
  const StreamParts parts = stream_parts(made.model, made.values.data(), looked, kToken);
  const VectorD direction =
      logit_direction(made.model, made.values.data(), parts.residual, 4).direction;
  Index heads = 0;
  for (std::size_t k = 0; k < parts.parts.size(); ++k) {
    const StreamPart& part = parts.parts[k];
    if (part.kind != StreamPart::Kind::head) continue;
    ++heads;
    const HeadShares shares = head_shares(made.model, made.values.data(), looked,
                                          {part.layer, part.head}, kToken, direction);
    CHECK(shares.weights.sum() == doctest::Approx(1).epsilon(1e-6));
    CHECK(shares.weights(kToken + 1) == 0);
    const double sum = shares.weights.dot(VectorD(shares.values * shares.read));
    CHECK(sum ==
          doctest::Approx(parts.vectors.row(static_cast<Index>(k)).dot(direction)).epsilon(1e-4));
  }
  CHECK(heads == 8);
}

TEST_CASE("a model of width 2 by hand: the token, the place, what the head looked at") {
  // Without norms: token 3 is (1, 0), token 4 (0, 1); every place adds (0.5, 0). Nothing is asked
  // for, so the second token looks at both alike; values are the rows themselves, and the output of
  // the head is turned: W_O swaps the numbers.
  const SequenceTask task{.symbols = 3, .shortest = 1, .longest = 2, .length = 4};
  const core::model::DecoderForm form{
      .layer = {.d_model = 2, .feed_forward = {.width = 0}, .norm_first = true, .normed = false},
      .positions = {.scheme = Scheme::learned, .longest = 4}};
  const SequenceModel model(task, form);
  std::vector<float> values(static_cast<std::size_t>(model.layout.size()), 0.0F);
  const auto matrix = [&](const core::model::Slot& slot) {
    return Eigen::Map<Matrix>(values.data() + slot.offset, slot.rows, slot.cols);
  };
  matrix(model.decoder.embedding).row(3) << 1, 0;
  matrix(model.decoder.embedding).row(4) << 0, 1;
  matrix(model.decoder.stack.added.table).col(0).setConstant(0.5F);
  const auto& self = model.decoder.stack.layers.front().self;
  matrix(self.value.weight).setIdentity();
  matrix(self.output.weight) << 0, 1, 1, 0;
  matrix(self.output.bias) << 0, 0.25F;
  matrix(model.decoder.output.weight).col(5) << 2, 10;
  matrix(model.decoder.output.bias)(0, 5) = 1;

  const LookedSequence looked = look(model, values.data(), {3, 4});
  const StreamParts parts = stream_parts(model, values.data(), looked, 1);
  using Kind = StreamPart::Kind;
  REQUIRE(parts.parts ==
          std::vector<StreamPart>{
              {Kind::token}, {Kind::position}, {Kind::head, 0, 0}, {Kind::attention_bias, 0}});
  MatrixD by_hand(4, 2);
  by_hand << 0, 1, 0.5, 0, 0.5, 1, 0, 0.25;  // the mean of (1.5, 0) and (0.5, 1), swapped
  CHECK(parts.vectors == by_hand);
  CHECK(parts.residual == VectorD(by_hand.colwise().sum()));
  const LogitDirection to = logit_direction(model, values.data(), parts.residual, 5);
  CHECK(to.constant == 1);
  CHECK(to.scale == 1);
  CHECK(to.direction == VectorD{{2, 10}});
  CHECK(logits_of(looked)(1, 5) == 10 + 1 + 11 + 2.5F + 1);
  const HeadShares shares = head_shares(model, values.data(), looked, {0, 0}, 1, to.direction);
  CHECK(shares.read == VectorD{{10, 2}});
  CHECK(shares.weights == VectorD{{0.5, 0.5}});
  CHECK(VectorD(shares.values * shares.read) == VectorD{{15, 7}});
  // Its first place alone: (1.5, 0) is seen, as itself.
  CHECK(logits_of(looked)(0, 5) == 2 * 1.5F + 10 * (1.5F + 0.25F) + 1);
  CHECK_THROWS_AS(stream_parts(model, values.data(), looked, 2), core::InputError);
}

TEST_CASE("where a norm stands behind each sum, or nothing is added, there are no such parts") {
  auto form = some_form();
  CHECK(why_no_parts(form).empty());
  form.layer.norm_first = false;
  CHECK(!why_no_parts(form).empty());
  const Made behind(form);
  CHECK_THROWS_AS(stream_parts(behind.model, behind.values.data(), behind.looked(), 0),
                  core::InputError);
  form.layer.normed = false;
  CHECK(why_no_parts(form).empty());
  form.layer.residual = false;
  CHECK(!why_no_parts(form).empty());
}

}  // namespace inside_test
