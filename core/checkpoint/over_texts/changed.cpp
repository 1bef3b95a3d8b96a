#include "core/checkpoint/over_texts/changed.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/parallel.h"
#include "core/rank_correlation.h"

namespace core::checkpoint {
namespace {

VectorD chances(const Matrix& logits) {
  const Eigen::RowVectorXd z = logits.row(0).cast<double>();
  const Eigen::RowVectorXd p = (z.array() - z.maxCoeff()).exp();
  return (p / p.sum()).transpose();
}

// One text's rho by layer and head, and of the mean of all weights; NaN where there is none.
struct OfText {
  MatrixD rho;
  double mean_weights = 0;
};

OfText explain(const Model& model, const TokenText& ids, const Cancel& cancel) {
  const ModelFacts& facts = model.facts();
  const auto last = static_cast<Index>(ids.size()) - 1;
  ForwardOptions<float> options;
  options.logits = Logits::last;
  options.threads = 1;
  const Trace<float> trace = model.forward({.tokens = ids}, options, cancel);
  const VectorD exact = chances(trace.logits);
  options.keep_weights = options.keep_layers = false;
  std::vector<double> moved;
  for (Index hidden = 1; hidden < last; ++hidden) {
    cancel.poll();
    options.masked = {hidden};
    const VectorD other = chances(model.forward({.tokens = ids}, options, cancel).logits);
    moved.push_back((other - exact).cwiseAbs().sum() / 2);
  }
  const auto rho_of = [&](const std::vector<double>& weights) {
    return rank_correlation(weights, moved).value_or(std::nan(""));
  };
  OfText out{MatrixD(facts.layers, facts.heads), 0};
  std::vector<double> mean(moved.size(), 0);
  for (Index l = 0; l < facts.layers; ++l) {
    const auto& heads = trace.decoder.layers[static_cast<std::size_t>(l)]->self.weights;
    for (Index h = 0; h < facts.heads; ++h) {
      std::vector<double> weights;
      for (Index j = 1; j < last; ++j) {
        weights.push_back(static_cast<double>(heads[static_cast<std::size_t>(h)](last, j)));
        mean[static_cast<std::size_t>(j - 1)] += weights.back();
      }
      out.rho(l, h) = rho_of(weights);
    }
  }
  out.mean_weights = rho_of(mean);
  return out;
}

// Nats of one text: of the whole model, and (layers, heads) without each head.
struct OfAblated {
  double whole = 0;
  MatrixD ablated;
};

// Layers before that of the head are those of the whole model. Calls passed() after each pass.
template <class Fn>
OfAblated ablate(const Model& model, const TokenText& ids, const Cancel& quiet, Fn passed) {
  ForwardOptions<float> options;
  options.keep_weights = false;
  options.threads = 1;
  const Trace<float> whole = model.forward({.tokens = ids}, options, quiet);
  OfAblated out{text_nats(whole.logits, ids), MatrixD(model.facts().layers, model.facts().heads)};
  options.keep_layers = false;
  options.begun = &whole;
  Trace<float> trace;
  for (Index l = 0; l < out.ablated.rows(); ++l) {
    options.first_layer = l;
    for (Index h = 0; h < out.ablated.cols(); ++h) {
      options.ablated = [=](const HeadIndex& at) { return at.layer == l && at.head == h; };
      model.forward_into({.tokens = ids}, trace, options, quiet);
      out.ablated(l, h) = text_nats(trace.logits, ids);
      passed();
    }
  }
  return out;
}

}  // namespace

WindowLosses window_losses(const Model& model, const std::vector<TokenText>& texts,
                           const std::vector<Index>& windows, int threads, const Cancel& cancel) {
  const Cancel quiet = cancel.without_progress();
  WindowLosses losses{.whole = text_loss(model, texts, {}, threads, quiet).mean()};
  float done = 0;
  for (const Index window : windows) {
    const auto with = [&](bool first) {
      cancel.poll();
      ForwardOptions<float> options;
      options.sees = [=](Index query, Index key) {
        return query - key < window || (first && key == 0);
      };
      const double mean = text_loss(model, texts, options, threads, quiet).mean();
      cancel.progress(++done / static_cast<float>(2 * windows.size()));
      return mean;
    };
    const double alone = with(false), with_first = with(true);
    losses.windows.push_back({window, alone, with_first});
  }
  return losses;
}

MatrixD ablated_losses(const Model& model, const std::vector<TokenText>& texts, int threads,
                       const Cancel& cancel) {
  std::vector<OfAblated> all(texts.size());
  Index tokens = 0;
  const Cancel quiet = cancel.without_progress();
  const auto texts_count = static_cast<Index>(texts.size());
  const Index passes = texts_count * model.facts().layers * model.facts().heads;
  std::atomic<Index> done{0};
  parallel_for(texts_count, threads, [&](Index k, int) {
    const auto at = static_cast<std::size_t>(k);
    all[at] = ablate(model, texts[at], quiet, [&] {
      cancel.progress(static_cast<float>(++done) / static_cast<float>(passes));
    });
  });
  OfAblated sum{0, MatrixD::Zero(model.facts().layers, model.facts().heads)};
  for (std::size_t k = 0; k < texts.size(); ++k) {
    sum.whole += all[k].whole;
    sum.ablated += all[k].ablated;
    tokens += std::max<Index>(0, static_cast<Index>(texts[k].size()) - 1);
  }
  if (tokens == 0) return sum.ablated;
  const auto count = static_cast<double>(tokens);
  return (sum.ablated.array() / count - sum.whole / count).matrix();
}

Explained attention_explains(const Model& model, const std::vector<TokenText>& texts, int threads,
                             const Cancel& cancel) {
  constexpr std::size_t kFewest = 5;  // with the first and the last
  std::vector<TokenText> long_ones;
  for (const TokenText& text : texts) {
    if (text.size() >= kFewest) long_ones.push_back(text);
  }
  const Cancel quiet = cancel.without_progress();
  std::vector<OfText> all(long_ones.size());
  const auto count = static_cast<Index>(all.size());
  std::atomic<Index> done{0};
  parallel_for(count, threads, [&](Index k, int) {
    const auto at = static_cast<std::size_t>(k);
    all[at] = explain(model, long_ones[at], quiet);
    cancel.progress(static_cast<float>(++done) / static_cast<float>(count));
  });
  Explained out{MatrixD::Zero(model.facts().layers, model.facts().heads), 0, count};
  MatrixD counted = MatrixD::Zero(out.rho.rows(), out.rho.cols());
  for (const OfText& one : all) {
    const auto known = one.rho.array().isNaN() == false;
    out.rho.array() += known.select(one.rho.array(), 0.0);
    counted.array() += known.cast<double>();
    if (!std::isnan(one.mean_weights)) out.mean_weights += one.mean_weights;
  }
  out.rho.array() /= counted.array().max(1.0);
  if (count > 0) out.mean_weights /= static_cast<double>(count);
  return out;
}

}  // namespace core::checkpoint
