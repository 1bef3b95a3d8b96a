// Training on documents, step by step. The same description and the same steps give the same bits,
// whatever the number of threads: batches follow from the seed and the number of the step.
#pragma once

#include <memory>
#include <vector>

#include "core/task/document_model.h"
#include "core/task/fit.h"

namespace core::task {

class DocumentFit {
 public:
  DocumentFit(const DocumentTask& task, const DocumentForm& form, const FitOptions& options);

  struct State {
    std::vector<float> values;
    model::Optimiser<float> optimiser;
    double loss = 0;           // of the step's own batch, before the step
    double gradient_norm = 0;  // before clipping
    double rate = 0;
    DocumentScore held;  // of the last look
  };
  // Step 0: it has the first batch's loss.
  State begin(int threads) const;
  void step(State& state, int threads) const;
  static Milestone milestone(const State& state);
  static std::size_t bytes(const State& state) {
    return state.values.size() * sizeof(float) + state.optimiser.bytes();
  }

  const FitOptions& options() const { return options_; }
  // Lives on without this.
  std::shared_ptr<const DocumentModel> model() const { return {made_, &made_->model}; }
  bool operator==(const DocumentFit& other) const {
    return made_->model.task == other.made_->model.task &&
           made_->model.form == other.made_->model.form && options_ == other.options_;
  }

 private:
  // What follows from the description, and room to work in; copies of a fit share it.
  struct Made {
    DocumentModel model;
    std::vector<EncodedDocument> held;
    model::Lent<model::Parts> parts;
    Made(const DocumentTask& task, const DocumentForm& form, const FitOptions& options);
  };
  std::vector<EncodedDocument> batch_of(Index step) const;

  FitOptions options_;
  std::shared_ptr<Made> made_;
};

}  // namespace core::task
