// What recurrent networks and their attention compute number by number; a part of layers.inl.

// Calls f(first, count) for every vector of `size` numbers; the last may be shorter.
template <class Fn>
inline void by_vectors(Int size, Fn f) {
  Int i = 0;
  for (; i + kLanes <= size; i += kLanes) f(i, kLanes);
  if (i < size) f(i, size - i);
}

inline Floats load_some(const float* p, Int count) {
  if (count == kLanes) return load(p);
  Floats v{};
  for (Int k = 0; k < count; ++k) v[k] = p[k];
  return v;
}

inline void store_some(float* p, Floats v, Int count) {
  if (count == kLanes) return store(p, v);
  for (Int k = 0; k < count; ++k) p[k] = v[k];
}

inline void add_some(float* p, Floats v, Int count) {
  store_some(p, load_some(p, count) + v, count);
}

void gru(const GruRow& row) {
  const Int h = row.hidden;
  by_vectors(h, [&](Int i, Int count) {
    const auto sum = [&](Int at) {
      return load_some(row.x + at, count) + load_some(row.g + at, count);
    };
    const Floats r = logistic(sum(i)), z = logistic(sum(h + i));
    const Floats inner = load_some(row.g + 2 * h + i, count);
    const Floats n = tanh_of(load_some(row.x + 2 * h + i, count) + r * inner);
    const Floats before = load_some(row.before + i, count);
    store_some(row.kept + i, r, count);
    store_some(row.kept + h + i, z, count);
    store_some(row.kept + 2 * h + i, n, count);
    store_some(row.kept + 3 * h + i, inner, count);
    store_some(row.after + i, n + z * (before - n), count);
  });
}

void gru_backward(const GruRowBackward& row) {
  const Int h = row.hidden;
  const Floats one = broadcast(1.F);
  by_vectors(h, [&](Int i, Int count) {
    const Floats r = load_some(row.kept + i, count), z = load_some(row.kept + h + i, count);
    const Floats n = load_some(row.kept + 2 * h + i, count);
    const Floats inner = load_some(row.kept + 3 * h + i, count);
    const Floats dh = load_some(row.dh + i, count);
    const Floats dz = dh * (load_some(row.before + i, count) - n) * z * (one - z);
    const Floats dn = dh * (one - z) * (one - n * n);
    const Floats dr = dn * inner * r * (one - r);
    store_some(row.dh + i, dh * z, count);
    add_some(row.dx + i, dr, count);
    add_some(row.dx + h + i, dz, count);
    add_some(row.dx + 2 * h + i, dn, count);
    store_some(row.dg + i, dr, count);
    store_some(row.dg + h + i, dz, count);
    store_some(row.dg + 2 * h + i, dn * r, count);
  });
}

void lstm(const LstmRow& row) {
  const Int h = row.hidden;
  by_vectors(h, [&](Int at, Int count) {
    const auto sum = [&](Int gate) {
      return load_some(row.x + gate * h + at, count) + load_some(row.g + gate * h + at, count);
    };
    const Floats i = logistic(sum(0)), f = logistic(sum(1)), g = tanh_of(sum(2));
    const Floats o = logistic(sum(3));
    const Floats cell = f * load_some(row.before + at, count) + i * g;
    const Floats t = tanh_of(cell);
    store_some(row.kept + at, i, count);
    store_some(row.kept + h + at, f, count);
    store_some(row.kept + 2 * h + at, g, count);
    store_some(row.kept + 3 * h + at, o, count);
    store_some(row.kept + 4 * h + at, t, count);
    store_some(row.cell + at, cell, count);
    store_some(row.after + at, o * t, count);
  });
}

void lstm_backward(const LstmRowBackward& row) {
  const Int h = row.hidden;
  const Floats one = broadcast(1.F);
  by_vectors(h, [&](Int at, Int count) {
    const auto kept = [&](Int gate) { return load_some(row.kept + gate * h + at, count); };
    const auto give = [&](Int gate, Floats gradient) {
      add_some(row.dx + gate * h + at, gradient, count);
      store_some(row.dg + gate * h + at, gradient, count);
    };
    const Floats i = kept(0), f = kept(1), g = kept(2), o = kept(3), t = kept(4);
    const Floats dh = load_some(row.dh + at, count);
    const Floats dc = load_some(row.dc + at, count) + dh * o * (one - t * t);
    give(0, dc * g * i * (one - i));
    give(1, dc * load_some(row.before + at, count) * f * (one - f));
    give(2, dc * i * (one - g * g));
    give(3, dh * t * o * (one - o));
    store_some(row.dc + at, dc * f, count);
  });
}

void additive(const Additive& a) {
  for (Int j = 0; j < a.keys; ++j) {
    const float* k = a.k + j * a.width;
    float* kept = a.kept + j * a.width;
    Floats sums{};
    by_vectors(a.width, [&](Int i, Int count) {
      const Floats t = tanh_of(load_some(a.q + i, count) + load_some(k + i, count));
      store_some(kept + i, t, count);
      sums += t * load_some(a.w + i, count);
    });
    a.scores[j] = total(sums);
  }
}

void additive_backward(const AdditiveBackward& a) {
  const Floats one = broadcast(1.F);
  by_vectors(a.width, [&](Int i, Int count) {
    const Floats w = load_some(a.w + i, count);
    Floats dq{}, dw{};
    for (Int j = 0; j < a.keys; ++j) {
      const Floats t = load_some(a.kept + j * a.width + i, count), ds = broadcast(a.ds[j]);
      const Floats inner = ds * w * (one - t * t);
      dq += inner;
      dw += ds * t;
      add_some(a.dk + j * a.width + i, inner, count);
    }
    add_some(a.dq + i, dq, count);
    add_some(a.dw + i, dw, count);
  });
}

void mix(const Mixture& m) {
  by_vectors(m.cols, [&](Int i, Int count) {
    Floats sum{};
    for (Int j = 0; j < m.rows; ++j) {
      sum += broadcast(m.p[j]) * load_some(m.v + j * m.cols + i, count);
    }
    store_some(m.y + i, sum, count);
  });
}

void mix_backward(const MixtureBackward& m) {
  for (Int j = 0; j < m.rows; ++j) {
    Floats sums{};
    const Floats p = broadcast(m.p[j]);
    by_vectors(m.cols, [&](Int i, Int count) {
      const Floats dy = load_some(m.dy + i, count);
      sums += dy * load_some(m.v + j * m.cols + i, count);
      if (m.dv) add_some(m.dv + j * m.cols + i, p * dy, count);
    });
    m.dp[j] = total(sums);
  }
}
