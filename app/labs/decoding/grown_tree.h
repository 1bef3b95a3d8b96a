// One tree of all that was looked at and written.
#pragma once

#include <map>

#include "app/labs/decoding/model.h"

namespace lab::decoding {

// Logarithms of the probabilities of what follows the prompt and what was written: the model's own,
// or after filters. Each is computed once.
class NextLogs {
 public:
  NextLogs(const Source& source, std::vector<Filter> filters, core::Cancel cancel)
      : source_(source), filters_(std::move(filters)), cancel_(std::move(cancel)) {}

  const VectorD& operator()(const Ids& written) const;

 private:
  const Source& source_;
  std::vector<Filter> filters_;
  core::Cancel cancel_;
  mutable std::map<Ids, VectorD> known_;
};

// The search's branches, every way's text, and the likeliest tokens after each token of the branch
// that is looked at. Of the branches that fell out only the `shown` likeliest after each are drawn.
void grow_tree(Index shown, const NextLogs& next, Model& model);

}  // namespace lab::decoding
