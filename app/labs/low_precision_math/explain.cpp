// Why a partial sum, a dot product, a weight or the sum of the weights is what it is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/labs/low_precision_math/page.h"

namespace lab::low_precision_math {
namespace {

using figure::Role;

constexpr std::size_t kMostWeights = 12;  // written out of a longer row

void add(Lines& lines, std::string left, std::string right) {
  lines.push_back({std::move(left), {plain(std::move(right))}});
}

void result(Lines& lines, std::string left, std::string right) {
  lines.push_back({std::move(left), {{std::move(right), Role::accent}}});
}

void say(Lines& lines, std::string_view text) {
  lines.push_back({"", {sentence(std::string(text))}});
}

// Decimals that show about six digits of the largest.
int decimals(const std::vector<double>& values) {
  const double largest = largest_size(values);
  if (!(largest > 0)) return 0;
  return std::clamp(6 - static_cast<int>(std::floor(std::log10(largest))) - 1, 0, 15);
}

// Terms and their sum as printed, which add up; nothing when they are not finite or too large.
std::optional<PrintedSum> sum_of(const std::vector<double>& values) {
  constexpr double kLargest = 1e15;
  for (const double value : values) {
    if (!(std::abs(value) < kLargest)) return std::nullopt;
  }
  const int digits = decimals(values);
  // The last decimals of tiny numbers would not fit: they are printed in units of their own.
  return printed_sum(values, digits);
}

std::string brief(double value) {
  return std::isfinite(value) ? fmt::format("{:.8g}", value) : number_words(value);
}

void add_product(const Scene& scene, Lines& lines) {
  const Run& run = *scene.model.run;
  const Index i = scene.p.step - 1;
  lines.push_back(
      {fmt::format("q_{}", i),
       {plain("= " + brief(run.q(i)) + " → "), {number_words(run.low_q(i)), Role::query}}});
  lines.push_back(
      {fmt::format("k_{}", i),
       {plain("= " + brief(run.k(i)) + " → "), {number_words(run.low_k(i)), Role::key}}});
  lines.push_back({"q k",
                   {plain("= "),
                    {number_words(run.low_q(i)), Role::query},
                    plain(" · "),
                    {number_words(run.low_k(i)), Role::key}}});
  add(lines, "", "= " + brief(run.products(i)));
}

Explanation explain_step(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Addition a = scene.addition();
  Explanation out{w.format("Step {} of the sum", p.step), {}};
  Lines& lines = out.lines;
  if (p.method == Method::pairwise) {
    say(lines, w("By halves there is no running sum: this is the step of adding in order."));
  }
  add_product(scene, lines);
  if (a.term != m.run->products(p.step - 1)) add(lines, "", "→ " + number_words(a.term));
  add(lines, w.format("sum"), "= " + number_words(a.before));
  const std::string sign = std::signbit(a.term) ? " - " : " + ";
  add(lines, "", "= " + number_words(a.before) + sign + number_words(std::abs(a.term)));
  add(lines, w.format("exactly"), "= " + number_words(a.exact));
  if (!std::isfinite(a.exact)) {
    say(lines, w("The sum has overflowed: infinity or NaN stays what it is."));
    result(lines, w.format("rounded"), "= " + number_words(a.after));
    return out;
  }
  const double spacing = core::spacing(scene.arithmetic(), a.exact);
  add(lines, w.format("step here"),
      fmt::format("= 2^{} = {}", std::ilogb(spacing), number_words(spacing)));
  const double below = core::round_to(scene.arithmetic(), a.exact, core::Rounding::downward);
  const double above = core::round_to(scene.arithmetic(), a.exact, core::Rounding::upward);
  if (below < above) {
    add(lines, w.format("between"),
        w.format("{} and {}", number_words(below), number_words(above)));
  }
  result(lines, w.format("rounded"), "= " + number_words(a.after));
  add(lines, w.format("lost"), "= " + brief(a.after - a.exact));
  if (a.term != 0 && a.after == a.before) {
    say(lines, w("The term was too small beside the sum: nothing of it arrived."));
  }
  const double exact = m.run->exact(p.step - 1);
  add(lines, w.format("so far"), w.format("{} instead of {}", brief(a.after), brief(exact)));
  return out;
}

// What was lost where: rounding the vectors, adding up, storing.
void add_losses(const Scene& scene, double stored, double before, Lines& lines) {
  const auto& [p, m, w] = scene;
  const Run& run = *m.run;
  const double of_rounded = run.exact(p.d - 1);
  const std::vector<double> losses{of_rounded - run.true_product, before - of_rounded,
                                   stored - before};
  const std::string names[] = {w("rounding q and k"), w("adding up"), w("storing")};
  const auto printed = sum_of(losses);
  if (!printed) return say(lines, w("The result is not finite, or too large to be taken apart."));
  lines.push_back({w.format("error"), {}});
  for (std::size_t k = 0; k < 3; ++k) {
    lines.push_back(
        {"", {dim(k == 0 ? "  " : "+ "), plain(printed->parts[k]), dim("  " + names[k])}});
  }
  result(lines, "", "= " + printed->sum);
}

Explanation explain_dot(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Run& run = *m.run;
  const double before = run.before_store[scene.method()], stored = run.stored[scene.method()];
  Explanation out{w.format("q·k of {} terms, {}", p.d, scene.method_name(p.method)), {}};
  Lines& lines = out.lines;
  add(lines, "q·k", "= " + brief(run.true_product));
  add(lines, w.format("rounded"),
      w.format("= {} of the rounded q and k", brief(run.exact(p.d - 1))));
  add(lines, w.format("added"), "= " + number_words(before));
  result(lines, w.format("stored"), "= " + number_words(stored));
  add_losses(scene, stored, before, lines);
  add(lines, "Σ |q k|", "= " + brief(run.absolute_sum));
  const double lost = std::abs(before - run.exact(p.d - 1));
  if (!std::isfinite(lost)) return out;
  const double share = lost == 0 ? 0 : lost / run.absolute_sum;
  add(lines, w.format("its share"), fmt::format("= {:.4g}", share));
  const double bound = core::dot_error_factor(p.d, m.how);
  say(lines, w("Of what adding up may lose, γ is the bound; m counts the roundings on the longest "
               "way, the product's too:"));
  const bool nearest = p.rounding.rounding == core::Rounding::nearest_even ||
                       p.rounding.rounding == core::Rounding::nearest_away;
  const double u = core::spacing(scene.arithmetic(), 1) * (nearest ? 0.5 : 1);
  add(lines, "γ", "= m u / (1 - m u)");
  add(lines, "u", fmt::format("= 2^{}", std::ilogb(u)));
  if (std::isfinite(bound)) {
    add(lines, "m", fmt::format("= {:.0f}", bound / (1 + bound) / u));
    result(lines, "γ", fmt::format("= {:.4g}", bound));
  } else {
    say(lines, w("m u reaches 1: there is no bound, everything may be lost."));
  }
  return out;
}

Explanation explain_weight(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const auto& s = m.softmax(p);
  Explanation out{w.format("The weight of key {}", p.key), {}};
  Lines& lines = out.lines;
  const double score = (*m.scores)(p.key);
  add(lines, w.format("score"), "= " + brief(score));
  if (!s) {
    say(lines, w("A score of this row is too large for the format: there is no softmax."));
    return out;
  }
  add(lines, w.format("rounded"), "→ " + number_words(s->scores(p.key)));
  add(lines, w.format("less max"),
      fmt::format("= {} - ({})", number_words(s->scores(p.key)),
                  number_words(s->scores.maxCoeff())));
  add(lines, "", "→ " + number_words(s->differences(p.key)));
  add(lines, "exp", "= " + brief(std::exp(s->differences(p.key))));
  add(lines, "", "→ " + number_words(s->powers(p.key)));
  add(lines, "Σ exp", "= " + number_words(s->sum));
  add(lines, "", w.format("instead of {}", brief(s->powers.sum())));
  add(lines, w.format("weight"),
      fmt::format("= {} / {}", number_words(s->powers(p.key)), number_words(s->sum)));
  add(lines, "", "= " + brief(s->powers(p.key) / s->sum));
  result(lines, "", "→ " + number_words(s->weights(p.key)));
  add(lines, w.format("exact"), "= " + brief(s->exact(p.key)));
  const double error = s->weights(p.key) - s->exact(p.key);
  add(lines, w.format("error"),
      fmt::format("= {} = {:+.3g} %", brief(error), 100 * error / s->exact(p.key)));
  return out;
}

Explanation explain_total(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const auto& s = m.softmax(p);
  Explanation out{w.format("The sum of {} weights", p.n), {}};
  Lines& lines = out.lines;
  if (!s) {
    say(lines, w("A score of this row is too large for the format: there is no softmax."));
    return out;
  }
  std::vector<std::size_t> order(static_cast<std::size_t>(p.n));
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t written = order.size() > kMostWeights + 2 ? kMostWeights : order.size();
  const auto weight = [&](std::size_t j) { return s->weights(static_cast<Index>(j)); };
  std::partial_sort(order.begin(), order.begin() + static_cast<long>(written), order.end(),
                    [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  std::vector<double> values;
  double rest = s->total;
  for (std::size_t k = 0; k < written; ++k) {
    values.push_back(weight(order[k]));
    rest -= values.back();
  }
  if (written < order.size()) values.push_back(rest);
  const auto printed = sum_of(values);
  if (!printed) {
    say(lines, w("A weight is not finite."));
    return out;
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string name = k < written ? w.format("key {}", order[k])
                                         : w.format("… {} more keys", order.size() - written);
    lines.push_back({k == 0 ? "Σ w" : "",
                     {dim(k == 0 ? "  " : "+ "), plain(printed->parts[k]), dim("  " + name)}});
  }
  result(lines, "", "= " + printed->sum);
  add(lines, "Σ exp", "= " + brief(s->powers.sum()));
  add(lines, w.format("added"), "= " + number_words(s->sum));
  add(lines, w.format("ratio"), fmt::format("= {:.6g}", s->powers.sum() / s->sum));
  say(lines, w("Had only the denominator been rounded, the weights would add up to this ratio; the "
               "rest is the rounding of each weight."));
  return out;
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explained) {
    case Explained::dot:
      return explain_dot(scene);
    case Explained::weight:
      return explain_weight(scene);
    case Explained::total:
      return explain_total(scene);
    case Explained::step:
      break;
  }
  return explain_step(scene);
}

}  // namespace lab::low_precision_math
