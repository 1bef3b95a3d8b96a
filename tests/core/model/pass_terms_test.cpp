// The tensors of a pass, and the products that their numbers and gradients are sums of.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/model/pass_terms.h"
#include "refusal.h"

namespace pass_terms_test {

using namespace core::model;
using core::Index;
using core::MatrixD;

namespace {

const PassIds kIds{.source = {2, 3, 4, 2}, .target = {0, 5, 3}, .next = {5, 3, 1}};

EncoderDecoderPass pass_with(Scheme scheme, Index key_heads, bool norm_first = false,
                             bool differentiate = true) {
  EncoderDecoderForm form;
  form.vocabulary = 6;
  form.layer.d_model = 8;
  form.layer.heads = 4;
  form.layer.key_heads = key_heads;
  form.layer.feed_forward.width = 12;
  form.layer.norm_first = norm_first;
  form.encoder_layers = form.decoder_layers = 2;
  form.positions.scheme = scheme;
  form.positions.longest = 8;
  return run_pass(form, kIds, 4, differentiate);
}

std::vector<BlockPlace> places(const EncoderDecoderPass& pass) {
  std::vector<BlockPlace> all;
  for (const bool decoder : {false, true}) {
    const auto add = [&](BlockKind block, Sublayer part = Sublayer::self) {
      all.push_back({{pass.form, decoder, 1, part}, block});
    };
    add(BlockKind::input);
    add(BlockKind::attention);
    add(BlockKind::norm);
    if (decoder) add(BlockKind::attention, Sublayer::cross);
    if (decoder) add(BlockKind::norm, Sublayer::cross);
    add(BlockKind::feed_forward, Sublayer::feed_forward);
    add(BlockKind::norm, Sublayer::feed_forward);
    add(BlockKind::out);
    if (decoder) add(BlockKind::output);
  }
  return all;
}

}  // namespace

TEST_CASE("every number and every gradient that is a sum of products is their sum") {
  int values = 0, gradients = 0;
  for (const Scheme scheme : {Scheme::sinusoidal, Scheme::rotary, Scheme::alibi, Scheme::relative,
                              Scheme::urpe, Scheme::floater}) {
    for (const Index key_heads : {Index{1}, Index{2}, Index{4}}) {
      const EncoderDecoderPass pass = pass_with(scheme, key_heads, key_heads == 2);
      for (const BlockPlace& place : places(pass)) {
        for (const TensorPart part : parts_of(place)) {
          const PassTensor t = pass_tensor(pass, place, part);
          const PassTensor by = pass_gradient(pass, place, part);
          CAPTURE(t.name);
          CAPTURE(t.symbol);
          for (Index head = 0; head < (t.of_heads ? pass.heads() : 1); ++head) {
            const Index i = t.row_count() - 1, j = (t.col_count() - 1) / 2;
            const auto terms = value_terms(pass, place, part, i, j);
            if (terms && !is_rotated(place, part)) {
              ++values;
              CHECK(terms->left.dot(terms->right) ==
                    doctest::Approx(t.of(head)(i, j)).epsilon(1e-10).scale(1e-3));
            }
            const auto slopes = gradient_terms(pass, place, part, head, i, j);
            if (!slopes || std::isnan(by.of(head)(i, j))) continue;
            ++gradients;
            CHECK(slopes->left.dot(slopes->right) ==
                  doctest::Approx(by.of(head)(i, j)).epsilon(1e-9).scale(1e-5));
          }
        }
      }
    }
  }
  CHECK(values > 300);
  CHECK(gradients > 400);
}

TEST_CASE("what RoPE rotates has other gradients than products tell; queries of Shaw, too") {
  const EncoderDecoderPass rotary = pass_with(Scheme::rotary, 4);
  const BlockPlace self{{rotary.form, true, 0}, BlockKind::attention};
  const BlockPlace cross{{rotary.form, true, 0, Sublayer::cross}, BlockKind::attention};
  CHECK(is_rotated(self, TensorPart::keys));
  CHECK_FALSE(is_rotated(self, TensorPart::values));
  CHECK_FALSE(is_rotated(cross, TensorPart::keys));
  CHECK_FALSE(gradient_terms(rotary, self, TensorPart::query_weight, 0, 1, 1));
  CHECK(gradient_terms(rotary, cross, TensorPart::query_weight, 0, 1, 1));
  const EncoderDecoderPass shaw = pass_with(Scheme::relative, 4);
  const BlockPlace of_shaw{{shaw.form, false, 0}, BlockKind::attention};
  CHECK_FALSE(gradient_terms(shaw, of_shaw, TensorPart::queries, 0, 1, 1));
  CHECK_FALSE(gradient_terms(shaw, of_shaw, TensorPart::scores, 0, 1, 1));
  CHECK_FALSE(value_terms(shaw, of_shaw, TensorPart::scores, 1, 1));
}

TEST_CASE("tensors: what is masked is NaN, and gradients have the same shape") {
  const EncoderDecoderPass pass = pass_with(Scheme::none, 2);
  for (const BlockPlace& place : places(pass)) {
    for (const TensorPart part : parts_of(place)) {
      const PassTensor t = pass_tensor(pass, place, part), by = pass_gradient(pass, place, part);
      CHECK(t.part == part);
      CHECK(t.matrices.size() == (t.of_heads ? 4 : 1));
      CHECK(by.matrices.size() == t.matrices.size());
      CHECK(by.row_count() == t.row_count());
      CHECK(by.col_count() == t.col_count());
      for (Index i = 0; i < t.row_count(); ++i) {
        for (Index j = 0; j < t.col_count(); ++j) {
          const bool masked = t.of_heads && place.causal() && j > i;
          CHECK(std::isnan(t.of(0)(i, j)) == masked);
          CHECK(std::isnan(by.of(0)(i, j)) == masked);
        }
      }
      if (t.probabilities && !place.causal()) {
        for (Index i = 0; i < t.row_count(); ++i) {
          CHECK(t.of(0).row(i).sum() == doctest::Approx(1).epsilon(1e-12));
        }
      }
    }
  }
  // A part that the block does not have stands for its result.
  const BlockPlace out{{pass.form, false, 0}, BlockKind::out};
  CHECK(pass_tensor(pass, out, TensorPart::queries).name == "encoder.out");
}

TEST_CASE("symbols, shapes and sizes by hand") {
  const EncoderDecoderPass pass = pass_with(Scheme::sinusoidal, 2);
  const BlockPlace self{{pass.form, false, 0}, BlockKind::attention};
  const BlockPlace cross{{pass.form, true, 1, Sublayer::cross}, BlockKind::attention};
  CHECK(tensor_facts(self, TensorPart::key_weight).letters == "d_model × g·d_k");
  CHECK(tensor_facts(cross, TensorPart::keys).letters == "n × g·d_k");
  CHECK(tensor_facts(cross, TensorPart::keys).rows == TensorAxis::key_token);
  CHECK(tensor_facts(cross, TensorPart::queries).letters == "m × d_model");
  const PassTensor weights = pass_tensor(pass, cross, TensorPart::weights);
  CHECK(weights.shape() == "h × m × n = 4 × 3 × 4");
  CHECK(weights.largest() <= 1);
  const BlockPlace input{{pass.form, false, 0}, BlockKind::input};
  CHECK(tensor_facts(input, TensorPart::embedded).symbol == "√d_model · E[id]");
  CHECK(tensor_facts(input, TensorPart::table).rows == TensorAxis::word);
  PassTensor t;
  t.matrices = {(MatrixD(2, 2) << 3, -4, NAN, 0).finished()};
  CHECK(t.largest() == 4);
  CHECK(t.rms() == doctest::Approx(5 / std::sqrt(3)).epsilon(1e-15));
  CHECK(t.sizes() == "2 × 2");
  const EncoderDecoderPass plain = pass_with(Scheme::none, 4, false, false);
  CHECK(refusals::sentence([&] {
          pass_gradient(plain, input, TensorPart::table);
        }).find("differentiated") != std::string::npos);
  CHECK(refusals::sentence([&] {
          gradient_terms(plain, self, TensorPart::heads, 0, 0, 0);
        }).find("differentiated") != std::string::npos);
}

}  // namespace pass_terms_test
