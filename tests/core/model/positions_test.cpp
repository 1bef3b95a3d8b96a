// Heads that know where they stand, against the schemes as core/position has them.
#include <doctest/doctest.h>

#include "core/model/transformer.h"
#include "core/position/deberta.h"
#include "core/position/shaw.h"
#include "core/position/transformer_xl.h"
#include "core/position/xpos.h"
#include "core/random.h"

namespace positions_test {

using namespace core::model;  // NOLINT: the box under test
using core::Index;
using core::MatrixD;
using core::VectorD;

namespace {

constexpr Index kHeads = 4, kWidth = 4, kD = kHeads * kWidth, kLongest = 9;

MatrixD random_matrix(Index rows, Index cols, std::uint64_t seed) {
  core::Random random(seed);
  MatrixD out(rows, cols);
  for (Index k = 0; k < out.size(); ++k) out.data()[k] = 2 * random.uniform() - 1;
  return out;
}

// n queries at the end of m keys, and what a scheme makes of their scores.
struct Heads {
  Layout layout;
  HeadPositions positions;
  std::vector<double> values;
  MatrixD q, k;
  Tape<double> tape;
  std::vector<double> gradients;

  Heads(const PositionForm& form, Index n, Index m, Index key_heads = kHeads)
      : positions(HeadPositions::declare(Scope(layout), kHeads, kWidth, false, form)),
        values(layout.start<double>(3)),
        q(random_matrix(n, kD, 1)),
        k(random_matrix(m, key_heads * kWidth, 2)) {
    // Where a start is small or zero, something that shows.
    core::Random random(4);
    for (double& value : values) value = 2 * random.uniform() - 1;
  }

  MatrixD of(const Slot& slot) const {
    return Eigen::Map<const MatrixD>(values.data() + slot.offset, slot.rows, slot.cols);
  }
  // Of one head, (n, m): scale q . k + bias.
  MatrixD scores(Index head) {
    gradients.assign(values.size(), 0);
    tape.begin(values.data(), gradients.data(), {});
    const auto tensor = [](MatrixD& m) {
      return Tensor<double>{m.data(), nullptr, m.rows(), m.cols()};
    };
    const Sequences queries{.batch = 1, .length = q.rows()}, keys{.batch = 1, .length = k.rows()};
    const Placed<double> placed = positions(tape, tensor(q), tensor(k), queries, keys);
    const auto part = [&](const Tensor<double>& t) {
      return head_of(Eigen::Map<const MatrixD>(t.value, t.rows, t.cols), head);
    };
    const double scale = positions.scale().value_or(1 / std::sqrt(double{kWidth}));
    MatrixD out = scale * part(placed.q) * part(placed.k).transpose();
    if (placed.bias) {
      out += Eigen::Map<const MatrixD>(placed.bias.value, placed.bias.rows, placed.bias.cols)
                 .middleRows(head * q.rows(), q.rows());
    }
    return out;
  }
  // Of grouped keys the head that is shared.
  MatrixD head_of(const MatrixD& x, Index head) const {
    return x.middleCols(head / (kD / x.cols()) * kWidth, kWidth);
  }
};

bool close(const MatrixD& a, const MatrixD& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && (a - b).cwiseAbs().maxCoeff() < 1e-12;
}

}  // namespace

TEST_CASE("Transformer-XL's four terms are those of core/position, heads and fewer queries too") {
  for (const Index n : {Index{5}, Index{3}, Index{1}}) {
    const Index m = 5;
    Heads heads({.scheme = Scheme::transformer_xl, .longest = kLongest}, n, m);
    // Distances count from the query's place, at the end of the keys: all m queries, the last n.
    const MatrixD sinusoids = core::relative_sinusoids(m, 1 - m, kD);
    const MatrixD positions = sinusoids * heads.of(heads.positions.of_keys.weight);
    const MatrixD u = heads.of(heads.positions.content_bias);
    const MatrixD v = heads.of(heads.positions.position_bias);
    MatrixD all = MatrixD::Zero(m, kD);
    all.bottomRows(n) = heads.q;
    for (Index h = 0; h < kHeads; ++h) {
      const MatrixD expected =
          core::relative_terms(heads.head_of(all, h), heads.head_of(heads.k, h),
                               heads.head_of(positions, h), heads.head_of(u, h).row(0),
                               heads.head_of(v, h).row(0))
              .sum() /
          std::sqrt(double{kWidth});
      CHECK(close(heads.scores(h), expected.bottomRows(n)));
    }
  }
}

TEST_CASE("DeBERTa's scores are those of core/position, with grouped keys too") {
  for (const Index key_heads : {kHeads, Index{2}}) {
    Heads heads({.scheme = Scheme::deberta, .longest = kLongest, .clip = 3}, 6, 6, key_heads);
    const MatrixD rows = heads.of(heads.positions.table);
    const MatrixD of_keys = rows * heads.of(heads.positions.of_keys.weight);
    const MatrixD of_queries = rows * heads.of(heads.positions.of_queries.weight);
    for (Index h = 0; h < kHeads; ++h) {
      CHECK(close(heads.scores(h),
                  core::deberta_terms(heads.head_of(heads.q, h), heads.head_of(heads.k, h),
                                      heads.head_of(of_keys, h), heads.head_of(of_queries, h))
                      .scores()));
    }
  }
}

TEST_CASE("xPos's scores shrink with distance and are those of its tables") {
  Heads heads({.scheme = Scheme::xpos, .longest = kLongest, .scale_base = 7}, 6, 6);
  const VectorD places = VectorD::LinSpaced(6, 0, 5);
  const core::XposTables tables =
      core::xpos_tables(places, core::frequencies(kWidth, 10000), {.scale_base = 7});
  for (Index h = 0; h < kHeads; ++h) {
    const MatrixD q = core::rotated<double>(heads.head_of(heads.q, h), tables.query);
    const MatrixD k = core::rotated<double>(heads.head_of(heads.k, h), tables.key);
    CHECK(close(heads.scores(h), q * k.transpose() / std::sqrt(double{kWidth})));
  }
}

TEST_CASE("Shaw's learned keys are those of core/position") {
  Heads heads({.scheme = Scheme::relative, .longest = kLongest, .clip = 2}, 6, 6);
  const MatrixD table = heads.of(heads.positions.table);
  for (Index h = 0; h < kHeads; ++h) {
    const MatrixD q = heads.head_of(heads.q, h), k = heads.head_of(heads.k, h);
    MatrixD expected = q * k.transpose();
    for (Index i = 0; i < 6; ++i) {
      for (Index j = 0; j < 6; ++j) {
        expected(i, j) += q.row(i).dot(table.row(std::clamp<Index>(j - i, -2, 2) + 2));
      }
    }
    CHECK(close(heads.scores(h), expected / std::sqrt(double{kWidth})));
  }
}

TEST_CASE("Schemes of distance alone do not mind where the sequence begins") {
  for (const Scheme scheme : {Scheme::transformer_xl, Scheme::deberta, Scheme::relative}) {
    CAPTURE(static_cast<int>(scheme));
    Heads all({.scheme = scheme, .longest = kLongest, .clip = 3}, 6, 6);
    Heads last({.scheme = scheme, .longest = kLongest, .clip = 3}, 4, 4);
    last.q = all.q.bottomRows(4);
    last.k = all.k.bottomRows(4);
    CHECK(close(last.scores(1), all.scores(1).bottomRightCorner(4, 4)));
  }
}

TEST_CASE("A sequence longer than the tables is refused") {
  for (const Scheme scheme : {Scheme::rotary, Scheme::xpos, Scheme::transformer_xl}) {
    Heads heads({.scheme = scheme, .longest = 4}, 5, 5);
    CHECK_THROWS_AS(heads.scores(0), core::InputError);
  }
}

}  // namespace positions_test
