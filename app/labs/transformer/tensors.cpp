#include "app/labs/transformer/tensors.h"

#include "app/labs/shared/parts.h"
#include "core/enum_array.h"

namespace lab::transformer {
namespace {

using core::model::TensorAxis;

Labels labels_of(const Spot& spot, TensorAxis axis) {
  switch (axis) {
    case TensorAxis::feature: return nullptr;
    case TensorAxis::word: return labels(spot.texts.words);
    case TensorAxis::key_token:
    case TensorAxis::key: return spot.key_names();
    case TensorAxis::token:
    case TensorAxis::query: break;
  }
  return spot.row_names();
}

Tensor with_names(const Spot& spot, core::model::PassTensor numbers) {
  Tensor t{std::move(numbers), spot.id};
  t.row_labels = labels_of(spot, t.rows);
  t.col_labels = labels_of(spot, t.cols);
  return t;
}

}  // namespace

const BlockFacts& facts(Block block) {
  using Sub = core::model::Sublayer;
  static constexpr core::EnumArray<Block, BlockFacts> kFacts{
      {{"none", N_("nothing"), Kind::out, false, Sub::self},
       {"encoder_input", N_("encoder: embedding"), Kind::input, false, Sub::self},
       {"encoder_self", N_("encoder: self-attention"), Kind::attention, false, Sub::self},
       {"encoder_self_norm", N_("encoder: norm of attention"), Kind::norm, false, Sub::self},
       {"encoder_forward", N_("encoder: feed-forward"), Kind::feed_forward, false,
        Sub::feed_forward},
       {"encoder_forward_norm", N_("encoder: norm of feed-forward"), Kind::norm, false,
        Sub::feed_forward},
       {"encoder_out", N_("encoder: output"), Kind::out, false, Sub::self},
       {"decoder_input", N_("decoder: embedding"), Kind::input, true, Sub::self},
       {"decoder_self", N_("decoder: causal self-attention"), Kind::attention, true, Sub::self},
       {"decoder_self_norm", N_("decoder: norm of attention"), Kind::norm, true, Sub::self},
       {"decoder_cross", N_("decoder: cross-attention"), Kind::attention, true, Sub::cross},
       {"decoder_cross_norm", N_("decoder: norm of cross-attention"), Kind::norm, true, Sub::cross},
       {"decoder_forward", N_("decoder: feed-forward"), Kind::feed_forward, true,
        Sub::feed_forward},
       {"decoder_forward_norm", N_("decoder: norm of feed-forward"), Kind::norm, true,
        Sub::feed_forward},
       {"decoder_out", N_("decoder: output"), Kind::out, true, Sub::self},
       {"output", N_("linear and softmax"), Kind::output, true, Sub::self}}};
  return kFacts[block];
}

Tensor tensor(const Spot& spot, Part part) {
  return with_names(spot, core::model::pass_tensor(spot.pass, spot, part));
}

Tensor gradient(const Spot& spot, Part part) {
  return with_names(spot, core::model::pass_gradient(spot.pass, spot, part));
}

std::string_view axis_name(TensorAxis axis) {
  constexpr core::EnumArray<TensorAxis> kNames{
      {N_("feature"), N_("token"), N_("token"), N_("word"), N_("query"), N_("key")}};
  return kNames[axis];
}

std::optional<Role> role_of(Part part) {
  switch (part) {
    case Part::queries:
    case Part::query_weight: return Role::query;
    case Part::keys:
    case Part::key_weight: return Role::key;
    case Part::values:
    case Part::value_weight: return Role::value;
    default: return std::nullopt;
  }
}

std::shared_ptr<const TileSource> source_of(const Tensor& tensor, Index head) {
  Matrix cells = tensor.of(head).cast<float>();
  cells = cells.array().isNaN().select(core::kMasked, cells);
  return std::make_shared<const DenseSource>(std::move(cells));
}

ColorScale colors(const Tensor& tensor) {
  return tensor.probabilities ? weight_scale(tensor.largest()) : signed_scale(tensor.largest());
}

}  // namespace lab::transformer
