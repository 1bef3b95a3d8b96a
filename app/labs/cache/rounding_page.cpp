// What becomes of logits and of the next token when the cache, or the weights, are rounded.
#include "app/labs/cache/page.h"
#include "app/labs/shared/drawing/table_numbers.h"

namespace lab::cache {
namespace {

std::string rounded_name(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const std::string format = format_name(p.format);
  switch (p.rounded) {
    case Rounded::cache: return w.format("cache in {}", format);
    case Rounded::weights: return w.format("weights in {}", format);
    case Rounded::both: break;
  }
  return w.format("cache and weights in {}", format);
}

Figure rounding_next_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("next", w("What comes next, exact and rounded"), {.height = 260, .columns = 2});
  figure.caption =
      w.format("The likeliest next tokens after token {} in float32, and the same tokens with {}.",
               scene.token(), rounded_name(scene));
  return compared_next(scene, std::move(figure), w("float32"), rounded_name(scene));
}

Plot apart_plot(const Scene& scene, const std::string& id, std::string label,
                const std::vector<double>& values) {
  Plot plot{.id = id, .x_param = "token"};
  plot.x = token_axis(scene, scene.w("token read"));
  plot.y.label = std::move(label);
  const double top = largest_size(values);
  plot.y.lo = 0, plot.y.hi = top > 0 && std::isfinite(top) ? 1.1 * top : 1;
  plot.add(token_line(values, Color::of_head(kWindowColor)));
  plot.add(token_rule(scene));
  return plot;
}

Figure apart_figure(const Scene& scene, const Apart& off) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("apart", w("How far from exact, along the text"), {.height = 280, .columns = 2});
  figure.note = rounded_name(scene);
  figure.caption =
      w("Token by token: the largest difference in a logit, and the Kullback-Leibler divergence "
        "between the exact and the rounded distribution of the next token.");
  return with(std::move(figure), apart_plot(scene, "logit", w("largest |Δ logit|"), off.logit),
              apart_plot(scene, "divergence", w("divergence (nats)"), off.divergence));
}

Figure formats_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("formats", w("Formats side by side"), {.height = 270});
  figure.caption = w.format(
      "The same text with numbers rounded to each format: what a token adds to the cache, the mean "
      "divergence, how many likeliest next tokens change, and the loss. {}",
      counted(scene));
  figure::Table table;
  table.columns = {{w("format"), 1.3F, -1},
                   {w("bytes per token"), 1, 1},
                   {w("mean divergence"), 1, 1},
                   {w("changed next tokens"), 1, 1},
                   {w("loss"), 1, 1}};
  const auto& formats = listed_formats();
  for (std::size_t k = 0; k < formats.size(); ++k) {
    const Reading& reading = *m.listed[k];
    const Apart off = apart(*m.exact, reading);
    const bool finite = reading.finite;
    table.rows.push_back({named_cell(std::string(formats[k].name)),
                          cell(grouped(reading.bytes.front())),
                          cell(finite ? significant(off.mean_divergence, 3) : "NaN"),
                          cell(fmt::format("{} / {}", off.changed, scene.n())),
                          cell(finite ? fixed(reading.mean_loss, 4) : "NaN")});
    add_numbers(table, {{"cache of a token (bytes)", to_double(reading.bytes.front())},
                        {"mean divergence (nats)", off.mean_divergence},
                        {"other next tokens", to_double(off.changed)},
                        {"next tokens", to_double(scene.n())},
                        {"loss (nats)", reading.mean_loss}});
    table.picks.push_back(sets("format", formats[k].id));
    if (formats[k].choice == p.format.choice) table.marked = to_int(k);
  }
  return with_table(std::move(figure), std::move(table));
}

std::vector<Readout> rounding_readouts(const Scene& scene, const Apart& off) {
  const auto& [p, m, w] = scene;
  const auto t = to_size(scene.token());
  return finite({{"logit", w("Largest |Δ logit|"), off.logit[t], significant(off.logit[t], 3),
                  w("After the picked token")},
                 {"divergence", w("Divergence"), off.divergence[t],
                  significant(off.divergence[t], 3) + " nats",
                  w("Σ p log(p / q) after the picked token, p exact and q rounded")},
                 {"changed", w("Changed next tokens"), off.changed,
                  w.format("{} of {}", off.changed, scene.n()),
                  w("After how many tokens the likeliest next one changes")},
                 {"loss", w("Loss"), m.other->mean_loss,
                  w.format("{:.4f} nats", m.other->mean_loss), counted(scene)},
                 {"loss_exact", w("Loss in float32"), m.exact->mean_loss,
                  w.format("{:.4f} nats", m.exact->mean_loss), counted(scene)},
                 {"bytes", w("Per token"), m.other->bytes.front(),
                  exact_bytes(m.other->bytes.front()), w("What each token adds to the cache")}});
}

// The likeliest token's probability both ways.
Explanation explain_rounding(const Scene& scene) {
  const Model& m = scene.model;
  const Words& w = scene.w;
  const Index t = scene.token(), best = likeliest(*m.exact, t);
  const std::string name = scene.story().token(static_cast<std::int32_t>(best));
  Derivation d(w);
  d.say(w("The likeliest next token of the exact model, with and without rounding."));
  const auto write = [&](const std::string& title, const Reading& reading) {
    d.heading(title);
    if (!reading.logits.row(t).allFinite()) {
      d.say(w("A logit is not finite: the format has no room for a key or a value."));
      return;
    }
    SoftmaxRow row;
    row.picked = to_size(best);
    row.score = "z";
    row.name = [&scene](std::size_t j) {
      return scene.story().token(static_cast<std::int32_t>(j));
    };
    for (Index j = 0; j < reading.logits.cols(); ++j) {
      row.scores.push_back(to_double(reading.logits(t, j)));
    }
    d.softmax("p", row);
  };
  write(w("float32"), *m.exact);
  write(rounded_name(scene), *m.other);
  return {w.format("The probability of {} after token {}", name, t), d.take()};
}

}  // namespace

Page rounding_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Apart off = apart(*m.exact, *m.other);
  Page page;
  page.figures = {rounding_next_figure(scene), apart_figure(scene, off), formats_figure(scene)};
  page.readouts = rounding_readouts(scene, off);
  page.formula = "\\sum_{v} p_{v} \\log \\frac{p_{v}}{q_{v}}";
  page.explanation = explain_rounding(scene);
  if (!m.other->finite) {
    page.note(
        w("Some logits are not finite: keys or values exceed the largest number of the format."));
  }
  page.status = story_status(scene);
  return page;
}

}  // namespace lab::cache
