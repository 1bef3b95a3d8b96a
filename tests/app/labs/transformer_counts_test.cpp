// Where parameters and products are.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/cost/transformer_cost.h"
#include "transformer_rig.h"

namespace transformer_counts_test {

using namespace transformer_rig;
using core::transformer_parameters, core::TransformerPart, core::TransformerSize;

TEST_CASE("where 63 million parameters are") {
  Made m = preset("base");
  const double all = double(transformer_parameters(TransformerSize{}));
  const auto percent = [&](TransformerPart part) {
    return std::to_string(std::lround(100 * double(transformer_parameters(part, {})) / all)) +
           " % in the ";
  };
  const auto& presets = lab::find("transformer").presets;
  const auto base = std::find_if(presets.begin(), presets.end(),
                                 [](const lab::Preset& one) { return one.id == "base"; });
  REQUIRE(base != presets.end());
  const std::string told(base->teaches);
  CHECK(told.find(percent(TransformerPart::embedding) + "embedding") != told.npos);
  CHECK(told.find(percent(TransformerPart::feed_forward) + "feed-forward") != told.npos);
  CHECK(says(m.page(), "63,082,496"));
}

TEST_CASE("the areas lie on one another and end at the whole") {
  for (const char* counted : {"parameters", "products"}) {
    for (const char* over : {"width", "length", "layers"}) {
      Made m = made({{"counted", counted}, {"over", over}});
      const auto plot = plot_of(m.page(), "count");
      const auto bands = marks_of<figure::Band>(plot);
      REQUIRE(bands.size() >= 4);
      for (std::size_t k = 1; k < bands.size(); ++k) CHECK(bands[k].lo == bands[k - 1].hi);
      TransformerSize last;
      if (*over == 'w') last.d = 2048, last.d_ff = 8192;
      if (std::string(over) == "length") last.n = 4096;
      if (std::string(over) == "layers") last.layers = 48;
      const Index all = *counted == 'p' && counted[1] == 'a' ? transformer_parameters(last)
                                                             : core::transformer_macs(last);
      CHECK(bands.back().hi.back() == double(all));
    }
  }
}

}  // namespace transformer_counts_test
