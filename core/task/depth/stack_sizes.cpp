#include "core/task/depth/stack_sizes.h"

#include <cmath>

#include "core/parallel.h"
#include "core/refuse.h"
#include "core/task/depth/letter_model.h"

namespace core::task {
namespace {

using Activations = model::Traced<float>;

double root_mean_square(const std::vector<float>& values) {
  double sum = 0;
  for (const float v : values) sum += static_cast<double>(v) * static_cast<double>(v);
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

// (batch, tokens, features).
double apart(const Activations& x) {
  const Index tokens = x.shape.at(1), width = x.shape.at(2);
  double own = 0, all = 0;
  for (Index b = 0; b < x.shape.at(0); ++b) {
    const Eigen::Map<const Matrix> window(x.values.data() + b * tokens * width, tokens, width);
    const MatrixD rows = window.cast<double>();
    own += (rows.rowwise() - rows.colwise().mean()).squaredNorm();
    all += rows.squaredNorm();
  }
  return all > 0 ? std::sqrt(own / all) : 0;
}

double projection_norm(const LetterModel& model, const std::vector<float>& gradients, Index layer) {
  double sum = 0;
  for (const char* name : {"query", "key", "value"}) {
    const auto* found = model.layout().find(std::to_string(layer) + ".self." + name + ".weight");
    for (Index k = 0; k < found->slot.size(); ++k) {
      const auto g =
          static_cast<double>(gradients[static_cast<std::size_t>(found->slot.offset + k)]);
      sum += g * g;
    }
  }
  return std::sqrt(sum);
}

StackSizes sizes_of(const model::TransformerForm& form, Index layers, std::uint64_t seed) {
  const LetterModel model(form, layers);
  const std::vector<float> values = model.layout().start<float>(seed);
  std::vector<float> gradients(values.size(), 0.0F);
  const LetterWindows windows = draw_windows(letter_text(4000, seed), seed);
  model::Trace<float> trace;
  model::Tape<float> tape;
  tape.begin(values.data(), gradients.data(), {}, &trace);
  const model::Tensor<float> loss =
      model.loss(tape, windows.ids.data(), windows.next.data(), kLetterBatch,
                 static_cast<double>(kLetterBatch * kLetterWindow));
  tape.backward(loss);
  StackSizes sizes;
  sizes.loss = static_cast<double>(*loss.value);
  const auto add = [&](const std::string& name) {
    const Activations& one = trace.at(name);
    sizes.forward.push_back(root_mean_square(one.values));
    sizes.backward.push_back(root_mean_square(one.gradients));
    sizes.apart.push_back(apart(one));
  };
  add("placed");
  for (Index k = 0; k < layers; ++k) add(std::to_string(k) + ".out");
  sizes.first = projection_norm(model, gradients, 0);
  sizes.last = projection_norm(model, gradients, layers - 1);
  return sizes;
}

}  // namespace

std::vector<StackSizes> stack_sizes(const model::TransformerForm& form, Index layers,
                                    std::uint64_t seed, int threads, const Cancel& cancel) {
  if (layers < 1) refuse("stack_sizes", "at least 1 layer", std::to_string(layers));
  std::vector<StackSizes> all(kStackVariants.size());
  parallel_for(static_cast<Index>(all.size()), threads, [&](Index k, int) {
    if (cancel.requested()) return;
    const auto at = static_cast<std::size_t>(k);
    all[at] = sizes_of(varied(form, kStackVariants[at]), layers, seed);
  });
  cancel.poll();
  return all;
}

}  // namespace core::task
