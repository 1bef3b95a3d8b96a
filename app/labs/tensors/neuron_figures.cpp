// Query, key and their products, where the file has them.
#include "app/labs/shared/derivation/model_derivation.h"
#include "app/labs/tensors/page.h"

namespace lab::tensors {
namespace {

std::vector<double> row_of(const core::TensorView& view, Index row) {
  std::vector<double> numbers(to_size(view.cols()));
  view.read<double>({row, 0, 1, view.cols()}, numbers.data());
  return numbers;
}

}  // namespace

std::vector<double> query_vector(const Scene& scene) {
  return row_of(scene.given().query_vectors(scene.model.at), scene.model.query);
}

std::vector<double> key_vector(const Scene& scene, Index key) {
  return row_of(scene.given().key_vectors(scene.model.at), key);
}

Figure neuron_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::vector<double> q = query_vector(scene), k = key_vector(scene, model.key);
  std::vector<double> product(q.size());
  std::transform(q.begin(), q.end(), k.begin(), product.begin(), std::multiplies<>());
  const double sum = std::accumulate(product.begin(), product.end(), 0.0);
  Figure figure = new_figure(
      "neuron", w.format("Why does {} attend to {}?", scene.query_name(), scene.key_name()),
      {.span = 7, .height = 420, .columns = 1});
  figure.note = w.format("head {}", head_name(model.at));
  figure.caption =
      w("The query's numbers, the key's, and their products, whose sum over √d is the score.");
  const double largest = std::max(largest_size(q), largest_size(k));
  const double largest_product = largest_size(product);
  const auto width = to_index(q.size());
  figure.plots = {strip("q", "q", q, Role::query, largest), strip("k", "k", k, Role::key, largest),
                  strip("qk", "q∘k", std::move(product), Role::accent, largest_product)};
  for (Plot& plot : figure.plots) plot.x.link = "dimension";
  figure.footer = {
      {fmt::format("Σ = {}", fixed(sum)), Role::text, TextStyle::mono_bold},
      {fmt::format("÷ √{} = {}", width, fixed(sum / std::sqrt(to_double(width)))), Role::dim},
      {cell_text(model.row[to_size(model.key)], w), Role::accent, TextStyle::mono_bold}};
  return figure;
}

Figure products_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::vector<double> q = query_vector(scene);
  const std::vector<Index> keys = strongest_keys(model, 16);
  Matrix cells(std::max<Index>(1, to_index(keys.size())), to_index(q.size()));
  cells.setZero();
  auto names = std::make_shared<std::vector<std::string>>();
  for (std::size_t r = 0; r < keys.size(); ++r) {
    const std::vector<double> k = key_vector(scene, keys[r]);
    for (std::size_t d = 0; d < q.size(); ++d) {
      cells(to_index(r), to_index(d)) = to_float(q[d] * k[d]);
    }
    names->push_back(fmt::format("{} {}", model.key_name(keys[r]), keys[r]));
  }
  if (names->empty()) names->push_back("–");
  const float largest = cells.cwiseAbs().maxCoeff();
  Plot plot{.id = "products"};
  plot.x = cell_axis(w("dimension of the head"), cells.cols(), "dimension");
  plot.y = cell_axis(w("key"), cells.rows(), {.labels = std::move(names), .color = Role::key});
  plot.add(lab::heatmap(cells, signed_scale(largest)));
  Figure figure = new_figure("products", w.format("What {} asks of each key", scene.query_name()),
                             {.span = 5, .height = 420});
  figure.caption =
      w("The products q∘k of the strongest keys: which dimensions decide, and against which they "
        "decide.");
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::tensors
