// A weight down to q·k with its scale and what positions do, or a probability down to logits.
#include "app/labs/checkpoint/page.h"
#include "app/labs/shared/derivation/model_derivation.h"
#include "core/checkpoint/inside/inside.h"

namespace lab::checkpoint {
namespace {

namespace published = core::checkpoint;
using published::Kind;

void say_places(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const auto& positions = model.positions();
  if (model.place.cross) {
    lines.say(w("Positions do nothing here: the decoder attends to the encoder's text."));
  } else if (positions.rotary) {
    const Index length = std::max(model.queries(), Index{1});
    const double theta = positions.rotary->frequencies(length)(0);
    lines.say(
        w("q and k are shown after rotation by their positions; pair 0 rotates by the angle mθ:"));
    const std::string speed = significant(theta, 9);
    lines.about_picked("m θ_0", fmt::format("{}·{}", model.query, speed))
        .about_result(significant(to_double(model.query) * theta, 9));
    lines.about_picked("n θ_0", fmt::format("{}·{}", *model.key, speed))
        .about_result(significant(to_double(*model.key) * theta, 9));
  } else if (positions.slopes.size() > 0) {
    const std::string slope = significant(positions.slopes(model.place.head), 9);
    lines.say(w("b is the slope of the head times the key's position less the query's:"));
    lines.about_picked("b", fmt::format("{}·({} - {})", slope, *model.key, model.query))
        .about_result(positions.slopes(model.place.head) * to_double(*model.key - model.query), 5);
  } else if (!positions.buckets.empty()) {
    lines.say(
        w("b is the number of the file's table for this head and the bucket of the distance; "
          "products are not divided."));
  } else if (positions.learned) {
    lines.say(w("Positions were added to the embeddings: here nothing more is done."));
  }
}

void explain_weight(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const auto& facts = model.facts();
  if (!model.sees(model.query, *model.key)) {
    lines.say(w("This token may not look there: the weight is 0."));
    return;
  }
  explain_head_weight(
      head_attention(*model.opened->model, model.reading->trace, model.place, model.query),
      *model.key, scene.names(model.key_ids()), lines);
  say_places(scene, lines);
  if (facts.key_heads < facts.heads) {
    lines.say(w.format("Heads share keys: head {} reads key head {}.", model.place.head + 1,
                       model.place.head / (facts.heads / facts.key_heads) + 1));
  }
}

void explain_probability(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const VectorD& logits = *model.said;
  const auto order =
      core::decode::likeliest(core::decode::Distribution::of_logits(logits).probabilities, kListed);
  const std::int32_t id = order[std::min(to_size(p.rank), order.size() - 1)];
  const SoftmaxRow row{
      .scores = logits,
      .picked = to_size(id),
      .name = [&](std::size_t k) { return scene.name(static_cast<std::int32_t>(k)); },
      .score = "z"};
  lines.weight("P", row);
  if (const auto product = head_product(scene, id)) {
    lines.say(product->factor == 1
                  ? w("The logit: the last norm's output times the token's row of the head.")
                  : w("The logit: the last norm's output, times 1/√d, times the token's row of the "
                      "head."));
    lines.begin("z", "x·W");
    const std::string sum = lines.product("x·W", {.left = product->given,
                                                  .right = product->row,
                                                  .left_color = Role::value,
                                                  .right_color = Role::accent,
                                                  .left_name = "x",
                                                  .right_name = "W"});
    lines.about_picked("z", bracketed(sum)).about_result(product->given.dot(product->row), 5);
  }
  lines.normalizer(row);
}

}  // namespace

std::optional<HeadProduct> head_product(const Scene& scene, std::int32_t id) {
  const Model& model = scene.model;
  const auto& facts = model.facts();
  const auto& last = model.reading->trace.decoder.final_norm;
  if (facts.kind == Kind::encoder || last.rows() == 0 || facts.head.empty()) return std::nullopt;
  const auto& weights = model.opened->model->weights();
  const auto& declared = weights.declared();
  const auto found = std::find_if(declared.begin(), declared.end(),
                                  [&](const auto& one) { return one.tensor.name == facts.head; });
  if (found == declared.end() || found->transposed) return std::nullopt;
  const published::Parameter at{to_size(found - declared.begin())};
  HeadProduct product;
  product.row = weights.some_rows<double>(at, {id}, {}).row(0).transpose();
  product.given = last.row(model.row).cast<double>().transpose();
  product.factor = facts.head_scale;
  product.given *= product.factor;
  return product;
}

Explanation explain(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Derivation lines(w);
  Explanation explanation;
  if (p.view == View::heads && model.key && model.attending()) {
    explanation.title = w.format("The weight of \"{}\" on \"{}\"",
                                 scene.name(model.query_ids()[to_size(model.query)]),
                                 scene.name(model.key_ids()[to_size(*model.key)]));
    explain_weight(scene, lines);
  } else if (p.view == View::next && model.said) {
    explanation.title = w("The picked probability");
    explain_probability(scene, lines);
  }
  explanation.lines = lines.take();
  return explanation;
}

}  // namespace lab::checkpoint
