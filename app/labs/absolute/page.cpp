#include "app/labs/absolute/page.h"
#include "app/labs/shared/readouts.h"
#include "app/labs/shared/text/text.h"

#include "core/enum_array.h"
#include "core/position/learned/taylor.h"

namespace lab::absolute {
namespace {

std::vector<Figure> figures(const Scene& scene) {
  constexpr core::EnumArray<Show, std::vector<Figure> (*)(const Scene&)> kQuestion{
      {curve_figures, shift_figures, similarity_figures, collision_figures, score_figures,
       order_figures}};
  std::vector<Figure> all = table_figures(scene);
  for (Figure& figure : kQuestion[scene.p.show](scene)) {
    all.push_back(std::move(figure));
  }
  return all;
}

std::string scheme_words(const Scene& scene) {
  switch (scene.p.variant) {
    case Variant::grid:
      return scene.w.format("{} × {} places", scene.p.grid_height, scene.p.grid_width);
    case Variant::learned: return scene.w.format("learned, rows {}", scene.p.rows);
    case Variant::floater: return scene.w("FLOATER");
    case Variant::complex: return scene.w("complex order");
    case Variant::sinusoidal: break;
  }
  return scene.w.format("sinusoidal, base {}", scene.p.base);
}

std::string table_formula(const Parameters& p) {
  const bool x_first = p.axis_order == core::AxisOrder::width_first;
  switch (p.variant) {
    case Variant::grid: return x_first ? "PE(y,x) = [s(x), s(y)]" : "PE(y,x) = [s(y), s(x)]";
    case Variant::learned: return "PE(p) = W_{p}";
    case Variant::floater: return "p(t) = p(s) + ∫_{s}^{t} h(τ, p(τ)) dτ";
    case Variant::complex: return "f_{j}(p) = r_{j} e^{i(ω_{j} p + φ_{j})}";
    case Variant::sinusoidal: break;
  }
  if (p.rule == core::FrequencyRule::tensor2tensor) return "θ_{i} = b^{-i/(d/2-1)}";
  return "PE(p, 2i) = \\sin\\left(\\frac{p}{b^{2i/d}}\\right)";
}

constexpr double kFits = 1e-9;  // what holds misses it by rounding

std::string formula(const Parameters& p, const Model& model) {
  switch (p.show) {
    case Show::shift: return model.shift->fit ? "p_{i+k} ≈ M p_{i}" : "PE(p + k) = M_{k} PE(p)";
    case Show::similarity:
      return p.variant == Variant::sinusoidal ? "PE(p)\\cdot PE(q) = Σ_{i} \\cos((q-p)θ_{i})"
                                              : "PE(p)\\cdot PE(q) = Σ_{c} PE(p)_{c} PE(q)_{c}";
    case Show::collisions:
      if (!model.table->sinusoidal && !p.grid()) return "\\min_{i} |p_{i+t} - p_{i}|";
      return "|PE(p+t) - PE(p)| = 2\\sqrt{Σ_{i} \\sin^{2}(\\frac{tθ_{i}}{2})}";
    case Show::scores:
      return p.combine == Joining::added ? "\\Q{(x_{i}+p_{i})W_{q}}\\cdot\\K{(x_{j}+p_{j})W_{k}}"
                                         : "\\Q{[x_{i};p_{i}]W_{q}}\\cdot\\K{[x_{j};p_{j}]W_{k}}";
    case Show::order:
      return model.order && model.order->output_change > kFits ? "f(ΠX) ≠ Π f(X)"
                                                               : "f(ΠX) = Π f(X)";
    case Show::curves: break;
  }
  return table_formula(p);
}

void frequency_readouts(const Scene& scene, ReadoutList& list) {
  const auto& [p, model, w] = scene;
  if (model.table->theta.size() == 0) return;
  const VectorD waves = core::wavelengths(model.table->theta);
  const double least = waves.minCoeff(), most = waves.maxCoeff();
  list.add("shortest_wave", w("Shortest wavelength"), least,
           w.format("{} positions", short_number(least)),
           w("2π for the first pair of dimensions, whatever the base"));
  list.add("longest_wave", w("Longest wavelength"), most,
           w.format("{} positions", short_number(most)),
           w("2π/θ of the slowest pair: 2π base^((d-2)/d) under the paper's rule, never more than "
             "base · 2π"));
  const double n = to_double(p.grid() ? std::max(p.grid_width, p.grid_height) : model.table->n);
  const double complete = to_double((waves.array() <= n).count());
  list.add("waves_turning", w("Waves that complete a turn"), complete,
           w.format("{} of {}", complete, waves.size()),
           w("Pairs of dimensions whose wavelength fits into the length; the others never come "
             "back to where they began"));
}

// The largest difference from the sinusoidal table of the same size.
double off_sinusoidal(const Scene& scene) {
  const Table& table = scene.table();
  const MatrixD exact = core::sinusoidal_table(table.n, table.d, {.base = scene.p.base});
  return (table.P - exact).cwiseAbs().maxCoeff();
}

void scheme_readouts(const Scene& scene, ReadoutList& list) {
  const auto& [p, model, w] = scene;
  const Table& table = *model.table;
  if (table.learned) {
    const std::vector<double>& loss = table.learned->fit.loss;
    list.add("loss_first", w("Loss before training"), loss.front(),
             w("Mean square of p_i · p_j / d minus its target, over the trained positions"));
    list.add("loss_last", w("Loss after training"), loss.back(),
             w("The same after all steps of gradient descent"));
    const int without = std::max(0, p.length - p.rows);
    list.add("without_row", w("Positions without a row"), without, fmt::format("{}", without),
             w("Positions of the length that the table has no row for"));
  }
  if (table.flow) {
    list.add("course_error", w("Largest error of the course"), table.flow->largest_error,
             w("Against an integration with at least 32 steps of RK4 for each position"));
  }
  if (table.words || (table.flow && p.course == Course::sinusoidal)) {
    list.add("sinusoidal_error", w("Off the sinusoidal table"), off_sinusoidal(scene),
             table.flow
                 ? w("The largest difference from sines and cosines computed directly")
                 : w("The largest difference from the sinusoidal table: 0 up to rounding when "
                     "amplitudes are 1, phases 0 and the frequencies those of the base"));
  }
}

void distance_readouts(const Scene& scene, ReadoutList& list) {
  const auto& [p, model, w] = scene;
  if (model.decay) {
    const core::ProductDecay& decay = *model.decay;
    const Index rise = decay.facts.first_rise.value_or(0);
    list.add("first_rise", w("First rises at distance"), to_double(rise),
             rise > 0 ? fmt::format("{}", rise) : w("never"),
             w("The first distance at which the product is larger than one step before; 0 when "
               "there is none"));
    list.add("rebound", w("Largest rebound"), decay.facts.largest_rebound,
             w("How far the product climbs again after a lower value"));
    const Index lag = std::min<Index>(p.lag, decay.mean.size() - 1);
    list.add("product_at", w("Product at distance t"), decay.mean(lag),
             w.format("{:.3f} at {}", decay.mean(lag), lag), w("The picked point of the curve"));
  }
  if (model.collisions && !model.collisions->records.empty()) {
    const Collisions& c = *model.collisions;
    const auto& [lag, distance] = c.records.back();
    list.add("separation", w("Nearest two positions"), distance,
             w.format("{} at distance {}", short_number(distance), lag),
             w("The smallest distance between two encodings of this length, and how far apart "
               "these two positions are"));
    const Index apart = c.first ? c.first->lag : model.table->filled;
    list.add("told_apart", w("Positions told apart"), to_double(apart),
             c.first ? fmt::format("{}", apart) : w("all"),
             w("So many in a row of which no two are closer than the threshold"));
  }
}

void pair_readouts(const Scene& scene, ReadoutList& list) {
  const auto& w = scene.w;
  const Pairs& pairs = *scene.model.pairs;
  const core::AbsoluteTerms& t = pairs.terms;
  const auto size = [&](const MatrixD& term) {
    return pairs.scale() * std::sqrt(term.squaredNorm() / to_double(term.size()));
  };
  list.add("size_xx", w("Size of x·x"), size(t.content_content),
           w("Root mean square over all pairs, scaled: how much words alone decide"));
  list.add("size_cross", w("Size of x·p and p·x"), size(t.content_position + t.position_content),
           w("The mixed terms together; exactly 0 when token and position are concatenated and "
             "nothing projects them into each other"));
  list.add("size_pp", w("Size of p·p"), size(t.position_position),
           w("The term that knows positions only; of unprojected sinusoids it depends on distance "
             "alone"));
  if (!scene.model.order) return;
  const core::MovedTokens& order = *scene.model.order;
  list.add("weight_change", w("Change of the weights"), order.weight_change,
           w("The largest difference after the moved rows and columns are put back: 0 up to "
             "rounding means equivariance"));
  list.add("output_change", w("Change of the outputs"), order.output_change,
           w("The same of the outputs: f(ΠX) against Πf(X)"));
  list.add("not_invariant", w("Change where nothing is put back"),
           (order.after - order.before).cwiseAbs().maxCoeff(),
           w("The weights do move: attention is equivariant, not invariant"));
  list.add("pooled_change", w("Change of the mean output"), order.pooled_change,
           w("The mean over positions does not care about order without positions: that is "
             "invariant"));
}

// e^s of the picked pair as a function of two tokens, each moved by a small part of its position.
void expansion_readouts(const Scene& scene, ReadoutList& list) {
  const auto& [p, model, w] = scene;
  constexpr double kPart = 0.01;
  const auto at = [&m = model](Term which) {
    return m.pairs->scale() * m.pairs->term(which)(m.query, m.key);
  };
  const double px = at(Term::position_content), xp = at(Term::content_position),
               pp = at(Term::position_position);
  const core::PairExpansion e = core::expand_exponential(px, xp, pp, kPart);
  const double exact = core::exact_exponential(px, xp, pp, kPart);
  list.add(
      "expansion", w("e^s to second order, off by"), std::abs(e.second_order() - exact) / exact,
      w("e^s of the picked pair with a hundredth of both positions added, against f + p_m f_m + "
        "p_n f_n + p_m f_mm p_m / 2 + p_n f_nn p_n / 2 + p_m f_mn p_n; relative. A tenth of "
        "that part leaves a thousandth of the error"));
  list.add("expansion_unhalved", w("The same without the halves"),
           std::abs(e.without_halves() - exact) / exact,
           w("With p_m f_mm p_m and p_n f_nn p_n as they are: wrong from the second order on, so a "
             "tenth of the part leaves a hundredth of the error"));
}

std::string made_up(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (p.show == Show::scores || p.show == Show::order) {
    return w("untrained: words and projections are made up, only the positions are real");
  }
  if (p.variant == Variant::complex) {
    return w("untrained: each word's amplitudes, frequencies and phases are drawn at random");
  }
  const bool network = p.variant == Variant::floater && p.course == Course::network;
  return network ? w("untrained: the network's weights are drawn at random") : std::string();
}

std::vector<Card> filled_cards(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD& theta = model.table->theta;
  std::vector<Card> all = cards("absolute", w, p, describe);
  fill(all, "slow_first", w, short_number(theta.size() > 0 ? kTurn / theta.minCoeff() : 0));
  fill(all, "doubles", w, scene.table_numbers());
  return all;
}

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  ReadoutList list;
  if (scene.has_row()) {
    list.add("cell", w("The picked cell"), scene.cell(), fmt::format("{:.6f}", scene.cell()),
             w("The number of the picked position in the picked dimension"));
  }
  const Index filled = model.table->filled, width = model.table->d;
  list.add("numbers", w("Numbers of the table"), scene.table_numbers(),
           w.format("{} × {} = {}", filled, width, filled * width),
           w("Positions times dimensions; learned positions in more layers take a table each"));
  frequency_readouts(scene, list);
  scheme_readouts(scene, list);
  if (model.shift) {
    list.add(
        "shift_error", w("M PE(p) is PE(p+k) within"), model.shift->error,
        w("The largest difference over the positions that are kept. Where the map is exact, "
          "rounding is left: below 1e-12 at offsets up to a thousand, below 1e-9 up to a million"));
  }
  distance_readouts(scene, list);
  if (model.pairs) pair_readouts(scene, list);
  if (model.pairs && p.show == Show::scores) expansion_readouts(scene, list);
  return std::move(list.list);
}

std::vector<std::string> notes(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Table& table = *model.table;
  std::vector<std::string> all;
  const auto note = [&](bool holds, std::string text) {
    if (holds) all.push_back(std::move(text));
  };
  note(table.filled < table.n,
       w.format("Positions {} to {} have no row in the table.", table.filled, table.n - 1));
  note(table.words && table.words->again, w("The words begin again where the text ends."));
  note(p.variant == Variant::floater && p.course == Course::network,
       w("The weights of h are drawn, not trained."));
  if (model.shift && model.shift->fit) {
    const core::FittedShift& fit = *model.shift->fit;
    note(std::abs(p.offset) >= table.filled,
         w.format("No two rows are {} apart: the map shown is that of the farthest there are.",
                  std::abs(p.offset)));
    note(fit.exact && fit.rms < kFits,
         w.format("Pairs of rows: only {}, for {} dimensions. A linear map fits so few.", fit.pairs,
                  p.width));
  }
  if (p.show == Show::scores || p.show == Show::order) {
    note(!model.pairs, w("There is no token yet: type some text."));
    note(model.pairs && model.pairs->cut,
         w.format("The text has more tokens: its first {} are used.",
                  model.pairs ? model.pairs->n() : 0));
  }
  note(p.show == Show::collisions && model.collisions->records.empty(),
       w("One position alone cannot be mistaken for another."));
  return all;
}

}  // namespace

Explain Scene::explained() const {
  const bool shown[] = {true,
                        model.shift != nullptr,
                        p.show == Show::similarity,
                        model.decay || (model.collisions && !model.collisions->records.empty()),
                        p.show == Show::scores && model.pairs,
                        model.order.has_value()};
  return shown[to_size(p.explain)] ? p.explain : Explain::cell;
}

bool Scene::has_target() const {
  const Index x = p.grid_x + p.offset;
  return p.grid() ? x >= 0 && x < p.grid_width : table().has(target());
}

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  return {.figures = figures(scene),
          .readouts = readouts(scene),
          .formula = formula(p, model),
          .explanation = explain(scene),
          .cards = filled_cards(scene),
          .notes = notes(scene),
          .status =
              scene.w.format("n = {} · d = {} · {}", model.table->n, p.width, scheme_words(scene)),
          .made_up = made_up(scene)};
}

}  // namespace lab::absolute
