// A trained decoder written to a file and opened again, and files that are none.
#include "core/task/sequence/sequence_file.h"

#include <doctest/doctest.h>

#include <limits>

#include "core/task/sequence/sequence_recipes.h"
#include "refusal.h"

namespace sequence_file_test {

using refusals::replaced;
using namespace core::task;  // NOLINT: the box under test
using core::NumberType;

namespace {

SequenceFit small(core::model::Scheme scheme = core::model::Scheme::rotary) {
  const core::model::DecoderForm form{.layer = {.d_model = 8,
                                                .heads = 2,
                                                .key_heads = 1,
                                                .feed_forward = {.width = 12},
                                                .norm_first = true},
                                      .layers = 2,
                                      .positions = {.scheme = scheme, .longest = 64}};
  return {{.story = Story::copy, .symbols = 6, .shortest = 1, .longest = 4}, form, {.batch = 8}};
}

const Milestone kMilestone{3, 1.5, 0.25, 0.125, 2, 0.5};

std::string bytes_of(const SequenceFit& fit, const std::vector<float>& values, NumberType type) {
  return sequence_bytes(*fit.model(), values.data(), {kMilestone}, type);
}

core::Safetensors read(const std::string& bytes) { return refusals::opened(bytes); }

std::string refusal(const std::string& bytes) {
  return refusals::sentence([&] { read_sequences(read(bytes), "it"); });
}

}  // namespace

TEST_CASE("a decoder that was written is opened, the same numbers and the same model") {
  const SequenceFit fit = small();
  SequenceFit::State state = fit.begin(1);
  for (int k = 0; k < 3; ++k) fit.step(state, 1);
  const std::string bytes = bytes_of(fit, state.values, NumberType::float32);
  const OpenedSequences opened = read_sequences(read(bytes), "it");
  CHECK(opened.values == state.values);
  CHECK(opened.model->form == fit.form());
  CHECK(opened.model->task == fit.task());
  CHECK(opened.model->tokens == fit.model()->tokens);
  CHECK(opened.history == std::vector<Milestone>{kMilestone});

  const std::string halves = bytes_of(fit, state.values, NumberType::float16);
  CHECK(halves.size() < 0.75 * static_cast<double>(bytes.size()));
  const std::vector<float> rounded = read_sequences(read(halves), "it").values;
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    CHECK(std::abs(rounded[i] - state.values[i]) <= std::abs(state.values[i]) / 2048 + 3e-8F);
  }
}

TEST_CASE("a decoder with a mask comes back with it; a mask that is none is refused") {
  const SequenceFit plain = small();
  core::BoolMatrix allowed = core::BoolMatrix::Constant(11, 11, true);
  for (core::Index i = 0; i < 11; ++i) {
    for (core::Index j = 0; j + 3 < i; ++j) allowed(i, j) = false;
  }
  core::model::DecoderForm form = plain.form();
  form.sees = core::model::MaskPattern(allowed);
  const SequenceFit fit(plain.task(), form, {.batch = 8});
  const SequenceFit::State state = fit.begin(1);
  const std::string bytes = bytes_of(fit, state.values, NumberType::float32);
  const OpenedSequences opened = read_sequences(read(bytes), "it");
  CHECK(opened.model->form == fit.form());
  CHECK(!(opened.model->form == plain.form()));
  CHECK(refusal(replaced(bytes, R"(\"800\")", R"(\"8x0\")")).find("\"mask\"") != std::string::npos);
}

TEST_CASE("a decoder that learned a text of one's own brings some of it, and no more") {
  std::string text;
  for (int k = 0; k < 100'000; ++k) text += static_cast<char>('a' + k % 23 * (k % 23) % 23);
  SequenceTask task;
  task.story = Story::own;
  task.length = 20;
  task.corpus = corpus_of_characters(text, "it");
  const SequenceFit fit(task, small().form(), {.batch = 8});
  const SequenceFit::State state = fit.begin(1);
  const std::string bytes = bytes_of(fit, state.values, NumberType::float32);
  CHECK(bytes.size() < 60'000);
  const OpenedSequences opened = read_sequences(read(bytes), "it");
  CHECK(opened.model->tokens == fit.model()->tokens);
  const Corpus& kept = *opened.model->task.corpus;
  CHECK(kept.ids.size() == 8192);
  // It is what was held out.
  CHECK(std::equal(kept.ids.begin(), kept.ids.end(),
                   task.corpus->ids.begin() + static_cast<std::ptrdiff_t>(task.corpus->held)));
  CHECK(draw_sequences(opened.model->task, 1, 4, true).size() == 4);
  CHECK(refusal(replaced(bytes, R"(\"text\":[)", R"(\"test\":[)")).find("\"text\"") !=
        std::string::npos);
  const std::string first = R"(\"text\":[)" + std::to_string(kept.ids[0]);
  std::string far = first;
  far.back() = '9', far[far.size() - 2] = '9';
  if (kept.ids[0] >= 10)
    CHECK(refusal(replaced(bytes, first, far)).find("99") != std::string::npos);
}

TEST_CASE("a decoder of byte pairs comes back with its merges") {
  std::string text;
  for (int k = 0; k < 300; ++k) text += "the cat 猫 sat\n";
  SequenceTask task;
  task.story = Story::own;
  task.length = 20;
  task.corpus = corpus_of_pairs(text, 270, "it");
  const SequenceFit fit(task, small().form(), {.batch = 8});
  const SequenceFit::State state = fit.begin(1);
  const std::string bytes = bytes_of(fit, state.values, NumberType::float32);
  const OpenedSequences opened = read_sequences(read(bytes), "it");
  CHECK(opened.model->tokens == fit.model()->tokens);
  CHECK(opened.values == state.values);
  CHECK(sequence_of(opened.model->task, std::string("the 狗")).ids ==
        sequence_of(task, std::string("the 狗")).ids);
  const auto& [first, second] = task.corpus->merges.front();
  const std::string begins = R"(\"merges\":[\")" + first;
  CHECK(refusal(replaced(bytes, begins + " ", begins + "_")).find("\"merges\"") !=
        std::string::npos);
  CHECK(!refusal(
             replaced(bytes, begins + " " + second, begins + " " + std::string(second.size(), '~')))
             .empty());
}

TEST_CASE("every recipe and every scheme of positions comes back, and all recipes are small") {
  std::size_t sum = 0;
  for (const Recipe which : kRecipes) {
    CAPTURE(static_cast<int>(which));
    const SequenceRecipe of = recipe(which);
    const SequenceModel model(of.task, of.form);
    const auto values = model.layout.start<float>(1);
    const std::string bytes = sequence_bytes(model, values.data(), {}, NumberType::float16);
    sum += bytes.size();
    const OpenedSequences opened = read_sequences(read(bytes), "it");
    CHECK(opened.model->task == model.task);
    CHECK(opened.model->form == model.form);
    CHECK(opened.history.empty());
  }
  CHECK(sum < 1'000'000);
  using core::model::Scheme;
  for (const Scheme scheme : core::model::kAllSchemes) {
    CAPTURE(static_cast<int>(scheme));
    const SequenceFit fit = small(scheme);
    const auto opened =
        read_sequences(read(bytes_of(fit, fit.begin(1).values, NumberType::float32)), "it");
    CHECK(opened.model->form.positions.scheme == scheme);
  }
}

TEST_CASE("files that are no decoder say so in one sentence") {
  const SequenceFit fit = small();
  const std::vector<float> values = fit.begin(1).values;
  const std::string bytes = bytes_of(fit, values, NumberType::float32);
  CHECK(refusal(bytes).empty());
  const std::string none =
      "it: expected a decoder trained here, got tensors without its description";
  CHECK(refusal(core::safetensors_bytes({}, NumberType::float32, {})) == none);
  // A translator's, for one.
  CHECK(refusal(core::safetensors_bytes({}, NumberType::float32,
                                        {{"translator", R"({"vocabulary":["a"]})"}})) == none);
  CHECK(refusal(core::safetensors_bytes({}, NumberType::float32,
                                        {{"decoder", R"({"vocabulary":["a"]})"}})) ==
        "it: expected a model's description, got null for \"task\"");
  // Quotes within the metadata's text are escaped.
  CHECK(refusal(replaced(bytes, R"(\"task\":\"copy\")", R"(\"task\":\"cope\")")) ==
        "it: expected a model's description, got \"cope\" for \"task\"");
  CHECK(refusal(replaced(bytes, R"(\"d_model\":8)", R"(\"d_model\":0)")) ==
        "it: expected a model's description, got 0 for \"d_model\"");
  CHECK(refusal(replaced(bytes, R"(\"d_model\":8)", R"(\"d_model\":4)")) ==
        "it: expected \"embedding\" of shape (9, 4), got (9, 8)");
  CHECK(refusal(replaced(bytes, R"(\"key_heads\":1)", R"(\"key_heads\":3)")) ==
        "it: heads: expected a number that divides the width, 8, and that the key heads divide, "
        "got 2 and 3");
  CHECK(refusal(replaced(bytes, R"(\"longest_sequence\":64)", R"(\"longest_sequence\":09)"))
            .find("it: ") == 0);
  CHECK(refusal(replaced(bytes, R"(\"longest_sequence\":64)", R"(\"longest_sequence\":2 )")) ==
        "it: positions: expected as many as the longest sequence has tokens, 10, got 2");
  CHECK(refusal(replaced(bytes, R"(\"longest_sequence\":64)", R"(\"longest_sequence\":9e)"))
            .find("it: ") == 0);
  CHECK(refusal(replaced(bytes, R"(\"longest\":4,)", R"(\"longest\":9,)")).find("it: longest") ==
        0);
  // Nothing is taken for what only the description says.
  CHECK(refusal(replaced(bytes, R"(\"layers\":2)", R"(\"layers\":9)")) ==
        "it: expected the parameter \"decoder.2.self.query.weight\", got none");
  CHECK(refusal(replaced(bytes, R"(\"layers\":2)", R"(\"layers\":1)")).find("as well") !=
        std::string::npos);
  CHECK(refusal(replaced(bytes, R"(\"symbols\":6)", R"(\"symbols\":7)")) ==
        "it: expected the tokens of its task, got others");
  CHECK(refusal(replaced(bytes, R"(\"vocabulary\":[)", R"(\"vocabulari\":[)")) == none);
  std::vector<float> broken = values;
  broken[3] = std::numeric_limits<float>::quiet_NaN();
  CHECK(refusal(bytes_of(fit, broken, NumberType::float32)).find("finite") != std::string::npos);
}

}  // namespace sequence_file_test
