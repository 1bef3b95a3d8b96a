// Every layer that is registered (gradient_cases.h): its backward pass against central differences
// in double, and its fast version in float against the plain one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "core/random.h"
#include "model/gradient_cases.h"

namespace model_test {

std::vector<GradientCase>& gradient_cases() {
  static std::vector<GradientCase> all;
  return all;
}

namespace {

using core::Random;

// What a case begins with: parameters as they start, with some noise so that no gain is 1 and no
// bias 0, and inputs.
struct Point {
  Layout layout;
  std::vector<double> parameters;
  std::vector<MatrixD> inputs;
};

Point point_of(const GradientCase& one) {
  Point point;
  one.declare(Scope(point.layout));
  point.parameters = point.layout.start<double>(7);
  Random random(11);
  for (double& x : point.parameters) x += 0.3 * random.gaussian();
  for (const auto& [rows, cols] : one.shapes) {
    point.inputs.push_back(
        MatrixD::NullaryExpr(rows, cols, [&](Index, Index) { return random.gaussian(); }));
  }
  return point;
}

template <class S>
struct Gradients {
  std::vector<S> parameters;
  std::vector<core::MatrixOf<S>> inputs;
  S loss = 0;
};

template <class S>
Tensor<S> run(const GradientCase& one, Tape<S>& tape, const Inputs<S>& inputs) {
  if constexpr (std::is_same_v<S, double>) {
    return one.in_double(tape, inputs);
  } else {
    return one.in_float(tape, inputs);
  }
}

// The loss is the output's sum with fixed weights, so that every entry counts differently.
template <class S>
struct WeighedStep {
  Tensor<S> x, loss;
  static S weight(Index i) { return static_cast<S>(std::sin(1.7 * static_cast<double>(i) + 0.3)); }
  void forward(Tape<S>&) const {
    S sum = 0;
    for (Index i = 0; i < x.size(); ++i) sum += weight(i) * x.value[i];
    *loss.value = sum;
  }
  void backward(Tape<S>&) const {
    for (Index i = 0; i < x.size(); ++i) x.gradient[i] += *loss.gradient * weight(i);
  }
};

template <class S>
Gradients<S> gradients_of(const GradientCase& one, const Point& point, bool differentiates = true) {
  Gradients<S> out;
  std::vector<S> parameters(point.parameters.begin(), point.parameters.end());
  out.parameters.assign(parameters.size(), S{0});
  Tape<S> tape;
  Pass pass = one.pass;
  pass.differentiates = differentiates;
  tape.begin(parameters.data(), differentiates ? out.parameters.data() : nullptr, pass);
  Inputs<S> inputs;
  for (const MatrixD& input : point.inputs) inputs.push_back(tape.input(input.cast<S>()));
  const Tensor<S> y = run(one, tape, inputs);
  const Tensor<S> loss = tape.tensor(1, 1);
  tape.record("weighed", WeighedStep<S>{y, loss});
  out.loss = *loss.value;
  if (!differentiates) return out;
  tape.backward(loss);
  for (const Tensor<S>& input : inputs) out.inputs.push_back(input.gradient_matrix());
  return out;
}

double loss_at(const GradientCase& one, const Point& point) {
  return gradients_of<double>(one, point, false).loss;
}

// By the central difference at a number of the point.
double difference(const GradientCase& one, Point& point, double& number) {
  const double h = 1e-5, before = number;
  number = before + h;
  const double up = loss_at(one, point);
  number = before - h;
  const double down = loss_at(one, point);
  number = before;
  return (up - down) / (2 * h);
}

}  // namespace

TEST_CASE("Every layer's gradients are those of differences" * doctest::test_suite("long")) {
  REQUIRE(gradient_cases().size() > 10);
  for (const GradientCase& one : gradient_cases()) {
    CAPTURE(one.name);
    Point point = point_of(one);
    const Gradients<double> gradients = gradients_of<double>(one, point);
    CHECK(gradients.loss == loss_at(one, point));
    for (const auto& p : point.layout.parameters()) {
      CAPTURE(p.name);
      for (Index i = p.slot.offset; i < p.slot.offset + p.slot.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const double wanted = difference(one, point, point.parameters[at]);
        CHECK(gradients.parameters[at] == doctest::Approx(wanted).epsilon(1e-6).scale(1));
      }
    }
    for (std::size_t k = 0; k < point.inputs.size(); ++k) {
      CAPTURE(k);
      for (Index i = 0; i < point.inputs[k].size(); ++i) {
        const double wanted = difference(one, point, point.inputs[k].data()[i]);
        CHECK(gradients.inputs[k].data()[i] == doctest::Approx(wanted).epsilon(1e-6).scale(1));
      }
    }
  }
}

TEST_CASE("The fast version of every layer gives what the plain one does") {
  for (const GradientCase& one : gradient_cases()) {
    CAPTURE(one.name);
    const Point point = point_of(one);
    const Gradients<double> plain = gradients_of<double>(one, point);
    const Gradients<float> fast = gradients_of<float>(one, point);
    const auto near = [](float got, double wanted) {
      return std::abs(static_cast<double>(got) - wanted) <= 2e-4 * (1 + std::abs(wanted));
    };
    CHECK(near(fast.loss, plain.loss));
    for (std::size_t i = 0; i < plain.parameters.size(); ++i) {
      CHECK(near(fast.parameters[i], plain.parameters[i]));
    }
    for (std::size_t k = 0; k < plain.inputs.size(); ++k) {
      for (Index i = 0; i < plain.inputs[k].size(); ++i) {
        CHECK(near(fast.inputs[k].data()[i], plain.inputs[k].data()[i]));
      }
    }
  }
}

TEST_CASE("The gradient of a sum is the sum of the gradients") {
  // Walked back twice without clearing, the parameters' gradients are added.
  for (const GradientCase& one : gradient_cases()) {
    CAPTURE(one.name);
    const Point point = point_of(one);
    const Gradients<double> once = gradients_of<double>(one, point);
    std::vector<double> twice(point.parameters.size(), 0.0);
    for (int round = 0; round < 2; ++round) {
      Tape<double> tape;
      tape.begin(point.parameters.data(), twice.data(), one.pass);
      Inputs<double> inputs;
      for (const MatrixD& input : point.inputs) inputs.push_back(tape.input(input));
      const Tensor<double> y = one.in_double(tape, inputs);
      const Tensor<double> loss = tape.tensor(1, 1);
      tape.record("weighed", WeighedStep<double>{y, loss});
      tape.backward(loss);
    }
    for (std::size_t i = 0; i < twice.size(); ++i) {
      CHECK(twice[i] == doctest::Approx(2 * once.parameters[i]).epsilon(1e-14));
    }
  }
}

TEST_CASE("Every layer of core/model has a gradient case") {
  // Files that hold no layer.
  const std::set<std::string> others{"arena",
                                     "encoder_decoder_pass",
                                     "head_attention",
                                     "kernels",
                                     "layout",
                                     "logit_lens",
                                     "mask_pattern",
                                     "norm_moments",
                                     "optimizer",
                                     "parameter_file",
                                     "parts",
                                     "pass_tensors",
                                     "pass_terms",
                                     "placing",
                                     "products",
                                     "residual_stream",
                                     "scheme",
                                     "scheme_cost",
                                     "sublayer_names",
                                     "tape",
                                     "tensor",
                                     "trace",
                                     "transformer_parts",
                                     "vectors"};
  namespace fs = std::filesystem;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(ATTNSCOPE_SOURCE_DIR) / "core/model")) {
    if (entry.path().extension() != ".h") continue;
    const std::string layer = entry.path().stem().string();
    CAPTURE(layer);
    const bool known = std::any_of(
        gradient_cases().begin(), gradient_cases().end(),
        [&](const GradientCase& one) { return one.name.substr(0, one.name.find(':')) == layer; });
    CHECK((known || others.contains(layer)));
  }
}

}  // namespace model_test
