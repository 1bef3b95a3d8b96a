// The links between words, and what the values add up to.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/labs/multi_head/page.h"

namespace lab::multi_head {
namespace {

using figure::Color;
using figure::Figure;
using figure::Links;
using figure::Plot;
using figure::Role;

constexpr Index kMostWords = 64;        // tokens that a column of words has room for
constexpr Index kStrongest = 24;        // keys that are shown of a longer sequence
constexpr float kFaintest = 0.02f;      // links below this weight are not drawn
constexpr float kFaintestOfAll = 0.1f;  // the same when all heads are drawn

// The keys that have room: all, or the strongest of the query, in their order.
std::vector<Index> shown_keys(const Scene& scene, Index most) {
  std::vector<Index> keys(static_cast<std::size_t>(scene.model.n()));
  std::iota(keys.begin(), keys.end(), Index{0});
  if (scene.model.n() <= most) return keys;
  const std::vector<double>& weights = scene.model.row.weights;
  const auto weight = [&](Index j) { return weights[static_cast<std::size_t>(j)]; };
  std::partial_sort(keys.begin(), keys.begin() + kStrongest, keys.end(), [&](Index a, Index b) {
    if ((a == scene.model.key) != (b == scene.model.key)) return a == scene.model.key;
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

figure::Labels labels_of(const Scene& scene, const std::vector<Index>& tokens, bool numbered) {
  std::vector<std::string> labels;
  for (const Index token : tokens) {
    const bool plain = !numbered || !scene.model.sequence->labels;
    labels.push_back(plain ? scene.name(token) : fmt::format("{} {}", scene.name(token), token));
  }
  return std::make_shared<const std::vector<std::string>>(std::move(labels));
}

// Every link of one head. The query's own are amber, or all have the head's colour.
void add_head(const Scene& scene, Index head, bool all, Links& links) {
  const figure::TileSource& weights = *scene.model.sources->weights[static_cast<std::size_t>(head)];
  const int n = static_cast<int>(scene.model.n());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const float weight = weights.value(i, j);
      if (!(weight >= (all ? kFaintestOfAll : kFaintest))) continue;  // masked cells are NaN
      const Color own = i == scene.model.query ? Color(Role::accent) : Color(Role::query, 0.6f);
      links.links.push_back({i, j, weight, all ? Color::of_head(static_cast<int>(head)) : own});
    }
  }
}

Links full_links(const Scene& scene, const std::vector<Index>& tokens) {
  Links links;
  links.left = links.right = labels_of(scene, tokens, false);
  links.marked_left = static_cast<int>(scene.model.query);
  links.marked_right = static_cast<int>(scene.model.key);
  links.left_param = "query";
  links.right_param = "key";
  if (scene.p.links_of == LinksOf::all) {
    for (Index head = 0; head < scene.p.heads; ++head) add_head(scene, head, true, links);
  } else {
    add_head(scene, scene.model.head, false, links);
  }
  return links;
}

// One query with its strongest keys, of one head or of all; among so many keys each weight is
// small, so lines are as strong as their share of the largest.
Links strongest_links(const Scene& scene, const std::vector<Index>& keys) {
  Links links;
  links.left = labels_of(scene, {scene.model.query}, true);
  links.right = labels_of(scene, keys, true);
  links.marked_left = 0;
  links.marked_right = place(scene, keys);
  const bool all = scene.p.links_of == LinksOf::all;
  const Index first = all ? 0 : scene.model.head, last = all ? scene.p.heads - 1 : first;
  float largest = 0;
  for (Index head = first; head <= last; ++head) {
    const auto& weights = *scene.model.sources->weights[static_cast<std::size_t>(head)];
    const Color color = all ? Color::of_head(static_cast<int>(head)) : Color(Role::accent);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const float weight = weights.value(scene.model.query, keys[k]);
      if (!(weight > 0)) continue;  // masked cells are NaN
      largest = std::max(largest, weight);
      links.links.push_back({0, static_cast<int>(k), weight, color});
    }
  }
  for (Links::Link& link : links.links) link.weight /= largest;
  return links;
}

// w_j v_j of the shown keys: what each adds to the head's output.
core::Matrix contributions(const Scene& scene, const std::vector<Index>& keys) {
  const Projected& p = *scene.model.projected;
  core::Matrix result(static_cast<Index>(keys.size()), p.d_k);
  for (Index r = 0; r < result.rows(); ++r) {
    const Index key = keys[static_cast<std::size_t>(r)];
    const auto weight = static_cast<float>(scene.model.row.weights[static_cast<std::size_t>(key)]);
    result.row(r) = weight * p.V.row(key).segment(scene.model.head * p.d_k, p.d_k);
  }
  return result;
}

Plot contributions_plot(const Scene& scene) {
  const std::vector<Index> keys = shown_keys(scene, kMostWords);
  core::Matrix cells = contributions(scene, keys);
  const float largest = cells.cwiseAbs().maxCoeff();
  Plot plot{.id = "contributions", .title = scene.w("weight times value of each key")};
  if (static_cast<Index>(keys.size()) < scene.model.n()) {
    plot.note = scene.w.format("the {} strongest keys", keys.size());
  }
  plot.x.label = scene.w("dimension of the head");
  plot.x.hi = static_cast<double>(cells.cols());
  plot.x.cells = true;
  plot.x.link = "dimension";
  plot.y.label = scene.w("key");
  plot.y.hi = static_cast<double>(keys.size());
  plot.y.cells = true;
  plot.y.labels = labels_of(scene, keys, static_cast<Index>(keys.size()) < scene.model.n());
  plot.y.color = Role::key;
  plot.y.marked = place(scene, keys);
  figure::Heatmap map;
  const float hi = largest > 0 && std::isfinite(largest) ? largest : 1;
  map.scale.map = figure::MapName::diverging;
  map.scale.lo = -hi;
  map.scale.hi = hi;
  map.pool = scene.p.pool;
  // Its rows are the keys themselves only when all are shown; then a row picks its key.
  if (static_cast<Index>(keys.size()) == scene.model.n()) map.row_param = "key";
  map.source = std::make_shared<figure::DenseSource>(std::move(cells));
  plot.marks.emplace_back(std::move(map));
  return plot;
}

Plot titled_strip(std::string id, std::string title, std::string lead, const core::VectorD& values,
                  Color color) {
  std::vector<double> bars(values.data(), values.data() + values.size());
  const double largest = largest_size(bars);
  Plot plot = strip(std::move(id), std::move(lead), std::move(bars), color, largest);
  plot.title = std::move(title);
  return plot;
}

}  // namespace

Figure links_figure(const Scene& scene) {
  const bool all = scene.p.links_of == LinksOf::all;
  const bool few = scene.model.n() <= kMostWords;
  Figure figure =
      new_figure("links", all ? scene.w("Links of all heads")
                              : scene.w.format("Links of head {}", scene.model.head + 1));
  if (!few) figure.note = scene.w.format("the {} strongest keys", kStrongest);
  figure.caption = scene.w(
      "Each query at the left and the keys it attends to at the right; the stronger the line, the "
      "larger the weight.");
  figure.span = 4;
  figure.height = 330;
  Plot plot{.id = "arcs"};
  plot.x.visible = plot.y.visible = false;
  const std::vector<Index> keys = shown_keys(scene, kMostWords);
  plot.marks.emplace_back(few ? full_links(scene, keys) : strongest_links(scene, keys));
  return with(std::move(figure), std::move(plot));
}

Figure output_figure(const Scene& scene) {
  const Model& model = scene.model;
  const core::Matrix& concat = model.heads->concat();
  const core::VectorD all = concat.row(model.query).transpose().cast<double>();
  const core::VectorD own = all.segment(model.head * model.d_k(), model.d_k());
  core::VectorD out = core::VectorD::Zero(scene.p.d_model);
  if (model.W_o) {
    out = model.W_o->transpose().cast<double>() * all;
  } else {
    const Index width = std::min<Index>(all.size(), scene.p.d_model);
    out.head(width) = all.head(width);
  }
  Figure figure;
  figure.id = "output";
  figure.title =
      scene.w.format("What {} takes away from head {}", scene.quoted(model.query), model.head + 1);
  figure.caption = scene.w.format(
      "Head {}, query {}: each key's value times its weight; their sum is the head's output, and "
      "all heads' outputs side by side times W_O are the layer's.",
      model.head + 1, scene.indexed(model.query));
  figure.columns = 3;
  figure.height = 330;
  figure.plots = {
      contributions_plot(scene),
      titled_strip("output_row", scene.w("output of the head: their sum"), "o", own, Role::value),
      titled_strip("layer_output", scene.w("output of the layer: all heads, times W_O"), "y", out,
                   Role::text)};
  return figure;
}

}  // namespace lab::multi_head
