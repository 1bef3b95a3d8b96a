#include "app/labs/softmax/page.h"

#include <fmt/format.h>

#include <cmath>

namespace lab::softmax {
namespace {

using figure::Figure;

std::vector<Figure> figures(const Scene& scene) {
  switch (scene.p.view) {
    case View::jacobian:
      return {row_figure(scene), jacobian_figure(scene), column_figure(scene)};
    case View::loss:
      return {row_figure(scene), gradient_figure(scene), slope_figure(scene), step_figure(scene)};
    case View::lengths:
      return {batch_figure(scene), batch_row_figure(scene)};
    case View::masks:
      return {steps_figure(scene), steps_row_figure(scene)};
    case View::fills:
      return {hidden_figure(scene), ways_figure(scene), leak_figure(scene), formats_figure(scene)};
    case View::weights:
      break;
  }
  return {row_figure(scene), forms_figure(scene), pair_figure(scene), melting_figure(scene),
          entropy_figure(scene)};
}

std::string formula(const Parameters& p) {
  switch (p.view) {
    case View::jacobian:
      return "\\frac{\\partial p_{i}}{\\partial x_{j}} = \\frac{p_{i}\\left(\\delta_{ij} - "
             "p_{j}\\right)}{T}";
    case View::loss:
      return "\\frac{\\partial L}{\\partial x_{j}} = \\frac{p_{j} - \\delta_{jy}}{T}";
    case View::lengths:
      return "\\accent{p_{ij}} = \\frac{\\exp(s_{ij})}{\\sum_{l < L_{i}} \\exp(s_{il})} \\quad j < "
             "L_{i}";
    case View::masks:
      return "\\softmax\\left(\\text{fill}(\\Q{Q}\\K{K}^{⊤})\\right)";
    case View::fills:
      return "\\softmax\\left(\\text{fill}(x)\\right)";
    case View::weights:
      break;
  }
  return "p_{i} = \\frac{\\exp(x_{i} / T)}{\\sum_{j} \\exp(x_{j} / T)}";
}

void note_row(const Scene& scene, Page& page) {
  const auto& [p, m, w] = scene;
  if (p.view != View::weights) return;
  if (m.row.naive.array().isNaN().any()) {
    page.notes.emplace_back(
        w("Written as exp(x) / Σ exp(x), float32 overflows or underflows here: the quotient is "
          "NaN. With the largest logit subtracted the weights are what they always were."));
  }
  const auto ties = (m.row.x.array() == m.row.max).count();
  if (ties > 1) {
    page.notes.push_back(w.format(
        "{} logits are largest: however low the temperature, softmax shares the weight among them.",
        ties));
  }
}

void note_batch(const Scene& scene, Page& page) {
  const auto& [p, m, w] = scene;
  Index empty = 0;
  for (const Sequence& one : m.batch) {
    for (Index i = 0; i < one.mask.rows(); ++i) empty += one.mask.range(i).size() == 0;
  }
  if (empty == 0) return;
  page.notes.push_back(
      p.fill == Fill::minus_infinity
          ? w.format(
                "{} rows have no key. With a fill of -∞ they are ∞ - ∞ = NaN; left out they are 0.",
                empty)
          : w.format("{} rows have no key. With a finite fill they become uniform, 1/{} for each "
                     "padding key; left out they are 0.",
                     empty, p.keys));
}

void note_steps(const Scene& scene, Page& page) {
  const auto& [p, m, w] = scene;
  if (p.multiplies_scores() && p.valid < p.tokens) {
    page.notes.push_back(
        w.format("The query mask multiplies the scores: the rows of {} padding queries become 0 "
                 "everywhere, and softmax makes them 1/{}.",
                 p.tokens - p.valid, p.tokens));
  }
  if (m.steps->weights.array().isNaN().any()) {
    page.notes.emplace_back(w("Some weights are NaN: a row of nothing but -∞, or 0 times -∞."));
  }
}

void note_fills(const Scene& scene, Page& page) {
  const auto& [p, m, w] = scene;
  if (p.visible == 0) {
    page.notes.push_back(
        w.format("Every key is hidden: no softmax is right. This program says 0, libraries NaN; a "
                 "finite fill says 1/{} for each.",
                 p.count));
  }
  if (p.arithmetic == Arithmetic::float16) {
    page.notes.emplace_back(
        w("float16 ends at 65504: both fills are stored as -∞, and so is any lower logit."));
  } else if (p.arithmetic == Arithmetic::float32) {
    page.notes.emplace_back(w("float32 has no -4294967295: the fill is stored as -4294967296."));
  }
}

std::string status(const Scene& scene) {
  const auto& [p, m, w] = scene;
  switch (p.view) {
    case View::lengths:
      return w.format("{} sequences · {} queries · {} keys · seed {}", kSequences, p.queries,
                      p.keys, p.seed);
    case View::masks:
      return w.format("{} tokens, {} real · seed {}", p.tokens, p.valid, p.seed);
    case View::fills:
      return w.format("{} keys, {} visible · {}", p.count, p.visible, scene.arithmetic_name());
    default:
      return w.format("{} logits · T = {:.4g}", p.count, p.temperature);
  }
}

}  // namespace

std::vector<Card> cards(const words::Words& w) {
  return {{w("Padding beyond the valid length is masked and set to 0."),
           w("It is set to -10⁶ before softmax. Its weight is then 0 as long as some key is real "
             "and the logits lie well above -10⁶; a wholly masked row becomes uniform."),
           w("Preset: a row with nothing to see")},
          {w("Padding with -2³²+1 makes the weight 0."),
           w("It is a number: a wholly masked row becomes uniform. float32 stores it as -2³², "
             "float16 as -∞."),
           w("Preset: below the fill")},
          {w("The query mask multiplies the scores before softmax, which makes the attention 0."),
           w("A row of zeros becomes the uniform row 1/n, and hidden keys come back. Multiply the "
             "weights after softmax, or the output."),
           w("Preset: a query mask in the wrong place")},
          {w("Large inputs saturate softmax, small ones flatten it."),
           w("Only differences count: adding 1000 to every logit changes nothing. Large "
             "differences saturate it."),
           w("Preset: only differences count")},
          {w("The derivative of the attention weight is p - 1."),
           w("p_y - 1 is the derivative of the cross-entropy loss by the true class's logit; by "
             "another class's it is p_j. A weight's own derivative is p_i ([i = j] - p_j)."),
           w("Preset: p minus one-hot")},
          {w("Hardmax divides each score by the sum of all."),
           w("That is plain normalisation. Hardmax gives the largest score all the weight, and is "
             "the limit of softmax as T falls to 0; its derivative is 0 almost everywhere."),
           w("Preset: towards hardmax")}};
}

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = figures(scene);
  page.readouts = readouts(scene);
  page.formula = formula(p);
  page.explanation = explain(scene);
  page.cards = cards(context.words);
  if (p.is_row()) note_row(scene, page);
  if (p.view == View::lengths) note_batch(scene, page);
  if (p.view == View::masks) note_steps(scene, page);
  if (p.view == View::fills) note_fills(scene, page);
  page.status = status(scene);
  return page;
}

}  // namespace lab::softmax
