// The page of the lab of attention pooling: figures, readouts, explanation, as data.
#pragma once

#include <optional>
#include <string>

#include "app/labs/pooling/model.h"
#include "app/labs/shared/parts.h"

namespace lab::pooling {

struct Scene {
  const Parameters& p;
  const Model& model;
  const words::Words& w;

  const Data& data() const { return *model.data; }
  double query() const { return model.pooled->queries(p.query); }
  // There is data.
  const core::PoolingRow& row() const {
    return model.pooled->rows[static_cast<std::size_t>(p.query)];
  }
  std::optional<Index> key() const {
    if (p.key < 0 || p.key >= data().size()) return std::nullopt;
    return p.key;
  }
  double weight(Index j) const { return row().weight(data().x(j)); }
  bool shows_training() const { return model.training != nullptr; }
  std::string x_name() const { return data().x_name.empty() ? "x" : data().x_name; }
  std::string y_name() const { return data().y_name.empty() ? "y" : data().y_name; }
};

// Six significant digits.
std::string number(double value);
// Four of them, where room is scarce.
std::string short_number(double value);
std::string kernel_word(core::PoolingKernel kernel, const words::Words& w);

// Names, ranges and what a place sets, for every figure over x. Places set the query.
figure::Axis x_axis(const Scene& scene);

figure::Figure data_figure(const Scene& scene);
figure::Figure weights_figure(const Scene& scene);
figure::Figure attention_figure(const Scene& scene);
figure::Figure loss_figure(const Scene& scene);
figure::Figure width_figure(const Scene& scene);
figure::Figure sweep_figure(const Scene& scene);
figure::Figure kernels_figure(const Scene& scene);

Explanation explain(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::pooling
