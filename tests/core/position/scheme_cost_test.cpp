#include "core/position/scheme_cost.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/position/relative/alibi.h"
#include "core/position/relative/deberta.h"
#include "core/position/relative/shaw.h"
#include "core/position/relative/transformer_xl.h"
#include "core/position/rotary/rotary.h"
#include "core/random.h"

namespace scheme_cost_test {

using core::CostStep;
using core::Index;
using core::MatrixD;
using core::PositionScheme;
using core::SchemeCost;
using core::SchemeSize;
using core::VectorD;

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

}  // namespace

TEST_CASE("Scheme costs are what running each scheme counts, causal or not") {
  for (const bool causal : {false, true}) {
    for (const Index layers : {1, 3}) {
      const Layer l{7, 3, 4, causal};
      SchemeSize size{{l.n, l.h * l.d_head, l.h, layers}, causal, 9, 6, 2};
      const auto check = [&](PositionScheme scheme, Index additions, Index multiplications) {
        const SchemeCost cost = core::scheme_cost(scheme, size);
        CHECK(cost.additions == additions);
        CHECK(cost.multiplications == multiplications);
      };
      const auto check_layers = [&](PositionScheme scheme, const Count& once) {
        CAPTURE(int(scheme));
        check(scheme, layers * once.additions, layers * once.multiplications);
      };
      check(PositionScheme::none, 0, 0);
      check(PositionScheme::sinusoidal, 7 * 12, 0);  // once, whatever the layers
      check(PositionScheme::learned, 7 * 12, 0);
      check_layers(PositionScheme::rotary, count_rotary(l));
      check_layers(PositionScheme::xpos, count_rotary(l));  // its factors are in the tables
      check_layers(PositionScheme::alibi, {count_pairs(l), 0});
      check_layers(PositionScheme::t5, {count_pairs(l), 0});
      check_layers(PositionScheme::shaw, count_shaw(l, size.clip));
      check_layers(PositionScheme::transformer_xl, count_transformer_xl(l));
      check_layers(PositionScheme::deberta, count_deberta(l, size.clip));
      check_layers(PositionScheme::urpe, {0, count_pairs(l)});
    }
  }
}

TEST_CASE("Scheme costs: learned and held numbers by hand, n 10, d 8, 2 heads, 3 layers") {
  const SchemeSize size{{10, 8, 2, 3}, false, 20, 32, 5};
  const auto numbers = [&](PositionScheme scheme) {
    const SchemeCost cost = core::scheme_cost(scheme, size);
    return std::vector<Index>{cost.parameters, cost.held, cost.functions};
  };
  CHECK(numbers(PositionScheme::none) == std::vector<Index>{0, 0, 0});
  CHECK(numbers(PositionScheme::sinusoidal) == std::vector<Index>{0, 80, 80});
  CHECK(numbers(PositionScheme::learned) == std::vector<Index>{160, 0, 0});
  CHECK(numbers(PositionScheme::rotary) == std::vector<Index>{0, 40, 40});
  CHECK(numbers(PositionScheme::xpos) == std::vector<Index>{0, 80, 40});
  CHECK(numbers(PositionScheme::alibi) == std::vector<Index>{0, 2 * 19, 0});
  CHECK(numbers(PositionScheme::t5) == std::vector<Index>{64, 2 * 19, 0});
  CHECK(numbers(PositionScheme::shaw) == std::vector<Index>{2 * 11 * 4 * 3, 2 * 10 * 11, 0});
  CHECK(numbers(PositionScheme::transformer_xl) ==
        std::vector<Index>{3 * 64 + 16, 2 * 19 * 8, 19 * 8});
  CHECK(numbers(PositionScheme::deberta) ==
        std::vector<Index>{10 * 8 + 2 * 3 * 64, 2 * 10 * 8 + 2 * 2 * 10 * 10, 0});
  CHECK(numbers(PositionScheme::urpe) == std::vector<Index>{39 * 2 * 3, 0, 0});
}

TEST_CASE("Scheme costs agree with position_cost where both speak") {
  const core::ModelSize model{512, 768, 12, 12};
  const core::PositionCost brief = core::position_cost(model);
  const SchemeSize size{model, true, 512, 32, 16};
  const SchemeCost adding = core::scheme_cost(PositionScheme::sinusoidal, size);
  const SchemeCost rotating = core::scheme_cost(PositionScheme::rotary, size);
  CHECK(adding.operations() == brief.additive_flops);
  CHECK(adding.held == brief.sinusoidal_table_size);
  CHECK(rotating.operations() == brief.rotary_flops);
  CHECK(rotating.held == brief.rotary_table_size);
  CHECK(core::scheme_cost(PositionScheme::learned, size).parameters == brief.learned_parameters);
}

TEST_CASE("Scheme costs refuse nonsense in a sentence") {
  SchemeSize size{{10, 8, 2, 3}};
  size.clip = 0;
  CHECK_THROWS_WITH_AS(core::scheme_cost(PositionScheme::shaw, size),
                       "scheme_cost: expected sizes of at least 1, got 0", core::InputError);
  CHECK_THROWS_AS(core::scheme_cost(PositionScheme::none, {{10, 8, 3, 3}}), core::InputError);
}

}  // namespace scheme_cost_test
