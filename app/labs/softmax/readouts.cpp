// The numbers below the page.
#include <fmt/format.h>

#include <cmath>

#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

class Readouts {
 public:
  explicit Readouts(const words::Words& w) : w_(w) {}
  // Numbers that are none (NaN weights) are left out.
  void add(std::string id, std::string_view label, double value, std::string text,
           std::string_view help) {
    if (!std::isfinite(value)) return;
    all_.push_back({std::move(id), w_(label), value, std::move(text), w_(help)});
  }
  std::vector<Readout> take() { return std::move(all_); }

 private:
  const words::Words& w_;
  std::vector<Readout> all_;
};

void add_row(const Scene& scene, Readouts& out) {
  const auto& [p, m, w] = scene;
  const double log_sum = m.row.max / p.temperature + std::log(m.row.sum);
  if (p.view == View::loss) {
    const double p_true = m.row.p(scene.label());
    out.add("true_class", N_("True class"), p_true, weight_text(p_true),
            N_("Its probability, which should be 1"));
  } else {
    const double weight = m.row.p(scene.weight());
    out.add("weight", N_("Picked weight"), weight, weight_text(weight),
            N_("p of the picked logit"));
  }
  out.add("log_sum_exp", N_("log Σ exp(x/T)"), log_sum, fmt::format("{:.4f}", log_sum),
          N_("What is subtracted from each x/T to give log p: a smooth maximum"));
  out.add("entropy", N_("Entropy"), m.row.entropy, w.format("{:.4f} nats", m.row.entropy),
          N_("-Σ p log p: 0 when one weight is 1, ln n when all are alike"));
  out.add("effective", N_("As many as"), std::exp(m.row.entropy),
          w.format("{:.2f} equal weights", std::exp(m.row.entropy)),
          N_("exp of the entropy: how many equal weights would have the same one"));
  out.add("row_sum_error", N_("Sum to 1 within"), std::abs(m.row.p.sum() - 1),
          fmt::format("{:.1e}", std::abs(m.row.p.sum() - 1)), N_("Rounding of float64"));
}

void add_slopes(const Scene& scene, Readouts& out) {
  const auto& [p, m, w] = scene;
  out.add("jacobian_norm", N_("Size of the Jacobian"), m.row.jacobian_norm,
          fmt::format("{:.4g}", m.row.jacobian_norm),
          N_("Root of the sum of squares of all entries; 0 means that no logit moves any weight"));
  if (p.view == View::jacobian) {
    const double entry = m.jacobian(scene.weight(), scene.logit());
    out.add("entry", N_("Picked entry"), entry, weight_text(entry),
            N_("How much the picked weight changes for a small change of the picked logit"));
    return;
  }
  const Loss& loss = *m.loss;
  out.add("loss", N_("Loss"), loss.value, w.format("{:.4f} nats", loss.value),
          N_("-log of the true class's probability"));
  out.add("gradient", N_("Picked gradient"), loss.gradient(scene.logit()),
          weight_text(loss.gradient(scene.logit())), N_("Of the loss by the picked logit"));
  out.add("central_error", N_("Error of central differences"), loss.central_error,
          fmt::format("{:.2e}", loss.central_error), N_("The largest of an entry"));
  out.add("forward_error", N_("Error of forward differences"), loss.forward_error,
          fmt::format("{:.2e}", loss.forward_error), N_("The largest of an entry"));
}

// How much weight stands where the mask hides, over all rows.
double leaked(const MatrixD& weights, const core::Mask& mask) {
  double sum = 0;
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) {
      if (!mask.allowed(i, j)) sum += weights(i, j);
    }
  }
  return sum;
}

void add_batch(const Scene& scene, Readouts& out) {
  const auto& [p, m, w] = scene;
  Index kept = 0, empty = 0;
  double wrong = 0;
  for (const Sequence& one : m.batch) {
    kept += one.mask.kept();
    wrong += leaked(one.of_fill, one.mask);
    for (Index i = 0; i < one.mask.rows(); ++i) empty += one.mask.range(i).size() == 0;
  }
  const int pairs = kSequences * p.queries * p.keys;
  out.add("kept", N_("Pairs kept"), static_cast<double>(kept), w.format("{} of {}", kept, pairs),
          N_("Pairs of query and key that are not padding"));
  out.add("empty_rows", N_("Rows without a key"), static_cast<double>(empty),
          fmt::format("{}", empty), N_("Queries that see no key at all"));
  out.add("leaked", N_("Weight on padding"), wrong, weight_text(wrong),
          N_("With the fill, over the whole batch; 0 would be right"));
  out.add("score", N_("Picked score"), scene.sequence().scores(p.query, p.key),
          fixed(scene.sequence().scores(p.query, p.key)), N_("Before the mask"));
  out.add("weight", N_("Picked weight"), scene.sequence().right(p.query, p.key),
          weight_text(scene.sequence().right(p.query, p.key)), N_("With padding left out"));
}

void add_steps(const Scene& scene, Readouts& out) {
  const auto& [p, m, w] = scene;
  const Steps& s = *m.steps;
  Index wrong = 0;
  for (Index i = 0; i < p.tokens; ++i) {
    // NaN is no agreement.
    wrong += !((s.weights.row(i) - s.right.row(i)).cwiseAbs().maxCoeff() < 1e-9) ||
             s.weights.row(i).array().isNaN().any();
  }
  out.add("wrong_rows", N_("Rows that are wrong"), static_cast<double>(wrong),
          w.format("{} of {}", wrong, p.tokens),
          N_("Queries whose weights differ from those with everything masked left out"));
  out.add("kept", N_("Pairs kept"), static_cast<double>(s.mask.kept()),
          w.format("{} of {}", s.mask.kept(), p.tokens * p.tokens), N_("Pairs that no mask hides"));
  out.add("leaked", N_("Weight on hidden pairs"), leaked(s.weights, s.mask),
          weight_text(leaked(s.weights, s.mask)), N_("After all steps; 0 would be right"));
  out.add("weight", N_("Picked weight"), s.weights(p.query, p.key),
          weight_text(s.weights(p.query, p.key)), N_("After all steps"));
}

void add_fills(const Scene& scene, Readouts& out) {
  const auto& [p, m, w] = scene;
  const Hidden& hidden = scene.hidden();
  Index broken = 0;
  for (const Hidden& way : m.fills->formats[static_cast<std::size_t>(p.arithmetic)]) {
    broken += way.broken();
  }
  out.add("right", N_("Right weight"), m.fills->right(scene.weight()),
          weight_text(m.fills->right(scene.weight())), N_("With hidden keys left out, float64"));
  out.add("weight", N_("Picked weight"), hidden.weights(scene.weight()),
          weight_text(hidden.weights(scene.weight())), N_("In the picked way"));
  out.add("leaked", N_("Weight on hidden keys"), hidden.leaked, weight_text(hidden.leaked),
          N_("In the picked way; 0 would be right"));
  out.add("sum", N_("Sum of weights"), hidden.sum, weight_text(hidden.sum),
          N_("In the picked way; 1 would be right, or 0 when no key is visible"));
  out.add("error", N_("Largest error"), hidden.error, fmt::format("{:.2e}", hidden.error),
          N_("Of a weight in the picked way"));
  out.add("broken", N_("Ways that give NaN"), static_cast<double>(broken),
          w.format("{} of {}", broken, kWays), N_("In the chosen number format"));
}

}  // namespace

std::vector<Readout> readouts(const Scene& scene) {
  Readouts out(scene.w);
  switch (scene.p.view) {
    case View::weights:
      add_row(scene, out);
      break;
    case View::jacobian:
    case View::loss:
      add_row(scene, out);
      add_slopes(scene, out);
      break;
    case View::lengths:
      add_batch(scene, out);
      break;
    case View::masks:
      add_steps(scene, out);
      break;
    case View::fills:
      add_fills(scene, out);
      break;
  }
  return out.take();
}

}  // namespace lab::softmax
