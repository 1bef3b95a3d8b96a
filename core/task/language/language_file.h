// A language model's files: where its training stands, the folder as published models have it, and
// one of its own for schemes of positions that no published layout has.
#pragma once

#include <memory>
#include <string>

#include "core/io/tensor/safetensors.h"
#include "core/task/language/language_fit.h"

namespace core::task {

// All that a training needs to go on, as a .safetensors file: parameters and moments in float32.
// about: of whoever trains; it is given back.
std::string state_bytes(const LanguageFit& fit, const LanguageState& state,
                        const std::string& about);
struct ReadState {
  LanguageState state;
  std::string about;
};
// InputError where the file is none, or of another form, other options or another text than the
// fit's. `name` is what messages call it.
ReadState read_state(const LanguageFit& fit, const std::shared_ptr<const ByteSource>& file,
                     const std::string& name);

// The config.json and model.safetensors of a LLaMA that computes the same. separator: the token
// that texts begin and end with. Pairs of a rotation lie half a head apart there, so the rows of
// queries and keys are in another order.
std::string llama_config(const LanguageForm& form, std::int32_t separator, NumberType type);
std::string llama_bytes(const LanguageModel& model, const float* values, NumberType type);

// The model in a .safetensors file of its own, with its form.
std::string language_bytes(const LanguageModel& model, const float* values, NumberType type);
struct ReadLanguage {
  LanguageModel model;
  std::vector<float> values;
};
// InputError for anything else than such a file, which messages call `name`.
ReadLanguage read_language(const std::shared_ptr<const ByteSource>& file, const std::string& name,
                           const Cancel& cancel = {});

}  // namespace core::task
