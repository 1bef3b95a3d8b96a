// T5 and mT5: Raffel et al. 2020, arXiv:1910.10683, section 2.1; Xue et al. 2021, arXiv:2010.11934.
// Scores are not divided, positions are a bias by bucket of distance that the first layer's table
// says for all of its stack, and nothing has a bias else.
#include <cmath>

#include "core/checkpoint/architecture.h"

namespace core::checkpoint {
namespace {

// feed_forward_proj.
struct Proj {
  model::Activation function;
  bool gated;
};
constexpr Word<Proj> kProjections[] = {{"relu", {model::Activation::relu, false}},
                                       {"gelu", {model::Activation::gelu, false}},
                                       {"gelu_new", {model::Activation::gelu_tanh, false}},
                                       {"silu", {model::Activation::silu, false}},
                                       {"gated-gelu", {model::Activation::gelu_tanh, true}},
                                       {"gated-relu", {model::Activation::relu, true}},
                                       {"gated-silu", {model::Activation::silu, true}}};

class T5 {
 public:
  struct Usual {
    bool tied;
    Proj proj;
    double epsilon = 1e-6;
  };
  T5(Opening& o, const Usual& usual) {
    read_sizes(o, usual);
    ModelFacts& f = o.facts;
    const double epsilon = o.config.positive("layer_norm_epsilon", usual.epsilon);
    o.names.choose_prefix({"", "transformer."}, {"encoder.final_layer_norm.weight"});
    // The first files have a table for cross-attention, too, which T5 adds to nothing.
    o.names.without_effect({"EncDecAttention.relative_attention_bias.weight"});
    require_decoder(o);
    o.names.require_layers("encoder.block.", f.layers);
    o.names.require_layers("decoder.block.", f.decoder_layers);
    name_embeddings(o, usual.tied);
    encoder_ = stack(o, true, f.layers, epsilon);
    // Newer files say by itself whether the decoder's output is scaled.
    if (o.config.flag("scale_decoder_outputs", o.ties(usual.tied))) {
      factor_ = f.head_scale = 1 / std::sqrt(static_cast<double>(f.width));
    }
    if (f.kind == Kind::encoder) return;
    decoder_ = stack(o, false, f.decoder_layers, epsilon);
    head_ = {o.head("lm_head.weight", tokens_, usual.tied), {}};
  }

  template <class S>
  void operator()(Pass<S>& pass) const {
    MatrixOf<S> memory;  // what the decoder looks at; none where it knows its keys and values
    if (!pass.knows_encoder()) {
      pass.begin_encoder();
      memory = run(pass, encoder_, pass.tokens(), memory);
    }
    if (decoder_.blocks.empty()) return;
    pass.begin_decoder();
    const MatrixOf<S> out = run(pass, decoder_, pass.input().decoder_tokens, memory);
    if (pass.wants_logits() && head_.weight) pass.logits(scaled(pass.wanted(out)), head_);
  }

  template <class S>
  MatrixOf<S> read_out(Pass<S>& pass, const MatrixOf<S>& hidden) const {
    return pass.project(scaled(pass.norm(hidden, decoder_.last)), head_);
  }

 private:
  struct Looks {
    Norm before;
    Linear query, key, value, output;
  };
  struct Block {
    Looks self, cross;  // cross: the decoder's
    Norm before_mlp;
    Linear gate, wide, narrow;  // gate: where it is gated
  };
  struct Side {
    Parameter tokens;
    std::vector<Block> blocks;
    Norm last;
    HeadForm self, cross;
  };

  // An encoder alone is what its class says it is, or a file of another class without a decoder.
  static void require_decoder(Opening& o) {
    ModelFacts& f = o.facts;
    if (o.names.has("decoder.final_layer_norm.weight") || o.is_a({"ForConditionalGeneration"}))
      return;
    f.kind = Kind::encoder;
    f.decoder_layers = 0;
  }

  // One table for both texts, under one of three names; a file in which the stacks' own differ from
  // it has them for themselves.
  void name_embeddings(Opening& o, bool tied) {
    const std::string encoder = "encoder.embed_tokens.weight";
    const std::string decoder = "decoder.embed_tokens.weight";
    tokens_ = o.embedding({"shared.weight", encoder, decoder}, "lm_head.weight", tied);
    encoder_.tokens = own_table(o, encoder);
    decoder_.tokens = own_table(o, decoder);
  }
  Parameter own_table(Opening& o, const std::string& name) const {
    if (!o.names.has(name) || o.names.name_of(tokens_) == o.names.prefix() + name) return tokens_;
    if (o.names.repeats(name, tokens_, o.cancel)) return tokens_;
    o.facts.remarks.push_back(
        Message(N_("{} in the file has other numbers than {}: they are used for its text."), name,
                o.names.name_of(tokens_)));
    return o.names.matrix(name, o.facts.vocabulary, o.facts.width);
  }

  void read_sizes(Opening& o, const Usual& usual) {
    const Config& config = o.config;
    ModelFacts& f = o.facts;
    f.kind = Kind::encoder_decoder;
    f.vocabulary = config.size("vocab_size");
    f.width = config.size("d_model");
    f.heads = f.key_heads = config.size("num_heads");
    f.head_width = config.size("d_kv");
    f.feed_forward = config.size("d_ff");
    f.layers = config.layers("num_layers");
    f.decoder_layers = config.layers("num_decoder_layers", f.layers);
    f.decoder_start = config.size("decoder_start_token_id", 0, f.vocabulary - 1, 0);
    // Buckets reach endlessly; what it was trained on is said by some files alone.
    f.positions.context = config.size("n_positions", 512);
    f.positions.windows.assign(static_cast<std::size_t>(f.layers), 0);
    config.flag("is_encoder_decoder", true);  // what there is of the two the tensors tell
    proj_ = config.word<Proj>("feed_forward_proj", kProjections, usual.proj);
    require_projection(config);
    buckets_.buckets = config.size("relative_attention_num_buckets", 32, 1024);
    buckets_.max_distance = config.size("relative_attention_max_distance", 128);
    if (buckets_.buckets < 4 || buckets_.buckets % 2 != 0) {
      config.refuse("relative_attention_num_buckets", Message(N_("an even number of at least 4")));
    }
    if (buckets_.max_distance <= buckets_.buckets / 2) {
      config.refuse("relative_attention_max_distance",
                    Message(N_("a number above half of the {} buckets"), buckets_.buckets));
    }
  }

  // Newer files say twice what is done between the two layers of a network.
  void require_projection(const Config& config) const {
    if (config.gives("dense_act_fn") && config.activation("dense_act_fn") != proj_.function) {
      config.refuse("dense_act_fn", Message(N_("the function of {}"), "feed_forward_proj"));
    }
    if (config.flag("is_gated_act", proj_.gated) != proj_.gated) {
      config.refuse("is_gated_act", Message(N_("the same as {}"), "feed_forward_proj"));
    }
  }

  static Looks looks(Opening& o, const std::string& layer, const std::string& part,
                     double epsilon) {
    const ModelFacts& f = o.facts;
    const Index joined = f.heads * f.head_width;
    const std::string at = layer + part + ".";
    return {o.rms_norm(layer + "layer_norm", f.width, epsilon),
            o.linear(at + "q", joined, f.width, false), o.linear(at + "k", joined, f.width, false),
            o.linear(at + "v", joined, f.width, false), o.linear(at + "o", f.width, joined, false)};
  }

  Block block(Opening& o, const std::string& at, bool encoder, double epsilon) const {
    const ModelFacts& f = o.facts;
    Block b;
    b.self = looks(o, at + "layer.0.", "SelfAttention", epsilon);
    if (!encoder) b.cross = looks(o, at + "layer.1.", "EncDecAttention", epsilon);
    const std::string last = at + (encoder ? "layer.1." : "layer.2.");
    const std::string inner = last + "DenseReluDense.";
    b.before_mlp = o.rms_norm(last + "layer_norm", f.width, epsilon);
    if (proj_.gated) b.gate = o.linear(inner + "wi_0", f.feed_forward, f.width, false);
    b.wide = o.linear(inner + (proj_.gated ? "wi_1" : "wi"), f.feed_forward, f.width, false);
    b.narrow = o.linear(inner + "wo", f.width, f.feed_forward, false);
    return b;
  }

  Side stack(Opening& o, bool encoder, Index layers, double epsilon) const {
    const ModelFacts& f = o.facts;
    const std::string side = encoder ? "encoder." : "decoder.";
    Side s;
    s.tokens = (encoder ? encoder_ : decoder_).tokens;
    for (Index l = 0; l < layers; ++l) {
      s.blocks.push_back(block(o, side + "block." + std::to_string(l) + ".", encoder, epsilon));
    }
    s.last = o.rms_norm(side + "final_layer_norm", f.width, epsilon);
    s.cross = {.heads = f.heads, .key_heads = f.heads, .width = f.head_width, .causal = false};
    s.self = s.cross;
    s.self.causal = !encoder;
    s.self.bucket_spec = buckets_;
    s.self.bucket_spec.bidirectional = encoder;
    s.self.buckets =
        o.names.matrix(side + "block.0.layer.0.SelfAttention.relative_attention_bias.weight",
                       buckets_.buckets, f.heads);
    o.facts.positions.buckets.push_back({s.self.bucket_spec, o.tensor(s.self.buckets), encoder});
    return s;
  }

  template <class S>
  static MatrixOf<S> look(Pass<S>& pass, const Looks& l, const MatrixOf<S>& x,
                          const HeadForm& form) {
    const MatrixOf<S> given = pass.norm(x, l.before);
    return pass.project(pass.attend(pass.project(given, l.query), pass.project(given, l.key),
                                    pass.project(given, l.value), form),
                        l.output);
  }

  template <class S>
  static MatrixOf<S> look_across(Pass<S>& pass, const Looks& l, const MatrixOf<S>& x,
                                 const MatrixOf<S>& memory, const HeadForm& form) {
    MatrixOf<S> query = pass.project(pass.norm(x, l.before), l.query), key, value;
    if (!pass.knows_encoder()) {
      key = pass.project(memory, l.key);
      value = pass.project(memory, l.value);
    }
    return pass.project(
        pass.attend_across(std::move(query), std::move(key), std::move(value), form), l.output);
  }

  template <class S>
  MatrixOf<S> think(Pass<S>& pass, const Block& b, const MatrixOf<S>& x) const {
    const MatrixOf<S> given = pass.norm(x, b.before_mlp);
    MatrixOf<S> wide = pass.project(given, b.wide);
    if (proj_.gated) {
      wide = pass.gated(pass.project(given, b.gate), wide, proj_.function);
    } else {
      pass.activate(wide, proj_.function);
    }
    return pass.project(wide, b.narrow);
  }

  template <class S>
  MatrixOf<S> run(Pass<S>& pass, const Side& side, const std::vector<std::int32_t>& ids,
                  const MatrixOf<S>& memory) const {
    MatrixOf<S> x = pass.embed(side.tokens, ids);
    pass.embedded(x);
    for (const Block& b : side.blocks) {
      pass.begin_layer();
      x += look(pass, b.self, x, side.self);
      if (b.cross.query.weight) x += look_across(pass, b.cross, x, memory, side.cross);
      x += think(pass, b, x);
      pass.end_layer(x);
    }
    x = pass.norm(x, side.last);
    pass.normed(x);
    return x;
  }

  template <class S>
  MatrixOf<S> scaled(MatrixOf<S> out) const {
    if (factor_ != 1) out *= static_cast<S>(factor_);
    return out;
  }

  Parameter tokens_;
  Side encoder_, decoder_;
  Linear head_;
  double factor_ = 1;  // a head that was made as a tied one is given the output times 1 / sqrt(d)
  Proj proj_ = {};
  T5BucketSpec buckets_;
};

struct FirstT5 : T5 {
  explicit FirstT5(Opening& o) : T5(o, {.tied = true, .proj = {model::Activation::relu, false}}) {}
};
struct Mt5 : T5 {
  explicit Mt5(Opening& o) : T5(o, {.tied = false, .proj = {model::Activation::gelu_tanh, true}}) {}
};

}  // namespace

std::unique_ptr<Model> open_t5(Opening& opening) { return ModelOf<FirstT5>::open(opening); }
std::unique_ptr<Model> open_mt5(Opening& opening) { return ModelOf<Mt5>::open(opening); }

}  // namespace core::checkpoint
