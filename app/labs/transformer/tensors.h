// The tensors of a pass as the drawing names them: a block, a part of it, a layer.
#pragma once

#include "app/labs/transformer/model.h"

namespace lab::transformer {

struct BlockFacts {
  std::string_view id, label;  // of the knobs
  Kind kind = Kind::out;
  bool decoder = false;
  core::model::Sublayer sublayer = {};
};
const BlockFacts& facts(Block block);

// A place in the model: everything about it that is no number.
struct Spot : core::model::BlockPlace {
  const Texts& texts;
  const Pass& pass;
  Block id;

  // layer: from 0, of this side
  Spot(const Texts& texts_, const Pass& pass_, Block block_, Index layer_)
      : BlockPlace{{pass_.form, facts(block_).decoder, layer_, facts(block_).sublayer},
                   facts(block_).kind},
        texts(texts_),
        pass(pass_),
        id(block_) {}
  const Labels& row_names() const { return decoder ? texts.target_names : texts.source_names; }
  const Labels& key_names() const {
    return decoder && !cross() ? texts.target_names : texts.source_names;
  }
};

// Numbers with their names, as they are drawn.
struct Tensor : core::model::PassTensor {
  Block block = Block::none;
  Labels row_labels = nullptr, col_labels = nullptr;
};

// The part of this block, or its result where it has no such part; and the loss's gradient by each
// of its numbers.
Tensor tensor(const Spot& spot, Part part);
Tensor gradient(const Spot& spot, Part part);

std::string_view axis_name(core::model::TensorAxis axis);  // a message
std::optional<Role> role_of(Part part);  // of queries, keys, values and what makes them
std::shared_ptr<const TileSource> source_of(const Tensor& tensor, Index head);
ColorScale colors(const Tensor& tensor);

}  // namespace lab::transformer
