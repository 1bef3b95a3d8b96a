// The score and the weight of the pinned pair, down to their inputs.
#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

std::string cell(const Scene& scene, const char* letter) {
  return fmt::format("{}[{},{}]", letter, scene.model.query, scene.model.key);
}

// The terms as they are added: divided one by one, or together at the end.
void write_terms(const Scene& scene, bool together, Derivation& lines) {
  const auto& terms = scene.scheme().terms;
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
  lines.about_result(fixed(scene.score(), 4));
}

// What the chosen term is; `divided`: a term of its own, not a part of a divided sum.
void write_term(const Scene& scene, bool divided, Derivation& lines) {
  const Term& term = scene.scheme().terms[scene.term()];
  const Index i = scene.model.query, j = scene.model.key;
  const std::string symbol = term_symbol(scene, term.id);
  const double value = term_value(*scene.model.content, term, i, j);
  if (const auto factors = term_factors(*scene.model.content, term, i, j)) {
    const std::string sum = write_product(symbol, *factors, lines);
    if (divided && term.factor != 1) {
      lines.is(symbol + divisor_text(scene), fmt::format("≈ {} / {}", sum, root_text(scene)));
      lines.about(fixed(value, 4));
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
  const auto& terms = scene.scheme().terms;
  // Whether all terms are divided alike, so that their sum is.
  const bool together =
      terms[0].factor != 1 && std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
        return term.factor == terms[0].factor;
      });
  Derivation lines(w);
  lines.about_picked(cell(scene, "s"), fixed(scene.score(), 4));
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
  const Row& row = model.row;
  const std::size_t j = to_size(model.key);
  const SoftmaxRow scores{{row.scores.begin(), row.scores.begin() + model.pairs->seen(model.query)},
                          j,
                          [&](std::size_t k) {
                            return scene.quoted(static_cast<Index>(k)) + " s ≈ " +
                                   fixed(row.scores[k], 5);
                          }};
  Derivation lines(w);
  lines.weight(cell(scene, "w"), scores);
  lines.line(w("before"), {plain(fmt::format("≈ {}  ", weight_text(row.plain[j]))),
                           dim(fmt::format("softmax(q·k / √{})", model.content->d()))});
  if (p.is(SchemeName::urpe)) {
    const Index r = model.key - model.query;
    lines.is("w c", fmt::format("≈ {} × {}", weight_text(row.weights[j]),
                                bracketed(fixed(scene.scheme().after_at(r), 4))));
    lines.about_result(weight_text(row.after[j]));
    lines.say(w.format("c is that of distance {}; the row is not made to sum to 1 again", r));
  }
  lines.normaliser(scores);
  return {model.pinned ? w("The pinned weight") : w("The largest weight of this query"),
          lines.take()};
}

}  // namespace

std::string root_text(const Scene& scene) {
  return fmt::format("√{}", (scene.p.is(SchemeName::deberta) ? 3 : 1) * scene.model.content->d());
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

Explanation explain(const Scene& scene) {
  switch (scene.p.explain) {
    case Explained::score: return explain_score(scene);
    case Explained::weight: return explain_weight(scene);
    case Explained::distance: return explain_distance(scene);
    case Explained::own: break;
  }
  return explain_own(scene);
}

}  // namespace lab::relative
