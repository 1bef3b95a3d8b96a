#include "core/model/pass_terms.h"

#include <cmath>

namespace core::model {
namespace {

using Kind = BlockKind;
using Part = TensorPart;

// One linear map of a block, y = x W + b.
struct LinearMap {
  Kind block;
  Part made, weight;
  std::optional<Part> from = {};  // none: the input of the block, or of keys and values
};
constexpr LinearMap kLinear[] = {
    {Kind::attention, Part::queries, Part::query_weight},
    {Kind::attention, Part::keys, Part::key_weight},
    {Kind::attention, Part::values, Part::value_weight},
    {Kind::attention, Part::result, Part::output_weight, Part::heads},
    {Kind::feed_forward, Part::up, Part::up_weight},
    {Kind::feed_forward, Part::result, Part::down_weight, Part::active}};

// A pass and a block in it.
struct PlacedPass {
  const EncoderDecoderPass& pass;
  const BlockPlace& place;

  MatrixD own(Part part) const { return pass_tensor(pass, place, part).of(0); }
  MatrixD gradient(Part part) const { return pass_gradient(pass, place, part).of(0); }
  MatrixD input_of(const LinearMap& map) const {
    if (map.from) return own(*map.from);
    return pass.tokens(map.made == Part::queries ? place.given() : place.looked_at());
  }
  std::string mixed() const {
    const std::string name = place.prefix() + "mixed";
    return pass.has(name) ? name : place.prefix() + "weights";
  }
  Index key_head(Index head) const { return head * pass.key_heads() / pass.heads(); }
  // of(head) for all query heads that share this key head, one below the other.
  template <class Of>
  VectorD of_group(Index shared, Of of) const {
    const Index count = pass.heads() / pass.key_heads();
    std::vector<double> all;
    for (Index head = shared * count; head < (shared + 1) * count; ++head) {
      const VectorD one = of(head);
      all.insert(all.end(), one.data(), one.data() + one.size());
    }
    return Eigen::Map<const VectorD>(all.data(), static_cast<Index>(all.size()));
  }

  PassTerms of_values(Index i, Index j) const {
    const Index width = pass.d_k(), shared = j / width;
    const MatrixD outputs = gradient(Part::heads);
    return {
        of_group(shared, [&](Index h) -> VectorD { return pass.head(mixed(), h).col(i); }),
        of_group(shared, [&](Index h) -> VectorD { return outputs.col(h * width + j % width); })};
  }
  PassTerms of_weights(Index head, Index i, Index j) const {
    const std::string prefix = place.prefix();
    const MatrixD factors = pass.head(prefix + "factors", head);
    const double factor = factors.size() > 0 ? factors(i, j) : 1;
    return {factor * pass.head_columns(prefix + "values", head).row(j).transpose(),
            pass.gradients->head_columns(prefix + "heads", head).row(i)};
  }
  PassTerms of_queries(Index i, Index j) const {
    const Index width = pass.d_k(), head = j / width;
    return {own(Part::keys).col(key_head(head) * width + j % width) /
                std::sqrt(static_cast<double>(width)),
            pass.score_gradients(place.prefix(), head).row(i)};
  }
  PassTerms of_keys(Index i, Index j) const {
    const Index width = pass.d_k(), shared = j / width;
    const MatrixD queries = own(Part::queries) / std::sqrt(static_cast<double>(width));
    return {
        of_group(shared, [&](Index h) -> VectorD { return queries.col(h * width + j % width); }),
        of_group(shared, [&](Index h) -> VectorD {
          return pass.score_gradients(place.prefix(), h).col(i);
        })};
  }
};

}  // namespace

bool is_rotated(const BlockPlace& place, TensorPart part) {
  return place.form.positions.scheme == Scheme::rotary && place.block == Kind::attention &&
         !place.cross() && (part == Part::queries || part == Part::keys);
}

std::optional<PassTerms> value_terms(const EncoderDecoderPass& pass, const BlockPlace& place,
                                     TensorPart part, Index i, Index j) {
  const PlacedPass at{pass, place};
  for (const LinearMap& map : kLinear) {
    if (map.block != place.block || map.made != part) continue;
    return PassTerms{at.input_of(map).row(i), at.own(map.weight).col(j)};
  }
  if (place.block == Kind::attention && part == Part::heads) {
    const Index width = pass.d_k(), head = j / width;
    return PassTerms{pass.head(at.mixed(), head).row(i),
                     pass.head_columns(place.prefix() + "values", head).col(j % width)};
  }
  if (place.block == Kind::output && part == Part::logits) {
    return PassTerms{pass.tokens("decoder.out").row(i), pass.parameter("embedding").row(j)};
  }
  return std::nullopt;
}

std::optional<PassTerms> gradient_terms(const EncoderDecoderPass& pass, const BlockPlace& place,
                                        TensorPart part, Index head, Index i, Index j) {
  if (!pass.gradients) {
    refuse("gradient_terms", "a pass that was differentiated", "one that was not");
  }
  const PlacedPass at{pass, place};
  for (const LinearMap& map : kLinear) {
    if (map.block != place.block) continue;
    if (map.weight == part) {
      if (is_rotated(place, map.made)) return std::nullopt;
      return PassTerms{at.input_of(map).col(i), at.gradient(map.made).col(j)};
    }
    if (map.from == part) {
      return PassTerms{at.own(map.weight).row(j), at.gradient(map.made).row(i)};
    }
  }
  if (place.block != Kind::attention) return std::nullopt;
  switch (part) {
    case Part::values: return at.of_values(i, j);
    case Part::weights: return at.of_weights(head, i, j);
    case Part::queries:
      if (place.form.positions.scheme == Scheme::relative && !place.cross()) return std::nullopt;
      return at.of_queries(i, j);
    case Part::keys: return at.of_keys(i, j);
    default: return std::nullopt;
  }
}

}  // namespace core::model
