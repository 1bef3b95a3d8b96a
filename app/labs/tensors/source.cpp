// What is opened: a file, or a shipped decoder's heads as a file would have them.
#include "app/labs/shared/model/story_model.h"
#include "app/labs/shared/model/traced.h"
#include "app/labs/shared/parts.h"
#include "app/labs/tensors/model.h"
#include "core/heads/head_arrays.h"
#include "core/io/memory_bytes.h"
#include "core/random.h"

namespace lab::tensors {
namespace {

using core::heads::NumberArray;
using core::task::SequenceModel;

Source source_of(const std::vector<NumberArray>& arrays, std::vector<std::string> tokens) {
  const std::string name = "attnscope";
  const auto bytes = std::make_shared<const std::string>(core::heads::safetensors_of(arrays));
  auto file = std::make_shared<core::TensorFile>();
  file->name = name;
  file->tensors =
      core::read_safetensors(std::make_shared<const core::MemoryBytes>(bytes), name).tensors;
  return {.name = name, .file = std::move(file), .tokens = std::move(tokens)};
}

struct Pass {
  std::shared_ptr<const SequenceModel> model;
  StoryText text;
  core::task::LookedSequence looked;
};

Pass pass_of(const LearnedStory& story, int example) {
  constexpr Index kMost = 96;
  Pass pass{story.model, story_text(*story.model, "", example, kMost), {}};
  pass.looked = core::task::look(*pass.model, story.numbers(), pass.text.sequence.ids);
  return pass;
}

std::vector<NumberArray> arrays_of(const Pass& pass) {
  const auto& form = pass.model->form;
  const Index heads = form.layer.heads, n = pass.text.tokens();
  const Index width = form.layer.d_model / heads;
  std::vector<NumberArray> arrays{{"attention", {form.layers, heads, n, n}},
                                  {"q", {form.layers, heads, n, width}},
                                  {"k", {form.layers, form.layer.key_heads, n, width}}};
  for (Index layer = 0; layer < form.layers; ++layer) {
    const auto traced = [&](const char* what) -> const auto& {
      return pass.looked.trace.at(fmt::format("decoder.{}.self.{}", layer, what));
    };
    arrays[0].add(traced("weights").values.data(), heads * n * n);
    arrays[1].add_heads(row_matrix(traced("queries")), heads);
    arrays[2].add_heads(row_matrix(traced("keys")), form.layer.key_heads);
  }
  return arrays;
}

// --- how weights are saved by mistake

constexpr Index kPadding = 4;  // tokens
constexpr double kDropout = 0.1;

// As a module in training gives them: of the weights that are left each is divided by 1 - p.
void drop_some(std::vector<float>& weights) {
  core::Random random(17);
  for (float& weight : weights) {
    weight = random.uniform() < kDropout ? 0 : to_float(weight / (1 - kDropout));
  }
}

// Tokens at the front are padding: nobody sees them, and their own rows, of which nothing is left,
// are 0 / 0.
void pad_front(std::vector<float>& weights, Index n) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t begin = 0; begin < weights.size(); begin += to_size(n)) {
    const Index query = to_index(begin / to_size(n)) % n;
    float* const row = weights.data() + begin;
    std::fill(row, row + kPadding, 0.0F);
    const float sum = std::accumulate(row, row + n, 0.0F);
    for (Index j = 0; j < n; ++j) row[j] = query < kPadding ? nan : row[j] / sum;
  }
}

// The logarithm of a weight is its score but for what is the same in the whole row.
void undo_softmax(std::vector<float>& weights) {
  for (float& weight : weights) weight = std::log(std::max(weight, 1e-9F));
}

// (layers, 4, heads, n, n): as they are, with dropout, padded in front, scores.
std::vector<NumberArray> spoilt(const NumberArray& sound) {
  const Index layers = sound.shape[0], heads = sound.shape[1], n = sound.shape[2];
  const auto block = static_cast<std::ptrdiff_t>(heads * n * n);
  NumberArray all{"attention", {layers, 4, heads, n, n}};
  for (Index layer = 0; layer < layers; ++layer) {
    const auto begin = sound.values.begin() + layer * block;
    for (int how = 0; how < 4; ++how) {
      std::vector<float> weights(begin, begin + block);
      if (how == 1) drop_some(weights);
      if (how == 2) pad_front(weights, n);
      if (how == 3) undo_softmax(weights);
      all.add(weights.data(), block);
    }
  }
  return {all};
}

Recipe recipe_of(Sample sample) {
  switch (sample) {
    case Sample::english: return Recipe::text_english;
    case Sample::addition: return Recipe::addition;
    case Sample::induction:
    case Sample::training: break;
  }
  return Recipe::induction;
}

Source sample_of(const std::shared_ptr<const SequenceModel>& model,
                 const std::shared_ptr<const std::vector<float>>& values, Sample sample,
                 const Run&) {
  LearnedStory story;
  story.model = model;
  story.values = values;
  const Pass pass = pass_of(story, sample == Sample::addition ? 1 : 0);
  const std::vector<NumberArray> arrays = arrays_of(pass);
  return source_of(sample == Sample::training ? spoilt(arrays.front()) : arrays,
                   *story_tokens(*model, pass.text.sequence.ids));
}

Source open_file(const FileStamp& stamp, const Run& run) {
  return core::heads::open_head_file(stamp.path, run.cancel);
}

}  // namespace

SourcePointer opened(const std::string& name, const std::string& path, Sample sample,
                     const Context& context) {
  if (!path.empty()) return context.stage(name, open_file, stamp_of(path));
  const LearnedStory story =
      shipped_story(name + " model", story_asset(recipe_of(sample)), context);
  context.cancel.poll();
  return context.stage(name + " sample", sample_of, story.model, story.values, sample);
}

}  // namespace lab::tensors
