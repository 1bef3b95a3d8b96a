#include "app/labs/gpt_inside/inside.h"

#include "app/labs/shared/parts.h"
#include "core/task/sequence/sequence_model.h"

namespace lab::gpt_inside {

void Inside::add_loss(const std::vector<std::int32_t>& next, Index first, const Matrix& logits) {
  for (Index t = 0; t < logits.rows(); ++t) {
    const std::int32_t id = next[to_size(first + t)];
    loss.push_back(id < 0 ? std::numeric_limits<double>::quiet_NaN()
                          : core::task::surprise(logits.row(t), id));
  }
}

void Inside::finish_loss() {
  Index counted = 0;
  for (const double one : loss) {
    if (std::isnan(one)) continue;
    mean_loss += one;
    ++counted;
  }
  if (counted > 0) mean_loss /= to_double(counted);
}

}  // namespace lab::gpt_inside
