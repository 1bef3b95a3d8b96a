// The picked weight, a number of its query, and the written token, down to their inputs.
#include "app/labs/translation/page.h"

namespace lab::translation {
namespace {

std::vector<double> head_row(const Matrix& rows, Index row, Index head, Index width) {
  const auto part = rows.row(row).segment(head * width, width);
  return {part.begin(), part.end()};
}

// A parameter of the model, by its name.
Matrix parameter(const Scene& scene, const std::string& name) {
  const auto* found = scene.learned().model->translator.layout().find(name);
  return Eigen::Map<const Matrix>(scene.learned().numbers() + found->slot.offset, found->slot.rows,
                                  found->slot.cols);
}

// What is added to the scaled scores, or nothing.
Matrix bias_of(const Scene& scene) {
  const auto* traced = scene.reading().looked.trace.find(scene.model.place.prefix() + "bias");
  if (!traced) return Matrix::Zero(scene.model.weights.rows(), scene.model.weights.cols());
  const Index n = traced->shape[1], m = traced->shape[2];
  return Eigen::Map<const Matrix>(traced->values.data() + scene.model.place.head * n * m, n, m);
}

void explain_weight(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Place& place = model.place;
  const Index width = model.width(), m = model.weights.cols();
  const Matrix queries = row_matrix(model.traced(place, "queries"));
  const Matrix keys = row_matrix(model.traced(place, "keys")), bias = bias_of(scene);
  const Labels names = scene.keys(place.part);
  const double root = std::sqrt(to_double(width));
  const std::vector<double> q = head_row(queries, model.row, place.head, width);
  SoftmaxRow row{.scores = {}, .picked = to_size(*model.key), .name = [names](std::size_t j) {
                   return (*names)[j];
                 }};
  for (Index j = 0; j < m; ++j) {
    const std::vector<double> k = head_row(keys, j, place.head, width);
    const double dot = std::inner_product(q.begin(), q.end(), k.begin(), 0.0);
    row.scores.push_back(dot / root + to_double(bias(model.row, j)));
    row.allowed.push_back(place.part != Part::decoder || j <= model.row);
  }
  lines.weight("w", row);
  if (row.allowed[row.picked]) {
    const double added = to_double(bias(model.row, *model.key));
    const std::string plus = added == 0 ? "" : " + b";
    lines.begin("s", fmt::format("q·k / √{}{}", width, plus));
    const std::vector<double> k = head_row(keys, *model.key, place.head, width);
    const std::string dot = lines.product("q·k", {.left = q, .right = k});
    const std::string with_bias =
        added == 0 ? "" : fmt::format(" + {}", bracketed(fixed(added, 5)));
    lines.about_picked("s", fmt::format("{} / √{}{}", bracketed(dot), width, with_bias))
        .about_result(fixed(row.scores[row.picked], 5));
  }
  lines.normaliser(row);
}

// What a head's projection of the queries is given.
Matrix given_to(const Scene& scene) {
  const Model& model = scene.model;
  const Place& place = model.place;
  const char* side = place.part == Part::encoder ? "encoder" : "decoder";
  if (model.form().layer.norm_first) return row_matrix(model.traced(place, "normed"));
  if (place.part == Part::cross) {
    return row_matrix(scene.reading().traced(fmt::format("decoder.{}.self.after", place.layer)));
  }
  return row_matrix(scene.reading().traced(place.layer == 0
                                               ? fmt::format("{}.placed", side)
                                               : fmt::format("{}.{}.out", side, place.layer - 1)));
}

void explain_number(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Index width = model.width();
  const Index column = model.place.head * width + std::min<Index>(p.dim, width - 1);
  const std::string prefix = model.place.prefix() + "query.";
  const Matrix weight = parameter(scene, prefix + "weight"),
               bias = parameter(scene, prefix + "bias");
  const Matrix x = given_to(scene);
  Product product{.left = {},
                  .right = {},
                  .left_color = Role::text,
                  .right_color = Role::query,
                  .left_name = "x",
                  .right_name = "W"};
  for (Index i = 0; i < x.cols(); ++i) {
    product.left.push_back(to_double(x(model.row, i)));
    product.right.push_back(to_double(weight(i, column)));
  }
  const double sum =
      std::inner_product(product.left.begin(), product.left.end(), product.right.begin(), 0.0);
  const double b = to_double(bias(0, column));
  lines.begin(fmt::format("q[{}]", column), fmt::format("x·W[:,{0}] + b[{0}]", column));
  const std::string dot = lines.product("x·W", product);
  lines
      .about_picked(fmt::format("q[{}]", column),
                    fmt::format("{} + {}", bracketed(dot), bracketed(fixed(b, 5))))
      .about_result(fixed(sum + b, 5));
  if (model.form().positions.scheme == core::model::Scheme::rotary &&
      model.place.part != Part::cross) {
    lines.say(
        w("The position then turns this number with its neighbour: see the lab of rotary "
          "positions."));
  }
}

void explain_token(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Reading& reading = scene.reading();
  const Index step = model.step;
  const Matrix logits = row_matrix(reading.traced("decoder.logits"));
  const std::int32_t id = reading.token(step);
  SoftmaxRow row{.scores = {},
                 .picked = static_cast<std::size_t>(id),
                 .name =
                     [&](std::size_t j) {
                       return token_name(scene.learned(), static_cast<std::int32_t>(j), scene.w);
                     },
                 .score = "z"};
  for (Index j = 0; j < logits.cols(); ++j) row.scores.push_back(to_double(logits(step, j)));
  lines.weight("P", row);
  const Matrix out = row_matrix(reading.traced("decoder.out"));
  Product product{.left = {},
                  .right = {},
                  .left_color = Role::text,
                  .right_color = Role::query,
                  .left_name = "y",
                  .right_name = model.form().tied ? "e" : "W"};
  double bias = 0;
  if (model.form().tied) {
    const Matrix table = parameter(scene, "embedding");
    for (Index i = 0; i < out.cols(); ++i) product.right.push_back(to_double(table(id, i)));
  } else {
    const Matrix weight = parameter(scene, "output.weight");
    for (Index i = 0; i < out.cols(); ++i) product.right.push_back(to_double(weight(i, id)));
    bias = to_double(parameter(scene, "output.bias")(0, id));
  }
  for (Index i = 0; i < out.cols(); ++i) product.left.push_back(to_double(out(step, i)));
  lines.begin("z", model.form().tied ? "y·e" : "y·W + b");
  const std::string dot = lines.product(model.form().tied ? "y·e" : "y·W", product);
  const double sum =
      std::inner_product(product.left.begin(), product.left.end(), product.right.begin(), bias);
  if (!model.form().tied) {
    lines.about_picked("z", fmt::format("{} + {}", bracketed(dot), bracketed(fixed(bias, 5))))
        .about_result(fixed(sum, 5));
  }
  lines.normaliser(row);
}

}  // namespace

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Derivation lines(w);
  Explanation explanation;
  if (p.explained == Explained::token) {
    explanation.title =
        w.format("Why \"{}\"", token_name(scene.learned(), scene.reading().token(model.step), w));
    explain_token(scene, lines);
  } else if (p.explained == Explained::number) {
    explanation.title = w.format("A number of the query of \"{}\"", scene.query_name());
    explain_number(scene, lines);
  } else if (model.key) {
    explanation.title = w.format("The weight of \"{}\" on \"{}\"", scene.query_name(),
                                 (*scene.keys(model.place.part))[to_size(*model.key)]);
    explain_weight(scene, lines);
  }
  explanation.lines = lines.take();
  return explanation;
}

}  // namespace lab::translation
