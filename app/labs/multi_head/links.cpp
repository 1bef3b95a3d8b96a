// The links between words, and what the values add up to.
#include "app/labs/multi_head/page.h"

namespace lab::multi_head {
namespace {

using figure::Links;

constexpr Index kMostWords = 64;        // tokens that a column of words has room for
constexpr Index kStrongest = 24;        // keys that are shown of a longer sequence
constexpr float kFaintest = 0.02f;      // links below this weight are not drawn
constexpr float kFaintestOfAll = 0.1f;  // the same when all heads are drawn

// The keys that have room: all, or the strongest of the query, in their order.
std::vector<Index> shown_keys(const Scene& scene) {
  const Model& model = scene.model;
  std::vector<Index> keys(to_size(model.n()));
  std::iota(keys.begin(), keys.end(), Index{0});
  if (model.n() <= kMostWords) return keys;
  const auto weight = [&](Index j) { return model.row.weights[to_size(j)]; };
  std::partial_sort(keys.begin(), keys.begin() + kStrongest, keys.end(), [&](Index a, Index b) {
    if ((a == model.key) != (b == model.key)) return a == model.key;
    return weight(a) != weight(b) ? weight(a) > weight(b) : a < b;
  });
  keys.resize(kStrongest);
  std::sort(keys.begin(), keys.end());
  return keys;
}

// Where the shown pair's key stands among `keys`.
int place(const Scene& scene, const std::vector<Index>& keys) {
  const auto found = std::find(keys.begin(), keys.end(), scene.model.key);
  return found == keys.end() ? -1 : static_cast<int>(found - keys.begin());
}

// Names of tokens; with their numbers where not all tokens are there.
figure::Labels labels_of(const Scene& scene, const std::vector<Index>& tokens) {
  const bool numbered = scene.model.n() > kMostWords && scene.model.sequence->labels;
  std::vector<std::string> labels;
  for (const Index token : tokens) {
    labels.push_back(numbered ? fmt::format("{} {}", scene.name(token), token) : scene.name(token));
  }
  return std::make_shared<const std::vector<std::string>>(std::move(labels));
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
              .marked_left = few ? static_cast<int>(model.query) : 0,
              .marked_right = place(scene, keys),
              .left_param = few ? "query" : "",
              .right_param = few ? "key" : ""};
  const float faintest = !few ? 0 : all ? kFaintestOfAll : kFaintest;
  float largest = few ? 1 : 0;
  for (Index head = all ? 0 : model.head; head <= (all ? p.heads - 1 : model.head); ++head) {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const bool own = queries[i] == model.query;
      const Color color = all   ? Color::of_head(static_cast<int>(head))
                          : own ? Color(Role::accent)
                                : Color(Role::query, 0.6f);
      for (std::size_t k = 0; k < keys.size(); ++k) {
        const float weight = model.weights(head).value(queries[i], keys[k]);
        if (!(weight > 0 && weight >= faintest)) continue;  // masked cells are NaN
        largest = std::max(largest, weight);
        links.links.push_back({static_cast<int>(i), static_cast<int>(k), weight, color});
      }
    }
  }
  for (Links::Link& link : links.links) link.weight /= largest;
  return links;
}

Plot contributions_plot(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::vector<Index> keys = shown_keys(scene);
  const bool all = static_cast<Index>(keys.size()) == model.n();
  // w_j v_j of the shown keys: what each adds to the head's output.
  Matrix cells(static_cast<Index>(keys.size()), model.d_k());
  for (std::size_t r = 0; r < keys.size(); ++r) {
    cells.row(static_cast<Index>(r)) = static_cast<float>(model.row.weights[to_size(keys[r])]) *
                                       model.projected->v(keys[r], model.head);
  }
  Plot plot{.id = "contributions",
            .title = w("weight times value of each key"),
            .x = cell_axis(w("dimension of the head"), model.d_k(), "dimension"),
            .y = cell_axis(w("key"), cells.rows())};
  if (!all) plot.note = w.format("the {} strongest keys", keys.size());
  plot.y.labels = labels_of(scene, keys);
  plot.y.color = Role::key;
  plot.y.marked = place(scene, keys);
  const figure::ColorScale scale = signed_scale(cells.cwiseAbs().maxCoeff());
  figure::Heatmap map = dense_heatmap(std::move(cells), scale);
  map.pool = p.pool;
  // Its rows are the keys themselves only when all are shown; then a row picks its key.
  if (all) map.row_param = "key";
  plot.marks.emplace_back(std::move(map));
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

Figure links_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("links",
                 p.links_of == LinksOf::all ? w("Links of all heads")
                                            : w.format("Links of head {}", model.head + 1),
                 {.span = 4, .height = 330});
  figure.caption = w(
      "Each query at the left and the keys it attends to at the right; the stronger the line, the "
      "larger the weight.");
  if (model.n() > kMostWords) figure.note = w.format("the {} strongest keys", kStrongest);
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
      w.format("What {} takes away from head {}", scene.quoted(model.query), model.head + 1),
      {.height = 330, .columns = 3});
  figure.caption = w.format(
      "Head {}, query {}: each key's value times its weight; their sum is the head's output, and "
      "all heads' outputs side by side times W_O are the layer's.",
      model.head + 1, scene.indexed(model.query));
  return with(std::move(figure), contributions_plot(scene),
              titled_strip("output_row", w("output of the head: their sum"), "o",
                           all.segment(model.head * model.d_k(), model.d_k()), Role::value),
              titled_strip("layer_output", w("output of the layer: all heads, times W_O"), "y", out,
                           Role::text));
}

}  // namespace lab::multi_head
