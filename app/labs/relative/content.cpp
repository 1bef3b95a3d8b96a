#include "app/labs/relative/content.h"

#include "core/text/embed.h"

namespace lab::relative {
namespace {

Tokens tokens_of(const Parameters& p) {
  if (p.input == Input::text) return text_tokens(p.text, p.unit, p.length, kModelWidth, p.seed);
  // A pattern of one token again and again is a row of equal ones.
  const auto kind = p.input == Input::equal ? core::Sequence::repeated : core::Sequence::random;
  return {nullptr, core::synthetic_sequence(kind, p.length, kModelWidth, 1,
                                            static_cast<std::uint64_t>(p.seed))};
}

MatrixD projection(const Parameters& p, Stream stream) {
  return random_projection(kModelWidth, 1, p.width, p.seed, stream).cast<double>();
}

}  // namespace

Content make_content(const Parameters& p) {
  Tokens tokens = tokens_of(p);
  const MatrixD X = tokens.X.cast<double>();
  Content content;
  content.labels = tokens.labels;
  content.cut = tokens.cut;
  content.W_q = projection(p, Stream::query);
  content.W_k = p.projection == Projection::tied ? content.W_q : projection(p, Stream::key);
  content.Q = X * content.W_q;
  content.K = X * content.W_k;
  content.V = X * projection(p, Stream::value);
  return content;
}

}  // namespace lab::relative
