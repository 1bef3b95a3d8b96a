// Figures of the pairs of the sequence: terms, weights, one pair taken apart.
#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

double scale_of_term(const Scene& scene, std::size_t t) {
  const auto& largest = scene.model.survey->largest_term;
  if (scene.p.term_colors == TermColors::own) return largest[t];
  return *std::max_element(largest.begin(), largest.end());
}

Plot term_plot(const Scene& scene, std::size_t t) {
  const Term& term = scene.scores().terms[t];
  Plot plot =
      scene.map().plot(fmt::format("term_{}", t + 1),
                       term_symbol(scene, term.id) + (term.factor != 1 ? divisor_text(scene) : ""),
                       scene.model.sources->terms[t], signed_scale(scale_of_term(scene, t)),
                       sets("explain", "score", "term", t + 1));
  plot.note = term_words(scene, term.id);
  plot.selected = scene.scores().terms.size() > 1 && t == scene.term();
  return plot;
}

Plot score_plot(const Scene& scene, std::string id, std::string title, const Source& source,
                std::string note) {
  Plot plot = scene.map().plot(std::move(id), std::move(title), source,
                               signed_scale(scene.model.survey->largest_score), explains("score"));
  plot.note = std::move(note);
  return plot;
}

// All terms together, and the same content without positions.
Plot sum_plot(const Scene& scene) {
  return score_plot(scene, "scores", scene.w("their sum: the score"), scene.model.sources->scores,
                    scene.model.pairs->causal ? scene.w("causal mask") : scene.w("no mask"));
}

Plot plain_plot(const Scene& scene) {
  return score_plot(scene, "plain_scores", scene.w("content alone: q·k / √d"),
                    scene.model.sources->plain_scores, scene.w("before"));
}

Plot weight_map(const Scene& scene, std::string id, std::string title, const Source& source,
                const ColorScale& scale, std::string note = {}) {
  Plot plot = scene.map().plot(std::move(id), std::move(title), source, scale, explains("weight"));
  plot.note = std::move(note);
  return plot;
}

// One scale for the weights before and after.
double largest_weight(const Scene& scene) {
  const core::PairSurvey& survey = *scene.model.survey;
  const double after = scene.p.is(Variant::urpe) ? survey.largest_after : 0;
  return std::max({survey.largest_plain, survey.largest_weight, after});
}

// What averages the values: the weights, under URPE times C, where factors may be negative.
Plot weight_plot(const Scene& scene, std::string id, std::string title, std::string note = {}) {
  const bool urpe = scene.p.is(Variant::urpe);
  ColorScale scale = weight_scale(largest_weight(scene));
  if (urpe && scene.model.survey->least_after < 0) scale = signed_scale(scale.hi / kScaleMargin);
  const Sources& sources = *scene.model.sources;
  return weight_map(scene, std::move(id), std::move(title),
                    urpe ? sources.product : sources.weights, scale, std::move(note));
}

std::string after_text(const Scene& scene) {
  return scene.w.format("after: with {}", scene.scheme_name());
}

// Softmax, C and their product; C is left to the matrix over distance where the content, being its
// own sum, stands in the same row.
void add_urpe_plots(const Scene& scene, Figure& figure) {
  const auto& [p, model, w] = scene;
  const bool with_factors = figure.plots.empty();
  figure.plots.push_back(weight_map(scene, "softmax", "softmax", model.sources->weights,
                                    weight_scale(model.survey->largest_weight),
                                    w("every row sums to 1")));
  if (with_factors) {
    figure.plots.push_back(weight_map(scene, "factors", "C", model.sources->factors,
                                      signed_scale(*scene.scores().after),
                                      w("one c for each distance")));
  }
  figure.plots.push_back(
      weight_plot(scene, "product", "softmax ∘ C", w("rows sum to what they like")));
}

}  // namespace

std::vector<Figure> term_figures(const Scene& scene) {
  const auto& w = scene.w;
  Figure first = new_figure("terms", w.format("{}: what is added up", scene.scheme_name()),
                            {.height = 330, .columns = 3});
  first.note = scene.pair_text();
  first.caption = w.format(
      "The terms of the scores under {}, as they are added, and what becomes of them; row: query, "
      "column: key.",
      scene.scheme_name());
  Figure second = first;
  second.id = "terms_after";
  second.title = w.format("{}: what becomes of the sum", scene.scheme_name());
  const std::size_t terms = scene.scores().terms.size();
  for (std::size_t t = 0; t < terms; ++t) first.plots.push_back(term_plot(scene, t));
  if (scene.p.is(Variant::urpe)) {
    if (terms > 1) first.plots.push_back(sum_plot(scene));
    add_urpe_plots(scene, terms > 1 ? second : first);
  } else if (terms < 3) {
    first.plots.push_back(sum_plot(scene));
  } else {
    // Three pictures side by side are as many as can be read well.
    second.plots.push_back(terms == 3 ? plain_plot(scene) : std::move(first.plots.back()));
    first.plots.resize(3);
    second.plots.push_back(sum_plot(scene));
    second.plots.push_back(weight_plot(scene, "sum_weights", after_text(scene)));
  }
  std::vector<Figure> figures{std::move(first)};
  if (!second.plots.empty()) figures.push_back(std::move(second));
  return figures;
}

Figure weights_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("weights", w("What it does to the weights"), {.height = 330, .columns = 3});
  figure.note = w.format("moves {:.0f} % of the weight on average", 100 * model.survey->moved);
  figure.caption = w.format(
      "Attention weights of the same queries and keys without positions and under {}, and the "
      "difference; row: query, column: key.",
      scene.scheme_name());
  const ColorScale scale = weight_scale(largest_weight(scene));
  return with(std::move(figure),
              weight_map(scene, "plain_weights", w("before: softmax(q·k / √d)"),
                         model.sources->plain_weights, scale),
              weight_plot(scene, "weights", after_text(scene)),
              weight_map(scene, "change", w("after - before"), model.sources->change,
                         signed_scale(scale.hi / kScaleMargin)));
}

Figure pair_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto& terms = scene.scores().terms;
  const auto taken_apart = [&](std::size_t t) {
    return core::term_vectors(*scene.model.content, terms[t], scene.model.query, scene.model.key);
  };
  // A number that is no product has nothing to take apart: the content has.
  const std::size_t t = taken_apart(scene.term()).left.size() > 0 ? scene.term() : 0;
  const Term& term = terms[t];
  const Factors factors = taken_apart(t);
  const VectorD product = factors.left.cwiseProduct(factors.right);
  const double sum = product.sum();
  const double largest = std::max(largest_size(factors.left), largest_size(factors.right));
  Figure figure =
      new_figure("pair", w.format("One term taken apart: {}", term_symbol(scene, term.id)),
                 {.height = 290, .columns = 1});
  figure.note = scene.pair_text();
  figure.caption = w.format(
      "The two vectors whose product is the term {} of query {} and key {}, dimension by "
      "dimension.",
      term_symbol(scene, term.id), model.query, model.key);
  figure.plots = {strip("pair_left", factors.left_name, factors.left,
                        factors.left_name == "q" ? Role::query : Role::dim, largest),
                  strip("pair_right", factors.right_name, factors.right,
                        factors.right_name == "k" ? Role::key : Role::dim, largest),
                  strip("pair_product", factors.left_name + "∘" + factors.right_name, product,
                        Role::accent, largest_size(product))};
  for (Plot& plot : figure.plots) {
    plot.x.link = "dimension";
    plot.click = sets("explain", "score", "term", t + 1);
  }
  figure.footer.push_back({fmt::format("Σ = {:.3f}", sum), Role::text, TextStyle::mono_bold});
  if (term.factor != 1) {
    figure.footer.push_back(
        {fmt::format("×{:.4f} = {:.3f}", term.factor, term.factor * sum), Role::dim});
  }
  figure.footer.push_back(
      {scene.allowed() ? w.format("score {:.3f}", scene.score()) : w("masked: no score"),
       Role::accent, TextStyle::mono_bold});
  return figure;
}

}  // namespace lab::relative
