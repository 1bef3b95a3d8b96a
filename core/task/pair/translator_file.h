// A trained translator as a file: its parameters, and in the metadata what it is made of, the task
// and the vocabulary, so that it can be opened without anything else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/io/tensor/safetensors.h"
#include "core/task/pair/pair_fit.h"

namespace core::task {

// What a file says besides its parameters. The pairs of an own list are not kept.
struct TranslatorFacts {
  PairTask task;
  TranslatorForm form;
  std::vector<std::string> symbols;
  std::vector<Milestone> history;  // of its training
};

std::string translator_bytes(const TranslatorFacts& facts, const Translator& translator,
                             const float* values, NumberType type);

// InputError for a file that is none of a translator's, or not whole; it calls the file `name`.
struct OpenedTranslator {
  TranslatorForm form;
  std::vector<Milestone> history;
  std::shared_ptr<const PairModel> model;
  std::vector<float> values;
};
OpenedTranslator read_translator(const Safetensors& file, const std::string& name,
                                 const Cancel& cancel = {});

}  // namespace core::task
