// Published models: what is stated about them, how a pass is watched, cancelled and changed. Their
// numbers are held against an independent implementation by reference_check, topic 13.
#include "core/checkpoint/checkpoint.h"

#include <atomic>
#include <cmath>
#include <cstring>

#include "checkpoint/variant.h"
#include "core/attention/masked_softmax.h"
#include "core/checkpoint/architecture.h"
#include "core/io/memory_bytes.h"

namespace checkpoint_test {

using namespace checkpoint_test;
using namespace core::checkpoint;
using core::Index, core::Matrix, core::MatrixD;

namespace {

const std::vector<std::int32_t> kText = {5, 34, 15, 38, 3, 16, 17, 1, 9, 40};

// All folders but those with an encoder, which need more than a text.
const std::vector<std::string> kDecoders = {"gpt2",         "gpt2-prefixed",
                                            "pythia",       "neox-sequential",
                                            "llama",        "llama-gqa-sharded",
                                            "llama3",       "llama-linear",
                                            "llama-yarn",   "llama-yarn-v5",
                                            "mistral",      "mistral-headdim",
                                            "qwen2-window", "qwen3",
                                            "bloom",        "bloom-post",
                                            "llama-dynamic"};

template <class S>
bool same_bits(const core::MatrixOf<S>& a, const core::MatrixOf<S>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(S)) == 0;
}

}  // namespace

TEST_SUITE_BEGIN("published models");

TEST_CASE("facts: sizes, ties, buffers, what nothing reads") {
  const ModelFacts gpt2 = opened("gpt2")->facts();
  CHECK(gpt2.name == "GPT-2");
  CHECK(gpt2.width == 16);
  CHECK(gpt2.head_width == 8);
  CHECK(gpt2.feed_forward == 64);
  CHECK(gpt2.tied);
  CHECK(gpt2.head == "wte.weight");
  CHECK(gpt2.buffers == std::vector<std::string>{"h.0.attn.bias", "h.1.attn.bias"});
  CHECK(gpt2.left_over.empty());
  // By hand: embeddings 48 x 16 and 16 x 16, two layers of four norms' rows, 16 x 48 + 48, 16 x 16
  // + 16, 16 x 64 + 64, 64 x 16 + 16, and the last norm.
  CHECK(gpt2.parameters == 768 + 256 + 2 * (64 + 816 + 272 + 1088 + 1040) + 32);
  const ModelFacts llama = opened("llama")->facts();
  CHECK_FALSE(llama.tied);
  CHECK(llama.head == "lm_head.weight");
  CHECK(llama.key_heads == llama.heads);
  CHECK(llama.buffers.size() == 2);
  const ModelFacts t5 = opened("t5")->facts();
  CHECK(t5.decoder_layers == 2);
  CHECK(t5.left_over.empty());
  CHECK(t5.without_effect == std::vector<std::string>{"decoder.block.0.layer.1.EncDecAttention."
                                                      "relative_attention_bias.weight"});
  const ModelFacts bare = opened("bert-bare")->facts();
  CHECK(bare.head.empty());
  CHECK(bare.buffers == std::vector<std::string>{"embeddings.position_ids"});
  const ModelFacts bert = opened("bert")->facts();
  CHECK(bert.tied);
  CHECK(bert.left_over.empty());
  CHECK(bert.without_effect ==
        std::vector<std::string>{"cls.seq_relationship.weight", "cls.seq_relationship.bias"});
}

TEST_CASE("facts of positions: what the labs of positions and precision open with") {
  const PositionFacts pythia = opened("pythia")->facts().positions;
  REQUIRE(pythia.rotary);
  CHECK(pythia.rotary->width == 4);
  CHECK(pythia.rotary->head_width == 16);
  CHECK(pythia.rotary->base == 10000);
  CHECK(pythia.context == 16);
  CHECK_FALSE(pythia.limited);
  const PositionFacts bloom = opened("bloom-post")->facts().positions;
  REQUIRE(bloom.slopes.size() == 3);  // 2 heads' slopes, then every other one of 4 heads'
  CHECK(bloom.slopes[0] == 0x1p-4);
  CHECK(bloom.slopes[1] == 0x1p-8);
  CHECK(bloom.slopes[2] == 0x1p-2);
  const PositionFacts mt5 = opened("mt5")->facts().positions;
  REQUIRE(mt5.buckets.size() == 2);
  CHECK(mt5.buckets[0].encoder);
  CHECK(mt5.buckets[0].spec.bidirectional);
  CHECK_FALSE(mt5.buckets[1].spec.bidirectional);
  CHECK(mt5.buckets[1].table.shape == std::vector<Index>{8, 3});
  const PositionFacts gpt2 = opened("gpt2")->facts().positions;
  REQUIRE(gpt2.learned);
  CHECK(gpt2.learned->shape == std::vector<Index>{16, 16});
  CHECK(gpt2.limited);
  CHECK(opened("mistral")->facts().positions.windows == std::vector<Index>{4, 4});
  CHECK(opened("mistral-headdim")->facts().positions.windows == std::vector<Index>{0, 0});
  CHECK(opened("qwen2")->facts().positions.windows == std::vector<Index>{0, 0});
  CHECK(opened("qwen2-window")->facts().positions.windows == std::vector<Index>{0, 3});
}

TEST_CASE("a list of layers with windows is taken before max_window_layers") {
  Variant variant("qwen2-window");
  variant.config("\"max_window_layers\": 1",
                 "\"layer_types\": [\"sliding_attention\", \"full_attention\"]");
  CHECK(open_model(variant.path())->facts().positions.windows == std::vector<Index>{3, 0});
}

TEST_CASE("weights are read when they are needed, and kept up to a limit") {
  const auto model = opened("llama3");
  CHECK(model->weights().bytes_kept() == 0);
  const Matrix first = model->forward<float>({.tokens = kText}).logits;
  const Index kept = model->weights().bytes_kept();
  CHECK(kept > 0);
  CHECK(same_bits(model->forward<float>({.tokens = kText}).logits, first));
  CHECK(model->weights().bytes_kept() == kept);
  const auto tight = open_model(reference("llama3"), {.most_bytes = kept / 2});
  CHECK(same_bits(tight->forward<float>({.tokens = kText}).logits, first));
  CHECK(tight->weights().bytes_kept() <= kept / 2);
  // The first layer alone, cancelled behind it, needs a part of them.
  const auto other = opened("llama3");
  ForwardOptions<float> options;
  options.seen = [](const Trace<float>&, const Seen& seen) {
    if (seen.what == Seen::What::layer) throw core::Cancelled{};
  };
  CHECK_THROWS_AS(other->forward<float>({.tokens = kText}, options), core::Cancelled);
  CHECK(other->weights().bytes_kept() < kept);
  CHECK(other->weights().bytes_kept() > 0);
}

TEST_CASE("the same bits with any number of threads") {
  for (const std::string& name : kDecoders) {
    CAPTURE(name);
    const auto model = opened(name);
    ForwardOptions<float> one, three;
    one.threads = 1, three.threads = 3;
    const Trace<float> a = model->forward<float>({.tokens = kText}, one);
    const Trace<float> b = model->forward<float>({.tokens = kText}, three);
    CHECK(same_bits(a.logits, b.logits));
    for (std::size_t l = 0; l < a.decoder.layers.size(); ++l) {
      CHECK(same_bits(a.decoder.layers[l]->hidden, b.decoder.layers[l]->hidden));
    }
  }
}

TEST_CASE("layer by layer: what is shown is complete and stays") {
  const auto model = opened("mt5");
  std::vector<std::string> order;
  std::vector<std::shared_ptr<const Layer<float>>> taken;
  std::vector<float> shares;
  std::atomic<float> share = 0;
  ForwardOptions<float> options;
  options.keep_layers = false;
  options.seen = [&](const Trace<float>& trace, const Seen& seen) {
    shares.push_back(share);
    const Stack<float>& stack = seen.encoder ? trace.encoder : trace.decoder;
    std::string at = seen.encoder ? "encoder " : "decoder ";
    switch (seen.what) {
      case Seen::What::embedding:
        CHECK(stack.embedding.rows() > 0);
        order.push_back(at + "embedding");
        break;
      case Seen::What::layer:
        CHECK(static_cast<Index>(stack.layers.size()) == seen.layer + 1);
        taken.push_back(stack.layers.back());
        order.push_back(at + std::to_string(seen.layer));
        break;
      case Seen::What::final_norm: order.push_back(at + "norm"); break;
      case Seen::What::pooled: order.push_back("pooled"); break;
      case Seen::What::logits: order.push_back("logits"); break;
    }
  };
  const Input input{.tokens = {3, 4, 5}, .decoder_tokens = {0, 7}};
  const Trace<float> without =
      model->forward<float>(input, options, core::Cancel(std::stop_token{}, &share));
  CHECK(order == std::vector<std::string>{"encoder embedding", "encoder 0", "encoder 1",
                                          "encoder norm", "decoder embedding", "decoder 0",
                                          "decoder norm", "logits"});
  CHECK(std::is_sorted(shares.begin(), shares.end()));
  CHECK(shares.back() == 0.75F);
  CHECK(share == 1.F);
  CHECK(without.encoder.layers == std::vector<std::shared_ptr<const Layer<float>>>(2));
  const Trace<float> whole = model->forward<float>(input);
  REQUIRE(taken.size() == 3);
  CHECK(same_bits(taken[0]->hidden, whole.encoder.layers[0]->hidden));
  CHECK(same_bits(taken[2]->hidden, whole.decoder.layers[0]->hidden));
  CHECK(taken[2]->cross.weights.size() == 3);
  CHECK(taken[2]->cross.weights[0].rows() == 2);
  CHECK(taken[2]->cross.weights[0].cols() == 3);
}

TEST_CASE("cancelled at any question, it throws Cancelled and nothing else") {
  const auto model = opened("qwen3");
  bool ended = false;
  for (std::int64_t after = 1; after < 2000 && !ended; after += 7) {
    std::atomic<std::int64_t> questions = after;
    try {
      model->forward<float>({.tokens = kText}, {}, core::Cancel(questions));
      ended = true;
    } catch (const core::Cancelled&) {
    }
  }
  CHECK(ended);
}

TEST_CASE("the lens of the last layer is the logits, of every architecture") {
  for (const std::string& name : kDecoders) {
    CAPTURE(name);
    const auto model = opened(name);
    const Trace<double> trace = model->forward<double>({.tokens = kText});
    CHECK(same_bits(model->read_out<double>(trace.decoder.layers.back()->hidden), trace.logits));
  }
  const auto bert = opened("bert");
  const Trace<double> masked = bert->forward<double>({.tokens = kText});
  CHECK(same_bits(bert->read_out<double>(masked.encoder.layers.back()->hidden), masked.logits));
  const auto t5 = opened("t5");
  const Trace<double> both = t5->forward<double>({.tokens = kText, .decoder_tokens = {0, 9}});
  CHECK(same_bits(t5->read_out<double>(both.decoder.layers.back()->hidden), both.logits));
  CHECK_THROWS_WITH_AS(opened("bert-bare")->read_out<float>(Matrix::Zero(1, 18)),
                       "logits: expected a model with a head, got BERT without one",
                       core::InputError);
  CHECK_THROWS_AS(bert->read_out<float>(Matrix::Zero(1, 18)), core::InputError);
}

TEST_CASE(
    "a trace that is used again has the numbers of a fresh one, and leaves what others hold") {
  for (const std::string name : {"gpt2", "qwen2-window"}) {
    const auto model = opened(name);
    ForwardOptions<float> all, little;
    all.keep_heads = true;
    little.keep_weights = false, little.logits = Logits::none;
    Trace<float> trace = model->forward<float>({.tokens = kText}, all);
    const std::shared_ptr<const Layer<float>> held = trace.decoder.layers[0];
    const Matrix hidden = held->hidden;
    const Input other{.tokens = {7, 7, 3}};
    for (int again = 0; again < 2; ++again) {
      model->forward_into(other, trace);
      const Trace<float> fresh = model->forward<float>(other);
      CHECK(same_bits(trace.logits, fresh.logits));
      for (std::size_t l = 0; l < 2; ++l) {
        const Layer<float>&a = *trace.decoder.layers[l], &b = *fresh.decoder.layers[l];
        CHECK(same_bits(a.hidden, b.hidden));
        CHECK(a.self.queries.size() == 0);
        REQUIRE(a.self.weights.size() == b.self.weights.size());
        for (std::size_t h = 0; h < a.self.weights.size(); ++h) {
          CHECK(same_bits<float>(a.self.weights[h].matrix(), b.self.weights[h].matrix()));
        }
      }
    }
    CHECK(same_bits(held->hidden, hidden));
    model->forward_into(other, trace, little);
    CHECK(trace.logits.size() == 0);
    CHECK(trace.decoder.layers[1]->self.weights.empty());
  }
}

TEST_CASE("logits of the last token alone, or none") {
  const auto model = opened("gpt2");
  const Matrix all = model->forward<float>({.tokens = kText}).logits;
  ForwardOptions<float> last, none;
  last.logits = Logits::last, none.logits = Logits::none;
  const Matrix one = model->forward<float>({.tokens = kText}, last).logits;
  REQUIRE(one.rows() == 1);
  CHECK((one.row(0) - all.row(all.rows() - 1)).cwiseAbs().maxCoeff() < 1e-5F);
  CHECK(model->forward<float>({.tokens = kText}, none).logits.size() == 0);
}

TEST_CASE("kept queries and keys give the kept weights") {
  for (const std::string name : {"llama-gqa-sharded", "llama-yarn", "qwen3"}) {
    CAPTURE(name);
    const auto model = opened(name);
    ForwardOptions<double> options;
    options.keep_heads = true;
    const Trace<double> trace = model->forward<double>({.tokens = kText}, options);
    const Attending<double>& self = trace.decoder.layers[1]->self;
    const ModelFacts& f = model->facts();
    const Index c = f.head_width, n = self.queries.rows();
    for (Index h = 0; h < f.heads; ++h) {
      const Index group = h / (f.heads / f.key_heads);
      const MatrixD scores = self.queries.middleCols(h * c, c) *
                             self.keys.middleCols(group * c, c).transpose() /
                             std::sqrt(static_cast<double>(c));
      const MatrixD weights = core::masked_softmax<double>(scores, core::Mask::causal(n, n));
      const MatrixD& kept = self.weights[static_cast<std::size_t>(h)];
      CHECK((weights - kept).cwiseAbs().maxCoeff() < 1e-12);
    }
  }
}

TEST_CASE("without weights the numbers are the same") {
  const auto model = opened("mistral");
  ForwardOptions<float> options;
  options.keep_weights = false;
  const Trace<float> trace = model->forward<float>({.tokens = kText}, options);
  CHECK(trace.decoder.layers[0]->self.weights.empty());
  CHECK(same_bits(trace.logits, model->forward<float>({.tokens = kText}).logits));
}

TEST_CASE("a silent head gives nothing; none silent changes no bit") {
  const auto model = opened("llama-gqa-sharded");
  const Matrix sound = model->forward<float>({.tokens = kText}).logits;
  ForwardOptions<float> none, one, all;
  none.ablated = [](const HeadIndex&) { return false; };
  one.ablated = [](const HeadIndex& at) { return at.layer == 1 && at.head == 2; };
  all.ablated = [](const HeadIndex&) { return true; };
  CHECK(same_bits(model->forward<float>({.tokens = kText}, none).logits, sound));
  CHECK_FALSE(same_bits(model->forward<float>({.tokens = kText}, one).logits, sound));
  // Without any head, equal tokens have equal logits wherever they stand.
  const Matrix deaf = model->forward<float>({.tokens = {7, 3, 7}}, all).logits;
  CHECK((deaf.row(0) - deaf.row(2)).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("a text that begins later: only distances matter, until angles are rounded") {
  const auto model = opened("llama-gqa-sharded");
  const MatrixD near = model->forward<double>({.tokens = kText}).logits;
  ForwardOptions<double> later, exact, rounded;
  later.first_position = exact.first_position = rounded.first_position = 10000;
  CHECK((model->forward<double>({.tokens = kText}, later).logits - near).cwiseAbs().maxCoeff() <
        1e-9);
  exact.rotary_table = [](const core::VectorD& theta, const core::VectorD& places,
                          double multiplier) {
    CHECK(places[0] == 10000);
    CHECK(multiplier == 1);
    return core::rotary_angles(places, theta);
  };
  CHECK((model->forward<double>({.tokens = kText}, exact).logits - near).cwiseAbs().maxCoeff() <
        1e-9);
  // bfloat16 has 8 bits: at 10,000 places are multiples of 64, so all tokens here share one.
  rounded.rotary_table = [](const core::VectorD& theta, const core::VectorD& places, double) {
    return core::rotary_angles((places / 64).array().round().matrix() * 64, theta);
  };
  CHECK((model->forward<double>({.tokens = kText}, rounded).logits - near).cwiseAbs().maxCoeff() >
        1e-2);
  CHECK_THROWS_WITH_AS(opened("gpt2")->forward<double>({.tokens = kText}, later),
                       "positions: expected a model that rotates queries and keys, got GPT-2",
                       core::InputError);
  later.first_position = -1;
  CHECK_THROWS_AS(model->forward<double>({.tokens = kText}, later), core::InputError);
}

TEST_CASE("rows enough for the packed products, in every stored format") {
  // Texts of more than 8 tokens are multiplied by panels, shorter ones row by row: both ways are
  // near the pass in double.
  for (const std::string name : {"llama", "pythia", "mistral"}) {
    const auto model = opened(name);
    for (const Index n : {1, 8, 9, 61}) {
      CAPTURE(name);
      CAPTURE(n);
      Input input;
      for (Index i = 0; i < n; ++i) input.tokens.push_back(static_cast<std::int32_t>(i * i % 44));
      const Matrix floats = model->forward<float>(input).logits;
      const MatrixD doubles = model->forward<double>(input).logits;
      CHECK((floats.cast<double>() - doubles).cwiseAbs().maxCoeff() < 1e-4);
    }
  }
}

TEST_CASE("padding anywhere hides keys only") {
  const auto bert = opened("bert");
  const Trace<double> trace =
      bert->forward<double>({.tokens = {5, 6, 7, 8}, .attention_mask = {true, false, true, false}});
  for (const auto& layer : trace.encoder.layers) {
    for (const MatrixD& head : layer->self.weights) {
      CHECK(head.col(1).isZero());
      CHECK(head.col(3).isZero());
      CHECK((head.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12);
    }
  }
  CHECK(trace.pooled.size() == 16);
}

TEST_CASE("float64 weights: exact in double, rounded once in float; turned ones are turned") {
  const double third = 1.0 / 3;
  std::string bytes(6 * sizeof(double), '\0');
  for (int k = 0; k < 6; ++k) {
    const double x = third * (k + 1);
    std::memcpy(bytes.data() + k * 8, &x, 8);
  }
  core::Tensor tensor;
  tensor.name = "w", tensor.type = core::NumberType::float64, tensor.shape = {2, 3};
  tensor.bytes = std::make_shared<core::MemoryBytes>(bytes);
  const Weights weights({{tensor, 2, 3, false}, {tensor, 3, 2, true}}, 1 << 20);
  const Parameter plain{0}, transposed{1};
  CHECK(weights.exact(plain, {})(1, 0) == third * 4);
  CHECK(weights.exact(transposed, {})(0, 1) == third * 4);
  std::vector<float> row(3);
  weights.matrix(plain, {})->read(1, row.data());
  CHECK(row[0] == static_cast<float>(third * 4));
  weights.matrix(transposed, {})->read(2, row.data());
  CHECK(row[1] == static_cast<float>(third * 6));
  CHECK(weights.bytes_kept() == 2 * 6 * 4);
  CHECK(weights.some_rows<float>(plain, {1, 1}, {})(1, 2) == static_cast<float>(third * 6));
}

TEST_CASE("one architecture, one line") {
  for (const Architecture& one : architectures()) {
    CHECK_FALSE(one.type.empty());
    CHECK_FALSE(one.name.empty());
  }
  CHECK(architectures().size() == 10);
}

TEST_CASE("bytes in memory open as their folder does") {
  const std::string config = test::read(reference("gpt2") / "config.json");
  const std::string tensors = test::read(reference("gpt2") / "model.safetensors");
  const auto model = open_model({"a gpt2", config, tensors});
  CHECK(model->facts().parameters == opened("gpt2")->facts().parameters);
  CHECK(same_bits(model->forward<float>({.tokens = kText}).logits,
                  opened("gpt2")->forward<float>({.tokens = kText}).logits));
  std::string told;
  try {
    open_model({"a gpt2", config, std::string_view(tensors).substr(0, 6)});
  } catch (const core::InputError& error) {
    told = error.what();
  }
  CHECK(told.starts_with("a gpt2/model.safetensors: expected"));
  CHECK_THROWS_AS(open_model({"a gpt2", "[]", tensors}), core::InputError);
}

TEST_CASE("the trace says what products are multiplied by") {
  const auto scale = [](const std::string& name) {
    return opened(name)->forward<float>({.tokens = kText}).decoder.layers[0]->self.scale;
  };
  CHECK(scale("gpt2") == 1 / std::sqrt(8.0));
  CHECK(scale("llama-yarn") == 0.25);  // heads 16 wide
  const auto t5 = opened("t5")->forward<float>({.tokens = kText, .decoder_tokens = {0, 3}});
  CHECK(t5.encoder.layers[1]->self.scale == 1);
  CHECK(t5.decoder.layers[0]->cross.scale == 1);
}

TEST_SUITE_END();

}  // namespace checkpoint_test
