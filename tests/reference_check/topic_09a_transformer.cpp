// Norms, activations, layers, the encoder-decoder, and two documents' mistakes, by core/model.
#include <cmath>
#include <string>

#include "core/mask/mask.h"
#include "core/model/encoder_decoder.h"
#include "core/model/layer/activation.h"
#include "model_weights.h"
#include "torch_names.h"

namespace core_check {
namespace topic_09a_transformer {

using namespace core::model;

using D = Tensor<double>;

// --- single layers

// What f makes of the rows of "x", in double.
template <class Fn>
MatrixD computed(const MatrixD& x, const double* parameters, Fn f) {
  Tape<double> tape;
  tape.begin(parameters, nullptr, {.differentiates = false});
  return f(tape, tape.input(x)).matrix();
}

MatrixD row_of(const CaseValue& value) { return value.as_vector().transpose(); }

CaseValue layer_norm_case(const ReferenceCase& one) {
  const CaseValue& x = one.inputs.at("x");
  const MatrixD rows = rows_of(x);
  const double epsilon = one.params.at("eps").as_real();
  Tape<double> tape;
  tape.begin(nullptr, nullptr, {});
  const D in = tape.input(rows), gain = tape.input(row_of(one.inputs.at("gamma")));
  const D shift = tape.input(row_of(one.inputs.at("beta")));
  const D y = layer_norm(tape, in, gain, shift, epsilon);
  CaseValue::Shape means = x.shape();
  means.pop_back();
  const core::VectorD mean = rows.rowwise().mean();
  const core::VectorD variance = (rows.colwise() - mean).array().square().rowwise().mean().matrix();
  const auto shaped = [&](const core::VectorD& v) {
    return CaseValue::array(means, {v.data(), v.data() + v.size()});
  };
  CaseValue got = CaseValue::object();
  got.set("y", x.like(y.matrix()));
  got.set("mean", shaped(mean));
  got.set("biased_variance", shaped(variance));
  return got;
}

// sum(y * grad): its gradient by y is grad.
struct WeighedStep {
  D y, weights, loss;
  void forward(Tape<double>&) const {
    *loss.value = y.matrix().cwiseProduct(weights.matrix()).sum();
  }
  void backward(Tape<double>&) const { y.gradient_matrix() += *loss.gradient * weights.matrix(); }
};

CaseValue layer_norm_backward_case(const ReferenceCase& one) {
  Tape<double> tape;
  tape.begin(nullptr, nullptr, {});
  const CaseValue& x = one.inputs.at("x");
  const D in = tape.input(rows_of(x)), gain = tape.input(row_of(one.inputs.at("gamma")));
  const D shift = tape.input(row_of(one.inputs.at("beta")));
  const D y = layer_norm(tape, in, gain, shift, one.params.at("eps").as_real());
  const D weights = tape.input(rows_of(one.inputs.at("grad_output")));
  if (weights.rows != y.rows || weights.cols != y.cols) {
    throw InputError("grad_output: expected the shape of x, got another");
  }
  const D loss = tape.tensor(1, 1);
  tape.record("weighed", WeighedStep{y, weights, loss});
  tape.backward(loss);
  const auto vector = [](const D& t) { return core::VectorD(t.gradient_matrix().row(0)); };
  CaseValue got = CaseValue::object();
  got.set("grad_x", x.like(in.gradient_matrix()));
  got.set("grad_gamma", vector(gain));
  got.set("grad_beta", vector(shift));
  return got;
}

CaseValue activations_case(const ReferenceCase& one) {
  const MatrixD x = row_of(one.inputs.at("x"));
  CaseValue got = CaseValue::object();
  const auto add = [&](const char* key, Activation function) {
    const MatrixD y = computed(x, nullptr, [&](Tape<double>& tape, const D& in) {
      return activation(tape, in, function);
    });
    got.set(key, core::VectorD(y.row(0)));
  };
  add("relu", Activation::relu);
  add("gelu_erf", Activation::gelu);
  add("gelu_tanh", Activation::gelu_tanh);
  add("sigmoid", Activation::sigmoid);
  add("tanh", Activation::tanh);
  add("silu", Activation::silu);
  return got;
}

MatrixD feed_forward(const ReferenceCase& one, Activation function, bool bias) {
  const CaseValue& W1 = one.inputs.at("W1");
  const MatrixD first = W1.as_matrix();
  ModelWeights weights;
  const auto net = FeedForward::declare(
      weights.scope(), first.cols(), {.width = first.rows(), .function = function, .bias = bias});
  weights.begin();
  weights.set(net.up, W1, bias ? &one.inputs.at("b1") : nullptr);
  weights.set(net.down, one.inputs.at("W2"), bias ? &one.inputs.at("b2") : nullptr);
  const MatrixD x = rows_of(one.inputs.at("x"));
  return computed(x, weights.values(), [&](Tape<double>& tape, const D& in) {
    return net(tape, in, {.length = x.rows()});
  });
}

CaseValue feed_forward_case(const ReferenceCase& one) {
  const CaseValue& x = one.inputs.at("x");
  CaseValue got = CaseValue::object();
  got.set("relu", x.like(feed_forward(one, Activation::relu, true)));
  got.set("gelu_tanh", x.like(feed_forward(one, Activation::gelu_tanh, true)));
  got.set("relu_without_biases_as_seed004", x.like(feed_forward(one, Activation::relu, false)));
  return got;
}

// --- layers of the Transformer

TransformerForm form_of(const CaseValue& params) {
  TransformerForm form;
  form.d_model = params.at("d").as_index();
  form.heads = form.key_heads = params.at("heads").as_index();
  form.feed_forward.width = params.at("d_ff").as_index();
  if (const CaseValue* first = params.find("norm_first")) form.norm_first = first->as_bool();
  const CaseValue* function = params.find("activation");
  if (function && function->as_text() != "relu") {
    throw NotCovered{"activation " + function->as_text()};
  }
  return form;
}

// Sequences of a (batch, n, d) array, with lengths where the case has them.
struct Batch {
  Sequences sequences;
  std::vector<Index> lengths;

  Batch(const CaseValue& x, const CaseValue* valid) {
    sequences.batch = x.shape().at(0);
    sequences.length = x.shape().at(1);
    if (!valid) return;
    lengths = valid->as_indices();
    if (static_cast<Index>(lengths.size()) != sequences.batch) {
      throw InputError("valid lengths: expected one per batch entry");
    }
    for (const Index length : lengths) {
      if (length < 0 || length > sequences.length) {
        throw InputError("valid lengths: expected 0 to " + std::to_string(sequences.length) +
                         ", got " + std::to_string(length));
      }
    }
    sequences.lengths = lengths.data();
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
};

CaseValue encoder_layer_case(const ReferenceCase& one) {
  ModelWeights weights;
  const auto layer = TransformerLayer::declare(weights.scope(), form_of(one.params), false);
  weights.begin();
  torch_names(layer, "").fill(weights, one.inputs.at("weights"));
  const CaseValue& x = one.inputs.at("x");
  const Batch batch(x, one.inputs.find("key_valid_lens"));
  Trace<double> trace;
  Tape<double> tape;
  tape.begin(weights.values(), nullptr, {}, &trace);
  const D y = layer(tape, tape.input(rows_of(x)), batch.sequences, {});
  CaseValue got = CaseValue::object();
  got.set("y", x.like(y.matrix()));
  got.set("attention_weights", traced(trace, "self.weights"));
  return got;
}

CaseValue decoder_layer_case(const ReferenceCase& one) {
  ModelWeights weights;
  const TransformerForm form = form_of(one.params);
  const auto layer = TransformerLayer::declare(weights.scope(), form, true);
  weights.begin();
  torch_names(layer, "").fill(weights, one.inputs.at("weights"));
  const CaseValue &target = one.inputs.at("tgt"), &memory = one.inputs.at("memory");
  const Batch queries(target, nullptr), keys(memory, one.inputs.find("memory_valid_lens"));
  Trace<double> trace;
  Tape<double> tape;
  tape.begin(weights.values(), nullptr, {}, &trace);
  const D y = layer.decode(tape, tape.input(rows_of(target)), queries.sequences, {.causal = true},
                           tape.input(rows_of(memory)), keys.sequences);
  const std::string after = form.norm_first ? ".sum" : ".after";
  CaseValue got = CaseValue::object();
  got.set("y", target.like(y.matrix()));
  got.set("self_attention_weights", traced(trace, "self.weights"));
  got.set("cross_attention_weights", traced(trace, "cross.weights"));
  got.set("after_self_attention", traced(trace, "self" + after));
  got.set("after_cross_attention", traced(trace, "cross" + after));
  return got;
}

// --- the whole of it

CaseValue encoder_decoder_case(const ReferenceCase& one) {
  const CaseValue &source = one.inputs.at("src"), &target = one.inputs.at("tgt_input");
  const std::vector<std::int32_t> source_ids = ids_of(source), target_ids = ids_of(target);
  const Batch read(source, &one.inputs.at("src_valid_lens")), written(target, nullptr);
  CaseValue got = CaseValue::object();
  for (const bool scaled : {true, false}) {
    EncoderDecoderForm form;
    form.vocabulary = one.params.at("vocab").as_index();
    form.layer = form_of(one.params);
    form.encoder_layers = form.decoder_layers = one.params.at("layers").as_index();
    form.scaled = scaled;
    ModelWeights weights;
    const auto model = EncoderDecoder::declare(weights.scope(), form);
    weights.begin();
    weights.set(model.embedding, one.inputs.at("embedding").as_matrix());
    const auto layers = [&](const TransformerStack& stack, const CaseValue& from) {
      for (size_t k = 0; k < stack.layers.size(); ++k) {
        const std::string name = "layers." + std::to_string(k) + ".";
        torch_names(stack.layers[k], name).fill(weights, from);
      }
    };
    layers(model.encoder, one.inputs.at("encoder"));
    layers(model.decoder, one.inputs.at("decoder"));
    Trace<double> trace;
    Tape<double> tape;
    tape.begin(weights.values(), nullptr, {}, &trace);
    const D memory = model.encode(tape, source_ids.data(), read.sequences);
    const D logits =
        model.decode(tape, memory, read.sequences, target_ids.data(), written.sequences);
    const std::string how = scaled ? "with_sqrt_d_embedding_scale" : "without_scale";
    got.set("memory_" + how, traced(trace, "encoder.out"));
    got.set("decoder_out_" + how, traced(trace, "decoder.out"));
    got.set("logits_" + how, traced(trace, "decoder.logits"));
    got.set("loss_next_token_" + how,
            next_token_loss(logits.matrix(), target_ids, written.sequences.length));
  }
  return got;
}

// --- what two documents made of it

CaseValue causal_cross_case(const ReferenceCase& one) {
  const CaseValue& from = one.inputs.at("weights");
  const CaseValue &x_q = one.inputs.at("x_q"), &x_kv = one.inputs.at("x_kv");
  const Batch queries(x_q, nullptr), keys(x_kv, nullptr);
  const Index heads = one.params.at("heads").as_index();
  ModelWeights weights;
  const auto part = MultiHead::declare(weights.scope(), x_q.shape().back(), heads, heads);
  weights.begin();
  weights.set(part.query, from.at("Wq"), &from.at("bq"));
  weights.set(part.key, from.at("Wk"), &from.at("bk"));
  weights.set(part.value, from.at("Wv"), &from.at("bv"));
  weights.set(part.output, from.at("Wo"), &from.at("bo"));
  // tril(T_q, T_k): key j for query i when j <= i, whatever the lengths.
  const Index n = queries.sequences.length, m = keys.sequences.length;
  core::BoolMatrix lower(n, m);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) lower(i, j) = j <= i;
  }
  const core::Mask mask = core::Mask::dense(lower);
  CaseValue got = CaseValue::object();
  for (const bool wrong : {false, true}) {
    Trace<double> trace;
    Tape<double> tape;
    tape.begin(weights.values(), nullptr, {}, &trace);
    part(tape, tape.input(rows_of(x_q)), queries.sequences, tape.input(rows_of(x_kv)),
         keys.sequences, {.mask = wrong ? &mask : nullptr});
    got.set(wrong ? "seed002_weights_with_tril_mask" : "correct_weights", traced(trace, "weights"));
    got.set(wrong ? "seed002_output" : "correct_output", traced(trace, "output"));
  }
  return got;
}

// One head of the document's block: widths of its own, and biases.
struct OwnHead {
  Linear query, key, value;
};

// heads side by side as the document's stack(dim=-1) has them, feature * h + head.
D interleaved(Tape<double>& tape, const std::vector<D>& heads) {
  const auto h = static_cast<Index>(heads.size());
  const D mixed = tape.tensor(heads[0].rows, heads[0].cols * h);
  for (Index i = 0; i < h; ++i) {
    for (Index c = 0; c < heads[0].cols; ++c) {
      mixed.matrix().col(c * h + i) = heads[static_cast<size_t>(i)].matrix().col(c);
    }
  }
  return mixed;
}

// No mask, the norm after each part, feed-forward without biases and as narrow as attention.
MatrixD layer_as_written(const MatrixD& x, const Sequences& sequences, const CaseValue& from) {
  const Index d = x.cols();
  ModelWeights weights;
  std::vector<OwnHead> heads;
  const std::vector<CaseValue> given = from.at("heads").items();
  if (given.empty()) throw InputError("heads: expected at least 1, got 0");
  const auto declared = [&](const CaseValue& one, const std::string& name) {
    const MatrixD w = one.at("W").as_matrix();
    return Linear::declare(weights.scope().at(name), w.cols(), w.rows());
  };
  for (const CaseValue& head : given) {
    const std::string name = std::to_string(heads.size()) + ".";
    heads.push_back({declared(head.at("query"), name + "query"),
                     declared(head.at("key"), name + "key"),
                     declared(head.at("value"), name + "value")});
  }
  const MatrixD fc = from.at("fc").as_matrix(), W1 = from.at("ffn_W1").as_matrix();
  const auto joined = Linear::declare(weights.scope().at("fc"), fc.cols(), fc.rows(), false);
  const auto net = FeedForward::declare(weights.scope(), d, {.width = W1.rows(), .bias = false});
  const auto first = LayerNorm::declare(weights.scope().at("first"), d);
  const auto second = LayerNorm::declare(weights.scope().at("second"), d);
  weights.begin();
  for (size_t i = 0; i < heads.size(); ++i) {
    const auto set = [&](const Linear& linear, const char* name) {
      const CaseValue& own = given[i].at(name);
      weights.set(linear, own.at("W"), &own.at("b"));
    };
    set(heads[i].query, "query");
    set(heads[i].key, "key");
    set(heads[i].value, "value");
  }
  weights.set(joined, from.at("fc"), nullptr);
  weights.set(net.up, from.at("ffn_W1"), nullptr);
  weights.set(net.down, from.at("ffn_W2"), nullptr);
  weights.set(first, from.at("norm_attn").at("gamma"), from.at("norm_attn").at("beta"));
  weights.set(second, from.at("norm_ffn").at("gamma"), from.at("norm_ffn").at("beta"));

  return computed(x, weights.values(), [&](Tape<double>& tape, const D& in) {
    std::vector<D> outputs;
    for (const OwnHead& head : heads) {
      outputs.push_back(attention(tape, head.query(tape, in), head.key(tape, in),
                                  head.value(tape, in), sequences, sequences, {}));
    }
    const D attended = first(tape, add(tape, in, joined(tape, interleaved(tape, outputs))));
    return second(tape, add(tape, attended, net(tape, attended, sequences)));
  });
}

CaseValue gpt_as_written_case(const ReferenceCase& one) {
  const CaseValue& x = one.inputs.at("x");
  const Batch batch(x, nullptr);
  MatrixD now = rows_of(x);
  std::vector<CaseValue> outputs;
  for (const CaseValue& layer : one.inputs.at("layers").items()) {
    now = layer_as_written(now, batch.sequences, layer);
    outputs.push_back(x.like(now));
  }
  CaseValue got = CaseValue::object();
  got.set("layer_outputs", CaseValue::list(outputs));
  got.set("output", x.like(now * one.inputs.at("fc").as_matrix().transpose()));
  return got;
}

const Topic topic("09a_transformer", {{"layernorm_backward*", layer_norm_backward_case},
                                      {"layernorm*", layer_norm_case},
                                      {"activations*", activations_case},
                                      {"ffn*", feed_forward_case},
                                      {"encoder_layer_*", encoder_layer_case},
                                      {"decoder_layer_*", decoder_layer_case},
                                      {"encoder_decoder*", encoder_decoder_case},
                                      {"seed002_causal_cross_attention*", causal_cross_case},
                                      {"seed004_gpt_as_written*", gpt_as_written_case}});

}  // namespace topic_09a_transformer
}  // namespace core_check
