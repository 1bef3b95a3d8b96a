// The plane: the score's field with query and keys on it, values and outputs, and all scoring
// functions side by side.
#include "app/labs/scoring/page.h"
#include "core/attention/scoring.h"
#include "core/attention/softmax.h"
#include "core/enum_array.h"

namespace lab::scoring {
namespace {

// The chosen scoring function, among all.
std::size_t chosen(const Scene& scene) { return to_size(scene.p.scoring); }
const Answer& answer(const Scene& scene) { return scene.model.plane->answers[chosen(scene)]; }
std::string score_name(const Scene& scene, std::size_t k) { return scene.w(kScorings[k].label); }
std::string key_name(Index key) { return fmt::format("k{}", key); }

// --- query, keys and values

Plot plane_plot(std::string id, std::string title) {
  const Axis axis{.lo = -kEdge, .hi = kEdge};
  return {.id = std::move(id),
          .title = std::move(title),
          .x = axis,
          .y = axis,
          .square = true,
          .upright = true};
}

// The point of a key or a value, which can be dragged where it is a point of that list.
Handle point_handle(const Scene& scene, const MatrixD& points, Index j, Role role, bool dragged,
                    const char* list, const char* letter) {
  return {.x = points(j, 0),
          .y = points(j, 1),
          .also = sets("key", j),
          .color = role,
          .radius = j == scene.p.key ? 8.0f : 6.0f,
          .label = fmt::format("{}{}", letter, j),
          .points_param = dragged ? list : "",
          .point = dragged ? to_size(j) : 0};
}

Plot field_plot(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Matrix& field = m.plane->fields->scores[chosen(scene)];
  Plot plot = plane_plot("field", w.format("score of {} by position of q", key_name(p.key)));
  plot.points_param = "keys";
  plot.add(lab::heatmap(field, signed_scale(field.size() > 0 ? field.cwiseAbs().maxCoeff() : 0)));
  for (Index j = 0; j < m.plane->keys.rows(); ++j) {
    plot.add(point_handle(scene, m.plane->keys, j, Role::key, true, "keys", "k"));
  }
  plot.add(Handle{.x = p.q_x,
                  .y = p.q_y,
                  .x_param = "q_x",
                  .y_param = "q_y",
                  .color = Role::query,
                  .radius = 8,
                  .label = "q"});
  return plot;
}

// The outputs of all scoring functions, the chosen one first: it has its name where there is room
// for one only.
void add_outputs(const Scene& scene, Plot& plot) {
  if (answer(scene).weights.size() == 0) return;
  const auto add = [&](std::size_t k) {
    const Answer& one = scene.model.plane->answers[k];
    const bool is_chosen = k == chosen(scene);
    plot.add(Handle{.x = one.output[0],
                    .y = one.output[1],
                    .also = sets("score", kScorings[k].id, "explain", "output"),
                    .color = is_chosen ? Role::accent : Role::dim,
                    .radius = is_chosen ? 7.0f : 4.0f,
                    .label = score_name(scene, k)});
  };
  add(chosen(scene));
  for (std::size_t k = 0; k < kScorings.size(); ++k)
    if (k != chosen(scene)) add(k);
}

Plot value_plot(const Scene& scene) {
  const MatrixD& values = scene.model.plane->values;
  const Answer& here = answer(scene);
  Plot plot = plane_plot("values", scene.w("values, and the output between them"));
  if (values.rows() == 0) {
    plot.add(Note{.text = scene.w("no keys, no output"), .color = Role::dim, .align = 0});
  }
  // From the output to each value, the stronger the more it weighs.
  for (Index j = 0; j < values.rows(); ++j) {
    const auto strength = to_float(0.12 + 0.88 * here.weights(j));
    plot.add(Line{{here.output[0], values(j, 0)},
                  {here.output[1], values(j, 1)},
                  Color(Role::value, strength),
                  1 + 4 * strength});
  }
  add_outputs(scene, plot);
  // A key's own place as its value is no point of the list, and cannot be dragged.
  for (Index j = 0; j < values.rows(); ++j) {
    plot.add(point_handle(scene, values, j, Role::value, to_size(j) < scene.p.values.size(),
                          "values", "v"));
  }
  return plot;
}

Figure plane_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Answer& here = answer(scene);
  Figure figure = new_figure("plane", w("Query, keys and values"), {.height = 420, .columns = 2});
  figure.note = score_name(scene, chosen(scene));
  figure.caption = w.format(
      "Left: the {} score of key {} for every position of the query, with the query (blue) and the "
      "keys (red). Right: the values (green) and the output, their mean weighted by softmax; small "
      "points: the outputs of the other scoring functions.",
      score_name(scene, chosen(scene)), p.key);
  if (here.weights.size() > 0) {
    figure.footer = {
        {w.format("score of {}: {}", key_name(p.key), score_text(here.scores(p.key))), Role::key,
         TextStyle::label},
        {w.format("weight: {}", weight_text(here.weights(p.key))), Role::accent, TextStyle::label},
        {w.format("output ({:.3f}, {:.3f})", here.output[0], here.output[1]), Role::value,
         TextStyle::label}};
  }
  return with(std::move(figure), field_plot(scene), value_plot(scene));
}

// --- all scoring functions

Figure compare_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("compare", w("Five scoring functions, the same query and keys"),
                             {.height = 330, .columns = kScorings.size()});
  figure.note = w("above: scores, below: weights");
  figure.caption =
      w("Scores of every key, and their softmax weights, by dot product, dot product divided by "
        "√2, additive, bilinear and Gaussian score.");
  double largest = 1e-3;
  for (const Answer& one : m.plane->answers) {
    for (const double score : one.scores) largest = std::max(largest, std::abs(score));
  }
  const auto bars = [&scene, &figure](std::size_t k, const char* id, std::string title,
                                      const VectorD& values, Role role, const char* explained) {
    auto picks = each(values.size(), [&](Index j) {
      return sets("score", kScorings[k].id, "key", j, "explain", explained);
    });
    figure.plots.push_back(bar_plot({.id = fmt::format("{}_{}", id, kScorings[k].id),
                                     .title = std::move(title),
                                     .values = values,
                                     .color = role,
                                     .picks = std::move(picks),
                                     .marked = scene.p.key,
                                     .top = kWeightTop,
                                     .x = cell_axis("", values.size())}));
    figure.plots.back().selected = k == chosen(scene);
  };
  for (std::size_t k = 0; k < kScorings.size(); ++k) {
    bars(k, "scores", score_name(scene, k), m.plane->answers[k].scores, Role::key, "score");
    figure.plots.back().y.lo = -1.2 * largest;
    figure.plots.back().y.hi = 1.2 * largest;
  }
  for (std::size_t k = 0; k < kScorings.size(); ++k) {
    bars(k, "weights", "", m.plane->answers[k].weights, Role::value, "weight");
  }
  return figure;
}

Figure fields_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("fields", w.format("Where the query gives its weight to {}", key_name(p.key)),
                 {.height = 210, .columns = kScorings.size()});
  figure.caption = w.format(
      "The weight of key {} for every position of the query in the plane, by scoring function.",
      p.key);
  for (std::size_t k = 0; k < kScorings.size(); ++k) {
    Plot plot = plane_plot(fmt::format("field_{}", kScorings[k].id), score_name(scene, k));
    plot.thumbnail = true;
    plot.selected = k == chosen(scene);
    plot.click = sets("score", kScorings[k].id, "explain", "weight");
    Heatmap map = lab::heatmap(m.plane->fields->weights[k], {});
    map.color_bar = false;
    plot.add(std::move(map));
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

std::vector<Readout> plane_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Answer& here = answer(scene);
  if (here.weights.size() == 0) return {};
  const double score = here.scores(p.key), weight = here.weights(p.key);
  const double entropy = core::entropy(here.weights);
  return {{"score", w("Picked score"), score, score_text(score),
           w("For the picked key, by the chosen scoring function")},
          {"weight", w("Picked weight"), weight, weight_text(weight),
           w("Softmax of the scores of all keys")},
          {"output_x", w("Output x"), here.output[0], fixed(here.output[0]),
           w("The weighted mean of the values")},
          {"output_y", w("Output y"), here.output[1], fixed(here.output[1]),
           w("The weighted mean of the values")},
          {"entropy", w("Entropy"), entropy, w.format("{:.4f} nats", entropy),
           w("0 when one key takes all, ln of their number when all weights are equal")}};
}

// --- why a score, a weight and an output are what they are: down to the entries of the vectors

std::vector<double> entries(const VectorD& v) { return {v.begin(), v.end()}; }

// a·b entry by entry.
void write_dot(std::string name, const VectorD& a, const VectorD& b, Derivation& d) {
  d.line(std::move(name), {plain("= Σ "), {"q", Role::query}, {"k", Role::key}});
  d.products({.left = entries(a), .right = entries(b), .digits = 0});
}

// Entry c of a row times a 2 by 2 matrix.
double write_entry(const std::string& name, const VectorD& row, const std::array<double, 4>& W,
                   Index c, Derivation& d) {
  const double w0 = W[to_size(c)], w1 = W[to_size(c + 2)], entry = row(0) * w0 + row(1) * w1;
  d.is(fmt::format("({}){}", name, c + 1),
       fmt::format("≈ {}·{} + {}·{} ≈ {}", bracketed(number(row(0))), bracketed(number(w0)),
                   bracketed(number(row(1))), bracketed(number(w1)), fixed(entry, 6)));
  return entry;
}

void write_additive(const ScoreNumbers& p, const VectorD& q, const VectorD& k, Derivation& d) {
  std::vector<Derivation::Term> terms;
  d.begin("a(q, k)", "w_v · tanh(q W_q + k W_k)");
  for (Index c = 0; c < 2; ++c) {
    const double from_q = write_entry("q W_q", q, p.w_q, c, d);
    const double from_k = write_entry("k W_k", k, p.w_k, c, d);
    const double hidden = std::tanh(from_q + from_k), w_v = p.w_v[to_size(c)];
    d.is(fmt::format("tanh {}", c + 1),
         fmt::format("≈ tanh({}) ≈ {}", fixed(from_q + from_k, 6), fixed(hidden, 6)));
    terms.push_back({fixed(w_v * hidden, 4),
                     fmt::format("{} · {}", bracketed(number(w_v)), bracketed(fixed(hidden, 6)))});
  }
  d.terms(terms);
}

void write_bilinear(const ScoreNumbers& p, const VectorD& q, const VectorD& k, Derivation& d) {
  d.begin("a(q, k)", "(q W) · k");
  const double x = write_entry("q W", q, p.bilinear, 0, d);
  const double y = write_entry("q W", q, p.bilinear, 1, d);
  write_dot("(q W)·k", VectorD{{x, y}}, k, d);
}

void write_gaussian(const ScoreNumbers& p, const VectorD& q, const VectorD& k, Derivation& d) {
  const auto terms = each(2, [&](Index c) {
    return Derivation::Term{fixed((q(c) - k(c)) * (q(c) - k(c)), 6),
                            fmt::format("({} - {})²", number(q(c)), bracketed(number(k(c))))};
  });
  const std::string distance = fixed((q - k).squaredNorm(), 6);
  d.begin("a(q, k)", "-(w |q - k|)² / 2").is("|q - k|²", "≈ " + distance).terms(terms);
  d.about(fmt::format("-{}² · {} / 2", number(p.inverse_width), distance));
}

void write_score(const Scene& scene, Derivation& d) {
  const auto& p = scene.p;
  const VectorD q = scene.model.plane->query.row(0), k = scene.model.plane->keys.row(p.key);
  switch (p.scoring) {
    case Scoring::dot: write_dot("a(q, k)", q, k, d); break;
    case Scoring::scaled:
      d.begin("a(q, k)", "q·k / √d,  d = 2");
      write_dot("q·k", q, k, d);
      d.about(q.dot(k), 4).is("÷ √2", fmt::format("≈ {} / 1.41421", fixed(q.dot(k), 4)));
      break;
    case Scoring::additive: write_additive(p, q, k, d); break;
    case Scoring::bilinear: write_bilinear(p, q, k, d); break;
    case Scoring::gaussian: write_gaussian(p, q, k, d); break;
  }
  d.about_result(answer(scene).scores(p.key), 4);
}

void write_output(const Scene& scene, Derivation& d) {
  const Answer& here = answer(scene);
  const MatrixD& values = scene.model.plane->values;
  d.begin("o", "Σ p_j v_j");
  for (Index c = 0; c < 2; ++c) {
    const auto terms = each(values.rows(), [&](Index j) {
      return Derivation::Term{fixed(here.weights(j) * values(j, c), 4),
                              fmt::format("{} · {}  v{}", significant(here.weights(j)),
                                          bracketed(number(values(j, c))), j)};
    });
    d.about(c == 0 ? "o_x" : "o_y", here.output[to_size(c)], 4);
    d.terms(terms, to_size(scene.p.key));
  }
  d.about_result(fmt::format("({:.4f}, {:.4f})", here.output[0], here.output[1]));
  d.say(
      scene.w("Weights are positive and add up to 1: the output never leaves the polygon that the "
              "values span."));
}

Explanation explain_plane(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Derivation d(w);
  if (m.plane->keys.rows() == 0) {
    d.say(w("There is no key: click in the plane to add one."));
    return {w("No key"), d.take()};
  }
  const std::string name = score_name(scene, chosen(scene));
  if (p.explained == Explained::output) {
    write_output(scene, d);
    return {w.format("The output: {}", name), d.take()};
  }
  write_score(scene, d);
  if (p.explained == Explained::score) {
    return {w.format("The {} score of key {}", name, p.key), d.take()};
  }
  d.heading(w("Softmax over all keys"));
  d.softmax(fmt::format("p{}", p.key), written_row(answer(scene).scores, p.key));
  return {w.format("The weight of key {}: {}", p.key, name), d.take()};
}

}  // namespace

Page plane_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  constexpr core::EnumArray<Scoring> kScoringFormulas{
      {"a(\\Q{q}, \\K{k}) = \\Q{q} \\cdot \\K{k}",
       "a(\\Q{q}, \\K{k}) = \\frac{\\Q{q} \\cdot \\K{k}}{\\sqrt{d}}",
       "a(\\Q{q}, \\K{k}) = w_{v} \\cdot \\tanh\\left(\\Q{q} W_{q} + \\K{k} W_{k}\\right)",
       "a(\\Q{q}, \\K{k}) = \\Q{q} W \\K{k}^{⊤}",
       "a(\\Q{q}, \\K{k}) = -\\frac{\\left(w |\\Q{q} - \\K{k}|\\right)^2}{2}"}};
  Page page;
  page.made_up = w("vectors and matrices set by hand: nothing was learned");
  page.figures = {plane_figure(scene), compare_figure(scene), fields_figure(scene)};
  page.readouts = plane_readouts(scene);
  page.formula = kScoringFormulas[chosen(scene)];
  page.explanation = explain_plane(scene);
  if (p.keys.empty()) {
    page.note(w("There is no key: the output is 0. Click in the plane to add one."));
  }
  if (p.values.size() > p.keys.size()) {
    page.note(w.format("Values without a key are not used: {}.", p.values.size() - p.keys.size()));
  }
  page.status = w.format("keys {} · d = 2 · {}", p.keys.size(), score_name(scene, chosen(scene)));
  return page;
}

}  // namespace lab::scoring
