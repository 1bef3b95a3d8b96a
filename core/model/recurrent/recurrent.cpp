#include "core/model/recurrent/recurrent.h"

#include <algorithm>
#include <string>
#include <type_traits>

#include "core/model/layer/vectors.h"
#include "core/refuse.h"

namespace core::model {
namespace {

template <class S>
S sigma(S x) {
  return 1 / (1 + std::exp(-x));
}

// One step of a sequence, plainly; names as in kernels::GruRow and LstmRow.
template <class S>
void gru_row(Index n, const S* x, const S* g, const S* before, S* kept, S* after) {
  for (Index i = 0; i < n; ++i) {
    const S r = sigma(x[i] + g[i]), z = sigma(x[n + i] + g[n + i]);
    const S inner = g[2 * n + i], candidate = std::tanh(x[2 * n + i] + r * inner);
    kept[i] = r, kept[n + i] = z, kept[2 * n + i] = candidate, kept[3 * n + i] = inner;
    after[i] = (1 - z) * candidate + z * before[i];
  }
}

template <class S>
void gru_row_backward(Index n, const S* before, const S* kept, S* dh, S* dx, S* dg) {
  for (Index i = 0; i < n; ++i) {
    const S r = kept[i], z = kept[n + i], candidate = kept[2 * n + i], inner = kept[3 * n + i];
    const S dz = dh[i] * (before[i] - candidate) * z * (1 - z);
    const S dn = dh[i] * (1 - z) * (1 - candidate * candidate);
    const S dr = dn * inner * r * (1 - r);
    dh[i] *= z;
    dx[i] += dr, dx[n + i] += dz, dx[2 * n + i] += dn;
    dg[i] = dr, dg[n + i] = dz, dg[2 * n + i] = dn * r;
  }
}

template <class S>
void lstm_row(Index n, const S* x, const S* g, const S* before, S* kept, S* cell, S* after) {
  for (Index k = 0; k < n; ++k) {
    const S i = sigma(x[k] + g[k]), f = sigma(x[n + k] + g[n + k]);
    const S in = std::tanh(x[2 * n + k] + g[2 * n + k]), o = sigma(x[3 * n + k] + g[3 * n + k]);
    cell[k] = f * before[k] + i * in;
    const S t = std::tanh(cell[k]);
    kept[k] = i, kept[n + k] = f, kept[2 * n + k] = in, kept[3 * n + k] = o, kept[4 * n + k] = t;
    after[k] = o * t;
  }
}

template <class S>
void lstm_row_backward(Index n, const S* before, const S* kept, const S* dh, S* dc, S* dx, S* dg) {
  for (Index k = 0; k < n; ++k) {
    const S i = kept[k], f = kept[n + k], in = kept[2 * n + k], o = kept[3 * n + k];
    const S t = kept[4 * n + k], d_cell = dc[k] + dh[k] * o * (1 - t * t);
    dg[k] = d_cell * in * i * (1 - i);
    dg[n + k] = d_cell * before[k] * f * (1 - f);
    dg[2 * n + k] = d_cell * i * (1 - in * in);
    dg[3 * n + k] = dh[k] * t * o * (1 - o);
    dc[k] = d_cell * f;
  }
  for (Index k = 0; k < 4 * n; ++k) dx[k] += dg[k];
}

// Where the numbers of a step lie. Each tensor has one row for a sequence.
template <class S>
struct At {
  const RecurrentStep<S>& step;
  Index now;

  Index batch() const { return step.sequences.batch; }
  Index row(Index b) const { return b * step.sequences.length + step.time(now); }
  S* state(Index b, Index later = 0) const {
    return step.states + ((now + later) * batch() + b) * step.hidden();
  }
  S* cell(Index b, Index later = 0) const {
    return step.cells + ((now + later) * batch() + b) * step.hidden();
  }
  S* kept(Index b) const { return step.kept + (now * batch() + b) * step.kept_width(); }
};

template <class S>
void compute(const At<S>& at, Index b, const S* g) {
  const RecurrentStep<S>& step = at.step;
  const Index n = step.hidden();
  const S* x = step.gates.values().row(at.row(b));
  if constexpr (std::is_same_v<S, float>) {
    const kernels::Table& table = kernels::table();
    if (step.cell == Cell::gru) {
      table.gru({n, x, g, at.state(b), at.kept(b), at.state(b, 1)});
    } else {
      table.lstm({n, x, g, at.cell(b), at.kept(b), at.cell(b, 1), at.state(b, 1)});
    }
  } else if (step.cell == Cell::gru) {
    gru_row(n, x, g, at.state(b), at.kept(b), at.state(b, 1));
  } else {
    lstm_row(n, x, g, at.cell(b), at.kept(b), at.cell(b, 1), at.state(b, 1));
  }
}

// dh and dc: gradients with respect to the states after the step, which become those with respect
// to the states before it; for dh only the part that does not go through the product.
template <class S>
void compute_backward(const At<S>& at, Index b, S* dh, S* dc, S* dg) {
  const RecurrentStep<S>& step = at.step;
  const Index n = step.hidden();
  S* dx = step.gates.gradients().row(at.row(b));
  if constexpr (std::is_same_v<S, float>) {
    const kernels::Table& table = kernels::table();
    if (step.cell == Cell::gru) {
      table.gru_backward({n, at.state(b), at.kept(b), dh, dx, dg});
    } else {
      table.lstm_backward({n, at.cell(b), at.kept(b), dh, dc, dx, dg});
    }
  } else if (step.cell == Cell::gru) {
    gru_row_backward(n, at.state(b), at.kept(b), dh, dx, dg);
  } else {
    lstm_row_backward(n, at.cell(b), at.kept(b), dh, dc, dx, dg);
  }
  if (step.cell == Cell::lstm) std::fill_n(dh, n, S{0});
}

template <class S>
void copy_or_zero(const Tensor<S>& from, Index count, S* to) {
  if (from) {
    std::copy_n(from.value, count, to);
  } else {
    std::fill_n(to, count, S{0});
  }
}

}  // namespace

template <class S>
void RecurrentStep<S>::forward(Tape<S>& tape) const {
  const Index n = hidden(), batch = sequences.batch, all = batch * n;
  const Tensor<S> products{tape.template room<S>(batch * gates.cols), nullptr, batch, gates.cols};
  copy_or_zero(h0, all, states);
  if (cells) copy_or_zero(c0, all, cells);
  for (Index now = 0; now < sequences.length; ++now) {
    const At<S> at{*this, now};
    LinearStep<S>{{at.state(0), nullptr, batch, n}, weight, bias, products, false}.forward(tape);
    for (Index b = 0; b < batch; ++b) {
      const bool real = counts(b, now);
      if (real) {
        compute(at, b, products.values().row(b));
      } else {
        std::copy_n(at.state(b), n, at.state(b, 1));
        if (cells) std::copy_n(at.cell(b), n, at.cell(b, 1));
      }
      if (!y) continue;
      S* to = y.values().row(at.row(b)) + column;
      if (real) {
        std::copy_n(at.state(b, 1), n, to);
      } else {
        std::fill_n(to, n, S{0});
      }
    }
  }
  std::copy_n(states + sequences.length * all, all, h.value);
  if (c) std::copy_n(cells + sequences.length * all, all, c.value);
}

template <class S>
void RecurrentStep<S>::backward(Tape<S>& tape) const {
  const Index n = hidden(), batch = sequences.batch, all = batch * n;
  S* dh = tape.template room<S>(all);
  S* dc = tape.template room<S>(all);
  const Tensor<S> dg{tape.template room<S>(sequences.length * batch * gates.cols), nullptr,
                     sequences.length * batch, gates.cols};
  std::copy_n(h.gradient, all, dh);
  copy_or_zero(Tensor<S>{c.gradient, nullptr, batch, n}, all, dc);
  for (Index now = sequences.length - 1; now >= 0; --now) {
    const At<S> at{*this, now};
    const View<S> d_gates = dg.values().rows_from(now * batch, batch);
    for (Index b = 0; b < batch; ++b) {
      if (!counts(b, now)) {
        std::fill_n(d_gates.row(b), gates.cols, S{0});
        continue;
      }
      if (y) add(y.gradients().row(at.row(b)) + column, n, dh + b * n);
      compute_backward(at, b, dh + b * n, dc + b * n, d_gates.row(b));
    }
    tape.multiply()(Form::right, d_gates, weight.values(), View<S>(dh, batch, n), true);
  }
  if (weight.gradient) {
    tape.multiply()(Form::left, View<S>(states, sequences.length * batch, n), dg.values(),
                    weight.gradients(), true);
  }
  if (bias.gradient) add_rows(dg.value, dg.rows, dg.cols, bias.gradient);
  if (h0 && h0.gradient) add(dh, all, h0.gradient);
  if (c0 && c0.gradient) add(dc, all, c0.gradient);
}

template <class S>
States<S> States<S>::taken(Tape<S>& tape, Cell cell, Index count, Index batch, Index hidden) {
  States<S> out;
  out.count = count;
  out.h = tape.template room<Tensor<S>>(count);
  if (cell == Cell::lstm) out.c = tape.template room<Tensor<S>>(count);
  for (Index k = 0; k < count; ++k) {
    out.h[k] = tape.tensor(batch, hidden);
    if (out.c) out.c[k] = tape.tensor(batch, hidden);
  }
  return out;
}

RecurrentLayer RecurrentLayer::declare(const Scope& scope, Cell cell, Index in, Index hidden) {
  const Start start = Start::uniform(1 / std::sqrt(static_cast<double>(hidden)));
  const auto affine = [&](const Scope& at, Index rows) {
    const Index cols = gates_of(cell) * hidden;
    return Linear{at.declare("weight", rows, cols, start),
                  at.declare("bias", 1, cols, start, false)};
  };
  return {affine(scope.at("input"), in), affine(scope.at("state"), hidden), cell};
}

namespace {

// From steps by sequences, as they are stored, to sequences by tokens.
template <class S>
void name_kept(Tape<S>& tape, const RecurrentStep<S>& step, const char* name, const S* from,
               Index stride, Index first) {
  const Index n = step.hidden(), batch = step.sequences.batch;
  std::vector<S> values(static_cast<std::size_t>(step.sequences.rows() * n), S{0});
  for (Index now = 0; now < step.sequences.length; ++now) {
    for (Index b = 0; b < batch; ++b) {
      if (!step.counts(b, now)) continue;
      std::copy_n(from + (now * batch + b) * stride + first, n,
                  values.data() + At<S>{step, now}.row(b) * n);
    }
  }
  tape.name(name, values.data(), {batch, step.sequences.length, n}, {"batch", "token", "feature"});
}

template <class S>
void name_all(Tape<S>& tape, const RecurrentStep<S>& step) {
  const bool gru = step.cell == Cell::gru;
  const Index n = step.hidden(), after = step.sequences.batch * n;
  name_kept<S>(tape, step, "states", step.states + after, n, 0);
  if (!gru) name_kept<S>(tape, step, "cells", step.cells + after, n, 0);
  static constexpr const char* kGru[] = {"reset", "update", "candidate"};
  static constexpr const char* kLstm[] = {"input", "forget", "candidate", "output"};
  for (Index k = 0; k < gates_of(step.cell); ++k) {
    name_kept<S>(tape, step, gru ? kGru[k] : kLstm[k], step.kept, step.kept_width(), k * n);
  }
}

template <class S>
RecurrentStep<S> prepared(Tape<S>& tape, const RecurrentLayer& layer, const Tensor<S>& gates,
                          const RecurrentLayer::Run<S>& run) {
  const Index n = layer.hidden(), batch = run.sequences.batch, steps = run.sequences.length;
  RecurrentStep<S> step{layer.cell,
                        run.reversed,
                        gates,
                        tape.parameter(layer.state.weight),
                        tape.parameter(layer.state.bias),
                        run.h0,
                        run.c0,
                        run.y,
                        run.column,
                        run.h,
                        run.c,
                        run.sequences,
                        tape.template room<S>((steps + 1) * batch * n),
                        nullptr,
                        nullptr};
  if (layer.cell == Cell::lstm) step.cells = tape.template room<S>((steps + 1) * batch * n);
  step.kept = tape.template room<S>(steps * batch * step.kept_width());
  return step;
}

}  // namespace

template <class S>
void RecurrentLayer::operator()(Tape<S>& tape, const Tensor<S>& x, const Run<S>& run) const {
  const RecurrentStep<S> step = prepared(tape, *this, input(tape, x), run);
  tape.record("recurrent", step);
  if (tape.traces()) name_all(tape, step);
}

template <class S>
void RecurrentLayer::step(Tape<S>& tape, const Tensor<S>& gates, const Tensor<S>& h0,
                          const Tensor<S>& c0, const Tensor<S>& h, const Tensor<S>& c) const {
  tape.record("recurrent step",
              prepared(tape, *this, gates, Run<S>{h0, c0, {}, 0, h, c, {gates.rows, 1}, false}));
}

Recurrent Recurrent::declare(const Scope& scope, Index in, Index hidden, const Form& form) {
  if (form.layers < 1) refuse("recurrent", "at least one layer", std::to_string(form.layers));
  Recurrent net;
  net.form = form;
  for (Index k = 0; k < form.layers; ++k) {
    const Scope layer = scope.at(std::to_string(k));
    const Index below = k == 0 ? in : net.directions() * hidden;
    net.layers.push_back(RecurrentLayer::declare(layer.at("forward"), form.cell, below, hidden));
    if (form.both_ways) {
      net.layers.push_back(RecurrentLayer::declare(layer.at("backward"), form.cell, below, hidden));
    }
  }
  return net;
}

template <class S>
Recurred<S> Recurrent::operator()(Tape<S>& tape, const Tensor<S>& x, const Sequences& sequences,
                                  const States<S>& start) const {
  if (x.rows != sequences.rows() || x.cols != layers.front().input.weight.rows) {
    refuse("recurrent",
           "inputs of " + shape_text(sequences.rows(), layers.front().input.weight.rows),
           shape_text(x.rows, x.cols));
  }
  check_lengths("recurrent", sequences);
  if (start && (start.count != count() || start.h->rows != sequences.batch ||
                start.h->cols != hidden() || (form.cell == Cell::lstm && !start.c))) {
    refuse("recurrent", "a state for each layer and direction", std::to_string(start.count));
  }
  Recurred<S> out{x, States<S>::taken(tape, form.cell, count(), sequences.batch, hidden())};
  for (Index k = 0; k < form.layers; ++k) {
    const typename Tape<S>::Named name(tape, k);
    const Tensor<S> below = out.states;
    out.states = tape.tensor(sequences.rows(), width());
    for (Index way = 0; way < directions(); ++way) {
      const typename Tape<S>::Named direction(tape, way == 0 ? "forward" : "backward");
      const Index at = k * directions() + way;
      layers[static_cast<std::size_t>(at)](
          tape, below,
          RecurrentLayer::Run<S>{start ? start.h[at] : Tensor<S>{},
                                 start ? start.cell(at) : Tensor<S>{}, out.states, way * hidden(),
                                 out.last.h[at], out.last.cell(at), sequences, way == 1});
    }
  }
  tape.name("states", out.states, sequences);
  return out;
}

#define ATTNSCOPE_INSTANTIATE(S)                                                                  \
  template struct States<S>;                                                                      \
  template struct RecurrentStep<S>;                                                               \
  template void RecurrentLayer::operator()(Tape<S>&, const Tensor<S>&, const Run<S>&) const;      \
  template void RecurrentLayer::step(Tape<S>&, const Tensor<S>&, const Tensor<S>&,                \
                                     const Tensor<S>&, const Tensor<S>&, const Tensor<S>&) const; \
  template Recurred<S> Recurrent::operator()(Tape<S>&, const Tensor<S>&, const Sequences&,        \
                                             const States<S>&) const;
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)
#undef ATTNSCOPE_INSTANTIATE

}  // namespace core::model
