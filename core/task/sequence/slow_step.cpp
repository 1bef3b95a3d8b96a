#include "core/task/sequence/slow_step.h"

#include <cmath>

#include "core/model/layer/cross_entropy.h"

namespace core::task {
namespace {

using model::Parameter, model::Tape, model::Tensor;

// Operations [first, first + count) of the tape, which make a stage of the forward pass.
struct Group {
  SlowStage stage;
  Index first = 0, count = 0;
};

std::string part_of(const Tape<float>& tape, Index k) {
  std::string scope = tape.scope(k);
  if (!scope.empty()) scope.pop_back();  // the dot
  return scope;
}

// Runs of one scope; in a decoder that goes token by token each look at the memory begins a token.
std::vector<Group> groups_of(const Tape<float>& tape) {
  std::vector<Group> groups;
  Index token = -1;
  for (Index k = 0; k < tape.operations(); ++k) {
    const std::string part = part_of(tape, k), name = tape.operation(k);
    // The query's projection stands before the scores.
    const bool next = k + 1 < tape.operations();
    const bool looks = name == "scores" ||
                       (name == "linear" && next && std::string(tape.operation(k + 1)) == "scores");
    const bool begins =
        looks && (k == 0 || std::string(tape.operation(k - 1)) != "linear" || name != "scores");
    if (begins) ++token;
    if (groups.empty() || groups.back().stage.part != part || begins) {
      groups.push_back({{SlowStage::Kind::forward, part, begins ? token : -1, {}}, k, 0});
    }
    groups.back().stage.operations.push_back(name);
    ++groups.back().count;
  }
  return groups;
}

VectorD norms_of(const model::Layout& layout, const float* numbers) {
  VectorD norms(static_cast<Index>(layout.parameters().size()));
  Index k = 0;
  for (const Parameter& p : layout.parameters()) {
    double sum = 0;
    for (const float* x = numbers + p.slot.offset; x != numbers + p.slot.offset + p.slot.size();
         ++x) {
      sum += static_cast<double>(*x) * static_cast<double>(*x);
    }
    norms(k++) = std::sqrt(sum);
  }
  return norms;
}

class Apart {
 public:
  Apart(const PairFit& fit, const PairFit::State& state)
      : fit_(fit),
        state_(state),
        layout_(fit.model()->translator.layout()),
        gradient_(state.values.size(), 0.0F) {
    for (const Parameter& p : layout_.parameters()) out_.parameters.push_back(p.name);
    out_.sizes = norms_of(layout_, state.values.data());
  }

  SlowStep make() {
    out_.batch = fit_.pairs_of(state_.optimizer.steps());
    add({}, nothing());
    const std::vector<Group> groups = forward();
    for (auto group = groups.rbegin(); group != groups.rend(); ++group) backward(*group);
    update();
    out_.norms.resize(static_cast<Index>(rows_.size()), nothing().size());
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      out_.norms.row(static_cast<Index>(k)) = rows_[k].transpose();
    }
    return std::move(out_);
  }

 private:
  VectorD nothing() const { return VectorD::Zero(static_cast<Index>(out_.parameters.size())); }
  void add(SlowStage stage, VectorD norms) {
    out_.stages.push_back(std::move(stage));
    rows_.push_back(std::move(norms));
  }

  std::vector<Group> forward() {
    std::vector<Encoded> encoded;
    for (const Pair& pair : out_.batch) encoded.push_back(fit_.model()->encoded(pair));
    batch_.fill(encoded);
    tape_.begin(state_.values.data(), gradient_.data(),
                {.train = true, .dropout = static_cast<std::uint64_t>(state_.optimizer.steps())},
                &trace_);
    const Tensor<float> logits = fit_.model()->translator.logits(tape_, batch_);
    std::vector<Group> groups = groups_of(tape_);
    for (const Group& group : groups) add(group.stage, nothing());
    const Tensor<float> loss =
        model::cross_entropy(tape_, logits, batch_.next_ids(), static_cast<float>(batch_.counted()),
                             static_cast<float>(fit_.options().smoothing));
    out_.loss = static_cast<double>(*loss.value);
    add({.kind = SlowStage::Kind::loss, .operations = {"cross_entropy"}}, nothing());
    tape_.begin_backward(loss);
    tape_.step_back();
    return groups;
  }

  void backward(const Group& group) {
    for (Index k = 0; k < group.count; ++k) tape_.step_back();
    SlowStage stage = group.stage;
    stage.kind = SlowStage::Kind::backward;
    add(std::move(stage), norms_of(layout_, gradient_.data()));
  }

  void update() {
    const VectorD norms = rows_.back();
    out_.gradient_norm = norms.norm();
    const double clip = fit_.options().optimizer.clip;
    const double factor = clip > 0 && out_.gradient_norm > clip ? clip / out_.gradient_norm : 1;
    out_.clipped_to = factor * out_.gradient_norm;
    add({.kind = SlowStage::Kind::clip}, factor * norms);
    out_.rate = fit_.options().schedule.at(state_.optimizer.steps() + 1);
    std::vector<float> values = state_.values;
    model::Optimizer<float> optimizer = state_.optimizer;
    optimizer.step(layout_, values.data(), gradient_.data(), out_.rate);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= state_.values[i];
    add({.kind = SlowStage::Kind::update}, norms_of(layout_, values.data()));
  }

  const PairFit& fit_;
  const PairFit::State& state_;
  const model::Layout& layout_;
  std::vector<float> gradient_;
  PairBatch batch_;
  Tape<float> tape_;
  model::Trace<float> trace_;
  std::vector<VectorD> rows_;
  SlowStep out_;
};

}  // namespace

SlowStep slow_step(const PairFit& fit, const PairFit::State& state) {
  return Apart(fit, state).make();
}

}  // namespace core::task
