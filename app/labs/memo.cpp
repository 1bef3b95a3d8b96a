#include "app/labs/memo.h"

namespace lab {

const std::any* Memo::find(const std::string& stage) const {
  const auto found = stages_.find(stage);
  return found == stages_.end() ? nullptr : &found->second;
}

void Memo::keep(const std::string& stage, std::any kept) {
  ++runs_[stage];
  stages_[stage] = std::move(kept);
}

int Memo::runs(const std::string& stage) const {
  const auto found = runs_.find(stage);
  return found == runs_.end() ? 0 : found->second;
}

}  // namespace lab
