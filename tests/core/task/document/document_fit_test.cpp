// Training on documents: it learns, the same bits come out however it is run, and it is read from a
// file as it was written.
#include <doctest/doctest.h>

#include <cmath>

#include "core/task/document/document_file.h"
#include "core/task/document/document_focus.h"
#include "refusal.h"

namespace document_fit_test {

using namespace core::task;
using core::Index;
using core::NumberType;
using core::model::WeighedLevel;

namespace {

DocumentForm small(bool mean = false) {
  DocumentForm form;
  form.of_words.keys_of_inputs = true;
  form.of_words.mean = form.of_sentences.mean = mean;
  return form;
}

DocumentFit fit_of(const DocumentForm& form = small()) {
  return DocumentFit({}, form, {.schedule = {.rate = 0.01}, .batch = 32, .seed = 2});
}

DocumentFit::State trained(const DocumentFit& fit, Index steps, int threads) {
  DocumentFit::State state = fit.begin(threads);
  for (Index k = 0; k < steps; ++k) fit.step(state, threads);
  return state;
}

core::Safetensors read(const std::string& bytes) { return refusals::opened(bytes); }

std::string refusal(const std::string& bytes) {
  return refusals::sentence([&] { read_documents(read(bytes), "it"); });
}

}  // namespace

TEST_CASE("the network learns opinions, and finds where they stand" * doctest::test_suite("long")) {
  const DocumentFit fit = fit_of();
  const DocumentFit::State start = fit.begin(0), state = trained(fit, 250, 0);
  CHECK(start.loss == doctest::Approx(std::log(2)).epsilon(0.1));
  CHECK(start.held.accuracy() < 0.8);
  CHECK(state.held.accuracy() > 0.97);
  const auto documents = draw_documents({}, 9, 60, true);
  const Focus seen = focus(*fit.model(), state.values.data(), documents, {}, 2);
  CHECK(seen.documents == 60);
  CHECK(seen.sentence > seen.sentence_chance + 0.3);
  CHECK(seen.weights.size() == seen.worth.size());

  // With equal weights every place is found as often as by chance.
  const DocumentFit even = fit_of(small(true));
  const auto values = even.begin(1).values;
  const Focus blind = focus(*even.model(), values.data(), documents, {}, 1);
  CHECK(blind.word == doctest::Approx(blind.word_chance));
  CHECK(blind.sentence == doctest::Approx(blind.sentence_chance));
}

TEST_CASE("one thread or two, at once or copied midway: the same bits of documents") {
  const DocumentFit fit = fit_of();
  const DocumentFit::State one = trained(fit, 12, 1), two = trained(fit, 12, 2);
  CHECK(one.values == two.values);
  CHECK(one.loss == two.loss);
  CHECK(one.gradient_norm == two.gradient_norm);
  CHECK(one.held.loss == two.held.loss);
  DocumentFit::State copy = trained(fit, 5, 2);
  for (int k = 5; k < 12; ++k) fit_of().step(copy, 1);
  CHECK(copy.values == one.values);
  CHECK(fit == fit_of());
  CHECK_FALSE(fit == fit_of(small(true)));
}

TEST_CASE("a document reads the same alone and beside others; a word left out was not there") {
  const DocumentFit fit = fit_of();
  const auto values = trained(fit, 3, 1).values;
  const DocumentModel& model = *fit.model();
  const auto documents = draw_documents(model.task, 11, 40, true);
  std::vector<EncodedDocument> encoded;
  for (const Document& one : documents) encoded.push_back(model.encoded(one));
  const core::Matrix z = logits(model, values.data(), encoded, 2);
  for (std::size_t k = 0; k < encoded.size(); ++k) {
    const LookedDocument alone = look(model, values.data(), encoded[k]);
    CHECK((alone.logits.transpose().cast<float>() - z.row(static_cast<Index>(k))).norm() < 1e-5F);
    for (std::size_t s = 0; s < encoded[k].sentences.size(); ++s) {
      double sum = 0;
      for (Index t = 0; t < alone.words.weights.cols(); ++t) {
        sum += static_cast<double>(alone.words.weights(static_cast<Index>(s), t));
      }
      CHECK(sum == doctest::Approx(1).epsilon(1e-5));
    }
  }
  // Worth: the difference of two passes, by hand.
  const auto worth = worth_of_words(model, values.data(), encoded[0], 1);
  const auto whole = look(model, values.data(), encoded[0]).logits;
  const auto less = look(model, values.data(), without(encoded[0], {1, 0})).logits;
  Index label = 0;
  whole.maxCoeff(&label);
  CHECK(worth[1][0] ==
        doctest::Approx(log_odds(whole, label) - log_odds(less, label)).epsilon(1e-4));
}

TEST_CASE("log-odds of two classes are the difference of logits; of four, by hand") {
  core::VectorD two(2), four(4);
  two << 1.5, -0.5;
  four << 0, std::log(2), std::log(3), std::log(4);
  CHECK(log_odds(two, 0) == doctest::Approx(2));
  CHECK(log_odds(four, 3) == doctest::Approx(std::log(4.0 / 6)));
}

TEST_CASE("documents without words, and sentences that lose their last one") {
  const DocumentFit fit = fit_of();
  const auto values = fit.begin(1).values;
  const LookedDocument empty = look(*fit.model(), values.data(), {});
  CHECK(empty.logits.allFinite());
  EncodedDocument two{{{3}, {4, 5}}, 0};
  CHECK(without(two, {0, 0}).sentences == std::vector<std::vector<std::int32_t>>{{4, 5}});
  CHECK(without(two, {1, 0}).sentences == std::vector<std::vector<std::int32_t>>{{3}, {5}});
  CHECK(worth_of_words(*fit.model(), values.data(), two, 2).size() == 2);
  CHECK(two.words() == 3);
}

TEST_CASE("the largest that are wanted, ties shared") {
  CHECK(found({1, 3, 2}, {1}) == 1);
  CHECK(found({1, 3, 2}, {0, 2}) == 0);
  CHECK(found({2, 2, 1, 2}, {0}) == doctest::Approx(1.0 / 3));
}

TEST_CASE("a reader of documents is opened as it was written; other files say so in one sentence") {
  DocumentForm form = small();
  form.of_words.states = WeighedLevel::Reading::window;
  form.of_sentences.states = WeighedLevel::Reading::inputs;
  const DocumentFit fit = fit_of(form);
  const DocumentFit::State state = trained(fit, 2, 1);
  const std::vector<Milestone> history{DocumentFit::milestone(state)};
  const std::string bytes =
      document_bytes(*fit.model(), state.values.data(), history, NumberType::float32);
  const OpenedDocuments opened = read_documents(read(bytes), "it");
  CHECK(opened.values == state.values);
  CHECK(opened.history == history);
  CHECK(opened.model->form == fit.model()->form);
  CHECK(opened.model->task == fit.model()->task);
  CHECK(opened.model->vocabulary.symbols() == fit.model()->vocabulary.symbols());

  CHECK(refusal(core::safetensors_bytes({}, NumberType::float32, {})) ==
        "it: expected a document model trained here, got tensors without its description");
  CHECK(refusal(core::safetensors_bytes(
            {}, NumberType::float32, {{"documents", R"({"vocabulary":["a"],"task":"novels"})"}})) ==
        "it: expected a model's description, got \"novels\" for \"task\"");
}

}  // namespace document_fit_test
