// BERT: Devlin et al. 2019, arXiv:1810.04805, section 3. Norms after each residual, everything sees
// everything; a pooler and a head for masked words where the file has them.
#include <cmath>

#include "core/checkpoint/architecture.h"

namespace core::checkpoint {
namespace {

struct Bert {
  struct Block {
    Linear query, key, value, output, wide, narrow;
    Norm after_attention, after_mlp;
  };
  Parameter tokens, positions, types;
  Norm of_embedding;
  std::vector<Block> blocks;
  std::optional<Linear> pooler;
  Linear before_head, head;
  Norm of_head;
  HeadForm form;
  model::Activation function;

  explicit Bert(Opening& o) {
    const Config& config = o.config;
    ModelFacts& f = o.facts;
    f.kind = Kind::encoder;
    f.vocabulary = config.size("vocab_size");
    f.width = config.size("hidden_size");
    f.heads = f.key_heads = config.size("num_attention_heads");
    f.layers = config.layers("num_hidden_layers");
    f.feed_forward = config.size("intermediate_size");
    f.token_types = config.size("type_vocab_size", 2);
    f.positions.context = config.size("max_position_embeddings", 512);
    f.positions.limited = true;
    config.require_divides("num_attention_heads", f.heads, "hidden_size", f.width);
    f.head_width = f.width / f.heads;
    f.positions.windows.assign(static_cast<std::size_t>(f.layers), 0);
    function = config.activation("hidden_act", model::Activation::gelu);
    constexpr Word<bool> kPositions[] = {{"absolute", true}};
    config.word<bool>("position_embedding_type", kPositions, true);
    if (config.flag("is_decoder", false)) {
      config.refuse("is_decoder", Message(N_("an encoder (false)")));
    }
    form = {.heads = f.heads,
            .key_heads = f.heads,
            .width = f.head_width,
            .scale = 1 / std::sqrt(static_cast<double>(f.head_width)),
            .causal = false,
            .masks_padding = true};
    name_tensors(o, config.positive("layer_norm_eps", 1e-12));
  }

  void name_tensors(Opening& o, double epsilon) {
    ModelFacts& f = o.facts;
    o.names.choose_prefix({"bert.", ""},
                          {"embeddings.word_embeddings.weight", "embeddings.LayerNorm.weight"});
    o.names.buffers({"embeddings.position_ids", "embeddings.token_type_ids"});
    // Judges whether one sentence follows another.
    o.names.without_effect({"cls.seq_relationship.weight", "cls.seq_relationship.bias"});
    o.names.require_layers("encoder.layer.", f.layers);
    const std::string in = "embeddings.";
    tokens = o.embedding({in + "word_embeddings.weight"}, "cls.predictions.decoder.weight", true);
    positions = o.names.matrix(in + "position_embeddings.weight", f.positions.context, f.width);
    types = o.names.matrix(in + "token_type_embeddings.weight", f.token_types, f.width);
    f.positions.learned = o.tensor(positions);
    of_embedding = o.layer_norm(in + "LayerNorm", f.width, epsilon);
    for (Index l = 0; l < f.layers; ++l) {
      const std::string at = "encoder.layer." + std::to_string(l) + ".";
      const std::string looks = at + "attention.self.";
      blocks.push_back({o.linear(looks + "query", f.width, f.width),
                        o.linear(looks + "key", f.width, f.width),
                        o.linear(looks + "value", f.width, f.width),
                        o.linear(at + "attention.output.dense", f.width, f.width),
                        o.linear(at + "intermediate.dense", f.feed_forward, f.width),
                        o.linear(at + "output.dense", f.width, f.feed_forward),
                        o.layer_norm(at + "attention.output.LayerNorm", f.width, epsilon),
                        o.layer_norm(at + "output.LayerNorm", f.width, epsilon)});
    }
    if (o.names.has("pooler.dense.weight")) pooler = o.linear("pooler.dense", f.width, f.width);
    o.names.set_prefix("");
    if (!o.names.has("cls.predictions.transform.dense.weight")) return;
    before_head = o.linear("cls.predictions.transform.dense", f.width, f.width);
    of_head = o.layer_norm("cls.predictions.transform.LayerNorm", f.width, epsilon);
    head = {
        o.head("cls.predictions.decoder.weight", tokens, true),
        o.names.vector_of({"cls.predictions.bias", "cls.predictions.decoder.bias"}, f.vocabulary)};
    // Newer files have the one bias under both names.
    for (const char* name : {"cls.predictions.bias", "cls.predictions.decoder.bias"}) {
      if (o.names.has(name)) o.names.repeats(name, head.bias, o.cancel);
    }
  }

  template <class S>
  MatrixOf<S> embedded(Pass<S>& pass) const {
    std::vector<std::int32_t> segments = pass.input().token_types;
    segments.resize(pass.tokens().size());
    MatrixOf<S> x = pass.embed(tokens, pass.tokens());
    x += pass.positions(positions, x.rows());
    x += pass.embed(types, segments);
    return pass.norm(x, of_embedding);
  }

  template <class S>
  void operator()(Pass<S>& pass) const {
    pass.begin_encoder();
    MatrixOf<S> x = embedded(pass);
    pass.embedded(x);
    for (const Block& b : blocks) {
      pass.begin_layer();
      const MatrixOf<S> seen = pass.attend(pass.project(x, b.query), pass.project(x, b.key),
                                           pass.project(x, b.value), form);
      x += pass.project(seen, b.output);
      x = pass.norm(x, b.after_attention);
      MatrixOf<S> wide = pass.project(x, b.wide);
      pass.activate(wide, function);
      x += pass.project(wide, b.narrow);
      x = pass.norm(x, b.after_mlp);
      pass.end_layer(x);
    }
    if (pooler) {
      MatrixOf<S> first = pass.project(x.topRows(1), *pooler);
      pass.activate(first, model::Activation::tanh);
      pass.pooled(first.row(0).transpose());
    }
    if (head.weight && pass.wants_logits()) pass.logits(transformed(pass, pass.wanted(x)), head);
  }

  template <class S>
  MatrixOf<S> read_out(Pass<S>& pass, const MatrixOf<S>& hidden) const {
    return pass.project(transformed(pass, hidden), head);
  }

  // What the head for masked words does before it meets the embedding.
  template <class S>
  MatrixOf<S> transformed(Pass<S>& pass, const MatrixOf<S>& hidden) const {
    MatrixOf<S> x = pass.project(hidden, before_head);
    pass.activate(x, function);
    return pass.norm(x, of_head);
  }
};

}  // namespace

std::unique_ptr<Model> open_bert(Opening& opening) { return ModelOf<Bert>::open(opening); }

}  // namespace core::checkpoint
