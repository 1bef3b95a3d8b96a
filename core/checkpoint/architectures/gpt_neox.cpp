// GPT-NeoX and Pythia: Black et al. 2022, arXiv:2204.06745, section 2.1; Biderman et al. 2023,
// arXiv:2304.01373. Attention and feed-forward beside each other, a part of each head turned, and
// each head's queries, keys and values together in one matrix.
#include <cmath>

#include "core/checkpoint/architecture.h"

namespace core::checkpoint {
namespace {

struct GptNeox {
  struct Block {
    Norm before_attention, before_mlp;
    Linear heads, output, wide, narrow;
  };
  Parameter tokens;
  std::vector<Block> blocks;
  Norm last;
  Linear head;
  HeadForm form;
  model::Activation function;
  bool parallel = true;

  explicit GptNeox(Opening& o) {
    const Config& config = o.config;
    ModelFacts& f = o.facts;
    f.vocabulary = config.size("vocab_size");
    f.width = config.size("hidden_size");
    f.heads = f.key_heads = config.size("num_attention_heads");
    f.layers = config.layers("num_hidden_layers");
    f.feed_forward = config.size("intermediate_size");
    f.positions.context = config.size("max_position_embeddings", 2048);
    config.require_divides("num_attention_heads", f.heads, "hidden_size", f.width);
    f.head_width = f.width / f.heads;
    f.positions.windows.assign(static_cast<std::size_t>(f.layers), 0);
    f.positions.rotary = read_rotary(config, f.head_width, f.positions.context,
                                     {"rotary_emb_base", "rotary_pct", 0.25});
    function = config.activation("hidden_act", model::Activation::gelu);
    parallel = config.flag("use_parallel_residual", true);
    form = {.heads = f.heads,
            .key_heads = f.heads,
            .width = f.head_width,
            .scale = 1 / std::sqrt(static_cast<double>(f.head_width)),
            .rotary = std::make_shared<const Rotary>(*f.positions.rotary)};
    o.names.choose_prefix({"gpt_neox.", ""}, {"embed_in.weight", "final_layer_norm.weight"});
    o.bare = o.names.prefix().empty();
    o.names.buffers({".attention.bias", ".attention.masked_bias", ".rotary_emb.inv_freq"});
    o.names.require_layers("layers.", f.layers);
    tokens = o.embedding({"embed_in.weight"}, "embed_out.weight", false);
    const double epsilon = config.positive("layer_norm_eps", 1e-5);
    const bool bias = config.flag("attention_bias", true);
    for (Index l = 0; l < f.layers; ++l) {
      const std::string at = "layers." + std::to_string(l) + ".";
      blocks.push_back({o.layer_norm(at + "input_layernorm", f.width, epsilon),
                        o.layer_norm(at + "post_attention_layernorm", f.width, epsilon),
                        o.linear(at + "attention.query_key_value", 3 * f.width, f.width, bias),
                        o.linear(at + "attention.dense", f.width, f.width, bias),
                        o.linear(at + "mlp.dense_h_to_4h", f.feed_forward, f.width),
                        o.linear(at + "mlp.dense_4h_to_h", f.width, f.feed_forward)});
    }
    last = o.layer_norm("final_layer_norm", f.width, epsilon);
    head = {o.head("embed_out.weight", tokens, false), {}};
  }

  template <class S>
  MatrixOf<S> look(Pass<S>& pass, const Block& b, const MatrixOf<S>& x) const {
    const MatrixOf<S> all = pass.project(pass.norm(x, b.before_attention), b.heads);
    return pass.project(pass.attend(part_of(all, form.heads, 3, 0), part_of(all, form.heads, 3, 1),
                                    part_of(all, form.heads, 3, 2), form),
                        b.output);
  }
  template <class S>
  MatrixOf<S> think(Pass<S>& pass, const Block& b, const MatrixOf<S>& x) const {
    MatrixOf<S> wide = pass.project(pass.norm(x, b.before_mlp), b.wide);
    pass.activate(wide, function);
    return pass.project(wide, b.narrow);
  }

  template <class S>
  void operator()(Pass<S>& pass) const {
    MatrixOf<S> x = pass.embed(tokens, pass.tokens());
    pass.embedded(x);
    for (const Block& b : blocks) {
      if (pass.known_layer(x)) continue;
      pass.begin_layer();
      const MatrixOf<S> seen = look(pass, b, x);
      if (parallel) {
        x += pass.fed(think(pass, b, x)) + seen;
      } else {
        x += seen;
        x += pass.fed(think(pass, b, x));
      }
      pass.end_layer(x);
    }
    const MatrixOf<S> out = pass.norm(x, last);
    pass.normed(out);
    if (pass.wants_logits() && head.weight) pass.logits(pass.wanted(out), head);
  }

  StreamForm stream() const {
    StreamForm made{{}, {}, {}, last, head};
    for (const Block& b : blocks) made.layers.push_back({b.output, b.narrow});
    return made;
  }

  template <class S>
  MatrixOf<S> read_out(Pass<S>& pass, const MatrixOf<S>& hidden) const {
    return pass.project(pass.norm(hidden, last), head);
  }
};

}  // namespace

std::unique_ptr<Model> open_gpt_neox(Opening& opening) { return ModelOf<GptNeox>::open(opening); }

}  // namespace core::checkpoint
