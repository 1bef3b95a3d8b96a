// What one scheme alone has: a row of its table, a bucket, a head, a row sum.
#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

// How many pairs of the sequence, masked ones left out, read the chosen row.
void write_readers(const Scene& scene, Index row, Derivation& lines) {
  const Index n = scene.model.n();
  const bool causal = scene.model.pairs->causal;
  Index count = 0;
  for (Index r = 1 - n; r < (causal ? 1 : n); ++r) {
    if (scene.scheme().row_of(r) == row) count += n - std::abs(r);
  }
  lines.say(
      scene.w.format("{} of the {} pairs shown read it", count, causal ? n * (n + 1) / 2 : n * n));
}

VectorD query_of(const Scene& scene) {
  return scene.model.content->Q.row(scene.model.query).transpose();
}

std::string own_shaw(const Scene& scene, Index row, Derivation& lines) {
  const auto& w = scene.w;
  const Index k = scene.p.clip, r = row - k;
  lines.begin("j - i", fmt::format("{} - {} = {}", row, k, r));
  if (std::abs(r) == k) {
    lines.say(r < 0   ? w.format("and every distance below {}", -k)
              : r > 0 ? w.format("and every distance above {}", k)
                      : w("every distance: with k = 0 there is one row only"));
  }
  write_readers(scene, row, lines);
  write_product(fmt::format("q·a^K_{}", r),
                {"q", "a", query_of(scene), scene.scheme().keys->row(row).transpose()}, lines);
  return w.format("Row {} of the tables", row);
}

std::string own_deberta(const Scene& scene, Index row, Derivation& lines) {
  const auto& w = scene.w;
  const Scheme& scheme = scene.scheme();
  const Index k = scene.p.span;
  lines.begin("j - i", fmt::format("{} - {} = {}", k, row, k - row));
  if (row == 0) lines.say(w.format("and every j - i above {}", k));
  if (row == 2 * k - 1) lines.say(w.format("and every j - i below {}", 1 - k));
  write_readers(scene, row, lines);
  write_product(fmt::format("q·k_{}", row),
                {"q", "k_δ", query_of(scene), scheme.keys->row(row).transpose()}, lines);
  write_product(fmt::format("k·q_{}", row),
                {"q_δ", "k", scheme.queries->row(row).transpose(),
                 scene.model.content->K.row(scene.model.key).transpose()},
                lines);
  return w.format("Row δ = {} of the tables", row);
}

// One entry of R.
std::string own_sinusoid(const Scene& scene, Index column, Derivation& lines) {
  const Sinusoids& s = *scene.scheme().sinusoids;
  const Index half = s.width / 2, f = column % half, t = -scene.p.distance;
  const double theta = std::pow(scene.p.base, -2 * to_double(f) / to_double(s.width));
  const double value = s.rows(VectorD::Constant(1, -to_double(t)))(0, column);
  const char* name = column < half ? "sin" : "cos";
  lines.begin("t", fmt::format("-(j - i) = {}", t));
  lines.begin("θ", fmt::format("{:g}^(-2·{}/{})", scene.p.base, f, s.width));
  lines.is("", equated(theta, significant(theta)));
  lines.begin("R", fmt::format("{}(t θ)", name));
  lines.about(fmt::format("{}({})", name, fixed(to_double(t) * theta, 5)));
  lines.about_result(fixed(value, 4));
  lines.say(scene.w.format("one turn in {:.4g} tokens", kTurn / theta));
  return scene.w.format("Column {} of R at distance j - i = {}", column, -t);
}

std::string own_bucket(const Scene& scene, Index bucket, Derivation& lines) {
  const auto& w = scene.w;
  const auto& first = scene.scheme().buckets->first_distances();
  const auto side = static_cast<Index>(first.size());
  const bool ahead = bucket >= side, last = bucket % side + 1 == side;
  const std::size_t at = to_size(bucket % side);
  const Index from = first[at], to = last ? from + 1 : first[at + 1];
  if (last) {
    lines.is("t", fmt::format("≥ {}", from));
  } else if (to <= from) {
    lines.say(w("no whole distance falls into it"));
  } else if (ahead && from == 0 && to == 1) {
    lines.say(w("distance 0 counts as before: no pair is ever in it"));
  } else {
    lines.begin("t", fmt::format("{} … {}", from, to - 1));
  }
  lines.say(ahead ? w("keys ahead of the query") : w("keys before the query, and itself"));
  write_readers(scene, bucket, lines);
  const double bias = scene.scheme().scalars(bucket);
  lines.line(fmt::format("b[{}]", bucket), {accented(equated(bias, fixed(bias, 4)))});
  return w.format("Bucket {}", bucket);
}

std::string own_head(const Scene& scene, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const double slope = scene.scheme().slope, drop = std::log(1 / p.epsilon);
  const Index reach = reach_of(slope, p.epsilon);
  write_slope(scene, lines);
  lines.say(
      w("The penalty m t is ln(1/ε) at the distance t where an equal key has ε times the weight of "
        "one at the query's place:"));
  lines.begin("t", fmt::format("ln(1/{:g}) / m", p.epsilon));
  lines.about(fmt::format("{} / {}", fixed(drop, 5), significant(slope)));
  lines.about_result(significant(drop / slope));
  lines.say(w.format(
      "With all contents equal and an endless past, the keys up to distance {} hold at least {:g} "
      "of the weight: 1 - e^(-m (r + 1)) ≈ {:.6f}",
      reach, 1 - p.epsilon, 1 - std::exp(-slope * to_double(reach + 1))));
  return w.format("The reach of head {}", p.head);
}

// Σ w c of the query: its largest parts, and the rest.
std::string own_row_sum(const Scene& scene, Derivation& lines) {
  constexpr std::size_t kMost = 16;
  const Row& row = scene.model.row;
  const std::size_t seen = to_size(scene.model.pairs->seen(scene.model.query));
  std::vector<std::size_t> keys(seen);
  std::iota(keys.begin(), keys.end(), std::size_t{0});
  if (seen > kMost) {
    std::partial_sort(keys.begin(), keys.begin() + kMost, keys.end(),
                      [&](std::size_t a, std::size_t b) { return row.after[a] > row.after[b]; });
    keys.resize(kMost);
    std::sort(keys.begin(), keys.end());
  }
  const double sum = std::accumulate(row.after.begin(), row.after.end(), 0.0);
  double rest = sum;
  std::vector<Derivation::Term> terms;
  for (const std::size_t j : keys) {
    const Index r = static_cast<Index>(j) - scene.model.query;
    rest -= row.after[j];
    terms.push_back(
        {fixed(row.after[j], 5), fmt::format("≈ {} × {}  c[{:+}]", fixed(row.weights[j], 5),
                                             bracketed(fixed(scene.scheme().after_at(r), 4)), r)});
  }
  if (keys.size() < seen) {
    terms.push_back({fixed(rest, 5), scene.w.format("… {} more keys", seen - keys.size())});
  }
  lines.about_picked("Σ w c", fixed(sum, 4)).terms(terms);
  lines.say(scene.w("The weights w alone sum to 1"));
  return scene.w.format("What row {} sums to", scene.model.query);
}

std::string write_own(const Scene& scene, Derivation& lines) {
  const Index entry = std::clamp(scene.p.entry, 0, std::max(1, scene.p.entry_count()) - 1);
  switch (scene.p.scheme) {
    case SchemeName::shaw: return own_shaw(scene, entry, lines);
    case SchemeName::transformer_xl:
    case SchemeName::xlnet: return own_sinusoid(scene, entry, lines);
    case SchemeName::t5: return own_bucket(scene, entry, lines);
    case SchemeName::deberta: return own_deberta(scene, entry, lines);
    case SchemeName::urpe: return own_row_sum(scene, lines);
    case SchemeName::alibi: break;
  }
  return own_head(scene, lines);
}

}  // namespace

Explanation explain_own(const Scene& scene) {
  Derivation lines(scene.w);
  std::string title = write_own(scene, lines);
  return {std::move(title), lines.take()};
}

}  // namespace lab::relative
