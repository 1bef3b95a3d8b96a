// A trained decoder as a file: its parameters, and in the metadata what it is made of, the task and
// its tokens, so that it can be opened without anything else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/io/tensor/safetensors.h"
#include "core/task/sequence/sequence_fit.h"

namespace core::task {

// values: the parameters of the model's layout. float16 halves the file.
std::string sequence_bytes(const SequenceModel& model, const float* values,
                           const std::vector<Milestone>& history, NumberType type);

// InputError, one sentence that calls the file `name`, for one that is none of such a model's, or
// not whole, or whose tokens are not those of its task.
struct OpenedSequences {
  std::shared_ptr<const SequenceModel> model;
  std::vector<Milestone> history;
  std::vector<float> values;
};
OpenedSequences read_sequences(const Safetensors& file, const std::string& name,
                               const Cancel& cancel = {});

}  // namespace core::task
