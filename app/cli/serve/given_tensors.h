// Attention that comes inside of a call, as files that the lab of one's own tensors reads.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/cli/shared/given_file.h"

namespace cli {

// Settings of that lab, by their names: "file", "tokens_file", "key_tokens_file". Throws
// core::InputError for arrays that are none.
nlohmann::ordered_json given_tensors(const nlohmann::ordered_json& call, GivenFiles& files);
// Removes the files of such settings, the call's "set".
void forget_tensors(const nlohmann::ordered_json& call, GivenFiles& files);

}  // namespace cli
