// A trained model that travels with the program or lies in a file, as a stage is made of it.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/model/file_stamp.h"
#include "core/io/tensor/safetensors.h"

namespace lab {

struct OpenedModel {
  std::string asset = {};
  FileStamp file = {};
  bool operator==(const OpenedModel&) const = default;

  static OpenedModel from_asset(std::string name);
  static OpenedModel from_file(const std::string& path);

  core::Safetensors tensors(const core::Cancel& cancel) const;
  // What messages call it.
  std::string name() const;
};

}  // namespace lab
