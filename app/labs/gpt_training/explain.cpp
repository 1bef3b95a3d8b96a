// The picked weight, a number of its query, and the probability of what comes next, down to their
// inputs.
#include "app/labs/gpt_training/page.h"
#include "app/labs/shared/derivation/model_derivation.h"

namespace lab::gpt_training {
namespace {

Matrix parameter(const Scene& scene, std::string_view name) {
  return parameter_of(scene.learned().model->layout, scene.learned().numbers(), name);
}

void explain_weight(const Scene& scene, Derivation& lines) {
  const Model& model = scene.model;
  const auto& layer = model.form().layer;
  core::model::HeadAttention look =
      head_attention(scene.probe().looked.trace, model.prefix(model.layer),
                     {model.head, layer.heads, layer.key_heads}, model.place);
  look.scale = scene.learned().model->decoder.stack.positions.scale();
  for (Index j = 0; j < look.keys.rows(); ++j) {
    look.allowed.push_back(scene.learned().model->sees(model.place, j));
  }
  explain_head_weight(look, *model.key, scene.tokens(), lines);
}

// What the projection of the queries is given.
Matrix given(const Scene& scene) {
  const auto& trace = scene.probe().looked.trace;
  const Model& model = scene.model;
  const std::string with_course = model.prefix(model.layer) + "given";
  if (const auto* found = trace.find(with_course)) return row_matrix(*found);
  if (model.form().layer.norm_first) return row_matrix(model.traced("normed"));
  return row_matrix(trace.at(model.layer == 0 ? std::string("decoder.placed")
                                              : fmt::format("decoder.{}.out", model.layer - 1)));
}

void explain_number(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Index width = model.width();
  const Index column = model.head * width + std::min<Index>(p.dim, width - 1);
  const std::string prefix = model.prefix(model.layer) + "query.";
  const Matrix x = given(scene);
  explain_projected({.product = {.left = x.row(model.place),
                                 .right = parameter(scene, prefix + "weight").col(column),
                                 .left_color = Role::text,
                                 .right_color = Role::query,
                                 .left_name = "x",
                                 .right_name = "W"},
                     .bias = to_double(parameter(scene, prefix + "bias")(0, column)),
                     .name = fmt::format("q[{}]", column),
                     .dot = "x·W",
                     .whole = fmt::format("x·W[:,{0}] + b[{0}]", column)},
                    lines);
  const auto scheme = model.form().positions.scheme;
  if (scheme == core::model::Scheme::rotary || scheme == core::model::Scheme::xpos) {
    lines.say(
        w("The position then rotates this component together with its neighbour: see the lab on "
          "rotary positions."));
  }
}

void explain_next(const Scene& scene, Derivation& lines) {
  const Model& model = scene.model;
  const auto& trace = scene.probe().looked.trace;
  const Matrix logits = row_matrix(trace.at("decoder.logits"));
  const std::int32_t next = scene.probe().next(model.place);
  const std::int32_t id = next >= 0 ? next : scene.probe().likeliest(model.place);
  const SoftmaxRow row{
      .scores = logits.row(model.place),
      .picked = to_size(id),
      .name = [&](std::size_t k) { return scene.token(static_cast<std::int32_t>(k)); },
      .score = "z"};
  const bool tied = model.form().tied;
  const auto column = tied ? doubles(parameter(scene, "embedding").row(id))
                           : doubles(parameter(scene, "output.weight").col(id));
  std::optional<double> bias;
  if (model.form().output_bias) bias = to_double(parameter(scene, "output.bias")(0, id));
  const auto y = doubles(row_matrix(trace.at("decoder.out")).row(model.place));
  const Projected logit = output_logit(y, column, tied, bias);
  explain_outcome({row, logit}, lines);
}

}  // namespace

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Derivation lines(w);
  Explanation explanation;
  if (p.explained == Explained::number) {
    explanation.title = w.format("A component of the query of \"{}\"", scene.here());
    explain_number(scene, lines);
  } else if (p.explained == Explained::weight && model.key) {
    explanation.title = w.format("The weight of \"{}\" on \"{}\"", scene.here(),
                                 (*scene.tokens())[to_size(*model.key)]);
    explain_weight(scene, lines);
  } else {
    const std::int32_t next = scene.probe().next(model.place);
    explanation.title = w.format(
        "Why \"{}\"", scene.token(next >= 0 ? next : scene.probe().likeliest(model.place)));
    explain_next(scene, lines);
  }
  explanation.lines = lines.take();
  return explanation;
}

}  // namespace lab::gpt_training
