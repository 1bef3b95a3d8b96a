// The papers that labs build on, each cited in one way.
#pragma once

#include "app/labs/lab.h"

namespace lab {

struct Paper {
  std::string_view citation, url;

  // `where` is a message: "section 3.2.2, eq. 1".
  constexpr Source at(std::string_view where) const { return {citation, where, url}; }
};

namespace papers {

inline constexpr Paper nadaraya_1964{"Nadaraya 1964, On Estimating Regression",
                                     "https://doi.org/10.1137/1109020"};
inline constexpr Paper watson_1964{"Watson 1964, Smooth Regression Analysis",
                                   "https://www.jstor.org/stable/25049340"};
inline constexpr Paper epanechnikov_1969{
    "Epanechnikov 1969, Non-Parametric Estimation of a Multivariate Probability Density",
    "https://doi.org/10.1137/1114019"};
inline constexpr Paper lowerre_1976{"Lowerre 1976, The HARPY Speech Recognition System", ""};
inline constexpr Paper bridle_1990{
    "Bridle 1990, Probabilistic Interpretation of Feedforward Classification Network Outputs",
    "https://doi.org/10.1007/978-3-642-76153-9_28"};
inline constexpr Paper goldberg_1991{
    "Goldberg 1991, What Every Computer Scientist Should Know About Floating-Point Arithmetic",
    "https://doi.org/10.1145/103162.103163"};
inline constexpr Paper greengard_1991{"Greengard and Strain 1991, The Fast Gauss Transform",
                                      "https://doi.org/10.1137/0912004"};
inline constexpr Paper higham_2002{"Higham 2002, Accuracy and Stability of Numerical Algorithms",
                                   "https://doi.org/10.1137/1.9780898718027"};
inline constexpr Paper bahdanau_2014{
    "Bahdanau, Cho and Bengio 2014, Neural Machine Translation by Jointly Learning to Align and "
    "Translate",
    "https://arxiv.org/abs/1409.0473"};
inline constexpr Paper hinton_2015{
    "Hinton, Vinyals and Dean 2015, Distilling the Knowledge in a Neural Network",
    "https://arxiv.org/abs/1503.02531"};
inline constexpr Paper luong_2015{
    "Luong, Pham and Manning 2015, Effective Approaches to Attention-based Neural Machine "
    "Translation",
    "https://arxiv.org/abs/1508.04025"};
inline constexpr Paper ioffe_2015{
    "Ioffe and Szegedy 2015, Batch Normalization: Accelerating Deep Network Training",
    "https://arxiv.org/abs/1502.03167"};
inline constexpr Paper ba_2016{"Ba, Kiros and Hinton 2016, Layer Normalization",
                               "https://arxiv.org/abs/1607.06450"};
inline constexpr Paper yang_2016{
    "Yang et al. 2016, Hierarchical Attention Networks for Document Classification",
    "https://aclanthology.org/N16-1174"};
inline constexpr Paper wu_2016{
    "Wu et al. 2016, Google's Neural Machine Translation System: Bridging the Gap between Human "
    "and Machine Translation",
    "https://arxiv.org/abs/1609.08144"};
inline constexpr Paper bojanowski_2017{
    "Bojanowski et al. 2017, Enriching Word Vectors with Subword Information",
    "https://arxiv.org/abs/1607.04606"};
inline constexpr Paper gehring_2017{
    "Gehring et al. 2017, Convolutional Sequence to Sequence Learning",
    "https://arxiv.org/abs/1705.03122"};
inline constexpr Paper see_2017{
    "See, Liu and Manning 2017, Get To The Point: Summarization with Pointer-Generator Networks",
    "https://arxiv.org/abs/1704.04368"};
inline constexpr Paper vaswani_2017{"Vaswani et al. 2017, Attention Is All You Need",
                                    "https://arxiv.org/abs/1706.03762"};
inline constexpr Paper fan_2018{"Fan, Lewis and Dauphin 2018, Hierarchical Neural Story Generation",
                                "https://arxiv.org/abs/1805.04833"};
inline constexpr Paper micikevicius_2018{"Micikevicius et al. 2018, Mixed Precision Training",
                                         "https://arxiv.org/abs/1710.03740"};
inline constexpr Paper milakov_2018{
    "Milakov and Gimelshein 2018, Online normalizer calculation for softmax",
    "https://arxiv.org/abs/1805.02867"};
inline constexpr Paper radford_2018{
    "Radford et al. 2018, Improving Language Understanding by Generative Pre-Training", ""};
inline constexpr Paper parmar_2018{"Parmar et al. 2018, Image Transformer",
                                   "https://arxiv.org/abs/1802.05751"};
inline constexpr Paper shaw_2018{
    "Shaw, Uszkoreit and Vaswani 2018, Self-Attention with Relative Position Representations",
    "https://arxiv.org/abs/1803.02155"};
inline constexpr Paper child_2019{
    "Child, Gray, Radford and Sutskever 2019, Generating Long Sequences with Sparse Transformers",
    "https://arxiv.org/abs/1904.10509"};
inline constexpr Paper dai_2019{"Dai et al. 2019, Transformer-XL",
                                "https://arxiv.org/abs/1901.02860"};
inline constexpr Paper ieee_754{"IEEE 754-2019, Standard for Floating-Point Arithmetic",
                                "https://doi.org/10.1109/IEEESTD.2019.8766229"};
inline constexpr Paper kalamkar_2019{
    "Kalamkar et al. 2019, A Study of BFLOAT16 for Deep Learning Training",
    "https://arxiv.org/abs/1905.12322"};
inline constexpr Paper jain_2019{"Jain and Wallace 2019, Attention is not Explanation",
                                 "https://arxiv.org/abs/1902.10186"};
inline constexpr Paper wiegreffe_2019{"Wiegreffe and Pinter 2019, Attention is not not Explanation",
                                      "https://arxiv.org/abs/1908.04626"};
inline constexpr Paper radford_2019{
    "Radford et al. 2019, Language Models are Unsupervised Multitask Learners", ""};
inline constexpr Paper keskar_2019{
    "Keskar et al. 2019, CTRL: A Conditional Transformer Language Model for Controllable "
    "Generation",
    "https://arxiv.org/abs/1909.05858"};
inline constexpr Paper stahlberg_2019{
    "Stahlberg and Byrne 2019, On NMT Search Errors and Model Errors: Cat Got Your Tongue?",
    "https://arxiv.org/abs/1908.10090"};
inline constexpr Paper shazeer_2019{
    "Shazeer 2019, Fast Transformer Decoding: One Write-Head is All You Need",
    "https://arxiv.org/abs/1911.02150"};
inline constexpr Paper yang_2019{"Yang et al. 2019, XLNet", "https://arxiv.org/abs/1906.08237"};
inline constexpr Paper zhang_2019{"Zhang and Sennrich 2019, Root Mean Square Layer Normalization",
                                  "https://arxiv.org/abs/1910.07467"};
inline constexpr Paper abnar_2020{
    "Abnar and Zuidema 2020, Quantifying Attention Flow in Transformers",
    "https://arxiv.org/abs/2005.00928"};
inline constexpr Paper beltagy_2020{"Beltagy, Peters and Cohan 2020, Longformer",
                                    "https://arxiv.org/abs/2004.05150"};
inline constexpr Paper holtzman_2020{
    "Holtzman et al. 2020, The Curious Case of Neural Text Degeneration",
    "https://arxiv.org/abs/1904.09751"};
inline constexpr Paper liu_2020{
    "Liu et al. 2020, Learning to Encode Position for Transformer with Continuous Dynamical Model "
    "(FLOATER)",
    "https://arxiv.org/abs/2003.09229"};
inline constexpr Paper raffel_2020{
    "Raffel et al. 2020, Exploring the Limits of Transfer Learning (T5)",
    "https://arxiv.org/abs/1910.10683"};
inline constexpr Paper wang_2020{"Wang et al. 2020, Encoding Word Order in Complex Embeddings",
                                 "https://arxiv.org/abs/1912.12333"};
inline constexpr Paper nostalgebraist_2020{
    "nostalgebraist 2020, Interpreting GPT: the logit lens",
    "https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru/interpreting-gpt-the-logit-lens"};
inline constexpr Paper xiong_2020{
    "Xiong et al. 2020, On Layer Normalization in the Transformer Architecture",
    "https://arxiv.org/abs/2002.04745"};
inline constexpr Paper zaheer_2020{"Zaheer et al. 2020, Big Bird",
                                   "https://arxiv.org/abs/2007.14062"};
inline constexpr Paper dong_2021{
    "Dong, Cordonnier and Loukas 2021, Attention is Not All You Need: Pure Attention Loses Rank "
    "Doubly Exponentially with Depth",
    "https://arxiv.org/abs/2103.03404"};
inline constexpr Paper rabe_2021{"Rabe and Staats 2021, Self-attention Does Not Need O(n²) Memory",
                                 "https://arxiv.org/abs/2112.05682"};
inline constexpr Paper elhage_2021{
    "Elhage et al. 2021, A Mathematical Framework for Transformer Circuits",
    "https://transformer-circuits.pub/2021/framework/index.html"};
inline constexpr Paper he_2021{"He et al. 2021, DeBERTa", "https://arxiv.org/abs/2006.03654"};
inline constexpr Paper su_2021{"Su et al. 2021, RoFormer", "https://arxiv.org/abs/2104.09864"};
inline constexpr Paper black_2022{"Black et al. 2022, GPT-NeoX-20B",
                                  "https://arxiv.org/abs/2204.06745"};
inline constexpr Paper croci_2022{
    "Croci et al. 2022, Stochastic rounding: implementation, error analysis and applications",
    "https://doi.org/10.1098/rsos.211631"};
inline constexpr Paper dao_2022{"Dao et al. 2022, FlashAttention",
                                "https://arxiv.org/abs/2205.14135"};
inline constexpr Paper haviv_2022{
    "Haviv et al. 2022, Transformer Language Models without Positional Encodings Still Learn "
    "Positional Information",
    "https://arxiv.org/abs/2203.16634"};
inline constexpr Paper luo_2022{
    "Luo et al. 2022, Your Transformer May Not be as Powerful as You Expect (URPE)",
    "https://arxiv.org/abs/2205.13401"};
inline constexpr Paper micikevicius_2022{"Micikevicius et al. 2022, FP8 Formats for Deep Learning",
                                         "https://arxiv.org/abs/2209.05433"};
inline constexpr Paper olsson_2022{"Olsson et al. 2022, In-context Learning and Induction Heads",
                                   "https://arxiv.org/abs/2209.11895"};
inline constexpr Paper press_2022{"Press, Smith and Lewis 2022, Train Short, Test Long (ALiBi)",
                                  "https://arxiv.org/abs/2108.12409"};
inline constexpr Paper sun_2022{"Sun et al. 2022, A Length-Extrapolatable Transformer (xPos)",
                                "https://arxiv.org/abs/2212.10554"};
inline constexpr Paper ainslie_2023{
    "Ainslie et al. 2023, GQA: Training Generalized Multi-Query Transformer Models",
    "https://arxiv.org/abs/2305.13245"};
inline constexpr Paper chen_2023{
    "Chen et al. 2023, Extending Context Window of Large Language Models via Positional "
    "Interpolation",
    "https://arxiv.org/abs/2306.15595"};
inline constexpr Paper dao_2023{
    "Dao 2023, FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning",
    "https://arxiv.org/abs/2307.08691"};
inline constexpr Paper ocp_2023{"OCP 8-bit Floating Point Specification 1.0 (2023)",
                                "https://www.opencompute.org"};
inline constexpr Paper peng_2023{"Peng et al. 2023, YaRN: Efficient Context Window Extension",
                                 "https://arxiv.org/abs/2309.00071"};
inline constexpr Paper xiao_2023{
    "Xiao et al. 2023, Efficient Streaming Language Models with Attention Sinks",
    "https://arxiv.org/abs/2309.17453"};
inline constexpr Paper nguyen_2024{
    "Nguyen et al. 2024, Turning Up the Heat: Min-p Sampling for Creative and Coherent LLM Outputs",
    "https://arxiv.org/abs/2407.01082"};
inline constexpr Paper wang_2024{
    "Wang et al. 2024, When Precision Meets Position: BFloat16 Breaks Down RoPE in Long-Context "
    "Training",
    "https://arxiv.org/abs/2411.13476"};

}  // namespace papers
}  // namespace lab
