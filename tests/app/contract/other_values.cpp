#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "assets/assets.h"
#include "core/io/tensor/safetensors.h"
#include "core/random.h"
#include "core/task/document/document_file.h"
#include "core/task/pair/translator_file.h"
#include "core/task/sequence/sequence_file.h"

#include "folder.h"
#include "settings.h"

namespace contract {

namespace {

// Each entry alone, one more item at the end, and the first one moved down.
std::vector<std::string> other_stacks(const param::Stack& stack) {
  const param::Catalogue& catalogue = *stack.catalogue;
  std::vector<std::string> all;
  const auto add = [&](const param::StackItems& items) {
    if (items != *stack.value) all.push_back(param::serialize_stack(items, catalogue));
  };
  for (int k = 0; k < static_cast<int>(catalogue.entries.size()); ++k) {
    add({param::initial_item(catalogue, k)});
  }
  if (stack.value->size() < stack.most) {
    param::StackItems longer = *stack.value;
    const int joined = catalogue.operations.size() > 1 ? 1 : 0;
    longer.push_back(param::initial_item(catalogue, 0, joined));
    add(longer);
  }
  add(param::with_moved(*stack.value, 0, 1));
  return all;
}

// One point fewer, one more, and the first one elsewhere.
std::vector<std::string> other_points(const param::Points& kind) {
  std::vector<std::string> texts;
  const auto middle = param::nearest(kind, kind.x_min * 0.375 + kind.x_max * 0.625,
                                     kind.y_min * 0.375 + kind.y_max * 0.625);
  param::PointList points = *kind.value;
  if (points.size() < kind.most) {
    points.push_back(middle);
    texts.push_back(param::serialize(points));
    points.pop_back();
  }
  if (points.empty()) return texts;
  points.pop_back();
  texts.push_back(param::serialize(points));
  points = *kind.value;
  points.front() = middle;
  texts.push_back(param::serialize(points));
  return texts;
}

// With another word; where they are names that were found, each of them alone.
std::vector<std::string> other_texts(const param::Text& kind) {
  if (!kind.words) return {*kind.value + " otter"};
  std::vector<std::string> texts;
  for (const param::Named& name : *kind.words) {
    if (name.id != *kind.value) texts.push_back(name.id);
  }
  return texts;
}

// Each other name there is, and one there is not.
std::vector<std::string> other_names(const param::Name& kind) {
  std::vector<std::string> names{"no such name"};
  for (std::size_t k = 0; kind.names && k < kind.names->size(); ++k) {
    if (kind.at() != k) names.push_back((*kind.names)[k].id);
  }
  return names;
}

}  // namespace

namespace {

// Of a lab that learns from pairs, in its first steps.
std::string sample_translator(core::task::TranslatorForm::Kind kind) {
  core::task::TranslatorForm form;
  form.kind = kind;
  form.transformer.layer = {.d_model = 8, .heads = 2, .key_heads = 2, .feed_forward = {.width = 8}};
  const core::task::PairFit fit({.kind = core::task::Kind::reversal, .letters = 4, .longest = 4},
                                form, {.batch = 8});
  core::task::PairFit::State state = fit.begin(1);
  fit.step(state, 1);
  const auto model = fit.model();
  return core::task::translator_bytes(
      {fit.task(), form, model->vocabulary.symbols(), {core::task::PairFit::milestone(state)}},
      model->translator, state.values.data(), core::NumberType::float32);
}

// Of the lab of documents.
std::string sample_reader() {
  core::task::DocumentForm form;
  form.embedding = form.of_words.hidden = form.of_sentences.hidden = 2;
  const core::task::DocumentFit fit({core::task::DocumentKind::topics}, form, {.batch = 8});
  const auto state = fit.begin(1);
  return core::task::document_bytes(*fit.model(), state.values.data(),
                                    {core::task::DocumentFit::milestone(state)},
                                    core::NumberType::float32);
}

// Of the labs of decoders.
std::string sample_decoder() {
  const core::task::SequenceFit fit(
      {.symbols = 5, .shortest = 3, .longest = 4, .length = 10},
      {.layer = {.d_model = 8, .heads = 2, .key_heads = 1, .feed_forward = {.width = 8}},
       .layers = 1,
       .positions = {.scheme = core::model::Scheme::learned, .longest = 12}},
      {.batch = 8});
  core::task::SequenceFit::State state = fit.begin(1);
  fit.step(state, 1);
  return core::task::sequence_bytes(*fit.model(), state.values.data(),
                                    {core::task::SequenceFit::milestone(state)},
                                    core::NumberType::float32);
}

// Of the lab of one's own tensors: two layers of two heads, their queries, and keys that both
// share.
std::string sample_heads() {
  std::vector<float> weights, vectors;
  for (int k = 0; k < 2 * 2 * 5 * 5; ++k) weights.push_back(static_cast<float>(k % 7) / 15);
  for (int k = 0; k < 2 * 2 * 5 * 4; ++k) vectors.push_back(static_cast<float>(k % 5) - 2);
  return core::safetensors_bytes({{"attention", {2, 2, 5, 5}, weights.data()},
                                  {"more", {2, 2, 5, 5}, weights.data()},
                                  {"q", {2, 2, 5, 4}, vectors.data()},
                                  {"k", {2, 1, 5, 4}, vectors.data()}},
                                 core::NumberType::float32, {});
}

const std::string kSample = "attnscope_contract_sample";  // pages say it
const test::Folder& samples() {
  static const test::Folder folder;
  return folder;
}

// The file's whole name, which has what `bytes` returns in it. It is written once: a file with
// another stamp is another file.
template <class Bytes>
std::string sample(const std::string& name, Bytes bytes) {
  const std::string whole = kSample + name;
  if (!std::filesystem::exists(samples() / whole)) samples().write(whole, bytes());
  return samples().file(whole);
}

// The folder of a published model: one that travels with the program.
std::string sample_folder() {
  const std::string folder = kSample + "_checkpoint";
  std::filesystem::create_directory(samples() / folder);
  for (const char* file : {"config.json", "model.safetensors", "tokenizer.json"}) {
    sample("_checkpoint/" + std::string(file),
           [&] { return std::string(assets::find(std::string("checkpoints/gpt2/") + file)); });
  }
  return samples().file(folder);
}

}  // namespace

std::string sample_file(const Parameter& p) {
  using Kind = core::task::TranslatorForm::Kind;
  const auto& kind = std::get<param::File>(p.kind);
  if (p.info.id == "folder") return sample_folder();
  if (p.info.id == "documents_file") return sample("_documents.safetensors", sample_reader);
  if (p.info.id == "story_file") return sample("_story.safetensors", sample_decoder);
  if (kind.endings.starts_with(".npy")) return sample("_heads.safetensors", sample_heads);
  if (kind.endings == ".safetensors") {
    const bool recurrent = p.info.id == "recurrent_file";
    return sample(recurrent ? "_r.safetensors" : "_t.safetensors", [&] {
      return sample_translator(recurrent ? Kind::recurrent : Kind::transformer);
    });
  }
  if (kind.endings.starts_with(".txt")) {
    return sample(".txt", [] { return "a b,b a\nb c,c b\nc a,a c\n"; });
  }
  if (kind.endings.find(".csv") == std::string_view::npos) {
    throw std::logic_error("no sample of a file that ends in " + std::string(kind.endings));
  }
  return sample(".csv",
                [] { return "x,y,z,said\n0.5,1,7,a\n1,3,6,b\n2.5,2,8,c\n4,2.5,5,d\n4.5,4,9,e\n"; });
}

std::vector<std::string> other_values(const Parameter& p) {
  if (const auto* flag = std::get_if<param::Flag>(&p.kind))
    return {*flag->value ? "false" : "true"};
  if (const auto* choice = std::get_if<param::Choice>(&p.kind)) {
    std::vector<std::string> ids;
    for (std::size_t k = 0; k < choice->options.size(); ++k) {
      if (static_cast<int>(k) != choice->get()) ids.emplace_back(choice->options[k].id);
    }
    return ids;
  }
  if (const auto* text = std::get_if<param::Text>(&p.kind)) return other_texts(*text);
  if (const auto* stack = std::get_if<param::Stack>(&p.kind)) return other_stacks(*stack);
  if (std::holds_alternative<param::Painted>(p.kind)) return {"0:0", "0-9:0-4,6", "3:2;5:1-7"};
  if (const auto* points = std::get_if<param::Points>(&p.kind)) return other_points(*points);
  if (const auto* name = std::get_if<param::Name>(&p.kind)) return other_names(*name);
  if (std::holds_alternative<param::File>(p.kind)) return {sample_file(p)};
  const double now = *param::number(p);
  std::vector<std::string> values;
  for (const double wanted : {now + 1, now - 1, now / 2, now * 2}) {
    const double value = param::nearest(p, wanted);
    if (value == now) continue;
    values.push_back(number_text(p, value));
  }
  return values;
}

param::Values with_short_training(const Lab& lab, param::Values values) {
  const auto state = lab.make();
  param::assign(state->describe(), values);
  param::List list = state->list();
  for (const auto& [id, most] :
       {std::pair{"warmup", 4.0}, {"steps", 12.0}, {"step", 12.0}, {"batch", 4.0}}) {
    const Parameter* p = list.find(id);
    if (!p || param::number(*p) <= most) continue;
    std::erase_if(values, [&name = id](const auto& one) { return one.first == name; });
    values.emplace_back(id, number_text(*p, most));
  }
  return values;
}

std::vector<param::Values> settings(const Lab& lab) {
  std::vector<param::Values> all{{}};
  for (const auto& preset : lab.presets) {
    bool large = false;
    for (const auto& [id, value] : preset.values)
      large |= (id == "length" || id == "n") && value.size() > 3;
    if (!large) all.push_back(preset.values);
  }
  const auto state = lab.make();
  const param::List list = state->list();
  for (const Parameter& p : list.items()) {
    if (std::holds_alternative<param::File>(p.kind)) {
      all.push_back({{std::string(p.info.id), sample_file(p)}});
    }
  }
  for (param::Values& values : all) values = with_short_training(lab, std::move(values));
  return all;
}

namespace {

// Anywhere in its range, as a slider would set it.
std::string anywhere(const Parameter& p, double share) {
  const param::Info& info = p.info;
  const double wanted = info.scale == param::Scale::log
                            ? info.min * std::pow(info.max / info.min, share)
                            : info.min + share * (info.max - info.min);
  return number_text(p, param::nearest(p, wanted));
}

}  // namespace

void change_one(State& state, core::Random& random) {
  const param::List list = state.list();
  std::vector<const Parameter*> active;
  for (const Parameter& p : list.items()) {
    // A stopwatch gives other numbers each time.
    const bool measures = p.info.id == "measurement" || p.info.id == "measure";
    if (p.info.active && !measures) active.push_back(&p);
  }
  const auto pick = [&random](std::size_t count) {
    return random.below(static_cast<std::uint32_t>(count));
  };
  const Parameter& p = *active.at(pick(active.size()));
  const std::vector<std::string> others = other_values(p);
  // An integer may be a size: it stays near to where it is.
  const bool far = std::holds_alternative<param::Real>(p.kind) && pick(2) == 0;
  const double share = random.uniform();
  set(state, p.info.id, far ? anywhere(p, share) : others.at(pick(others.size())));
}

std::vector<Setting> random_settings(const Lab& lab, int count) {
  core::Random random(core::hash64(lab.id));
  const std::vector<param::Values> starts = settings(lab);
  std::vector<Setting> all;
  for (int k = 0; k < count; ++k) {
    const auto state = lab.make();
    param::assign(state->describe(), starts[static_cast<std::size_t>(k) % starts.size()]);
    for (int change = 0; change < 4; ++change) change_one(*state, random);
    all.push_back({"random" + std::to_string(k + 1), param::values(state->describe())});
  }
  return all;
}

std::vector<Setting> presets_and_random(const Lab& lab) {
  std::vector<Setting> all{{"default", {}}};
  for (const auto& preset : lab.presets) all.push_back({std::string(preset.id), preset.values});
  for (Setting& setting : random_settings(lab, 12)) all.push_back(std::move(setting));
  return all;
}

}  // namespace contract
