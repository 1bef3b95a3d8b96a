// The recurrent decoder and translator: how the gradient test tries each form, and what they do.
#include "core/model/recurrent/recurrent_translator.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "model/recurrent_cases.h"

namespace recurrent_translator_test {

using namespace model_test;
using namespace core::model;

namespace {

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

TEST_CASE("the cells read the context that was just found, then the word") {
  Layout layout;
  const auto net = RecurrentTranslator::declare(Scope(layout), kSmall);
  const std::vector<double> parameters = layout.start<double>(3);
  Tape<double> tape;
  tape.begin(parameters.data(), nullptr, {.differentiates = false});
  const auto encoded = net.encode(tape, kSource, kThree);
  const auto first = net.step(tape, encoded, encoded.start, kTarget);
  const auto second = net.step(tape, encoded, first.decoded, kTarget + 3);
  MatrixD x(3, 9);
  for (Index b = 0; b < 3; ++b) {
    x.row(b) << second.decoded.found.context.matrix().row(b),
        tape.parameter(net.target).matrix().row(kTarget[3 + b]);
  }
  const RecurrentLayer& cells = net.decoder.layers.front();
  const Tensor<double> h = tape.tensor(3, 4);
  cells.step(tape, cells.input(tape, tape.input(x)), first.decoded.state.h[0], {}, h, {});
  CHECK(second.decoded.state.h[0].matrix().isApprox(h.matrix(), 1e-14));
}

TEST_CASE("an LSTM begins with states from states and cells from cells") {
  const auto form = with(kSmall, [](auto& f) { f.decoder.cell = Cell::lstm; });
  Layout layout;
  const auto net = RecurrentTranslator::declare(Scope(layout), form);
  const std::vector<double> parameters = layout.start<double>(3);
  Tape<double> tape;
  tape.begin(parameters.data(), nullptr, {.differentiates = false});
  const auto encoded = net.encode(tape, kSource, kThree);
  const auto begun = [&](const Linear& layer, const Tensor<double>* last) -> MatrixD {
    MatrixD both(3, 6);
    both << last[0].matrix(), last[1].matrix();
    const MatrixD sum = both * tape.parameter(layer.weight).matrix();
    return sum.array().tanh();  // the bias begins at 0
  };
  const States<double>& last = encoded.read.last;
  const States<double>& start = encoded.start.state;
  CHECK(start.h[0].matrix().isApprox(begun(net.begin_states[0], last.h), 1e-14));
  CHECK(start.c[0].matrix().isApprox(begun(net.begin_cells[0], last.c), 1e-14));
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

}  // namespace recurrent_translator_test
