// Loss by position of the six shipped models that differ in their positions alone.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <stop_token>
#include <string>

#include "app/labs/extrapolation/losses.h"
#include "app/labs/shared/shipped_file.h"
#include "core/position/frequency.h"
#include "trying.h"

namespace extrapolation_measured_test {

using namespace lab::extrapolation;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index, core::MatrixD;

namespace {

// Short and few texts: quick, and of no account.
struct Made : Trial<Parameters> {
  Made() {
    p.view = View::measured;
    p.times = 2;
    p.texts = 4;
    p.place = 100;
  }
  Measured measured() {
    return measure(p, context(), [](const Measured&) {});
  }
};

// The losses of a text by the model's own logits in double precision.
std::vector<double> losses_of(const core::task::LanguageModel& model,
                              const std::vector<float>& values, const std::int32_t* ids,
                              Index length) {
  const std::vector<double> doubles(values.begin(), values.end());
  core::model::Tape<double> tape;
  tape.begin(doubles.data(), nullptr, {.differentiates = false});
  const MatrixD logits = model(tape, ids, {.batch = 1, .length = length}).matrix();
  std::vector<double> losses;
  for (Index i = 0; i < length; ++i) {
    losses.push_back(std::log(logits.row(i).array().exp().sum()) - logits(i, ids[i + 1]));
  }
  return losses;
}

}  // namespace

TEST_CASE("measured: losses are those of the models' own logits, whole and of the last tokens") {
  Made made;
  const Measured measured = made.measured();
  const Texts& texts = *measured.texts;
  const Shipped& shipped = *texts.shipped;
  REQUIRE(shipped.trained() == kTrainedTokens);
  REQUIRE(texts.length == 128);
  REQUIRE(texts.begins.size() == 4);
  for (const Reader reader : {Reader::sinusoidal, Reader::t5, Reader::alibi, Reader::rotary,
                              Reader::none, Reader::interpolation}) {
    CAPTURE(std::string(reader_id(reader)));
    const bool turned = is_scaled(reader);
    const std::size_t at = static_cast<std::size_t>(turned ? Reader::rotary : reader);
    core::task::LanguageModel model = core::task::at_length(shipped.models[at], 128);
    // Twice as long: each angle is halved.
    if (turned) core::task::turn_by(model, core::frequencies(32) / 2);
    const ReaderLosses& losses = *measured.by(reader);
    const std::int32_t* ids = texts.at(0)[2];
    const auto whole = losses_of(model, shipped.values[at], ids, 128);
    const auto last = losses_of(shipped.models[at], shipped.values[at], ids + 64, 64);
    for (Index i = 0; i < 128; ++i) {
      CHECK(losses.whole.loss(2, i) ==
            doctest::Approx(whole[static_cast<std::size_t>(i)]).epsilon(1e-3).scale(1));
    }
    for (Index i = 0; i < 32; ++i) {
      CHECK(losses.last(2, i) ==
            doctest::Approx(last[static_cast<std::size_t>(i) + 32]).epsilon(1e-3).scale(1));
    }
  }
}

TEST_CASE("measured: what is drawn, told and worked out is one thing") {
  Made made;
  made.p.reader = Reader::alibi;
  const Measured measured = made.measured();
  const lab::Page page = made.page();
  const ReaderLosses& losses = *measured.by(Reader::alibi);
  double sum = 0;
  for (Index k = 0; k < 4; ++k) {
    for (Index i = 96; i < 112; ++i) sum += losses.whole.loss(k, i);
  }
  // The fourth curve, its seventh point: positions 96 to 111.
  const auto line = marks_of<figure::Line>(plot_of(page, "loss_schemes")).at(3);
  CHECK(line.x.at(6) == 104);
  CHECK(line.y.at(6) == doctest::Approx(sum / 64));
  CHECK(says(page, "positions 96 to 111"));
  const double excess = losses.whole.loss.rightCols(32).mean() - losses.last.mean();
  CHECK(readout(page, "excess_alibi") == doctest::Approx(excess));
  CHECK(readout(page, "long_loss") == doctest::Approx(losses.whole.loss.rightCols(32).mean()));
  CHECK(readout(page, "perplexity") == doctest::Approx(std::exp(readout(page, "long_loss"))));
  // Up to a position: the mean of all before it.
  made.p.losses = Losses::up_to;
  const auto up_to = marks_of<figure::Line>(plot_of(made.page(), "loss_schemes")).at(3);
  CHECK(up_to.x.back() == 128);
  CHECK(up_to.y.back() == doctest::Approx(losses.whole.loss.mean()));
}

TEST_CASE("measured: learned positions end with their rows, and the page says so") {
  Made made;
  made.p.reader = Reader::learned;
  const lab::Page page = made.page();
  CHECK(marks_of<figure::Line>(plot_of(page, "loss_schemes")).at(1).x.back() == 56);
  CHECK(says(page, "It has learned positions up to 63 and cannot read further"));
  CHECK(notes(page, "Learned positions have 64 rows"));
  CHECK_FALSE(has_readout(page, "excess_learned"));
}

TEST_CASE("measured: dynamic NTK is RoPE as it is up to the trained length, and not beyond") {
  Made made;
  const Measured measured = made.measured();
  const auto& dynamic = *measured.by(Reader::dynamic);
  const auto& plain = *measured.by(Reader::rotary);
  CHECK(dynamic.whole.loss.leftCols(64) == plain.whole.loss.leftCols(64));
  CHECK(dynamic.whole.loss.rightCols(64) != plain.whole.loss.rightCols(64));
}

TEST_CASE("measured: knobs of YaRN reach what is read, and nobody else") {
  Made made;
  const Measured before = made.measured();
  made.p.beta = 4;
  const Measured after = made.measured();
  CHECK(after.by(Reader::yarn)->whole.loss != before.by(Reader::yarn)->whole.loss);
  // What does not depend on it was not read again.
  CHECK(after.of[0] == before.of[0]);
  CHECK(after.by(Reader::ntk) == before.by(Reader::ntk));
  made.p.readers = Readers::schemes;
  CHECK_FALSE(made.measured().by(Reader::yarn));
  CHECK(made.measured().wanted == 6);
}

TEST_CASE("measured: unfinished pages are published, and it stops when nobody waits") {
  Made made;
  made.p.texts = 5;
  int published = 0;
  lab::Context context = made.context();
  context.publish = [&](const lab::Page& page) {
    ++published;
    CHECK(notes(page, "Reading: "));
  };
  const lab::Page page = compute(made.p, context);
  CHECK(published == kReaders - 1);
  CHECK_FALSE(notes(page, "Reading: "));
  made.p.texts = 6;
  std::stop_source source;
  context.cancel = core::Cancel(source.get_token());
  context.publish = [&](const lab::Page&) { source.request_stop(); };
  CHECK_THROWS_AS(compute(made.p, context), core::Cancelled);
}

TEST_CASE("measured: what came out at eight times the trained length, held") {
  Made made;
  made.p.times = 8;
  made.p.texts = 16;
  made.p.dynamic = core::DynamicNtk::ratio;
  const Measured measured = made.measured();
  // Nats: at the end of 64 and of 512 tokens, and the latter above what 64 alone give; computed by
  // another program, from the files, in NumPy.
  struct Came {
    Reader reader;
    double trained, end, excess;
  };
  for (const Came& came : {Came{Reader::sinusoidal, 3.996, 4.636, 0.646},
                           {Reader::t5, 3.492, 3.547, 0.064},
                           {Reader::alibi, 3.514, 3.462, 0.005},
                           {Reader::rotary, 3.464, 3.953, 0.515},
                           {Reader::none, 3.848, 3.898, 0.106},
                           {Reader::interpolation, 4.005, 3.950, 0.512},
                           {Reader::ntk, 3.479, 3.992, 0.555},
                           {Reader::dynamic, 3.464, 3.992, 0.555},
                           {Reader::yarn, 3.796, 3.858, 0.420}}) {
    CAPTURE(std::string(reader_id(came.reader)));
    CHECK(std::abs(measured.at_times(came.reader, 1) - came.trained) < 0.002);
    CHECK(std::abs(measured.at_times(came.reader, 8) - came.end) < 0.002);
    CHECK(std::abs(measured.by(came.reader)->excess(512) - came.excess) < 0.002);
  }
  CHECK(std::abs(measured.at_times(Reader::learned, 1) - 3.743) < 0.002);
  // What of the papers is found here, and what is not.
  const words::Words words;
  std::string here;
  for (const Finding& one : findings({made.p, measured, words})) here += one.here ? '1' : '0';
  CHECK(here == "11110011");
}

TEST_CASE("measured: bad input is told in one sentence") {
  Made made;
  const auto told = [&](const auto& attempt) -> std::string {
    try {
      attempt();
    } catch (const core::InputError& error) {
      return error.what();
    }
    return {};
  };
  CHECK(told([&] {
          made.set({{"times", "9"}});
        }) == "times: expected an integer from 2 to 8, got 9");
  CHECK(told([] { lab::shipped_bytes("nobody", "rotary.safetensors"); }) ==
        "expected the model nobody in share/attnscope/language/nobody beside the program, got "
        "nothing there: install attnscope whole");
}

}  // namespace extrapolation_measured_test
