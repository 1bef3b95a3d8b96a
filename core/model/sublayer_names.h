// Where the trace of an encoder-decoder has what one part of a layer is given and makes: the names
// that TransformerLayer, Residual and MultiHead give, put together.
#pragma once

#include <string>

#include "core/model/encoder_decoder.h"

namespace core::model {

// Attention to one's own sequence, to what the encoder read, and the feed-forward network.
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
  // FLOATER adds a course of positions to what self-attention projects.
  bool has_course() const {
    return part == Sublayer::self && entry(form.positions.scheme).declare_flow != nullptr;
  }

  std::string side() const { return decoder ? "decoder" : "encoder"; }
  // "decoder.0.cross."
  std::string prefix() const { return in_layer() + part_name() + "."; }
  // Where the norm's parameters are: "decoder.0.norm_cross."
  std::string norm() const { return in_layer() + "norm_" + part_name() + "."; }

  // What comes up to the part along the residual connection,
  std::string stream() const;
  // what is projected: that, its norm, or with the course,
  std::string given() const;
  // what keys and values are made of,
  std::string looked_at() const { return cross() ? "encoder.out" : given(); }
  // what the part makes, and what it leaves behind.
  std::string made() const {
    return prefix() + (part == Sublayer::feed_forward ? "down" : "output");
  }
  std::string left() const { return prefix() + (norm_after() ? "after" : "sum"); }
  // What its norm is given, and gives.
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
