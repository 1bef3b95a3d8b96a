// What a cache takes against length, layers and heads, and the time that reading it takes.
#include "app/labs/cache/page.h"
#include "app/labs/shared/drawing/table_numbers.h"

namespace lab::cache {
namespace {

constexpr int kLongestShown = 1 << 20;

std::string kind_name(const Scene& scene, Kind kind) {
  const auto& [p, m, w] = scene;
  switch (kind) {
    case Kind::multi_head: return w("multi-head");
    case Kind::grouped: return w.format("key heads: {}", fitting_key_heads(p.heads, p.key_heads));
    case Kind::multi_query: return w("multi-query");
    case Kind::sliding: break;
  }
  return w.format("window of {}", grouped(p.sliding));
}

Color kind_color(Kind kind) {
  constexpr std::array kColors{kWholeColor, kSinkColor, kOtherColor, kWindowColor};
  return Color::of_head(kColors[to_size(kind)]);
}

Index weight_bytes(const Scene& scene) {
  return core::decode::generation_bytes(large_form(scene.p), stored_format(scene.p.stored), {}, 1)
      .weights;
}

// Lengths 1, 2, 4, ..., 2^20.
std::vector<Index> lengths() {
  std::vector<Index> all;
  for (Index n = 1; n <= kLongestShown; n *= 2) all.push_back(n);
  return all;
}

Line curve(const Scene& scene, Kind kind, double KindCost::*field, double factor = 1) {
  const bool own = kind == Kind::grouped;
  Line line{.color = kind_color(kind), .width = own ? 2.5F : 1.5F, .label = kind_name(scene, kind)};
  for (const Index n : lengths()) line.add(n, kind_cost(scene.p, kind, n).*field * factor);
  return line;
}

Plot length_plot(const Scene& scene, const std::string& id, std::string label) {
  Plot plot{.id = id, .x_param = "tokens"};
  plot.x = log_axis(scene.w("length n (tokens)"), 1, kLongestShown, {.link = "tokens"});
  plot.y.label = std::move(label);
  plot.y.scale = AxisScale::log;
  return plot;
}

Figure size_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("size", w("What the cache takes"), {.span = 6, .height = 340});
  figure.caption = w.format(
      "Bytes of keys and values against the length of a text, by which heads have their own keys; "
      "a window ends the growth. Texts at once: {}. Dashed: the weights, {}.",
      p.sequences, exact_bytes(weight_bytes(scene)));
  Plot plot = length_plot(scene, "size", w("bytes of the cache"));
  for (const Kind kind : kKinds) plot.add(curve(scene, kind, &KindCost::cache));
  fit_log(plot.y, heights(plot.marks));
  plot.y.hi = std::max(plot.y.hi, 3 * to_double(weight_bytes(scene)));
  plot.add(Rule{false, weight_bytes(scene), Role::dim, true, w("weights")});
  plot.add(Rule{true, p.length, Color(Role::accent, 0.6F)});
  return with(std::move(figure), std::move(plot));
}

void add_measured(const Scene& scene, Plot& plot) {
  const auto& [p, m, w] = scene;
  if (!m.measured || m.measured->times.empty()) return;
  Line line{.color = Role::accent, .width = 1.5F, .label = w("measured")};
  Points points{.color = Role::accent, .radius = 4};
  for (const TokenTime& time : m.measured->times) line.add(time.n, time.seconds * 1e3);
  points.x = line.x, points.y = line.y;
  plot.add(std::move(line));
  plot.add(std::move(points));
}

Figure memory_time_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("time", w("Time per step, by what it reads"), {.span = 6, .height = 340});
  figure.note = w.format("at {} GB/s", significant(p.bandwidth, 4));
  figure.caption = w.format(
      "Milliseconds per step (one token for each text) at {} GB/s, counting only the reading of "
      "the weights, once, and of every text's cache: a lower bound.",
      significant(p.bandwidth, 4));
  Plot plot = length_plot(scene, "time", w("milliseconds per step"));
  for (const Kind kind : kKinds) plot.add(curve(scene, kind, &KindCost::seconds, 1e3));
  add_measured(scene, plot);
  fit_log(plot.y, heights(plot.marks));
  plot.add(Rule{true, p.length, Color(Role::accent, 0.6F)});
  return with(std::move(figure), std::move(plot));
}

Figure kinds_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("kinds", w("Kinds of cache, side by side"), {.span = 12, .height = 210});
  figure.caption = w.format(
      "At length {}: what is kept, what a step reads, and how many tokens per second the bandwidth "
      "allows.",
      grouped(p.length));
  figure::Table table;
  table.columns = {{"", 1.6F, -1},
                   {w("written per token"), 1, 1},
                   {w("cache"), 1, 1},
                   {w("read per step"), 1, 1},
                   {w("time per step"), 1, 1},
                   {w("tokens per second"), 1, 1}};
  for (const Kind kind : kKinds) {
    const KindCost cost = kind_cost(p, kind, p.length);
    table.rows.push_back({named_cell(kind_name(scene, kind)), cell(bytes_text(cost.written)),
                          cell(bytes_text(cost.cache)), cell(bytes_text(cost.read)),
                          cell(time_text(cost.seconds)),
                          cell(significant(p.sequences / cost.seconds, 4))});
    add_numbers(table, {{"written for a token (bytes)", cost.written},
                        {"cache (bytes)", cost.cache},
                        {"read in a step (bytes)", cost.read},
                        {"time of a step (s)", cost.seconds},
                        {"tokens a second", p.sequences / cost.seconds}});
  }
  table.marked = 1;
  return with_table(std::move(figure), std::move(table));
}

Figure measured_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("measured", w("Measured on this machine"), {.span = 12, .height = 240});
  figure.note = w.format("reads {} GB/s", fixed(m.measured->bandwidth / 1e9, 1));
  figure.caption = w.format(
      "A decoder of this shape with made-up weights generates here, on {} threads. Ratio: the time "
      "to read its bytes at the bandwidth measured alongside, over the time the token took.",
      m.measured->threads);
  figure::Table table;
  table.columns = {{w("length n"), 1, 1},
                   {w("bytes read"), 1, 1},
                   {w("by the bandwidth"), 1, 1},
                   {w("measured"), 1, 1},
                   {w("ratio"), 1, 1}};
  for (const TokenTime& time : m.measured->times) {
    const double ideal = time.bytes / m.measured->bandwidth;
    table.rows.push_back({cell(grouped(time.n)), cell(bytes_text(time.bytes)),
                          cell(time_text(ideal)), cell(time_text(time.seconds)),
                          cell(fixed(ideal / time.seconds, 2))});
    add_numbers(table, {{"n (tokens)", to_double(time.n)},
                        {"read (bytes)", to_double(time.bytes)},
                        {"by the bandwidth (s)", ideal},
                        {"measured (s)", time.seconds}});
  }
  return with_table(std::move(figure), std::move(table));
}

// --- numbers

std::vector<Readout> memory_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const KindCost own = kind_cost(p, Kind::grouped, p.length);
  const KindCost all = kind_cost(p, Kind::multi_head, p.length);
  const double weights = to_double(weight_bytes(scene));
  // Where the cache of all texts has grown as large as the weights.
  const double each = kind_cost(p, Kind::grouped, 1).cache;
  const Index even = to_index(std::ceil(weights / each));
  std::vector<Readout> list = {
      {"cache", w("Cache"), own.cache, bytes_text(own.cache),
       w("Keys and values of all texts at this length")},
      {"weights", w("Weights"), weights, bytes_text(weights),
       w("The weights that every step reads, once for all texts")},
      {"token", w("Per token"), own.written, bytes_text(own.written),
       w("What each token of one text adds to the cache")},
      {"smaller", w("Smaller than multi-head"), all.cache / own.cache,
       significant(all.cache / own.cache, 4) + " ×", w("By the heads that share keys")},
      {"even", w("As large as the weights at"), weights / each,
       even == 1 ? w("1 token") : w.format("{} tokens", grouped(even)),
       w("From this length on the cache takes more room than the weights")},
      {"speed", w("Tokens per second"), p.sequences / own.seconds,
       significant(p.sequences / own.seconds, 4), w("At the bandwidth, over all texts")}};
  if (m.measured && !m.measured->times.empty()) {
    const TokenTime& last = m.measured->times.back();
    const double ratio = last.bytes / m.measured->bandwidth / last.seconds;
    list.push_back({"measured_bandwidth", w("Reads"), m.measured->bandwidth,
                    fixed(m.measured->bandwidth / 1e9, 1) + " GB/s",
                    w("Measured on this machine now")});
    list.push_back({"measured_ratio", w("Share of that"), ratio, fixed(ratio, 2),
                    w("Bytes read for the token at the longest measured length, over what could be "
                      "read in that time")});
  }
  return list;
}

Explanation explain_memory(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const core::model::DecoderForm form = large_form(p);
  const Index numbers = core::decode::cached_numbers(form);
  const KindCost cost = kind_cost(p, Kind::grouped, p.length);
  Derivation d(w);
  d.say(w("A key and a value in every layer, for every head with its own keys."));
  d.begin(w("numbers per token"), fmt::format("2·{}·{}·{} = {}", form.layers, form.layer.key_heads,
                                              p.width, grouped(numbers)));
  write_cache_bytes(scene, numbers, p.sequences, p.length, w("cache"), d);
  const auto cached = to_index(cost.cache);
  d.say(w("A step reads the weights once, for all texts, and every text's own cache."));
  const auto read = to_index(cost.read);
  d.begin(w("read"),
          fmt::format("{} + {} = {}", grouped(read - cached), grouped(cached), grouped(read)));
  d.is(w("time"), fmt::format("≈ {} / {}·10⁹", grouped(read), significant(p.bandwidth, 6)));
  d.about(significant(cost.seconds, 6) + " s");
  d.is(w("tokens per second"), fmt::format("≈ {} / {}", p.sequences, significant(cost.seconds, 6)));
  d.about_result(significant(p.sequences / cost.seconds, 4));
  return {w("The cache and the time of a step"), d.take()};
}

void add_memory_notes(const Scene& scene, Page& page) {
  const auto& [p, m, w] = scene;
  const Index fitting = fitting_key_heads(p.heads, p.key_heads);
  if (fitting != p.key_heads) {
    page.note(w.format("{} heads cannot share {} key heads evenly: {} are used.", p.heads,
                       p.key_heads, fitting));
  }
  if (!m.measured) {
    page.note(w("\"Measure now\" generates with a decoder of this shape on this machine."));
  } else if (m.measured->too_large) {
    page.note(
        w("Not measured: this page makes up models of at most 150 million parameters, with a cache "
          "of up to 1 GB."));
  } else {
    const core::Format format = format_of(p.format);
    if (core::decode::stored_bits(format) != 8 * core::decode::stored_bytes(format)) {
      page.note(
          w.format("Measured with {} bits for each number of the cache, whole bytes: this machine "
                   "cannot read numbers of {} bits.",
                   8 * core::decode::stored_bytes(format), core::decode::stored_bits(format)));
    }
    page.note(
        w("The measurement is for one text, with the keys of all tokens; times differ from run to "
          "run, all other numbers of this page are reproducible."));
  }
}

}  // namespace

Page memory_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Page page;
  page.figures = {size_figure(scene), memory_time_figure(scene), kinds_figure(scene)};
  if (m.measured && !m.measured->times.empty()) page.figures.push_back(measured_figure(scene));
  page.readouts = memory_readouts(scene);
  page.formula = "2 \\cdot L \\cdot h_{k} \\cdot d_{k} \\cdot n \\cdot \\text{bits} / 8";
  page.explanation = explain_memory(scene);
  add_memory_notes(scene, page);
  page.status = w.format("layers {} · heads {}, {} wide · key heads {} · n = {}", p.layers, p.heads,
                         p.width, fitting_key_heads(p.heads, p.key_heads), grouped(p.length));
  return page;
}

}  // namespace lab::cache
