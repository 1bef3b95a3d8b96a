#include "core/io/tensor/tensor_file.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "core/io/inflated_bytes.h"
#include "core/io/large_file.h"
#include "core/io/tensor/npy_header.h"
#include "core/io/tensor/safetensors.h"
#include "core/io/zip_index.h"
#include "core/text/printable.h"
#include "core/text/utf8.h"

namespace core {
namespace {

namespace fs = std::filesystem;
using FilePtr = std::shared_ptr<const LargeFile>;

constexpr std::string_view kNpyEnding = ".npy";

// The array in `size` bytes of `bytes` from `begin` on.
Tensor npy_tensor(std::string name, const LargeFile& file, std::shared_ptr<const ByteSource> bytes,
                  std::uint64_t begin, std::uint64_t size, const Message& where,
                  const Cancel& cancel) {
  NpyHeader header = read_npy_header(*bytes, begin, size, where, cancel);
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.type = header.type;
  tensor.shape = std::move(header.shape);
  tensor.fortran_order = header.fortran_order;
  tensor.big_endian = header.big_endian;
  tensor.file = file.name();
  tensor.bytes = std::move(bytes);
  tensor.begin = begin + header.bytes;
  return tensor;
}

void open_npy(const FilePtr& file, const fs::path& path, TensorFile& out, const Cancel& cancel) {
  std::string name = path.stem().string();
  if (invalid_utf8(name)) name = printable(name, 400);
  out.tensors.push_back(npy_tensor(std::move(name), *file, file, 0, file->size(),
                                   Message::plain(file->name()), cancel));
}

Message entry_of(const LargeFile& file, const ZipEntry& entry) {
  return Message(N_("{}, entry \"{}\""), file.name(), printable(entry.name));
}

// Says why a file has no numbers.
void require_some(const TensorFile& file) {
  if (file.tensors.empty() && !file.unread.empty()) throw InputError(file.unread.front().why);
}

Tensor npz_tensor(const FilePtr& file, ZipEntry entry, const Cancel& cancel) {
  const Message where = entry_of(*file, entry);
  std::string name = entry.name.substr(0, entry.name.size() - kNpyEnding.size());
  if (!entry.deflated) {
    return npy_tensor(std::move(name), *file, file, entry.begin, entry.size, where, cancel);
  }
  const std::uint64_t size = entry.size;
  // What inflates the header is not kept: an archive may have many.
  Tensor tensor = npy_tensor(std::move(name), *file, std::make_shared<InflatedBytes>(file, entry),
                             0, size, where, cancel);
  tensor.bytes = std::make_shared<InflatedBytes>(file, std::move(entry));
  tensor.deflated = true;
  return tensor;
}

std::optional<std::vector<std::string>> npz_texts(const FilePtr& file, const ZipEntry& entry,
                                                  const Cancel& cancel) {
  const Message where = entry_of(*file, entry);
  if (!entry.deflated) return read_npy_texts(*file, entry.begin, entry.size, where, cancel);
  return read_npy_texts(InflatedBytes(file, entry), 0, entry.size, where, cancel);
}

void open_entry(const FilePtr& file, const ZipEntry& entry, TensorFile& out, const Cancel& cancel) {
  std::string name = entry.name.substr(0, entry.name.size() - kNpyEnding.size());
  try {
    if (auto texts = npz_texts(file, entry, cancel)) {
      out.texts.push_back({std::move(name), *std::move(texts)});
    } else {
      out.tensors.push_back(npz_tensor(file, entry, cancel));
    }
  } catch (const InputError& error) {
    out.unread.push_back({std::move(name), message_of(error)});
  }
}

void open_npz(const FilePtr& file, TensorFile& out, const Cancel& cancel) {
  for (const ZipEntry& entry : read_zip_index(*file, cancel)) {
    if (entry.name.ends_with(kNpyEnding)) open_entry(file, entry, out, cancel);
  }
  require_some(out);
  if (out.tensors.empty()) {
    throw InputError(
        Message(N_("{}: expected arrays (entries that end in .npy), got none"), file->name()));
  }
}

void open_safetensors(const FilePtr& file, TensorFile& out, const Cancel& cancel) {
  Safetensors read = read_safetensors(file, cancel);
  std::move(read.tensors.begin(), read.tensors.end(), std::back_inserter(out.tensors));
  std::move(read.unread.begin(), read.unread.end(), std::back_inserter(out.unread));
  out.metadata.merge(read.metadata);
}

// Every name is in one file, and in the one where the index has it.
void open_shards(const LargeFile& index, const fs::path& folder, TensorFile& out,
                 const Cancel& cancel) {
  const ShardMap map = read_shard_map(index, cancel);
  std::set<std::string> files;
  for (const auto& [name, file] : map) files.insert(file);
  ShardMap held;
  for (const std::string& file : files) {
    const std::size_t first = out.tensors.size();
    open_safetensors(std::make_shared<const LargeFile>(folder / file), out, cancel);
    for (std::size_t k = first; k < out.tensors.size(); ++k) {
      const auto [other, once] = held.emplace(out.tensors[k].name, file);
      if (once) continue;
      throw InputError(Message(N_("{}: expected each name once, got \"{}\" in {} and in {}"),
                               out.name, printable(other->first), printable(other->second),
                               printable(file)));
    }
  }
  for (const auto& [name, file] : map) {
    const auto found = held.find(name);
    if (found != held.end() && found->second == file) continue;
    throw InputError(Message(N_("{}: expected \"{}\" in {}, got a file without it"), out.name,
                             printable(name), printable(file)));
  }
}

}  // namespace

const Tensor* TensorFile::find(std::string_view tensor) const {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const Tensor& t) { return t.name == tensor; });
  return found == tensors.end() ? nullptr : &*found;
}

std::shared_ptr<const TensorFile> open_tensors(const fs::path& path, const Cancel& cancel) {
  const std::string ending = path.extension().string();
  const bool shards = path.filename().string().ends_with(".index.json");
  if (!shards && ending != ".npy" && ending != ".npz" && ending != ".safetensors") {
    throw InputError(
        Message(N_("{}: expected a name that ends in .npy, .npz, .safetensors or .index.json"),
                printable(path.string(), 400)));
  }
  const auto file = std::make_shared<const LargeFile>(path);
  const auto out = std::make_shared<TensorFile>();
  out->name = file->name();
  if (shards) {
    open_shards(*file, path.parent_path(), *out, cancel);
  } else if (ending == ".npy") {
    open_npy(file, path, *out, cancel);
  } else if (ending == ".npz") {
    open_npz(file, *out, cancel);
  } else {
    open_safetensors(file, *out, cancel);
  }
  return out;
}

}  // namespace core
