// BLOOM: Le Scao et al. 2022, arXiv:2211.05100, section 3.2. ALiBi in the place of positions, a
// norm of the embedding, and each head's queries, keys and values together in one matrix.
//
// The published code's tanh GELU has sqrt(2 / pi) rounded to 0.79788456; here it is exact, 4e-9
// off.
#include <cmath>

#include "core/checkpoint/architecture.h"
#include "core/position/relative/alibi.h"

namespace core::checkpoint {
namespace {

struct Bloom {
  struct Block {
    Norm before_attention, before_mlp;
    Linear heads, output, wide, narrow;
  };
  Parameter tokens;
  Norm of_embedding, last;
  std::vector<Block> blocks;
  Linear head;
  HeadForm form;
  bool residual_of_normed = false;

  explicit Bloom(Opening& o) {
    const Config& config = o.config;
    ModelFacts& f = o.facts;
    const std::string_view width = config.first_of({"hidden_size", "n_embed"});
    const std::string_view heads = config.first_of({"n_head", "num_attention_heads"});
    f.vocabulary = config.size("vocab_size");
    f.width = config.size(width);
    f.heads = f.key_heads = config.size(heads);
    f.layers = config.layers(config.first_of({"n_layer", "num_hidden_layers"}));
    f.feed_forward = config.size("n_inner", 4 * f.width);
    f.positions.context = config.size("seq_length", 2048);
    config.require_divides(heads, f.heads, width, f.width);
    f.head_width = f.width / f.heads;
    f.positions.windows.assign(static_cast<std::size_t>(f.layers), 0);
    f.positions.slopes = alibi_slopes(f.heads);
    residual_of_normed = config.flag("apply_residual_connection_post_layernorm", false);
    form = {.heads = f.heads,
            .key_heads = f.heads,
            .width = f.head_width,
            .scale = 1 / std::sqrt(static_cast<double>(f.head_width)),
            .slopes = std::make_shared<const VectorD>(f.positions.slopes)};
    o.names.choose_prefix({"", "transformer."}, {"word_embeddings.weight", "ln_f.weight"});
    o.names.require_layers("h.", f.layers);
    tokens = o.embedding({"word_embeddings.weight"}, "lm_head.weight", true);
    const double epsilon = config.positive("layer_norm_epsilon", 1e-5);
    of_embedding = o.layer_norm("word_embeddings_layernorm", f.width, epsilon);
    for (Index l = 0; l < f.layers; ++l) {
      const std::string at = "h." + std::to_string(l) + ".";
      blocks.push_back({o.layer_norm(at + "input_layernorm", f.width, epsilon),
                        o.layer_norm(at + "post_attention_layernorm", f.width, epsilon),
                        o.linear(at + "self_attention.query_key_value", 3 * f.width, f.width),
                        o.linear(at + "self_attention.dense", f.width, f.width),
                        o.linear(at + "mlp.dense_h_to_4h", f.feed_forward, f.width),
                        o.linear(at + "mlp.dense_4h_to_h", f.width, f.feed_forward)});
    }
    last = o.layer_norm("ln_f", f.width, epsilon);
    head = {o.head("lm_head.weight", tokens, true), {}};
  }

  template <class S>
  void operator()(Pass<S>& pass) const {
    MatrixOf<S> x = pass.norm(pass.embed(tokens, pass.tokens()), of_embedding);
    pass.embedded(x);
    for (const Block& b : blocks) {
      if (pass.known_layer(x)) continue;
      pass.begin_layer();
      MatrixOf<S> given = pass.norm(x, b.before_attention);
      const MatrixOf<S> all = pass.project(given, b.heads);
      const MatrixOf<S> seen =
          pass.attend(part_of(all, form.heads, 3, 0), part_of(all, form.heads, 3, 1),
                      part_of(all, form.heads, 3, 2), form);
      if (residual_of_normed) x = given;
      x += pass.project(seen, b.output);
      given = pass.norm(x, b.before_mlp);
      MatrixOf<S> wide = pass.project(given, b.wide);
      pass.activate(wide, model::Activation::gelu_tanh);
      if (residual_of_normed) x = given;
      x += pass.fed(pass.project(wide, b.narrow));
      pass.end_layer(x);
    }
    const MatrixOf<S> out = pass.norm(x, last);
    pass.normed(out);
    if (pass.wants_logits() && head.weight) pass.logits(pass.wanted(out), head);
  }

  // BLOOM adds only the norm of the embedding.
  StreamForm stream() const {
    StreamForm made{{}, {}, {}, last, head};
    for (const Block& b : blocks) made.layers.push_back({b.output, b.narrow});
    made.adds_up = !residual_of_normed;
    return made;
  }

  template <class S>
  MatrixOf<S> read_out(Pass<S>& pass, const MatrixOf<S>& hidden) const {
    return pass.project(pass.norm(hidden, last), head);
  }
};

}  // namespace

std::unique_ptr<Model> open_bloom(Opening& opening) { return ModelOf<Bloom>::open(opening); }

}  // namespace core::checkpoint
