// Where parameters and products are.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/labs/transformer/counts.h"
#include "transformer_rig.h"

namespace transformer_counts_test {

using namespace transformer_rig;

TEST_CASE("parameter counts are those of a declared model") {
  for (const CountSize size : {CountSize{}, CountSize{48, 192, 3, 100, 8}}) {
    core::model::EncoderDecoderForm form;
    form.vocabulary = size.vocabulary;
    form.layer.d_model = size.d;
    form.layer.heads = form.layer.key_heads = 8;
    form.layer.feed_forward.width = size.d_ff;
    form.encoder_layers = form.decoder_layers = size.layers;
    core::model::Layout layout;
    core::model::EncoderDecoder::declare(core::model::Scope(layout), form);
    Index all = 0, forward = 0, norms = 0, embedding = 0;
    for (const auto& p : layout.parameters()) {
      all += p.slot.size();
      if (p.name.find(".feed_forward.") != std::string::npos) forward += p.slot.size();
      if (p.name.find("norm") != std::string::npos) norms += p.slot.size();
      if (p.name == "embedding") embedding += p.slot.size();
    }
    CHECK(parameters(size) == all);
    CHECK(parameters(CountPart::forward, size) == forward);
    CHECK(parameters(CountPart::norms, size) == norms);
    CHECK(parameters(CountPart::embedding, size) == embedding);
    CHECK(parameters(CountPart::projections, size) == all - forward - norms - embedding);
  }
}

TEST_CASE("where 63 million parameters are") {
  Made m = preset("base");
  CHECK(parameters(CountSize{}) == 63'082'496);
  const double all = double(parameters(CountSize{}));
  const auto percent = [&](CountPart part) {
    return std::to_string(std::lround(100 * double(parameters(part, {})) / all)) + " % in the ";
  };
  const auto& presets = lab::find("transformer").presets;
  const auto base = std::find_if(presets.begin(), presets.end(),
                                 [](const lab::Preset& one) { return one.id == "base"; });
  REQUIRE(base != presets.end());
  const std::string told(base->teaches);
  CHECK(told.find(percent(CountPart::embedding) + "embedding") != told.npos);
  CHECK(told.find(percent(CountPart::forward) + "feed-forward") != told.npos);
  CHECK(says(m.page(), "63,082,496"));
}

TEST_CASE("from n = 2 d on scores take more products than projections") {
  for (const Index d : {64, 512}) {
    const auto at = [d](Index n) { return CountSize{.d = d, .d_ff = 4 * d, .n = n}; };
    CHECK(products(CountPart::scores, at(2 * d)) == products(CountPart::projections, at(2 * d)));
    CHECK(products(CountPart::scores, at(2 * d - 1)) <
          products(CountPart::projections, at(2 * d - 1)));
    CHECK(products(CountPart::scores, at(2 * d + 1)) >
          products(CountPart::projections, at(2 * d + 1)));
  }
}

TEST_CASE("the areas lie on one another and end at the whole") {
  for (const char* counted : {"parameters", "products"}) {
    for (const char* over : {"width", "length", "layers"}) {
      Made m = made({{"counted", counted}, {"over", over}});
      const auto plot = plot_of(m.page(), "count");
      const auto bands = marks_of<figure::Band>(plot);
      REQUIRE(bands.size() >= 4);
      for (std::size_t k = 1; k < bands.size(); ++k) CHECK(bands[k].lo == bands[k - 1].hi);
      CountSize last;
      if (*over == 'w') last.d = 2048, last.d_ff = 8192;
      if (std::string(over) == "length") last.n = 4096;
      if (std::string(over) == "layers") last.layers = 48;
      const Index all = *counted == 'p' && counted[1] == 'a' ? parameters(last) : products(last);
      CHECK(bands.back().hi.back() == double(all));
    }
  }
}

}  // namespace transformer_counts_test
