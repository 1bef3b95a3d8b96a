// Recurrent networks, the decoders with attention and the hierarchical attention network.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/hierarchical.h"
#include "core/model/recurrent/recurrent_translator.h"
#include "model_weights.h"
#include "registry.h"

namespace core_check {
namespace topic_08_seq2seq {

using core::VectorD;
using namespace core::model;

// One layer and direction: the keys end in `suffix`.
void set_cells(ModelWeights& to, const RecurrentLayer& layer, const CaseValue& weights,
               const std::string& suffix) {
  to.set(layer.input, weights.at("weight_ih" + suffix), &weights.at("bias_ih" + suffix));
  to.set(layer.state, weights.at("weight_hh" + suffix), &weights.at("bias_hh" + suffix));
}

void set_network(ModelWeights& to, const Recurrent& net, const CaseValue& weights) {
  for (Index k = 0; k < net.count(); ++k) {
    const bool backward = k % net.directions() == 1;
    set_cells(to, net.layers[static_cast<size_t>(k)], weights,
              "_l" + std::to_string(k / net.directions()) + (backward ? "_reverse" : ""));
  }
}

void set_linear(ModelWeights& to, const Linear& layer, const CaseValue& weights) {
  to.set(layer, weights.at("weight"), &weights.at("bias"));
}

// (a, b, ...) to (b, a, ...): times and batch entries change places.
CaseValue transposed(const CaseValue::Shape& shape, const std::vector<double>& data) {
  const Index a = shape.at(0), b = shape.at(1);
  const Index width = static_cast<Index>(data.size()) / std::max<Index>(a * b, 1);
  std::vector<double> out(data.size());
  for (Index i = 0; i < a * b; ++i) {
    std::copy_n(data.data() + i * width, width, out.data() + (i % b * a + i / b) * width);
  }
  CaseValue::Shape other = shape;
  std::swap(other[0], other[1]);
  return CaseValue::array(other, out);
}

CaseValue transposed(const Traced<double>& traced) {
  return transposed(traced.shape, traced.values);
}

CaseValue as_array(const Traced<double>& traced) {
  return CaseValue::array(traced.shape, traced.values);
}

// Without the batch, which is one.
CaseValue of_one(const Traced<double>& traced) {
  return CaseValue::array({traced.shape.begin() + 1, traced.shape.end()}, traced.values);
}

CaseValue stacked(const Tensor<double>* tensors, Index count) {
  std::vector<CaseValue> all;
  for (Index k = 0; k < count; ++k) all.emplace_back(MatrixD(tensors[k].matrix()));
  return CaseValue::stack(all);
}

std::vector<Tensor<double>> inputs_of(Tape<double>& tape, const CaseValue* value) {
  std::vector<Tensor<double>> out;
  if (!value) return out;
  for (const MatrixD& one : value->as_matrices()) out.push_back(tape.input(one));
  return out;
}

// torch's nn.GRU and nn.LSTM.
CaseValue network_case(const ReferenceCase& one) {
  const bool lstm = one.name.starts_with("lstm");
  const Recurrent::Form form{.cell = lstm ? Cell::lstm : Cell::gru,
                             .layers = one.params.at("layers").as_index(),
                             .both_ways = one.params.at("bidirectional").as_bool()};
  const CaseValue& weights = one.inputs.at("weights");
  const CaseValue& x = one.inputs.at("x");
  if (x.shape().size() != 3) throw core::InputError("x: expected three axes");
  ModelWeights filled;
  const Recurrent net = Recurrent::declare(filled.scope(), x.shape()[2],
                                           weights.at("weight_hh_l0").as_matrix().cols(), form);
  filled.begin();
  set_network(filled, net, weights);
  Tape<double> tape;
  tape.begin(filled.values(), nullptr, {.differentiates = false});
  std::vector<Tensor<double>> h = inputs_of(tape, one.inputs.find("h0"));
  std::vector<Tensor<double>> c = inputs_of(tape, one.inputs.find("c0"));
  const States<double> start{h.data(), lstm ? c.data() : nullptr, static_cast<Index>(h.size())};
  const Sequences sequences{x.shape()[1], x.shape()[0]};
  const CaseValue rows = transposed(x.shape(), x.data());
  const Recurred<double> out = net(tape, tape.input(rows.as_rows()), sequences, start);
  CaseValue got = CaseValue::object();
  got.set("output", transposed({sequences.batch, sequences.length, out.states.cols},
                               {out.states.value, out.states.value + out.states.size()}));
  got.set("h_n", stacked(out.last.h, out.last.count));
  if (lstm) got.set("c_n", stacked(out.last.c, out.last.count));
  return got;
}

// The case's translator, run as d2l does: the encoder reads the padding, too.
struct Bahdanau {
  ModelWeights filled;
  RecurrentTranslator net;
  Tape<double> tape;
  Trace<double> trace;
  std::vector<std::int32_t> source, target;
  std::vector<Index> lengths;
  Sequences sequences;
  RecurrentTranslator::Encoded<double> encoded;

  explicit Bahdanau(const ReferenceCase& one) {
    const CaseValue& weights = one.inputs.at("weights");
    const CaseValue& attention = weights.at("attention");
    const MatrixD words = weights.at("src_embedding").at("weight").as_matrix();
    const Index layers = one.params.at("layers").as_index();
    const Index hidden = weights.at("encoder").at("weight_hh_l0").as_matrix().cols();
    RecurrentTranslator::Form form;
    form.source_words = words.rows();
    form.target_words = weights.at("tgt_embedding").at("weight").as_matrix().rows();
    form.embedding = words.cols();
    form.encoder_hidden = hidden;
    form.encoder = {.layers = layers};
    form.decoder.layers = layers;
    form.decoder.hidden = hidden;
    form.decoder.attention.width = attention.at("W_q.weight").as_matrix().rows();
    form.decoder.output_has_context = false;
    form.begin = RecurrentTranslator::Begin::last;
    form.reads_padding = true;
    net = RecurrentTranslator::declare(filled.scope(), form);
    filled.begin();
    filled.set(net.source, words);
    filled.set(net.target, weights.at("tgt_embedding").at("weight").as_matrix());
    set_network(filled, net.encoder, weights.at("encoder"));
    for (Index k = 0; k < layers; ++k) {
      set_cells(filled, net.decoder.layers[static_cast<size_t>(k)], weights.at("decoder"),
                "_l" + std::to_string(k));
    }
    const QueryAttention& looks = net.decoder.attention;
    filled.set(looks.query, attention.at("W_q.weight").as_matrix().transpose());
    filled.set(looks.key, attention.at("W_k.weight").as_matrix().transpose());
    filled.set(looks.score, attention.at("w_v.weight").as_matrix().transpose());
    set_linear(filled, net.decoder.output, weights.at("dense"));
    source = ids_of(one.inputs.at("src"));
    target = ids_of(one.inputs.at("tgt_input"));
    lengths = one.inputs.at("src_valid_len").as_indices();
    sequences = {one.inputs.at("src").shape().at(0), one.inputs.at("src").shape().at(1),
                 lengths.data()};
    tape.begin(filled.values(), nullptr, {.differentiates = false}, &trace);
    encoded = net.encode(tape, source.data(), sequences);
  }
  void decode(const std::vector<std::int32_t>& ids) {
    net(tape, encoded, ids.data(), static_cast<Index>(ids.size()) / sequences.batch);
  }
};

// (T, layers, B, hidden)
CaseValue hidden_per_step(const Trace<double>& trace, Index layers) {
  std::vector<std::vector<CaseValue>> steps;
  for (Index k = 0; k < layers; ++k) {
    const CaseValue states = transposed(trace.at("decoder." + std::to_string(k) + ".states"));
    const std::vector<MatrixD> of_layer = states.as_matrices();
    steps.resize(of_layer.size());
    for (size_t t = 0; t < of_layer.size(); ++t) steps[t].emplace_back(of_layer[t]);
  }
  std::vector<CaseValue> out;
  for (const auto& step : steps) out.push_back(CaseValue::stack(step));
  return CaseValue::stack(out);
}

CaseValue bahdanau_case(const ReferenceCase& one) {
  Bahdanau model(one);
  model.decode(model.target);
  const Trace<double>& trace = model.trace;
  const States<double>& last = model.encoded.read.last;
  const std::string top = std::to_string(last.count - 1);
  CaseValue got = CaseValue::object();
  got.set("encoder_outputs_(B,S,H)", as_array(trace.at("encoder.states")));
  got.set("encoder_final_hidden", stacked(last.h, last.count));
  got.set("context_per_step", transposed(trace.at("decoder.context")));
  got.set("attention_weights_per_step", transposed(trace.at("decoder.attention.weights")));
  got.set("scores_per_step", transposed(trace.at("decoder.attention.scores")));
  got.set("decoder_output_per_step", transposed(trace.at("decoder." + top + ".states")));
  got.set("logits_per_step", transposed(trace.at("decoder.logits")));
  got.set("hidden_per_step", hidden_per_step(trace, last.count));
  return got;
}

// The same model goes on by itself; its own words, told again, give the alignment.
CaseValue greedy_case(const ReferenceCase& one, const ReferenceFile& file) {
  Bahdanau model(sibling(file, "bahdanau_d2l"));
  const Index steps = one.params.at("steps").as_index(), batch = model.sequences.batch;
  const auto first = static_cast<std::int32_t>(one.params.at("start_token").as_index());
  const std::vector<std::int32_t> told = greedy(model.tape, model.net, model.encoded, first, steps);
  std::vector<std::int32_t> inputs(told.size(), first);
  for (Index b = 0; b < batch; ++b) {
    std::copy_n(told.data() + b * steps, steps - 1, inputs.data() + b * steps + 1);
  }
  model.decode(inputs);
  CaseValue got = CaseValue::object();
  got.set("tokens", CaseValue::array({batch, steps}, {told.begin(), told.end()}, true));
  got.set("alignment", as_array(model.trace.at("decoder.attention.weights")));
  return got;
}

// The decoder of See et al. 2017 over given encoder states.
struct See {
  ModelWeights filled;
  RecurrentDecoder net;
  Tape<double> tape;
  Trace<double> trace;
  std::vector<Index> lengths;

  See(const ReferenceCase& one, bool first_attended) {
    const CaseValue& in = one.inputs;
    const MatrixD encoder = in.at("encoder_states").as_matrix(), x = in.at("x").as_matrix();
    const MatrixD W_in = in.at("W_in").as_matrix(), W_out = in.at("W_out").as_matrix();
    const VectorD h0 = in.at("h0").as_vector(), c0 = in.at("c0").as_vector();
    const RecurrentDecoder::Form form{
        .cell = Cell::lstm,
        .hidden = h0.size(),
        .attention = {.width = in.at("W_h").as_matrix().rows(), .bias = true},
        .query_after = true,
        .query_has_cell = one.params.at("state").as_text() == "[c;h]",
        .first_attended = first_attended,
        .joined = W_in.rows()};
    net = RecurrentDecoder::declare(filled.scope(), x.cols(), encoder.cols(), W_out.rows(), form);
    // W_in is of [x; context].
    MatrixD joined(W_in.cols(), W_in.rows());
    joined << W_in.rightCols(encoder.cols()).transpose(), W_in.leftCols(x.cols()).transpose();
    filled.begin();
    filled.set(net.joined.weight, joined);
    filled.set_row(net.joined.bias, in.at("b_in"));
    set_cells(filled, net.layers.front(), in.at("lstm"), "");
    filled.set(net.attention.query, in.at("W_s").as_matrix().transpose());
    filled.set(net.attention.key, in.at("W_h").as_matrix().transpose());
    filled.set_row(net.attention.bias, in.at("b"));
    filled.set(net.attention.score, in.at("v").as_vector());
    filled.set(net.output, in.at("W_out"), &in.at("b_out"));
    lengths = {one.params.at("src_valid").as_index()};
    tape.begin(filled.values(), nullptr, {.differentiates = false}, &trace);
    const Tensor<double> values = tape.input(encoder);
    const Memory<double> memory =
        net.attention.remember(tape, values, {1, encoder.rows(), lengths.data()});
    Tensor<double> h = tape.input(h0.transpose()), c = tape.input(c0.transpose());
    begun = net.begin(tape, memory, States<double>{&h, &c, 1}, {});
    net(tape, memory, begun, net.prepare(tape, tape.input(x)));
    begun.state = {};  // its tensors were of this function
  }
  Decoded<double> begun;
};

CaseValue see_case(const ReferenceCase& one) {
  const std::string first = one.params.at("first_context").as_text();
  See model(one, first != "zero");
  const See attended(one, true);
  const Tensor<double>& context = attended.begun.found.context;
  const Trace<double>& trace = model.trace;
  CaseValue got = CaseValue::object();
  got.set("x_fed_per_step", of_one(trace.at("joined")));
  got.set("h_per_step", of_one(trace.at("0.states")));
  got.set("c_per_step", of_one(trace.at("0.cells")));
  got.set("e_per_step", of_one(trace.at("attention.scores")));
  got.set("weights_per_step", of_one(trace.at("attention.weights")));
  got.set("context_per_step", of_one(trace.at("context")));
  got.set("logits_per_step", of_one(trace.at("logits")));
  got.set("first_context_if_taken_from_initial_state", VectorD(context.matrix().transpose()));
  return got;
}

CaseValue hierarchical_case(const ReferenceCase& one) {
  const CaseValue& weights = one.inputs.at("weights");
  const auto level = [&](const char* gru, const char* u) {
    return WeighedLevel::Form{.hidden = weights.at(gru).at("weight_hh_l0").as_matrix().cols(),
                              .width = one.inputs.at(u).as_vector().size()};
  };
  const MatrixD table = weights.at("embedding").at("weight").as_matrix();
  ModelWeights filled;
  const auto net = HierarchicalAttention::declare(
      filled.scope(), {.words = table.rows(),
                       .classes = weights.at("classifier").at("weight").as_matrix().rows(),
                       .embedding = table.cols(),
                       .of_words = level("word_gru", "u_w"),
                       .of_sentences = level("sentence_gru", "u_s")});
  filled.begin();
  filled.set(net.embedding, table);
  set_network(filled, net.words.network, weights.at("word_gru"));
  set_network(filled, net.sentences.network, weights.at("sentence_gru"));
  set_linear(filled, net.words.key, weights.at("word_linear"));
  set_linear(filled, net.sentences.key, weights.at("sentence_linear"));
  filled.set(net.words.context, one.inputs.at("u_w").as_vector());
  filled.set(net.sentences.context, one.inputs.at("u_s").as_vector());
  set_linear(filled, net.output, weights.at("classifier"));

  const CaseValue& tokens = one.inputs.at("tokens");
  const std::vector<std::int32_t> ids = ids_of(tokens);
  const std::vector<Index> lengths = one.params.at("sentence_lengths").as_indices();
  const auto read = [&](const Index* word_counts) {
    Tape<double> tape;
    Trace<double> trace;
    tape.begin(filled.values(), nullptr, {.differentiates = false}, &trace);
    net(tape, ids.data(), {1, tokens.shape().at(0), tokens.shape().at(1), nullptr, word_counts});
    return trace;
  };
  const Trace<double> trace = read(lengths.data());
  CaseValue got = CaseValue::object();
  got.set("word_states", as_array(trace.at("words.states")));
  got.set("word_weights", of_one(trace.at("words.weights")));
  got.set("sentence_vectors", of_one(trace.at("sentences.vectors")));
  got.set("sentence_states", of_one(trace.at("sentences.states")));
  got.set("sentence_weights", of_one(trace.at("sentences.weights")));
  got.set("document_vector", of_one(trace.at("document")));
  got.set("logits", of_one(trace.at("logits")));
  got.set("probabilities", of_one(trace.at("probabilities")));
  got.set("word_states_if_padding_is_fed_to_the_backward_GRU",
          as_array(read(nullptr).at("words.states")));
  return got;
}

const Topic topic("08_seq2seq", {{"gru_*", network_case},
                                 {"lstm_*", network_case},
                                 {"bahdanau_d2l*", bahdanau_case},
                                 {"bahdanau_greedy*", greedy_case},
                                 {"seed003_normal_attention_state_*", see_case},
                                 {"hierarchical_attention_network*", hierarchical_case}});

}  // namespace topic_08_seq2seq
}  // namespace core_check
