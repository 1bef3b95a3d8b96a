// Whether what a reader of documents looks at is what decides: its largest weights, and the words
// whose leaving out changes most, against the places that are known to tell.
#pragma once

#include <optional>
#include <vector>

#include "core/task/document/document_model.h"

namespace core::task {

// Shares of places found, of sentences over documents and of words over telling sentences. Where
// several are largest each counts in part; so `chance` is what equal weights find.
struct Focus {
  double sentence = 0, word = 0;  // by the weights
  double left_out = 0;            // words by leaving them out, in their sentence
  double sentence_chance = 0, word_chance = 0;
  std::vector<double> weights, worth;  // of every word of all documents
  Index documents = 0;
};
Focus focus(const DocumentModel& model, const float* values, const std::vector<Document>& documents,
            const Cancel& cancel, int threads);

// The share of the largest of these that are wanted.
double found(const std::vector<double>& values, const std::vector<Index>& wanted);

}  // namespace core::task
