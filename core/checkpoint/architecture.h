// How an architecture is told apart and opened. One is one file of architectures/ and its line in
// architecture.cpp.
//
// Its file has a struct, built from an Opening, that names the tensors, and two templates:
//   void operator()(Pass<S>& pass) const        the order of operations, traced
//   MatrixOf<S> read_out(Pass<S>& pass, const MatrixOf<S>& hidden) const   from stream to logits
// a decoder alone also
//   StreamForm stream() const        what adds to its residual stream
// and, where packed.h can lay it out,
//   std::shared_ptr<const DecoderParts> parts() const   its parameters; null: not of this one
// and a function that is declared below.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "core/checkpoint/config.h"
#include "core/checkpoint/names.h"
#include "core/checkpoint/pass.h"

namespace core::checkpoint {

// Everything a model is opened from, and what becomes known on the way.
struct Opening {
  const Config& config;
  TensorNames& names;
  ModelFacts& facts;
  Index most_bytes;
  const Cancel& cancel;
  bool bare = false;  // names are those of a model that was saved without its head

  // The table of tokens, (vocabulary, width), under the first of these names that the file has. A
  // file whose head is tied to it may have it under the head's name alone, which has no prefix.
  Parameter embedding(std::initializer_list<std::string> names, const std::string& head,
                      bool usual);
  // A tied head is the embedding, another the tensor of this name, which has no prefix. `usual`:
  // what a missing tie_word_embeddings means. A tied one of which the file has other numbers all
  // the same is the file's, and that is a remark. None where the file has none and its class is one
  // without: then there are no logits.
  Parameter head(const std::string& name, const Parameter& embedding, bool usual);
  // Whether the name of one of config.json's classes ends like this: "ForCausalLM".
  bool is_a(std::initializer_list<std::string_view> endings) const;
  // Whether config.json says that the head is the embedding.
  bool ties(bool usual) const { return config.flag("tie_word_embeddings", usual); }
  Linear linear(const std::string& name, Index outputs, Index inputs, bool bias = true);
  Norm layer_norm(const std::string& name, Index size, double epsilon);
  Norm rms_norm(const std::string& name, Index size, double epsilon);
  // The tensor of a parameter, to be looked at.
  const Tensor& tensor(const Parameter& p) const { return names.declared()[p.at].tensor; }
  // Counts what was declared, and what was not, and finds the token that ends texts.
  void finish();

 private:
  bool may_lack_head() const;
};

struct Architecture {
  std::string_view type;    // config.json's model_type
  std::string_view prefix;  // of the names of its classes, which config.json lists: "GPT2"
  std::string_view name;
  std::unique_ptr<Model> (*open)(Opening& opening);
};

std::span<const Architecture> architectures();

// A model whose order of operations is `Order`.
template <class Order>
class ModelOf final : public Model {
 public:
  static std::unique_ptr<Model> open(Opening& opening) {
    return std::unique_ptr<Model>(new ModelOf(opening));
  }
  void run(Pass<float>& pass) const override { order_(pass); }
  void run(Pass<double>& pass) const override { order_(pass); }
  Matrix read_out(Pass<float>& pass, const Matrix& hidden) const override {
    return order_.read_out(pass, hidden);
  }
  MatrixD read_out(Pass<double>& pass, const MatrixD& hidden) const override {
    return order_.read_out(pass, hidden);
  }
  std::shared_ptr<const StreamForm> stream() const override {
    if constexpr (requires { order_.stream(); }) {
      return std::make_shared<const StreamForm>(order_.stream());
    } else {
      return nullptr;
    }
  }
  std::shared_ptr<const DecoderParts> parts() const override {
    if constexpr (requires { order_.parts(); }) {
      return order_.parts();
    } else {
      return nullptr;
    }
  }

 private:
  explicit ModelOf(Opening& opening) : order_(opening) {
    opening.finish();
    weights_ = std::make_unique<const Weights>(opening.names.declared(), opening.most_bytes);
    facts_ = std::move(opening.facts);
  }

  Order order_;
};

std::unique_ptr<Model> open_gpt2(Opening& opening);
std::unique_ptr<Model> open_gpt_neox(Opening& opening);
std::unique_ptr<Model> open_llama(Opening& opening);
std::unique_ptr<Model> open_mistral(Opening& opening);
std::unique_ptr<Model> open_qwen2(Opening& opening);
std::unique_ptr<Model> open_qwen3(Opening& opening);
std::unique_ptr<Model> open_bloom(Opening& opening);
std::unique_ptr<Model> open_bert(Opening& opening);
std::unique_ptr<Model> open_t5(Opening& opening);
std::unique_ptr<Model> open_mt5(Opening& opening);

}  // namespace core::checkpoint
