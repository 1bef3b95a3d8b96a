// A trained translator as a file: its parameters, and in the metadata what it is made of, the task
// and the vocabulary, so that it can be opened without anything else.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/io/safetensors.h"
#include "core/task/pair_fit.h"

namespace core::task {

// What a file says besides its parameters. The pairs of an own list are not kept.
struct TranslatorFacts {
  PairTask task;
  TranslatorForm form;
  std::vector<std::string> symbols;
  Index steps = 0;      // of training
  double accuracy = 0;  // on held-out pairs, as measured then
};

std::string translator_bytes(const TranslatorFacts& facts, const Translator& translator,
                             const float* values, NumberType type);

// InputError for a file that is none of a translator's, or not whole; it calls the file `name`.
struct OpenedTranslator {
  TranslatorFacts facts;
  Vocabulary vocabulary;
  Translator translator;
  std::vector<float> values;
};
OpenedTranslator read_translator(const Safetensors& file, const std::string& name,
                                 const Cancel& cancel = {});

}  // namespace core::task
