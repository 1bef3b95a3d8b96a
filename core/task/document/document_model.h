// The hierarchical attention network as it reads documents: batches, how well it does, what it
// looks at, and what each word is worth to it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/hierarchical.h"
#include "core/model/learning/parts.h"
#include "core/task/document/documents.h"

namespace core::task {

// The vocabulary and the classes come from the task.
using DocumentForm = model::HierarchicalAttention::Form;

// Ids of the words of each sentence.
struct EncodedDocument {
  std::vector<std::vector<std::int32_t>> sentences;
  std::int32_t label = 0;

  Index words() const;
};
EncodedDocument encode(const Vocabulary& vocabulary, const Document& document);
// Without one word; a sentence that is left without words is gone too.
EncodedDocument without(const EncodedDocument& document, Document::WordPosition word);

class DocumentBatch {
 public:
  // Fills in documents [first, first + count). One without words is read as an empty sentence.
  void fill(const std::vector<EncodedDocument>& documents, Index first, Index count);

  const std::int32_t* ids() const { return ids_.data(); }
  const std::int32_t* labels() const { return labels_.data(); }
  Index counted() const { return static_cast<Index>(labels_.size()); }  // of them a loss counts all
  // They point into this batch.
  model::Documents documents() const;

 private:
  Index sentences_ = 0, words_ = 0;
  std::vector<std::int32_t> ids_, labels_;
  std::vector<Index> sentence_counts_, word_counts_;
};

// A task with a model for it, and room to compute in: everything but the numbers that are learned.
struct DocumentModel {
  DocumentTask task;
  Vocabulary vocabulary;
  DocumentForm form;
  model::Layout layout;
  model::HierarchicalAttention net;
  mutable model::ObjectPool<model::Tape<float>> tapes = {};

  DocumentModel(const DocumentTask& of, const DocumentForm& as, std::vector<std::string> words);
  EncodedDocument encoded(const Document& document) const { return encode(vocabulary, document); }
};

struct DocumentScore {
  Index documents = 0, right = 0;
  double loss = 0;  // mean

  double accuracy() const {
    return documents == 0 ? 0 : static_cast<double>(right) / static_cast<double>(documents);
  }
};

// values: the parameters of the model's layout, here and below.
DocumentScore score(const DocumentModel& model, const float* values,
                    const std::vector<EncodedDocument>& documents, int threads);

// The logits of each, (documents, classes).
Matrix logits(const DocumentModel& model, const float* values,
              const std::vector<EncodedDocument>& documents, int threads);

// What one level was given and made of it; of words the rows of all sentences, each as long as the
// longest.
struct LookedLevel {
  Matrix inputs, states;   // (rows, width)
  Matrix scores, weights;  // (sequences, length)
};
// One pass over a document.
struct LookedDocument {
  LookedLevel words, sentences;
  VectorD document, logits;
  // A word's weight in the document: its weight in its sentence times the sentence's.
  double weight(Index sentence, Index word) const {
    return static_cast<double>(words.weights(sentence, word)) * sentence_weight(sentence);
  }
  double sentence_weight(Index sentence) const {
    return static_cast<double>(sentences.weights(0, sentence));
  }
};
LookedDocument look(const DocumentModel& model, const float* values,
                    const EncodedDocument& document);

// log(p / (1 - p)) of a class.
double log_odds(const VectorD& logits, Index label);

// For each word of each sentence by how much the log-odds of the likeliest class fall when it is
// left out.
std::vector<std::vector<double>> worth_of_words(const DocumentModel& model, const float* values,
                                                const EncodedDocument& document, int threads);

}  // namespace core::task
