// One map: its cells, its links, its tokens, and the row of the picked query.
#include "app/labs/shared/drawing/token_flow.h"
#include "app/labs/tensors/page.h"

namespace lab::tensors {
namespace {

using figure::Links;

constexpr Index kMostWords = 64;    // tokens that a column of words has room for
constexpr Index kStrongest = 24;    // keys that are shown of more
constexpr float kFaintest = 0.02F;  // links below this share of the largest are not drawn
constexpr Index kTokenLines = 10;
constexpr double kTokenPitch = 1.2;
constexpr const char* kFoundMark = "▸";

std::string combined_title(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Look& look = model.look;
  switch (look.combine) {
    case Combine::head: break;
    case Combine::mean: return w.format("Mean over the heads of layer {}", look.at.layer + 1);
    case Combine::largest: return w.format("Largest over the heads of layer {}", look.at.layer + 1);
    case Combine::rollout: return w.format("Attention rollout up to layer {}", look.at.layer + 1);
    case Combine::difference: {
      std::string other = w.format("head {}", head_name(look.other));
      if (model.other_source) other = w.format("{} ({})", other, model.other_source->name);
      return w.format("Head {} less {}", head_name(look.at), other);
    }
  }
  return w.format("Head {}", head_name(look.at));
}

std::string filter_text(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::heads::RowFilter& filter = model.shown->filter;
  if (filter.changes_nothing()) return {};
  return filter.renormalize ? w("filtered, rows divided by what is left of them") : w("filtered");
}

Labels labels_of(const std::vector<Index>& tokens, const Labels& names) {
  return labels(each(tokens, [&](const Index at) {
    return names ? fmt::format("{} {}", (*names)[to_size(at)], at) : fmt::format("{}", at);
  }));
}

// Rows and columns that have room: all, or the picked query with its strongest keys.
struct Ends {
  bool few;
  std::vector<Index> queries, keys;
};
Ends ends_of(const Model& model) {
  if (model.n() <= kMostWords && model.m() <= kMostWords) {
    return {true, numbered(model.n()), numbered(model.m())};
  }
  Ends ends{false, {model.query}, strongest_keys(model, kStrongest)};
  if (std::find(ends.keys.begin(), ends.keys.end(), model.key) == ends.keys.end()) {
    ends.keys.push_back(model.key);
  }
  std::sort(ends.keys.begin(), ends.keys.end());
  return ends;
}

// Returns whether any weight is negative.
bool add_links(const Scene& scene, const Ends& ends, Links& links) {
  const Model& model = scene.model;
  float largest = 0;
  bool negative = false;
  for (std::size_t i = 0; i < ends.queries.size(); ++i) {
    const bool own = ends.queries[i] == model.query;
    const std::vector<float> row = own ? model.row : model.shown->rows->row(ends.queries[i]);
    for (std::size_t j = 0; j < ends.keys.size(); ++j) {
      const float weight = row[to_size(ends.keys[j])];
      if (core::is_masked(weight) || !std::isfinite(weight) || weight == 0) continue;
      const Color color = weight < 0 ? Color(Role::bad)
                          : own      ? Color(Role::accent)
                                     : Color(Role::query, 0.6F);
      links.links.push_back({to_int(i), to_int(j), std::abs(weight), color});
      largest = std::max(largest, std::abs(weight));
      negative = negative || weight < 0;
    }
  }
  std::erase_if(links.links,
                [&](const Links::Link& link) { return link.weight < kFaintest * largest; });
  for (Links::Link& link : links.links) link.weight /= largest;
  return negative;
}

// The tokens of a text; in a long one those around the query's own key.
TokenFlow shown_tokens(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index own = core::heads::own_key(model.query, model.n(), model.m());
  const Index mark = p.find.empty() ? 0 : letters_of(kFoundMark);
  return token_flow(model.m(), own, kTokenLines,
                    [&, at = &model](Index j) { return letters_of(at->key_name(j)) + mark; });
}

figure::Boxes::Box token_box(const Scene& scene, Index key, float largest) {
  const auto& [p, model, w] = scene;
  const float weight = model.row[to_size(key)];
  const bool seen = !core::is_masked(weight) && std::isfinite(weight) && largest > 0;
  const std::string name = model.key_name(key);
  const bool found = !p.find.empty() && name.find(p.find) != std::string::npos;
  figure::Boxes::Box box;
  box.text = found ? kFoundMark + name : name;
  const float strength = seen ? 0.06F + 0.8F * std::abs(weight) / largest : 0;
  box.fill = found ? Color(Role::value, 0.55F) : Color(Role::key, strength);
  box.marked = key == model.key;
  box.pick = sets("key", key);
  box.tooltip = fmt::format("{}: {} · {}", key, name, cell_text(weight, w));
  return box;
}

}  // namespace

std::string cell_text(float number, const Words& w) {
  if (core::is_masked(number)) return w("masked");
  return w.format("weight {}", weight_text(to_double(number)));
}

std::string Scene::map_name() const {
  if (difference()) return w("difference of weights");
  return model.look.combine == Combine::rollout ? w("share of the input") : w("weights");
}

ColorScale map_scale(const Scene& scene, double largest) {
  if (scene.difference()) return signed_scale(largest);
  return weight_scale(largest);
}

PairMap pair_map(const Scene& scene) {
  const auto& [p, model, w] = scene;
  return {.queries = model.n(),
          .keys = model.m(),
          .labels = nullptr,
          .query = model.query,
          .key = model.key,
          .pinned = true,
          .pool = p.pool,
          .query_label = w("query"),
          .key_label = w("key"),
          .query_link = "given_query",
          .key_link = "given_key"};
}

std::vector<Index> strongest_keys(const Model& model, Index most) {
  const auto size = [&](Index j) {
    const float weight = model.row[to_size(j)];
    return std::isfinite(weight) ? std::abs(weight) : -1;
  };
  std::vector<Index> keys = largest_first(model.m(), size, most);
  std::erase_if(keys, [&](Index j) { return size(j) < 0; });
  return keys;
}

Figure map_figure(const Scene& scene, int span) {
  const auto& [p, model, w] = scene;
  const PairMap map = pair_map(scene);
  Plot plot =
      map.plot("map", scene.map_name(), model.shown->cells, map_scale(scene, model.shown->largest));
  plot.y.labels = model.tokens->query_names;
  plot.x.labels = model.tokens->key_names;
  Figure figure = new_figure("map", combined_title(scene), {.span = span, .height = 470});
  figure.note = filter_text(scene);
  figure.caption =
      scene.difference()
          ? w("Row: query, column: key; where the first weighs more, and where the second.")
          : w("Row: query, column: key.");
  figure.pointer_caption =
      scene.difference() ? w("A click takes a cell apart.") : w("A click works out a weight.");
  return with(std::move(figure), std::move(plot));
}

Figure links_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Ends ends = ends_of(model);
  Links links{.left = labels_of(ends.queries, model.tokens->query_names),
              .right = labels_of(ends.keys, model.tokens->key_names),
              .marked_left = place_among(ends.queries, model.query),
              .marked_right = place_among(ends.keys, model.key),
              .left_param = ends.few ? "query" : "",
              .right_param = ends.few ? "key" : ""};
  const bool negative = add_links(scene, ends, links);
  const float rows = to_float(std::max(ends.queries.size(), ends.keys.size()));
  Figure figure =
      new_figure("links", w("Links"), {.span = 5, .height = std::max(470.0F, 60 + 13 * rows)});
  if (!ends.few) figure.note = w.format("the strongest keys: {}", ends.keys.size());
  figure.caption =
      w("Each query at the left, the keys it attends to at the right; the stronger the line, the "
        "larger the weight against the largest that is drawn.");
  if (negative) figure.caption += " " + w("Negative ones are red.");
  return with(std::move(figure), Plot{.id = "links",
                                      .x = hidden_axis(0, 1),
                                      .y = hidden_axis(0, 1),
                                      .marks = {std::move(links)}});
}

Figure tokens_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const TokenFlow shown = shown_tokens(scene);
  float largest = 0;
  for (const TokenFlow::Place& place : shown.places) {
    const float weight = model.row[to_size(place.token)];
    if (std::isfinite(weight)) largest = std::max(largest, std::abs(weight));
  }
  Plot plot = flow_plot("tokens", shown, kTokenPitch,
                        [&](Index key) { return token_box(scene, key, largest); });
  Figure figure = new_figure("tokens", w.format("Where {} looks", scene.query_name()),
                             {.height = 64 + 34 * to_float(shown.lines)});
  if (shown.end() - shown.begin() < model.m()) {
    figure.note = w.format("tokens {} to {} of {}", shown.begin(), shown.end() - 1, model.m());
  }
  figure.plays = "query";
  figure.caption =
      w("The keys as a text: the stronger the colour, the more the picked query attends to them; "
        "found ones are marked.");
  figure.pointer_caption = w("A click works out a weight.");
  return with(std::move(figure), std::move(plot));
}

Figure row_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::vector<Index> keys = strongest_keys(model, kStrongest);
  Bars bars{.color = Role::key};
  Extent extent{0, 0};
  for (const Index key : keys) {
    const auto weight = to_double(model.row[to_size(key)]);
    bars.values.push_back(weight);
    bars.picks.push_back(sets("key", key));
    extent.add(weight);
  }
  bars.marked = place_among(keys, model.key);
  if (keys.empty()) bars.values.push_back(0);
  Plot plot{.id = "row"};
  plot.x = cell_axis(w("key"), to_index(bars.values.size()),
                     {.labels = keys.empty() ? nullptr : labels_of(keys, model.tokens->key_names),
                      .color = Role::key});
  plot.y = fitted_axis(scene.map_name(), extent, 0.15);
  if (keys.empty()) bars.picks.clear();
  plot.add(std::move(bars));
  Figure figure =
      new_figure("row", w.format("The strongest keys of {}", scene.query_name()), {.height = 250});
  if (keys.empty()) figure.note = w("nothing is left of this row");
  figure.caption = scene.difference()
                       ? w("Where the picked query's weights differ, the largest difference first.")
                       : w("The weights of the picked query, the largest first.");
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::tensors
