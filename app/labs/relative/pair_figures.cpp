// Figures of the pairs of the sequence: terms, weights, one pair taken apart.
#include <fmt/format.h>

#include <algorithm>

#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

using figure::ColorScale;
using figure::Figure;
using figure::Heatmap;
using figure::Plot;
using figure::Role;

constexpr float kMargin = 1 + 1e-5f;

figure::Axis token_axis(const Scene& scene, bool query) {
  figure::Axis axis = cell_axis(query ? scene.w("query") : scene.w("key"), scene.model.n(),
                                query ? "query" : "key");
  axis.labels = scene.model.content->labels;
  axis.color = query ? Role::query : Role::key;
  axis.marked = static_cast<int>(query ? scene.model.query : scene.model.key);
  return axis;
}

double scale_of_term(const Scene& scene, std::size_t t) {
  const auto& largest = scene.model.survey->largest_term;
  if (scene.p.term_colors == TermColors::own) return largest[t];
  return *std::max_element(largest.begin(), largest.end());
}

Plot term_plot(const Scene& scene, std::size_t t) {
  const TermId id = scene.scheme().terms[t].id;
  const bool divided = scene.scheme().terms[t].factor != 1;
  Plot plot = pair_plot(scene, fmt::format("term_{}", t + 1),
                        term_symbol(scene, id) + (divided ? divisor_text(scene) : ""));
  plot.note = term_words(scene, id);
  plot.selected = scene.scheme().terms.size() > 1 && t == scene.term();
  figure::Assignments also = explains("score");
  also.emplace_back("term", fmt::format("{}", t + 1));
  plot.marks.emplace_back(pair_heatmap(scene, scene.model.sources->terms[t],
                                       signed_scale(static_cast<float>(scale_of_term(scene, t))),
                                       std::move(also)));
  return plot;
}

Plot sum_plot(const Scene& scene) {
  Plot plot = pair_plot(scene, "scores", scene.w("their sum: the score"));
  plot.note = scene.model.pairs->causal ? scene.w("causal mask") : scene.w("no mask");
  plot.marks.emplace_back(pair_heatmap(
      scene, scene.model.sources->scores,
      signed_scale(static_cast<float>(scene.model.survey->largest_score)), explains("score")));
  return plot;
}

// The same content without positions.
Plot plain_plot(const Scene& scene) {
  Plot plot = pair_plot(scene, "plain_scores", scene.w("content alone: q·k / √d"));
  plot.note = scene.w("before");
  plot.marks.emplace_back(pair_heatmap(
      scene, scene.model.sources->plain_scores,
      signed_scale(static_cast<float>(scene.model.survey->largest_score)), explains("score")));
  return plot;
}

// What averages the values: the weights, under URPE times C, where factors may be negative.
Plot weight_plot(const Scene& scene, std::string id) {
  const Survey& survey = *scene.model.survey;
  const bool urpe = scene.p.scheme == SchemeName::urpe;
  Plot plot =
      pair_plot(scene, std::move(id), scene.w.format("after: with {}", scene.scheme_name()));
  const double largest =
      std::max({survey.largest_plain, survey.largest_weight, urpe ? survey.largest_after : 0.0});
  ColorScale scale = weight_scale(largest);
  if (urpe && survey.least_after < 0) scale = signed_scale(scale.hi / kMargin);
  plot.marks.emplace_back(
      pair_heatmap(scene, urpe ? scene.model.sources->product : scene.model.sources->weights, scale,
                   explains("weight")));
  return plot;
}

// Softmax, C and their product; C is left to the matrix over distance where the content, being its
// own sum, stands in the same row.
void add_urpe_plots(const Scene& scene, Figure& figure) {
  const Sources& sources = *scene.model.sources;
  Plot weights = pair_plot(scene, "softmax", "softmax");
  weights.note = scene.w("every row sums to 1");
  weights.marks.emplace_back(pair_heatmap(scene, sources.weights,
                                          weight_scale(scene.model.survey->largest_weight),
                                          explains("weight")));
  const bool with_factors = figure.plots.empty();
  figure.plots.push_back(std::move(weights));
  if (with_factors) {
    Plot factors = pair_plot(scene, "factors", "C");
    factors.note = scene.w("one c for each distance");
    float largest = 0;
    for (Index r = 1 - scene.model.n(); r < scene.model.n(); ++r) {
      largest = std::max(largest, static_cast<float>(std::abs(scene.scheme().after_at(r))));
    }
    factors.marks.emplace_back(
        pair_heatmap(scene, sources.factors, signed_scale(largest), explains("weight")));
    figure.plots.push_back(std::move(factors));
  }
  Plot product = pair_plot(scene, "product", "softmax ∘ C");
  product.note = scene.w("rows sum to what they like");
  product.marks = weight_plot(scene, "product").marks;
  figure.plots.push_back(std::move(product));
}

}  // namespace

figure::Assignments explains(std::string_view what) { return {{"explain", std::string(what)}}; }

Plot pair_plot(const Scene& scene, std::string id, std::string title) {
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = token_axis(scene, false);
  plot.y = token_axis(scene, true);
  plot.square = true;
  return plot;
}

Heatmap pair_heatmap(const Scene& scene, std::shared_ptr<const figure::TileSource> source,
                     const ColorScale& scale, figure::Assignments also) {
  Heatmap map;
  map.source = std::move(source);
  map.scale = scale;
  map.pool = scene.p.pool;
  map.row_param = "query";
  map.col_param = "key";
  map.also = std::move(also);
  if (scene.model.pinned) map.pinned = {scene.model.query, scene.model.key};
  return map;
}

ColorScale weight_scale(double largest) {
  ColorScale scale;
  scale.hi = kMargin * static_cast<float>(largest > 0.5 || !(largest > 0) ? 1 : largest);
  return scale;
}

std::vector<Figure> term_figures(const Scene& scene) {
  Figure first = new_figure("terms", scene.w.format("{}: what is added up", scene.scheme_name()));
  first.note = scene.w.format("query {}, key {}: {}", scene.model.query, scene.model.key,
                              distance_words(scene, scene.model.key - scene.model.query));
  first.caption = scene.w.format(
      "The terms of the scores under {}, as they are added, and what becomes of them; row: query, "
      "column: key.",
      scene.scheme_name());
  for (std::size_t t = 0; t < scene.scheme().terms.size(); ++t) {
    first.plots.push_back(term_plot(scene, t));
  }
  Figure second = first;
  second.plots.clear();
  second.id = "terms_after";
  second.title = scene.w.format("{}: what becomes of the sum", scene.scheme_name());
  const std::size_t terms = first.plots.size();
  if (scene.p.scheme == SchemeName::urpe) {
    if (terms > 1) first.plots.push_back(sum_plot(scene));
    add_urpe_plots(scene, terms > 1 ? second : first);
  } else if (terms < 3) {
    first.plots.push_back(sum_plot(scene));
  } else {
    // Three pictures side by side are as many as can be read well.
    second.plots.push_back(terms == 3 ? plain_plot(scene) : std::move(first.plots.back()));
    first.plots.resize(3);
    second.plots.push_back(sum_plot(scene));
    second.plots.push_back(weight_plot(scene, "sum_weights"));
  }
  std::vector<Figure> figures;
  for (Figure* figure : {&first, &second}) {
    if (figure->plots.empty()) continue;
    figure->columns = 3;
    figure->height = 330;
    figures.push_back(std::move(*figure));
  }
  return figures;
}

Figure weights_figure(const Scene& scene) {
  const Survey& survey = *scene.model.survey;
  const Sources& sources = *scene.model.sources;
  const bool urpe = scene.p.scheme == SchemeName::urpe;
  Figure figure =
      new_figure("weights", scene.w("What it does to the weights"), {.height = 330, .columns = 3});
  figure.note = scene.w.format("moves {:.0f} % of the weight on average", 100 * survey.moved);
  figure.caption = scene.w.format(
      "Attention weights of the same queries and keys without positions and under {}, and the "
      "difference; row: query, column: key.",
      scene.scheme_name());
  const double largest =
      std::max({survey.largest_plain, survey.largest_weight, urpe ? survey.largest_after : 0.0});
  Plot plain = pair_plot(scene, "plain_weights", scene.w("before: softmax(q·k / √d)"));
  plain.marks.emplace_back(
      pair_heatmap(scene, sources.plain_weights, weight_scale(largest), explains("weight")));
  Plot after = weight_plot(scene, "weights");
  Plot change = pair_plot(scene, "change", scene.w("after - before"));
  change.marks.emplace_back(pair_heatmap(
      scene, sources.change, signed_scale(weight_scale(largest).hi / kMargin), explains("weight")));
  figure.plots = {std::move(plain), std::move(after), std::move(change)};
  return figure;
}

Figure pair_figure(const Scene& scene) {
  const Model& model = scene.model;
  const auto& terms = scene.scheme().terms;
  std::size_t t = scene.term();
  // A number that is no product has nothing to take apart: the content has.
  if (!term_factors(*model.content, terms[t], model.query, model.key)) t = 0;
  const Factors factors = *term_factors(*model.content, terms[t], model.query, model.key);
  const VectorD product = factors.left.cwiseProduct(factors.right);
  const auto list = [](const VectorD& v) { return std::vector<double>(v.begin(), v.end()); };
  const TermId id = terms[t].id;
  const bool from_key = id == TermId::xl_key, from_bias = id == TermId::xl_bias;
  const bool to_content = id == TermId::position_to_content;
  const bool content = id == TermId::content;
  const double largest =
      std::max(largest_size(list(factors.left)), largest_size(list(factors.right)));
  Figure figure =
      new_figure("pair", scene.w.format("One term taken apart: {}", term_symbol(scene, id)),
                 {.span = 12, .height = 290, .columns = 1});
  figure.note = scene.w.format("query {}, key {}: {}", model.query, model.key,
                               distance_words(scene, model.key - model.query));
  figure.caption = scene.w.format(
      "The two vectors whose product is the term {} of query {} and key {}, dimension by "
      "dimension.",
      term_symbol(scene, id), model.query, model.key);
  const std::string left = from_key ? "u" : from_bias ? "v" : to_content ? "q_δ" : "q";
  const std::string right = content || from_key || to_content   ? "k"
                            : id == TermId::content_to_position ? "k_δ"
                            : id == TermId::shaw                ? "a"
                                                                : "r";
  figure.plots = {
      strip("pair_left", left, list(factors.left),
            left == "q" ? figure::Color(Role::query) : figure::Color(Role::dim), largest),
      strip("pair_right", right, list(factors.right),
            right == "k" ? figure::Color(Role::key) : figure::Color(Role::dim), largest),
      strip("pair_product", left + "∘" + right, list(product), Role::accent,
            largest_size(list(product)))};
  for (Plot& plot : figure.plots) {
    plot.x.link = "dimension";
    plot.click = explains("score");
    plot.click.emplace_back("term", fmt::format("{}", t + 1));
  }
  using figure::TextStyle;
  figure.footer.push_back(
      {fmt::format("Σ = {:.3f}", product.sum()), Role::text, TextStyle::mono_bold});
  if (terms[t].factor != 1) {
    figure.footer.push_back(
        {fmt::format("×{:.4f} = {:.3f}", terms[t].factor, terms[t].factor * product.sum()),
         Role::dim});
  }
  figure.footer.push_back({scene.allowed() ? scene.w.format("score {:.3f}", scene.score())
                                           : scene.w("masked: no score"),
                           Role::accent, TextStyle::mono_bold});
  return figure;
}

std::vector<Figure> figures(const Scene& scene) {
  std::vector<Figure> result = term_figures(scene);
  result.push_back(curve_figure(scene));
  result.push_back(matrix_figure(scene));
  for (Figure& own : own_figures(scene)) result.push_back(std::move(own));
  result.push_back(weights_figure(scene));
  result.push_back(pair_figure(scene));
  return result;
}

}  // namespace lab::relative
