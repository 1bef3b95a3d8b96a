// What becomes of a model whose cache keeps the last tokens alone, or those and a few of the first.
#include "app/labs/cache/page.h"
#include "app/labs/shared/drawing/table_numbers.h"

namespace lab::cache {
namespace {

constexpr std::array kWayColors{kWholeColor, kWindowColor, kSinkColor};

// The form of the last way, which the knobs say; as much of it as the model allows.
CacheForm chosen(const Scene& scene) { return evicting_ways(scene.p, scene.form()).back(); }

std::string way_name(const Scene& scene, std::size_t way) {
  const CacheForm form = evicting_ways(scene.p, scene.form())[way];
  if (way == 0) return scene.w("everything");
  if (way == 1) return scene.w.format("the last {}", form.window);
  return scene.w.format("{} first and the last {}", form.sinks, form.window);
}

std::string chosen_name(const Scene& scene) {
  return way_name(scene, scene.model.listed.size() - 1);
}

Figure maps_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("maps", w("What each token can still see"), {.height = 420, .columns = 2});
  figure.note = scene.head_name();
  figure.plays = "token";
  figure.caption = w.format(
      "Weights of one head with the whole cache, and with {} of the first tokens and the last {}: "
      "keys that are evicted or come later are hatched. A row's weights sum to one either way, so "
      "the weight of evicted keys falls on others.",
      chosen(scene).sinks, chosen(scene).window);
  return with(std::move(figure),
              weights_plot(scene, "whole", way_name(scene, 0), m.exact->weights[scene.head_at()],
                           w("not read yet")),
              weights_plot(scene, "evicted", chosen_name(scene), m.other->weights[scene.head_at()],
                           w("evicted, or not read yet")));
}

Figure kept_next_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("next", w("What comes next, with all keys and with those kept"),
                             {.height = 260, .columns = 2});
  figure.caption = w.format(
      "The likeliest next tokens after token {} with everything kept, and the same tokens with {}.",
      scene.token(), chosen_name(scene));
  return compared_next(scene, std::move(figure), way_name(scene, 0), chosen_name(scene),
                       kWayColors[m.listed.size() - 1]);
}

Figure loss_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("loss", w("Loss along the text"), {.span = 7, .height = 290});
  figure.caption =
      w("-log of the probability of the actual next token, for each kind of cache; a gap where "
        "none follows.");
  Plot plot{.id = "loss", .x_param = "token"};
  plot.x = token_axis(scene, w("token read"));
  plot.y = {w("loss (nats)"), 0, 1};
  for (std::size_t k = m.listed.size(); k-- > 0;) {
    plot.y.hi = std::max(plot.y.hi, 1.1 * largest_size(m.listed[k]->loss));
    plot.add(token_line(m.listed[k]->loss, Color::of_head(kWayColors[k]), way_name(scene, k)));
  }
  plot.add(token_rule(scene));
  return with(std::move(figure), std::move(plot));
}

Figure bytes_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("bytes", w("What is kept"), {.span = 5, .height = 290});
  figure.caption = w("Bytes of the cache after each token: a window ends the growth.");
  Plot plot{.id = "bytes", .x_param = "token"};
  plot.x = token_axis(scene, w("token read"));
  plot.y = {w("bytes of the cache"), 0, 1.1 * to_double(m.listed[0]->bytes.back())};
  for (std::size_t k = 0; k < m.listed.size(); ++k) {
    const std::vector<Index>& bytes = m.listed[k]->bytes;
    plot.add(token_line({bytes.begin(), bytes.end()}, Color::of_head(kWayColors[k]),
                        way_name(scene, k)));
  }
  plot.add(token_rule(scene));
  return with(std::move(figure), std::move(plot));
}

Figure ways_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("ways", w("Caches side by side"), {.height = 190});
  figure.caption = w.format(
      "At the end of the text: what is kept, the loss, and how many of the tokens it counts the "
      "model found likeliest. {}",
      counted(scene));
  figure::Table table;
  table.columns = {{w("kept"), 1.6F, -1},
                   {w("tokens"), 1, 1},
                   {w("bytes kept"), 1, 1},
                   {w("loss"), 1, 1},
                   {w("right"), 1, 1}};
  const std::vector<CacheForm> forms = evicting_ways(p, scene.form());
  for (std::size_t k = 0; k < m.listed.size(); ++k) {
    const Reading& reading = *m.listed[k];
    const core::decode::CacheSlots slots(forms[k], scene.n());
    table.rows.push_back({named_cell(way_name(scene, k)), cell(grouped(slots.held(scene.n()))),
                          cell(grouped(reading.bytes.back())),
                          cell(reading.finite ? fixed(reading.mean_loss, 4) : "NaN"),
                          cell(fmt::format("{} / {}", reading.right, reading.evaluated))});
    add_numbers(table, {{"kept (tokens)", to_double(slots.held(scene.n()))},
                        {"kept (bytes)", to_double(reading.bytes.back())},
                        {"loss (nats)", reading.mean_loss},
                        {"right (tokens)", to_double(reading.right)},
                        {"judged (tokens)", to_double(reading.evaluated)}});
  }
  table.marked = to_int(m.listed.size()) - 1;
  return with_table(std::move(figure), std::move(table));
}

std::vector<Readout> eviction_readouts(const Scene& scene) {
  const Model& m = scene.model;
  const Words& w = scene.w;
  const auto loss = [&](const char* id, std::string label, const Reading& reading) {
    return Readout{id, std::move(label), reading.mean_loss,
                   w.format("{:.4f} nats", reading.mean_loss), counted(scene)};
  };
  double gone = 0;  // weight of the whole cache on what was evicted
  const Matrix& whole = m.exact->weights[scene.head_at()];
  const Matrix& kept = m.other->weights[scene.head_at()];
  for (Index j = 0; j <= scene.token(); ++j) {
    if (core::is_masked(kept(scene.token(), j))) gone += to_double(whole(scene.token(), j));
  }
  return finite({loss("loss_whole", w("Loss, everything kept"), *m.listed[0]),
                 loss("loss_window", w("Loss, window only"), *m.listed[1]),
                 loss("loss", w("Loss, with the settings"), *m.other),
                 {"gone", w("Weight on what was evicted"), gone, weight_text(gone),
                  w("For the picked head and token, with the whole cache")},
                 {"bytes", w("Kept at the end"), m.other->bytes.back(),
                  exact_bytes(m.other->bytes.back()), w("With the settings")}});
}

// Which tokens the picked one sees, and from how far.
Explanation explain_eviction(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const CacheForm form = chosen(scene);
  const Index tokens = scene.token() + 1;
  const core::decode::CacheSlots slots(form, form.window == 0 ? scene.n() : 1);
  const std::vector<Index> in_slots = slots.tokens_in_slots(tokens);
  std::vector<Index> distances(to_size(slots.capacity()));
  slots.distances(tokens, distances.data());
  Derivation d(w);
  d.begin(w("capacity"), fmt::format("{} + {} = {}", form.sinks, form.window, slots.capacity()));
  d.begin(w("held"), fmt::format("min({}, {}) = {}", tokens, slots.capacity(), slots.held(tokens)));
  d.say(form.positions == CachePositions::in_cache
            ? w("Distances are within the cache, as if nothing lay between.")
            : w("Distances are those in the text."));
  for (std::size_t s = 0; s < in_slots.size(); ++s) {
    const Index token = in_slots[s];
    d.line(w.format("slot {}", s), {plain((*scene.story().tokens)[to_size(token)] + "  "),
                                    dim(w.format("token {}, {} before", token, distances[s]))});
  }
  write_cache_bytes(scene, core::decode::cached_numbers(scene.form()), 1, slots.held(tokens),
                    w("bytes kept"), d);
  return {w.format("The cache when token {} is read", scene.token()), d.take()};
}

}  // namespace

Page eviction_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Page page;
  page.figures = {maps_figure(scene), kept_next_figure(scene), loss_figure(scene),
                  bytes_figure(scene), ways_figure(scene)};
  page.readouts = eviction_readouts(scene);
  page.formula = "\\text{cache} = \\{0..s-1\\} \\cup \\{t-w+1..t\\}";
  page.explanation = explain_eviction(scene);
  if (!positions_fit(scene.form(), p.positions)) {
    page.note(
        w("This model adds positions to the embeddings: a stored key cannot be moved to another "
          "position, so positions are those of the text."));
  }
  const CacheForm form = chosen(scene);
  if (form.window != p.window || form.sinks != p.sinks) {
    page.note(
        w.format("The model has {} positions: it keeps a window of {} and {} of the first tokens.",
                 scene.form().positions.longest, form.window, form.sinks));
  }
  page.status = story_status(scene);
  return page;
}

}  // namespace lab::cache
