#include "app/labs/shared/tokens.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/random.h"
#include "core/text/embed.h"

namespace lab {

Tokens text_tokens(const std::string& text, core::Unit unit, int length, int d_model, int seed) {
  Tokens result;
  // One more than is used, to know whether there is more.
  std::vector<core::Token> tokens = core::tokenize(text, unit, length + 1);
  if (static_cast<int>(tokens.size()) > length) {
    result.cut = true;
    tokens.pop_back();
  }
  std::vector<std::string> labels;
  for (const core::Token& token : tokens) labels.push_back(token.label);
  result.labels = std::make_shared<const std::vector<std::string>>(std::move(labels));
  result.X = core::embed(tokens, d_model, static_cast<std::uint64_t>(seed));
  return result;
}

core::Matrix head_projection(core::Index rows, core::Index d_k, int seed, Stream stream,
                             core::Index head) {
  const std::uint64_t which =
      64 * static_cast<std::uint64_t>(stream) + static_cast<std::uint64_t>(head) + 1;
  core::Random random(core::stream_seed(static_cast<std::uint64_t>(seed), which));
  const double scale = 1 / std::sqrt(static_cast<double>(rows));
  core::Matrix W(rows, d_k);
  for (core::Index k = 0; k < W.size(); ++k) {
    W.data()[k] = static_cast<float>(scale * random.gaussian());
  }
  return W;
}

core::Matrix random_projection(core::Index rows, core::Index heads, core::Index d_k, int seed,
                               Stream stream) {
  core::Matrix W(rows, heads * d_k);
  for (core::Index head = 0; head < heads; ++head) {
    W.middleCols(head * d_k, d_k) = head_projection(rows, d_k, seed, stream, head);
  }
  return W;
}

}  // namespace lab
