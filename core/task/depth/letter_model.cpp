#include "core/task/depth/letter_model.h"

#include <array>
#include <cmath>

#include "core/attention/softmax.h"
#include "core/model/layer/cross_entropy.h"
#include "core/model/layer/embedding.h"
#include "core/random.h"
#include "core/refuse.h"

namespace core::task {
namespace {

using model::Start;
using FloatTensor = model::Tensor<float>;

template <std::size_t N>
std::string one_of(const std::array<std::string_view, N>& all, Random& random) {
  return std::string(all[random.below(N)]);
}

// Words are drawn one a statement: in a sum of texts each compiler has an order of its own.
std::string sentence(Random& random) {
  static constexpr std::array<std::string_view, 4> kShe = {"Anna", "Mary", "Lucy", "Sue"};
  static constexpr std::array<std::string_view, 4> kHe = {"Tom", "Ben", "Paul", "Jack"};
  static constexpr std::array<std::string_view, 6> kThings = {"ball", "key", "book",
                                                              "hat",  "cup", "box"};
  static constexpr std::array<std::string_view, 5> kColors = {"red", "blue", "green", "old", "new"};
  static constexpr std::array<std::string_view, 4> kBeasts = {"cat", "dog", "bird", "horse"};
  static constexpr std::array<std::string_view, 3> kVerbs = {"see", "like", "fear"};
  static constexpr std::array<std::string_view, 4> kPrepositions = {"under", "in", "near",
                                                                    "behind"};
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
      const std::string seen = one_of(kBeasts, random), verb = one_of(kVerbs, random),
                        beast = one_of(kBeasts, random), color = one_of(kColors, random);
      return "The " + color + " " + beast + (many ? "s " : " ") + verb + (many ? "" : "s") +
             " the " + seen + ".\n";
    }
    case 2: {
      const std::string thing = one_of(kThings, random), beside = one_of(kThings, random),
                        preposition = one_of(kPrepositions, random);
      return "Where is the " + thing + "? The " + thing + " is " + preposition + " the " + beside +
             ".\n";
    }
    default: {
      const std::string feared = one_of(kBeasts, random), liked = one_of(kBeasts, random);
      return name + " likes the " + liked + ", but " + (she ? "she" : "he") + " fears the " +
             feared + ".\n";
    }
  }
}

}  // namespace

LetterModel::LetterModel(const model::TransformerForm& form, Index layers) {
  const model::Scope scope(layout_);
  const auto letters = static_cast<Index>(kLetters.size());
  embedding_ = scope.declare("embedding", letters, form.d_model, Start::normal(0.5), false);
  model::PositionForm positions;
  positions.scheme = model::Scheme::rotary;
  positions.longest = kLetterWindow;
  stack_ = model::TransformerStack::declare(scope, form, layers, false, true, positions);
  output_ = model::Linear::declare(
      scope.at("output"), form.d_model, letters,
      Start::normal(0.5 / std::sqrt(static_cast<double>(form.d_model))), true);
}

FloatTensor LetterModel::loss(model::Tape<float>& tape, const std::int32_t* ids,
                              const std::int32_t* next, Index batch, double total) const {
  const model::Sequences sequences{.batch = batch, .length = kLetterWindow};
  const FloatTensor x = model::embedding(tape, tape.parameter(embedding_), ids, sequences.rows());
  const FloatTensor logits = output_(tape, stack_(tape, x, ids, sequences, {.causal = true}));
  return model::cross_entropy(tape, logits, next, static_cast<float>(total));
}

model::TransformerForm small_form(model::Activation activation) {
  model::TransformerForm form;
  form.d_model = 32;
  form.heads = form.key_heads = 2;
  form.feed_forward = {.width = 64, .function = activation};
  return form;
}

std::string letter_text(std::size_t letters, std::uint64_t seed) {
  Random random(stream_seed(seed, hash64("letters")));
  std::string text;
  while (text.size() < letters) text += sentence(random);
  return text;
}

double letter_entropy(std::string_view text) {
  if (text.empty()) return 0;
  VectorD shares = VectorD::Zero(256);
  for (const char letter : text) ++shares(static_cast<unsigned char>(letter));
  return entropy<double>(shares / static_cast<double>(text.size()));
}

LetterWindows draw_windows(const std::string& text, std::uint64_t seed) {
  constexpr auto kWindow = static_cast<std::size_t>(kLetterWindow);
  if (text.size() < kWindow + 2) {
    refuse("draw_windows", "at least " + std::to_string(kWindow + 2) + " letters",
           std::to_string(text.size()));
  }
  Random random(stream_seed(seed, hash64("windows")));
  LetterWindows windows;
  const auto id = [](char letter) { return static_cast<std::int32_t>(kLetters.find(letter)); };
  for (Index b = 0; b < kLetterBatch; ++b) {
    const auto from = random.below(static_cast<std::uint32_t>(text.size() - kWindow - 1));
    for (std::size_t k = from; k < from + kWindow; ++k) {
      windows.ids.push_back(id(text[k]));
      windows.next.push_back(id(text[k + 1]));
    }
  }
  return windows;
}

}  // namespace core::task
