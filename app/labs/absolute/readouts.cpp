// Computed numbers, notes, and what is commonly said.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/absolute/page.h"
#include "core/position/frequency.h"

namespace lab::absolute {
namespace {

using Readouts = std::vector<Readout>;

void add(Readouts& list, std::string id, std::string_view label, double value, std::string text,
         std::string_view help) {
  list.push_back({std::move(id), std::string(label), value, std::move(text), std::string(help)});
}

void frequency_readouts(const Scene& scene, Readouts& list) {
  const auto& w = scene.w;
  if (scene.table().theta.size() == 0) return;
  const VectorD waves = core::wavelengths(scene.table().theta);
  add(list, "shortest_wave", w("Shortest wavelength"), waves.minCoeff(),
      w.format("{} positions", short_number(waves.minCoeff())),
      w("2π for the first pair of dimensions, whatever the base"));
  add(list, "longest_wave", w("Longest wavelength"), waves.maxCoeff(),
      w.format("{} positions", short_number(waves.maxCoeff())),
      w("2π base^((d-2)/d) under the paper's rule: a little less than base · 2π"));
  const auto n = static_cast<double>(
      scene.p.grid() ? std::max(scene.p.grid_width, scene.p.grid_height) : scene.table().n);
  const auto turning = static_cast<double>((waves.array() <= n).count());
  add(list, "waves_turning", w("Waves that complete a turn"), turning,
      w.format("{} of {}", turning, waves.size()),
      w("Pairs of dimensions whose wavelength fits into the length; the others never come back to "
        "where they began"));
}

void scheme_readouts(const Scene& scene, Readouts& list) {
  const auto& w = scene.w;
  const Table& table = scene.table();
  if (table.learned) {
    const std::vector<double>& loss = table.learned->fit.loss;
    add(list, "loss_first", w("Loss before training"), loss.front(), short_number(loss.front()),
        w("Mean square of p_i · p_j / d minus what is wanted, over the trained positions"));
    add(list, "loss_last", w("Loss after training"), loss.back(), short_number(loss.back()),
        w("The same after all steps of gradient descent"));
    const auto without = static_cast<double>(std::max(0, scene.p.length - scene.p.rows));
    add(list, "without_row", w("Positions without a row"), without, fmt::format("{}", without),
        w("Positions of the length that the table has no row for"));
  }
  if (table.flow) {
    add(list, "course_error", w("Largest error of the course"), table.flow->largest_error,
        short_number(table.flow->largest_error),
        w("Against an integration with at least 32 steps of RK4 for each position"));
    if (scene.p.course == Course::sinusoidal) {
      const MatrixD exact = core::sinusoidal_table(table.n, table.d, {.base = scene.p.base});
      const double off = (table.P - exact).cwiseAbs().maxCoeff();
      add(list, "sinusoidal_error", w("Off the sinusoidal table"), off, short_number(off),
          w("The largest difference from sines and cosines computed directly"));
    }
  }
  if (table.turned) {
    const MatrixD exact = core::sinusoidal_table(table.n, table.d, {.base = scene.p.base});
    const double off = (table.P - exact).cwiseAbs().maxCoeff();
    add(list, "sinusoidal_error", w("Off the sinusoidal table"), off, short_number(off),
        w("The largest difference from the sinusoidal table: 0 up to rounding when amplitudes are "
          "1, phases 0 and the frequencies those of the base"));
  }
}

void decay_readouts(const Scene& scene, const Decay& decay, Readouts& list) {
  const auto& w = scene.w;
  const auto rise = static_cast<double>(decay.facts.first_rise.value_or(0));
  add(list, "first_rise", w("First rises at distance"), rise,
      decay.facts.first_rise ? fmt::format("{}", rise) : w("never"),
      w("The first distance at which the product is larger than one step before; 0 when there is "
        "none"));
  add(list, "rebound", w("Largest rebound"), decay.facts.largest_rebound,
      short_number(decay.facts.largest_rebound),
      w("How far the product climbs again after a lower value"));
  const auto lag = std::min<Index>(scene.p.lag, decay.mean.size() - 1);
  add(list, "product_at", w("Product at distance t"), decay.mean(lag),
      w.format("{:.3f} at {}", decay.mean(lag), lag), w("The picked point of the curve"));
}

void collision_readouts(const Scene& scene, const Collisions& c, Readouts& list) {
  const auto& w = scene.w;
  if (c.records.empty()) return;
  add(list, "separation", w("Nearest two positions"), c.records.back().distance,
      w.format("{} at distance {}", short_number(c.records.back().distance), c.records.back().lag),
      w("The smallest distance between two encodings of this length, and how far apart these two "
        "positions are"));
  const auto told = static_cast<double>(c.first ? c.first->lag : scene.table().filled);
  add(list, "told_apart", w("Positions told apart"), told,
      c.first ? fmt::format("{}", told) : w("all"),
      w("So many in a row of which no two are closer than the threshold"));
}

void pair_readouts(const Scene& scene, Readouts& list) {
  const auto& w = scene.w;
  const Pairs& pairs = *scene.model.pairs;
  const double scale = score_scale(pairs);
  const auto size = [&](const MatrixD& term) {
    return scale * std::sqrt(term.squaredNorm() / static_cast<double>(term.size()));
  };
  const core::AbsoluteTerms& t = pairs.terms;
  add(list, "size_xx", w("Size of x·x"), size(t.content_content),
      short_number(size(t.content_content)),
      w("Root mean square over all pairs, scaled: how much words alone decide"));
  add(list, "size_cross", w("Size of x·p and p·x"), size(t.content_position + t.position_content),
      short_number(size(t.content_position + t.position_content)),
      w("The mixed terms together; exactly 0 when token and position are concatenated and nothing "
        "projects them into each other"));
  add(list, "size_pp", w("Size of p·p"), size(t.position_position),
      short_number(size(t.position_position)),
      w("The term that knows positions only; of unprojected sinusoids it depends on distance "
        "alone"));
  if (!scene.model.order) return;
  const Order& order = *scene.model.order;
  add(list, "weight_change", w("Change of the weights"), order.weight_change,
      short_number(order.weight_change),
      w("The largest difference after the moved rows and columns are put back: 0 up to rounding "
        "means equivariance"));
  add(list, "output_change", w("Change of the outputs"), order.output_change,
      short_number(order.output_change), w("The same of the outputs: f(ΠX) against Πf(X)"));
  const double moved = (order.after - order.before).cwiseAbs().maxCoeff();
  add(list, "not_invariant", w("Change where nothing is put back"), moved, short_number(moved),
      w("The weights do change place: attention is equivariant, not invariant"));
  add(list, "pooled_change", w("Change of the mean output"), order.pooled_change,
      short_number(order.pooled_change),
      w("The mean over positions does not care about order without positions: that is invariant"));
}

}  // namespace

std::vector<Readout> readouts(const Scene& scene) {
  Readouts list;
  const auto& w = scene.w;
  if (scene.has_row()) {
    const double value = scene.table().row(scene.model.position)(scene.p.column);
    add(list, "cell", w("The picked cell"), value, fmt::format("{:.6f}", value),
        w("The number of the picked position in the picked dimension"));
  }
  frequency_readouts(scene, list);
  scheme_readouts(scene, list);
  if (scene.model.shift) {
    add(list, "shift_error", w("M PE(p) is PE(p+k) within"), scene.model.shift->error,
        short_number(scene.model.shift->error),
        w("The largest difference over the positions that are kept; rounding leaves about 1e-13"));
  }
  if (scene.model.decay) decay_readouts(scene, *scene.model.decay, list);
  if (scene.model.collisions) collision_readouts(scene, *scene.model.collisions, list);
  if (scene.model.pairs) pair_readouts(scene, list);
  return list;
}

void add_notes(const Scene& scene, Page& page) {
  const auto& w = scene.w;
  const Parameters& p = scene.p;
  const Table& table = scene.table();
  if (table.filled < table.n) {
    page.notes.push_back(
        w.format("Positions {} to {} have no row in the table.", table.filled, table.n - 1));
  }
  if (table.turned && table.turned->cycled) {
    page.notes.emplace_back(w("The words begin again where the text ends."));
  }
  if (p.scheme == Scheme::floater && p.course == Course::network) {
    page.notes.emplace_back(w("The weights of h are drawn, not trained."));
  }
  if (scene.model.shift && scene.model.shift->fit) {
    const core::FittedShift& fit = *scene.model.shift->fit;
    if (std::abs(p.offset) >= table.filled) {
      page.notes.push_back(w.format(
          "No two rows are {} apart: the map shown is that of the farthest there are.", p.offset));
    }
    if (fit.exact) {
      page.notes.push_back(
          w.format("Only {} pairs of rows for {} dimensions: some linear map always fits so few.",
                   fit.pairs, p.width));
    }
  }
  if ((p.show == Show::scores || p.show == Show::order)) {
    if (!scene.model.pairs) {
      page.notes.emplace_back(w("There is no token yet: type some text."));
    } else if (scene.model.pairs->cut) {
      page.notes.push_back(
          w.format("The text has more tokens: its first {} are used.", scene.model.pairs->n()));
    }
  }
  if (p.show == Show::collisions && scene.model.collisions->records.empty()) {
    page.notes.emplace_back(w("One position alone cannot be mistaken for another."));
  }
}

std::vector<Card> cards(const Scene& scene) {
  const auto& w = scene.w;
  const Parameters& p = scene.p;
  std::vector<Card> list;
  const auto card = [&](std::string_view said, std::string_view truth, std::string_view source) {
    list.push_back({std::string(said), std::string(truth), std::string(source)});
  };
  if (p.show == Show::curves && p.scheme == Scheme::sinusoidal) {
    card(w("The first dimensions change slowly, the last ones fast."),
         w("The other way round: dimensions 0 and 1 turn once in 2π positions, the last pair once "
           "in almost base · 2π."),
         "Vaswani et al. 2017, section 3.5");
  }
  if (p.show == Show::shift || p.scheme == Scheme::learned) {
    card(w("Since PE(p+k) is a linear map of PE(p), sinusoidal models extrapolate to any length."),
         w("The encoding is defined at any position, and the map holds everywhere; models trained "
           "with it still do badly beyond the length they were trained on."),
         "Press et al. 2022, arXiv:2108.12409");
  }
  if (p.show == Show::similarity) {
    card(w("The product of two encodings falls with their distance."),
         w("It falls under an envelope and oscillates: with base 10000 it first rises at distance "
           "4, 6, 12 and 44 for d = 8, 64, 128 and 512."),
         w("Preset: the product oscillates"));
  }
  if (p.show == Show::collisions) {
    card(w("Dimensions 0 and 1 alone already tell all positions apart."),
         w("One frequency nearly repeats: 44 positions on the distance is 0.0177, 710 on 6.0e-5. "
           "All frequencies together are needed."),
         w("Preset: one frequency nearly repeats"));
  }
  if (p.show == Show::scores) {
    card(w("Word and position embeddings are concatenated."),
         w("In the Transformer, BERT and GPT they are added. That is one linear map of "
           "concatenated one-hots: concatenation with the two projections tied."),
         "Vaswani et al. 2017, section 3.5");
  }
  if (p.show == Show::order) {
    card(w("Self-attention is permutation invariant."),
         w("It is equivariant: permuted inputs give the same outputs, permuted. Only what is "
           "pooled over all positions is invariant."),
         w("Preset: moving words without positions"));
  }
  if (p.scheme == Scheme::floater) {
    card(w("FLOATER's sinusoidal case has h = w⁻¹ cos(wτ)."),
         w("The derivative of sin(wτ) is w cos(wτ). With 1/w dimension j is off by w⁻², up to a "
           "hundred million at base 10000."),
         w("Preset: a misprinted factor"));
  }
  if (p.grid()) {
    card(w("The 2-D encoding is [height, width] with exponents 2i/d."),
         w("Texts write so; the widely copied function puts the width first and runs each half as "
           "an encoding of width d/2. Both knobs are here."),
         w("Knobs: axis order, exponent"));
  }
  return list;
}

}  // namespace lab::absolute
