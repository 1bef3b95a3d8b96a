// Loss by position beyond the trained length, and the model files that it is measured with.
#include "core/task/language/length_loss.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "core/io/memory_bytes.h"
#include "core/position/frequency.h"
#include "core/random.h"
#include "core/task/language/language_file.h"
#include "refusal.h"
#include "task/language/gradient_check.h"

namespace length_loss_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index, core::NumberType, core::model::Scheme;
using refusals::sentence;

namespace {

constexpr Scheme kSchemes[] = {Scheme::sinusoidal, Scheme::learned, Scheme::t5,
                               Scheme::alibi,      Scheme::rotary,  Scheme::none};

LanguageForm form_with(Scheme scheme) {
  return {.vocabulary = 20,
          .width = 16,
          .layers = 2,
          .heads = 2,
          .feed_forward = 24,
          .context = 12,
          .scheme = scheme,
          .buckets = 8,
          .farthest = 6};
}

// No parameter at zero, as T5's biases begin.
template <class S>
std::vector<S> values_of(const LanguageModel& model) {
  std::vector<S> values = model.layout.start<S>(3);
  core::Random random(4);
  for (S& value : values) value += static_cast<S>(0.05 * random.gaussian());
  return values;
}

std::vector<std::int32_t> text(Index tokens) {
  core::Random random(9);
  std::vector<std::int32_t> ids;
  for (Index k = 0; k < tokens; ++k) ids.push_back(static_cast<std::int32_t>(random.below(20)));
  return ids;
}

template <class S>
core::MatrixOf<S> logits_of(const LanguageModel& model, const std::vector<S>& values,
                            const std::vector<std::int32_t>& ids, Index length) {
  core::model::Tape<S> tape;
  tape.begin(values.data(), nullptr, {.differentiates = false});
  return model(tape, ids.data(), {.batch = 1, .length = length}).matrix();
}

}  // namespace

TEST_CASE("losses are those of a plain loop over the model's logits, with any number of threads") {
  const LanguageModel model = at_length(LanguageModel(form_with(Scheme::alibi)), 40);
  const std::vector<float> values = values_of<float>(model);
  const std::vector<double> doubles(values.begin(), values.end());
  const auto ids = text(90);
  const std::vector<const std::int32_t*> texts{ids.data(), ids.data() + 30, ids.data() + 49};
  const LengthLosses losses = length_losses(model, values.data(), texts, 40, 1);
  REQUIRE((losses.loss.rows() == 3 && losses.loss.cols() == 40));
  for (Index k = 0; k < 3; ++k) {
    const std::vector<std::int32_t> own(texts[static_cast<std::size_t>(k)],
                                        texts[static_cast<std::size_t>(k)] + 41);
    const core::MatrixD logits = logits_of<double>(model, doubles, own, 40);
    for (Index i = 0; i < 40; ++i) {
      const double z = logits(i, own[static_cast<std::size_t>(i) + 1]);
      const double want = std::log(logits.row(i).array().exp().sum()) - z;
      CHECK(losses.loss(k, i) == doctest::Approx(want).epsilon(1e-5));
      CHECK(static_cast<double>(losses.logit(k, i)) == doctest::Approx(z).epsilon(1e-4).scale(1));
    }
  }
  const LengthLosses again = length_losses(model, values.data(), texts, 40, 4);
  CHECK((again.loss == losses.loss && again.logit == losses.logit));
}

TEST_CASE("a model for longer texts says of the first tokens what the trained one says") {
  for (const Scheme scheme : kSchemes) {
    CAPTURE(std::string(core::model::scheme_id(scheme)));
    const LanguageModel model(form_with(scheme));
    const std::vector<float> values = values_of<float>(model);
    if (scheme == Scheme::learned) {
      CHECK(sentence([&] { at_length(model, 13); }) ==
            "learned positions: expected at most 12 tokens, got 13");
      continue;
    }
    const LanguageModel longer = at_length(model, 40);
    CHECK(longer.layout.size() == model.layout.size());
    const auto ids = text(40);
    const core::Matrix all = logits_of<float>(longer, values, ids, 40),
                       first = logits_of<float>(model, values, ids, 12);
    CHECK((all.topRows(12) - first).cwiseAbs().maxCoeff() < 1e-5F);
    // And there it refuses what the longer one reads.
    if (scheme == Scheme::rotary || scheme == Scheme::sinusoidal) {
      CHECK_FALSE(sentence([&] { logits_of<float>(model, values, ids, 13); }).empty());
    }
  }
}

TEST_CASE("each scheme places in its own way, and none places nothing") {
  const auto ids = text(12);
  auto other = ids;
  std::swap(other[7], other[9]);  // the last token sees the same tokens in another order
  REQUIRE(other != ids);
  for (const Scheme scheme : kSchemes) {
    CAPTURE(std::string(core::model::scheme_id(scheme)));
    LanguageForm form = form_with(scheme);
    form.layers = 1;
    const LanguageModel model(form);
    const std::vector<float> values = values_of<float>(model);
    const float apart = (logits_of<float>(model, values, ids, 12).row(11) -
                         logits_of<float>(model, values, other, 12).row(11))
                            .cwiseAbs()
                            .maxCoeff();
    CHECK((apart > 1e-4F) == (scheme != Scheme::none));
  }
}

TEST_CASE("the gradient with each scheme is that of differences") {
  const auto ids = text(13);
  for (const Scheme scheme : kSchemes) {
    const LanguageModel model(form_with(scheme));
    language_test::check_gradient(model, values_of<double>(model), ids,
                                  {ids.begin() + 1, ids.end()}, 2);
  }
}

TEST_CASE("other frequencies turn as other positions do, and a factor multiplies both sides") {
  LanguageModel model = at_length(LanguageModel(form_with(Scheme::rotary)), 24);
  const std::vector<float> values = values_of<float>(model);
  const auto ids = text(24);
  const core::Matrix plain = logits_of<float>(model, values, ids, 24);
  const core::VectorD theta = core::frequencies(8);
  turn_by(model, theta);
  CHECK(logits_of<float>(model, values, ids, 24) == plain);
  // Half the frequencies: each token stands at half of its place.
  turn_by(model, theta / 2);
  const core::Matrix halved = logits_of<float>(model, values, ids, 24);
  CHECK((halved - plain).cwiseAbs().maxCoeff() > 1e-4F);
  const core::RotaryTableD table =
      core::rotary_angles(core::VectorD::LinSpaced(24, 0, 11.5), theta);
  for (Index p = 0; p < 24; ++p) {
    for (Index i = 0; i < 4; ++i) {
      CHECK(model.positions.query_rotations->doubles.cos(p, i) ==
            doctest::Approx(table.cos(p, i)).epsilon(1e-12).scale(1));
      CHECK(model.positions.key_rotations->doubles.sin(p, i) ==
            doctest::Approx(table.sin(p, i)).epsilon(1e-12).scale(1));
    }
  }
  turn_by(model, theta, 1.5);
  const auto& turned = model.positions.key_rotations->floats;
  CHECK(double(turned.cos(3, 0)) == doctest::Approx(1.5 * std::cos(3.0)).epsilon(1e-6));
  CHECK(sentence([&] { turn_by(model, theta.head(3)); }) ==
        "frequencies: expected one for each of 4 pairs, got 3");
  LanguageModel other(form_with(Scheme::alibi));
  CHECK(sentence([&] { turn_by(other, theta); }) ==
        "language model: expected rotary heads, got alibi");
}

TEST_CASE("texts are spread over a stream and share no guess") {
  CHECK(spread_texts(101, 20, 3) == std::vector<Index>{0, 40, 80});
  CHECK(spread_texts(101, 20, 8) == std::vector<Index>{0, 20, 40, 60, 80});
  CHECK(spread_texts(101, 20, 1) == std::vector<Index>{0});
  CHECK(spread_texts(20, 20, 4).empty());
  CHECK(spread_texts(21, 20, 4) == std::vector<Index>{0});
}

TEST_CASE("a model's own file gives it back, and anything else one sentence") {
  for (const Scheme scheme : kSchemes) {
    const LanguageModel model(form_with(scheme));
    const std::vector<float> values = values_of<float>(model);
    const std::string bytes = language_bytes(model, values.data(), NumberType::float32);
    const ReadLanguage read =
        read_language(std::make_shared<const core::MemoryBytes>(bytes), "own");
    CHECK(read.model.form == model.form);
    const auto ids = text(12);
    CHECK(logits_of<float>(read.model, read.values, ids, 12) ==
          logits_of<float>(model, values, ids, 12));
  }
  const LanguageModel model(form_with(Scheme::t5));
  const std::vector<float> values = values_of<float>(model);
  const std::string bytes = language_bytes(model, values.data(), NumberType::float32);
  const auto refused = [](const std::string& of) {
    return sentence([&] { read_language(std::make_shared<const core::MemoryBytes>(of), "own"); });
  };
  CHECK_FALSE(refused(bytes.substr(0, bytes.size() - 4)).empty());
  CHECK_FALSE(refused("").empty());
  const auto with = [&](const std::string& from, const std::string& to) {
    REQUIRE(from.size() == to.size());
    std::string changed = bytes;
    const std::size_t at = changed.find(from);
    REQUIRE(at != std::string::npos);
    return refused(changed.replace(at, from.size(), to));
  };
  CHECK(with("{\\\"scheme\\\"", "[\\\"scheme\\\"") ==
        "own: expected a language model with its form, got none");
  CHECK(with("\\\"t5\\\"", "\\\"t6\\\"") == "own: expected a scheme of positions, got \"t6\"");
  CHECK(with("\\\"layers\\\":2", "\\\"layers\\\":0") ==
        "own: expected layers from 1 to 256, got 0");
  CHECK_FALSE(with("\\\"layers\\\":2", "\\\"layers\\\":3").empty());
  // Another scheme of the same name length has no such parameter.
  LanguageForm odd = form_with(Scheme::floater);
  CHECK(sentence([&] { const LanguageModel refused_model(odd); }) ==
        "language model: expected a scheme of embeddings or heads, got floater");
}

}  // namespace length_loss_test
