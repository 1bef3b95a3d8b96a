#include "core/model/positions/scheme_cost.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <vector>

#include "core/position/learned/complex_order.h"
#include "core/position/learned/floater.h"
#include "core/position/learned/integrate.h"
#include "core/position/relative/alibi.h"
#include "core/position/relative/deberta.h"
#include "core/position/relative/shaw.h"
#include "core/position/relative/transformer_xl.h"
#include "core/position/rotary/rotary.h"
#include "core/random.h"

namespace scheme_cost_test {

using core::Index;
using core::MatrixD;
using core::VectorD;
using core::model::CostStep;
using core::model::Scheme;
using core::model::SchemeCost;
using core::model::SchemeSize;

namespace {

// A number that counts what is done to it. Starting a sum from its first term costs nothing.
struct Count {
  Index additions = 0, multiplications = 0;
  double add(double a, double b) { return ++additions, a + b; }
  double times(double a, double b) { return ++multiplications, a * b; }
  template <class A, class B>
  double dot(const A& a, const B& b) {
    double sum = times(a(0), b(0));
    for (Index k = 1; k < a.size(); ++k) sum = add(sum, times(a(k), b(k)));
    return sum;
  }
};

MatrixD random_matrix(Index rows, Index cols, std::uint64_t seed) {
  core::Random random(seed);
  MatrixD m(rows, cols);
  for (Index k = 0; k < m.size(); ++k) m.data()[k] = random.gaussian();
  return m;
}

// One layer of h heads that are d_head wide.
struct Layer {
  Index n, h, d_head;
  bool causal;
  MatrixD q = random_matrix(n, h*d_head, 1), k = random_matrix(n, h*d_head, 2);

  MatrixD head(const MatrixD& x, Index a) const { return x.middleCols(a * d_head, d_head); }
  bool seen(Index i, Index j) const { return !causal || j <= i; }
};

// (A) q . a_r for all rows, (B) added to the scores; the weights of each row summed, (C) times the
// values' table, (D) added to the output. Checks the scores against shaw_attention.
Count count_shaw(const Layer& l, Index clip) {
  Count count;
  const Index rows = 2 * clip + 1;
  const MatrixD a_key = random_matrix(rows, l.d_head, 3),
                a_value = random_matrix(rows, l.d_head, 4);
  for (Index a = 0; a < l.h; ++a) {
    const MatrixD q = l.head(l.q, a), k = l.head(l.k, a);
    const auto expected = core::shaw_attention(q, k, k, {a_key, a_value}, std::nullopt, 1.0);
    for (Index i = 0; i < l.n; ++i) {
      VectorD by_row(rows), sums = VectorD::Zero(rows);
      for (Index r = 0; r < rows; ++r) by_row(r) = count.dot(q.row(i), a_key.row(r));
      for (Index j = 0; j < l.n; ++j) {
        if (!l.seen(i, j)) continue;
        const Index r = expected.index(i, j);
        const double score = count.add(q.row(i).dot(k.row(j)), by_row(r));
        CHECK(score == doctest::Approx(expected.attention.scores(i, j)).epsilon(1e-12));
        sums(r) = count.add(sums(r), expected.attention.weights(i, j));
      }
      for (Index c = 0; c < l.d_head; ++c) count.add(0, count.dot(sums, a_value.col(c)));
    }
  }
  return count;
}

Count count_transformer_xl(const Layer& l) {
  Count count;
  const Index d = l.h * l.d_head;
  const MatrixD R = core::relative_sinusoids(l.n, l.causal ? 0 : 1 - l.n, d);
  const MatrixD W = random_matrix(d, d, 5), u = random_matrix(1, d, 6), v = random_matrix(1, d, 7);
  MatrixD r(R.rows(), d), with_u(l.n, d), with_v(l.n, d);
  for (Index t = 0; t < R.rows(); ++t) {
    for (Index c = 0; c < d; ++c) r(t, c) = count.dot(R.row(t), W.col(c));
  }
  for (Index i = 0; i < l.n; ++i) {
    for (Index c = 0; c < d; ++c) with_u(i, c) = count.add(l.q(i, c), u(0, c));
    for (Index c = 0; c < d; ++c) with_v(i, c) = count.add(l.q(i, c), v(0, c));
  }
  for (Index a = 0; a < l.h; ++a) {
    const auto expected = core::relative_terms(l.head(l.q, a), l.head(l.k, a), l.head(r, a),
                                               l.head(u, a).transpose(), l.head(v, a).transpose());
    for (Index i = 0; i < l.n; ++i) {
      for (Index j = 0; j < l.n; ++j) {
        if (!l.seen(i, j)) continue;
        const double by_distance =
            count.dot(l.head(with_v, a).row(i), l.head(r, a).row(l.n - 1 - (i - j)));
        const double content = l.head(with_u, a).row(i).dot(l.head(l.k, a).row(j));  // not extra
        CHECK(count.add(content, by_distance) ==
              doctest::Approx(expected.sum()(i, j)).epsilon(1e-12));
      }
    }
  }
  return count;
}

Count count_deberta(const Layer& l, Index clip) {
  Count count;
  const Index d = l.h * l.d_head, rows = 2 * clip;
  const MatrixD P = random_matrix(rows, d, 8);
  const MatrixD W_q = random_matrix(d, d, 9), W_k = random_matrix(d, d, 10);
  MatrixD Qr(rows, d), Kr(rows, d);
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < d; ++c) Qr(r, c) = count.dot(P.row(r), W_q.col(c));
    for (Index c = 0; c < d; ++c) Kr(r, c) = count.dot(P.row(r), W_k.col(c));
  }
  for (Index a = 0; a < l.h; ++a) {
    const MatrixD q = l.head(l.q, a), k = l.head(l.k, a);
    const auto expected = core::deberta_terms(q, k, l.head(Kr, a), l.head(Qr, a));
    MatrixD to(l.n, rows), from(l.n, rows);
    for (Index i = 0; i < l.n; ++i) {
      for (Index r = 0; r < rows; ++r) to(i, r) = count.dot(q.row(i), l.head(Kr, a).row(r));
      for (Index r = 0; r < rows; ++r) from(i, r) = count.dot(k.row(i), l.head(Qr, a).row(r));
    }
    for (Index i = 0; i < l.n; ++i) {
      for (Index j = 0; j < l.n; ++j) {
        if (!l.seen(i, j)) continue;
        double sum = count.add(q.row(i).dot(k.row(j)), to(i, expected.delta(i, j)));
        sum = count.add(sum, from(j, expected.delta(j, i)));
        CHECK(sum / std::sqrt(3.0 * double(l.d_head)) ==
              doctest::Approx(expected.scores()(i, j)).epsilon(1e-12));
      }
    }
  }
  return count;
}

Count count_rotary(const Layer& l) {
  Count count;
  const VectorD theta = core::frequencies(l.d_head);
  const auto table = core::rotary_angles(VectorD::LinSpaced(l.n, 0, double(l.n - 1)), theta);
  for (const MatrixD& x : {l.q, l.k}) {
    for (Index a = 0; a < l.h; ++a) {
      const MatrixD in = l.head(x, a), expected = core::rotated(in, table);
      for (Index p = 0; p < l.n; ++p) {
        for (Index i = 0; i < l.d_head / 2; ++i) {
          const double c = table.cos(p, i), s = table.sin(p, i);
          const double x0 = in(p, 2 * i), x1 = in(p, 2 * i + 1);
          CHECK(count.add(count.times(x0, c), -count.times(x1, s)) ==
                doctest::Approx(expected(p, 2 * i)).epsilon(1e-12));
          CHECK(count.add(count.times(x0, s), count.times(x1, c)) ==
                doctest::Approx(expected(p, 2 * i + 1)).epsilon(1e-12));
        }
      }
    }
  }
  return count;
}

// One operation for each pair that is seen, in each head.
Index count_pairs(const Layer& l) {
  Index count = 0;
  for (Index a = 0; a < l.h; ++a) {
    for (Index i = 0; i < l.n; ++i) {
      for (Index j = 0; j < l.n; ++j) count += l.seen(i, j) ? 1 : 0;
    }
  }
  return count;
}

// Each word's angles, and its numbers turned by them; once, whatever the layers.
Count count_complex(Index n, Index d) {
  Count count;
  const MatrixD amplitude = random_matrix(n, d / 2, 11).cwiseAbs(),
                frequency = random_matrix(n, d / 2, 12);
  std::vector<Index> ids(static_cast<std::size_t>(n));
  for (Index p = 0; p < n; ++p) ids[static_cast<std::size_t>(p)] = p;
  const auto expected =
      core::complex_order_embedding({amplitude, frequency, MatrixD::Zero(n, d / 2)}, ids,
                                    VectorD::LinSpaced(n, 0, double(n - 1)));
  for (Index p = 0; p < n; ++p) {
    for (Index i = 0; i < d / 2; ++i) {
      const double angle = count.times(frequency(p, i), double(p));
      const double c = std::cos(angle), s = std::sin(angle), re = amplitude(p, i), im = 0;
      CHECK(count.add(count.times(re, c), -count.times(im, s)) ==
            doctest::Approx(expected(p, i).real()).epsilon(1e-12));
      CHECK(count.add(count.times(re, s), count.times(im, c)) ==
            doctest::Approx(expected(p, i).imag()).epsilon(1e-12));
    }
  }
  return count;
}

// The course of one layer by the method of Runge and Kutta, and its rows added.
Count count_floater(Index n, Index d, Index hidden) {
  Count count;
  const core::FloaterMlp h{random_matrix(d + 1, hidden, 13), random_matrix(hidden, 1, 14),
                           random_matrix(hidden, d, 15), random_matrix(d, 1, 16)};
  const auto derivative = [&](double tau, const VectorD& p) {
    VectorD in(d + 1), active(hidden), k(d);
    in << p, tau;
    for (Index j = 0; j < hidden; ++j) {
      active(j) = std::tanh(count.add(count.dot(in, h.W1.col(j)), h.b1(j)));
    }
    for (Index c = 0; c < d; ++c) k(c) = count.add(count.dot(active, h.W2.col(c)), h.b2(c));
    return k;
  };
  const auto along = [&](const VectorD& p, double step, const VectorD& k) {
    VectorD next(d);
    for (Index c = 0; c < d; ++c) next(c) = count.add(p(c), count.times(step, k(c)));
    return next;
  };
  VectorD p = random_matrix(d, 1, 17);
  for (Index t = 0; t + 1 < n; ++t) {
    const double from = double(t), step = 1;
    const VectorD expected = core::integrate_step(h, core::Integrator::rk4, from, p, step);
    const VectorD k1 = derivative(from, p),
                  k2 = derivative(from + step / 2, along(p, step / 2, k1));
    const VectorD k3 = derivative(from + step / 2, along(p, step / 2, k2));
    const VectorD k4 = derivative(from + step, along(p, step, k3));
    p = along(along(along(along(p, step / 6, k1), step / 3, k2), step / 3, k3), step / 6, k4);
    CHECK((p - expected).cwiseAbs().maxCoeff() < 1e-12);
  }
  count.additions += n * d;
  return count;
}

}  // namespace

TEST_CASE("Scheme costs are what running each scheme counts, causal or not") {
  for (const bool causal : {false, true}) {
    for (const Index layers : {1, 3}) {
      const Layer l{7, 3, 4, causal};
      SchemeSize size{{l.n, l.h * l.d_head, l.h, layers}, causal, 9, 6, 2};
      std::set<Scheme> counted;
      const auto check = [&](Scheme scheme, Index additions, Index multiplications) {
        counted.insert(scheme);
        const SchemeCost cost = core::model::scheme_cost(scheme, size);
        CHECK(cost.additions == additions);
        CHECK(cost.multiplications == multiplications);
      };
      const auto check_layers = [&](Scheme scheme, const Count& once) {
        CAPTURE(int(scheme));
        check(scheme, layers * once.additions, layers * once.multiplications);
      };
      check(Scheme::none, 0, 0);
      check(Scheme::sinusoidal, 7 * 12, 0);  // once, whatever the layers
      check(Scheme::learned, 7 * 12, 0);
      check_layers(Scheme::rotary, count_rotary(l));
      check_layers(Scheme::xpos, count_rotary(l));  // its factors are in the tables
      check_layers(Scheme::alibi, {count_pairs(l), 0});
      check_layers(Scheme::t5, {count_pairs(l), 0});
      check_layers(Scheme::relative, count_shaw(l, size.clip));
      check_layers(Scheme::transformer_xl, count_transformer_xl(l));
      check_layers(Scheme::deberta, count_deberta(l, size.clip));
      check_layers(Scheme::urpe, {0, count_pairs(l)});
      const Count complex = count_complex(l.n, l.h * l.d_head);
      check(Scheme::complex, complex.additions, complex.multiplications);
      check_layers(Scheme::floater, count_floater(l.n, l.h * l.d_head, size.flow_width));
      CHECK(counted.size() == core::model::kSchemes);  // a scheme that nobody counts fails here
    }
  }
}

TEST_CASE("Scheme costs: learned and held numbers by hand, n 10, d 8, 2 heads, 3 layers") {
  const SchemeSize size{{10, 8, 2, 3}, false, 20, 32, 5};
  const auto numbers = [&](Scheme scheme) {
    const SchemeCost cost = core::model::scheme_cost(scheme, size);
    return std::vector<Index>{cost.parameters, cost.held, cost.functions};
  };
  CHECK(numbers(Scheme::none) == std::vector<Index>{0, 0, 0});
  CHECK(numbers(Scheme::sinusoidal) == std::vector<Index>{0, 80, 80});
  CHECK(numbers(Scheme::learned) == std::vector<Index>{160, 0, 0});
  CHECK(numbers(Scheme::rotary) == std::vector<Index>{0, 40, 40});
  CHECK(numbers(Scheme::xpos) == std::vector<Index>{0, 80, 40});
  CHECK(numbers(Scheme::alibi) == std::vector<Index>{0, 2 * 19, 0});
  CHECK(numbers(Scheme::t5) == std::vector<Index>{64, 2 * 19, 0});
  CHECK(numbers(Scheme::relative) == std::vector<Index>{2 * 11 * 4 * 3, 2 * 10 * 11, 0});
  CHECK(numbers(Scheme::transformer_xl) == std::vector<Index>{3 * 64 + 16, 2 * 19 * 8, 19 * 8});
  CHECK(numbers(Scheme::deberta) ==
        std::vector<Index>{10 * 8 + 2 * 3 * 64, 2 * 10 * 8 + 2 * 2 * 10 * 10, 0});
  CHECK(numbers(Scheme::complex) == std::vector<Index>{32000 * 4, 0, 80});
  CHECK(numbers(Scheme::floater) == std::vector<Index>{9 * 32 + 32 + 32 * 8 + 8 + 3 * 8, 80, 0});
  CHECK(numbers(Scheme::urpe) == std::vector<Index>{39 * 2 * 3, 0, 0});
}

TEST_CASE("Scheme costs agree with position_cost where both speak") {
  const core::ModelSize model{512, 768, 12, 12};
  const core::PositionCost brief = core::position_cost(model);
  const SchemeSize size{model, true, 512, 32, 16};
  const SchemeCost adding = core::model::scheme_cost(Scheme::sinusoidal, size);
  const SchemeCost rotating = core::model::scheme_cost(Scheme::rotary, size);
  CHECK(adding.operations() == brief.additive_flops);
  CHECK(adding.held == brief.sinusoidal_table_size);
  CHECK(rotating.operations() == brief.rotary_flops);
  CHECK(rotating.held == brief.rotary_table_size);
  CHECK(core::model::scheme_cost(Scheme::learned, size).parameters == brief.learned_parameters);
}

TEST_CASE("Scheme costs refuse nonsense in a sentence") {
  SchemeSize size{{10, 8, 2, 3}};
  size.clip = 0;
  CHECK_THROWS_WITH_AS(core::model::scheme_cost(Scheme::relative, size),
                       "scheme_cost: expected sizes of at least 1, got 0", core::InputError);
  CHECK_THROWS_AS(core::model::scheme_cost(Scheme::none, {{10, 8, 3, 3}}), core::InputError);
}

}  // namespace scheme_cost_test
