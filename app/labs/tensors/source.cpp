// What is opened: a file, or a shipped decoder's heads as a file would have them.
#include <filesystem>

#include "app/labs/shared/model/story_model.h"
#include "app/labs/shared/model/traced.h"
#include "app/labs/shared/parts.h"
#include "app/labs/tensors/model.h"
#include "core/io/tensor/safetensors.h"
#include "core/random.h"
#include "core/text/printable.h"

namespace lab::tensors {
namespace {

using core::task::SequenceModel;

// Bytes that live as long as an array of them is looked at.
class KeptBytes final : public core::ByteSource {
 public:
  explicit KeptBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t begin, std::span<std::byte> to, const core::Cancel&) const override {
    const auto from = std::as_bytes(std::span(bytes_)).subspan(begin, to.size());
    std::copy(from.begin(), from.end(), to.begin());
  }

 private:
  std::string bytes_;
};

// Numbers with their axes, before they are a file's bytes.
struct Numbers {
  std::string name;
  std::vector<Index> shape;
  std::vector<float> values = {};
};

std::shared_ptr<const core::TensorFile> file_of(const std::string& name,
                                                const std::vector<Numbers>& arrays) {
  const auto tensors = each(arrays, [&](const Numbers& one) {
    return core::FloatTensor{one.name, one.shape, one.values.data()};
  });
  auto bytes = std::make_shared<const KeptBytes>(
      core::safetensors_bytes(tensors, core::NumberType::float32, {}));
  auto file = std::make_shared<core::TensorFile>();
  file->name = name;
  file->tensors = core::read_safetensors(bytes, name).tensors;
  return file;
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

std::vector<Numbers> arrays_of(const Pass& pass) {
  const auto& form = pass.model->form;
  const Index heads = form.layer.heads, n = pass.text.tokens();
  const Index width = form.layer.d_model / heads;
  std::vector<Numbers> arrays{{"attention", {form.layers, heads, n, n}},
                              {"q", {form.layers, heads, n, width}},
                              {"k", {form.layers, form.layer.key_heads, n, width}}};
  for (Index layer = 0; layer < form.layers; ++layer) {
    const auto traced = [&](const char* what) -> const auto& {
      return pass.looked.trace.at(fmt::format("decoder.{}.self.{}", layer, what));
    };
    const auto& weights = traced("weights").values;
    arrays[0].values.insert(arrays[0].values.end(), weights.begin(), weights.end());
    append_heads(row_matrix(traced("queries")), heads, arrays[1].values);
    append_heads(row_matrix(traced("keys")), form.layer.key_heads, arrays[2].values);
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
std::vector<Numbers> spoilt(const Numbers& sound) {
  const Index layers = sound.shape[0], heads = sound.shape[1], n = sound.shape[2];
  const auto block = static_cast<std::ptrdiff_t>(heads * n * n);
  Numbers all{"attention", {layers, 4, heads, n, n}};
  for (Index layer = 0; layer < layers; ++layer) {
    const auto begin = sound.values.begin() + layer * block;
    for (int how = 0; how < 4; ++how) {
      std::vector<float> weights(begin, begin + block);
      if (how == 1) drop_some(weights);
      if (how == 2) pad_front(weights, n);
      if (how == 3) undo_softmax(weights);
      all.values.insert(all.values.end(), weights.begin(), weights.end());
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
  const std::vector<Numbers> arrays = arrays_of(pass);
  Source source;
  source.name = "attnscope";
  source.file = file_of(source.name, sample == Sample::training ? spoilt(arrays.front()) : arrays);
  source.tokens = *story_tokens(*model, pass.text.sequence.ids);
  return source;
}

// What is there and holds no number is told as what cannot be read is.
void leave_out_empty(core::TensorFile& file) {
  std::vector<core::Tensor> kept;
  for (core::Tensor& tensor : file.tensors) {
    if (tensor.count() > 0) {
      kept.push_back(std::move(tensor));
      continue;
    }
    file.unread.push_back(
        {tensor.name,
         core::Message(N_("{}, array \"{}\": expected at least one number, got the shape {}"),
                       tensor.file, core::printable(tensor.name),
                       core::tensor_shape_text(tensor.shape))});
  }
  file.tensors = std::move(kept);
}

Source open_file(const FileStamp& stamp, const Run& run) {
  const std::filesystem::path path(stamp.path);
  auto file = std::make_shared<core::TensorFile>(*core::open_tensors(path, run.cancel));
  leave_out_empty(*file);
  Source source;
  source.name = core::printable(path.filename().string(), 400);
  std::vector<core::Tensor> stacks = stacked_layers(file->tensors);
  for (const core::Tensor& stack : stacks) source.stacks.push_back(stack.name);
  file->tensors.insert(file->tensors.begin(), stacks.begin(), stacks.end());
  source.file = std::move(file);
  return source;
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
