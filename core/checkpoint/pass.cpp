#include "core/checkpoint/pass.h"

#include <numeric>

#include "core/attention/fast/gemm.h"
#include "core/model/layer/norm.h"
#include "core/parallel.h"

namespace core::checkpoint {
namespace {

// So few rows are multiplied one by one, each reading the weights as they are stored.
constexpr Index kFewRows = 8;
constexpr Index kRowsAtOnce = 32;

// The transposed of a stored matrix, packed out of its rows.
class StoredColumns final : public PanelSource {
 public:
  explicit StoredColumns(const decode::StoredMatrix& stored) : stored_(stored) {}
  Index rows() const override { return stored_.cols(); }
  Index cols() const override { return stored_.rows(); }
  void pack(const kernels::Table& table, Index row, Index depth, Index col, Index cols,
            float* panel, FloatBuffer& room) const override {
    if (stored_.format() == kFloat32) {
      table.pack_rows(stored_.floats() + col * stored_.cols() + row, stored_.cols(), cols, depth,
                      panel);
      return;
    }
    float* numbers = room.reserve(cols * depth);
    stored_.read(col, cols, row, depth, numbers);
    table.pack_rows(numbers, depth, cols, depth, panel);
  }

 private:
  const decode::StoredMatrix& stored_;
};

void multiply(const Matrix& x, const decode::StoredMatrix& w, const Vector* bias, int threads,
              const Cancel& cancel, Matrix& y) {
  y.resize(x.rows(), w.rows());
  if (x.rows() <= kFewRows) {
    cancel.poll();
    std::vector<float> rooms(static_cast<std::size_t>(w.room() * thread_count(threads)));
    decode::multiply(w, bias ? bias->data() : nullptr,
                     model::View<const float>(x.data(), x.rows(), x.cols()),
                     model::View<float>(y.data(), y.rows(), y.cols()), threads, rooms.data());
    return;
  }
  const StoredColumns columns(w);
  const Product one{.a = &x, .bias = bias, .c = &y, .panels = &columns};
  multiply_into({&one, 1}, threads, cancel);
}

// Calls f(first, count) for pieces of the rows, on several threads.
template <class Fn>
void pieces_of_rows(Index rows, int threads, Fn f) {
  parallel_for(ceil_div(rows, kRowsAtOnce), threads, [&](Index piece, int) {
    const Index first = piece * kRowsAtOnce;
    f(first, std::min(kRowsAtOnce, rows - first));
  });
}

// Nobody writes to what a step only reads.
template <class S>
model::Tensor<S> read_only(const S* values, Index rows, Index cols) {
  return {const_cast<S*>(values), nullptr, rows, cols};
}

}  // namespace

template <class S>
MatrixOf<S> part_of(const MatrixOf<S>& x, Index groups, Index parts, Index part) {
  const Index width = x.cols() / (groups * parts);
  MatrixOf<S> out(x.rows(), groups * width);
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index g = 0; g < groups; ++g) {
      const S* from = x.data() + i * x.cols() + (g * parts + part) * width;
      std::copy_n(from, width, out.data() + i * out.cols() + g * width);
    }
  }
  return out;
}
template Matrix part_of(const Matrix&, Index, Index, Index);
template MatrixD part_of(const MatrixD&, Index, Index, Index);

template <class S>
Pass<S>::Pass(const Weights& weights, const Input& input, const ForwardOptions<S>& options,
              Trace<S>& trace, Index steps, const Cancel& cancel, Pasts* past)
    : weights_(weights),
      input_(input),
      options_(options),
      trace_(trace),
      whole_(cancel),
      cancel_(cancel.without_progress()),
      past_(past),
      steps_(steps) {
  for (Stack<S>* stack : {&trace.decoder, &trace.encoder}) {
    while (!stack->layers.empty()) {
      if (stack->layers.back().use_count() == 1) {
        spare_.push_back(std::const_pointer_cast<Layer<S>>(std::move(stack->layers.back())));
      }
      stack->layers.pop_back();
    }
    stack->embedding.resize(0, 0);
    stack->final_norm.resize(0, 0);
  }
  spare_logits_ = std::move(trace.logits);
  trace.logits = Rows();
  trace.pooled.resize(0);
}

// --- parts

template <class S>
MatrixOf<S> Pass<S>::embed(const Parameter& table, const std::vector<std::int32_t>& ids) const {
  if constexpr (std::is_same_v<S, float>) {
    if (options_.edit) {
      const Weights::Stored all = options_.edit->matrix(table, weights_.matrix(table, cancel_));
      Rows rows(static_cast<Index>(ids.size()), all->cols());
      for (Index t = 0; t < rows.rows(); ++t) {
        all->read(ids[static_cast<std::size_t>(t)], rows.row(t).data());
      }
      return rows;
    }
  }
  return weights_.some_rows<S>(table, ids, cancel_);
}

template <class S>
MatrixOf<S> Pass<S>::positions(const Parameter& table, Index count) const {
  std::vector<std::int32_t> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), static_cast<std::int32_t>(past_tokens()));
  return embed(table, positions);
}

template <class S>
MatrixOf<S>& Pass<S>::project_into(const Rows& x, const Linear& linear, Rows& y) const {
  std::optional<VectorOf<S>> bias;
  if (linear.bias) bias = weights_.vector<S>(linear.bias, cancel_);
  if constexpr (std::is_same_v<S, float>) {
    Weights::Stored weight = weights_.matrix(linear.weight, cancel_);
    if (!options_.edit) {
      multiply(x, *weight, bias ? &*bias : nullptr, options_.threads, cancel_, y);
      return y;
    }
    weight = options_.edit->matrix(linear.weight, std::move(weight));
    Rows given = x;
    options_.edit->given(given);
    multiply(given, *weight, bias ? &*bias : nullptr, options_.threads, cancel_, y);
  } else {
    cancel_.poll();
    y.noalias() = x * weights_.exact(linear.weight, cancel_).transpose();
    if (bias) y.rowwise() += bias->transpose();
  }
  return y;
}

template <class S>
MatrixOf<S> Pass<S>::project(const Rows& x, const Linear& linear) const {
  Rows y;
  project_into(x, linear, y);
  return y;
}

template <class S>
MatrixOf<S> Pass<S>::norm(const Rows& x, const Norm& norm) const {
  Rows y = x;
  norm_heads(y, norm, x.cols());
  return y;
}

template <class S>
void Pass<S>::norm_heads(Rows& x, const Norm& norm, Index width) const {
  const VectorOf<S> gain = weights_.vector<S>(norm.gain, cancel_);
  VectorOf<S> shift;
  if (norm.shift) shift = weights_.vector<S>(norm.shift, cancel_);
  const Index heads = x.cols() / width;
  pieces_of_rows(x.rows(), options_.threads, [&](Index first, Index count) {
    model::Tape<S> tape;
    S* const from = x.data() + first * x.cols();
    std::vector<S> moments(static_cast<std::size_t>(2 * count * heads));
    const model::Tensor<S> all = read_only(from, count * heads, width);
    model::NormStep<S>{all,
                       read_only(gain.data(), 1, width),
                       norm.shift ? read_only(shift.data(), 1, width) : model::Tensor<S>{},
                       all,
                       moments.data(),
                       moments.data() + count * heads,
                       static_cast<S>(norm.epsilon),
                       norm.centered}
        .forward(tape);
  });
}

template <class S>
void Pass<S>::activate(Rows& x, model::Activation function) const {
  pieces_of_rows(x.rows(), options_.threads, [&](Index first, Index count) {
    model::Tape<S> tape;
    const model::Tensor<S> some = read_only(x.data() + first * x.cols(), count, x.cols());
    model::ActivationStep<S>{some, some, function}.forward(tape);
  });
}

template <class S>
MatrixOf<S> Pass<S>::gated(Rows gate, const Rows& up, model::Activation function) const {
  activate(gate, function);
  gate.array() *= up.array();
  return gate;
}

// --- the trace

template <class S>
void Pass<S>::notify(Seen::What what) {
  if (options_.seen) options_.seen(trace_, {what, encoder_, layer_});
}

template <class S>
void Pass<S>::embedded(const Rows& x) {
  layer_ = 0;
  stack().embedding = x;
  notify(Seen::What::embedding);
}

template <class S>
bool Pass<S>::known_layer(Rows& x) {
  if (!options_.begun || encoder_ || layer_ >= options_.first_layer) return false;
  if (layer_ + 1 == options_.first_layer) {
    x = options_.begun->decoder.layers[static_cast<std::size_t>(layer_)]->hidden;
  }
  stack().layers.emplace_back();
  ++layer_;
  ++done_;
  return true;
}

template <class S>
void Pass<S>::begin_layer() {
  if (spare_.empty()) {
    now_ = std::make_shared<Layer<S>>();
    return;
  }
  now_ = std::move(spare_.back());
  spare_.pop_back();
  for (Attending<S>* one : {&now_->self, &now_->cross}) {
    for (Rows* rows : {&one->queries, &one->keys, &one->values}) rows->resize(0, 0);
    if (!options_.keep_weights) one->weights.clear();
  }
  now_->fed.resize(0, 0);
}

template <class S>
MatrixOf<S> Pass<S>::fed(Rows x) {
  if (options_.keep_parts) now_->fed = x;
  return x;
}

template <class S>
void Pass<S>::end_layer(const Rows& x) {
  now_->hidden = x;
  stack().layers.push_back(std::move(now_));
  notify(Seen::What::layer);
  if (!options_.keep_layers) stack().layers.back().reset();
  ++layer_;
  whole_.progress(static_cast<float>(++done_) / static_cast<float>(steps_ + 1));
  cancel_.poll();
}

template <class S>
void Pass<S>::normed(const Rows& x) {
  stack().final_norm = x;
  notify(Seen::What::final_norm);
}

template <class S>
void Pass<S>::pooled(const VectorOf<S>& x) {
  trace_.pooled = x;
  notify(Seen::What::pooled);
}

template <class S>
MatrixOf<S> Pass<S>::wanted(const Rows& x) const {
  return options_.logits == Logits::last ? Rows(x.bottomRows(1)) : x;
}

template <class S>
void Pass<S>::logits(const Rows& x, const Linear& head) {
  trace_.logits = std::move(project_into(x, head, spare_logits_));
  notify(Seen::What::logits);
  whole_.progress(1);
}

template class Pass<float>;
template class Pass<double>;

}  // namespace core::checkpoint
