// Heads that know where they stand, against the schemes as core/position has them.
#include <doctest/doctest.h>

#include "core/model/layer/cross_entropy.h"
#include "core/model/transformer.h"
#include "core/position/learned/complex_order.h"
#include "core/position/learned/floater.h"
#include "core/position/relative/deberta.h"
#include "core/position/relative/shaw.h"
#include "core/position/relative/transformer_xl.h"
#include "core/position/relative/urpe.h"
#include "core/position/rotary/xpos.h"
#include "core/position/sinusoidal/sinusoidal.h"
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

TEST_CASE(
    "URPE's heads are those of core/position: softmax times a Toeplitz matrix, of each layer") {
  Layout layout;
  const PositionForm form{.scheme = Scheme::urpe, .longest = kLongest};
  const HeadPositions positions =
      HeadPositions::declare(Scope(layout), kHeads, kWidth, false, form, 2);
  REQUIRE(layout.find("1.self.factors")->slot.rows == 2 * kLongest - 1);
  std::vector<double> values = layout.start<double>(3);
  // It begins as plain attention.
  CHECK(std::count(values.begin(), values.end(), 1.0) == 2 * kHeads * (2 * kLongest - 1));
  core::Random random(4);
  for (double& value : values) value = 2 * random.uniform() - 1;
  const Index n = 5;
  MatrixD q = random_matrix(n, kD, 1), k = random_matrix(n, kD, 2), v = random_matrix(n, kD, 3);
  for (const Index of : {Index{0}, Index{1}}) {
    Trace<double> trace;
    Tape<double> tape;
    tape.begin(values.data(), nullptr, {.differentiates = false}, &trace);
    const auto tensor = [](MatrixD& m) {
      return Tensor<double>{m.data(), nullptr, m.rows(), m.cols()};
    };
    const Sequences all{.batch = 1, .length = n};
    const Placed<double> placed = positions(tape, tensor(q), tensor(k), all, all, of);
    CHECK(!placed.bias);
    const Tensor<double> out =
        attention(tape, placed.q, placed.k, tensor(v), all, all,
                  {.heads = kHeads, .key_heads = kHeads}, placed.bias, placed.factors);
    const Slot& slot = positions.factors[static_cast<std::size_t>(of)];
    const MatrixD table =
        Eigen::Map<const MatrixD>(values.data() + slot.offset, slot.rows, slot.cols);
    for (Index h = 0; h < kHeads; ++h) {
      const auto part = [&](const MatrixD& m) { return m.middleCols(h * kWidth, kWidth); };
      // core counts i - j from -(n - 1) on, the table key minus query.
      VectorD c(2 * n - 1);
      for (Index d = 1 - n; d < n; ++d) c(d + n - 1) = table(kLongest - 1 - d, h);
      const MatrixD scores = part(q) * part(k).transpose() / std::sqrt(double{kWidth});
      const core::UrpeAttention expected = core::urpe_attention(scores, c, part(v));
      CHECK(close(part(out.matrix()), expected.output));
      const auto& mixed = trace.at("mixed");
      CHECK(close(Eigen::Map<const MatrixD>(mixed.values.data() + h * n * n, n, n),
                  expected.product));
      const auto& weights = trace.at("weights");
      CHECK(close(Eigen::Map<const MatrixD>(weights.values.data() + h * n * n, n, n),
                  expected.softmax));
    }
  }
}

TEST_CASE("Complex-order embeddings are those of core/position, and begin as sinusoidal turning") {
  Layout layout;
  constexpr Index kWords = 3, kPlaces = 4;
  const PositionForm form{.scheme = Scheme::complex, .longest = kLongest};
  const Slot slot = word_frequencies(Scope(layout), kWords, kD, form);
  CHECK(layout.parameters().front().name == "frequency");
  std::vector<double> values = layout.start<double>(3);
  const MatrixD table = random_matrix(kWords, kD, 5);
  const std::vector<std::int32_t> ids = {1, 2, 1, 0};
  AddedPositions added = AddedPositions::declare(Scope(layout), kD, form);
  added.frequency = slot;
  const auto made = [&](const MatrixD& rows) {
    Tape<double> tape;
    tape.begin(values.data(), nullptr, {.differentiates = false});
    MatrixD x(kPlaces, kD);
    for (Index i = 0; i < kPlaces; ++i) x.row(i) = rows.row(ids[static_cast<std::size_t>(i)]);
    return MatrixD(added(tape, tape.input(x), ids.data(), {.length = kPlaces}).matrix());
  };
  // Amplitude 1 and phase 0 is the sinusoidal table.
  MatrixD ones = MatrixD::Zero(kWords, kD);
  for (Index k = 1; k < kD; k += 2) ones.col(k).setOnes();
  CHECK(close(made(ones), core::sinusoidal_table(kPlaces, kD)));
  core::Random random(8);
  for (double& value : values) value = 3 * random.uniform();
  core::ComplexOrderTable of{MatrixD(kWords, kD / 2), MatrixD(kWords, kD / 2),
                             MatrixD(kWords, kD / 2)};
  for (Index w = 0; w < kWords; ++w) {
    for (Index k = 0; k < kD / 2; ++k) {
      const std::complex<double> number(table(w, 2 * k + 1), table(w, 2 * k));
      of.amplitude(w, k) = std::abs(number);
      of.phase(w, k) = std::arg(number);
      of.frequency(w, k) = values[static_cast<std::size_t>(slot.offset + w * kD / 2 + k)];
    }
  }
  CHECK(close(made(table), core::interleaved_parts(core::complex_order_embedding(
                               of, {1, 2, 1, 0}, VectorD::LinSpaced(kPlaces, 0, kPlaces - 1)))));
  Layout odd;
  CHECK_THROWS_AS(word_frequencies(Scope(odd), kWords, 5, form), core::InputError);
}

TEST_CASE("FLOATER's courses are those of core/position, and so is what is walked back") {
  Layout layout;
  constexpr Index kPlaces = 6, kLayers = 2;
  const Flow flow = Flow::declare(Scope(layout), kLayers, kWidth, {.hidden = 5, .delta = 0.1});
  const std::vector<double> values = layout.start<double>(7);
  const auto of = [&](const Slot& slot) {
    return MatrixD(Eigen::Map<const MatrixD>(values.data() + slot.offset, slot.rows, slot.cols));
  };
  const core::FloaterMlp mlp{of(flow.in.weight), of(flow.in.bias).row(0).transpose(),
                             of(flow.out.weight), of(flow.out.bias).row(0).transpose()};
  std::vector<double> slopes(values.size());
  Tape<double> tape;
  tape.begin(values.data(), slopes.data(), {});
  const Tensor<double> courses = flow(tape, kPlaces);
  for (Index l = 0; l < kLayers; ++l) {
    const MatrixD expected = core::integrate(
        [&](double tau, const VectorD& p) { return mlp(tau, p); }, core::Integrator::rk4,
        of(flow.start).row(l).transpose(), {.intervals = kPlaces - 1, .delta_t = 0.1});
    CHECK(close(courses.matrix().middleRows(l * kPlaces, kPlaces), expected));
  }
  // Of the last place of the first layer: the adjoint method, which is another one, agrees as far
  // as its own steps go.
  const std::int32_t wanted = 2;
  const Tensor<double> last = courses.rows_from(kPlaces - 1, 1);
  tape.backward(cross_entropy(tape, last, &wanted, 1.0));
  const core::FloaterGradients expected = core::floater_adjoint(
      mlp, last.matrix().row(0).transpose(), last.gradient_matrix().row(0).transpose(), 0.5, 200);
  const auto slope = [&](const Slot& slot) {
    return MatrixD(Eigen::Map<const MatrixD>(slopes.data() + slot.offset, slot.rows, slot.cols));
  };
  const auto near = [](const MatrixD& a, const MatrixD& b) {
    return (a - b).cwiseAbs().maxCoeff() < 1e-5;
  };
  CHECK(near(slope(flow.start).row(0).transpose(), expected.p0));
  CHECK(slope(flow.start).row(1).isZero());
  CHECK(near(slope(flow.in.weight), expected.parameters.W1));
  CHECK(near(slope(flow.in.bias).row(0).transpose(), expected.parameters.b1));
  CHECK(near(slope(flow.out.weight), expected.parameters.W2));
  CHECK(near(slope(flow.out.bias).row(0).transpose(), expected.parameters.b2));
}

TEST_CASE("A sequence longer than the tables is refused") {
  for (const Scheme scheme : {Scheme::rotary, Scheme::xpos, Scheme::transformer_xl, Scheme::urpe}) {
    Heads heads({.scheme = scheme, .longest = 4}, 5, 5);
    CHECK_THROWS_AS(heads.scores(0), core::InputError);
  }
}

}  // namespace positions_test
