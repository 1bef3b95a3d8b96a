// What each scheme brings, and the scores it makes: core's own functions on one head.
#include <chrono>

#include "app/labs/position_compare/model.h"
#include "app/labs/shared/parts.h"
#include "core/attention/fast/gemm.h"
#include "core/attention/scoring.h"
#include "core/position/learned/learned.h"
#include "core/position/relative/alibi.h"
#include "core/position/relative/deberta.h"
#include "core/position/relative/shaw.h"
#include "core/position/relative/transformer_xl.h"
#include "core/position/rotary/rotary.h"
#include "core/position/rotary/xpos.h"
#include "core/position/sinusoidal/sinusoidal.h"
#include "core/random.h"

namespace lab::position_compare {
namespace {

using core::RotaryTable;
using Clock = std::chrono::steady_clock;

VectorD positions(Index n) {
  return VectorD::NullaryExpr(n, [](Index p) { return to_double(p); });
}

// P of positions that are added; beyond a learned table it is 0, which no allowed pair sees.
MatrixD added_positions(const SchemeKnobs& p, Scheme scheme, Index n) {
  if (scheme == Scheme::sinusoidal) return core::sinusoidal_table(n, p.d_model, {.base = p.base});
  const Index rows = std::min<Index>(n, p.trained_length);
  const MatrixD table = random_table(TableKind::learned, rows, p.d_model, p.table_size, p.seed);
  std::vector<Index> ids(to_size(n));
  std::iota(ids.begin(), ids.end(), Index{0});
  return core::learned_positions(table, ids, core::BeyondTable::zeros);
}

void turn(const SchemeKnobs& p, Scheme scheme, const Content& content, Inside& inside) {
  inside.theta = core::frequencies(content.d_k(), p.base);
  const VectorD at = positions(content.n());
  if (scheme == Scheme::rotary) {
    const core::RotaryTableD table = core::rotary_angles(at, inside.theta);
    inside.Q = core::rotated(content.Q, table);
    inside.K = core::rotated(content.K, table);
    return;
  }
  const core::XposTables tables = core::xpos_tables(at, inside.theta, {.scale_base = p.scale_base});
  inside.Q = core::rotated(content.Q, tables.query);
  inside.K = core::rotated(content.K, tables.key);
}

void fill_transformer_xl(const SchemeKnobs& p, const Content& content, Inside& inside) {
  const Index n = content.n(), d_k = content.d_k();
  const double fan = 1 / std::sqrt(to_double(p.d_model));
  const MatrixD W = random_table(TableKind::xl_key, p.d_model, d_k, fan, p.seed, p.head - 1);
  inside.r =
      core::relative_sinusoids(n, 1 - n, p.d_model,
                               {.base = p.base, .layout = core::SinusoidalLayout::concatenated}) *
      W;
  inside.u = random_table(TableKind::xl_u, d_k, 1, p.table_size, p.seed, p.head - 1);
  inside.v = random_table(TableKind::xl_v, d_k, 1, p.table_size, p.seed, p.head - 1);
}

void fill_deberta(const SchemeKnobs& p, const Content& content, Inside& inside) {
  const double fan = 1 / std::sqrt(to_double(p.d_model));
  const MatrixD P = random_table(TableKind::deberta, 2 * p.clip, p.d_model, p.table_size, p.seed);
  inside.Qr =
      P * random_table(TableKind::deberta_query, p.d_model, content.d_k(), fan, p.seed, p.head - 1);
  inside.Kr =
      P * random_table(TableKind::deberta_key, p.d_model, content.d_k(), fan, p.seed, p.head - 1);
}

// c_t = 1 + a random number for |t| < trained_length: at size 0 the weights stay as they are. The
// number of a distance does not depend on how long the sequence is.
VectorD urpe_numbers(const SchemeKnobs& p, Index n) {
  const Index known = std::min<Index>(n, p.trained_length);
  const MatrixD drawn = random_table(TableKind::urpe, known, 2, p.table_size, p.seed, p.head - 1);
  VectorD c = VectorD::Zero(2 * n - 1);
  for (Index t = 0; t < known; ++t) {
    c(n - 1 + t) = 1 + drawn(t, 0);
    if (t > 0) c(n - 1 - t) = 1 + drawn(t, 1);
  }
  return c;
}

// q . k / √d_k of every pair, as a product of matrices: core's dot_scores is the plain version.
MatrixD plain_scores(const Inside& inside) {
  return core::attention_scale<double>(inside.Q.cols()) * (inside.Q * inside.K.transpose());
}

// --- adding and rotating, timed

constexpr int kSamples = 9;
constexpr double kSampleSeconds = 2e-3;  // each sample repeats its work for at least so long
constexpr Index kBlockNumbers = Index{1} << 16;  // of one matrix: a quarter of a MiB
constexpr int kCandidates = 4;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What all candidates work on.
struct Bench {
  Index tokens, d, heads;
  Matrix x, position, q, k, out, out_2, W;
  RotaryTable table;
  VectorD theta;

  Index d_head() const { return d / heads; }
};

Matrix filled(Index rows, Index cols) {
  return Matrix::NullaryExpr(rows, cols, [](Index r, Index c) {
    return 0.25f + static_cast<float>((r * 31 + c * 17) % 64) / 64;
  });
}

Bench make_bench(Index d, Index heads, double base) {
  Bench bench;
  bench.tokens = std::max<Index>(16, kBlockNumbers / d);
  bench.d = d;
  bench.heads = heads;
  bench.x = bench.q = bench.k = filled(bench.tokens, d);
  bench.out = bench.out_2 = bench.x;
  bench.W = filled(d, d);
  bench.theta = core::frequencies(bench.d_head(), base);
  bench.table = core::rotary_table(bench.tokens, bench.theta, 0, 1);
  core::sinusoidal_table_into(bench.position, bench.tokens, d, {.base = base}, 0, 1);
  return bench;
}

void rotate_all_heads(Bench& bench) {
  for (Index head = 0; head < bench.heads; ++head) {
    const Index at = head * bench.d_head();
    core::rotate_into(bench.out.data() + at, bench.q.data() + at, bench.tokens, bench.d_head(),
                      bench.d, bench.table, core::RotaryPairing::neighbours, 1);
    core::rotate_into(bench.out_2.data() + at, bench.k.data() + at, bench.tokens, bench.d_head(),
                      bench.d, bench.table, core::RotaryPairing::neighbours, 1);
  }
}

// Each token's angles once for all heads, in double, rounded once, as tables are made too.
void rotate_on_the_fly(Bench& bench) {
  for (Index p = 0; p < bench.tokens; ++p) {
    for (Index i = 0; i < bench.theta.size(); ++i) {
      const double angle = static_cast<double>(p) * bench.theta(i);
      bench.table.cos(p, i) = static_cast<float>(std::cos(angle));
      bench.table.sin(p, i) = static_cast<float>(std::sin(angle));
    }
  }
  rotate_all_heads(bench);
}

Timing time_of(const Bench& bench, const std::function<void()>& work, float done,
               const core::Cancel& cancel) {
  work();  // caches and memory pages are warm from here on
  int repeats = 1;
  for (;; repeats *= 2) {
    const auto start = Clock::now();
    for (int k = 0; k < repeats; ++k) work();
    cancel.poll();
    if (seconds_since(start) >= kSampleSeconds) break;
  }
  std::vector<double> samples;
  for (int s = 0; s < kSamples; ++s) {
    cancel.poll();
    const auto start = Clock::now();
    for (int k = 0; k < repeats; ++k) work();
    samples.push_back(1e9 * seconds_since(start) / repeats / static_cast<double>(bench.tokens));
    cancel.progress((done + static_cast<float>(s + 1) / kSamples) / kCandidates);
  }
  std::sort(samples.begin(), samples.end());
  return {samples[kSamples / 2], samples.front(), samples.back()};
}

}  // namespace

Inside make_inside(const SchemeKnobs& p, Scheme scheme, const std::shared_ptr<const Content>& of,
                   const Run&) {
  const Content& content = *of;
  Inside inside;
  switch (scheme) {
    case Scheme::none: break;
    case Scheme::sinusoidal:
    case Scheme::learned: {
      const MatrixD P = added_positions(p, scheme, content.n());
      inside.Pq = P * content.W_q;
      inside.Pk = P * content.W_k;
      inside.Q = content.Q + inside.Pq;
      inside.K = content.K + inside.Pk;
      break;
    }
    case Scheme::rotary:
    case Scheme::xpos: turn(p, scheme, content, inside); break;
    case Scheme::alibi: inside.slope = core::alibi_slopes(p.heads)(p.head - 1); break;
    case Scheme::t5:
      inside.t5 = random_table(TableKind::t5, p.heads, p.buckets, p.table_size, p.seed)
                      .row(p.head - 1)
                      .transpose();
      break;
    case Scheme::shaw:
      inside.a_key =
          random_table(TableKind::shaw, 2 * p.clip + 1, content.d_k(), p.table_size, p.seed);
      break;
    case Scheme::transformer_xl: fill_transformer_xl(p, content, inside); break;
    case Scheme::deberta: fill_deberta(p, content, inside); break;
    case Scheme::urpe: inside.c = urpe_numbers(p, content.n()); break;
  }
  if (inside.Q.size() == 0) {
    inside.Q = content.Q;
    inside.K = content.K;
  }
  return inside;
}

MatrixD make_scores(const SchemeKnobs& p, Scheme scheme, const Content& content,
                    const Inside& inside) {
  const Index n = content.n();
  const double scale = core::attention_scale<double>(content.d_k());
  switch (scheme) {
    case Scheme::none:
    case Scheme::sinusoidal:
    case Scheme::learned:
    case Scheme::rotary:
    case Scheme::xpos:
    case Scheme::urpe: return plain_scores(inside);
    case Scheme::alibi:
      // Where the mask allows a key this is the causal form as well.
      return plain_scores(inside) +
             core::alibi_bias(inside.slope, n, n, core::AlibiForm::symmetric);
    case Scheme::t5: {
      const core::T5Buckets buckets(t5_spec(p));
      return plain_scores(inside) +
             core::t5_bias(inside.t5, 0, buckets(core::relative_positions(n, n)));
    }
    case Scheme::shaw:
      return core::shaw_attention(inside.Q, inside.K, MatrixD(n, 0), {inside.a_key, {}})
          .attention.scores;
    case Scheme::transformer_xl:
      return scale * core::relative_terms(inside.Q, inside.K, inside.r, inside.u, inside.v).sum();
    case Scheme::deberta:
      return core::deberta_terms(inside.Q, inside.K, inside.Kr, inside.Qr).scores();
  }
  return {};
}

MatrixD random_table(TableKind which, Index rows, Index cols, double size, int seed, Index head) {
  // Streams of projections (shared/tokens.h) end below this.
  constexpr std::uint64_t kFirstStream = 4096;
  core::Random random(core::stream_seed(
      static_cast<std::uint64_t>(seed),
      kFirstStream + 64 * static_cast<std::uint64_t>(which) + static_cast<std::uint64_t>(head)));
  MatrixD table(rows, cols);
  for (Index k = 0; k < table.size(); ++k) table.data()[k] = size * random.gaussian();
  return table;
}

core::T5BucketSpec t5_spec(const SchemeKnobs& p) {
  return {.bidirectional = p.mask == MaskKind::full,
          .buckets = p.buckets,
          .max_distance = p.max_distance};
}

Measured measure(Index d_model, Index heads, double base, const core::Cancel& cancel) {
  Bench bench = make_bench(d_model, heads, base);
  Measured measured;
  measured.tokens = bench.tokens;
  measured.samples = kSamples;
  measured.add = time_of(
      bench, [&] { bench.out.noalias() = bench.x + bench.position; }, 0, cancel);
  measured.rotate = time_of(
      bench, [&] { rotate_all_heads(bench); }, 1, cancel);
  measured.on_the_fly = time_of(
      bench, [&] { rotate_on_the_fly(bench); }, 2, cancel);
  const core::Product product{&bench.x, &bench.W, nullptr, &bench.out};
  const std::vector<core::Product> one{product};
  measured.projections = time_of(
      bench,
      [&] {
        for (int k = 0; k < 4; ++k) core::multiply_into(one, 1, cancel);
      },
      3, cancel);
  return measured;
}

}  // namespace lab::position_compare
