// The residual stream: what it would say after each layer, and what each part adds to a logit.
#include "app/labs/gpt_inside/page.h"

namespace lab::gpt_inside {
namespace {

constexpr Index kLensLine = 24;   // tokens in a line
constexpr Index kMostParts = 64;  // bars

std::string place_name(const StreamPoint& place, const Words& w) {
  switch (place.kind) {
    case StreamPoint::Kind::placed: return w("embedding");
    case StreamPoint::Kind::attention: return w.format("{}: attention", place.layer + 1);
    case StreamPoint::Kind::feed_forward: return w.format("{}: FFN", place.layer + 1);
    case StreamPoint::Kind::layer: return w.format("layer {}", place.layer + 1);
  }
  return {};
}

figure::Boxes::Box lens_box(const Scene& scene, std::size_t place, Index token) {
  const auto& [p, model, w] = scene;
  const LensView& lens = *model.lens;
  const LensView::Cell& cell = lens.cells[place][to_size(token - lens.first)];
  const std::int32_t best = cell.best, next = model.text->sequence.next[to_size(token)];
  const bool likeliest = p.lens == LensShows::likeliest;
  const std::int32_t shown = likeliest ? best : model.wanted;
  const double chance = likeliest ? cell.chance : cell.of_wanted;
  figure::Boxes::Box box;
  box.text = scene.name(best);
  box.fill = Color(best == next ? Role::good : Role::key, to_float(0.05 + 0.75 * chance));
  box.marked = token == model.token;
  box.pick = sets("token", token);
  box.tooltip =
      w.format("token {}, {}: likeliest \"{}\", probability of \"{}\" {:.3f}", token,
               place_name(lens.points[place], w), scene.name(best), scene.name(shown), chance);
  return box;
}

// Tokens [line kLensLine, ...), a column each, and the places in the order in which they come.
Plot lens_plot(const Scene& scene, Index line) {
  const auto& [p, model, w] = scene;
  const LensView& lens = *model.lens;
  // A few tokens get wide columns.
  const Index columns = model.opened ? lens.tokens : kLensLine;
  const Index first = lens.first + line * kLensLine;
  const Index end = std::min(lens.first + lens.tokens, first + kLensLine);
  auto rows = std::make_shared<std::vector<std::string>>();
  const Labels all = scene.text_labels();
  figure::Boxes boxes;
  for (std::size_t k = 0; k < lens.points.size(); ++k) {
    rows->push_back(place_name(lens.points[k], w));
    for (Index t = first; t < end; ++t) {
      figure::Boxes::Box box = lens_box(scene, k, t);
      box.fill_cell(to_double(t - first), to_double(k), 0.02, 0.04);
      boxes.boxes.push_back(std::move(box));
    }
  }
  Plot plot{.id = fmt::format("lens_{}", line + 1)};
  plot.x = cell_axis(line == 0 ? w("token read") : "", columns);
  auto cols = std::make_shared<std::vector<std::string>>(all->begin() + first, all->begin() + end);
  cols->resize(to_size(columns));
  plot.x.labels = std::move(cols);
  if (model.token >= first && model.token < end) {
    plot.x.marked = to_int(model.token - first);
  }
  plot.y = cell_axis("", to_index(rows->size()), {.labels = rows});
  plot.add(std::move(boxes));
  return plot;
}

}  // namespace

std::string part_name(const StreamPart& part, const Words& w) {
  switch (part.kind) {
    case StreamPart::Kind::token: return w("token");
    case StreamPart::Kind::position: return w("position");
    case StreamPart::Kind::head: return head_name({part.layer, part.head});
    case StreamPart::Kind::attention_bias: return w.format("{}: b_O", part.layer + 1);
    case StreamPart::Kind::feed_forward: return w.format("{}: FFN", part.layer + 1);
    case StreamPart::Kind::feed_forward_bias: return w.format("{}: b_2", part.layer + 1);
  }
  return {};
}

Figure lens_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto places = to_index(model.lens->points.size());
  const Index lines = core::ceil_div(model.lens->tokens, kLensLine);
  Figure figure = new_figure("lens",
                             model.opened ? w("The logit lens: the prediction after each layer")
                                          : w("The logit lens: the prediction after each part"),
                             {.height = 60 + to_float(lines * (60 + 30 * places)), .columns = 1});
  for (Index line = 0; line < lines; ++line) figure.plots.push_back(lens_plot(scene, line));
  figure.caption =
      p.lens == LensShows::likeliest
          ? w("In each cell the likeliest next token if no layer followed; the stronger the "
              "colour, the more probable; green where it is the actual next token. The last row is "
              "the model itself.")
          : w.format(
                "In each cell the likeliest next token if no layer followed; the stronger the "
                "colour, the more probable {} is there. The last row is the model itself.",
                scene.quoted(model.wanted));
  return figure;
}

std::optional<Shares> shares_of(const Scene& scene) {
  const Model& model = scene.model;
  if (!model.parts) return std::nullopt;
  Shares shares{.parts = model.parts, .to = {}, .of_parts = {}};
  shares.to =
      scene.reading().direction(shares.parts->residual, model.wanted, model.against.value_or(-1));
  shares.of_parts = shares.parts->vectors * shares.to.direction;
  return shares;
}

std::vector<Index> Shares::listed(int part) const {
  if (of_parts.size() <= kMostParts) return numbered(of_parts.size());
  std::vector<Index> all = largest_first(
      of_parts.size(), [this](Index k) { return std::abs(of_parts(k)); }, kMostParts);
  if (std::find(all.begin(), all.end(), picked(part)) == all.end()) all.back() = picked(part);
  std::sort(all.begin(), all.end());
  return all;
}

double Shares::rest(const std::vector<Index>& listed) const {
  double sum = of_parts.sum();
  for (const Index k : listed) sum -= of_parts(k);
  return sum;
}

Figure shares_figure(const Scene& scene, const Shares& shares) {
  const auto& [p, model, w] = scene;
  const std::vector<Index> listed = shares.listed(p.part);
  const auto marked = std::find(listed.begin(), listed.end(), shares.picked(p.part));
  Bars bars{.color = Role::value, .marked = to_int(marked - listed.begin())};
  auto names = std::make_shared<std::vector<std::string>>();
  Extent extent;
  extent.add(0);
  const auto add = [&](std::string name, double value) {
    names->push_back(std::move(name));
    bars.values.push_back(value);
    extent.add(value);
  };
  for (const Index k : listed) {
    add(part_name(shares.part(k), w), shares.of_parts(k));
    bars.picks.push_back(sets("part", k));
  }
  const auto others = shares.of_parts.size() - std::ssize(listed);
  if (others > 0) {
    add(w.format("{} others", others), shares.rest(listed));
    bars.picks.emplace_back();
  }
  add(w("constant"), shares.to.constant);
  bars.picks.emplace_back();
  const std::string what = model.against
                               ? w.format("logit of {} minus that of {}",
                                          scene.quoted(model.wanted), scene.quoted(*model.against))
                               : w.format("logit of {}", scene.quoted(model.wanted));
  Plot plot{.id = "shares"};
  plot.x = cell_axis(w("part of the residual stream"), to_index(names->size()), {.labels = names});
  plot.y = fitted_axis(w("adds to the logit"), extent, 0.15);
  plot.add(std::move(bars));
  Figure figure = new_figure("shares", w.format("What adds up to the {}", what), {.height = 360});
  figure.footer = {
      {fmt::format("Σ = {}", fixed(shares.sum(), 5)), Role::text, TextStyle::mono_bold},
      {w("through the last norm with its mean and scale held fixed"), Role::dim, TextStyle::small}};
  figure.caption = w.format(
      "At token {}: what each head, layer and bias adds to the {}. The constant is the norm's "
      "shift through the output layer, plus the output bias.",
      model.token, what);
  figure.pointer_caption = w("Click a bar to decompose it.");
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::gpt_inside
