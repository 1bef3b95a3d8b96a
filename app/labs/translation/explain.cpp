// The picked weight and the written token, down to their inputs; numbers of tensors:
// explain_number.cpp.
#include "app/labs/shared/derivation/model_derivation.h"
#include "app/labs/translation/page.h"

namespace lab::translation {
namespace {

void explain_weight(const Scene& scene, Derivation& lines) {
  const Model& model = scene.model;
  const Place& place = model.place;
  const Index heads = model.heads();
  core::model::HeadAttention look = head_attention(scene.reading().looked.trace, place.prefix(),
                                                   {place.head, heads, heads}, model.row);
  for (Index j = 0; j < look.keys.rows(); ++j) {
    look.allowed.push_back(place.part != Part::decoder || j <= model.row);
  }
  explain_head_weight(look, *model.key, scene.keys(place.part), lines);
}

void explain_token(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Reading& reading = scene.reading();
  const Index step = model.step;
  const Matrix logits = row_matrix(reading.traced("decoder.logits"));
  const std::int32_t id = reading.token(step);
  SoftmaxRow row{.scores = logits.row(step),
                 .picked = to_size(id),
                 .name =
                     [&](std::size_t j) {
                       return token_name(scene.learned(), static_cast<std::int32_t>(j), scene.w);
                     },
                 .score = "z"};
  const bool tied = model.form().tied;
  const Matrix out = row_matrix(reading.traced("decoder.out"));
  const auto column = tied ? doubles(parameter(scene, "embedding").row(id))
                           : doubles(parameter(scene, "output.weight").col(id));
  std::optional<double> bias;
  if (!tied) bias = to_double(parameter(scene, "output.bias")(0, id));
  const Projected logit = output_logit(doubles(out.row(step)), column, tied, bias);
  explain_outcome({row, logit}, lines);
}

}  // namespace

Matrix parameter(const Scene& scene, std::string_view name) {
  return parameter_of(scene.learned().model->translator.layout(), scene.learned().numbers(), name);
}

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Derivation lines(w);
  Explanation explanation;
  if (p.explained == Explained::token) {
    explanation.title =
        w.format("Why \"{}\"", token_name(scene.learned(), scene.reading().token(model.step), w));
    explain_token(scene, lines);
  } else if (p.explained == Explained::number) {
    explanation.title = number_title(scene);
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
