// Says what a file or a folder is that is not what was looked for, and what to do about it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/message.h"

namespace core {

// Ready to follow "got": "a Git LFS pointer, ...: fetch it by git lfs pull". Of a file by how it
// begins and what it is called: pointers, web pages, empty and half downloaded files, GGUF, pickles
// (.bin, .pt, .pth, .ckpt), HDF5, ONNX, weights of Flax, vocabularies of SentencePiece and of
// tekken. Of a folder by what lies in it: the first of these files, an adapter, shards. Empty:
// nothing is odd about it, or there is nothing.
Message what_lies(const std::filesystem::path& path);
// The same of a file by its name and its first bytes, kBeginning or all that there are.
inline constexpr std::size_t kBeginning = 256;
Message what_file(const std::string& name, std::string_view begins);

// The names of what lies in a folder, in order; none of one that cannot be read.
std::vector<std::string> names_in(const std::filesystem::path& folder);
// Whether it is called as a part of a model is: "model-00001-of-00003.safetensors".
bool is_shard(std::string_view name);

// InputError for a text or bytes that stand for another file: a Git LFS pointer, a web page that
// was saved under the name. `name` is what the message calls it.
void require_downloaded(const std::string& name, std::string_view begins);

// The folder of a model: of a hub's cache (models--NAME, with refs and snapshots) the snapshot that
// refs/main names, or the one that was written last; any other as it is.
std::filesystem::path model_folder(const std::filesystem::path& path);

}  // namespace core
