#include "app/labs/transformer/depth.h"

#include "core/model/layer/cross_entropy.h"
#include "core/model/layer/embedding.h"
#include "core/parallel.h"
#include "core/random.h"

namespace lab::transformer {
namespace {

using core::Random;
using core::model::Sequences, core::model::Tape, core::model::Trace;
using FloatTensor = core::model::Tensor<float>;

template <std::size_t N>
std::string one_of(const std::array<std::string_view, N>& all, Random& random) {
  return std::string(all[random.below(N)]);
}

std::string sentence(Random& random) {
  static constexpr std::array<std::string_view, 4> kShe = {"Anna", "Mary", "Lucy", "Sue"};
  static constexpr std::array<std::string_view, 4> kHe = {"Tom", "Ben", "Paul", "Jack"};
  static constexpr std::array<std::string_view, 6> kThings = {"ball", "key", "book",
                                                              "hat",  "cup", "box"};
  static constexpr std::array<std::string_view, 5> kColors = {"red", "blue", "green", "old", "new"};
  static constexpr std::array<std::string_view, 4> kBeasts = {"cat", "dog", "bird", "horse"};
  static constexpr std::array<std::string_view, 3> kVerbs = {"see", "like", "fear"};
  static constexpr std::array<std::string_view, 4> kPlaces = {"under", "in", "near", "behind"};
  const bool she = random.below(2) == 0;
  const std::string name = she ? one_of(kShe, random) : one_of(kHe, random);
  const std::string other = she ? one_of(kHe, random) : one_of(kShe, random);
  switch (random.below(4)) {
    case 0: {
      const std::string thing = one_of(kThings, random), color = one_of(kColors, random);
      return name + " has a " + thing + " that is " + color + ". " + (she ? "She" : "He") +
             " gives the " + thing + " to " + other + ".\n";
    }
    case 1: {
      const bool many = random.below(2) == 0;
      return "The " + one_of(kColors, random) + " " + one_of(kBeasts, random) +
             (many ? "s " : " ") + one_of(kVerbs, random) + (many ? "" : "s") + " the " +
             one_of(kBeasts, random) + ".\n";
    }
    case 2: {
      const std::string thing = one_of(kThings, random);
      return "Where is the " + thing + "? The " + thing + " is " + one_of(kPlaces, random) +
             " the " + one_of(kThings, random) + ".\n";
    }
    default:
      return name + " likes the " + one_of(kBeasts, random) + ", but " + (she ? "she" : "he") +
             " fears the " + one_of(kBeasts, random) + ".\n";
  }
}

double rms(const std::vector<float>& values) {
  double sum = 0;
  for (const float v : values) sum += to_double(v) * to_double(v);
  return values.empty() ? 0 : std::sqrt(sum / to_double(values.size()));
}

// (batch, tokens, features).
double apart(const core::model::Traced<float>& x) {
  const Index tokens = x.shape.at(1), width = x.shape.at(2);
  double own = 0, all = 0;
  for (Index b = 0; b < x.shape.at(0); ++b) {
    const Eigen::Map<const Matrix> window(x.values.data() + b * tokens * width, tokens, width);
    const MatrixD rows = window.cast<double>();
    own += (rows.rowwise() - rows.colwise().mean()).squaredNorm();
    all += rows.squaredNorm();
  }
  return all > 0 ? std::sqrt(own / all) : 0;
}

double projection_norm(const LetterModel& model, const std::vector<float>& gradients, int layer) {
  double sum = 0;
  for (const char* name : {"query", "key", "value"}) {
    const auto* found = model.layout().find(fmt::format("{}.self.{}.weight", layer, name));
    for (Index k = 0; k < found->slot.size(); ++k) {
      const auto g = to_double(gradients[to_size(found->slot.offset + k)]);
      sum += g * g;
    }
  }
  return std::sqrt(sum);
}

Depth depth_of(const core::model::TransformerForm& form, int layers, int seed) {
  const LetterModel model(form, layers);
  const auto stream = static_cast<std::uint64_t>(seed);
  const std::vector<float> values = model.layout().start<float>(stream);
  std::vector<float> gradients(values.size(), 0.0F);
  const Windows windows = draw_windows(letter_text(4000, stream), stream);
  Trace<float> trace;
  Tape<float> tape;
  tape.begin(values.data(), gradients.data(), {}, &trace);
  const FloatTensor loss = model.loss(tape, windows.ids.data(), windows.next.data(), kBatch,
                                      to_double(kBatch * kWindow));
  tape.backward(loss);
  Depth depth;
  depth.loss = to_double(*loss.value);
  const auto add = [&](const std::string& name) {
    const auto& one = trace.at(name);
    depth.forward.push_back(rms(one.values));
    depth.backward.push_back(rms(one.gradients));
    depth.apart.push_back(apart(one));
  };
  add("placed");
  for (int k = 0; k < layers; ++k) add(fmt::format("{}.out", k));
  depth.first = projection_norm(model, gradients, 0);
  depth.last = projection_norm(model, gradients, layers - 1);
  return depth;
}

}  // namespace

LetterModel::LetterModel(const core::model::TransformerForm& form, Index layers) {
  const core::model::Scope scope(layout_);
  const auto letters = to_index(kLetters.size());
  using core::model::Start;
  embedding_ = scope.declare("embedding", letters, form.d_model, Start::normal(0.5), false);
  core::model::PositionForm positions;
  positions.scheme = Scheme::rotary;
  positions.longest = kWindow;
  stack_ = core::model::TransformerStack::declare(scope, form, layers, false, true, positions);
  output_ =
      core::model::Linear::declare(scope.at("output"), form.d_model, letters,
                                   Start::normal(0.5 / std::sqrt(to_double(form.d_model))), true);
}

FloatTensor LetterModel::loss(Tape<float>& tape, const std::int32_t* ids, const std::int32_t* next,
                              Index batch, double total) const {
  const Sequences sequences{.batch = batch, .length = kWindow};
  const FloatTensor x =
      core::model::embedding(tape, tape.parameter(embedding_), ids, sequences.rows());
  const FloatTensor logits = output_(tape, stack_(tape, x, ids, sequences, {.causal = true}));
  return core::model::cross_entropy(tape, logits, next, to_float(total));
}

std::string letter_text(std::size_t letters, std::uint64_t seed) {
  Random random(core::stream_seed(seed, core::hash64("letters")));
  std::string text;
  while (text.size() < letters) text += sentence(random);
  return text;
}

Windows draw_windows(const std::string& text, std::uint64_t seed) {
  Random random(core::stream_seed(seed, core::hash64("windows")));
  Windows windows;
  const auto id = [](char letter) { return static_cast<std::int32_t>(kLetters.find(letter)); };
  for (Index b = 0; b < kBatch; ++b) {
    const auto from = random.below(static_cast<std::uint32_t>(text.size() - kWindow - 1));
    for (std::size_t k = from; k < from + to_size(kWindow); ++k) {
      windows.ids.push_back(id(text[k]));
      windows.next.push_back(id(text[k + 1]));
    }
  }
  return windows;
}

core::model::TransformerForm small_form(Activation activation) {
  core::model::TransformerForm form;
  form.d_model = 32;
  form.heads = form.key_heads = 2;
  form.feed_forward = {.width = 64, .function = activation};
  return form;
}

core::model::TransformerForm varied(core::model::TransformerForm form, const Variant& variant) {
  form.norm_first = variant.norm == NormPlace::before;
  form.normed = variant.norm != NormPlace::none;
  form.residual = variant.residual;
  return form;
}

Depths depths_of(const core::model::TransformerForm& form, int layers, int seed, const Run& run) {
  Depths depths;
  depths.all.resize(kVariants.size());
  core::parallel_for(to_index(kVariants.size()), run.threads, [&](Index k, int) {
    if (run.cancel.requested()) return;
    const auto at = to_size(k);
    depths.all[at] = depth_of(varied(form, kVariants[at]), layers, seed);
  });
  run.cancel.poll();
  return depths;
}

}  // namespace lab::transformer
