// The page of what was measured: losses by position, what they say beside the papers, as data.
#pragma once

#include "app/labs/extrapolation/measured.h"
#include "app/labs/extrapolation/page.h"

namespace lab::extrapolation {

struct LossScene {
  const Parameters& p;
  const Measured& measured;
  const Words& w;

  std::string name(Reader reader) const;
  const ReaderLosses* chosen() const { return measured.by(p.reader); }
  // The picked position, in texts as long as they are.
  Index place() const { return std::min<Index>(p.place, measured.length() - 1); }
  Index text() const {
    return std::min<Index>(p.text, to_index(measured.texts->begins.size())) - 1;
  }
  // Positions that a point of a curve stands for.
  Index bin() const { return measured.trained() / 4; }
};

// What a paper found, and whether it is found here.
struct Finding {
  std::string paper, said;
  bool here = false;
  std::string numbers;
};
// Those of readers that were measured.
std::vector<Finding> findings(const LossScene& scene);

Page losses_page(const LossScene& scene);
Explanation explain_loss(const LossScene& scene);

}  // namespace lab::extrapolation
