// What is commonly said about relative positions, and the formulas as they are.
#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

constexpr const char* kAlibi = "Press, Smith and Lewis 2022, section 3";

// Of one scheme; Transformer-XL's are XLNet's too.
struct OwnCard {
  SchemeName scheme;
  const char *said, *truth, *source;
};
constexpr OwnCard kOwnCards[] = {
    {SchemeName::shaw, N_("The distance i - j is limited, and j - i is looked up."),
     N_("One sign throughout: j - i is clipped to [-k, k] and looked up. With the other sign, keys "
        "before and after change places."),
     "Shaw, Uszkoreit and Vaswani 2018, sections 3.1 to 3.2"},
    {SchemeName::transformer_xl,
     N_("The sinusoids go through the same W_k as the content, and u and v through W_q."),
     N_("They have a matrix W_kR of their own, and u and v stand for p W_q as it is: no W_q. "
        "Choose \"one matrix\" to see that the numbers differ."),
     "Dai et al. 2019, section 3.3"},
    {SchemeName::t5, N_("T5 learns a number for each pair of positions."),
     N_("One for each head and bucket of j - i, shared by all layers. With 32 buckets half are "
        "exact and half logarithmic up to 128."),
     "Raffel et al. 2020, section 2.1"},
    {SchemeName::deberta, N_("Both position terms look up δ(i, j), key minus query."),
     N_("δ counts query minus key, and the term of the key's content takes δ(j, i). The two differ "
        "for every pair that is not on the diagonal."),
     "He et al. 2021, section 3.1, eqs. 2 to 4"},
    {SchemeName::urpe, N_("A bias before the softmax can express any use of positions."),
     N_("Rows still sum to 1: on equal tokens every query gets the same output. The factors C "
        "after the softmax lift that."),
     "Luo et al. 2022, eq. 8"},
    {SchemeName::alibi, N_("In ALiBi's bias m (i - 1), m is a position."),
     N_("m is the slope of the head: the bias of query i and key j is -m (i - j)."), kAlibi},
    {SchemeName::alibi, N_("ALiBi is work of Google."),
     N_("Of Ofir Press (University of Washington, Facebook AI Research), Noah Smith (University of "
        "Washington, Allen Institute for AI) and Mike Lewis (Facebook AI Research)."),
     kAlibi},
    {SchemeName::alibi, N_("With h heads the slopes are 2^(-8k/h) for any h."),
     N_("So for powers of two. For other h the published code takes the slopes of the power below "
        "and adds every other one of the power above, so they no longer fall from head to head."),
     kAlibi},
};

std::string xl_terms(const SchemeKnobs& p) {
  const bool published = p.form == PositionForm::published;
  const std::string R = published ? "W_{kR}R_{i-j}" : "W_{k}R_{i-j}";
  const std::string through = published ? "" : "W_{q}";
  std::string terms;
  if (p.xl_position) terms += " + \\Q{q}_{i}·" + R;
  if (p.xl_key) terms += " + " + through + "u·\\K{k}_{j}";
  if (p.xl_bias) terms += " + " + through + "v·" + R;
  return terms;
}

}  // namespace

std::vector<Card> cards(const SchemeKnobs& p, const words::Words& w) {
  const SchemeName scheme = p.is_xl() ? SchemeName::transformer_xl : p.scheme;
  std::vector<Card> result;
  for (const OwnCard& card : kOwnCards) {
    if (card.scheme == scheme) result.push_back({w(card.said), w(card.truth), card.source});
  }
  result.push_back({w("Under relative positions the softmax takes the raw product."),
                    w("Shaw and Transformer-XL divide by √d_k, DeBERTa by √(3d), its sum having "
                      "three terms. Only T5 does not divide: its initialisation makes queries "
                      "small instead."),
                    w("the sources of this lab")});
  return result;
}

std::string formula(const SchemeKnobs& p) {
  const std::string q = "\\Q{q}_{i}", k = "\\K{k}_{j}", s = "s_{ij} = ";
  const auto over = [](const std::string& terms, const std::string& root) {
    return "\\frac{" + terms + "}{\\sqrt{" + root + "}}";
  };
  switch (p.scheme) {
    case SchemeName::shaw:
      return s + over(q + "·(" + k + " + a^{K}_{clip(j-i)})", "d_{k}") +
             " \\quad \\Q{z}_{i} = \\sum w_{ij} (\\V{v}_{j}" +
             (p.values ? " + a^{V}_{clip(j-i)}" : "") + ")";
    case SchemeName::transformer_xl:
    case SchemeName::xlnet: return s + over(q + "·" + k + xl_terms(p), "d_{k}");
    case SchemeName::t5:
      return s + (p.folded ? over(q, "d_{k}") : q) + "·" + k + " + b_{bucket(j-i)}";
    case SchemeName::deberta:
      return s + over(q + "·" + k + (p.content_to_position ? " + " + q + "·k^{r}_{δ(i,j)}" : "") +
                          (p.position_to_content ? " + " + k + "·q^{r}_{δ(j,i)}" : ""),
                      "3d");
    case SchemeName::urpe:
      return "\\left(\\softmax\\left(" + over("\\Q{Q}\\K{K}^{⊤}", "d_{k}") +
             (p.urpe_bias == UrpeBias::none ? "" : " + B") + "\\right) ∘ C\\right)\\V{V}";
    case SchemeName::alibi: break;
  }
  return s + over(q + "·" + k, "d_{k}") + (p.by_key() ? " + m j" : " - m |i - j|");
}

}  // namespace lab::relative
