// The score and the weight of the pinned pair, down to their inputs.
#include "app/labs/relative/page.h"
#include "core/enum_array.h"
#include "core/position/relative/deberta.h"

namespace lab::relative {
namespace {

std::string cell(const Scene& scene, const char* letter) {
  return fmt::format("{}[{},{}]", letter, scene.model.query, scene.model.key);
}

// The terms as they are added: divided one by one, or together at the end.
void write_terms(const Scene& scene, bool together, Derivation& lines) {
  const auto& terms = scene.scores().terms;
  const double factor = together ? terms[0].factor : 1;
  std::vector<Derivation::Term> written;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const bool divided = !together && terms[t].factor != 1;
    written.push_back({fixed(scene.model.row.terms[t][to_size(scene.model.key)] / factor, 5),
                       term_symbol(scene, terms[t].id) + (divided ? divisor_text(scene) : "")});
  }
  lines.terms(written, terms.size() > 1 ? scene.term() : std::string::npos);
  if (together) {
    const std::string sum = fixed(scene.score() / factor, 4);
    lines.about(sum).is("s", fmt::format("≈ {} / {}", sum, root_text(scene)));
  }
  lines.about_result(scene.score(), 4);
}

// What the chosen term is; `divided`: a term of its own, not a part of a divided sum.
void write_term(const Scene& scene, bool divided, Derivation& lines) {
  const Term& term = scene.scores().terms[scene.term()];
  const Index i = scene.model.query, j = scene.model.key;
  const std::string symbol = term_symbol(scene, term.id);
  const double value = term_value(*scene.model.content, term, i, j);
  if (const Factors factors = core::term_vectors(*scene.model.content, term, i, j);
      factors.left.size() > 0) {
    const std::string sum = write_product(symbol, factors, lines);
    if (divided && term.factor != 1) {
      lines.is(symbol + divisor_text(scene), fmt::format("≈ {} / {}", sum, root_text(scene)));
      lines.about(value, 4);
    }
  } else if (term.id == TermId::t5) {
    write_bucket(scene, j - i, lines);
  } else {
    write_slope(scene, lines);
    write_penalty(scene, symbol, scene.p.by_key() ? j : -std::abs(j - i), lines);
  }
}

Explanation masked(const Scene& scene, const char* letter, std::string value) {
  Derivation lines(scene.w);
  lines.picked(cell(scene, letter), std::move(value));
  lines.say(
      scene.w.format("key {} comes after query {}: masked", scene.model.key, scene.model.query));
  return {scene.w("A masked pair"), lines.take()};
}

Explanation explain_score(const Scene& scene) {
  if (!scene.allowed()) return masked(scene, "s", "-∞");
  const auto& [p, model, w] = scene;
  const auto& terms = scene.scores().terms;
  // Whether all terms are divided alike, so that their sum is.
  const bool together =
      terms[0].factor != 1 && std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
        return term.factor == terms[0].factor;
      });
  Derivation lines(w);
  lines.about_picked(cell(scene, "s"), scene.score(), 4);
  lines.say(w.format("query {} {}, key {} {}: {}", scene.quoted(model.query), model.query,
                     scene.quoted(model.key), model.key,
                     distance_words(scene, model.key - model.query)));
  write_terms(scene, together, lines);
  write_term(scene, !together, lines);
  return {model.pinned ? w("The pinned score") : w("The score of the strongest key"), lines.take()};
}

Explanation explain_weight(const Scene& scene) {
  if (!scene.allowed()) return masked(scene, "w", "0");
  const auto& [p, model, w] = scene;
  const core::PairRow& row = model.row;
  const std::size_t j = to_size(model.key);
  const SoftmaxRow scores{
      {row.scores.begin(), row.scores.begin() + model.pairs->seen(model.query)},
      j,
      [&](std::size_t k) { return scene.quoted(to_index(k)) + " s ≈ " + fixed(row.scores[k], 5); }};
  Derivation lines(w);
  lines.weight(cell(scene, "w"), scores);
  lines.line(w("before"), {plain(fmt::format("≈ {}  ", weight_text(row.plain[j]))),
                           dim(fmt::format("softmax(q·k / √{})", model.content->d()))});
  if (p.is(Variant::urpe)) {
    const Index r = model.key - model.query;
    lines.is("w c", fmt::format("≈ {} × {}", weight_text(row.weights[j]),
                                bracketed(fixed(scene.scores().after_at(r), 4))));
    lines.about_result(weight_text(row.after[j]));
    lines.say(w.format("c is that of distance {}; the row is not made to sum to 1 again", r));
  }
  lines.normalizer(scores);
  return {model.pinned ? w("The pinned weight") : w("The largest weight of this query"),
          lines.take()};
}

// --- what happens at one distance, with its numbers

// The sum of what the distance adds, divided as the score is.
void write_divided(const Scene& scene, double undivided, Derivation& lines) {
  const std::string root = root_text(scene);
  lines.is("/ " + root, fmt::format("≈ {} / {}", fixed(undivided, 4), root));
  lines.about_result(undivided * scene.scores().terms[0].factor, 4);
}
// The same of two parts, whose sum is called `name`.
void write_divided(const Scene& scene, const char* name, double a, double b, Derivation& lines) {
  lines.is(name, fmt::format("≈ {} + {}", fixed(a, 5), bracketed(fixed(b, 5)))).about(a + b, 4);
  write_divided(scene, a + b, lines);
}

void distance_shaw(const Scene& scene, Index r, Derivation& lines) {
  const Index k = scene.p.clip, row = core::clipped_row(r, k);
  lines.begin("clip", fmt::format("max(-{}, min({}, {})) = {}", k, k, r, row - k));
  lines.begin("row", fmt::format("{} + {} = {}", row - k, k, row));
  if (std::abs(r) > k) {
    lines.say(scene.w.format("beyond {} every distance of this side reads row {}", k, row));
  }
  write_divided(scene, write_shaw(scene, "q·a^K", row, lines), lines);
}

// A projected sinusoid as its sines and cosines weigh in, R·(W x): wave by wave; their sum.
double write_waves(const Scene& scene, const VectorD& R, const VectorD& g, Derivation& lines) {
  constexpr Index kShown = 4;
  const Index half = scene.scores().sinusoids->width / 2, shown = std::min(kShown, half);
  const auto wave = [&](Index f) { return R(f) * g(f) + R(half + f) * g(half + f); };
  double sum = 0;
  for (Index f = 0; f < shown; ++f) {
    sum += wave(f);
    lines.line("", {dim(f == 0 ? "  " : "+ "),
                    plain(fmt::format("{:.4f}·({:.4f}) + {:.4f}·({:.4f})", R(f), g(f), R(half + f),
                                      g(half + f))),
                    dim(" ≈ "), plain(fixed(wave(f), 4))});
  }
  double rest = 0;
  for (Index f = shown; f < half; ++f) rest += wave(f);
  if (shown < half) {
    lines.line("", {dim("+ "), plain(scene.w.format("… slower waves: {}", half - shown)),
                    dim(" ≈ "), plain(fixed(rest, 4))});
  }
  lines.about(sum + rest, 4);
  return sum + rest;
}

void distance_xl(const Scene& scene, Index r, Derivation& lines) {
  const Sinusoids& s = *scene.scores().sinusoids;
  const VectorD R = s.rows(VectorD::Constant(1, to_double(r))).row(0).transpose();
  const VectorD q = scene.model.content->Q.row(scene.model.query).transpose();
  lines.begin("t", fmt::format("-(j - i) = {}", -r));
  lines.begin("R", fmt::format("sin, cos({} · {:g}^(-2f/{}))", -r, scene.p.base, s.width));
  lines.line("(d)", {plain("= v·(R W) = Σ R·(W v)"), dim("  " + scene.w("sine + cosine"))});
  const double by_v = write_waves(scene, R, s.W * s.v, lines);
  lines.begin("(b)", "q·(R W) = Σ R·(W q)");
  const double by_query = write_waves(scene, R, s.W * q, lines);
  write_divided(scene, "b + d", by_query, by_v, lines);
}

void distance_deberta(const Scene& scene, Index r, Derivation& lines) {
  const Index k = scene.p.span, here = core::deberta_row(-r, k), there = core::deberta_row(r, k);
  lines.begin("δ(i,j)", fmt::format("clip(-({}) + {}, 0, {}) = {}", r, k, 2 * k - 1, here));
  lines.begin("δ(j,i)", fmt::format("clip({} + {}, 0, {}) = {}", r, k, 2 * k - 1, there));
  lines.say(
      scene.w("δ counts query minus key; the third term looks from the key, so it takes the other "
              "one"));
  const auto [to, from] = write_deberta(scene, here, there, lines);
  write_divided(scene, "Σ", to, from, lines);
}

void distance_alibi(const Scene& scene, Index r, Derivation& lines) {
  const Index place = scene.p.by_key() ? r : -std::abs(r);
  const double share = std::exp(scene.scores().slope * to_double(place));
  write_slope(scene, lines);
  write_penalty(scene, "bias", place, lines);
  lines.is("exp(bias)", equated(share, significant(share, 4)));
  lines.say(
      scene.p.by_key()
          ? scene.w("m j less m i, which is the same for all keys of a query")
          : scene.w(
                "an equal key there has this share of the weight of one at the query's position"));
}

void distance_urpe(const Scene& scene, Index r, Derivation& lines) {
  const Index reach = std::abs(r);
  ScoreKnobs level = scene.p;
  level.urpe_fall = 0;
  const double fall = std::exp(-scene.p.urpe_fall * to_double(reach));
  const double random = urpe_factors(level, reach)(reach + r);
  lines.begin("c", fmt::format("exp(-{:g} × {}) (1 + ε)", scene.p.urpe_fall, reach));
  lines.about(fmt::format("{} × (1 + {})", weight_text(fall), bracketed(fixed(random - 1, 4))));
  lines.about_result(weight_text(fall * random));
  lines.say(scene.w("the softmax weight of every pair at this distance is multiplied by it"));
}

// The side's part of a bucket where distances share one.
void write_logarithm(const Scene& scene, const core::T5BucketSpec& spec, Index t, Index exact,
                     Index side, Derivation& lines) {
  const double range = std::log(to_double(spec.max_distance) / to_double(exact));
  const double ratio = std::log(to_double(t) / to_double(exact));
  lines.next(fmt::format("{} + ⌊{} ln({}/{}) / ln({}/{})⌋", exact, side - exact, t, exact,
                         spec.max_distance, exact));
  lines.about(
      fmt::format("{} + ⌊{} × {} / {}⌋", exact, side - exact, fixed(ratio, 5), fixed(range, 5)));
  lines.about(fmt::format("{} + ⌊{}⌋", exact, fixed(ratio / range * to_double(side - exact), 4)));
  if (t >= spec.max_distance) {
    lines.say(scene.w.format("{} or more: the last of the side, {}", spec.max_distance, side - 1));
  }
}

}  // namespace

std::string root_text(const Scene& scene) {
  return fmt::format("√{}", (scene.p.is(Variant::deberta) ? 3 : 1) * scene.model.content->d());
}

std::string write_product(const std::string& name, const Factors& factors, Derivation& lines) {
  const auto color = [](const std::string& letter) {
    return letter == "q" ? Role::query : letter == "k" ? Role::key : Role::text;
  };
  const Role left = color(factors.left_name), right = color(factors.right_name);
  lines.line(name, {plain("= Σ "), {factors.left_name, left}, {factors.right_name, right}});
  lines.products({.left = {factors.left.begin(), factors.left.end()},
                  .right = {factors.right.begin(), factors.right.end()},
                  .left_color = left,
                  .right_color = right,
                  .digits = 0});
  std::string sum = fixed(factors.left.dot(factors.right), 4);
  lines.about(sum);
  return sum;
}

double write_shaw(const Scene& scene, const std::string& name, Index row, Derivation& lines) {
  const Factors factors{"q", "a", scene.model.content->Q.row(scene.model.query).transpose(),
                        scene.scores().keys->row(row).transpose()};
  write_product(name, factors, lines);
  return factors.left.dot(factors.right);
}

std::array<double, 2> write_deberta(const Scene& scene, Index to, Index from, Derivation& lines) {
  const Content& content = *scene.model.content;
  const Factors as_key{"q", "k_δ", content.Q.row(scene.model.query).transpose(),
                       scene.scores().keys->row(to).transpose()};
  const Factors as_query{"q_δ", "k", scene.scores().queries->row(from).transpose(),
                         content.K.row(scene.model.key).transpose()};
  write_product(fmt::format("q·k_{}", to), as_key, lines);
  write_product(fmt::format("k·q_{}", from), as_query, lines);
  return {as_key.left.dot(as_key.right), as_query.left.dot(as_query.right)};
}

Explanation explain(const Scene& scene) {
  constexpr core::EnumArray<Explained, Explanation (*)(const Scene&)> kExplanations{
      {explain_score, explain_weight, explain_distance, explain_own}};
  return kExplanations[scene.p.explain](scene);
}

void write_slope(const Scene& scene, Derivation& lines) {
  const Index h = scene.p.heads, head = std::clamp(scene.p.head, 1, scene.p.heads);
  const core::AlibiExponent place = core::alibi_exponent(head, h, scene.p.rule);
  if (place.of > h) {
    lines.say(scene.w.format("{} is no power of two: after {} slopes come every other one of {}", h,
                             place.of / 2, place.of));
  }
  const std::string text = significant(place.value());
  lines.begin("m", fmt::format("2^(-8·{}/{})", place.k, place.of));
  lines.is("", fmt::format("{}2^({})", equals(place.value(), text), text));
  lines.is("", equated(scene.scores().slope, significant(scene.scores().slope)));
}

void write_penalty(const Scene& scene, const std::string& name, Index place, Derivation& lines) {
  const double slope = scene.scores().slope, bias = slope * to_double(place);
  lines.is(name, fmt::format("{} × ({})", equated(slope, significant(slope)), place));
  lines.line("", {accented(equated(bias, fixed(bias, 4)))});
}

void write_bucket(const Scene& scene, Index relative, Derivation& lines) {
  const auto& w = scene.w;
  const core::T5Buckets& buckets = *scene.scores().buckets;
  const core::T5BucketSpec& spec = buckets.spec();
  const Index side = buckets.side();
  const Index exact = buckets.max_exact(), bucket = buckets(relative);
  const Index begin = spec.bidirectional && relative > 0 ? side : 0, own = bucket - begin;
  const bool masked_side = !spec.bidirectional && relative > 0;
  const Index t = masked_side ? 0 : std::abs(relative);
  lines.begin("t", masked_side ? fmt::format("max(-({}), 0) = 0", relative)
                               : fmt::format("|{}| = {}", relative, t));
  lines.begin("max_exact", fmt::format("{} / 2 = {}", side, exact));
  if (t < exact) {
    lines.say(w.format("{} is below {}: a bucket of its own", t, exact));
  } else {
    lines.line(fmt::format("{} - {}", w("bucket"), begin), {});
    write_logarithm(scene, spec, t, exact, side, lines);
    lines.next(fmt::format("{}", own));
  }
  lines.line(w("bucket"),
             {plain(fmt::format("= {} + {} = ", begin, own)), accented(fmt::format("{}", bucket))});
  if (spec.bidirectional) {
    lines.say(begin > 0 ? w.format("keys ahead begin at bucket {}", side)
                        : w("keys before begin at bucket 0"));
  }
  const Index in_float = core::t5_bucket_by_logarithm<float>(spec, relative);
  if (in_float != bucket) {
    lines.say(w.format("computed in float with logarithms, as published code does, it would be {}",
                       in_float));
  }
  const double bias = scene.scores().scalars(bucket);
  lines.line(fmt::format("b[{}]", bucket), {accented(equated(bias, fixed(bias, 4)))});
}

Explanation explain_distance(const Scene& scene) {
  const Index r = scene.p.distance;
  Derivation lines(scene.w);
  constexpr core::EnumArray<Variant, void (*)(const Scene&, Index, Derivation&)> kWriters{
      {distance_shaw, distance_xl, distance_xl, write_bucket, distance_deberta, distance_urpe,
       distance_alibi}};
  kWriters[scene.p.variant](scene, r, lines);
  if (scene.model.pairs->causal && r > 0) lines.say(scene.w("the mask hides keys ahead"));
  return {scene.w.format("Relative position j - i = {}: {}", fmt::format("{:+}", r),
                         distance_words(scene, r)),
          lines.take()};
}

}  // namespace lab::relative
