// Recurrent layers and their attention: how the gradient test tries each, and what each does by
// hand.
#include "core/model/recurrent/recurrent.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/attention/scoring.h"
#include "core/model/layer/query_attention.h"
#include "model/recurrent_cases.h"

namespace recurrent_test {

using namespace model_test;
using namespace core::model;

namespace {

template <class S>
Tensor<S> all_of(Tape<S>& tape, const Recurred<S>& out) {
  Tensor<S> y = out.states;
  for (Index k = 0; k < out.last.count; ++k) {
    y = beside(tape, y, out.last.h[k]);
    if (out.last.c) y = beside(tape, y, out.last.c[k]);
  }
  return y;
}

// The first input is what is read, the others the states to begin with.
Registered recurrent(const std::string& name, const Recurrent::Form& form, Index hidden) {
  const Index states = form.layers * (form.both_ways ? 2 : 1);
  Shapes shapes{{12, 3}};
  for (Index k = 0; k < states * (form.cell == Cell::lstm ? 2 : 1); ++k) {
    shapes.emplace_back(3, hidden);
  }
  return layer(
      "recurrent: " + name, shapes,
      [=](const Scope& s) { return Recurrent::declare(s, 3, hidden, form); },
      [=](auto& tape, const auto& in, const Recurrent& net) {
        using S = Number<decltype(in)>;
        std::vector<Tensor<S>> start(in.begin() + 1, in.end());
        States<S> from{start.data(), nullptr, states};
        if (form.cell == Cell::lstm) from.c = start.data() + states;
        return all_of(tape, net(tape, in[0], kThree, from));
      },
      {});
}

const Registered kGru = recurrent("GRU", {}, 5);
const Registered kGruWide = recurrent("GRU wider than a vector", {}, 19);
const Registered kGruDeep =
    recurrent("GRU, layers, both ways", {.layers = 2, .both_ways = true}, 3);
const Registered kLstm = recurrent("LSTM", {.cell = Cell::lstm}, 5);
const Registered kLstmDeep =
    recurrent("LSTM, layers, both ways", {.cell = Cell::lstm, .layers = 2, .both_ways = true}, 3);

const Registered kNoStart = layer(
    "recurrent: from nothing, of full length", {{12, 3}},
    [](const Scope& s) { return Recurrent::declare(s, 3, 4, {.both_ways = true}); },
    [](auto& tape, const auto& in, const Recurrent& net) {
      return all_of(tape, net(tape, in[0], Sequences{.batch = 3, .length = 4}));
    },
    {});

Registered cell(const std::string& name, Cell which) {
  return layer(
      "recurrent: " + name, {{3, 2}, {3, 4}, {3, 4}},
      [=](const Scope& s) { return RecurrentLayer::declare(s, which, 2, 4); },
      [=](auto& tape, const auto& in, const RecurrentLayer& net) {
        using S = Number<decltype(in)>;
        const bool lstm = which == Cell::lstm;
        const Tensor<S> h = tape.tensor(3, 4), c = lstm ? tape.tensor(3, 4) : Tensor<S>{};
        net.step(tape, net.input(tape, in[0]), in[1], lstm ? in[2] : Tensor<S>{}, h, c);
        return beside(tape, h, lstm ? c : in[2]);
      },
      {});
}
const Registered kGruStep = cell("a step of a GRU", Cell::gru);
const Registered kLstmStep = cell("a step of an LSTM", Cell::lstm);

// Queries (3, 5), more of them (3, 2), keys and values.
Registered scores(const std::string& name, const QueryAttention::Form& form, Index query,
                  Index more, Index key) {
  return layer(
      "query_attention: " + name, {{3, query}, {3, 2}, {12, key}, {12, 6}},
      [=](const Scope& s) { return QueryAttention::declare(s, query + more, key, form); },
      [=](auto& tape, const auto& in, const QueryAttention& net) {
        using S = Number<decltype(in)>;
        const Memory<S> memory = net.remember(tape, in[2], in[3], kThree);
        const auto found = Attended<S>::taken(tape, 3, 4, 6);
        net(tape, memory, in[0], more > 0 ? in[1] : Tensor<S>{}, found);
        // Weights do not see padding, the scores do: those are left out.
        return more > 0 ? found.context : beside(tape, found.context, in[1]);
      },
      {});
}
const Registered kAdditive = scores("additive", {.width = 7}, 5, 0, 4);
const Registered kAdditiveWide =
    scores("additive, with a bias", {.width = 19, .bias = true}, 5, 2, 4);
const Registered kDot = scores("dot", {.score = Score::dot}, 4, 0, 4);
const Registered kScaled = scores("scaled dot", {.score = Score::scaled_dot}, 4, 0, 4);
const Registered kBilinear = scores("bilinear", {.score = Score::bilinear}, 5, 2, 4);

const Registered kAttend = layer(
    "query_attention: a sequence without keys", {{2, 3}, {6, 18}}, [](auto& tape, const auto& in) {
      using S = Number<decltype(in)>;
      static constexpr Index used[] = {0, 2};
      const Memory<S> memory{in[1], {}, {.batch = 2, .length = 3, .lengths = used}};
      auto found = Attended<S>::taken(tape, 2, 3, 18);
      found.scores = in[0];
      attend(tape, memory, found);
      return found.context;
    });

// What a recurrent network computes by a tape of its own.
struct Ran {
  MatrixD states;
  std::vector<MatrixD> last;
};

Ran run_recurrent(const Recurrent::Form& form, const MatrixD& x, const Sequences& sequences) {
  Layout layout;
  const Recurrent net = Recurrent::declare(Scope(layout), x.cols(), 4, form);
  const std::vector<double> parameters = layout.start<double>(3);
  Tape<double> tape;
  tape.begin(parameters.data(), nullptr, {.differentiates = false});
  const Recurred<double> out = net(tape, tape.input(x), sequences);
  Ran ran{out.states.matrix(), {}};
  for (Index k = 0; k < out.last.count; ++k) ran.last.push_back(out.last.h[k].matrix());
  return ran;
}

}  // namespace

TEST_CASE("a gated recurrent unit by hand") {
  Layout layout;
  const RecurrentLayer net = RecurrentLayer::declare(Scope(layout), Cell::gru, 1, 1);
  std::vector<double> values(static_cast<std::size_t>(layout.size()), 0.0);
  const auto set = [&](const Slot& slot, std::initializer_list<double> to) {
    std::copy(to.begin(), to.end(), values.begin() + slot.offset);
  };
  set(net.input.weight, {1, 2, 3});
  set(net.state.weight, {-1, 0.5, 2});
  set(net.state.bias, {0, 0, 1});
  Tape<double> tape;
  tape.begin(values.data(), nullptr, {.differentiates = false});
  const Tensor<double> h = tape.tensor(1, 1), before = tape.input(MatrixD::Constant(1, 1, 0.5));
  net.step(tape, net.input(tape, tape.input(MatrixD::Constant(1, 1, 0.25))), before, {}, h, {});
  // r = sigma(.25 - .5), z = sigma(.5 + .25), n = tanh(.75 + r (1 + 1)).
  const auto sigma = [](double x) { return 1 / (1 + std::exp(-x)); };
  const double r = sigma(-0.25), z = sigma(0.75), n = std::tanh(0.75 + 2 * r);
  CHECK(*h.value == doctest::Approx((1 - z) * n + z * 0.5).epsilon(1e-15));
}

TEST_CASE("scores of each kind are those of the scoring functions") {
  const MatrixD q = MatrixD::Random(3, 4), keys = MatrixD::Random(12, 4);
  for (const Score kind : {Score::additive, Score::dot, Score::scaled_dot, Score::bilinear}) {
    Layout layout;
    const auto net =
        QueryAttention::declare(Scope(layout), 4, 4, {.score = kind, .width = 5, .bias = true});
    std::vector<double> parameters = layout.start<double>(3);
    const double inside = 0.7;  // of additive attention, in every place
    if (kind == Score::additive) {
      std::fill_n(parameters.begin() + net.bias.offset, net.bias.size(), inside);
    }
    Tape<double> tape;
    tape.begin(parameters.data(), nullptr, {.differentiates = false});
    const auto found = Attended<double>::taken(tape, 3, 4, 4);
    const Tensor<double> values = tape.input(keys);
    net(tape, net.remember(tape, values, kThree), tape.input(q), {}, found);
    for (Index b = 0; b < 3; ++b) {
      const MatrixD query = q.row(b), of_sequence = keys.middleRows(4 * b, 4);
      MatrixD wanted;
      switch (kind) {
        case Score::additive: {
          // One more input, 1, carries the bias.
          MatrixD longer(1, 5), weight(5, 5);
          longer << query, 1;
          weight << tape.parameter(net.query).matrix(), MatrixD::Constant(1, 5, inside);
          wanted = core::additive_scores<double>(longer, of_sequence, weight,
                                                 tape.parameter(net.key).matrix(),
                                                 tape.parameter(net.score).matrix().col(0));
          break;
        }
        case Score::dot: wanted = core::dot_scores<double>(query, of_sequence); break;
        case Score::scaled_dot: wanted = core::scaled_dot_scores<double>(query, of_sequence); break;
        case Score::bilinear:
          wanted =
              core::bilinear_scores<double>(query, of_sequence, tape.parameter(net.query).matrix());
      }
      CHECK(found.scores.matrix().row(b).isApprox(wanted.row(0), 1e-14));
    }
  }
}

TEST_CASE("padding never touches a state") {
  for (const Cell which : {Cell::gru, Cell::lstm}) {
    const Recurrent::Form form{.cell = which, .layers = 2, .both_ways = true};
    const MatrixD x = MatrixD::Random(12, 3);
    MatrixD other = x;
    for (Index i = 0; i < 12; ++i) {
      if (i % 4 >= kUsed[i / 4]) other.row(i).setConstant(1e6);
    }
    const Ran one = run_recurrent(form, x, kThree), two = run_recurrent(form, other, kThree);
    CHECK(one.states == two.states);
    CHECK(one.last == two.last);
    for (Index b = 0; b < 3; ++b) {
      // Each alone, without padding.
      const Ran alone = run_recurrent(form, x.middleRows(4 * b, kUsed[b]), {1, kUsed[b]});
      CHECK(one.states.middleRows(4 * b, kUsed[b]).isApprox(alone.states, 1e-14));
      CHECK(one.states.middleRows(4 * b + kUsed[b], 4 - kUsed[b]).isZero(0));
      for (std::size_t k = 0; k < alone.last.size(); ++k) {
        CHECK(one.last[k].row(b).isApprox(alone.last[k].row(0), 1e-14));
      }
    }
  }
}

TEST_CASE("lengths beyond the sequences, and states that do not fit, are refused") {
  constexpr Index beyond[] = {4, 5, 3};
  CHECK_THROWS_AS(run_recurrent({}, MatrixD::Zero(12, 3), {3, 4, beyond}), core::InputError);
  CHECK_THROWS_AS(run_recurrent({}, MatrixD::Zero(11, 3), {3, 4}), core::InputError);
  Layout layout;
  const Recurrent net = Recurrent::declare(Scope(layout), 3, 4, {.layers = 2});
  const std::vector<double> parameters = layout.start<double>(3);
  Tape<double> tape;
  tape.begin(parameters.data(), nullptr, {.differentiates = false});
  const Tensor<double> x = tape.input(MatrixD::Zero(12, 3));
  const auto start = States<double>::taken(tape, Cell::gru, 1, 3, 4);
  CHECK_THROWS_AS(net(tape, x, {3, 4}, start), core::InputError);
  CHECK_THROWS_AS(QueryAttention{}.remember(tape, x, {3, 4, beyond}), core::InputError);
}

}  // namespace recurrent_test
