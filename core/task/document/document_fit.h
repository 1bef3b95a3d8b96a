// Training on documents, step by step.
#pragma once

#include <vector>

#include "core/task/document/document_model.h"
#include "core/task/fit.h"

namespace core::task {

struct FitOfDocuments {
  using Model = DocumentModel;
  using Example = EncodedDocument;
  using Batch = DocumentBatch;
  using Held = DocumentScore;
  // What is trained on forgets some words.
  static std::vector<EncodedDocument> draw(const DocumentModel& model, std::uint64_t seed,
                                           Index count, bool held);
  static const model::Layout& layout(const DocumentModel& model) { return model.layout; }
  static Guesses guesses(const DocumentModel& model, model::Tape<float>& tape,
                         const DocumentBatch& batch) {
    return {model.net(tape, batch.ids(), batch.documents()).logits, batch.labels()};
  }
  static DocumentScore look(const DocumentModel& model, const float* values,
                            const std::vector<EncodedDocument>& held, int threads) {
    return score(model, values, held, threads);
  }
  static double right(const DocumentScore& score) { return score.accuracy(); }
};

class DocumentFit : public Fit<FitOfDocuments> {
 public:
  DocumentFit(const DocumentTask& task, const DocumentForm& form, const FitOptions& options);

  bool operator==(const DocumentFit& other) const {
    return model()->task == other.model()->task && model()->form == other.model()->form &&
           options() == other.options();
  }
};

}  // namespace core::task
