// The page of the Transformer lab: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/shared/parts.h"
#include "app/labs/transformer/tensors.h"
#include "core/task/depth/stack_sizes.h"
#include "core/task/depth/warm_up.h"

namespace lab::transformer {

inline constexpr int kMostSteps = 200;

// A training for Context::trained.
struct WarmUp {
  using State = core::task::WarmUpFit::State;
  core::task::WarmUpFit fit;

  bool operator==(const WarmUp&) const = default;
  State begin(const Run& run) const { return fit.begin(run.threads); }
  void step(State& state, const Run& run) const { fit.step(state, run.threads); }
  std::vector<double> scalars(const State& state) const { return {state.loss}; }
  std::size_t bytes(const State& state) const { return core::task::WarmUpFit::bytes(state); }
  core::Message fault(const State& state) const {
    return std::isfinite(state.loss) ? core::Message()
                                     : core::Message(N_("the loss is not finite any more"));
  }
};
struct WarmUps {
  Trained<WarmUp> with, without;
  std::string text;  // that both learn
};

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;
  MatrixD before_norm;                                // what the norms are shown on, rows of tokens
  const std::vector<core::task::StackSizes>& depths;  // in the order of kStackVariants
  std::optional<WarmUps> warmups;                     // only when something is trained

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
    return p.backward ? gradient(at, part) : tensor(at, part);
  }
  Tensor shown() const { return drawn(picked_spot(), p.part); }
  Index head() const { return std::min<Index>(p.head, pass().heads()) - 1; }
  Index row(const MatrixD& cells) const { return std::min<Index>(p.row, cells.rows() - 1); }
  Index col(const MatrixD& cells) const { return std::min<Index>(p.col, cells.cols() - 1); }
};

std::string block_title(const Scene& scene, Block block);
// "Causal self-attention, decoder layer 1: Q"
std::string tensor_title(const Scene& scene, const Tensor& tensor);
std::string_view part_id(Part part);
std::string variant_name(const StackVariant& variant, const Words& w);
std::string variant_id(const StackVariant& variant);  // "after", "none_alone"

Figure drawing_figure(const Scene& scene);
Figure tensor_figure(const Scene& scene);
Figure spread_figure(const Scene& scene);
Figure starts_figure(const Scene& scene);
Figure depth_figure(const Scene& scene);
Figure norms_figure(const Scene& scene);
Figure count_figure(const Scene& scene);
Figure warmup_figure(const Scene& scene);  // only when something is trained

Explanation explain(const Scene& scene);
Explanation explain_gradient(const Scene& scene);  // while it is walked back
Explanation explain_norm(const Scene& scene);
Explanation explain_depth(const Scene& scene);
Explanation explain_count(const Scene& scene);

// The variance or the mean square, and the scale that a norm divides by.
void explain_scale(const core::model::NormMoments& of, std::string_view squares, Derivation& d);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::transformer
