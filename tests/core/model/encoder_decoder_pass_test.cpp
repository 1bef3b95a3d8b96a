// A pass that is taken apart: what it keeps, what follows from that, and names that lead through
// it.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/attention/softmax.h"
#include "core/model/encoder_decoder_pass.h"
#include "core/model/layer/cross_entropy.h"
#include "refusal.h"

namespace encoder_decoder_pass_test {

using namespace core::model;
using core::Index;
using core::MatrixD;

namespace {

const PassIds kIds{.source = {2, 3, 4, 2}, .target = {0, 5, 3}, .next = {5, 3, 1}};

EncoderDecoderForm form_with(Scheme scheme, Index key_heads = 2) {
  EncoderDecoderForm form;
  form.vocabulary = 6;
  form.layer.d_model = 8;
  form.layer.heads = 4;
  form.layer.key_heads = key_heads;
  form.layer.feed_forward.width = 12;
  form.encoder_layers = form.decoder_layers = 2;
  form.positions.scheme = scheme;
  form.positions.longest = 8;
  return form;
}

double loss_of(const EncoderDecoderPass& pass, const std::vector<double>& values) {
  Tape<double> tape;
  tape.begin(values.data(), nullptr, {.differentiates = false});
  const Sequences source{.length = Index(kIds.source.size())},
      target{.length = Index(kIds.target.size())};
  const auto memory = pass.model.encode(tape, kIds.source.data(), source);
  const auto logits = pass.model.decode(tape, memory, source, kIds.target.data(), target);
  return *cross_entropy(tape, logits, kIds.next.data(), double(target.length)).value;
}

double difference(const MatrixD& a, const MatrixD& b) { return (a - b).cwiseAbs().maxCoeff(); }

}  // namespace

TEST_CASE("the loss and the gradient of each parameter are those of the model") {
  const EncoderDecoderPass pass = run_pass(form_with(Scheme::sinusoidal), kIds, 3, true);
  CHECK(pass.loss == doctest::Approx(loss_of(pass, pass.values)).epsilon(1e-14));
  REQUIRE(pass.gradients);
  for (const auto& parameter : pass.layout.parameters()) {
    const auto at = std::size_t(parameter.slot.offset + parameter.slot.size() / 2);
    std::vector<double> values = pass.values;
    constexpr double kStep = 1e-5;
    values[at] = pass.values[at] + kStep;
    const double up = loss_of(pass, values);
    values[at] = pass.values[at] - kStep;
    const double down = loss_of(pass, values);
    CAPTURE(parameter.name);
    CHECK(pass.gradients->values[at] ==
          doctest::Approx((up - down) / (2 * kStep)).epsilon(1e-4).scale(1e-3));
  }
  CHECK_FALSE(run_pass(form_with(Scheme::sinusoidal), kIds, 3, false).gradients);
}

TEST_CASE("softmax of the scores are the weights, and their gradients lead to queries") {
  for (const Scheme scheme : {Scheme::sinusoidal, Scheme::alibi, Scheme::t5, Scheme::urpe}) {
    for (const Index key_heads : {Index{1}, Index{2}, Index{4}}) {
      const EncoderDecoderPass pass = run_pass(form_with(scheme, key_heads), kIds, 5, true);
      for (const bool decoder : {false, true}) {
        const SublayerNames names{pass.form, decoder, 1};
        const std::string at = names.prefix();
        for (Index h = 0; h < pass.heads(); ++h) {
          MatrixD scores = pass.scores(at, h);
          for (Index i = 0; names.causal() && i < scores.rows(); ++i) {
            scores.row(i).tail(scores.cols() - i - 1).setConstant(-HUGE_VAL);
          }
          const MatrixD weights = core::softmax_rows<double>(scores);
          CHECK(difference(weights, pass.head(at + "weights", h)) < 1e-12);
          const MatrixD by = pass.score_gradients(at, h);
          CHECK(by.rowwise().sum().cwiseAbs().maxCoeff() < 1e-12);
          const MatrixD queries =
              by * pass.head_columns(at + "keys", h) / std::sqrt(double(pass.d_k()));
          CHECK(difference(queries, pass.gradients->head_columns(at + "queries", h)) < 1e-12);
        }
      }
    }
  }
}

TEST_CASE("heads of keys are shared by as many heads of queries") {
  const EncoderDecoderPass pass = run_pass(form_with(Scheme::none, 2), kIds, 1, false);
  const std::string at = SublayerNames{pass.form, false, 0}.prefix();
  const MatrixD keys = pass.tokens(at + "keys"), queries = pass.tokens(at + "queries");
  REQUIRE(keys.cols() == 4);
  for (Index h = 0; h < 4; ++h) {
    CHECK(pass.head_columns(at + "keys", h) == keys.middleCols(h / 2 * 2, 2));
    CHECK(pass.head_columns(at + "queries", h) == queries.middleCols(2 * h, 2));
  }
  CHECK(pass.head(at + "bias", 0).size() == 0);
}

TEST_CASE("names lead from what comes up to what is left, whatever the norms") {
  struct Norm {
    bool normed, first;
  };
  for (const Norm norm : {Norm{true, false}, Norm{true, true}, Norm{false, false}}) {
    for (const Scheme scheme : {Scheme::sinusoidal, Scheme::floater}) {
      EncoderDecoderForm form = form_with(scheme);
      form.layer.normed = norm.normed;
      form.layer.norm_first = norm.first;
      const EncoderDecoderPass pass = run_pass(form, kIds, 2, false);
      for (const bool decoder : {false, true}) {
        for (const Sublayer part : {Sublayer::self, Sublayer::cross, Sublayer::feed_forward}) {
          if (part == Sublayer::cross && !decoder) continue;
          for (Index layer = 0; layer < 2; ++layer) {
            const SublayerNames names{form, decoder, layer, part};
            CAPTURE(names.prefix());
            const MatrixD stream = pass.tokens(names.stream()), made = pass.tokens(names.made());
            CHECK(difference(pass.tokens(names.prefix() + "sum"), stream + made) < 1e-12);
            CHECK(pass.has(names.given()));
            CHECK(pass.has(names.looked_at()));
            CHECK(names.has_course() == pass.has(names.prefix() + "given"));
            const bool last = part == Sublayer::feed_forward;
            if (last) {
              CHECK(pass.tokens(names.left()) ==
                    pass.tokens(names.side() + "." + std::to_string(layer) + ".out"));
            }
            if (!norm.normed) continue;
            CHECK(pass.has(names.before_norm()));
            CHECK(pass.has(names.after_norm()));
            CHECK(pass.parameter(names.norm() + "gain").cols() == 8);
          }
        }
      }
    }
  }
}

TEST_CASE("names that there are not, and gradients of a pass that has none, are refused") {
  const EncoderDecoderPass pass = run_pass(form_with(Scheme::none), kIds, 1, false);
  CHECK(refusals::sentence([&] { pass.tokens("encoder.9.out"); }).find("encoder.9.out") !=
        std::string::npos);
  CHECK(refusals::sentence([&] { pass.parameter("nothing"); }).find("nothing") !=
        std::string::npos);
  CHECK(refusals::sentence([&] {
          pass.weight_gradients("encoder.0.self.", 0);
        }).find("differentiated") != std::string::npos);
  std::atomic<std::int64_t> questions{1};
  CHECK_THROWS_AS(run_pass(form_with(Scheme::none), kIds, 1, false, core::Cancel(questions)),
                  core::Cancelled);
}

}  // namespace encoder_decoder_pass_test
