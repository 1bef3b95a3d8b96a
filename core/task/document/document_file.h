// A trained reader of documents as a file: its parameters, and in the metadata what it is made of,
// the task and the vocabulary, so that it can be opened without anything else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/io/tensor/safetensors.h"
#include "core/task/document/document_fit.h"

namespace core::task {

std::string document_bytes(const DocumentModel& model, const float* values,
                           const std::vector<Milestone>& history, NumberType type);

// InputError for a file that is none of such a model's, or not whole; it calls the file `name`.
struct OpenedDocuments {
  std::shared_ptr<const DocumentModel> model;
  std::vector<Milestone> history;
  std::vector<float> values;
};
OpenedDocuments read_documents(const Safetensors& file, const std::string& name,
                               const Cancel& cancel = {});

}  // namespace core::task
