// The arrays of a file: .npy, .npz (stored and deflated), .safetensors, whole or split over several
// files.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/tensor/tensor.h"

namespace core {

// An entry of texts, in order.
struct TextEntry {
  std::string name;
  std::vector<std::string> texts;
};

// An index: nothing of the numbers was read. The tensors keep their files open.
struct TensorFile {
  std::string name;                             // as messages show it
  std::vector<Tensor> tensors;                  // in the order of the file, or of the files' names
  std::map<std::string, std::string> metadata;  // of .safetensors
  std::vector<TextEntry> texts = {};            // of .npz: arrays of NumPy's type U
  std::vector<UnreadEntry> unread = {};

  const Tensor* find(std::string_view tensor) const;  // null: none of that name
};

// The ending of the name chooses: .npy (one array, named like the file), .npz (entries that end in
// .npy, named without that; others are left out), .safetensors, and .index.json, the index of a
// split checkpoint, for all tensors of its files. An entry that cannot be read is left out and told
// as unread, as long as another one can be. InputError for what is none of these or damaged;
// memory is taken for headers and texts alone, after their lengths were checked. The numbers of a
// stored .npz are not held against its checksums, which would mean reading all of them.
std::shared_ptr<const TensorFile> open_tensors(const std::filesystem::path& path,
                                               const Cancel& cancel = {});

}  // namespace core
