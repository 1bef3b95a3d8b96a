#include "app/labs/low_precision_math/model.h"

#include <span>

#include "core/parallel.h"
#include "core/random.h"

namespace lab::low_precision_math {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Streams of one seed: each repetition has a q, a k and scores of its own, and random bits for
// stochastic rounding. A longer vector begins with the shorter one.
enum class Draw : std::uint64_t { q, k, scores, bits, count };

std::uint64_t stream(std::uint64_t seed, Index repetition, Draw draw) {
  const auto of = static_cast<std::uint64_t>(repetition) * static_cast<std::uint64_t>(Draw::count);
  return core::stream_seed(seed, of + static_cast<std::uint64_t>(draw));
}

VectorD vector_of(const Parameters& p, Index length, Index repetition, Draw draw) {
  if (p.vectors == Vectors::ones) return VectorD::Constant(length, p.scale);
  core::Random random(stream(static_cast<std::uint64_t>(p.seed), repetition, draw));
  VectorD out(length);
  for (Index i = 0; i < length; ++i) {
    const double drawn = p.scale * random.gaussian();
    out(i) = p.vectors == Vectors::positive ? std::abs(drawn) : drawn;
  }
  return out;
}

VectorD scores_of(const Parameters& p, Index length, Index repetition) {
  core::Random random(stream(static_cast<std::uint64_t>(p.seed), repetition, Draw::scores));
  return VectorD::NullaryExpr(length, [&](Index) { return p.spread * random.gaussian(); });
}

core::LowArithmetic repeated(const Parameters& p, Method method, Index repetition) {
  core::LowArithmetic how = arithmetic_of(p, method);
  how.seed = stream(p.rounding.random_seed(), repetition, Draw::bits);
  return how;
}

double rounded(const core::Rounder& rounder, double x, std::uint64_t seed, Index index) {
  return rounder(x, core::rounding_bits(seed, index));
}

VectorD rounded_vector(const core::LowArithmetic& how, const VectorD& x, std::uint64_t stream_of) {
  const core::Rounder rounder(how.numbers, {how.rounding});
  const std::uint64_t seed = core::stream_seed(how.seed, stream_of);
  VectorD out(x.size());
  for (Index i = 0; i < x.size(); ++i) out(i) = rounded(rounder, x(i), seed, i);
  return out;
}

// Where the sum in the format stops changing although products go on. By chance it may stand still
// for a while and go on, which is no stall.
std::optional<Index> stall_of(const Parameters& p, const Run& run) {
  if (p.rounding.stochastic()) return std::nullopt;
  const VectorD& sums = run.in_format.sums;
  const Index d = sums.size();
  Index last = d;
  while (last > 1 && sums(last - 1) == sums(last - 2)) --last;
  Index after = 0;
  for (Index i = last; i < d; ++i) after += run.products(i) != 0 ? 1 : 0;
  const bool many = after >= std::max<Index>(d / 8, 4);
  return many && std::isfinite(sums(d - 1)) ? std::optional(last) : std::nullopt;
}

Run make_run(const Parameters& p, const lab::Run&) {
  const Index repetition = p.repetition - 1;
  Run run;
  run.q = vector_of(p, p.d, repetition, Draw::q);
  run.k = vector_of(p, p.d, repetition, Draw::k);
  const auto how = [&](Method method) { return repeated(p, method, repetition); };
  const core::LowArithmetic in_format = how(Method::in_format);
  run.low_q = rounded_vector(in_format, run.q, 1);
  run.low_k = rounded_vector(in_format, run.k, 2);
  run.products = run.low_q.cwiseProduct(run.low_k);
  run.exact.resize(p.d);
  double sum = 0;
  for (Index i = 0; i < p.d; ++i) run.exact(i) = sum += run.products(i);
  run.in_format = core::low_running(run.products, in_format);
  run.in_float = core::low_running(run.products, how(Method::in_float));
  run.by_halves = core::low_sum({run.products.data(), to_size(p.d)}, how(Method::pairwise));
  run.before_store = {run.in_format.sums(p.d - 1), run.by_halves, run.in_float.sums(p.d - 1)};
  const core::Rounder store(in_format.numbers, {in_format.rounding});
  const std::uint64_t bits = core::stream_seed(in_format.seed, 3);
  for (std::size_t m = 0; m < kMethods; ++m) {
    run.stored[m] = rounded(store, run.before_store[m], bits, to_index(m));
  }
  run.true_product = run.q.dot(run.k);
  run.absolute_sum = run.products.cwiseAbs().sum();
  run.stalls = stall_of(p, run);
  return run;
}

std::vector<double> powers_of_two(int longest) {
  std::vector<double> lengths;
  for (double length = 1; length <= longest; length *= 2) lengths.push_back(length);
  return lengths;
}

// Mean and extremes of what `values[length][repetition]` holds.
Spread spread_of(const std::vector<double>& values, std::size_t lengths, std::size_t repeats) {
  Spread out;
  for (std::size_t l = 0; l < lengths; ++l) {
    double mean = 0, low = values[l * repeats], high = low;
    for (std::size_t r = 0; r < repeats; ++r) {
      const double value = values[l * repeats + r];
      if (!std::isfinite(value)) ++out.lost;
      mean += value / to_double(repeats);
      low = std::min(low, value);
      high = std::max(high, value);
    }
    const bool sound = std::isfinite(mean);  // one lost trial spoils the point: nothing is drawn
    out.mean.push_back(sound ? mean : kNaN);
    out.low.push_back(sound ? low : kNaN);
    out.high.push_back(sound ? high : kNaN);
  }
  return out;
}

double dot_error(const Parameters& p, const core::LowDot& dot) {
  const bool all = p.measure == Measure::everything;
  const double error =
      all ? std::abs(dot.result - dot.exact) : std::abs(dot.before_store - dot.of_rounded);
  return error == 0 ? 0 : error / dot.absolute_sum;
}

// One number for each method, length and repetition, computed on all cores.
template <class Trial>
std::array<std::vector<double>, kMethods> trials(const Parameters& p, const lab::Run& run,
                                                 const std::vector<double>& lengths,
                                                 Trial&& trial) {
  const Index tasks = to_index(lengths.size()) * p.repeats;
  std::array<std::vector<double>, kMethods> values;
  for (auto& each : values) each.resize(to_size(tasks));
  core::parallel_for(tasks, run.threads, [&](Index task, int) {
    run.cancel.poll();
    const auto at = to_size(task);
    // The longest first, so that no core is left with it at the end.
    const std::size_t place = values[0].size() - 1 - at;
    const auto length = to_index(lengths[place / to_size(p.repeats)]);
    trial(length, to_index(place % to_size(p.repeats)), place, values);
  });
  return values;
}

DotErrors make_dot_errors(const Parameters& p, const lab::Run& run) {
  DotErrors out;
  out.lengths = powers_of_two(p.longest);
  const auto values = trials(p, run, out.lengths,
                             [&](Index length, Index repetition, std::size_t place, auto& results) {
                               const VectorD q = vector_of(p, length, repetition, Draw::q);
                               const VectorD k = vector_of(p, length, repetition, Draw::k);
                               for (std::size_t m = 0; m < kMethods; ++m) {
                                 const auto how = repeated(p, static_cast<Method>(m), repetition);
                                 results[m][place] = dot_error(p, core::low_dot(q, k, how));
                               }
                             });
  for (std::size_t m = 0; m < kMethods; ++m) {
    out.of[m] = spread_of(values[m], out.lengths.size(), to_size(p.repeats));
    for (const double length : out.lengths) {
      out.bounds[m].push_back(
          core::dot_error_factor(to_index(length), arithmetic_of(p, static_cast<Method>(m))));
    }
  }
  return out;
}

// Whether low_softmax takes these scores: the largest must be finite in the format.
bool can_softmax(const VectorD& scores, const core::LowArithmetic& how) {
  const core::Rounder round(how.numbers, {how.rounding});
  return std::isfinite(round(scores.maxCoeff(), 0)) && std::isfinite(round(scores.minCoeff(), 0));
}

std::optional<core::LowSoftmax> softmax(const VectorD& scores, const core::LowArithmetic& how) {
  if (!can_softmax(scores, how)) return std::nullopt;
  return core::low_softmax(scores, how);
}

double largest_error(const core::LowSoftmax& s) {
  const VectorD errors = (s.weights - s.exact).cwiseAbs().cwiseQuotient(s.exact);
  return errors.hasNaN() ? kNaN : errors.maxCoeff();
}

SoftmaxErrors make_softmax_errors(const Parameters& p, const lab::Run& run) {
  SoftmaxErrors out;
  out.lengths = powers_of_two(p.longest);
  std::array<std::vector<double>, kMethods> totals;
  for (auto& each : totals) each.resize(out.lengths.size() * to_size(p.repeats));
  const auto values = trials(
      p, run, out.lengths, [&](Index length, Index repetition, std::size_t place, auto& results) {
        const VectorD scores = scores_of(p, length, repetition);
        for (std::size_t m = 0; m < kMethods; ++m) {
          const auto done = softmax(scores, repeated(p, static_cast<Method>(m), repetition));
          results[m][place] = done ? largest_error(*done) : kNaN;
          totals[m][place] = done ? done->total : kNaN;
        }
      });
  for (std::size_t m = 0; m < kMethods; ++m) {
    const auto repeats = to_size(p.repeats);
    out.largest[m] = spread_of(values[m], out.lengths.size(), repeats);
    out.total[m] = spread_of(totals[m], out.lengths.size(), repeats);
  }
  return out;
}

VectorD row_scores(const Parameters& p, const lab::Run&) { return scores_of(p, p.n, 0); }

Row make_row(const Parameters& p, const std::shared_ptr<const VectorD>& scores, const lab::Run&) {
  Row row;
  for (std::size_t m = 0; m < kMethods; ++m) {
    row[m] = softmax(*scores, repeated(p, static_cast<Method>(m), 0));
  }
  return row;
}

}  // namespace

core::LowArithmetic arithmetic_of(const Parameters& p, Method method) {
  core::LowArithmetic how;
  how.numbers = format_of(p.format);
  how.arithmetic = method == Method::in_float ? core::kFloat32 : how.numbers;
  how.order = method == Method::pairwise ? core::SumOrder::pairwise : core::SumOrder::sequential;
  how.rounding = p.rounding.rounding;
  how.seed = p.rounding.random_seed();
  return how;
}

Model make_model(const Parameters& p, const Context& context) {
  Model m;
  m.format = format_of(p.format);
  m.name = format_name(p.format);
  m.how = arithmetic_of(p, p.method);
  using P = Parameters;
  m.run = context.stage(
      "run", make_run,
      only(p, &P::format, &P::rounding, &P::vectors, &P::scale, &P::seed, &P::d, &P::repetition));
  m.scores = context.stage("scores", row_scores, only(p, &P::n, &P::spread, &P::seed));
  m.row = context.stage("row", make_row,
                        only(p, &P::format, &P::rounding, &P::n, &P::spread, &P::seed), m.scores);
  m.dot_errors = context.stage("dot errors", make_dot_errors,
                               only(p, &P::format, &P::rounding, &P::longest, &P::repeats,
                                    &P::vectors, &P::scale, &P::seed, &P::measure));
  m.softmax_errors = context.stage(
      "softmax errors", make_softmax_errors,
      only(p, &P::format, &P::rounding, &P::longest, &P::repeats, &P::spread, &P::seed));
  return m;
}

}  // namespace lab::low_precision_math
