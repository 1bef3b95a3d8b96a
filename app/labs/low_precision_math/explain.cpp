// Why a partial sum, a dot product, a weight or the sum of the weights is what it is.
#include "app/labs/low_precision_math/page.h"

namespace lab::low_precision_math {
namespace {

constexpr std::size_t kMostWeights = 12;  // written out of a longer row

// Decimals that show about six digits of the largest.
int decimals(const std::vector<double>& values) {
  const double largest = largest_size(values);
  if (!(largest > 0)) return 0;
  return std::clamp(6 - to_int(std::floor(std::log10(largest))) - 1, 0, 15);
}

// Terms as they are printed, each rounded by itself; nothing when one is not finite or too large.
std::optional<std::vector<std::string>> printed(const std::vector<double>& values, int digits) {
  constexpr double kLargest = 1e15;
  std::vector<std::string> texts;
  for (const double value : values) {
    if (!(std::abs(value) < kLargest)) return std::nullopt;
    texts.push_back(fixed(value, digits));
  }
  return texts;
}

std::string brief(double value) {
  return std::isfinite(value) ? fmt::format("{:.8g}", value) : number_words(value);
}

// "= 0.5", "≈ 2586.4939"
std::string shown(double value) { return equated(value, brief(value)); }

void add_product(const Scene& scene, Derivation& d) {
  const Run& run = *scene.model.run;
  const Index i = scene.p.step - 1;
  const auto low = [&](double value, Role role) { return figure::Span{number_words(value), role}; };
  d.line(fmt::format("q_{}", i), {plain(shown(run.q(i)) + " → "), low(run.low_q(i), Role::query)});
  d.line(fmt::format("k_{}", i), {plain(shown(run.k(i)) + " → "), low(run.low_k(i), Role::key)});
  d.line("q k",
         {plain("= "), low(run.low_q(i), Role::query), plain(" · "), low(run.low_k(i), Role::key)});
  d.is("", shown(run.products(i)));
}

Explanation explain_step(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Addition a = scene.addition();
  const std::string title = w.format("Step {} of the sum", p.step);
  Derivation d(w);
  if (p.method == Method::pairwise) {
    d.say(w("Adding by halves has no running sum: this step is from adding in order."));
  }
  add_product(scene, d);
  if (a.term != m.run->products(p.step - 1)) d.is("", "→ " + number_words(a.term));
  d.begin(w.format("sum"), number_words(a.before));
  const std::string sign = std::signbit(a.term) ? " - " : " + ";
  d.begin(w.format("exactly"), number_words(a.before) + sign + number_words(std::abs(a.term)))
      .next(number_words(a.exact));
  if (!std::isfinite(a.exact)) {
    d.say(w("The sum has overflowed: infinity and NaN stay."));
    d.picked(w.format("rounded"), number_words(a.after));
    return {title, d.take()};
  }
  const double spacing = core::spacing(scene.arithmetic(), a.exact);
  d.begin(w.format("step here"),
          fmt::format("2^{} = {}", std::ilogb(spacing), number_words(spacing)));
  const double below = core::round_to(scene.arithmetic(), a.exact, core::Rounding::downward);
  const double above = core::round_to(scene.arithmetic(), a.exact, core::Rounding::upward);
  if (below < above) {
    d.is(w.format("between"), w.format("{} and {}", number_words(below), number_words(above)));
  }
  d.picked(w.format("rounded"), number_words(a.after));
  d.is(w.format("lost"), shown(a.after - a.exact));
  if (a.term != 0 && a.after == a.before) {
    d.say(w("The term was too small beside the sum: nothing of it was added."));
  }
  const double exact = m.run->exact(p.step - 1);
  d.is(w.format("so far"), w.format("{} instead of {}", brief(a.after), brief(exact)));
  return {title, d.take()};
}

// What was lost where: rounding the vectors, adding up, storing.
void add_losses(const Scene& scene, double stored, double before, Derivation& d) {
  const auto& [p, m, w] = scene;
  const Run& run = *m.run;
  const double of_rounded = run.exact(p.d - 1);
  const std::vector<double> losses{of_rounded - run.true_product, before - of_rounded,
                                   stored - before};
  const std::string names[] = {w("rounding q and k"), w("adding up"), w("storing")};
  const int digits = decimals(losses);
  const auto texts = printed(losses, digits);
  if (!texts) {
    d.say(w("The result is not finite, or too large to be worked out."));
    return;
  }
  d.line(w("error"), {});
  for (std::size_t k = 0; k < 3; ++k) {
    d.line("", {dim(k == 0 ? "  " : "+ "), plain((*texts)[k]), dim("  " + names[k])});
  }
  d.about_result(stored - run.true_product, digits);
}

Explanation explain_dot(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Run& run = *m.run;
  const double before = run.before_store[scene.method()], stored = run.stored[scene.method()];
  const std::string title = w.format("q·k (terms: {}), {}", p.d, scene.method_name(p.method));
  Derivation d(w);
  d.is("q·k", shown(run.true_product));
  const double rounded = run.exact(p.d - 1);
  d.is(w.format("rounded"),
       equals(rounded, brief(rounded)) + w.format("{} of the rounded q and k", brief(rounded)));
  d.begin(w.format("added"), number_words(before));
  d.picked(w.format("stored"), number_words(stored));
  add_losses(scene, stored, before, d);
  d.is("Σ |q k|", shown(run.absolute_sum));
  const double lost = std::abs(before - rounded);
  if (!std::isfinite(lost)) return {title, d.take()};
  const double share = lost == 0 ? 0 : lost / run.absolute_sum;
  d.is(w.format("its share"), equated(share, significant(share, 4)));
  const double bound = core::dot_error_factor(p.d, m.how);
  d.say(
      w("γ bounds the error of summation; m counts the roundings on the longest path, including "
        "the product's:"));
  const bool nearest = p.rounding.rounding == core::Rounding::nearest_even ||
                       p.rounding.rounding == core::Rounding::nearest_away;
  const double u = core::spacing(scene.arithmetic(), 1) * (nearest ? 0.5 : 1);
  d.begin("γ", "m u / (1 - m u)");
  d.begin("u", fmt::format("2^{}", std::ilogb(u)));
  if (std::isfinite(bound)) {
    d.begin("m", fmt::format("{:.0f}", bound / (1 + bound) / u));
    d.line("γ", {accented(equated(bound, significant(bound, 4)))});
  } else {
    d.say(w("m u reaches 1: there is no bound; everything may be lost."));
  }
  return {title, d.take()};
}

Explanation explain_weight(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const auto& s = m.softmax(p);
  const std::string title = w.format("The weight of key {}", p.key);
  Derivation d(w);
  const double score = (*m.scores)(p.key);
  d.is(w.format("score"), shown(score));
  if (!s) {
    d.say(w("A score of this row is too large for the format: there is no softmax."));
    return {title, d.take()};
  }
  d.is(w.format("rounded"), "→ " + number_words(s->scores(p.key)));
  d.begin(w.format("minus max"), fmt::format("{} - ({})", number_words(s->scores(p.key)),
                                             number_words(s->scores.maxCoeff())));
  d.is("", "→ " + number_words(s->differences(p.key)));
  d.is("exp", shown(std::exp(s->differences(p.key))));
  d.is("", "→ " + number_words(s->powers(p.key)));
  d.begin("Σ exp", number_words(s->sum));
  d.is("", w.format("instead of {}", brief(s->powers.sum())));
  d.begin(w.format("weight"),
          fmt::format("{} / {}", number_words(s->powers(p.key)), number_words(s->sum)));
  d.is("", shown(s->powers(p.key) / s->sum));
  d.line("", {accented("→ " + number_words(s->weights(p.key)))});
  d.is(w.format("exact"), shown(s->exact(p.key)));
  const double error = s->weights(p.key) - s->exact(p.key);
  d.is(w.format("error"), shown(error));
  d.is(w.format("its share"), fmt::format("≈ {:+.3g} %", 100 * error / s->exact(p.key)));
  return {title, d.take()};
}

Explanation explain_total(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const auto& s = m.softmax(p);
  const std::string title = w.format("The sum of {} weights", p.n);
  Derivation d(w);
  if (!s) {
    d.say(w("A score of this row is too large for the format: there is no softmax."));
    return {title, d.take()};
  }
  std::vector<std::size_t> order(to_size(p.n));
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t written = order.size() > kMostWeights + 2 ? kMostWeights : order.size();
  const auto weight = [&](std::size_t j) { return s->weights(to_index(j)); };
  std::partial_sort(order.begin(), order.begin() + static_cast<long>(written), order.end(),
                    [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  std::vector<double> values;
  double rest = s->total;
  for (std::size_t k = 0; k < written; ++k) {
    values.push_back(weight(order[k]));
    rest -= values.back();
  }
  if (written < order.size()) values.push_back(rest);
  const int digits = decimals(values);
  const auto texts = printed(values, digits);
  if (!texts) {
    d.say(w("A weight is not finite."));
    return {title, d.take()};
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string name = k < written ? w.format("key {}", order[k])
                                         : w.format("… more keys: {}", order.size() - written);
    d.line(k == 0 ? "Σ w" : "", {dim(k == 0 ? "  " : "+ "), plain((*texts)[k]), dim("  " + name)});
  }
  d.about_result(s->total, digits);
  d.is("Σ exp", shown(s->powers.sum()));
  d.begin(w.format("added"), number_words(s->sum));
  const double ratio = s->powers.sum() / s->sum;
  d.is(w.format("ratio"), equated(ratio, significant(ratio)));
  d.say(
      w("If only the denominator were rounded, the weights would add up to this ratio; the rest is "
        "the rounding of each weight."));
  return {title, d.take()};
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explained) {
    case Explained::dot: return explain_dot(scene);
    case Explained::weight: return explain_weight(scene);
    case Explained::total: return explain_total(scene);
    case Explained::step: break;
  }
  return explain_step(scene);
}

}  // namespace lab::low_precision_math
