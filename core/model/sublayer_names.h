// Names in the trace of an encoder-decoder for the inputs and results of one part of a layer, put
// together from those that TransformerLayer, Residual and MultiHead give.
#pragma once

#include <string>

#include "core/model/encoder_decoder.h"

namespace core::model {

// Self-attention, attention to the encoder's output, and the feed-forward network.
enum class Sublayer { self, cross, feed_forward };

struct SublayerNames {
  EncoderDecoderForm form;
  bool decoder = false;
  Index layer = 0;  // of its stack, from 0
  Sublayer part = Sublayer::self;

  bool cross() const { return part == Sublayer::cross; }
  bool causal() const { return decoder && part == Sublayer::self; }
  bool normed() const { return form.layer.normed; }
  bool norm_first() const { return normed() && form.layer.norm_first; }
  bool norm_after() const { return normed() && !form.layer.norm_first; }
  bool adds() const { return form.layer.residual; }
  // Whether FLOATER adds its positions to what self-attention projects.
  bool has_course() const {
    return part == Sublayer::self && entry(form.positions.scheme).declare_flow != nullptr;
  }

  std::string side() const { return decoder ? "decoder" : "encoder"; }
  // "decoder.0.cross."
  std::string prefix() const { return in_layer() + part_name() + "."; }
  // Prefix of the norm's parameters: "decoder.0.norm_cross."
  std::string norm() const { return in_layer() + "norm_" + part_name() + "."; }

  // The residual stream before the part,
  std::string stream() const;
  // the input that is projected: the stream, its norm, or either with FLOATER's positions,
  std::string given() const;
  // the input of keys and values,
  std::string looked_at() const { return cross() ? "encoder.out" : given(); }
  // the part's result, and the stream after it.
  std::string made() const {
    return prefix() + (part == Sublayer::feed_forward ? "down" : "output");
  }
  std::string left() const { return prefix() + (norm_after() ? "after" : "sum"); }
  // Input and result of its norm.
  std::string before_norm() const { return norm_after() ? prefix() + "sum" : stream(); }
  std::string after_norm() const { return prefix() + (norm_after() ? "after" : "normed"); }

 private:
  std::string in_layer() const { return side() + "." + std::to_string(layer) + "."; }
  std::string part_name() const {
    return part == Sublayer::self ? "self" : cross() ? "cross" : "feed_forward";
  }
};

inline std::string SublayerNames::stream() const {
  if (part == Sublayer::self) {
    return layer == 0 ? side() + ".placed" : side() + "." + std::to_string(layer - 1) + ".out";
  }
  SublayerNames below = *this;
  below.part = decoder && !cross() ? Sublayer::cross : Sublayer::self;
  return below.left();
}

inline std::string SublayerNames::given() const {
  if (has_course()) return prefix() + "given";
  return norm_first() ? prefix() + "normed" : stream();
}

}  // namespace core::model
