#include "app/labs/rotary/page.h"
#include "app/labs/shared/text/text.h"

#include "core/position/curve.h"

namespace lab::rotary {
namespace {

std::vector<Readout> score_readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double still = core::score_at(model.scores, 0);
  return {{"score", w("Score at this distance"), model.score,
           w.format("{:.4f} at {}", model.score, model.distance),
           w("q·k after both are rotated, as a sum over the pairs; not divided by √d")},
          {"unturned", w("Without position"), still, fmt::format("{:.4f}", still),
           w("q·k unrotated, the score at distance 0")},
          {"deviation", w("Moved together: deviation"), model.moved.deviation,
           fmt::format("{:.1e}", model.moved.deviation),
           w("The largest change of the score, computed from the rotated vectors in double, when "
             "both move together to positions up to 1,000,000")},
          {"float_deviation", w("The same in float"), model.moved.float_deviation,
           fmt::format("{:.1e}", model.moved.float_deviation),
           w("With sines, cosines and vectors in 32 bits, as in common programs")},
          {"other_pairing", w("With the other pairing"), model.other_pairing,
           fmt::format("{:.4f}", model.other_pairing),
           w("The score of the same q and k with the other pairing: a checkpoint read with the "
             "wrong pairing is a different model")}};
}

std::vector<Readout> frequency_readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double slowest = kTurn / model.theta(model.theta.size() - 1);
  const auto farthest = to_double(model.size_of_distance());
  const double turns = farthest / slowest;
  return {
      {"wavelength", w("Slowest turn"), slowest, w.format("{:.6g} positions", slowest),
       w("Positions per turn of the slowest pair: 2π / θ of the last pair")},
      {"slow_turns", w("Slowest pair, at this distance"), turns, w.format("{:.4g} turns", turns),
       w("How far the slowest pair has turned between key and query")},
      {"turning", w("Columns that turn"), 2 * model.theta.size(),
       w.format("{} of {}", 2 * model.theta.size(), p.d),
       w("The others add the same to the score at every distance")}};
}

std::vector<Readout> decay_readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD& bound = model.decay->bound;
  // A bound that is constant, as that of one pair, is not known to its last bits.
  const core::CurveFacts facts = core::curve_facts((bound.array() * 1e10).round());
  const Index last = bound.size() - 1;
  const Index t = std::min(model.size_of_distance(), last);
  const double value = bound(t) * model.decay->factor;
  const double mean = model.decay->mean(last) / std::max(model.decay->mean(0), 1e-300);
  // Far ahead of the query the factors leave every range.
  const double stretched = core::score_at(model.xpos, -to_double(model.distance));
  const bool finite = std::isfinite(stretched);
  const double xpos = finite ? stretched : std::numeric_limits<double>::max();
  return {
      {"bound", w("Bound"), value, w.format("{:.3f} at {}", value, t),
       w("The right side of RoFormer's inequality for this q and k: |score| is never larger. Only "
         "columns that turn count")},
      {"first_rise", w("The bound first rises at"),
       facts.first_rise ? to_double(*facts.first_rise) : 0,
       facts.first_rise ? fmt::format("{}", *facts.first_rise) : w.format("nowhere up to {}", last),
       w("It falls on average, not at every step")},
      {"random_share", w("Random q and k, far against near"), mean,
       fmt::format("{:.0f} %", 100 * mean),
       w.format("Root mean square of the random pairs' scores at distance {} against distance 0. "
                "Independent vectors do not decay: it scatters around 100 %, less as more pairs "
                "are drawn",
                last)},
      {"xpos", w("xPos score"), xpos,
       finite ? fmt::format("{:.4f}", xpos) : w("too large for a number"),
       w("The same q and k, each pair shrunk with distance too; stretched where the key comes "
         "after the query")}};
}

std::vector<Readout> text_readouts(const Scene& scene) {
  const auto& w = scene.w;
  const TextModel& text = *scene.model.text;
  if (text.n() == 0) return {};
  Index row = 0, col = 0;
  const MatrixD difference = text.rotated.weights - text.none.weights;
  difference.cwiseAbs().maxCoeff(&row, &col);
  return {{"largest_change", w("Largest change"), difference(row, col),
           w.format("{:+.3f} at query {}, key {}", difference(row, col), row, col),
           w("In the text's attention, when positions are added")}};
}

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  if (model.places > p.reach) {
    page.note(w.format(
        "A position lies beyond the range shown: the line reaches to {}. Zoom in to drag finely.",
        model.places));
  }
  if (model.distances > p.reach) {
    page.note(w.format("The distance {} lies beyond the range shown: the curves reach to {}.",
                       model.size_of_distance(), model.distances));
  }
  if (model.curve->stretch > 1) {
    page.note(
        w.format("The score curve has {} distances: each of its points shows the true lowest and "
                 "highest of {} of them.",
                 2 * model.distances + 1, model.curve->stretch));
  }
  if (2 * model.theta.size() < p.d) {
    page.note(
        w.format("{} of {} columns turn. The bound holds for their part of the score; the others "
                 "add {:.3f} at every distance.",
                 2 * model.theta.size(), p.d, model.scores.still));
  }
  if (model.no_text) {
    page.note(w("There is no token yet: q and k are random until some text is typed."));
  }
  if (model.text->cut) {
    page.note(w.format("The text has more tokens: its first {} are used.", model.text->n()));
  }
}

// That of what is explained.
std::string formula_of(Explained explained, Variant variant) {
  switch (explained) {
    case Explained::xpos:
      return "\\Q{q}_{m}·\\K{k}_{n} = \\sum_{i} ζ_{i}^{(m - n)/B} |\\Q{q}_{i}||\\K{k}_{i}| "
             "\\cos(φ_{i} + (n - m)θ_{i})";
    case Explained::weight:
      return variant == Variant::xpos
                 ? "w_{mn} = \\softmax_{n}\\left(\\frac{(ζ^{m/B} R_{m} \\Q{q_{m}})·(ζ^{-n/B} R_{n} "
                   "\\K{k_{n}})}{\\sqrt{d}}\\right)"
                 : "w_{mn} = \\softmax_{n}\\left(\\frac{(R_{m} \\Q{q_{m}})·(R_{n} "
                   "\\K{k_{n}})}{\\sqrt{d}}\\right)";
    case Explained::bound: return "|s| \\le \\max_{i} |h_{i+1} - h_{i}| \\sum_{j} |S_{j}|";
    case Explained::dial:
    case Explained::score: break;
  }
  return "\\Q{q}_{m}·\\K{k}_{n} = \\sum_{i} |\\Q{q}_{i}||\\K{k}_{i}| \\cos(φ_{i} + (n - m)θ_{i})";
}

}  // namespace

std::string Scene::token(Index at) const {
  const auto& labels = *model.text->labels;
  const auto k = to_size(at);
  return k < labels.size() ? w.format("\"{}\" ({})", labels[k], at) : fmt::format("{}", at);
}

Assignments Scene::at_distance(Index distance, std::string_view explained) const {
  // The key stays where it is if the query can go there; else the query stays; else both move.
  Index m = p.n - distance, n = p.n;
  if (m < 0 || m > kLastPosition) m = p.m, n = p.m + distance;
  if (n < 0 || n > kLastPosition) m = std::max<Index>(0, -distance), n = m + distance;
  return sets("m", m, "n", n, "explain", explained);
}

Page compute(const Parameters& given, const Context& context) {
  const Parameters p = settled(given);
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = {places_figure(scene), dials_figure(scene), plane_figure(scene),
                  score_figure(scene),  moved_figure(scene), terms_figure(scene),
                  every_figure(scene),  decay_figure(scene), xpos_figure(scene),
                  columns_figure(scene)};
  if (model.text->n() > 0) page.figures.push_back(text_figure(scene));
  for (const auto& more : {score_readouts(scene), frequency_readouts(scene), decay_readouts(scene),
                           text_readouts(scene)}) {
    page.readouts.insert(page.readouts.end(), more.begin(), more.end());
  }
  page.formula = formula_of(explained(scene), p.text_variant);
  page.explanation = explain(scene);
  page.made_up =
      p.vectors == Vectors::text
          ? scene.w("untrained: only equal words and positions give structure")
          : scene.w("random query and key: the rotation is real, the vectors come from no model");
  page.cards = cards("rotary", context.words);
  add_notes(scene, page);
  page.status = context.words.format("m = {} · n = {} · d {} · base {} · seed {}", p.m, p.n, p.d,
                                     significant(p.base), p.seed);
  return page;
}

}  // namespace lab::rotary
