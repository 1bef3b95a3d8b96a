// The page of the lab of attention pooling: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/pooling/model.h"
#include "app/labs/shared/parts.h"

namespace lab::pooling {

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  const Data& data() const { return *model.data; }
  double query() const { return model.pooled->queries(p.query); }
  // There is data.
  const core::PoolingRow& row() const { return model.pooled->row(p.query); }
  std::optional<Index> key() const {
    if (p.key < 0 || p.key >= data().size()) return std::nullopt;
    return p.key;
  }
  double weight(Index j) const { return row().weight(data().x(j)); }
  std::string x_name() const { return data().x_name.empty() ? "x" : data().x_name; }
  std::string y_name() const { return data().y_name.empty() ? "y" : data().y_name; }
  // Whether losses are means over the points.
  bool mean_loss() const { return p.loss == Loss::mean; }
};

// Six significant digits.
std::string number(double value);
std::string kernel_word(core::PoolingKernel kernel, const Words& w);

Figure data_figure(const Scene& scene);
Figure weights_figure(const Scene& scene);
Figure attention_figure(const Scene& scene);
Figure loss_figure(const Scene& scene);
Figure width_figure(const Scene& scene);
Figure sweep_figure(const Scene& scene);
Figure kernels_figure(const Scene& scene);

Explanation explain(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::pooling
