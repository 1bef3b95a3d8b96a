#include "app/labs/shared/derivation/position_derivation.h"

namespace lab {
namespace {

std::string six(double value) { return bracketed(fixed(value, 6)); }

// The first slope's number, and of what it is a sum of that of the largest term.
void explain_stage_number(const FlowCourse& course, Index place, Index column, const Words& w,
                          Derivation& lines) {
  const core::FloaterMlp& system = course.system;
  const double tau = to_double(place) * course.delta;
  VectorD input(system.d() + 1);
  input << course.places.row(place).transpose(), tau;
  const VectorD inside = system.W1.transpose() * input + system.b1;
  const VectorD active = inside.array().tanh();
  Projected stage;
  stage.product.left = active;
  stage.product.right = system.W2.col(column);
  stage.product.left_color = Role::value;
  stage.product.right_color = Role::text;
  stage.product.most = stage.product.first = 8;
  stage.product.left_name = "t";
  stage.product.right_name = "W_2";
  stage.product.term_name = [](std::size_t k) { return fmt::format("t[{}]", k); };
  stage.bias = system.b2(column);
  stage.name = "k_1";
  stage.dot = "t·W_2";
  stage.whole = "t·W_2 + b_2";
  explain_projected(stage, lines);
  Index strongest = 0;
  active.cwiseProduct(system.W2.col(column)).cwiseAbs().maxCoeff(&strongest);
  const std::string name = fmt::format("t[{}]", strongest);
  const Product product{.left = input,
                        .right = system.W1.col(strongest),
                        .left_color = Role::value,
                        .right_color = Role::text,
                        .most = 8,
                        .first = 8,
                        .left_name = "[p'; τ]",
                        .right_name = "W_1",
                        .term_name = [d = to_size(system.d())](std::size_t k) {
                          return k < d ? fmt::format("p'[{}]", k) : std::string("τ");
                        }};
  lines.begin(name, "tanh([p'; τ]·W_1 + b_1)");
  const std::string sum = lines.product("[p'; τ]·W_1", product);
  lines.about_picked(name, fmt::format("tanh({} + {})", bracketed(sum),
                                       bracketed(fixed(system.b1(strongest), 5))));
  lines.about_result(active(strongest), 4);
  lines.say(
      w("k_1 is the derivative at the position before; the others are the derivatives at the "
        "midpoint and the end of the step. The component of t with the largest term is worked out; "
        "W_1, W_2 and the biases are learned."));
}

}  // namespace

double RotatedNumber::value() const {
  const double angle = frequency * to_double(place) + phase();
  return amplitude() * (of_real ? std::cos(angle) : std::sin(angle));
}

RotatedNumber rotated_number(const VectorD& embedded, const VectorD& frequencies, Index place,
                             Index column) {
  const Index pair = column / 2 * 2;
  return {.real = embedded(pair + 1),
          .imaginary = embedded(pair),
          .frequency = frequencies(column / 2),
          .place = place,
          .of_real = column % 2 == 1};
}

void explain_rotated(const std::string& name, const RotatedNumber& number, const Words& w,
                     Derivation& lines) {
  const char* part = number.of_real ? "cos" : "sin";
  lines.about_picked(name, number.value(), 4);
  lines.next(fmt::format("r·{}(ω·p + θ)", part));
  lines.about(fmt::format("{}·{}({}·{} + {})", six(number.amplitude()), part,
                          bracketed(fixed(number.frequency, 7)), number.place,
                          six(number.phase())));
  lines.is("r", fmt::format("≈ √({}² + {}²)", six(number.real), six(number.imaginary)));
  lines.about(number.amplitude(), 5);
  lines.say(w.format(
      "The word's own number is {} + {}i, learned: r is its modulus, θ its angle. ω is how far "
      "this word rotates from position to position in this dimension, also learned.",
      six(number.real), six(number.imaginary)));
}

double RopeNumber::angle() const {
  return to_double(place) * std::pow(base, -to_double(pair() % width) / to_double(width));
}

std::string RopeNumber::sum_text() const {
  const std::string phi = fixed(angle(), 6);
  return first() ? fmt::format("{}·cos({}) - {}·sin({})", six(a), phi, six(b), phi)
                 : fmt::format("{}·sin({}) + {}·cos({})", six(a), phi, six(b), phi);
}

std::string RopeNumber::angle_text() const {
  return fmt::format("{} / {}^({}/{})", place, significant(base), pair() % width, width);
}

std::string sinusoidal_text(Index place, Index column, Index width, double base) {
  return fmt::format("{}({} / {}^({}/{}))", column % 2 == 0 ? "sin" : "cos", place,
                     significant(base), column / 2 * 2, width);
}

FlowCourse course_of(const core::model::Layout& layout, const std::vector<double>& values,
                     const std::string& scope, MatrixD places, double delta) {
  const auto matrix = [&](const char* name) {
    const core::model::Slot slot = layout.find(scope + name)->slot;
    return MatrixD(Eigen::Map<const MatrixD>(values.data() + slot.offset, slot.rows, slot.cols));
  };
  return {{matrix("in.weight"), matrix("in.bias").row(0).transpose(), matrix("out.weight"),
           matrix("out.bias").row(0).transpose()},
          std::move(places),
          delta};
}

void explain_course(const std::string& letter, const FlowCourse& course, Index place, Index column,
                    const Words& w, Derivation& lines) {
  const double value = course.places(place, column);
  lines.about_picked(letter, value, 5);
  if (place == 0) {
    lines.say(w("The starting point of this layer's flow: learned."));
    return;
  }
  const auto stages =
      core::step_stages(course.system, core::Integrator::rk4, to_double(place - 1) * course.delta,
                        course.places.row(place - 1).transpose(), course.delta);
  const auto stage = [&](std::size_t which) { return stages[which](column); };
  const auto k = [&](std::size_t which) { return six(stage(which)); };
  const double mean = (stage(0) + 2 * stage(1) + 2 * stage(2) + stage(3)) / 6;
  lines.next("p' + Δ·k");
  lines.about(fmt::format("{} + {}·{}", six(course.places(place - 1, column)),
                          significant(course.delta), six(mean)));
  lines.is("k", fmt::format("≈ ({} + 2·{} + 2·{} + {}) / 6", k(0), k(1), k(2), k(3)));
  lines.about(mean, 5);
  explain_stage_number(course, place - 1, column, w, lines);
}

}  // namespace lab
