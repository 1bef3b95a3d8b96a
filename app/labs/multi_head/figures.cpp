// All heads, one head step by step, and the numbers of one pair.
#include "app/labs/multi_head/page.h"
#include "app/labs/shared/drawing/token_map.h"
#include "core/enum_array.h"

namespace lab::multi_head {
namespace {

using figure::Links;

constexpr int kHeadsPerRow = 8;

PairMap pair_map(const Scene& scene) {
  const auto& [p, model, w] = scene;
  return token_map(model.n(), model.sequence->labels, {model.query, model.key, model.pinned},
                   p.pool, w);
}

// One scale for all heads, so that they can be compared.
ColorScale weight_colors(const Scene& scene) {
  constexpr MapName kMaps[] = {MapName::viridis, MapName::cividis, MapName::magma, MapName::gray};
  ColorScale scale = weight_scale(to_double(scene.model.sources->largest_weight));
  scale.map = kMaps[to_size(Index(scene.p.colors))];
  if (scene.p.weight_scale == WeightScale::log) {
    scale.transform = figure::Transform::log;
    // Well below 1/n, the weight of keys that are all alike.
    scale.lo = scale.hi / (30 * to_float(scene.model.n()));
  }
  return scale;
}

// What happens between the scores and the softmax.
std::string scaled_title(const Scene& scene) {
  constexpr core::EnumArray<MaskKind> kMasks{{N_("no mask"), N_("causal mask"), N_("local mask"),
                                              N_("key padding mask"), N_("query padding mask")}};
  const auto& [p, model, w] = scene;
  std::string text = w(kMasks[p.mask]);
  const auto before = [&text, &words = scene.w](const std::string& step) {
    text = words.format("{}, {}", step, text);
  };
  if (p.temperature != 1) before(w.format("temperature {}", p.temperature));
  if (p.scaled) before(w("scaled by 1/√d_k"));
  if (!scene.divides()) before(w("not scaled"));
  return text;
}

Figure heads_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  // Rows that are equally full: ten heads are five and five, not eight and two.
  const Index rows = core::ceil_div(p.heads, kHeadsPerRow);
  Figure figure = new_figure(
      "heads", w("All heads"),
      {.height = 50 + 140 * to_float(rows), .columns = to_int(core::ceil_div(p.heads, rows))});
  figure.caption = w.format(
      "The attention weights of every head ({} in all); row: query, column: key. Where there is "
      "room: the entropy, a mean over the queries in nats.",
      p.heads);
  const PairMap map = pair_map(scene);
  for (int head = 0; head < p.heads; ++head) {
    Plot plot = map.plot(fmt::format("head_{}", head + 1), fmt::format("{}", head + 1));
    plot.note = w.format("entropy {:.2f}", mean_entropy(*model.heads, head));
    Heatmap cells{.source = model.sources->weights[to_size(head)],
                  .scale = weight_colors(scene),
                  .pool = p.pool,
                  .bar_label = w("weight")};
    figure.plots.push_back(
        thumbnail(std::move(plot), std::move(cells), head == model.head, sets("head", head + 1)));
  }
  return figure;
}

Figure head_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const HeadSources& sources = *model.head_sources;
  const double scale = std::abs(to_double(model.heads->scale()));
  Figure figure = new_figure("head", w.format("Head {}, step by step", model.head + 1),
                             {.height = 390, .columns = 3});
  figure.caption = w.format(
      "Head {}: the scores of every query (row) with every key (column), what softmax is given, "
      "and the weights that it gives each row.",
      model.head + 1);
  const PairMap map = pair_map(scene);
  const auto largest_scaled = to_float(to_double(sources.largest_score) * scale);
  return with(
      std::move(figure),
      map.plot("scores", w("scores q·k"), sources.scores, signed_scale(sources.largest_score)),
      map.plot("scaled", scaled_title(scene), sources.scaled, signed_scale(largest_scaled)),
      map.plot("weights", w("weights softmax"), model.sources->weights[to_size(model.head)],
               weight_colors(scene)));
}

std::vector<double> doubles(const Matrix& row) { return {row.data(), row.data() + row.size()}; }

Figure neuron_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::string both =
      w.format("query {}, key {}", scene.indexed(model.query), scene.indexed(model.key));
  Figure figure = new_figure(
      "neuron",
      w.format("Why does {} attend to {}?", scene.quoted(model.query), scene.quoted(model.key)),
      {.span = 8, .height = 330, .columns = 1});
  figure.note = both;
  figure.caption = w.format(
      "Head {}, {}: the components of query and key, and their products, whose sum is the score.",
      model.head + 1, both);
  const std::vector<double> q = scene.q(), k = scene.k();
  std::vector<double> product;
  for (std::size_t i = 0; i < q.size(); ++i) product.push_back(q[i] * k[i]);
  // q and k can be compared; their products have a scale of their own.
  const double largest = std::max(largest_size(q), largest_size(k));
  const double largest_product = largest_size(product);
  figure.plots = {strip("q", "q", q, Role::query, largest), strip("k", "k", k, Role::key, largest),
                  strip("qk", "q∘k", std::move(product), Role::accent, largest_product)};
  for (Plot& plot : figure.plots) plot.x.link = "dimension";

  const std::size_t at = to_size(model.key);
  figure.footer = {
      {fmt::format("Σ = {}", fixed(model.row.scores[at])), Role::text, TextStyle::mono_bold}};
  if (scene.divides()) {
    std::string by = p.scaled ? fmt::format("÷ √{}", model.d_k()) : std::string();
    if (p.temperature != 1) by += fmt::format(" ÷ {}", p.temperature);
    figure.footer.push_back({fmt::format("{} = {}", by, fixed(model.row.scaled[at])), Role::dim});
  }
  figure.footer.push_back(
      {scene.shown_allowed() ? "softmax → " + weight_text(scene.weight()) : w("masked → 0"),
       Role::accent, TextStyle::mono_bold});
  return figure;
}

// --- the links between words, and what the values add up to

constexpr Index kMostWords = 64;        // tokens that a column of words has room for
constexpr Index kStrongest = 24;        // keys that are shown of a longer sequence
constexpr float kFaintest = 0.02f;      // links below this weight are not drawn
constexpr float kFaintestOfAll = 0.1f;  // the same when all heads are drawn

// The keys that have room: all, or the strongest of the query, in their order.
std::vector<Index> shown_keys(const Scene& scene) {
  const Model& model = scene.model;
  if (model.n() <= kMostWords) return numbered(model.n());
  const auto weight = [&](Index j) { return j == model.key ? 2 : model.row.weights[to_size(j)]; };
  return largest_in_order(model.n(), weight, kStrongest);  // that of the pair always
}

// Names of tokens; with their numbers where not all tokens are there.
Labels labels_of(const Scene& scene, const std::vector<Index>& tokens) {
  const bool numbered = scene.model.n() > kMostWords && scene.model.sequence->labels;
  return labels(each(tokens, [&](Index token) {
    return numbered ? fmt::format("{} {}", scene.name(token), token) : scene.name(token);
  }));
}

// Every link, those of the query in amber or each in the colour of its head. Of a longer sequence
// the query alone with its strongest keys: among so many each weight is small, so lines are as
// strong as their share of the largest.
Links links_to(const Scene& scene, const std::vector<Index>& keys) {
  const auto& [p, model, w] = scene;
  const bool all = p.links_of == LinksOf::all, few = model.n() <= kMostWords;
  const std::vector<Index> queries = few ? keys : std::vector<Index>{model.query};
  Links links{.left = labels_of(scene, queries),
              .right = labels_of(scene, keys),
              .marked_left = few ? to_int(model.query) : 0,
              .marked_right = place_among(keys, scene.model.key),
              .left_param = few ? "query" : "",
              .right_param = few ? "key" : ""};
  const float faintest = !few ? 0 : all ? kFaintestOfAll : kFaintest;
  float largest = few ? 1 : 0;
  for (Index head = all ? 0 : model.head; head <= (all ? p.heads - 1 : model.head); ++head) {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const bool own = queries[i] == model.query;
      const Color color = all   ? Color::of_head(to_int(head))
                          : own ? Color(Role::accent)
                                : Color(Role::query, 0.6f);
      for (std::size_t k = 0; k < keys.size(); ++k) {
        const float weight = model.weights(head).value(queries[i], keys[k]);
        if (!(weight > 0 && weight >= faintest)) continue;  // masked cells are NaN
        largest = std::max(largest, weight);
        links.links.push_back({to_int(i), to_int(k), weight, color});
      }
    }
  }
  for (Links::Link& link : links.links) link.weight /= largest;
  return links;
}

Plot contributions_plot(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::vector<Index> keys = shown_keys(scene);
  const bool all = to_index(keys.size()) == model.n();
  // w_j v_j of the shown keys: what each adds to the head's output.
  Matrix cells(to_index(keys.size()), model.d_k());
  for (std::size_t r = 0; r < keys.size(); ++r) {
    cells.row(to_index(r)) =
        to_float(model.row.weights[to_size(keys[r])]) * model.projected->v(keys[r], model.head);
  }
  Plot plot{.id = "contributions",
            .title = w("weight × value"),
            .x = cell_axis(w("dimension of the head"), model.d_k(), "dimension"),
            .y = cell_axis(w("key"), cells.rows())};
  if (!all) plot.note = w.format("the strongest keys: {}", keys.size());
  plot.y.labels = labels_of(scene, keys);
  plot.y.color = Role::key;
  plot.y.marked = place_among(keys, scene.model.key);
  const ColorScale scale = signed_scale(cells);
  Heatmap map = lab::heatmap(cells, scale);
  map.pool = p.pool;
  // Its rows are the keys themselves only when all are shown; then a row picks its key.
  if (all) map.row_param = "key";
  plot.add(std::move(map));
  return plot;
}

Plot titled_strip(std::string id, std::string title, std::string lead, const VectorD& values,
                  Color color) {
  Plot plot = strip(std::move(id), std::move(lead), {values.data(), values.data() + values.size()},
                    color, values.cwiseAbs().maxCoeff());
  plot.title = std::move(title);
  return plot;
}

}  // namespace

std::vector<double> Scene::q() const {
  return doubles(model.projected->q(model.query, model.head));
}

std::vector<double> Scene::k() const { return doubles(model.projected->k(model.key, model.head)); }

std::string Scene::name(Index token) const {
  const Labels& labels = model.sequence->labels;
  return labels ? (*labels)[to_size(token)] : fmt::format("{}", token);
}

std::string Scene::quoted(Index token) const {
  return model.sequence->labels ? w.format("\"{}\"", name(token)) : w.format("token {}", token);
}

std::string Scene::indexed(Index token) const {
  return model.sequence->labels ? w.format("\"{}\" ({})", name(token), token) : name(token);
}

std::vector<Figure> figures(const Scene& scene) {
  return {heads_figure(scene), head_figure(scene), neuron_figure(scene), links_figure(scene),
          output_figure(scene)};
}

Figure links_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("links",
                 p.links_of == LinksOf::all ? w("Links of all heads")
                                            : w.format("Links of head {}", model.head + 1),
                 {.span = 4, .height = 330});
  if (model.n() > kMostWords) {
    figure.note = w.format("the strongest keys: {}", kStrongest);
    figure.caption =
        w("The chosen query at the left and the keys it attends to most at the right; the stronger "
          "the line, the larger the weight.");
  } else {
    figure.caption = w.format(
        "Each query at the left and the keys it attends to at the right; the stronger the line, "
        "the larger the weight. Weights below {} have no line.",
        p.links_of == LinksOf::all ? kFaintestOfAll : kFaintest);
  }
  Plot plot{.id = "arcs", .marks = {links_to(scene, shown_keys(scene))}};
  plot.x.visible = plot.y.visible = false;
  return with(std::move(figure), std::move(plot));
}

Figure output_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD all = model.heads->concat().row(model.query).transpose().cast<double>();
  VectorD out = VectorD::Zero(p.d_model);
  if (model.W_o) {
    out = model.W_o->transpose().cast<double>() * all;
  } else {
    const Index width = std::min<Index>(all.size(), p.d_model);
    out.head(width) = all.head(width);
  }
  Figure figure = new_figure(
      "output",
      w.format("What {} receives from head {}", scene.quoted(model.query), model.head + 1),
      {.height = 330, .columns = 3});
  figure.caption = w.format(model.n() > kMostWords
                                ? N_("Head {}, query {}: weight times value for the keys with the "
                                     "most weight. The sum over all keys is the head's output.")
                                : N_("Head {}, query {}: each key's value times its weight; their "
                                     "sum is the head's output."),
                            model.head + 1, scene.indexed(model.query));
  figure.caption = w.format(
      "{} {}", figure.caption,
      model.W_o
          ? w("All heads' outputs, concatenated and multiplied by W_O, are the layer's output.")
          : w("All heads' outputs, concatenated, are the layer's output: there is no W_O."));
  return with(std::move(figure), contributions_plot(scene),
              titled_strip("output_row", w("output of the head: their sum"), "o",
                           all.segment(model.head * model.d_k(), model.d_k()), Role::value),
              titled_strip("layer_output",
                           model.W_o ? w("output of the layer: all heads, times W_O")
                                     : w("output of the layer: all heads"),
                           "y", out, Role::text));
}

}  // namespace lab::multi_head
