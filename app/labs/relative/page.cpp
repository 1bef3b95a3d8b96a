#include "app/labs/relative/page.h"

#include <algorithm>
#include <cmath>

namespace lab::relative {
namespace {

void add_notes(const Scene& scene, Page& page) {
  const Parameters& p = scene.p;
  const auto& w = scene.w;
  if (scene.model.content->cut) {
    page.notes.push_back(
        w.format("The text has more tokens: its first {} are used. Raise the length to see more.",
                 scene.model.n()));
  }
  if (scene.scheme().learned > 0) {
    page.notes.emplace_back(
        w("No model was trained: the numbers that one would learn are drawn at random. What the "
          "scheme does with them is exact."));
  }
  if (p.scheme == SchemeName::transformer_xl) {
    page.notes.emplace_back(
        w("Transformer-XL looks back only; XLNet has the same terms for keys on both sides."));
  }
  if (is_xl(p) && !p.xl_position && !p.xl_bias) {
    page.notes.emplace_back(w("Terms (b) and (d) are off: no distance enters the scores."));
  }
  if (p.scheme == SchemeName::t5 && !p.folded) {
    page.notes.push_back(w.format(
        "Nothing is divided: the content is √{} times as large as under the other schemes.",
        p.width));
  }
  if (p.scheme == SchemeName::t5 && p.t5_direction == T5Direction::causal &&
      !scene.model.pairs->causal) {
    page.notes.emplace_back(
        w("The buckets are for keys before the query, and no mask hides those ahead: they are all "
          "in bucket 0, with the query itself."));
  }
  if (uses_alibi(p) && p.alibi_bias == AlibiBias::key_only) {
    page.notes.emplace_back(
        scene.model.pairs->causal
            ? w("The curve shows m (j - i): the bias m j less m i, which softmax does not see.")
            : w("Without a causal mask m j favours keys far ahead: it stands for the distance only "
                "under that mask."));
  }
}

Page empty_page(const Parameters& p, const words::Words& w) {
  Page page;
  page.formula = formula(p);
  page.cards = cards(p, w);
  page.notes.emplace_back(w("There is no token yet: type some text."));
  page.status = w.format("n = {} · d_k {} · seed {}", 0, p.width, p.seed);
  return page;
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  auto content = content_of(p, context);
  if (content->n() == 0) return empty_page(p, context.words);
  const Model model = make_model(p, std::move(content), context);
  const Scene scene{p, model, context.words};
  context.cancel.poll();
  Page page;
  page.figures = figures(scene);
  page.readouts = readouts(scene);
  page.formula = formula(p);
  page.explanation = explain(scene);
  page.cards = cards(p, context.words);
  add_notes(scene, page);
  page.status = scene.scheme_name() + " · " +
                context.words.format("n = {} · d_k {} · seed {}", model.n(), p.width, p.seed);
  return page;
}

}  // namespace lab::relative
