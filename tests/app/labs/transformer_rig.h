// What tests of the lab of the Transformer share.
#pragma once

#include <doctest/doctest.h>

#include <string_view>

#include "app/labs/transformer/page.h"
#include "trying.h"

namespace transformer_rig {

using namespace lab::transformer;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;
using core::MatrixD;

using Made = Trial<Parameters>;
inline Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
inline Made preset(std::string_view id) {
  return lab::trying::preset<Parameters>("transformer", id);
}

inline Spot spot(const Model& model, Block block, Index layer = 0) {
  return Spot(*model.texts, *model.pass, block, layer);
}

inline MatrixD shown(const lab::Page& page) {
  const auto& map = mark_of<figure::Heatmap>(plot_of(page, "tensor"));
  MatrixD cells(map.source->rows(), map.source->cols());
  for (Index i = 0; i < cells.rows(); ++i) {
    for (Index j = 0; j < cells.cols(); ++j) cells(i, j) = double(map.source->value(i, j));
  }
  return cells;
}

inline double difference(const MatrixD& a, const MatrixD& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

// Every block of the drawing.
inline constexpr Block kDrawn[] = {
    Block::encoder_input,        Block::encoder_self,         Block::encoder_self_norm,
    Block::encoder_forward,      Block::encoder_forward_norm, Block::encoder_out,
    Block::decoder_input,        Block::decoder_self,         Block::decoder_self_norm,
    Block::decoder_cross,        Block::decoder_cross_norm,   Block::decoder_forward,
    Block::decoder_forward_norm, Block::decoder_out,          Block::output};

}  // namespace transformer_rig
