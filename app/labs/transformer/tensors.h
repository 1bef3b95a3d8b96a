// The tensors of a pass as the drawing names them: a block, a part of it, a layer.
#pragma once

#include "app/labs/transformer/model.h"

namespace lab::transformer {

enum class Kind { none, input, attention, norm, forward, out, output };

struct BlockFacts {
  Kind kind = Kind::none;
  bool decoder = false;
  std::string_view sub = {};  // its name in the trace: "self", "cross", "feed_forward"
  std::string_view title = {};
};
const BlockFacts& facts(Block block);

// A place in the model: everything about it that is no number.
struct Spot {
  const Texts& texts;
  const Pass& pass;
  Block block;
  Index layer;  // from 0, of this side

  const BlockFacts& info() const { return facts(block); }
  std::string side() const { return info().decoder ? "decoder" : "encoder"; }
  std::string prefix() const { return fmt::format("{}.{}.", side(), layer); }
  // "encoder.0.self."
  std::string in_sub() const { return prefix() + std::string(info().sub) + "."; }
  // "encoder.0.norm_self."
  std::string norm_parameters() const { return prefix() + "norm_" + std::string(info().sub) + "."; }
  bool cross() const { return info().sub == "cross"; }
  bool causal() const { return info().decoder && info().sub == "self"; }
  bool normed() const { return pass.form.layer.normed; }
  bool norm_first() const { return normed() && pass.form.layer.norm_first; }
  bool norm_after() const { return normed() && !pass.form.layer.norm_first; }
  bool adds() const { return pass.form.layer.residual; }

  // Names in the trace. What comes up to this block along the residual line:
  std::string stream() const;
  // what the block itself is given (that, or its norm), what its keys and values are made of, what
  // it makes, and what it leaves behind:
  std::string given() const {
    if (has_course()) return in_sub() + "given";
    return norm_first() ? in_sub() + "normed" : stream();
  }
  // FLOATER adds its course to what self-attention projects.
  bool has_course() const { return pass.has(in_sub() + "given"); }
  // What the values are mixed by: with URPE the weights times its factors.
  std::string mixed() const {
    return in_sub() + (pass.has(in_sub() + "mixed") ? "mixed" : "weights");
  }
  std::string looked_at() const { return cross() ? "encoder.out" : given(); }
  std::string made() const { return in_sub() + (info().sub == "feed_forward" ? "down" : "output"); }
  std::string left() const { return in_sub() + (norm_after() ? "after" : "sum"); }
  // What its norm is given, and gives.
  std::string before_norm() const { return norm_after() ? in_sub() + "sum" : stream(); }
  std::string after_norm() const { return in_sub() + (norm_after() ? "after" : "normed"); }

  const Labels& rows() const { return info().decoder ? texts.target_names : texts.source_names; }
  const Labels& key_names() const {
    return info().decoder && !cross() ? texts.target_names : texts.source_names;
  }
};

// Numbers with their names, as they are drawn.
struct Tensor {
  Block block = Block::none;
  Part part = Part::result;
  std::string symbol;          // "Q", "W_Q", "softmax": short, over its picture
  std::string letters, sizes;  // "n × d_model", "6 × 32"
  // One, or one a head; NaN where the mask hides a cell.
  std::vector<MatrixD> matrices = {};
  Labels rows = nullptr, cols = nullptr;
  std::string_view row_name = {}, col_name = {};  // messages: "token", "feature"
  bool weights = false;                           // from 0 to 1
  bool of_heads = false;

  Index row_count() const { return matrices.front().rows(); }
  Index col_count() const { return matrices.front().cols(); }
  const MatrixD& of(Index head) const { return matrices[of_heads ? to_size(head) : 0]; }
  double largest() const;
  std::string shape() const { return letters + " = " + sizes; }
};

// The part of this block, or its result where it has no such part.
Tensor tensor(const Spot& spot, Part part);
// Those that a block has, the result last.
std::vector<Part> parts_of(const Spot& spot);

// Picture of a tensor whose cells are not masked; heads side by side with a column between them.
std::shared_ptr<const TileSource> picture(const Tensor& tensor);
std::shared_ptr<const TileSource> source_of(const Tensor& tensor, Index head);
ColorScale colors(const Tensor& tensor);

}  // namespace lab::transformer
