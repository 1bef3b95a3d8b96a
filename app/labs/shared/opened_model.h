// A trained model that travels with the program or lies in a file, as a stage is made of it.
#pragma once

#include <cstdint>

#include "app/labs/lab.h"
#include "core/io/safetensors.h"

namespace lab {

struct OpenedModel {
  std::string asset = {}, path = {};
  std::uintmax_t size = 0;  // of a file, with its time what tells that it was written anew
  std::int64_t time = 0;
  bool operator==(const OpenedModel&) const = default;

  static OpenedModel from_asset(std::string name);
  static OpenedModel from_file(const std::string& path);

  core::Safetensors tensors(const core::Cancel& cancel) const;
  // What messages call it.
  std::string name() const;
};

}  // namespace lab
