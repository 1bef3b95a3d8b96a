#include "core/decode/beam.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/attention/softmax.h"
#include "core/refuse.h"

namespace core::decode {
namespace {

class Search {
 public:
  Search(const NextLogits& next, const std::vector<std::int32_t>& prompt,
         const BeamOptions& options)
      : next_(next), prompt_(prompt), options_(options) {}

  BeamTree make(const Cancel& cancel) {
    std::vector<Index> beam = children_of(-1);
    for (Index step = 1;; ++step) {
      const auto left = choose(beam, step);
      if (step == options_.most || left == 0) break;
      std::vector<Index> candidates;
      for (const Index k : tree_.beams.back()) {
        cancel.poll();
        if (ended(k)) {
          candidates.push_back(k);
          continue;
        }
        const std::vector<Index> children = children_of(k);
        candidates.insert(candidates.end(), children.begin(), children.end());
        settle(k, BeamBranch::Outcome::grown, step + 1);
      }
      beam = std::move(candidates);
    }
    tree_.ranked = tree_.beams.back();
    sort(tree_.ranked, true);
    return std::move(tree_);
  }

 private:
  BeamBranch& at(Index k) { return tree_.branches[static_cast<std::size_t>(k)]; }
  bool ended(Index k) { return at(k).token == options_.end; }
  void settle(Index k, BeamBranch::Outcome outcome, Index step) {
    at(k).outcome = outcome;
    at(k).decided = step;
  }

  // The likeliest tokens after a branch, as branches.
  std::vector<Index> children_of(Index parent) {
    std::vector<std::int32_t> all = prompt_;
    Index length = 1;
    double sum = 0;
    if (parent >= 0) {
      const std::vector<std::int32_t> own = tree_.tokens(parent);
      all.insert(all.end(), own.begin(), own.end());
      length = at(parent).length + 1;
      sum = at(parent).sum;
    }
    const Distribution next = Distribution::of_logits(next_(all));
    const VectorD logs = log_softmax<double>(next.logits);
    const double penalty = options_.penalty.at(length);
    const Index wanted = std::max(options_.width, options_.shown);
    std::vector<Index> children;
    for (const std::int32_t token : likeliest(logs, wanted)) {
      const double log_probability = logs(token);
      if (!std::isfinite(log_probability)) break;
      children.push_back(static_cast<Index>(tree_.branches.size()));
      const double now = sum + log_probability;
      tree_.branches.push_back({.parent = parent,
                                .token = token,
                                .length = length,
                                .log_probability = log_probability,
                                .sum = now,
                                .score = now / penalty});
    }
    return children;
  }

  void sort(std::vector<Index>& of, bool by_score) {
    std::sort(of.begin(), of.end(), [&](Index a, Index b) {
      const double x = by_score ? at(a).score : at(a).sum;
      const double y = by_score ? at(b).score : at(b).sum;
      return x != y ? x > y : tree_.tokens(a) < tree_.tokens(b);
    });
  }

  // The next beam; how many of it have not ended.
  Index choose(std::vector<Index> candidates, Index step) {
    sort(candidates, options_.penalized);
    Index left = 0, rank = 0;
    std::vector<Index> beam;
    for (const Index k : candidates) {
      const bool lives = rank++ < options_.width;
      const bool end = ended(k);
      if (!lives) {
        settle(k, BeamBranch::Outcome::outscored, step);
        continue;
      }
      // One that ended earlier was settled then.
      if (!end || at(k).outcome != BeamBranch::Outcome::finished) {
        settle(k, end ? BeamBranch::Outcome::finished : BeamBranch::Outcome::open, step);
      }
      beam.push_back(k);
      left += !end;
    }
    tree_.beams.push_back(std::move(beam));
    return left;
  }

  const NextLogits& next_;
  const std::vector<std::int32_t>& prompt_;
  const BeamOptions& options_;
  BeamTree tree_;
};

void require_one(const char* what, Index value) {
  if (value < 1) refuse(what, "at least 1", std::to_string(value));
}

}  // namespace

double LengthPenalty::at(Index length) const {
  const auto tokens = static_cast<double>(length);
  switch (kind) {
    case Kind::none: return 1;
    case Kind::power: return std::pow(tokens, alpha);
    case Kind::gnmt: break;
  }
  return std::pow((5 + tokens) / 6, alpha);
}

std::vector<std::int32_t> BeamTree::tokens(Index branch) const {
  std::vector<std::int32_t> out;
  while (branch >= 0) {
    const BeamBranch& at = branches[static_cast<std::size_t>(branch)];
    out.push_back(at.token);
    branch = at.parent;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

BeamTree beam_search(const NextLogits& next, const std::vector<std::int32_t>& prompt,
                     const BeamOptions& options, const Cancel& cancel) {
  require_one("width", options.width);
  require_one("most", options.most);
  require_one("shown", options.shown);
  if (!std::isfinite(options.penalty.alpha)) {
    refuse("length penalty", "a finite alpha", std::to_string(options.penalty.alpha));
  }
  return Search(next, prompt, options).make(cancel);
}

}  // namespace core::decode
