// What is commonly said about relative positions, and the formulas as they are.
#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

constexpr std::string_view kShaw = "Shaw, Uszkoreit and Vaswani 2018, sections 3.1 to 3.2";
constexpr std::string_view kXl = "Dai et al. 2019, section 3.3";
constexpr std::string_view kT5 = "Raffel et al. 2020, section 2.1";
constexpr std::string_view kDeberta = "He et al. 2021, section 3.1, eqs. 2 to 4";
constexpr std::string_view kUrpe = "Luo et al. 2022, eq. 8";
constexpr std::string_view kAlibi = "Press, Smith and Lewis 2022, section 3";

Card card(std::string_view said, std::string_view truth, std::string_view source) {
  return {std::string(said), std::string(truth), std::string(source)};
}

void add_own_cards(const Parameters& p, const words::Words& w, std::vector<Card>& cards) {
  switch (p.scheme) {
    case SchemeName::shaw:
      cards.push_back(card(w("The distance i - j is limited, and j - i is looked up."),
                           w("One sign throughout: j - i is clipped to [-k, k] and looked up. With "
                             "the other sign, keys before and after change places."),
                           kShaw));
      return;
    case SchemeName::transformer_xl:
    case SchemeName::xlnet:
      cards.push_back(
          card(w("The sinusoids go through the same W_k as the content, and u and v through W_q."),
               w("They have a matrix W_kR of their own, and u and v stand for p W_q as it is: no "
                 "W_q. Choose \"one matrix\" to see that the numbers differ."),
               kXl));
      return;
    case SchemeName::t5:
      cards.push_back(card(w("T5 learns a number for each pair of positions."),
                           w("One for each head and bucket of j - i, shared by all layers. With 32 "
                             "buckets half are exact and half logarithmic up to 128."),
                           kT5));
      return;
    case SchemeName::deberta:
      cards.push_back(card(w("Both position terms look up δ(i, j), key minus query."),
                           w("δ counts query minus key, and the term of the key's content takes "
                             "δ(j, i). The two differ for every pair that is not on the diagonal."),
                           kDeberta));
      return;
    case SchemeName::urpe:
      cards.push_back(card(w("A bias before the softmax can express any use of positions."),
                           w("Rows still sum to 1: on equal tokens every query gets the same "
                             "output. The factors C after the softmax lift that."),
                           kUrpe));
      return;
    case SchemeName::alibi:
      break;
  }
  cards.push_back(
      card(w("In ALiBi's bias m (i - 1), m is a position."),
           w("m is the slope of the head: the bias of query i and key j is -m (i - j)."), kAlibi));
  cards.push_back(card(
      w("ALiBi is work of Google."),
      w("Of Ofir Press (University of Washington, Facebook AI Research), Noah Smith (University of "
        "Washington, Allen Institute for AI) and Mike Lewis (Facebook AI Research)."),
      kAlibi));
  cards.push_back(card(
      w("With h heads the slopes are 2^(-8k/h) for any h."),
      w("So for powers of two. For other h the published code takes the slopes of the power below "
        "and adds every other one of the power above, so they no longer fall from head to head."),
      kAlibi));
}

}  // namespace

std::vector<Card> cards(const Parameters& p, const words::Words& w) {
  std::vector<Card> result;
  add_own_cards(p, w, result);
  result.push_back(
      card(w("Under relative positions the softmax takes the raw product."),
           w("Shaw and Transformer-XL divide by √d_k, DeBERTa by √(3d), its sum having three "
             "terms. Only T5 does not divide: its initialisation makes queries small instead."),
           w("the sources of this lab")));
  return result;
}

std::string formula(const Parameters& p) {
  const std::string q = "\\Q{q}_{i}", k = "\\K{k}_{j}";
  switch (p.scheme) {
    case SchemeName::shaw:
      return "s_{ij} = \\frac{" + q + "·(" + k +
             " + a^{K}_{clip(j-i)})}{\\sqrt{d_{k}}} \\quad \\Q{z}_{i} = \\sum w_{ij} (\\V{v}_{j}" +
             (p.values ? " + a^{V}_{clip(j-i)}" : "") + ")";
    case SchemeName::transformer_xl:
    case SchemeName::xlnet: {
      const bool published = p.form == PositionForm::published;
      const std::string R = published ? "W_{kR}R_{i-j}" : "W_{k}R_{i-j}";
      std::string terms = q + "·" + k;
      if (p.xl_position) terms += " + " + q + "·" + R;
      if (p.xl_key) terms += std::string(published ? " + u·" : " + W_{q}u·") + k;
      if (p.xl_bias) terms += std::string(published ? " + v·" : " + W_{q}v·") + R;
      return "s_{ij} = \\frac{" + terms + "}{\\sqrt{d_{k}}}";
    }
    case SchemeName::t5:
      return (p.folded ? "s_{ij} = \\frac{" + q + "}{\\sqrt{d_{k}}}·" + k
                       : "s_{ij} = " + q + "·" + k) +
             " + b_{bucket(j-i)}";
    case SchemeName::deberta: {
      std::string terms = q + "·" + k;
      if (p.content_to_position) terms += " + " + q + "·k^{r}_{δ(i,j)}";
      if (p.position_to_content) terms += " + " + k + "·q^{r}_{δ(j,i)}";
      return "s_{ij} = \\frac{" + terms + "}{\\sqrt{3d}}";
    }
    case SchemeName::urpe:
      return "\\left(\\softmax\\left(\\frac{\\Q{Q}\\K{K}^{⊤}}{\\sqrt{d_{k}}}" +
             std::string(p.urpe_bias == UrpeBias::none ? "" : " + B") +
             "\\right) ∘ C\\right)\\V{V}";
    case SchemeName::alibi:
      break;
  }
  return "s_{ij} = \\frac{" + q + "·" + k + "}{\\sqrt{d_{k}}}" +
         (p.alibi_bias == AlibiBias::distance ? " - m |i - j|" : " + m j");
}

}  // namespace lab::relative
