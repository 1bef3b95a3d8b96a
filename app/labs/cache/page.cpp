#include "app/labs/cache/page.h"

#include "app/labs/shared/found_in.h"
#include "app/labs/shared/text/text.h"
#include "core/enum_array.h"

namespace lab::cache {

Axis token_axis(const Scene& scene, std::string label) {
  Axis axis = cell_axis(std::move(label), scene.n(), "token");
  axis.labels = scene.story().tokens;
  axis.marked = to_int(scene.token());
  return axis;
}

Line token_line(const std::vector<double>& values, Color color, std::string label) {
  Line line{.color = color, .label = std::move(label)};
  for (std::size_t t = 0; t < values.size(); ++t) {
    line.add(to_double(t) + 0.5,
             std::isfinite(values[t]) ? values[t] : std::numeric_limits<double>::quiet_NaN());
  }
  return line;
}

Rule token_rule(const Scene& scene) {
  return {true, to_double(scene.token()) + 0.5, Color(Role::accent, 0.6F)};
}

Plot weights_plot(const Scene& scene, const std::string& id, std::string title,
                  const Matrix& weights, std::string unseen, const std::string& key_param,
                  const Assignments& also) {
  PairMap map{.queries = scene.n(),
              .keys = scene.n(),
              .labels = scene.story().tokens,
              .query = scene.token(),
              .key = scene.model.key,
              .pinned = scene.p.picks_key(),
              .query_label = scene.w("token read"),
              .key_label = scene.w("key"),
              .query_link = "token",
              .key_link = "key",
              .query_param = "token",
              .key_param = key_param};
  Plot plot = map.plot(id, std::move(title));
  Heatmap cells = map.cells(std::make_shared<DenseSource>(weights), weight_scale(1), also);
  cells.masked = std::move(unseen);
  plot.add(std::move(cells));
  const double row = to_double(scene.token());
  plot.add(Rule{false, row, Role::accent, false});
  plot.add(Rule{false, row + 1, Role::accent, false});
  return plot;
}

Plot next_plot(const Scene& scene, const std::string& id, std::string title, const Reading& first,
               const Reading& shown, Color color) {
  constexpr Index kMost = 8;
  const Index vocabulary = first.log_p.cols(), t = scene.token();
  const auto order = largest_first(
      vocabulary, [&](Index token) { return first.log_p(t, token); }, kMost);
  Plot plot{.id = id, .title = std::move(title)};
  auto names = std::make_shared<std::vector<std::string>>();
  Bars bars{.color = color};
  for (const Index token : order) {
    names->push_back(scene.story().token(static_cast<std::int32_t>(token)));
    const double p = std::exp(shown.log_p(t, token));
    bars.values.push_back(std::isfinite(p) ? p : 0);
  }
  plot.x = cell_axis(scene.w("next token"), to_index(names->size()), {.labels = names});
  double top = std::exp(first.log_p.row(t).maxCoeff());
  if (scene.model.other) top = std::max(top, std::exp(scene.model.other->log_p.row(t).maxCoeff()));
  plot.y = {.label = scene.w("probability"), .hi = top < 0.5 ? 1.3 * top : 1.15, .end = 1};
  plot.add(std::move(bars));
  return plot;
}

Figure compared_next(const Scene& scene, Figure figure, std::string exact, std::string other,
                     int color) {
  const auto& [p, m, w] = scene;
  figure.note = w.format("after token {}", scene.token());
  figure.plays = "token";
  return with(
      std::move(figure),
      next_plot(scene, "exact", std::move(exact), *m.exact, *m.exact, Color::of_head(kWholeColor)),
      next_plot(scene, "changed", std::move(other), *m.exact, *m.other, Color::of_head(color)));
}

std::string story_status(const Scene& scene) {
  const core::model::DecoderForm& form = scene.form();
  return scene.w.format("n = {} · layers {} · heads {} · key heads {} · d_model {}", scene.n(),
                        form.layers, form.layer.heads, form.layer.key_heads, form.layer.d_model);
}

std::string counted(const Scene& scene) {
  return scene.story().opened
             ? scene.w("The loss is the mean over all tokens but the last.")
             : scene.w("The loss is the mean over the tokens that the task counts.");
}

std::string exact_bytes(Index bytes) {
  constexpr Index kFew = 1'000'000;
  return bytes < kFew ? grouped(bytes) + " B" : bytes_text(to_double(bytes));
}

void write_cache_bytes(const Scene& scene, Index numbers, Index texts, Index tokens,
                       const std::string& name, Derivation& d) {
  const core::Format format = format_of(scene.p.format);
  const Index each = core::decode::stored_bits(format), bits = numbers * each;
  d.begin(scene.w("bits per token"),
          fmt::format("{}·{} = {}", grouped(numbers), each, grouped(bits)));
  std::string bytes = fmt::format("{}·{} / 8", grouped(tokens), grouped(bits));
  if (tokens * bits % 8 != 0) bytes = "⌈" + bytes + "⌉";
  d.begin(name, texts == 1 ? bytes : fmt::format("{}·{}", grouped(texts), bytes));
  d.result(grouped(texts * core::decode::packed_bytes(tokens * numbers, format)));
}

figure::Table::Cell cell(std::string text, Color color, TextStyle style) {
  return {{std::move(text), color, style}};
}
figure::Table::Cell named_cell(std::string text) {
  return cell(std::move(text), Role::text, TextStyle::label);
}

namespace {

// The layers, heads and tokens that there are, and how many of them can be kept.
void add_ranges_of_story(const Scene& scene, param::List& list, param::Facts& found) {
  const auto& [p, model, w] = scene;
  const auto& form = model.story->form();
  const auto& opened = model.story->opened;
  const FoundIn of_model{opened_decoder(list),
                         opened ? opened->name : name_of_model(p.model.file, w)};
  of_model.add("layer", 1, to_double(form.layers), found);
  of_model.add("head", 1, to_double(form.layer.heads), found);
  if (p.view == View::eviction) {
    const Index longest = form.positions.longest;
    of_model.add("window", 1, to_double(longest), found);
    FoundIn{of_model.of + values_of(list, {"window"}), of_model.in}.add(
        "sinks", 0, to_double(std::max<Index>(longest - p.window, 0)), found);
  }
  const FoundIn of_text{opened_text(list), w("this text")};
  of_text.add("token", 0, to_double(model.story->n() - 1), found);
  if (!p.picks_key()) return;
  FoundIn{of_text.of + values_of(list, {"token"}), w("the cache")}.add(
      "key", 0, to_double(model.token), found);
}

void add_ranges(const Scene& scene, param::Facts& found) {
  Parameters same = scene.p;
  param::List list = listed(same, describe);
  if (scene.model.story) add_ranges_of_story(scene, list, found);
  if (const auto& tiles = scene.model.tiles) {
    FoundIn{walked_tiles(list), scene.w("this walk")}.add(
        "tile", 0, to_double(tiles->attention.steps.size() - 1), found);
  }
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  constexpr core::EnumArray<View, Page (*)(const Scene&)> kPages{
      {tokens_page, memory_page, rounding_page, eviction_page, online_page, tiles_page}};
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page = kPages[p.view](scene);
  add_ranges(scene, page.found);
  if (const auto& story = model.story; story && story->opened) {
    add_published_notes(*story->opened, context.words, page);
    add_text_notes(story->text, p.text, context.words, page.notes);
    page.empty_texts = {{"text", text_read(p, *story->opened)}};
    page.made_up = context.words(p.published.made_up());
  }
  page.cards = cards("cache", context.words);
  return page;
}

}  // namespace lab::cache
