#include "app/labs/position_compare/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/attention/masked_softmax.h"
#include "core/position/relative.h"

namespace lab::position_compare {
namespace {

Content project(const Parameters& p, const Tokens& tokens) {
  Content content;
  content.labels = tokens.labels;
  content.cut = tokens.cut;
  content.X = tokens.X.cast<double>();
  const Stream key = p.projection == Projection::tied ? Stream::query : Stream::key;
  content.W_q =
      head_projection(p.d_model, p.d_k(), p.seed, Stream::query, p.head - 1).cast<double>();
  content.W_k = head_projection(p.d_model, p.d_k(), p.seed, key, p.head - 1).cast<double>();
  content.Q = content.X * content.W_q;
  content.K = content.X * content.W_k;
  return content;
}

// The pairs that a scheme has a position for.
core::Mask scheme_mask(const Parameters& p, Scheme scheme, Index n) {
  const core::Mask mask =
      p.mask == MaskKind::causal ? core::Mask::causal(n, n) : core::Mask::none(n, n);
  const Index trained = std::min<Index>(p.trained_length, n);
  if (scheme == Scheme::learned) {
    return mask & core::Mask::query_padding(n, n, trained) & core::Mask::key_padding(n, n, trained);
  }
  if (scheme == Scheme::urpe) return mask & core::Mask::local(n, n, p.trained_length - 1);
  return mask;
}

MatrixD make_weights(const Scored& scored) {
  MatrixD weights = core::masked_softmax(scored.scores, *scored.mask, core::EmptyRow::zeros);
  if (scored.scheme == Scheme::urpe) {
    weights.array() *= core::toeplitz(weights.rows(), weights.cols(), scored.inside.c).array();
  }
  return weights;
}

Scored make_scored(const Parameters& p, Scheme scheme, const Content& content) {
  Scored scored;
  scored.scheme = scheme;
  scored.inside = make_inside(p, scheme, content);
  scored.scores = make_scores(p, scheme, content, scored.inside);
  const Index n = content.n();
  scored.mask = std::make_shared<const core::Mask>(scheme_mask(p, scheme, n));
  scored.missing = scheme_mask(p, Scheme::none, n).kept() - scored.mask->kept();
  if (p.quantity == Quantity::weights) scored.weights = make_weights(scored);
  return scored;
}

Curve make_curve(const MatrixD& values, const core::Mask& mask) {
  const Index n = values.rows();
  const auto size = static_cast<std::size_t>(2 * n - 1);
  Curve curve{std::vector<double>(size, 0), std::vector<double>(size, 0),
              std::vector<Index>(size, 0)};
  const auto each = [&](auto&& visit) {
    for (Index i = 0; i < n; ++i) {
      const core::KeyRange range = mask.range(i);
      for (Index j = range.begin; j < range.end; ++j) {
        visit(static_cast<std::size_t>(i - j + n - 1), values(i, j));
      }
    }
  };
  each([&](std::size_t t, double value) {
    curve.mean[t] += value;
    ++curve.pairs[t];
  });
  for (std::size_t t = 0; t < size; ++t) curve.mean[t] /= static_cast<double>(curve.pairs[t]);
  each([&](std::size_t t, double value) {
    curve.deviation[t] += (value - curve.mean[t]) * (value - curve.mean[t]);
  });
  for (std::size_t t = 0; t < size; ++t) {
    curve.deviation[t] = std::sqrt(curve.deviation[t] / static_cast<double>(curve.pairs[t]));
  }
  return curve;  // 0 / 0, NaN, where there is no pair
}

Shown make_shown(Quantity quantity, std::shared_ptr<const Scored> scored,
                 const std::shared_ptr<const Scored>& first) {
  Shown shown;
  shown.scored = std::move(scored);
  const MatrixD& values = shown.values(quantity);
  const core::Mask& mask = *shown.scored->mask;
  shown.source = std::make_shared<figure::DenseSource>(values.cast<float>(), shown.scored->mask);
  shown.curve = make_curve(values, mask);
  const MatrixD& base = quantity == Quantity::scores ? first->scores : first->weights;
  const auto both = std::make_shared<const core::Mask>(mask & *first->mask);
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = mask.range(i).begin; j < mask.range(i).end; ++j) {
      shown.largest = std::max(shown.largest, static_cast<float>(std::abs(values(i, j))));
    }
    for (Index j = both->range(i).begin; j < both->range(i).end; ++j) {
      const auto size = static_cast<float>(std::abs(values(i, j) - base(i, j)));
      if (!(size > shown.largest_difference)) continue;
      shown.largest_difference = size;
      shown.difference_row = i;
      shown.difference_col = j;
    }
  }
  shown.difference =
      std::make_shared<figure::DenseSource>((values - base).cast<float>().eval(), both);
  return shown;
}

// What a scheme depends on besides the content; what it does not use is 0.
auto inside_key(const Parameters& p, Scheme scheme) {
  const auto is = [&](std::initializer_list<Scheme> any) {
    return std::find(any.begin(), any.end(), scheme) != any.end();
  };
  const bool waves = is({Scheme::sinusoidal, Scheme::rotary, Scheme::xpos, Scheme::transformer_xl});
  const bool drawn = is({Scheme::learned, Scheme::t5, Scheme::shaw, Scheme::transformer_xl,
                         Scheme::deberta, Scheme::urpe});
  const bool t5 = scheme == Scheme::t5;
  return std::tuple(
      scheme, p.mask, waves ? p.base : 0.0, scheme == Scheme::xpos ? p.scale_base : 0.0,
      t5 ? p.buckets : 0, t5 ? p.max_distance : 0, is({Scheme::shaw, Scheme::deberta}) ? p.clip : 0,
      is({Scheme::learned, Scheme::urpe}) ? p.trained_length : 0, drawn ? p.table_size : 0.0);
}

// DeBERTa's and Shaw's tables do not depend on the tokens; drawing them again would cost the most.
Inside inside_of_equal(const Parameters& p, const Scored& scored, const Content& equal) {
  if (scored.scheme != Scheme::deberta && scored.scheme != Scheme::shaw) {
    return make_inside(p, scored.scheme, equal);
  }
  Inside inside = scored.inside;
  inside.Q = equal.Q;
  inside.K = equal.K;
  return inside;
}

double make_shift_error(const Parameters& p, const Scored& scored, const Content& content) {
  const Scheme scheme = scored.scheme;
  Content equal = content;
  const Index n =
      scheme == Scheme::learned ? std::min<Index>(kShiftTokens, p.trained_length) : kShiftTokens;
  equal.X = content.X.row(0).replicate(n, 1);
  equal.Q = equal.X * content.W_q;
  equal.K = equal.X * content.W_k;
  const MatrixD scores = make_scores(p, scheme, equal, inside_of_equal(p, scored, equal));
  double largest = 0;
  for (Index i = 0; i + 1 < n; ++i) {
    for (Index j = 0; j + 1 < n; ++j) {
      if (p.mask == MaskKind::causal && j > i) continue;
      largest = std::max(largest, std::abs(scores(i + 1, j + 1) - scores(i, j)));
    }
  }
  return largest;
}

}  // namespace

std::shared_ptr<const Content> make_content(const Parameters& p, const Context& context) {
  const auto tokens = tokens_of(p, p.d_model, p.seed, context);
  context.cancel.poll();
  return context.memo.get("content",
                          std::tuple(tokens, p.projection, p.seed, p.heads, p.d_model, p.head),
                          [&] { return project(p, *tokens); });
}

Model make_model(const Parameters& p, std::shared_ptr<const Content> content,
                 const Context& context) {
  Model model;
  const std::vector<Scheme> schemes = p.schemes();
  std::shared_ptr<const Scored> first;
  for (std::size_t k = 0; k < schemes.size(); ++k) {
    const std::string place = std::to_string(k);
    const auto key = std::tuple(content, inside_key(p, schemes[k]));
    const auto scored = context.memo.get("scored " + place, std::tuple(key, p.quantity),
                                         [&] { return make_scored(p, schemes[k], *content); });
    if (k == 0) first = scored;
    context.cancel.poll();
    model.schemes.push_back(context.memo.get("shown " + place, std::tuple(scored, first), [&] {
      return make_shown(p.quantity, scored, first);
    }));
    context.cancel.poll();
    model.shift_error.push_back(*context.memo.get(
        "shift " + place, key, [&] { return make_shift_error(p, *scored, *content); }));
    context.cancel.poll();
  }
  const Index last = content->n() - 1;
  model.content = std::move(content);
  model.query = std::clamp<Index>(p.query, 0, last);
  model.key = std::clamp<Index>(p.key, 0, last);
  model.distance = std::clamp<Index>(p.distance, p.mask == MaskKind::causal ? 0 : -last, last);
  model.chosen = std::clamp<Index>(p.scheme, 1, static_cast<Index>(schemes.size())) - 1;
  return model;
}

}  // namespace lab::position_compare
