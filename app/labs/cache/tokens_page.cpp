// Token by token: what is computed anew, and what is read from the cache.
#include "app/labs/cache/page.h"
#include "app/labs/shared/derivation/model_derivation.h"
#include "app/labs/shared/drawing/table_numbers.h"

namespace lab::cache {
namespace {

using core::decode::GenerationMacs, core::decode::TokenBytes;

CacheForm cache_of(const Scene& scene) { return {.stored = format_of(scene.p.format)}; }

// The costs of the picked token, the t-th of the text.
struct Costs {
  GenerationMacs macs;
  Index anew = 0;  // multiply-adds without a cache
  TokenBytes bytes;

  explicit Costs(const Scene& scene, Index tokens)
      : macs(core::decode::generation_macs(scene.form(), {}, tokens)),
        anew(core::decode::macs_without_cache(scene.form(), {}, tokens)),
        bytes(core::decode::generation_bytes(scene.form(), core::kFloat32, cache_of(scene),
                                             tokens)) {}
};

// Rows of tokens, of which those up to the picked one are there.
Plot rows_plot(const Scene& scene, const std::string& id, std::string title, Role role,
               const Matrix& rows) {
  Matrix shown = rows;
  shown.bottomRows(scene.n() - 1 - scene.token()).setConstant(core::kMasked);
  Plot plot{.id = id, .title = std::move(title)};
  plot.x = cell_axis(scene.w("component"), rows.cols());
  plot.y = token_axis(scene, "");
  plot.y.color = role;
  Heatmap map{.source = std::make_shared<DenseSource>(shown),
              .scale = signed_scale(rows),
              .row_param = "token"};
  plot.add(std::move(map));
  const double row = to_double(scene.token());
  plot.add(Rule{false, row, Role::accent, false});
  plot.add(Rule{false, row + 1, Role::accent, false});
  return plot;
}

Figure step_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("step", w("What the token attends to"), {.height = 420, .columns = 3});
  figure.note = scene.head_name();
  figure.plays = "token";
  figure.caption = w.format(
      "Reading token {}: one row of weights is computed, for its own query (between the lines); "
      "rows above were computed before and are never needed again. Its key and value are written "
      "into the cache once, below those of the tokens before it, which are read.",
      scene.token());
  Matrix weights = m.exact->weights[scene.head_at()];
  weights.bottomRows(scene.n() - 1 - scene.token()).setConstant(core::kMasked);
  return with(std::move(figure),
              weights_plot(scene, "weights", w("weights"), weights, w("not read yet"), "key",
                           explains("weight")),
              rows_plot(scene, "keys", w("keys in the cache"), Role::key,
                        m.exact->keys[scene.key_head_at()]),
              rows_plot(scene, "values", w("values in the cache"), Role::value,
                        m.exact->values[scene.key_head_at()]));
}

Figure work_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Index tokens = scene.token() + 1;
  const Costs costs(scene, tokens);
  const Index projections = costs.macs.projections;
  Figure figure = new_figure("work", w("Computed for this token"), {.span = 7, .height = 250});
  figure.caption = w.format(
      "Multiply-adds for token {}: with a cache only its own row of everything, without one all "
      "rows again.",
      scene.token());
  figure::Table table;
  table.columns = {{"", 2.3F, -1}, {w("with a cache"), 1, 1}, {w("without"), 1, 1}};
  const auto row = [&](std::string name, Index cached, Index anew, std::string_view pick) {
    table.rows.push_back({named_cell(std::move(name)), cell(grouped(cached)), cell(grouped(anew))});
    const bool bytes = pick == "bytes";
    add_numbers(table, {{bytes ? "with a cache (bytes)" : "with a cache (multiply-adds)",
                         to_double(cached)},
                        {bytes ? "without (bytes)" : "without (multiply-adds)", to_double(anew)}});
    table.picks.push_back(explains(pick));
  };
  row(w("projections and feed-forward networks"), projections, tokens * projections, "products");
  row(w("scores and sums of values"), costs.macs.attention,
      costs.anew - tokens * projections - costs.macs.logits, "products");
  row(w("logits of the next token"), costs.macs.logits, costs.macs.logits, "products");
  row(w("all multiply-adds"), costs.macs.once(), costs.anew, "products");
  row(w("bytes read from the cache"), costs.bytes.cached, 0, "bytes");
  row(w("bytes written to it"), costs.bytes.written, 0, "bytes");
  table.marked = p.explained == Explained::products ? 3 : p.explained == Explained::bytes ? 4 : -1;
  return with_table(std::move(figure), std::move(table));
}

Figure growth_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("growth", w("Along the text"), {.span = 12, .height = 270, .columns = 2});
  figure.caption =
      w("Multiply-adds of each token with a cache and without one; and the bytes of the cache that "
        "each token reads. Without a cache, a token costs as much as all the text before it.");
  std::vector<double> with_cache, without, bytes;
  for (Index t = 1; t <= scene.n(); ++t) {
    const Costs costs(scene, t);
    with_cache.push_back(to_double(costs.macs.once()));
    without.push_back(to_double(costs.anew));
    bytes.push_back(to_double(costs.bytes.cached));
  }
  Plot macs{.id = "macs", .x_param = "token"};
  macs.x = token_axis(scene, w("token read"));
  macs.y = log_axis(w("multiply-adds"), 0.8 * with_cache.front(), 2 * without.back());
  macs.add(token_line(without, Color::of_head(kWindowColor), w("without a cache")));
  macs.add(token_line(with_cache, Color::of_head(kWholeColor), w("with a cache")));
  macs.add(token_rule(scene));
  Plot read{.id = "bytes", .x_param = "token"};
  read.x = token_axis(scene, w("token read"));
  read.y = {w("bytes of the cache"), 0, 1.1 * bytes.back()};
  read.add(token_line(bytes, Color::of_head(kSinkColor)));
  read.add(token_rule(scene));
  return with(std::move(figure), std::move(macs), std::move(read));
}

Figure tokens_next_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure = new_figure("next", w("What comes next"), {.span = 5, .height = 250});
  figure.caption =
      w("The likeliest next tokens after the one read, by the decoder with its cache.");
  return with(std::move(figure), next_plot(scene, "next", "", *scene.model.exact,
                                           *scene.model.exact, Color::of_head(kSinkColor)));
}

// --- explanation

void write_bytes(const Scene& scene, Derivation& d) {
  const core::model::DecoderForm& form = scene.form();
  const Index width = scene.story().width();
  const Index numbers = core::decode::cached_numbers(form);
  d.say(scene.w("A key and a value in every layer, for every head with its own keys."));
  d.begin(scene.w("numbers per token"),
          fmt::format("2·{}·{}·{}", form.layers, form.layer.key_heads, width));
  d.next(grouped(numbers));
  write_cache_bytes(scene, numbers, 1, scene.token() + 1, scene.w("bytes read"), d);
}

void write_products(const Scene& scene, Derivation& d) {
  const core::model::DecoderForm& form = scene.form();
  const Index tokens = scene.token() + 1, dm = form.layer.d_model;
  const Costs costs(scene, tokens);
  const Index pairs = tokens * (tokens + 1) / 2;
  d.say(
      scene.w("Scores and the sum of values take d_model multiply-adds each for every key, in "
              "every layer."));
  d.begin(scene.w("attention"),
          fmt::format("2·{}·{}·{} = {}", form.layers, dm, tokens, grouped(costs.macs.attention)));
  d.begin(scene.w("with a cache"),
          fmt::format("{} + {} + {}", grouped(costs.macs.projections),
                      grouped(costs.macs.attention), grouped(costs.macs.logits)));
  d.result(grouped(costs.macs.once()));
  d.say(
      scene.w("Without a cache every token of the text is projected again, and each token t meets "
              "its t + 1 keys again."));
  d.begin(scene.w("pairs"), fmt::format("{}·{}/2 = {}", tokens, tokens + 1, grouped(pairs)));
  d.begin(scene.w("without"),
          fmt::format("{}·{} + 2·{}·{}·{} + {}", tokens, grouped(costs.macs.projections),
                      form.layers, dm, pairs, grouped(costs.macs.logits)));
  d.result(grouped(costs.anew));
}

// The query of the whole pass against the keys of the cache.
void write_weight(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const std::string prefix = fmt::format("decoder.{}.self.", m.layer);
  const Index tokens = scene.token() + 1;
  const auto& layer = scene.form().layer;
  const Story& story = scene.story();
  core::model::HeadAttention look =
      m.traced ? core::checkpoint::head_attention(*story.opened->model, *m.traced,
                                                  {.layer = m.layer, .head = m.head}, scene.token())
               : head_attention(m.looked->trace, prefix, {m.head, layer.heads, layer.key_heads},
                                scene.token());
  look.keys = m.exact->keys[scene.key_head_at()].topRows(tokens).cast<double>();
  if (look.added.size() > 0) look.added.conservativeResize(tokens);
  if (m.traced) look.allowed.resize(to_size(tokens));
  if (story.model) look.scale = story.model->decoder.stack.positions.scale();
  d.say(
      w("The query is the token's own; every other key comes from the cache, already rotated where "
        "positions rotate keys."));
  explain_head_weight(look, m.key, scene.story().tokens, d);
}

Explanation explain_tokens(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Derivation d(w);
  const std::string token = (*scene.story().tokens)[to_size(scene.token())];
  switch (p.explained) {
    case Explained::bytes:
      write_bytes(scene, d);
      return {w.format("Cache that token {} reads", scene.token()), d.take()};
    case Explained::products:
      write_products(scene, d);
      return {w.format("Multiply-adds of token {}", scene.token()), d.take()};
    case Explained::weight: break;
  }
  write_weight(scene, d);
  return {w.format("Weight of key {} for token {}, {}", m.key, scene.token(), scene.head_name()),
          d.take()};
}

std::vector<Readout> tokens_readouts(const Scene& scene) {
  const auto& w = scene.w;
  const Costs costs(scene, scene.token() + 1);
  const double saved = to_double(costs.anew) / to_double(costs.macs.once());
  const auto t = to_size(scene.token());
  return finite(
      {{"cache_bytes", w("Read from the cache"), costs.bytes.cached,
        exact_bytes(costs.bytes.cached), w("Keys and values of this token and all before it")},
       {"written_bytes", w("Written to it"), costs.bytes.written, exact_bytes(costs.bytes.written),
        w("The token's own keys and values, in all layers")},
       {"macs", w("Multiply-adds"), costs.macs.once(), short_count(to_double(costs.macs.once())),
        w("For this token, with a cache")},
       {"fewer", w("Times fewer than without"), saved, significant(saved, 4),
        w("Multiply-adds without a cache over those with it")},
       {"loss", w("Loss"), scene.model.exact->loss[t],
        w.format("{:.3f} nats", scene.model.exact->loss[t]),
        w("-log of the probability of the actual next token")}});
}

}  // namespace

Page tokens_page(const Scene& scene) {
  Page page;
  page.figures = {step_figure(scene), work_figure(scene), tokens_next_figure(scene),
                  growth_figure(scene)};
  page.readouts = tokens_readouts(scene);
  page.formula = scene.p.explained == Explained::weight
                     ? "\\softmax\\left(\\frac{\\Q{q_{t}} "
                       "\\K{K_{0..t}}^{⊤}}{\\sqrt{d_{k}}}\\right) \\V{V_{0..t}}"
                     : "2 \\cdot L \\cdot h_{k} \\cdot d_{k} \\cdot n \\cdot \\text{bits} / 8";
  page.explanation = explain_tokens(scene);
  page.status = story_status(scene);
  return page;
}

}  // namespace lab::cache
