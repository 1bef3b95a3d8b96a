// The picked weight, a number of the context, and the written token; states: explain_state.cpp.
#include "app/labs/alignment/page.h"
#include "app/labs/shared/derivation/model_derivation.h"

namespace lab::alignment {
namespace {

using core::Vector, core::model::Score;

// The state with which step `row` looks.
Vector query_of(const Scene& scene) {
  const Matrix states = traced(scene, "decoder.0.states");
  const auto& form = scene.model.form();
  const Index row = scene.model.row;
  if (form.decoder.query_after) return states.row(row);
  if (row > 0) return states.row(row - 1);
  // The first one: tanh(W [last forward; last backward] + b).
  const Matrix ahead = traced(scene, "encoder.0.forward.states");
  const Matrix back = traced(scene, "encoder.0.backward.states");
  Matrix last(1, ahead.cols() + back.cols());
  last << ahead.bottomRows(1), back.topRows(1);
  const Matrix start =
      last * parameter(scene, "begin.0.state.weight") + parameter(scene, "begin.0.state.bias");
  return start.array().tanh().matrix().row(0);
}

double sum_of(const Product& product) {
  return std::inner_product(product.left.begin(), product.left.end(), product.right.begin(), 0.0);
}

// e = w·tanh(W_q s + W_k h + b), or a product of both.
void explain_score(const Scene& scene, Derivation& lines) {
  const auto& form = scene.model.form().decoder.attention;
  const Vector query = query_of(scene);
  const Vector state = traced(scene, "encoder.states").row(*scene.model.key);
  if (form.score == Score::additive) {
    const Matrix of_query = parameter(scene, "decoder.attention.query.weight");
    const Matrix of_key = parameter(scene, "decoder.attention.key.weight");
    Matrix inside = query.transpose() * of_query + state.transpose() * of_key;
    if (form.bias) inside += parameter(scene, "decoder.attention.bias");
    const Matrix weights = parameter(scene, "decoder.attention.score.weight");
    const Vector inner = inside.array().tanh().matrix().row(0);
    const Product product{.left = weights.col(0),
                          .right = inner,
                          .left_color = Role::text,
                          .right_color = Role::key,
                          .left_name = "w",
                          .right_name = "t"};
    lines.begin("e", form.bias ? "w·tanh(W_q s + W_k h + b)" : "w·tanh(W_q s + W_k h)");
    lines.product("e", product);
    // One number of t, that of the largest term.
    Index k = 0;
    weights.col(0).cwiseProduct(inner).cwiseAbs().maxCoeff(&k);
    const Product asks{.left = query,
                       .right = of_query.col(k),
                       .left_color = Role::query,
                       .right_color = Role::text,
                       .most = 16,
                       .first = 8,
                       .left_name = "s",
                       .right_name = fmt::format("W_q[:,{}]", k)};
    const Product answers{.left = state,
                          .right = of_key.col(k),
                          .left_color = Role::key,
                          .right_color = Role::text,
                          .most = 16,
                          .first = 8,
                          .left_name = "h",
                          .right_name = fmt::format("W_k[:,{}]", k)};
    const std::string t = fmt::format("t[{}]", k);
    lines.begin(t, form.bias ? "tanh(s·W_q + h·W_k + b)" : "tanh(s·W_q + h·W_k)");
    const std::string left = lines.product("s·W_q", asks), right = lines.product("h·W_k", answers);
    const std::string bias =
        form.bias
            ? " + " +
                  bracketed(fixed(to_double(parameter(scene, "decoder.attention.bias")(0, k)), 5))
            : "";
    lines.about_picked(t, fmt::format("tanh({} + {}{})", bracketed(left), bracketed(right), bias))
        .about_result(to_double(inner[k]), 4);
    lines.say(
        scene.w("t is the tanh; its component with the largest term is worked out. s is the "
                "decoder's state, h the encoder's for this token."));
    return;
  }
  Vector left = query;
  if (form.score == Score::bilinear) {
    left = (query.transpose() * parameter(scene, "decoder.attention.weight")).transpose();
  }
  const Product product{.left = left,
                        .right = state,
                        .left_name = form.score == Score::bilinear ? "sW" : "s",
                        .right_name = "h"};
  const bool scaled = form.score == Score::scaled_dot;
  const Index width = state.size();
  lines.begin("e", scaled                          ? fmt::format("s·h / √{}", width)
                   : form.score == Score::bilinear ? "s W·h"
                                                   : "s·h");
  const std::string dot = lines.product("s·h", product);
  if (scaled) {
    lines.about_picked("e", fmt::format("{} / √{}", bracketed(dot), width))
        .about_result(sum_of(product) / std::sqrt(to_double(width)), 5);
  }
}

void explain_weight(const Scene& scene, Derivation& lines) {
  const Matrix scores = traced(scene, "decoder.attention.scores");
  const Labels names = source_names(scene.learned(), scene.reading(), scene.w);
  SoftmaxRow row{.scores = scores.row(scene.model.row),
                 .picked = to_size(*scene.model.key),
                 .name = [names](std::size_t j) { return (*names)[j]; },
                 .score = "e"};
  lines.weight("α", row);
  explain_score(scene, lines);
  lines.normalizer(row);
}

// c = sum of alpha h, one of its numbers.
void explain_context(const Scene& scene, Derivation& lines) {
  const Matrix states = traced(scene, "encoder.states");
  const Index dim = std::min<Index>(scene.p.dim, states.cols() - 1);
  const Vector weights = scene.model.weights.row(scene.model.row);
  const Product product{.left = weights,
                        .right = states.col(dim),
                        .left_color = Role::accent,
                        .right_color = Role::value,
                        .left_name = "α",
                        .right_name = "h"};
  lines.begin(fmt::format("c[{}]", dim), fmt::format("Σ α_j h_j[{}]", dim));
  lines.product(fmt::format("c[{}]", dim), product);
}

void explain_token(const Scene& scene, Derivation& lines) {
  const Matrix logits = traced(scene, "decoder.logits");
  const std::int32_t id = scene.reading().token(scene.model.row);
  SoftmaxRow row{.scores = logits.row(scene.model.row),
                 .picked = to_size(id),
                 .name =
                     [&](std::size_t j) {
                       return token_name(scene.learned(), static_cast<std::int32_t>(j), scene.w);
                     },
                 .score = "z"};
  const Matrix weight = parameter(scene, "decoder.output.weight");
  Projected logit{.product = {.left = traced(scene, "decoder.0.states").row(scene.model.row),
                              .right = weight.col(id),
                              .left_color = Role::text,
                              .right_color = Role::query,
                              .left_name = "[s; c]",
                              .right_name = "W"},
                  .bias = to_double(parameter(scene, "decoder.output.bias")(0, id)),
                  .name = "z",
                  .dot = "[s; c]·W",
                  .whole = "[s; c]·W + b"};
  const Matrix contexts = traced(scene, "decoder.context");
  for (const float c : contexts.row(scene.model.row)) logit.product.left.push_back(to_double(c));
  logit.product.left.resize(to_size(weight.rows()));
  explain_outcome({row, logit}, lines);
}

}  // namespace

Matrix parameter(const Scene& scene, std::string_view name) {
  return parameter_of(scene.learned().model->translator.layout(), scene.learned().numbers(), name);
}

Matrix traced(const Scene& scene, std::string_view name) {
  return row_matrix(scene.reading().traced(name));
}

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::string token = token_name(scene.learned(), scene.reading().token(model.row), w);
  Derivation lines(w);
  Explanation explanation;
  const bool looks = model.weights.size() > 0;
  if (p.explained == Explained::state) {
    const Labels read = source_names(scene.learned(), scene.reading(), w);
    explanation.title =
        w.format("A component of the state at \"{}\"",
                 p.states == States::decoder ? token : (*read)[to_size(scene.read())]);
    explain_state(scene, lines);
  } else if (p.explained == Explained::context && looks) {
    explanation.title = w.format("A component of the context of \"{}\"", token);
    explain_context(scene, lines);
  } else if (p.explained == Explained::weight && looks) {
    if (!model.key) return explanation;
    explanation.title =
        w.format("The weight of \"{}\" on \"{}\"", token,
                 (*source_names(scene.learned(), scene.reading(), w))[to_size(*model.key)]);
    explain_weight(scene, lines);
  } else {
    explanation.title = w.format("Why \"{}\"", token);
    explain_token(scene, lines);
  }
  explanation.lines = lines.take();
  return explanation;
}

}  // namespace lab::alignment
