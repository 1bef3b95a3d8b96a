// The order of operations that LLaMA began with (Touvron et al. 2023, arXiv:2302.13971, section
// 2.2) and that Mistral and Qwen keep: root mean square norms first, rotary heads with grouped
// keys, and a gated feed-forward network.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/checkpoint/architecture.h"

namespace core::checkpoint {

// Differences between these models.
struct GatedForm {
  bool head_biases = false;  // of queries, keys and values
  bool output_bias = false;  // of what joins the heads
  bool mlp_bias = false;     // of gate, up and down
  bool norms_heads = false;  // each head's queries and keys, before they are turned
  double epsilon = 1e-6;     // what a missing rms_norm_eps means
  Index key_heads = 0;       // what a missing num_key_value_heads means; 0: as many as heads
  Index head_width = 0;      // what a missing head_dim means; 0: hidden_size / heads
  Index context = 2048;      // what a missing max_position_embeddings means
};

class GatedDecoder {
 public:
  // Reads the sizes, and names the tensors. `windows`: of every layer, or none.
  GatedDecoder(Opening& o, const GatedForm& with) : form_(with) {
    read_sizes(o);
    const ModelFacts& f = o.facts;
    o.names.choose_prefix({"model.", ""}, {"embed_tokens.weight", "norm.weight"});
    o.bare = o.names.prefix().empty();
    o.names.buffers({".rotary_emb.inv_freq"});
    o.names.require_layers("layers.", f.layers);
    tokens_ = o.embedding({"embed_tokens.weight"}, "lm_head.weight", false);
    for (Index l = 0; l < f.layers; ++l) blocks_.push_back(block(o, l));
    last_ = o.rms_norm("norm", f.width, epsilon_);
    head_ = {o.head("lm_head.weight", tokens_, false), {}};
  }

  template <class S>
  void operator()(Pass<S>& pass) const {
    MatrixOf<S> x = pass.embed(tokens_, pass.tokens());
    pass.embedded(x);
    for (const Block& b : blocks_) {
      if (pass.known_layer(x)) continue;
      pass.begin_layer();
      const MatrixOf<S> given = pass.norm(x, b.before_attention);
      MatrixOf<S> q = pass.project(given, b.query), k = pass.project(given, b.key);
      if (form_.norms_heads) {
        pass.norm_heads(q, b.query_norm, b.form.width);
        pass.norm_heads(k, b.key_norm, b.form.width);
      }
      x += pass.project(
          pass.attend(std::move(q), std::move(k), pass.project(given, b.value), b.form), b.output);
      const MatrixOf<S> inner = pass.norm(x, b.before_mlp);
      x += pass.fed(pass.project(
          pass.gated(pass.project(inner, b.gate), pass.project(inner, b.up), function_), b.down));
      pass.end_layer(x);
    }
    const MatrixOf<S> out = pass.norm(x, last_);
    pass.normed(out);
    if (pass.wants_logits() && head_.weight) pass.logits(pass.wanted(out), head_);
  }

  StreamForm stream() const {
    StreamForm made{{}, {}, {}, last_, head_};
    for (const Block& b : blocks_) made.layers.push_back({b.output, b.down});
    return made;
  }

  // Norms of single heads have no place in them.
  std::shared_ptr<const DecoderParts> parts() const {
    if (form_.norms_heads) return nullptr;
    DecoderParts made{tokens_, {}, {}, last_, head_, function_};
    for (const Block& b : blocks_) {
      made.layers.push_back({b.before_attention,
                             b.before_mlp,
                             {b.query, b.key, b.value},
                             b.output,
                             {b.gate, b.up},
                             b.down,
                             b.form});
    }
    return std::make_shared<const DecoderParts>(std::move(made));
  }

  template <class S>
  MatrixOf<S> read_out(Pass<S>& pass, const MatrixOf<S>& hidden) const {
    return pass.project(pass.norm(hidden, last_), head_);
  }

 protected:
  // The last keys that a query sees, itself among them, by layer; 0: all.
  void set_windows(Opening& o, std::vector<Index> windows) {
    for (std::size_t l = 0; l < windows.size(); ++l) blocks_[l].form.window = windows[l];
    o.facts.positions.windows = std::move(windows);
  }

 private:
  struct Block {
    Norm before_attention, before_mlp, query_norm, key_norm;
    Linear query, key, value, output, gate, up, down;
    HeadForm form;
  };

  void read_sizes(Opening& o) {
    const Config& config = o.config;
    ModelFacts& f = o.facts;
    f.vocabulary = config.size("vocab_size");
    f.width = config.size("hidden_size");
    f.heads = config.size("num_attention_heads");
    f.layers = config.layers("num_hidden_layers");
    f.feed_forward = config.size("intermediate_size");
    f.positions.context = config.size("max_position_embeddings", form_.context);
    f.positions.windows.assign(static_cast<std::size_t>(f.layers), 0);
    const bool missing = !config.has("num_key_value_heads") && form_.key_heads > 0;
    f.key_heads = config.size("num_key_value_heads", missing ? form_.key_heads : f.heads);
    config.require_divides("num_key_value_heads", f.key_heads, "num_attention_heads", f.heads);
    if (!config.gives("head_dim") && (config.has("head_dim") || form_.head_width == 0)) {
      config.require_divides("num_attention_heads", f.heads, "hidden_size", f.width);
      f.head_width = f.width / f.heads;
    } else {
      f.head_width = config.size("head_dim", form_.head_width);
    }
    f.positions.rotary = read_rotary(config, f.head_width, f.positions.context);
    rotary_ = std::make_shared<const Rotary>(*f.positions.rotary);
    function_ = config.activation("hidden_act", model::Activation::silu);
    epsilon_ = config.positive("rms_norm_eps", form_.epsilon);
  }

  Block block(Opening& o, Index layer) const {
    const ModelFacts& f = o.facts;
    const std::string at = "layers." + std::to_string(layer) + ".";
    const std::string looks = at + "self_attn.", thinks = at + "mlp.";
    const Index joined = f.heads * f.head_width, shared = f.key_heads * f.head_width;
    Block b{.before_attention = o.rms_norm(at + "input_layernorm", f.width, epsilon_),
            .before_mlp = o.rms_norm(at + "post_attention_layernorm", f.width, epsilon_),
            .query_norm = {},
            .key_norm = {},
            .query = o.linear(looks + "q_proj", joined, f.width, form_.head_biases),
            .key = o.linear(looks + "k_proj", shared, f.width, form_.head_biases),
            .value = o.linear(looks + "v_proj", shared, f.width, form_.head_biases),
            .output = o.linear(looks + "o_proj", f.width, joined, form_.output_bias),
            .gate = o.linear(thinks + "gate_proj", f.feed_forward, f.width, form_.mlp_bias),
            .up = o.linear(thinks + "up_proj", f.feed_forward, f.width, form_.mlp_bias),
            .down = o.linear(thinks + "down_proj", f.width, f.feed_forward, form_.mlp_bias),
            .form = {.heads = f.heads,
                     .key_heads = f.key_heads,
                     .width = f.head_width,
                     .scale = 1 / std::sqrt(static_cast<double>(f.head_width)),
                     .rotary = rotary_}};
    if (form_.norms_heads) {
      b.query_norm = o.rms_norm(looks + "q_norm", f.head_width, epsilon_);
      b.key_norm = o.rms_norm(looks + "k_norm", f.head_width, epsilon_);
    }
    return b;
  }

  GatedForm form_;
  Parameter tokens_;
  std::vector<Block> blocks_;
  Norm last_;
  Linear head_;
  std::shared_ptr<const Rotary> rotary_;
  model::Activation function_ = model::Activation::silu;
  double epsilon_ = 1e-6;
};

// Qwen's windows: a layer has one where layer_types says so, or, without such a list, from
// max_window_layers on; none at all unless use_sliding_window is true.
std::vector<Index> qwen_windows(const Config& config, Index layers);

}  // namespace core::checkpoint
