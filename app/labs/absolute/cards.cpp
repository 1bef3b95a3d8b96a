// What is commonly said about absolute positions; which of it is asked depends on what is shown.
#include "app/labs/absolute/page.h"

namespace lab::absolute {

std::vector<Card> cards(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD& theta = model.table->theta;
  const struct {
    bool shown;
    Card card;
  } all[] = {
      {p.show == Show::curves && p.scheme == Scheme::sinusoidal,
       {"slow_first",
        w("The first dimensions change slowly, the last ones fast."),
        w.format("The other way round: the first pair of a sine and a cosine turns once in 2π "
                 "positions, the last one once in {}.",
                 short_number(theta.size() > 0 ? kTurn / theta.minCoeff() : 0)),
        w("Vaswani et al. 2017, section 3.5"),
        {"first_look", "wavelengths"}}},
      {p.show == Show::curves && p.scheme == Scheme::sinusoidal,
       {"picture",
        w("The picture of the encoding that most texts show has 32 positions and 128 dimensions."),
        w("The code that draws it makes 60 positions of 32 dimensions. A row is a position k; 2i "
          "and "
          "2i + 1 are the columns of one pair."),
        w("Preset: the picture in most texts"),
        {"picture", "table"}}},
      {p.show == Show::curves && p.scheme == Scheme::sinusoidal,
       {"shape",
        w("With d_model = 128 a table of 50 positions has the shape (50, 512)."),
        w("(50, 128): a row for each position, a column for each dimension."),
        w("Preset: fifty rows"),
        {"fifty", "table"}}},
      {p.show == Show::curves && p.scheme == Scheme::sinusoidal,
       {"pair_index",
        w("In sin(k / 10000^(2i/d)), i is the index of the dimension."),
        w("Of the pair: i runs from 0 to d/2 - 1, and the dimensions are 2i, the sine, and 2i + 1, "
          "the cosine. Both have one frequency."),
        w("Vaswani et al. 2017, section 3.5"),
        {"picture", "by_column"},
        Card::Verdict::half}},
      {p.show == Show::shift && p.scheme == Scheme::sinusoidal,
       {"one_map",
        w("One linear map takes every position to the one k further on."),
        w("It turns each pair of sine and cosine by k θ, wherever it is used: no entry of it knows "
          "the position."),
        w("Preset: five further is one rotation"),
        {"shift", "map"},
        Card::Verdict::holds}},
      {p.scheme == Scheme::learned,
       {"doubles",
        w("With positions added in one more layer, the number of parameters doubles."),
        w.format("It grows by one table, {} numbers, for each layer that has its own: linearly.",
                 scene.table_numbers()),
        w("Preset: a learned table ends"),
        {"learned", "table"},
        Card::Verdict::half}},
      {p.show == Show::shift || p.scheme == Scheme::learned,
       {"extrapolates",
        w("Since PE(p+k) is a linear map of PE(p), sinusoidal models extrapolate to any length."),
        w("The encoding is defined at any position, and the map holds everywhere; models trained "
          "with it still do badly beyond the length they were trained on."),
        w("Press et al. 2022, arXiv:2108.12409"),
        {"shift", "map"},
        Card::Verdict::half}},
      {p.show == Show::similarity,
       {"falls",
        w("The product of two encodings falls with their distance."),
        w("It falls under an envelope and oscillates: with base 10000 it first rises at distance "
          "4, 6, 12 and 44 for d = 8, 64, 128 and 512."),
        w("Preset: the product oscillates"),
        {"oscillates", "decay"}}},
      {p.show == Show::collisions,
       {"two_dimensions",
        w("Dimensions 0 and 1 alone already tell all positions apart."),
        w("One frequency nearly repeats: 44 positions on the distance is 0.0177, 710 on 6.0e-5. "
          "All frequencies together are needed."),
        w("Preset: one frequency nearly repeats"),
        {"repeats", "distances"},
        Card::Verdict::half}},
      {p.show == Show::scores,
       {"concatenated",
        w("Word and position embeddings are concatenated."),
        w("In the Transformer, BERT and GPT they are added. That is one linear map of concatenated "
          "one-hots: concatenation with the two projections tied."),
        w("Vaswani et al. 2017, section 3.5"),
        {"side_by_side", "terms"}}},
      {p.show == Show::scores && p.combine == Combine::added,
       {"halves",
        w("To second order, f(x_m + p_m, x_n + p_n) has the terms p_m ∂²f/∂x_m² p_m and p_n "
          "∂²f/∂x_n² p_n."),
        w("Both carry 1/2; only the mixed term, which couples the two positions, has the factor 1. "
          "The numbers say how far off e^score comes out with the halves and without."),
        w("Preset: adding mixes everything"),
        {"four_terms", "pair"}}},
      {p.show == Show::order,
       {"invariant",
        w("Self-attention is permutation invariant."),
        w("It is equivariant: permuted inputs give the same outputs, permuted. Only what is pooled "
          "over all positions is invariant."),
        w("Preset: moving words without positions"),
        {"without_positions", "order"}}},
      {p.scheme == Scheme::floater,
       {"misprint",
        w("FLOATER's sinusoidal case has h = w⁻¹ cos(wτ)."),
        w("The derivative of sin(wτ) is w cos(wτ). With 1/w a wave comes out w⁻² times too large: "
          "at base 10000 and d = 64 up to 56 million times."),
        w("Preset: a misprinted factor"),
        {"misprint", "course"}}},
      {p.grid(),
       {"grid",
        w("The 2-D encoding is [height, width] with exponents 2i/d."),
        w("Texts write so; the widely copied function puts the width first and runs each half as "
          "an encoding of width d/2. Both knobs are here."),
        w("Knobs: axis order, exponent"),
        {"grid", "grid"},
        Card::Verdict::half}}};
  std::vector<Card> list;
  for (const auto& [shown, card] : all)
    if (shown) list.push_back(card);
  return list;
}

}  // namespace lab::absolute
