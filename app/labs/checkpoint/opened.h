// A published model with its tokenizer, out of a folder or out of the program.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/file_stamp.h"
#include "core/checkpoint/generation.h"
#include "core/decode/sampling.h"
#include "core/precision/rope_rounding.h"
#include "core/task/head_scores.h"
#include "core/text/subword/tokenizer.h"

namespace lab::checkpoint {

// Those that travel with the program: their weights are random.
enum class Shipped { gpt2, llama, bloom, bert, t5 };
std::string_view shipped_folder(Shipped shipped);

// What a stage is told of a folder: another stamp, another model.
struct ModelSource {
  std::string shipped = {};  // or:
  std::string folder = {};
  std::vector<FileStamp> files = {};
  bool operator==(const ModelSource&) const = default;

  // `path`: a folder, or a file in it; empty: the shipped one.
  static ModelSource of(const std::string& path, Shipped shipped);
};

struct Opened {
  std::string name;
  std::shared_ptr<const core::checkpoint::Model> model;
  // Null where the folder has none: texts are then written as numbers of tokens.
  std::shared_ptr<const core::subword::Tokenizer> tokenizer;
  std::string tokenizer_from;    // "tokenizer.json"
  std::vector<FileStamp> files;  // of the folder, by their names

  const core::checkpoint::ModelFacts& facts() const { return model->facts(); }
  // To be read: spaces and bytes that are no whole character are visible.
  std::string shown(std::int32_t id) const;
  std::string bytes(std::int32_t id) const;  // "20 63 61 74"; empty where nothing is known
};

// Throws core::InputError in one sentence for whatever cannot be opened.
Opened open(const ModelSource& source, const Run& run);

}  // namespace lab::checkpoint
