#include "app/labs/position_compare/facts.h"

#include <charconv>

namespace lab::position_compare {
namespace {

constexpr std::string_view kPlain = "s_{ij} = \\frac{\\Q{q}_{i}\\cdot\\K{k}_{j}}{\\sqrt{d_{k}}}";
constexpr std::string_view kAdded =
    "s_{ij} = \\frac{(x_{i} + p_{i})\\Q{W_{q}}\\cdot(x_{j} + p_{j})\\K{W_{k}}}{\\sqrt{d_{k}}}";

// In the order of core::PositionScheme.
constexpr std::array<Facts, 11> kFacts{{
    {"none", N_("none"), N_("nothing: order is unseen"), N_("Vaswani et al. 2017, section 3.5"),
     N_("defined; what order there is comes from a causal mask"), N_("Haviv et al. 2022, abstract"),
     kPlain, "", ""},
    {"sinusoidal", N_("sinusoidal"), N_("absolute, added to X"),
     N_("Vaswani et al. 2017, section 3.5"),
     N_("defined at any position, but trained models do not extrapolate"),
     N_("Press et al. 2022, section 2"), kAdded, "", "n·d"},
    {"learned", N_("learned"), N_("absolute, added to X"), N_("Gehring et al. 2017, section 3.1"),
     N_("no: there is no row beyond the last one"), N_("Gehring et al. 2017, section 3.1"), kAdded,
     "N·d", ""},
    {"rope", N_("RoPE"), N_("relative; applied like an absolute one"), N_("Su et al. 2021, eq. 16"),
     N_("defined at any position, but fails untreated beyond the trained length"),
     N_("Chen et al. 2023, abstract"),
     "s_{ij} = \\frac{(R_{i}\\Q{q}_{i})\\cdot(R_{j}\\K{k}_{j})}{\\sqrt{d_{k}}}", "", "n·d_k"},
    {"xpos", N_("xPos"), N_("relative, with decay"), N_("Sun et al. 2022, algorithm 1"),
     N_("by design: trained on short texts, tested on longer ones"),
     N_("Sun et al. 2022, abstract"),
     "s_{ij} = \\frac{(ζ^{i/B}R_{i}\\Q{q}_{i})\\cdot(ζ^{-j/B}R_{j}\\K{k}_{j})}{\\sqrt{d_{k}}}", "",
     "2·n·d_k"},
    {"alibi", N_("ALiBi"), N_("relative, a bias"), N_("Press et al. 2022, section 3"),
     N_("by design; perplexity holds on longer texts in its experiments"),
     N_("Press et al. 2022, section 4"),
     "s_{ij} = \\frac{\\Q{q}_{i}\\cdot\\K{k}_{j}}{\\sqrt{d_{k}}} - m_{h}(i - j)", "",
     "h·distances"},
    {"t5", N_("T5 bias"), N_("relative, a learned bias"), N_("Raffel et al. 2020, section 2.1"),
     N_("defined: all far distances share the last bucket"), N_("Raffel et al. 2020, section 2.1"),
     "s_{ij} = \\frac{\\Q{q}_{i}\\cdot\\K{k}_{j}}{\\sqrt{d_{k}}} + b_{j - i}", "b·h",
     "h·distances"},
    {"shaw", N_("Shaw"), N_("relative, a vector for each distance"),
     N_("Shaw et al. 2018, eqs. 3 and 4"), N_("by design: distances beyond k count as k"),
     N_("Shaw et al. 2018, section 3.2"),
     "s_{ij} = \\frac{\\Q{q}_{i}\\cdot(\\K{k}_{j} + a_{j - i})}{\\sqrt{d_{k}}}", "2·(2k+1)·d_k·L",
     "h·n·(2k+1)"},
    {"transformer_xl", N_("Transformer-XL"), N_("relative, four terms"),
     N_("Dai et al. 2019, section 3.3"),
     N_("by design: sinusoids of the distance, for a longer memory"),
     N_("Dai et al. 2019, section 3.3"),
     "s_{ij} = \\frac{(\\Q{q}_{i} + u)\\cdot\\K{k}_{j} + (\\Q{q}_{i} + "
     "v)\\cdot r_{i - j}}{\\sqrt{d_{k}}}",
     "d·d·L + 2·d", "2·distances·d"},
    {"deberta", N_("DeBERTa"), N_("relative, content and position apart"),
     N_("He et al. 2021, section 3.1, eqs. 2 to 4"), N_("defined: distances beyond k count as k"),
     N_("He et al. 2021, eq. 3"),
     "s_{ij} = \\frac{\\Q{q}_{i}\\cdot\\K{k}_{j} + \\Q{q}_{i}\\cdot "
     "K^{r}_{δ(i,j)} + \\K{k}_{j}\\cdot Q^{r}_{δ(j,i)}}{\\sqrt{3d_{k}}}",
     "2k·d + 2·d·d·L", "2·2k·d + 2·h·n·2k"},
    {"urpe", N_("URPE"), N_("relative, a factor on each weight"), N_("Luo et al. 2022, eq. 8"),
     N_("no: each distance has a learned number of its own"), N_("Luo et al. 2022, eq. 8"),
     "w_{ij} = c_{i - "
     "j}\\softmax_{j}\\left(\\frac{\\Q{q}_{i}\\cdot\\K{k}_{j}}{\\sqrt{d_{k}}}\\right)",
     "known·h·L", ""},
}};

// In the order of core::CostStep.
constexpr std::array<Step, 15> kSteps{
    {{N_("add a row of the table to each embedding, once"), "n·d"},
     {N_("turn each pair of q and k: per entry two multiplications and an addition"), "6·n·d"},
     {N_("add the bias of the distance to each score of each head"), "h·pairs"},
     {N_("multiply each query with every row of the keys' table"), "h·n·(2k+1)·(2d_k-1)"},
     {N_("add what the distance gives to each score of each head"), "h·pairs"},
     {N_("sum the weights of each distance, for the values' table"), "h·pairs"},
     {N_("multiply these sums with the values' table"), "n·d·(4k+1)"},
     {N_("add that to the output"), "n·d"},
     {N_("project the sinusoid of each distance"), "distances·d·(2d-1)"},
     {N_("add u and v to each query"), "2·n·d"},
     {N_("multiply each query with the vector of each distance"), "h·pairs·(2d_k-1)"},
     {N_("project the table of distances twice, as queries and as keys"), "2·2k·d·(2d-1)"},
     {N_("multiply each query with every distance as a key"), "h·n·2k·(2d_k-1)"},
     {N_("multiply each key with every distance as a query"), "h·n·2k·(2d_k-1)"},
     {N_("multiply each weight of each head by the number of its distance"), "h·pairs"}}};

// --- costs as formulas

using core::SchemeSize;

// What a letter of a formula stands for. A number is itself; (2d-1) are the additions and
// multiplications of an inner product; pairs, distances and known distances depend on the mask.
Factor factor(std::string_view letter, const SchemeSize& s) {
  const auto [n, d, h, L] = s.model;
  const Index k = s.clip, N = s.learned_rows;
  const auto of_mask = [&](Factor causal, Factor full) { return s.causal ? causal : full; };
  if (letter == "pairs") return of_mask({"n(n+1)/2", n * (n + 1) / 2}, {"n²", n * n});
  if (letter == "distances") return of_mask({"n", n}, {"(2n-1)", 2 * n - 1});
  if (letter == "known") return of_mask({"N", N}, {"(2N-1)", 2 * N - 1});
  const std::array letters{Factor{"n", n},
                           Factor{"d", d},
                           Factor{"h", h},
                           Factor{"L", L},
                           Factor{"N", N},
                           Factor{"b", s.buckets},
                           Factor{"d_k", d / h},
                           Factor{"2k", 2 * k},
                           Factor{"(2k+1)", 2 * k + 1},
                           Factor{"(4k+1)", 4 * k + 1},
                           Factor{"(2d-1)", 2 * d - 1},
                           Factor{"(2d_k-1)", 2 * (d / h) - 1}};
  for (const Factor& one : letters)
    if (one.symbol == letter) return one;
  Factor number{std::string(letter), 0};
  std::from_chars(letter.data(), letter.data() + letter.size(), number.value);
  return number;
}

// The text up to `mark`, which is cut off with it.
std::string_view next(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  const std::string_view first = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
  return first;
}

std::vector<Term> terms(std::string_view formula, const SchemeSize& size) {
  std::vector<Term> sum;
  while (!formula.empty()) {
    sum.emplace_back();
    for (std::string_view product = next(formula, " + "); !product.empty();) {
      sum.back().push_back(factor(next(product, "·"), size));
    }
  }
  return sum;
}

std::string joined(const std::vector<Term>& sum, bool letters) {
  std::string text;
  for (const Term& term : sum) {
    if (!text.empty()) text += " + ";
    for (std::size_t k = 0; k < term.size(); ++k) {
      if (k > 0) text += "·";
      text += letters ? term[k].symbol : grouped(term[k].value);
    }
  }
  return text.empty() ? "0" : text;
}

}  // namespace

const Facts& facts(Scheme scheme) { return kFacts[to_size(scheme)]; }
const Step& step_of(core::CostStep step) { return kSteps[to_size(step)]; }

Index value(const Term& term) {
  Index product = 1;
  for (const Factor& factor : term) product *= factor.value;
  return product;
}

Index value(const std::vector<Term>& sum) {
  Index total = 0;
  for (const Term& term : sum) total += value(term);
  return total;
}

std::string symbols(const std::vector<Term>& sum) { return joined(sum, true); }
std::string numbers(const std::vector<Term>& sum) { return joined(sum, false); }

Term step_term(const core::StepCost& step, Scheme scheme, const SchemeSize& size) {
  Term term = terms(step_of(step.step).operations, size).front();
  // DeBERTa adds two products to each score, the others one.
  const bool twice = step.step == core::CostStep::add_to_score && scheme == Scheme::deberta;
  if (twice) term.insert(term.begin(), {"2", 2});
  return term;
}

std::vector<Term> parameter_terms(Scheme scheme, const SchemeSize& size) {
  return terms(facts(scheme).learned, size);
}

std::vector<Term> held_terms(Scheme scheme, const SchemeSize& size) {
  return terms(facts(scheme).held, size);
}

std::string operations_formula(Scheme scheme, const SchemeSize& size) {
  std::vector<Term> once, layer;
  for (const core::StepCost& step : core::scheme_cost(scheme, size).steps) {
    (step.every_layer ? layer : once).push_back(step_term(step, scheme, size));
  }
  if (layer.empty()) return symbols(once);
  return layer.size() == 1 ? symbols(layer) + "·L" : "(" + symbols(layer) + ")·L";
}

}  // namespace lab::position_compare
