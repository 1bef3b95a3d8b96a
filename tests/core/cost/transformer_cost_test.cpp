// Where parameters and products of a whole Transformer are.
#include <doctest/doctest.h>

#include <string>

#include "core/cost/transformer_cost.h"
#include "core/model/encoder_decoder.h"
#include "refusal.h"

namespace transformer_cost_test {

using namespace core;
using Part = TransformerPart;

TEST_CASE("parameter counts are those of a declared model") {
  for (const TransformerSize size : {TransformerSize{}, TransformerSize{48, 192, 3, 100, 8}}) {
    model::EncoderDecoderForm form;
    form.vocabulary = size.vocabulary;
    form.layer.d_model = size.d;
    form.layer.heads = form.layer.key_heads = 8;
    form.layer.feed_forward.width = size.d_ff;
    form.encoder_layers = form.decoder_layers = size.layers;
    model::Layout layout;
    model::EncoderDecoder::declare(model::Scope(layout), form);
    Index all = 0, forward = 0, norms = 0, embedding = 0;
    for (const auto& p : layout.parameters()) {
      all += p.slot.size();
      if (p.name.find(".feed_forward.") != std::string::npos) forward += p.slot.size();
      if (p.name.find("norm") != std::string::npos) norms += p.slot.size();
      if (p.name == "embedding") embedding += p.slot.size();
    }
    CHECK(transformer_parameters(size) == all);
    CHECK(transformer_parameters(Part::feed_forward, size) == forward);
    CHECK(transformer_parameters(Part::norms, size) == norms);
    CHECK(transformer_parameters(Part::embedding, size) == embedding);
    CHECK(transformer_parameters(Part::projections, size) == all - forward - norms - embedding);
    CHECK(transformer_parameters(Part::output, size) == 0);
  }
  CHECK(transformer_parameters(TransformerSize{}) == 63'082'496);
}

TEST_CASE("multiply-adds of one layer by hand") {
  // d = 2, d_ff = 3, V = 5, n = 4: three attentions of 4 n d^2 and 2 n^2 d, two networks of 2 n d
  // f, and n d V.
  const TransformerSize size{2, 3, 1, 5, 4};
  CHECK(transformer_macs(Part::projections, size) == 3 * 64);
  CHECK(transformer_macs(Part::scores, size) == 3 * 64);
  CHECK(transformer_macs(Part::feed_forward, size) == 2 * 48);
  CHECK(transformer_macs(Part::output, size) == 40);
  CHECK(transformer_macs(Part::embedding, size) == 0);
  CHECK(transformer_macs(Part::norms, size) == 0);
  CHECK(transformer_macs(size) == 2 * 192 + 96 + 40);
}

TEST_CASE("from n = 2 d on scores take more products than projections") {
  for (const Index d : {64, 512}) {
    const auto at = [d](Part part, Index n) {
      return transformer_macs(part, {.d = d, .d_ff = 4 * d, .n = n});
    };
    CHECK(at(Part::scores, 2 * d) == at(Part::projections, 2 * d));
    CHECK(at(Part::scores, 2 * d - 1) < at(Part::projections, 2 * d - 1));
    CHECK(at(Part::scores, 2 * d + 1) > at(Part::projections, 2 * d + 1));
  }
}

TEST_CASE("sizes below 1 are refused") {
  for (const TransformerSize size : {TransformerSize{.d = 0}, TransformerSize{.d_ff = 0},
                                     TransformerSize{.layers = 0}, TransformerSize{.n = -1}}) {
    CHECK(refusals::sentence([&] { transformer_parameters(size); }).find("at least 1") !=
          std::string::npos);
    CHECK(refusals::sentence([&] { transformer_macs(Part::norms, size); }).find("at least 1") !=
          std::string::npos);
  }
}

}  // namespace transformer_cost_test
