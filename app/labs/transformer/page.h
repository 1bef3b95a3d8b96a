// The page of the Transformer lab: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/shared/parts.h"
#include "app/labs/transformer/depth.h"
#include "app/labs/transformer/norms.h"
#include "app/labs/transformer/slopes.h"
#include "app/labs/transformer/tensors.h"
#include "app/labs/transformer/warmup.h"

namespace lab::transformer {

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;
  const Norms& norms;
  const Depths& depths;
  const WarmUps* warmups = nullptr;  // null: nothing is trained

  const Texts& texts() const { return *model.texts; }
  const Pass& pass() const { return *model.pass; }
  Index layers(bool decoder) const { return decoder ? p.decoder_layers : p.encoder_layers; }
  Spot spot(Block block) const {
    const Index last = layers(facts(block).decoder) - 1;
    return {texts(), pass(), block, std::min<Index>(p.layer - 1, last)};
  }
  // What is picked: its place, its tensor, the head and the cell as far as it has them.
  Spot picked_spot() const { return spot(p.block == Block::none ? Block::encoder_self : p.block); }
  Tensor picked() const { return tensor(picked_spot(), p.part); }
  // What is drawn: a tensor, or the loss's gradient by it.
  Tensor drawn(const Spot& at, Part part) const {
    return p.backward ? slope(at, part) : tensor(at, part);
  }
  Tensor shown() const { return drawn(picked_spot(), p.part); }
  Index head() const { return std::min<Index>(p.head, pass().heads()) - 1; }
  Index row(const Tensor& t) const { return std::min<Index>(p.row, t.row_count() - 1); }
  Index col(const Tensor& t) const { return std::min<Index>(p.col, t.col_count() - 1); }
};

std::string block_title(const Scene& scene, Block block);
// "Causal self-attention, decoder layer 1: Q"
std::string tensor_title(const Scene& scene, const Tensor& tensor);
std::string_view block_id(Block block);
std::string_view part_id(Part part);
std::string variant_name(const Scene& scene, const Variant& variant);
// "3 “cat”", or 3 where the axis has no names.
std::string named(const Labels& names, Index at);

Figure drawing_figure(const Scene& scene);
Figure tensor_figure(const Scene& scene);
Figure spread_figure(const Scene& scene);
Figure starts_figure(const Scene& scene);
Figure depth_figure(const Scene& scene);
Figure norms_figure(const Scene& scene);
Figure count_figure(const Scene& scene);
Figure warmup_figure(const Scene& scene);  // only when something is trained

Explanation explain(const Scene& scene);
Explanation explain_tensor(const Scene& scene);
Explanation explain_slope(const Scene& scene);  // in its place while it is walked back
Explanation explain_norm(const Scene& scene);
Explanation explain_depth(const Scene& scene);
Explanation explain_count(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::transformer
