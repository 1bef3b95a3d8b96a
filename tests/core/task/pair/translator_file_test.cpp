// A trained translator written to a file and opened again, and files that are none.
#include <doctest/doctest.h>

#include "core/task/pair/translator_file.h"
#include "refusal.h"

namespace translator_file_test {

using refusals::replaced;
using namespace core::task;
using core::InputError;
using core::NumberType;

namespace {

PairFit fit_of(core::Index d_model = 8) {
  TranslatorForm form;
  form.transformer.layer = {.d_model = d_model,
                            .heads = 2,
                            .key_heads = 2,
                            .feed_forward = {.width = 12},
                            .norm_first = true};
  form.transformer.positions.scheme = core::model::Scheme::rotary;
  return PairFit({.kind = Kind::copy, .letters = 4, .longest = 3}, form, {.batch = 8});
}

const Milestone kMilestone{3, 1.5, 0.25, 0.125, 2, 0.5};

std::string bytes_of(const PairFit& fit, const std::vector<float>& values, NumberType type) {
  const auto model = fit.model();
  return translator_bytes({fit.task(), fit.form(), model->vocabulary.symbols(), {kMilestone}},
                          model->translator, values.data(), type);
}

core::Safetensors read(const std::string& bytes) { return refusals::opened(bytes); }

std::string refusal(const std::string& bytes) {
  return refusals::sentence([&] { read_translator(read(bytes), "it"); });
}

}  // namespace

TEST_CASE("what was written is opened, the same numbers and the same model") {
  const PairFit fit = fit_of();
  PairFit::State state = fit.begin(1);
  for (int k = 0; k < 3; ++k) fit.step(state, 1);
  const std::string bytes = bytes_of(fit, state.values, NumberType::float32);
  const OpenedTranslator opened = read_translator(read(bytes), "it");
  CHECK(opened.values == state.values);
  CHECK(opened.form == fit.form());
  CHECK(opened.model->task == fit.task());
  CHECK(opened.history == std::vector<Milestone>{kMilestone});
  CHECK(opened.model->vocabulary.symbols() == fit.model()->vocabulary.symbols());

  // As float16 each number is rounded once, and the file about half as long.
  const std::string halves = bytes_of(fit, state.values, NumberType::float16);
  CHECK(halves.size() < 0.75 * static_cast<double>(bytes.size()));
  const std::vector<float> rounded = read_translator(read(halves), "it").values;
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    CHECK(std::abs(rounded[i] - state.values[i]) <= std::abs(state.values[i]) / 2048 + 3e-8F);
  }
}

TEST_CASE("files that are no translator say so in one sentence") {
  const PairFit fit = fit_of();
  const std::vector<float> values = fit.begin(1).values;
  const std::string bytes = bytes_of(fit, values, NumberType::float32);
  CHECK(refusal(bytes).empty());
  CHECK(refusal(core::safetensors_bytes({}, NumberType::float32, {})) ==
        "it: expected a translator trained here, got tensors without its description");
  // Quotes within the metadata's text are escaped.
  CHECK(refusal(replaced(bytes, R"(\"d_model\":8)", R"(\"d_model\":0)")) ==
        "it: expected a model's description, got 0 for \"d_model\"");
  CHECK(refusal(replaced(bytes, R"(\"task\":\"copy\")", R"(\"task\":\"cope\")")) ==
        "it: expected a model's description, got \"cope\" for \"task\"");
  CHECK(refusal(replaced(bytes, R"(\"d_model\":8)", R"(\"d_model\":4)")) ==
        "it: expected \"embedding\" of shape (7, 4), got (7, 8)");
  // Rotary heads of three numbers cannot be paired.
  CHECK(!refusal(replaced(bytes, R"(\"d_model\":8)", R"(\"d_model\":6)")).empty());
  CHECK(!refusal(replaced(bytes, R"(\"heads\":2)", R"(\"heads\":9)")).empty());
  CHECK(refusal(replaced(bytes, R"(\"norm_first\":true)", R"(\"norm_last_\":true)")).find("null") !=
        std::string::npos);
  std::vector<float> broken = values;
  broken[3] = std::numeric_limits<float>::infinity();
  CHECK(refusal(bytes_of(fit, broken, NumberType::float32)).find("finite") != std::string::npos);
}

}  // namespace translator_file_test
