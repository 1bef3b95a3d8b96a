#include "core/model/layer/flow.h"

#include <array>

#include "core/model/layer/vectors.h"

namespace core::model {
namespace {

// The classical Runge-Kutta method: each stage evaluates h after this share of the step, along the
// stage before it, and has this weight.
constexpr std::array kAfter{0.0, 0.5, 0.5, 1.0};
constexpr std::array kCounts{1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
constexpr Index kStages = 4;

// Stage `s` of the step from position `t`, within the memory of a flow's step.
template <class S>
struct Stage {
  const FlowStep<S>& step;
  Index t, s;

  S tau() const {
    const double steps = static_cast<double>(t) + kAfter[static_cast<std::size_t>(s)];
    return static_cast<S>(steps) * step.delta;
  }
  S* room() const {
    return step.kept + (t * kStages + s) * step.layers() * (step.d() + step.hidden());
  }
  View<S> taken_at() const { return {room(), step.layers(), step.d()}; }
  View<S> active() const {
    return {room() + step.layers() * step.d(), step.layers(), step.hidden()};
  }
  View<S> of_state(S* in) const { return {in, step.d(), step.hidden()}; }
  S* of_time(S* in) const { return in + step.d() * step.hidden(); }
};

// k = h(tau, u) in each layer.
template <class S>
void take(Tape<S>& tape, const Stage<S>& stage, const View<S>& k) {
  const FlowStep<S>& step = stage.step;
  const View<S> active = stage.active();
  tape.multiply()(Form::plain, stage.taken_at(), stage.of_state(step.in.value), active, false);
  const S *with_time = stage.of_time(step.in.value), tau = stage.tau();
  for (Index l = 0; l < active.rows; ++l) {
    S* row = active.row(l);
    for (Index j = 0; j < active.cols; ++j) {
      row[j] = std::tanh(row[j] + tau * with_time[j] + step.in_bias.value[j]);
    }
  }
  tape.multiply()(Form::plain, active, step.out.values(), k, false);
  for (Index l = 0; l < k.rows; ++l) add(step.out_bias.value, k.cols, k.row(l));
}

// From dk, the gradient of the loss with respect to a stage, to the gradients of the parameters and
// du, that with respect to the point of evaluation. dz: memory for (layers, hidden).
template <class S>
void take_back(Tape<S>& tape, const Stage<S>& stage, const View<S>& dk, const View<S>& dz,
               const View<S>& du) {
  const FlowStep<S>& step = stage.step;
  const View<S> active = stage.active();
  if (step.out.gradient) {
    tape.multiply()(Form::left, active, dk, step.out.gradients(), true);
    add_rows(dk.data, dk.rows, dk.cols, step.out_bias.gradient);
  }
  tape.multiply()(Form::right, dk, step.out.values(), dz, false);
  for (Index k = 0; k < dz.rows * dz.cols; ++k) {
    dz.data[k] *= 1 - active.data[k] * active.data[k];
  }
  if (step.in.gradient) {
    tape.multiply()(Form::left, stage.taken_at(), dz, stage.of_state(step.in.gradient), true);
    add_rows(dz.data, dz.rows, dz.cols, step.in_bias.gradient);
    for (Index l = 0; l < dz.rows; ++l) {
      add_scaled(dz.row(l), dz.cols, stage.tau(), stage.of_time(step.in.gradient));
    }
  }
  tape.multiply()(Form::right, dz, stage.of_state(step.in.value), du, false);
}

// Row `t` of the trajectory of every layer.
template <class S>
View<S> position(const FlowStep<S>& step, S* courses, Index t) {
  return {courses + t * step.d(), step.layers(), step.d(), step.length * step.d()};
}

}  // namespace

template <class S>
void FlowStep<S>::forward(Tape<S>& tape) const {
  const View<S> k(tape.template room<S>(start.size()), layers(), d());
  for (Index l = 0; l < layers(); ++l) {
    std::copy_n(start.values().row(l), d(), position(*this, y.value, 0).row(l));
  }
  for (Index t = 0; t + 1 < length; ++t) {
    const View<S> now = position(*this, y.value, t), next = position(*this, y.value, t + 1);
    for (Index s = 0; s < kStages; ++s) {
      const Stage<S> stage{*this, t, s};
      const auto which = static_cast<std::size_t>(s);
      const View<S> at = stage.taken_at();
      for (Index l = 0; l < layers(); ++l) {
        std::copy_n(now.row(l), d(), at.row(l));
        if (s > 0) add_scaled(k.row(l), d(), static_cast<S>(kAfter[which]) * delta, at.row(l));
      }
      take(tape, stage, k);
      for (Index l = 0; l < layers(); ++l) {
        if (s == 0) std::copy_n(now.row(l), d(), next.row(l));
        add_scaled(k.row(l), d(), static_cast<S>(kCounts[which]) * delta, next.row(l));
      }
    }
  }
}

template <class S>
void FlowStep<S>::backward(Tape<S>& tape) const {
  // Gradient at every position: its own, plus what comes back from later ones.
  S* all = tape.template room<S>(y.size());
  std::copy_n(y.gradient, y.size(), all);
  const auto room = [&](Index cols) {
    return View<S>(tape.template room<S>(layers() * cols), layers(), cols);
  };
  const View<S> dk = room(d()), du = room(d()), dz = room(hidden());
  for (Index t = length - 2; t >= 0; --t) {
    const View<S> now = position(*this, all, t), next = position(*this, all, t + 1);
    for (Index l = 0; l < layers(); ++l) add(next.row(l), d(), now.row(l));
    for (Index s = kStages - 1; s >= 0; --s) {
      const auto which = static_cast<std::size_t>(s);
      for (Index l = 0; l < layers(); ++l) {
        S* to = dk.row(l);
        std::fill_n(to, d(), S{0});
        add_scaled(next.row(l), d(), static_cast<S>(kCounts[which]) * delta, to);
        if (s + 1 < kStages) {
          add_scaled(du.row(l), d(), static_cast<S>(kAfter[which + 1]) * delta, to);
        }
      }
      take_back(tape, Stage<S>{*this, t, s}, dk, dz, du);
      for (Index l = 0; l < layers(); ++l) add(du.row(l), d(), now.row(l));
    }
  }
  if (!start.gradient) return;
  for (Index l = 0; l < layers(); ++l) {
    add(position(*this, all, 0).row(l), d(), start.gradients().row(l));
  }
}

Flow Flow::declare(const Scope& scope, Index layers, Index d, const Form& form) {
  Flow flow;
  flow.start = scope.declare("start", layers, d, Start::normal(form.deviation), false);
  flow.in = Linear::declare(scope.at("in"), d + 1, form.hidden);
  flow.out = Linear::declare(scope.at("out"), form.hidden, d);
  flow.delta = form.delta;
  return flow;
}

template <class S>
Tensor<S> Flow::operator()(Tape<S>& tape, Index length) const {
  const Tensor<S> from = tape.parameter(start);
  const Index layers = start.rows, d = start.cols, hidden = out.weight.rows;
  const Tensor<S> y = tape.tensor(layers * length, d);
  S* kept = tape.template room<S>((length - 1) * kStages * layers * (d + hidden));
  tape.record("flow", FlowStep<S>{from, tape.parameter(in.weight), tape.parameter(in.bias),
                                  tape.parameter(out.weight), tape.parameter(out.bias), y, length,
                                  static_cast<S>(delta), kept});
  tape.name("flow", y.value, {layers, length, d}, {"layer", "token", "feature"}, y.gradient);
  return y;
}

template struct FlowStep<float>;
template struct FlowStep<double>;
template Tensor<float> Flow::operator()(Tape<float>&, Index) const;
template Tensor<double> Flow::operator()(Tape<double>&, Index) const;

}  // namespace core::model
