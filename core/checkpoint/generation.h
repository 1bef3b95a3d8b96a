// A published decoder that reads one token after another and keeps the keys and values of all
// before it, and, where it looks at another text, those of that text.
#pragma once

#include <memory>
#include <vector>

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/past.h"

namespace core::checkpoint {

struct GenerationOptions {
  bool keep_weights = false;  // of the tokens that are read, on all before: see newest()
  bool keep_layers = true;    // the stream behind each layer, likewise
  int threads = 0;            // 0: all cores
};

// The logits are those of Model::forward over all of the text, within rounding. Where the turns of
// all tokens depend on how long the text is (dynamic and longrope scaling), all of it is read anew
// when they change: keys that were turned otherwise would give other numbers than the model's.
//
// Of an encoder and a decoder the encoder runs once, with the first read(); then only the decoder
// does.
class Generation {
 public:
  // InputError for a model that is no decoder alone.
  Generation(std::shared_ptr<const Model> model, const GenerationOptions& options = {});
  // For an encoder and a decoder: `encoded` is what the encoder reads; read() is given the
  // decoder's text. InputError for another model; for tokens that it does not have, with the first
  // read().
  static Generation across(std::shared_ptr<const Model> model, std::vector<std::int32_t> encoded,
                           const GenerationOptions& options = {});

  // Reads these tokens after all before; the logits of the token after the last, (vocabulary). At
  // least one token. InputError as Model::forward, also for more tokens than the model has
  // positions. After an InputError, or Cancelled, nothing was read.
  const Vector& read(const std::vector<std::int32_t>& tokens, const Cancel& cancel = {});

  // Whether weights of the tokens that are read from now on are kept.
  void keep_weights(bool keep) { options_.keep_weights = keep; }
  Index tokens() const { return static_cast<Index>(ids_.size()); }
  const std::vector<std::int32_t>& ids() const { return ids_; }
  // Returns to the state after the first `tokens`: at most those that were read, else InputError.
  void back_to(Index tokens);
  // How many bytes the keys and values of all layers take, those of the encoder's text too.
  Index bytes() const { return past_.self.bytes() + (past_.across ? past_.across->bytes() : 0); }
  // Trace of the last read(): rows are its tokens, or all of the text where it was read anew;
  // weights where they are kept. The encoder's stack is that of the first read() alone.
  const Trace<float>& newest() const { return newest_; }
  const Model& model() const { return *model_; }

 private:
  struct Begin {};
  Generation(Begin, std::shared_ptr<const Model> model, const GenerationOptions& options);
  bool rotates_otherwise(Index length) const;

  std::shared_ptr<const Model> model_;
  GenerationOptions options_;
  Pasts past_;
  std::vector<std::int32_t> encoded_;  // what the encoder reads
  std::vector<std::int32_t> ids_;
  Index rotated_for_ = 0;  // tokens of the text that the keys were turned for
  Trace<float> newest_;
  Vector logits_;
};

}  // namespace core::checkpoint
