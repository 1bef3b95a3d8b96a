// The numbers below the page.
#include <fmt/format.h>

#include <cmath>

#include "app/labs/scoring/page.h"
#include "core/attention/scoring.h"
#include "core/attention/softmax.h"

namespace lab::scoring {
namespace {

std::vector<Readout> plane_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Answer& answer = scene.answer();
  if (answer.weights.size() == 0) return {};
  const double score = answer.scores(p.key), weight = answer.weights(p.key);
  const double entropy = core::entropy(answer.weights);
  return {{"score", w("Picked score"), score, score_text(score),
           w("Of the picked key, by the chosen scoring function")},
          {"weight", w("Picked weight"), weight, weight_text(weight),
           w("Softmax of the scores of all keys")},
          {"output_x", w("Output x"), answer.output[0], fixed(answer.output[0]),
           w("The mean of the values, weighted")},
          {"output_y", w("Output y"), answer.output[1], fixed(answer.output[1]),
           w("The mean of the values, weighted")},
          {"entropy", w("Entropy"), entropy, w.format("{:.4f} nats", entropy),
           w("0 when one key takes all, ln of their number when all weigh alike")}};
}

std::vector<Readout> height_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  std::vector<Readout> out;
  if (scene.heights().keys.size() == 0) return out;
  for (int k = 0; k < kMethods; ++k) {
    const Guess& guess = scene.heights().guesses[static_cast<std::size_t>(k)];
    if (!std::isfinite(guess.value)) continue;
    const auto method = static_cast<Method>(k);
    out.push_back({fmt::format("prediction_{}", method_id(method)), scene.method_name(method),
                   guess.value, fmt::format("{:.4f} kg", guess.value),
                   w("The weight predicted for the height asked for")});
  }
  return out;
}

std::vector<Readout> width_readouts(const Scene& scene) {
  const auto& p = scene.p;
  const auto& w = scene.w;
  const WidthPoint& point = scene.width().point;
  const double d = p.d;
  const auto both = [&](const char* id, std::string_view label, double plain, double divided,
                        std::string_view help) {
    return std::vector<Readout>{
        {fmt::format("{}_plain", id), fmt::format("{}, q·k", w(label)), plain, weight_text(plain),
         w(help)},
        {fmt::format("{}_divided", id), fmt::format("{}, q·k / √d", w(label)), divided,
         weight_text(divided), w(help)}};
  };
  std::vector<Readout> out{
      {"variance", w("Variance of q·k"), point.variance,
       w.format("{:.4g}, theory {}", point.variance, p.d), w("Over all sampled pairs")},
      {"scaled_variance", w("Variance after scaling"), point.variance / d,
       w.format("{:.4g}, theory {}", point.variance / d, 1),
       w("Of the same pairs, divided by √d")}};
  for (auto&& pair :
       {both("largest", N_("Largest weight"), point.plain.largest, point.divided.largest,
             N_("Mean over the queries of the largest weight")),
        both("entropy", N_("Entropy"), point.plain.entropy, point.divided.entropy,
             N_("Mean over the queries, in nats")),
        both("gradient", N_("Size of the Jacobian"), point.plain.gradient, point.divided.gradient,
             N_("Frobenius norm of softmax's Jacobian, mean over the queries"))}) {
    out.insert(out.end(), pair.begin(), pair.end());
  }
  return out;
}

}  // namespace

std::vector<Readout> readouts(const Scene& scene) {
  switch (scene.p.view) {
    case View::heights:
      return height_readouts(scene);
    case View::width:
      return width_readouts(scene);
    case View::plane:
      break;
  }
  return plane_readouts(scene);
}

}  // namespace lab::scoring
