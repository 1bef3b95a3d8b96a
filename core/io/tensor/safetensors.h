// The header of a .safetensors file, and the index of a checkpoint that is split over several.
//
// Source: the format's own description (huggingface.co/docs/safetensors): the header's length as a
// little-endian number of 8 bytes, the header in JSON, and the data, which the tensors fill without
// holes; offsets count from the end of the header.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/io/large_file.h"
#include "core/io/tensor/number_type.h"
#include "core/io/tensor/tensor.h"

namespace core {

inline constexpr std::uint64_t kMostSafetensorsHeaderBytes = 100'000'000;  // the format's own limit
inline constexpr std::uint64_t kMostShardIndexBytes = std::uint64_t{16} << 20;

struct Safetensors {
  std::vector<Tensor> tensors;                  // in the order of the header
  std::map<std::string, std::string> metadata;  // of __metadata__
  std::vector<UnreadEntry> unread = {};         // of types that are not read, such as F8_E4M3
};

// InputError for anything else than the format says, and where no tensor can be read.
Safetensors read_safetensors(const std::shared_ptr<const LargeFile>& file,
                             const Cancel& cancel = {});
// Reads bytes; messages call them `name`.
Safetensors read_safetensors(const std::shared_ptr<const ByteSource>& file, const std::string& name,
                             const Cancel& cancel = {});

// A tensor to be written.
struct FloatTensor {
  std::string name;
  std::vector<Index> shape;
  const float* values = nullptr;  // row-major
};

// A whole file: the tensors as float32, or each number rounded to float16 or bfloat16, else
// InputError; in the order given, with different names.
std::string safetensors_bytes(const std::vector<FloatTensor>& tensors, NumberType type,
                              const std::map<std::string, std::string>& metadata);

// Which file of a split checkpoint holds which tensor: the weight_map of its index. All files lie
// beside it: InputError for a name that leads elsewhere.
using ShardMap = std::map<std::string, std::string>;
ShardMap read_shard_map(const LargeFile& index, const Cancel& cancel = {});

}  // namespace core
