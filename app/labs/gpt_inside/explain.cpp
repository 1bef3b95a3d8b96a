// A weight of the picked head, what a part adds to a logit, or a cell of a circuit, down to
// products.
#include "app/labs/gpt_inside/page.h"
#include "app/labs/shared/derivation/model_derivation.h"
#include "app/labs/shared/model/written.h"

namespace lab::gpt_inside {
namespace {

void explain_weight(const Scene& scene, Derivation& lines) {
  const Model& model = scene.model;
  explain_head_weight(scene.reading().look(model.place, model.token), *model.key,
                      scene.text_labels(), lines);
}

// The tokens that give most, in their order; the rest of many as one.
std::vector<Index> strongest_of(const VectorD& given) {
  constexpr Index kMost = 12;
  return largest_first(
      given.size(), [&](Index k) { return std::abs(given(k)); }, kMost);
}

// share = Σ_j w_j (v_j·r), a token a line, the one that gives most first.
void explain_by_token(const Scene& scene, const core::model::HeadShares& of, const VectorD& along,
                      const std::vector<Index>& shown, Derivation& lines) {
  const VectorD given = of.weights.cwiseProduct(along);
  std::vector<Derivation::Term> terms;
  double rest = given.sum();
  for (const Index j : shown) {
    rest -= given(j);
    terms.push_back({fixed(given(j), 5), fmt::format("≈ {} · {}  {}", significant(of.weights(j), 7),
                                                     bracketed(significant(along(j), 7)),
                                                     scene.name(scene.reading().ids[to_size(j)]))});
  }
  if (to_index(shown.size()) < given.size()) {
    terms.push_back({fixed(rest, 5), scene.w("the other tokens")});
  }
  lines.begin(scene.w("adds"), "Σ w_j (v_j·r)");
  lines.terms(terms, 0);
  lines.about_picked(scene.w("adds"), given.sum(), 5);
}

void explain_head_share(const Scene& scene, const Shares& shares, const HeadIndex& at,
                        Derivation& lines) {
  const auto& [p, model, w] = scene;
  if (model.after_shown && model.is_ablated(at)) {
    lines.say(w("The head is knocked out: its output is replaced, whatever its weights."));
    return;
  }
  const core::model::HeadShares of = scene.reading().shares(at, model.token, shares.to.direction);
  const VectorD along = of.values * of.read;
  const std::vector<Index> shown = strongest_of(of.weights.cwiseProduct(along));
  explain_by_token(scene, of, along, shown, lines);
  const Index strongest = shown.front();
  lines.heading(
      w.format("The value of \"{}\" along r", scene.name(scene.reading().ids[to_size(strongest)])));
  lines.product("v·r", {.left = of.values.row(strongest),
                        .right = of.read,
                        .left_color = Role::value,
                        .right_color = Role::text,
                        .left_name = "v",
                        .right_name = "r"});
  // One number of r, that of the largest product.
  Index k = 0;
  of.values.row(strongest).transpose().cwiseProduct(of.read).cwiseAbs().maxCoeff(&k);
  lines.say(
      w("r is W_O times the direction d, in which the last norm and the output layer read the "
        "stream:"));
  lines.product(fmt::format("r[{}]", k), {.left = scene.reading().output_row(at, k),
                                          .right = shares.to.direction,
                                          .left_color = Role::text,
                                          .right_color = Role::accent,
                                          .left_name = "W",
                                          .right_name = "d"});
}

void explain_share(const Scene& scene, const Shares& shares, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Index at = shares.picked(p.part);
  const StreamPart& part = shares.part(at);
  const Projected share{.product = {.left = shares.parts->vectors.row(at),
                                    .right = shares.to.direction,
                                    .left_color = Role::value,
                                    .right_color = Role::accent,
                                    .left_name = "x",
                                    .right_name = "d"},
                        .name = w("adds"),
                        .dot = "x·d",
                        .whole = "x·d"};
  explain_projected(share, lines);
  if (part.kind == StreamPart::Kind::head) {
    lines.heading(w("By the tokens it attends to"));
    explain_head_share(scene, shares, {part.layer, part.head}, lines);
  }
  lines.heading(w("All shares together"));
  std::vector<Derivation::Term> terms;
  const std::vector<Index> listed = shares.listed(p.part);
  for (const Index k : listed) {
    terms.push_back({fixed(shares.of_parts(k), 5), part_name(shares.part(k), w)});
  }
  const auto others = shares.of_parts.size() - std::ssize(listed);
  if (others > 0) {
    terms.push_back({fixed(shares.rest(listed), 5), w.format("{} others", others)});
  }
  terms.push_back({fixed(shares.to.constant, 5), w("constant")});
  lines.begin("z", "Σ");
  lines.terms(terms, to_size(std::find(listed.begin(), listed.end(), at) - listed.begin()));
  lines.about_result(shares.sum(), 5);
}

void explain_circuit(const Scene& scene, const CircuitMap& map, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const Index words = map.cells.rows();
  const Index row = std::min<Index>(p.row, words - 1), col = std::min<Index>(p.col, words - 1);
  const bool qk = p.circuit == Circuit::qk, direct = p.circuit == Circuit::direct;
  const std::string left = qk ? "q" : direct ? "e" : "v", right = qk ? "k" : "u";
  const std::string name = left + "·" + right;
  if (!qk) lines.begin("m", name);
  const std::string dot = lines.product(name, {.left = map.factors.rows.row(row),
                                               .right = map.factors.cols.row(col),
                                               .left_color = qk ? Role::query : Role::value,
                                               .right_color = qk ? Role::key : Role::text,
                                               .left_name = left,
                                               .right_name = right});
  if (!qk) return;
  lines.about_picked("m", fmt::format("{} · {}", significant(map.factors.scale, 9), bracketed(dot)))
      .about_result(map.cells(row, col), 5);
}

}  // namespace

Explanation explain(const Scene& scene, const std::optional<Shares>& shares,
                    const std::optional<CircuitMap>& map) {
  const auto& [p, model, w] = scene;
  Derivation lines(w);
  Explanation explanation;
  if (shares) {
    explanation.title =
        w.format("What {} adds to the logit of {}",
                 part_name(shares->part(shares->picked(p.part)), w), scene.quoted(model.wanted));
    explain_share(scene, *shares, lines);
  } else if (map) {
    explanation.title = w("One cell of the map");
    explain_circuit(scene, *map, lines);
  } else if (p.heads() && model.key) {
    const Labels names = scene.text_labels();
    explanation.title = w.format("The weight of \"{}\" on \"{}\"", (*names)[to_size(model.token)],
                                 (*names)[to_size(*model.key)]);
    explain_weight(scene, lines);
  }
  explanation.lines = lines.take();
  return explanation;
}

}  // namespace lab::gpt_inside
