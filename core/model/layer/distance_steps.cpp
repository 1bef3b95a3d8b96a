#include "core/model/layer/distance_steps.h"

namespace core::model {
namespace {

// Rotates the pairs of a head by a row of the table; `sign` -1 rotates back. Adds to y or
// overwrites it.
template <bool kAdd, class S>
void rotate(const S* x, const S* cos, const S* sin, Index pairs, S sign, S* y) {
  for (Index i = 0; i < pairs; ++i) {
    const S a = x[2 * i], b = x[2 * i + 1], c = cos[i], s = sign * sin[i];
    const S to_a = a * c - b * s, to_b = a * s + b * c;
    y[2 * i] = kAdd ? y[2 * i] + to_a : to_a;
    y[2 * i + 1] = kAdd ? y[2 * i + 1] + to_b : to_b;
  }
}

template <bool kAdd, class S>
void rotate_rows(const RotateStep<S>& step, const S* from, S sign, S* to) {
  const Index cols = step.x.cols, pairs = step.width / 2;
  for (Index row = 0; row < step.x.rows; ++row) {
    const Index position = row % step.length;
    const S* cos = step.table->cos.row(position).data();
    const S* sin = step.table->sin.row(position).data();
    for (Index first = 0; first < cols; first += step.width) {
      const Index at = row * cols + first;
      rotate<kAdd>(from + at, cos, sin, pairs, sign, to + at);
    }
  }
}

}  // namespace

template <class S>
void RotateStep<S>::forward(Tape<S>&) const {
  rotate_rows<false>(*this, x.value, S{1}, y.value);
}

template <class S>
void RotateStep<S>::backward(Tape<S>&) const {
  if (x.gradient) rotate_rows<true>(*this, y.gradient, S{-1}, x.gradient);
}

template <class S>
void BucketBiasStep<S>::forward(Tape<S>&) const {
  for (Index h = 0; h < heads; ++h) {
    for (Index i = 0; i < n; ++i) {
      S* row = y.values().row(h * n + i);
      const std::int32_t* bucket = buckets + (n - 1 - i);
      for (Index j = 0; j < m; ++j) row[j] = table.value[bucket[j] * heads + h];
    }
  }
}

template <class S>
void BucketBiasStep<S>::backward(Tape<S>&) const {
  if (!table.gradient) return;
  for (Index h = 0; h < heads; ++h) {
    for (Index i = 0; i < n; ++i) {
      const S* row = y.gradients().row(h * n + i);
      const std::int32_t* bucket = buckets + (n - 1 - i);
      for (Index j = 0; j < m; ++j) table.gradient[bucket[j] * heads + h] += row[j];
    }
  }
}

namespace {

// Calls fn for every head with its part of x, its part of the table, and its rows of y.
template <class S, class Fn>
void for_heads(const DistanceTermStep<S>& step, Fn fn) {
  const Index length = step.side().length, width = step.width();
  const bool shared = step.table.cols == width;
  for (Index b = 0; b < step.queries.batch; ++b) {
    for (Index h = 0; h < step.heads; ++h) {
      const Index of_x = h / (step.heads / step.x_heads);
      const auto head = [&](S* data) {
        return View<S>(data, step.x.rows, step.x.cols)
            .rows_from(b * length, length)
            .columns(of_x * width, width);
      };
      const auto rows = [&](S* data) {
        return View<S>(data, step.table.rows, step.table.cols)
            .columns(shared ? 0 : h * width, width);
      };
      fn(head, rows, (b * step.heads + h) * step.queries.length);
    }
  }
}

// Calls fn for every pair of query and key with its index in y and in the products.
template <class S, class Fn>
void for_pairs(const DistanceTermStep<S>& step, Index first, Fn fn) {
  const Index n = step.queries.length, m = step.keys.length, rows = step.table.rows;
  for (Index i = 0; i < n; ++i) {
    const Index position = i + m - n;
    for (Index j = 0; j < m; ++j) {
      const Index row = step.distances.at(j - position, rows);
      fn((first + i) * m + j, (step.of_keys ? j : i) * rows + row);
    }
  }
}

}  // namespace

template <class S>
void DistanceTermStep<S>::forward(Tape<S>& tape) const {
  const View<S> by_distance(products, side().length, table.rows);
  for_heads(*this, [&](const auto& head, const auto& rows, Index first) {
    tape.multiply()(Form::right, head(x.value), rows(table.value), by_distance, false);
    for_pairs(*this, first, [&](Index at, Index from) {
      const S term = scale * products[from];
      y.value[at] = adds ? y.value[at] + term : term;
    });
  });
}

template <class S>
void DistanceTermStep<S>::backward(Tape<S>& tape) const {
  const View<S> by_distance(products, side().length, table.rows);
  for_heads(*this, [&](const auto& head, const auto& rows, Index first) {
    std::fill_n(products, side().length * table.rows, S{0});
    for_pairs(*this, first,
              [&](Index at, Index from) { products[from] += scale * y.gradient[at]; });
    if (x.gradient) {
      tape.multiply()(Form::plain, by_distance, rows(table.value), head(x.gradient), true);
    }
    if (table.gradient) {
      tape.multiply()(Form::left, by_distance, head(x.value), rows(table.gradient), true);
    }
  });
}

template struct RotateStep<float>;
template struct RotateStep<double>;
template struct BucketBiasStep<float>;
template struct BucketBiasStep<double>;
template struct DistanceTermStep<float>;
template struct DistanceTermStep<double>;

}  // namespace core::model
