#include "app/labs/position_compare/schemes.h"

#include "app/labs/shared/parts.h"
#include "core/attention/masked_softmax.h"

namespace lab::position_compare {
namespace {

Content project(const std::shared_ptr<const Tokens>& tokens, Projection projection,
                const HeadKnobs& p, const Run&) {
  const auto random = [&p](Stream stream) -> MatrixD {
    return head_projection(p.d_model, p.d_k(), p.seed, stream, p.head - 1).cast<double>();
  };
  Content content;
  content.labels = tokens->labels;
  content.cut = tokens->cut;
  content.X = tokens->X.cast<double>();
  content.W_q = random(Stream::query);
  content.W_k = random(projection == Projection::tied ? Stream::query : Stream::key);
  content.Q = content.X * content.W_q;
  content.K = content.X * content.W_k;
  return content;
}

Mask lab_mask(const SchemeKnobs& p, Index n) {
  return p.mask == MaskKind::causal ? Mask::causal(n, n) : Mask::none(n, n);
}

// The pairs that a scheme has a position for.
Mask scheme_mask(const SchemeKnobs& p, Scheme scheme, Index n) {
  const auto known = compared_as(scheme).known;
  return known ? lab_mask(p, n) & known(p, n) : lab_mask(p, n);
}

MatrixD make_weights(const Scored& scored) {
  MatrixD weights = core::masked_softmax(scored.scores, *scored.mask, core::EmptyRow::zeros);
  if (scored.inside->c.size() > 0) {
    weights.array() *= core::toeplitz(weights.rows(), weights.cols(), scored.inside->c).array();
  }
  return weights;
}

Scored make_scored(const SchemeKnobs& p, Scheme scheme, Quantity quantity,
                   const std::shared_ptr<const Content>& content,
                   const std::shared_ptr<const Inside>& inside, const Run&) {
  const Index n = content->n();
  Scored scored;
  scored.scheme = scheme;
  scored.inside = inside;
  scored.scores = make_scores(p, scheme, *content, *inside);
  scored.mask = std::make_shared<const Mask>(scheme_mask(p, scheme, n));
  scored.missing = lab_mask(p, n).kept() - scored.mask->kept();
  if (quantity == Quantity::weights) scored.weights = make_weights(scored);
  return scored;
}

Curve make_curve(const MatrixD& values, const Mask& mask) {
  const Index n = values.rows();
  const auto size = to_size(2 * n - 1);
  Curve curve{std::vector<double>(size, 0), std::vector<double>(size, 0),
              std::vector<Index>(size, 0)};
  const auto each = [&](auto&& visit) {
    for (Index i = 0; i < n; ++i) {
      const core::KeyRange range = mask.range(i);
      for (Index j = range.begin; j < range.end; ++j) visit(to_size(j - i + n - 1), values(i, j));
    }
  };
  each([&](std::size_t t, double value) {
    curve.mean[t] += value;
    ++curve.pairs[t];
  });
  for (std::size_t t = 0; t < size; ++t) curve.mean[t] /= to_double(curve.pairs[t]);
  each([&](std::size_t t, double value) {
    curve.deviation[t] += (value - curve.mean[t]) * (value - curve.mean[t]);
  });
  for (std::size_t t = 0; t < size; ++t) {
    curve.deviation[t] = std::sqrt(curve.deviation[t] / to_double(curve.pairs[t]));
  }
  return curve;  // 0 / 0, NaN, where there is no pair
}

Shown make_shown(Quantity quantity, const std::shared_ptr<const Scored>& scored,
                 const std::shared_ptr<const Scored>& first, const Run&) {
  Shown shown;
  shown.scored = scored;
  const MatrixD& values = shown.values(quantity);
  const Mask& mask = *shown.scored->mask;
  shown.source = std::make_shared<DenseSource>(values.cast<float>(), shown.scored->mask);
  shown.curve = make_curve(values, mask);
  const MatrixD& base = quantity == Quantity::scores ? first->scores : first->weights;
  const auto both = std::make_shared<const Mask>(mask & *first->mask);
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = mask.range(i).begin; j < mask.range(i).end; ++j) {
      shown.largest = std::max(shown.largest, to_float(std::abs(values(i, j))));
    }
    for (Index j = both->range(i).begin; j < both->range(i).end; ++j) {
      const auto size = to_float(std::abs(values(i, j) - base(i, j)));
      if (!(size > shown.largest_difference)) continue;
      shown.largest_difference = size;
      shown.difference_row = i;
      shown.difference_col = j;
    }
  }
  shown.difference = std::make_shared<DenseSource>((values - base).cast<float>().eval(), both);
  return shown;
}

// The knobs that a scheme makes use of, all others as they are at first: what it does not use does
// not make it anew.
SchemeKnobs used_by(Scheme scheme, const SchemeKnobs& p) {
  const Uses& uses = compared_as(scheme).uses;
  SchemeKnobs used;
  static_cast<HeadKnobs&>(used) = p;
  used.mask = p.mask;
  if (uses.base) used.base = p.base;
  if (uses.scale_base) used.scale_base = p.scale_base;
  if (uses.buckets) {
    used.buckets = p.buckets;
    used.max_distance = p.max_distance;
  }
  if (uses.clip) used.clip = p.clip;
  if (uses.trained_length) used.trained_length = p.trained_length;
  if (uses.table_size) used.table_size = p.table_size;
  return used;
}

// How much a score of equal tokens changes, at most, when both positions move by one.
double make_shift_error(const SchemeKnobs& p, Scheme scheme,
                        const std::shared_ptr<const Content>& content,
                        const std::shared_ptr<const Inside>& inside, const Run& run) {
  const Compared& compared = compared_as(scheme);
  const Index n =
      compared.table_ends ? std::min<Index>(kShiftTokens, p.trained_length) : kShiftTokens;
  auto equal = std::make_shared<Content>(*content);
  equal->X = content->X.row(0).replicate(n, 1);
  equal->Q = equal->X * content->W_q;
  equal->K = equal->X * content->W_k;
  Inside of_equal;
  if (!compared.of_tokens) {  // drawing its tables again would cost the most
    of_equal = *inside;
    of_equal.Q = equal->Q;
    of_equal.K = equal->K;
  } else {
    of_equal = make_inside(p, scheme, equal, run);
  }
  const MatrixD scores = make_scores(p, scheme, *equal, of_equal);
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

Model make_model(const Parameters& p, const Context& context) {
  const auto tokens = tokens_of(p, p.d_model, p.seed, context);
  const HeadKnobs& head = p;
  Model model;
  model.content = context.stage("content", project, tokens, p.projection, head);
  const auto& content = model.content;
  if (content->n() == 0) return model;
  const std::vector<Scheme> schemes = p.schemes();
  for (std::size_t k = 0; k < schemes.size(); ++k) {
    const auto stage = [&](const char* name, auto make, const auto&... key) {
      return context.stage(fmt::format("{} {}", name, k), make, key...);
    };
    const SchemeKnobs knobs = used_by(schemes[k], p);
    const auto inside = stage("inside", make_inside, knobs, schemes[k], content);
    const auto scored =
        stage("scored", make_scored, knobs, schemes[k], p.quantity, content, inside);
    const auto& first = k == 0 ? scored : model.schemes.front()->scored;
    model.schemes.push_back(stage("shown", make_shown, p.quantity, scored, first));
    model.shift_error.push_back(
        *stage("shift", make_shift_error, knobs, schemes[k], content, inside));
  }
  context.cancel.poll();
  const Index last = content->n() - 1;
  model.query = std::clamp<Index>(p.query, 0, last);
  model.key = std::clamp<Index>(p.key, 0, last);
  model.distance = std::clamp<Index>(p.distance, -last, p.mask == MaskKind::causal ? 0 : last);
  model.chosen = std::clamp<Index>(p.scheme, 1, to_index(schemes.size())) - 1;
  return model;
}

}  // namespace lab::position_compare
