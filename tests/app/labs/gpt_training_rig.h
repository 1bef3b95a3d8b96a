// What tests of the lab of trainings share.
#pragma once

#include <string>
#include <string_view>

#include "app/labs/gpt_training/page.h"
#include "trying.h"

namespace gpt_training_rig {

using namespace lab::gpt_training;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;
using core::model::Scheme;

using Tried = Trial<Parameters>;
inline Tried made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
inline Tried preset(std::string_view id) {
  return lab::trying::preset<Parameters>("gpt_training", id);
}

inline std::string text_of(const Model& model, const Sample& sample) {
  std::string text;
  for (const auto& token : sample.written.tokens) {
    text += lab::story_token(*model.learned.model, token.id);
  }
  return text;
}

}  // namespace gpt_training_rig
