// Recurrent layers, their attention and the models of them: how the gradient test tries each, and
// what each does by hand.
#include "core/model/recurrent.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "core/model/query_attention.h"
#include "core/model/recurrent_decoder.h"
#include "core/model/recurrent_translator.h"
#include "gradient_cases.h"

using namespace model_test;
using namespace core::model;

namespace {

template <class In>
using Number = std::remove_pointer_t<decltype(std::declval<In>()[0].value)>;

constexpr Index kUsed[] = {4, 2, 3};
constexpr Sequences kThree{.batch = 3, .length = 4, .lengths = kUsed};

// All states and the last ones count: they are added up side by side.
template <class S>
struct BesideStep {
  Tensor<S> a, b, y;
  void forward(Tape<S>&) const {
    std::copy_n(a.value, a.size(), y.value);
    std::copy_n(b.value, b.size(), y.value + a.size());
  }
  void backward(Tape<S>&) const {
    for (Index i = 0; i < a.size(); ++i) a.gradient[i] += y.gradient[i];
    for (Index i = 0; i < b.size(); ++i) b.gradient[i] += y.gradient[a.size() + i];
  }
};

template <class S>
Tensor<S> beside(Tape<S>& tape, const Tensor<S>& a, const Tensor<S>& b) {
  const Tensor<S> y = tape.tensor(1, a.size() + b.size());
  tape.record("beside", BesideStep<S>{a, b, y});
  return y;
}

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

// Inputs: of four steps, a memory, and the state to begin with.
Registered decoder(const std::string& name, const RecurrentDecoder::Form& form) {
  Shapes shapes{{12, 3}, {12, 4}};
  if (!form.attends) shapes.emplace_back(3, 4);
  for (Index k = 0; k < form.layers * (form.cell == Cell::lstm ? 2 : 1); ++k) {
    shapes.emplace_back(3, form.hidden);
  }
  return layer(
      "recurrent_decoder: " + name, shapes,
      [=](const Scope& s) { return RecurrentDecoder::declare(s, 3, 4, 5, form); },
      [=](auto& tape, const auto& in, const RecurrentDecoder& net) {
        using S = Number<decltype(in)>;
        const std::ptrdiff_t first = form.attends ? 2 : 3;
        std::vector<Tensor<S>> start(in.begin() + first, in.end());
        States<S> states{start.data(), nullptr, form.layers};
        if (form.cell == Cell::lstm) states.c = start.data() + form.layers;
        const Memory<S> memory = form.attends ? net.attention.remember(tape, in[1], in[1], kThree)
                                              : Memory<S>{in[1], {}, kThree};
        const Decoded<S> begin =
            net.begin(tape, memory, states, form.attends ? Tensor<S>{} : in[2]);
        return net(tape, memory, begin, net.prepare(tape, in[0]));
      },
      {});
}
const Registered kBahdanau =
    decoder("the query before, two layers", {.layers = 2, .hidden = 4, .attention = {.width = 3}});
const Registered kSee = decoder("the query after, of cell and state, inputs joined",
                                {.cell = Cell::lstm,
                                 .hidden = 3,
                                 .attention = {.width = 3, .bias = true},
                                 .query_after = true,
                                 .query_has_cell = true,
                                 .joined = 4});
const Registered kSeeAttended =
    decoder("the query after, first context attended", {.hidden = 4,
                                                        .attention = {.score = Score::scaled_dot},
                                                        .query_after = true,
                                                        .first_attended = true,
                                                        .output_has_context = false});
const Registered kFixed = decoder("without attention", {.hidden = 4, .attends = false});

constexpr std::int32_t kSource[] = {1, 4, 2, 0, 3, 3, 5, 1, 2, 0, 1, 5};
constexpr std::int32_t kTarget[] = {0, 2, 3, 0, 1, 1, 0, 3, 2};

Registered translator(const std::string& name, const RecurrentTranslator::Form& form) {
  return layer(
      "recurrent_translator: " + name, {{1, 1}},
      [=](const Scope& s) { return RecurrentTranslator::declare(s, form); },
      [=](auto& tape, const auto& in, const RecurrentTranslator& net) {
        const auto encoded = net.encode(tape, kSource, kThree);
        return beside(tape, net(tape, encoded, kTarget, 3), in[0]);
      },
      {});
}
const RecurrentTranslator::Form kSmall{.source_words = 6,
                                       .target_words = 4,
                                       .embedding = 3,
                                       .encoder_hidden = 3,
                                       .decoder = {.hidden = 4, .attention = {.width = 3}}};

RecurrentTranslator::Form with(RecurrentTranslator::Form form, auto change) {
  change(form);
  return form;
}
const Registered kBothWays = translator("both ways", kSmall);
const Registered kLstmTranslator = translator("LSTM, bilinear", with(kSmall, [](auto& form) {
                                                form.decoder.cell = Cell::lstm;
                                                form.decoder.layers = 2;
                                                form.decoder.attention.score = Score::bilinear;
                                              }));
const Registered kOneContext =
    translator("without attention", with(kSmall, [](auto& form) { form.decoder.attends = false; }));
const RecurrentTranslator::Form kPlain = with(kSmall, [](auto& form) {
  form.encoder = {.layers = 2};
  form.encoder_hidden = 4;
  form.decoder.layers = 2;
  form.decoder.output_has_context = false;
  form.begin = RecurrentTranslator::Begin::last;
  form.reads_padding = true;
});
const Registered kPlainOne = translator("from the last states", kPlain);

}  // namespace

namespace {

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

// Everything that a translator computes for the same target.
struct Translated {
  Trace<double> trace;
  MatrixD logits;
};

Translated translate(const RecurrentTranslator::Form& form, const std::int32_t* source,
                     const Sequences& sequences) {
  Layout layout;
  const auto net = RecurrentTranslator::declare(Scope(layout), form);
  const std::vector<double> parameters = layout.start<double>(3);
  Tape<double> tape;
  Translated out;
  tape.begin(parameters.data(), nullptr, {.differentiates = false}, &out.trace);
  const auto encoded = net.encode(tape, source, sequences);
  out.logits = net(tape, encoded, kTarget, 3).matrix();
  return out;
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

TEST_CASE("what pads a source changes no number of its translation") {
  std::int32_t other[12];
  for (Index i = 0; i < 12; ++i) other[i] = i % 4 < kUsed[i / 4] ? kSource[i] : 5 - kSource[i];
  for (const bool attends : {true, false}) {
    const auto form = with(kSmall, [&](auto& f) { f.decoder.attends = attends; });
    CHECK(translate(form, kSource, kThree).logits == translate(form, other, kThree).logits);
  }
}

TEST_CASE("token by token gives what all at once does, in every form") {
  for (const RecurrentTranslator::Form& form :
       {kSmall, kPlain, with(kSmall, [](auto& f) { f.decoder.attends = false; }),
        with(kSmall, [](auto& f) { f.decoder.query_after = true, f.decoder.joined = 3; })}) {
    Layout layout;
    const auto net = RecurrentTranslator::declare(Scope(layout), form);
    const std::vector<double> parameters = layout.start<double>(3);
    Tape<double> tape;
    tape.begin(parameters.data(), nullptr, {.differentiates = false});
    const auto encoded = net.encode(tape, kSource, kThree);
    const MatrixD all = net(tape, encoded, kTarget, 3).matrix();
    Decoded<double> now = encoded.start;
    for (Index t = 0; t < 3; ++t) {
      const std::int32_t ids[] = {kTarget[t], kTarget[3 + t], kTarget[6 + t]};
      const auto told = net.step(tape, encoded, now, ids);
      now = told.decoded;
      for (Index b = 0; b < 3; ++b) {
        CHECK(told.logits.matrix().row(b).isApprox(all.row(3 * b + t), 1e-14));
        CHECK(told.probabilities.matrix().row(b).sum() == doctest::Approx(1));
      }
    }
  }
}

TEST_CASE("a translation names what it computes") {
  const Translated out = translate(kSmall, kSource, kThree);
  const Traced<double>& weights = out.trace.at("decoder.attention.weights");
  CHECK(weights.shape == std::vector<Index>{3, 3, 4});
  CHECK(weights.axes == std::vector<std::string>{"batch", "query", "key"});
  for (std::size_t i = 0; i < 9; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 4; ++j) sum += weights.values[4 * i + j];
    CHECK(sum == doctest::Approx(1));
    CHECK((weights.values[4 * i + 3] == 0) == (kUsed[i / 3] < 4));
  }
  const Traced<double>& states = out.trace.at("encoder.states");
  const Traced<double>& forward = out.trace.at("encoder.0.forward.states");
  const Traced<double>& backward = out.trace.at("encoder.0.backward.states");
  CHECK(states.shape == std::vector<Index>{3, 4, 6});
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(states.values[6 * i + j] == forward.values[3 * i + j]);
      CHECK(states.values[6 * i + 3 + j] == backward.values[3 * i + j]);
    }
  }
  // h' = (1 - z) n + z h of the second token, and the context of the second query.
  const auto at = [&](const char* name, std::size_t i) { return out.trace.at(name).values[i]; };
  const double z = at("encoder.0.forward.update", 3), n = at("encoder.0.forward.candidate", 3);
  CHECK(forward.values[3] == doctest::Approx((1 - z) * n + z * forward.values[0]));
  double context = 0;
  for (std::size_t j = 0; j < 4; ++j) context += weights.values[4 + j] * states.values[6 * j];
  CHECK(at("decoder.context", 6) == doctest::Approx(context));
  CHECK(out.trace.at("decoder.0.states").shape == std::vector<Index>{3, 3, 4});
  CHECK(out.trace.at("decoder.attention.scores").shape == weights.shape);
  CHECK(out.trace.at("decoder.probabilities").shape == std::vector<Index>{3, 3, 4});
}

TEST_CASE("forms that contradict themselves are refused") {
  const auto declared = [](const RecurrentTranslator::Form& form) {
    Layout layout;
    RecurrentTranslator::declare(Scope(layout), form);
  };
  CHECK_NOTHROW(declared(kSmall));
  CHECK_THROWS_AS(declared(with(kSmall, [](auto& f) { f.decoder.query_has_cell = true; })),
                  core::InputError);
  CHECK_THROWS_AS(declared(with(kSmall, [](auto& f) { f.decoder.layers = 0; })), core::InputError);
  CHECK_THROWS_AS(
      declared(with(kSmall, [](auto& f) { f.begin = RecurrentTranslator::Begin::last; })),
      core::InputError);
  CHECK_THROWS_AS(
      declared(with(kSmall, [](auto& f) { f.decoder.attention.score = Score::scaled_dot; })),
      core::InputError);
}
