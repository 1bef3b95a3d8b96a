// GPT-2: Radford et al. 2019, "Language models are unsupervised multitask learners", section 2.3.
// Its matrices are (inputs, outputs); queries, keys and values are thirds of one of them.
#include <cmath>

#include "core/checkpoint/architecture.h"

namespace core::checkpoint {
namespace {

struct Gpt2 {
  struct Block {
    Norm before_attention, before_mlp;
    Linear heads, output, wide, narrow;
    HeadForm form;
  };
  Parameter tokens, positions;
  std::vector<Block> blocks;
  Norm last;
  Linear head;
  model::Activation function;

  explicit Gpt2(Opening& o) {
    const Config& config = o.config;
    ModelFacts& f = o.facts;
    f.vocabulary = config.size("vocab_size");
    f.width = config.size("n_embd");
    f.heads = f.key_heads = config.size("n_head");
    f.layers = config.layers("n_layer");
    f.feed_forward = config.size("n_inner", 4 * f.width);
    f.positions.context = config.size(config.first_of({"n_positions", "n_ctx"}));
    f.positions.limited = true;
    config.require_divides("n_head", f.heads, "n_embd", f.width);
    f.head_width = f.width / f.heads;
    f.positions.windows.assign(static_cast<std::size_t>(f.layers), 0);
    function = config.activation("activation_function", model::Activation::gelu_tanh);
    const double epsilon = config.positive("layer_norm_epsilon", 1e-5);
    if (config.flag("add_cross_attention", false)) {
      config.refuse("add_cross_attention", Message(N_("a decoder without an encoder (false)")));
    }
    o.names.choose_prefix({"", "transformer."}, {"wte.weight", "ln_f.weight"});
    o.names.buffers({".attn.bias", ".attn.masked_bias"});
    o.names.require_layers("h.", f.layers);
    tokens = o.embedding({"wte.weight"}, "lm_head.weight", true);
    positions = o.names.matrix("wpe.weight", f.positions.context, f.width);
    f.positions.learned = o.tensor(positions);
    for (Index l = 0; l < f.layers; ++l) blocks.push_back(block(o, l, epsilon));
    last = o.layer_norm("ln_f", f.width, epsilon);
    head = {o.head("lm_head.weight", tokens, true), {}};
  }

  static Block block(Opening& o, Index layer, double epsilon) {
    const ModelFacts& f = o.facts;
    const std::string at = "h." + std::to_string(layer) + ".";
    const auto transposed = [&](const std::string& name, Index outputs, Index inputs) {
      return Linear{o.names.transposed(at + name + ".weight", outputs, inputs),
                    o.names.vector(at + name + ".bias", outputs)};
    };
    Block b{o.layer_norm(at + "ln_1", f.width, epsilon),
            o.layer_norm(at + "ln_2", f.width, epsilon),
            transposed("attn.c_attn", 3 * f.width, f.width),
            transposed("attn.c_proj", f.width, f.width),
            transposed("mlp.c_fc", f.feed_forward, f.width),
            transposed("mlp.c_proj", f.width, f.feed_forward),
            {.heads = f.heads, .key_heads = f.heads, .width = f.head_width}};
    if (o.config.flag("scale_attn_weights", true)) {
      b.form.scale = 1 / std::sqrt(static_cast<double>(f.head_width));
    }
    if (o.config.flag("scale_attn_by_inverse_layer_idx", false)) {
      b.form.scale /= static_cast<double>(layer + 1);
    }
    return b;
  }

  template <class S>
  void operator()(Pass<S>& pass) const {
    MatrixOf<S> x = pass.embed(tokens, pass.tokens());
    x += pass.positions(positions, x.rows());
    pass.embedded(x);
    for (const Block& b : blocks) {
      if (pass.known_layer(x)) continue;
      pass.begin_layer();
      const MatrixOf<S> heads = pass.project(pass.norm(x, b.before_attention), b.heads);
      const MatrixOf<S> seen = pass.attend(part_of(heads, 1, 3, 0), part_of(heads, 1, 3, 1),
                                           part_of(heads, 1, 3, 2), b.form);
      x += pass.project(seen, b.output);
      MatrixOf<S> wide = pass.project(pass.norm(x, b.before_mlp), b.wide);
      pass.activate(wide, function);
      x += pass.fed(pass.project(wide, b.narrow));
      pass.end_layer(x);
    }
    const MatrixOf<S> out = pass.norm(x, last);
    pass.normed(out);
    if (pass.wants_logits() && head.weight) pass.logits(pass.wanted(out), head);
  }

  StreamForm stream() const {
    StreamForm made{tokens, positions, {}, last, head};
    for (const Block& b : blocks) made.layers.push_back({b.output, b.narrow});
    return made;
  }

  std::shared_ptr<const DecoderParts> parts() const {
    DecoderParts made{tokens, positions, {}, last, head, function};
    for (const Block& b : blocks) {
      made.layers.push_back(
          {b.before_attention, b.before_mlp, {b.heads}, b.output, {b.wide}, b.narrow, b.form});
    }
    return std::make_shared<const DecoderParts>(std::move(made));
  }

  template <class S>
  MatrixOf<S> read_out(Pass<S>& pass, const MatrixOf<S>& hidden) const {
    return pass.project(pass.norm(hidden, last), head);
  }
};

}  // namespace

std::unique_ptr<Model> open_gpt2(Opening& opening) { return ModelOf<Gpt2>::open(opening); }

}  // namespace core::checkpoint
