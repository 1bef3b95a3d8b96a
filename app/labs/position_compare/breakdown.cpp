// What each scheme adds up to a score.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/position_compare/page.h"

namespace lab::position_compare {
namespace {

const Span kQ{"q", Role::query}, kK{"k", Role::key};
const Span kWq{"W_q", Role::query}, kWk{"W_k", Role::key};

VectorD row(const MatrixD& m, Index i) { return m.row(i).transpose(); }

Part product(std::vector<Span> symbol, VectorD a, VectorD b, std::string note = {}) {
  const double value = a.dot(b);
  return {std::move(symbol), value, std::move(a), std::move(b), std::move(note)};
}

Part number(const char* symbol, double value, std::string note) {
  return {{plain(symbol)}, value, {}, {}, std::move(note), false};
}

// What is added to the product of content with content, or stands in its place.
void add_parts(const SchemeKnobs& p, const Scored& scored, const Content& c, Index i, Index j,
               const words::Words& w, std::vector<Part>& parts) {
  const Inside& in = *scored.inside;
  const VectorD q = row(c.Q, i), k = row(c.K, j);
  switch (scored.scheme) {
    case Scheme::none:
    case Scheme::urpe:
      break;
    case Scheme::sinusoidal:
    case Scheme::learned:
      parts.push_back(product({kQ, plain("·p_j"), kWk}, q, row(in.Pk, j)));
      parts.push_back(product({plain("p_i"), kWq, plain("·"), kK}, row(in.Pq, i), k));
      parts.push_back(
          product({plain("p_i"), kWq, plain("·p_j"), kWk}, row(in.Pq, i), row(in.Pk, j)));
      break;
    case Scheme::rotary:
    case Scheme::xpos:
      parts = {product({plain("R_i"), kQ, plain("·R_j"), kK}, row(in.Q, i), row(in.K, j))};
      break;
    case Scheme::alibi:
      parts.push_back(number("-m|i-j|", -in.slope * to_double(std::abs(i - j)),
                             w.format("m is the slope of head {}", p.head)));
      break;
    case Scheme::t5: {
      const Index bucket = core::T5Buckets(t5_spec(p))(j - i);
      parts.push_back(
          number("b", in.t5(bucket),
                 w.format("distance {} is in bucket {}; its number is learned", j - i, bucket)));
      break;
    }
    case Scheme::shaw: {
      const Index at = std::clamp<Index>(j - i, -p.clip, p.clip) + p.clip;
      parts.push_back(
          product({kQ, plain("·a")}, q, row(in.a_key, at),
                  w.format("a is row {} of the table: j − i = {}, cut to ±{}", at, j - i, p.clip)));
      break;
    }
    case Scheme::transformer_xl: {
      const VectorD r = row(in.r, c.n() - 1 - (i - j));
      parts.push_back(product({kQ, plain("·r")}, q, r,
                              w.format("r is the sinusoid of i − j = {} times W_kR", i - j)));
      parts.push_back(product({plain("u·"), kK}, in.u, k));
      parts.push_back(product({plain("v·r")}, in.v, r));
      break;
    }
    case Scheme::deberta: {
      const Index last = 2 * p.clip - 1;
      const Index to = std::clamp<Index>(i - j + p.clip, 0, last);
      const Index from = std::clamp<Index>(j - i + p.clip, 0, last);
      parts.push_back(
          product({kQ, plain("·Kr")}, q, row(in.Kr, to), w.format("Kr is row δ(i, j) = {}", to)));
      parts.push_back(product({kK, plain("·Qr")}, k, row(in.Qr, from),
                              w.format("Qr is row δ(j, i) = {}", from)));
      break;
    }
  }
}

}  // namespace

Breakdown break_down(const SchemeKnobs& p, const Content& content, const Scored& scored, Index i,
                     Index j, const words::Words& w) {
  Breakdown result;
  result.parts = {product({kQ, plain("·"), kK}, row(content.Q, i), row(content.K, j))};
  add_parts(p, scored, content, i, j, w, result.parts);
  result.under_root = (scored.scheme == Scheme::deberta ? 3 : 1) * content.d_k();
  double inside = 0, outside = 0;
  for (const Part& part : result.parts) (part.inside ? inside : outside) += part.value;
  result.score = inside / std::sqrt(to_double(result.under_root)) + outside;
  return result;
}

}  // namespace lab::position_compare
