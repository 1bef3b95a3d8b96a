// What is opened: a file, or a shipped decoder's heads as a file would have them.
#include "app/labs/shared/model/published_model.h"
#include "app/labs/shared/model/story_model.h"
#include "app/labs/shared/model/traced.h"
#include "app/labs/shared/parts.h"
#include "app/labs/tensors/model.h"
#include "core/checkpoint/inside/head_arrays.h"
#include "core/heads/saved_by_mistake.h"
#include "core/io/memory_bytes.h"

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

Recipe recipe_of(Sample sample) {
  switch (sample) {
    case Sample::english: return Recipe::text_english;
    case Sample::addition: return Recipe::addition;
    case Sample::read:
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
  return source_of(sample == Sample::training
                       ? std::vector<NumberArray>{core::heads::saved_by_mistake(arrays.front())}
                       : arrays,
                   *story_tokens(*model, pass.text.sequence.ids));
}

// Some of its words are several tokens.
constexpr const char* kReadSentence =
    "The shepherd watched the lambs, and the lambs followed the shepherd.";

Source read_sample(const Run& run) {
  const PublishedModel opened = open_published(PublishedSource::of("", ShippedModel::english), run);
  const auto ids = published_text(opened, kReadSentence, true, run.cancel).ids;
  core::checkpoint::ForwardOptions<float> options;
  options.keep_heads = true;
  options.logits = core::checkpoint::Logits::none;
  options.threads = run.threads;
  const auto trace = opened.model->forward({.tokens = ids}, options, run.cancel);
  return source_of(core::checkpoint::head_arrays(opened.facts(), trace.decoder, false,
                                                 numbered(opened.facts().layers)),
                   each(ids, [&](const std::int32_t id) { return opened.shown(id); }));
}

Source open_file(const FileStamp& stamp, const Run& run) {
  return core::heads::open_head_file(stamp.path, run.cancel);
}

}  // namespace

SourcePointer opened(const std::string& name, const std::string& path, Sample sample,
                     const Context& context) {
  if (!path.empty()) return context.stage(name, open_file, stamp_of(path));
  if (sample == Sample::read) return context.stage(name + " read", read_sample);
  const LearnedStory story =
      shipped_story(name + " model", story_asset(recipe_of(sample)), context);
  return context.stage(name + " sample", sample_of, story.model, story.values, sample);
}

}  // namespace lab::tensors
