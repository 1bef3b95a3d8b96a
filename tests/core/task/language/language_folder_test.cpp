// A language model in its folder is the LLaMA that published ones are: opened as one of them it
// computes the same.
#include <doctest/doctest.h>

#include <cmath>

#include "core/checkpoint/checkpoint.h"
#include "core/task/language/language_file.h"

namespace language_folder_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index, core::NumberType;

namespace {

constexpr LanguageForm kForm{.vocabulary = 40,
                             .width = 24,
                             .layers = 3,
                             .heads = 3,
                             .feed_forward = 36,
                             .context = 32,
                             .dropout = 0.1};

// Trained a little, so that no gain is 1.
std::vector<float> trained(LanguageFit& fit) {
  LanguageState state = fit.begin();
  for (int k = 0; k < 40; ++k) fit.step(state, 0);
  return state.values;
}

LanguageFit fit() {
  std::vector<TokenText> texts;
  for (std::int32_t k = 0; k < 50; ++k) {
    texts.push_back({1 + k % 30, 2 + k % 37, 3 + k % 11, 1 + k % 7, 5, 6, 7 + k % 20});
  }
  LanguageOptions options;
  options.schedule.rate = 0.02;
  options.schedule.warmup = 5;
  options.batch = 4;
  return {kForm, options, PackedText(texts, 0, kForm.context, 2)};
}

core::Matrix logits_of(const LanguageModel& model, const float* values,
                       const std::vector<std::int32_t>& ids) {
  core::model::Tape<float> tape;
  tape.begin(values, nullptr, {.differentiates = false});
  return model(tape, ids.data(), {.batch = 1, .length = std::ssize(ids)}).matrix();
}

const std::vector<std::int32_t> kText{0, 5, 39, 12, 5, 1, 1, 30, 17, 22, 8, 5, 39};

}  // namespace

TEST_CASE("opened as a published folder it has the same logits") {
  LanguageFit of = fit();
  const std::vector<float> values = trained(of);
  const std::string config = llama_config(kForm, 0, NumberType::float32),
                    tensors = llama_bytes(of.model(), values.data(), NumberType::float32);
  const auto model = core::checkpoint::open_model({"made", config, tensors});
  CHECK(model->facts().name == "LLaMA");
  CHECK(model->facts().parameters == of.model().layout.learned());
  CHECK(model->facts().tied);
  CHECK(model->facts().end == 0);
  CHECK(model->facts().positions.context == 32);
  CHECK(model->facts().left_over.empty());
  CHECK(model->facts().remarks.empty());
  const core::Matrix own = logits_of(of.model(), values.data(), kText);
  const core::Matrix theirs = model->forward<float>({.tokens = kText}).logits;
  const core::MatrixD exact = model->forward<double>({.tokens = kText}).logits;
  REQUIRE(theirs.rows() == own.rows());
  REQUIRE(theirs.cols() == own.cols());
  CHECK(own.cwiseAbs().maxCoeff() > 1);
  CHECK((own - theirs).cwiseAbs().maxCoeff() < 1e-5F * own.cwiseAbs().maxCoeff());
  CHECK((own.cast<double>() - exact).cwiseAbs().maxCoeff() < 1e-5 * exact.cwiseAbs().maxCoeff());
}

TEST_CASE("in bfloat16 its numbers are those, rounded") {
  LanguageFit of = fit();
  const std::vector<float> values = trained(of);
  const std::string config = llama_config(kForm, 0, NumberType::bfloat16),
                    tensors = llama_bytes(of.model(), values.data(), NumberType::bfloat16);
  CHECK(tensors.size() < 2 * values.size() + 4096);
  const auto model = core::checkpoint::open_model({"made", config, tensors});
  CHECK(model->facts().unread_settings.empty());
  const core::Matrix own = logits_of(of.model(), values.data(), kText);
  const core::Matrix theirs = model->forward<float>({.tokens = kText}).logits;
  const float apart = (own - theirs).cwiseAbs().maxCoeff() / own.cwiseAbs().maxCoeff();
  CHECK(apart < 0.05F);
  CHECK(apart > 1e-5F);
}

}  // namespace language_folder_test
