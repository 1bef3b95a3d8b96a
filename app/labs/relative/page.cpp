#include "app/labs/relative/page.h"
#include "app/labs/shared/text/text.h"
#include "core/attention/softmax.h"
#include "core/enum_array.h"
#include "core/position/curve.h"

namespace lab::relative {
namespace {

std::vector<Figure> figures(const Scene& scene) {
  std::vector<Figure> all = term_figures(scene);
  all.push_back(curve_figure(scene));
  all.push_back(matrix_figure(scene));
  for (Figure& own : own_figures(scene)) all.push_back(std::move(own));
  all.push_back(weights_figure(scene));
  all.push_back(pair_figure(scene));
  return all;
}

std::vector<std::string> notes(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::vector<std::string> notes;
  const auto note = [&](bool holds, std::string text) {
    if (holds) notes.push_back(std::move(text));
  };
  note(model.content->cut,
       w.format("The text has more tokens: its first {} are used. Raise the length to see more.",
                model.n()));
  note(scene.scores().learned > 0,
       w("No model was trained: the numbers that one would learn are drawn at random. What the "
         "scheme does with them is exact."));
  note(p.is(Variant::transformer_xl),
       w("Transformer-XL looks back only; XLNet has the same terms for keys on both sides."));
  note(p.is_xl() && !p.xl_position && !p.xl_bias,
       w("Terms (b) and (d) are off: no distance enters the scores."));
  const bool t5 = p.is(Variant::t5);
  note(t5 && !p.folded,
       w.format("Nothing is divided: the content is √{} times as large as q·k / √d_k.", p.width));
  note(t5 && p.t5_direction == T5Direction::causal && !model.pairs->causal,
       w("The buckets are for keys before the query, and no mask hides those ahead: they are all "
         "in bucket 0, with the query itself."));
  note(p.uses_alibi() && p.by_key(),
       model.pairs->causal
           ? w("The curve shows m (j - i): the bias m j less m i, which softmax does not see.")
           : w("Without a causal mask m j favours keys far ahead: only under that mask does it "
               "represent the distance."));
  return notes;
}

// --- what is commonly said about relative positions, and the formulas as they are

std::string xl_terms(const ScoreKnobs& p) {
  const bool published = p.form == PositionMatrix::published;
  const std::string R = published ? "W_{kR}R_{i-j}" : "W_{k}R_{i-j}";
  const std::string through = published ? "" : "W_{q}";
  std::string terms;
  if (p.xl_position) terms += " + \\Q{q}_{i}·" + R;
  if (p.xl_key) terms += " + " + through + "u·\\K{k}_{j}";
  if (p.xl_bias) terms += " + " + through + "v·" + R;
  return terms;
}

// --- the numbers of the page

// Among the pairs that are not masked, the share whose distance is `lost`.
Readout share_readout(const Scene& scene, std::string label, std::string help,
                      const std::function<bool(Index)>& lost) {
  const Index n = scene.model.n();
  const bool causal = scene.model.pairs->causal;
  const double share = to_double(core::count_pairs(n, causal, lost)) /
                       to_double(core::count_pairs(n, causal, [](Index) { return true; }));
  return {"beyond", std::move(label), share, fmt::format("{:.1f} %", 100 * share), std::move(help)};
}

// A distance that reads the row of a nearer one.
Readout clipped_readout(const Scene& scene, std::string label) {
  const auto& row_of = scene.scores().row_of;
  return share_readout(
      scene, std::move(label),
      scene.w("Share of the pairs that are not masked whose distance reads the "
              "row of a nearer one"),
      [&](Index r) { return r != 0 && row_of(r) == row_of(r < 0 ? r + 1 : r - 1); });
}

std::vector<Readout> pair_readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::PairRow& row = model.row;
  const std::size_t j = to_size(model.key);
  const auto entropy = [](const std::vector<double>& weights) {
    return core::entropy<double>(VectorD::Map(weights.data(), to_index(weights.size())));
  };
  const double before = entropy(row.plain), after = entropy(row.weights);
  return {
      {"plain_score", w("Score before"), row.plain_scores[j], fixed(row.plain_scores[j]),
       w("q·k / √d_k of the pair, without positions")},
      {"score", w("Score after"), row.scores[j],
       scene.allowed() ? fixed(row.scores[j]) : w("masked"),
       w("The score of the pair under the scheme")},
      {"plain_weight", w("Weight before"), row.plain[j], fixed(row.plain[j]),
       w("The weight of the pair, without positions")},
      {"weight", w("Weight after"), row.after[j], fixed(row.after[j]),
       w("The weight of the pair under the scheme; under URPE times c")},
      {"entropy", w("Entropy of the row"), after, w.format("{:.3f} → {:.3f} nats", before, after),
       w("-Σ w ln w of the query's weights, before and after")},
      {"moved", w("Weight moved, mean of the rows"), model.survey->moved,
       fmt::format("{:.1f} %", 100 * model.survey->moved),
       w("Half the sum of |after - before| over the keys: the share that goes elsewhere")}};
}

// Whether the curve falls all the way to the far keys before the query.
Readout rise_readout(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Curve& last = model.far->curves.back();
  const VectorD before = VectorD::NullaryExpr(p.extent, [&](Index t) { return last.at(-t); });
  const core::CurveFacts facts = core::curve_facts(before);
  return {"first_rise", w("First rise with distance"),
          facts.first_rise ? to_double(*facts.first_rise) : 0.0,
          facts.first_rise ? w.format("at {}, {} in all", *facts.first_rise, facts.rises)
                           : w("none: it never rises"),
          w("The least distance before the query that is worth more than the one nearer by one; of "
            "the last curve, over its whole extent")};
}

std::vector<Readout> bucket_readouts(const Scene& scene) {
  const auto& w = scene.w;
  const core::T5Buckets& buckets = *scene.scores().buckets;
  const Index bucket = buckets(scene.p.distance);
  return {share_readout(scene, w("Pairs in a last bucket"),
                        w("Share of the pairs that are not masked whose distance shares its row or "
                          "bucket with every greater one on its side"),
                        [&](Index r) { return buckets.shares_last(r); }),
          {"bucket", w("Bucket of the distance"), bucket, fmt::format("{}", bucket),
           w("Of the chosen j - i, by whole numbers")}};
}

std::vector<Readout> reach_readouts(const Scene& scene) {
  const auto& w = scene.w;
  const double slope = scene.scores().slope, reach = std::log(1 / scene.p.epsilon) / slope;
  const Index held = core::alibi_reach(slope, 1 - scene.p.epsilon);
  return {
      {"reach", w("Effective reach"), reach, w.format("{:.1f} tokens", reach),
       w("ln(1/ε) / m: where an equal key has ε times the weight of one at the query's position")},
      {"reach_share", w("Reach that holds 1 - ε"), held,
       held == 1 ? w("1 token") : w.format("{} tokens", held),
       w("With all contents equal and an endless past, the keys up to here hold the share 1 - "
         "ε of the weight")}};
}

std::vector<Readout> sum_readouts(const Scene& scene) {
  const auto& w = scene.w;
  const VectorD& sums = scene.model.survey->row_sum;
  const double own = sums(scene.model.query), least = sums.minCoeff(), most = sums.maxCoeff();
  return {
      {"row_sum", w("Row sum of the query"), own, fixed(own), w("Σ w c: softmax alone gives 1")},
      {"row_sum_range", w("Row sums, least to largest"), most - least,
       fmt::format("{} … {}", fixed(least), fixed(most)), w("Over all queries")}};
}

}  // namespace

std::string Scene::quoted(Index token) const {
  const Labels& labels = model.content->labels;
  return labels ? w.format("\"{}\"", (*labels)[to_size(token)]) : w.format("token {}", token);
}

std::size_t Scene::term() const {
  return to_size(std::clamp(p.term, 1, to_int(scores().terms.size())) - 1);
}

std::string Scene::scheme_name() const { return std::string(kVariants[p.variant].label); }

std::string Scene::pair_text() const {
  return w.format("query {}, key {}: {}", model.query, model.key,
                  distance_words(*this, model.key - model.query));
}

PairMap Scene::map() const {
  return token_map(model.n(), model.content->labels, {model.query, model.key, model.pinned}, p.pool,
                   w);
}

std::string term_symbol(const Scene& scene, TermId id) {
  if (id == TermId::content && scene.p.is_xl()) return "(a) q·k";
  if (id == TermId::alibi && scene.p.by_key()) return "m j";
  constexpr core::EnumArray<TermId, const char*> kSymbols{{"q·k", "q·a^K", "(b) q·R", "(c) u·k",
                                                           "(d) v·R", "b_bucket", "q·k_δ(i,j)",
                                                           "k·q_δ(j,i)", "-m|i-j|"}};
  return kSymbols[id];
}

std::string term_words(const Scene& scene, TermId id) {
  constexpr core::EnumArray<TermId> kWords{
      {N_("content"), N_("query meets distance"), N_("query meets distance"), N_("key alone"),
       N_("distance alone"), N_("bias of the bucket"), N_("content to position"),
       N_("position to content"), N_("linear bias")}};
  return scene.w(kWords[id]);
}

std::string divisor_text(const Scene& scene) {
  if (scene.p.is(Variant::deberta)) return " / √(3d)";
  return scene.scores().terms[0].factor == 1 ? "" : " / √d";
}

std::string distance_words(const Scene& scene, Index relative) {
  if (relative < 0) return scene.w.format("{} before", -relative);
  if (relative > 0) return scene.w.format("{} ahead", relative);
  return scene.w("the query itself");
}

Page compute(const Parameters& p, const Context& context) {
  const auto& w = context.words;
  const Model model = make_model(p, context);
  const Scene scene{p, model, w};
  Page page;
  page.formula = formula(p);
  page.cards = cards("relative", w, p, describe);
  page.status = w.format("n = {} · d_k {} · seed {}", model.n(), p.width, p.seed);
  find_length(p, model.n(), model.content->cut, w, page);
  if (model.n() == 0) {
    page.note(w("There is no token yet: type some text."));
    return page;
  }
  page.figures = figures(scene);
  page.made_up = p.is(Variant::alibi)
                     ? made_up(p, p.projection == Projection::tied, w)
                     : w("untrained: projections and position tables are random numbers");
  page.readouts = readouts(scene);
  page.explanation = explain(scene);
  page.notes = notes(scene);
  page.status = scene.scheme_name() + " · " + page.status;
  return page;
}

std::string formula(const ScoreKnobs& p) {
  const std::string q = "\\Q{q}_{i}", k = "\\K{k}_{j}", s = "s_{ij} = ";
  const auto over = [](const std::string& terms, const std::string& root) {
    return "\\frac{" + terms + "}{\\sqrt{" + root + "}}";
  };
  switch (p.variant) {
    case Variant::shaw:
      return s + over(q + "·(" + k + " + a^{K}_{clip(j-i)})", "d_{k}") +
             " \\quad \\Q{z}_{i} = \\sum w_{ij} (\\V{v}_{j}" +
             (p.values ? " + a^{V}_{clip(j-i)}" : "") + ")";
    case Variant::transformer_xl:
    case Variant::xlnet: return s + over(q + "·" + k + xl_terms(p), "d_{k}");
    case Variant::t5: return s + (p.folded ? over(q, "d_{k}") : q) + "·" + k + " + b_{bucket(j-i)}";
    case Variant::deberta:
      return s + over(q + "·" + k + (p.content_to_position ? " + " + q + "·k^{r}_{δ(i,j)}" : "") +
                          (p.position_to_content ? " + " + k + "·q^{r}_{δ(j,i)}" : ""),
                      "3d");
    case Variant::urpe:
      return "\\left(\\softmax\\left(" + over("\\Q{Q}\\K{K}^{⊤}", "d_{k}") +
             (p.urpe_bias == UrpeBias::none ? "" : " + B") + "\\right) ∘ C\\right)\\V{V}";
    case Variant::alibi: break;
  }
  return s + over(q + "·" + k, "d_{k}") + (p.by_key() ? " + m j" : " - m |i - j|");
}

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const RelativeScores& scores = scene.scores();
  std::vector<Readout> all = pair_readouts(scene);
  const auto add = [&](std::vector<Readout> more) {
    for (Readout& one : more) all.push_back(std::move(one));
  };
  if (!model.far->curves.empty()) all.push_back(rise_readout(scene));
  all.push_back({"learned", w("Learned numbers of a head"), scores.learned,
                 fmt::format("{:.0f}", scores.learned),
                 w("How many numbers a head learns for positions with these knobs, with those that "
                   "heads share; ALiBi none")});
  if (p.is(Variant::shaw)) all.push_back(clipped_readout(scene, w("Pairs clipped")));
  if (p.is(Variant::deberta)) all.push_back(clipped_readout(scene, w("Pairs beyond the span")));
  if (scores.buckets) add(bucket_readouts(scene));
  if (p.uses_alibi()) {
    all.push_back({"slope", w("Slope m"), scores.slope, significant(scores.slope),
                   w("How much the bias falls per token in the chosen head")});
  }
  if (p.is(Variant::alibi)) add(reach_readouts(scene));
  if (p.is(Variant::urpe)) add(sum_readouts(scene));
  return all;
}

}  // namespace lab::relative
