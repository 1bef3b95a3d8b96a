#include "app/labs/relative/page.h"
#include "app/labs/shared/papers.h"

namespace lab::relative {
namespace {

std::vector<Preset> vector_presets() {
  return {
      {"shaw_clip", N_("Beyond k all distances are one"),
       N_("Shaw: every query meets a learned vector for each distance, up to k = 4. Farther keys "
          "of a side share a row, so the curve is flat beyond."),
       ""},
      {"shaw_exact", N_("No distance clipped"),
       N_("With k as large as the sequence every distance has a row of its own, and nothing is "
          "shared: 27 rows for 14 tokens."),
       "clip=13 | explain=own | entry=3"},
      {"xl_terms", N_("Four terms"),
       N_("Transformer-XL multiplies out (content + position) times (content + position): content, "
          "content with distance, keys alone, distance alone. (c) is the same in every row, (d) on "
          "every diagonal."),
       "scheme=transformer_xl | term=4"},
      {"xlnet_one_matrix", N_("Retold with one matrix"),
       N_("XLNet as many texts retell it: the sinusoids go through the content's W_k, u and v "
          "through W_q. Terms (b), (c) and (d) all change; only (a) stays."),
       "scheme=xlnet | form=one_matrix | term=2"},
      {"waves", N_("Sinusoids do not simply fall"),
       N_("The two distance terms of XLNet go up and down with the distance: nearer is not always "
          "worth more. What a distance is worth is learned."),
       "scheme=xlnet | explain=distance | extent=64 | distance=-40"},
      {"deberta", N_("Three terms, no fourth"),
       N_("DeBERTa adds content with position and position with content, and leaves position with "
          "position out; the sum of three is divided by √(3d)."),
       "scheme=deberta | term=3"},
  };
}

std::vector<Preset> number_presets() {
  return {
      {"t5_buckets", N_("Thirty-two buckets"),
       N_("T5: near distances have buckets of their own, farther ones share them, none narrower "
          "than the one before; the last has no end. Distance 40 before the query is in bucket "
          "12."),
       "scheme=t5 | explain=distance | extent=256 | distance=-40"},
      {"t5_log", N_("Buckets make a logarithm"),
       N_("No random part, and a straight fall from bucket to bucket: over a logarithmic distance "
          "axis the bias falls in a straight staircase, from its exact part on."),
       "scheme=t5 | size=0 | axis=log | extent=512 | explain=distance | distance=-100"},
      {"t5_causal", N_("Buckets of a decoder"),
       N_("In a decoder no bucket is spent on keys ahead: all 32 look back, 16 of them exact."),
       "scheme=t5 | t5_direction=causal | mask=causal | extent=256 | explain=distance | "
       "distance=-40"},
      {"t5_undivided", N_("What if nobody divides"),
       N_("T5 has no √d_k in its attention. On queries that do not carry it the content drowns the "
          "bias, and the softmax sees little else."),
       "scheme=t5 | folded=false | explain=weight"},
      {"urpe_equal", N_("Equal tokens, unequal rows"),
       N_("All tokens are alike, so softmax gives each key 1/n. URPE multiplies by C afterwards: "
          "rows in the middle sum to more than rows at the ends, and a place can be told."),
       "scheme=urpe | input=repeated | period=1 | length=32 | explain=own"},
      {"alibi_heads", N_("Eight straight penalties"),
       N_("ALiBi learns nothing: head 1 lowers e's exponent by 1/2 per token and sees a handful of "
          "tokens, head 8 by 1/256 and sees over a thousand."),
       "scheme=alibi | mask=causal | explain=own | key=9"},
      {"alibi_twelve", N_("Twelve heads: no power of two"),
       N_("The published code takes the slopes of eight heads and adds every other one of sixteen: "
          "head 9 is the steepest of all."),
       "scheme=alibi | mask=causal | heads=12 | head=9 | explain=own | key=9"},
      {"alibi_million", N_("A million tokens"),
       N_("A bias of the distance alone costs nothing at any length: a million by a million cells, "
          "computed where you look. On the logarithmic axis each head bends down at its reach."),
       "scheme=alibi | mask=causal | head=8 | extent=1048576 | axis=log | explain=distance | "
       "distance=-1000 | key=9"},
  };
}

std::vector<Preset> presets() {
  std::vector<Preset> all = vector_presets();
  for (Preset& preset : number_presets()) all.push_back(std::move(preset));
  return all;
}

}  // namespace

Lab lab() {
  return {
      .id = "relative",
      .title = N_("Relative position"),
      .question = N_("How does the distance between two tokens enter their score?"),
      .chapter = Chapter::position,
      .about = N_(
          "Seven ways to tell a query how far a key is, on the same queries and keys. Some give "
          "each distance a learned vector, some a learned number, one a straight penalty; one acts "
          "after the softmax. The first figure draws what is added, term by term; the curve and "
          "the matrix show what depends on the distance alone. Click a cell, a distance, a bucket "
          "or a head to have it worked out. Distance is key minus query, j - i."),
      .sources = {papers::shaw_2018.at(N_("sections 3.1 and 3.2, eqs. 3 and 4")),
                  papers::dai_2019.at(N_("section 3.3")),
                  papers::yang_2019.at(N_("takes Transformer-XL's terms over")),
                  papers::raffel_2020.at(N_("section 2.1, and the published code")),
                  papers::he_2021.at(N_("section 3.1, eqs. 2 to 4")),
                  papers::luo_2022.at(N_("eq. 8")),
                  papers::press_2022.at(N_("section 3, and the published code"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::relative
