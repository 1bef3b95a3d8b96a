#include "app/labs/position_compare/facts.h"

#include <array>

#include "app/words/words.h"

namespace lab::position_compare {
namespace {

constexpr std::string_view kPlain = "s_{ij} = \\frac{\\Q{q}_{i}\\cdot\\K{k}_{j}}{\\sqrt{d_{k}}}";
constexpr std::string_view kAdded =
    "s_{ij} = \\frac{(x_{i} + p_{i})\\Q{W_{q}}\\cdot(x_{j} + p_{j})\\K{W_{k}}}{\\sqrt{d_{k}}}";

// In the order of core::PositionScheme.
constexpr std::array<Facts, 11> kFacts{{
    {N_("none"), N_("nothing: order is unseen"), "Vaswani et al. 2017, section 3.5",
     N_("defined; what order there is comes from a causal mask"), "Haviv et al. 2022, abstract",
     kPlain, "", ""},
    {N_("sinusoidal"), N_("absolute, added to X"), "Vaswani et al. 2017, section 3.5",
     N_("defined at any position, but trained models do not extrapolate"),
     "Press et al. 2022, section 2", kAdded, "", "n·d"},
    {N_("learned"), N_("absolute, added to X"), "Gehring et al. 2017, section 3.1",
     N_("no: there is no row beyond the last one"), "Gehring et al. 2017, section 3.1", kAdded,
     "N·d", ""},
    {N_("RoPE"), N_("relative; applied like an absolute one"), "Su et al. 2021, eq. 16",
     N_("defined at any position, but fails untreated beyond the trained length"),
     "Chen et al. 2023, abstract",
     "s_{ij} = \\frac{(R_{i}\\Q{q}_{i})\\cdot(R_{j}\\K{k}_{j})}{\\sqrt{d_{k}}}", "", "n·d_k"},
    {N_("xPos"), N_("relative, with decay"), "Sun et al. 2022, algorithm 1",
     N_("by design: trained on short texts, tested on longer ones"), "Sun et al. 2022, abstract",
     "s_{ij} = \\frac{(ζ^{i/B}R_{i}\\Q{q}_{i})\\cdot(ζ^{-j/B}R_{j}\\K{k}_{j})}{\\sqrt{d_{k}}}", "",
     "2·n·d_k"},
    {N_("ALiBi"), N_("relative, a bias"), "Press et al. 2022, section 3",
     N_("by design; perplexity holds on longer texts in its experiments"),
     "Press et al. 2022, section 4",
     "s_{ij} = \\frac{\\Q{q}_{i}\\cdot\\K{k}_{j}}{\\sqrt{d_{k}}} - m_{h}(i - j)", "",
     "h·distances"},
    {N_("T5 bias"), N_("relative, a learned bias"), "Raffel et al. 2020, section 2.1",
     N_("defined: all far distances share the last bucket"), "Raffel et al. 2020, section 2.1",
     "s_{ij} = \\frac{\\Q{q}_{i}\\cdot\\K{k}_{j}}{\\sqrt{d_{k}}} + b_{j - i}", "b·h",
     "h·distances"},
    {N_("Shaw"), N_("relative, a vector for each distance"), "Shaw et al. 2018, eqs. 3 and 4",
     N_("by design: distances beyond k count as k"), "Shaw et al. 2018, section 3.2",
     "s_{ij} = \\frac{\\Q{q}_{i}\\cdot(\\K{k}_{j} + a_{j - i})}{\\sqrt{d_{k}}}", "2·(2k+1)·d_k·L",
     "h·n·(2k+1)"},
    {N_("Transformer-XL"), N_("relative, four terms"), "Dai et al. 2019, section 3.3",
     N_("by design: sinusoids of the distance, for a longer memory"),
     "Dai et al. 2019, section 3.3",
     "s_{ij} = \\frac{(\\Q{q}_{i} + u)\\cdot\\K{k}_{j} + (\\Q{q}_{i} + "
     "v)\\cdot r_{i - j}}{\\sqrt{d_{k}}}",
     "d·d·L + 2·d", "2·distances·d"},
    {N_("DeBERTa"), N_("relative, content and position apart"),
     "He et al. 2021, section 3.1, eqs. 2 to 4", N_("defined: distances beyond k count as k"),
     "He et al. 2021, eq. 3",
     "s_{ij} = \\frac{\\Q{q}_{i}\\cdot\\K{k}_{j} + \\Q{q}_{i}\\cdot "
     "K^{r}_{δ(i,j)} + \\K{k}_{j}\\cdot Q^{r}_{δ(j,i)}}{\\sqrt{3d_{k}}}",
     "2k·d + 2·d·d·L", "2·2k·d + 2·h·n·2k"},
    {N_("URPE"), N_("relative, a factor on each weight"), "Luo et al. 2022, eq. 8",
     N_("no: each distance has a learned number of its own"), "Luo et al. 2022, eq. 8",
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

}  // namespace

const Facts& facts(Scheme scheme) { return kFacts[static_cast<std::size_t>(scheme)]; }
const Step& step_of(core::CostStep step) { return kSteps[static_cast<std::size_t>(step)]; }

}  // namespace lab::position_compare
