#include "app/labs/shared/model/opened_model.h"

#include <filesystem>

#include "assets/assets.h"
#include "core/io/memory_bytes.h"

namespace lab {

OpenedModel OpenedModel::from_asset(std::string name) {
  OpenedModel model;
  model.asset = std::move(name);
  return model;
}

OpenedModel OpenedModel::from_file(const std::string& path) {
  OpenedModel model;
  model.file = stamp_of(path);
  return model;
}

core::Safetensors OpenedModel::tensors(const core::Cancel& cancel) const {
  if (!asset.empty()) {
    return core::read_safetensors(std::make_shared<const core::MemoryBytes>(assets::find(asset)),
                                  asset);
  }
  const std::filesystem::path path(file.path);
  return core::read_safetensors(std::make_shared<const core::LargeFile>(path), cancel);
}

std::string OpenedModel::name() const {
  return asset.empty() ? std::filesystem::path(file.path).filename().string() : asset;
}

}  // namespace lab
