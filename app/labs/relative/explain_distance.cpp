// What happens at one distance, with its numbers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/labs/relative/learned.h"
#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

using figure::Role;

std::string signed_text(Index value) { return fmt::format("{:+}", value); }

void distance_shaw(const Scene& scene, Index r, Lines& lines) {
  const Index k = scene.p.clip, row = clipped_row(r, k);
  lines.push_back({"clip", {plain(fmt::format("= max(-{}, min({}, {})) = {}", k, k, r, row - k))}});
  lines.push_back({"row", {plain(fmt::format("= {} + {} = {}", row - k, k, row))}});
  if (std::abs(r) > k) {
    lines.push_back(sentence_line(
        scene.w.format("beyond {} every distance of this side reads row {}", k, row)));
  }
  const Factors factors{scene.model.content->Q.row(scene.model.query).transpose(),
                        scene.scheme().keys->row(row).transpose(), figure::Role::query};
  lines.push_back({"q·a^K", {plain("= Σ")}});
  const std::string sum = write_products(scene, factors, lines);
  const double factor = scene.scheme().terms[0].factor;
  lines.push_back({"/ √d",
                   {plain(fmt::format("= {} / √{} = ", sum, scene.model.content->d())),
                    {fixed(factor * factors.left.dot(factors.right)), Role::accent}}});
}

// A projected sinusoid as its sines and cosines weigh in: R·(W x).
void write_waves(const Scene& scene, const VectorD& R, const VectorD& g, Lines& lines) {
  constexpr Index kShown = 4;
  const Sinusoids& s = *scene.scheme().sinusoids;
  const Index half = s.width / 2, shown = std::min(kShown, half);
  std::vector<double> parts;
  for (Index f = 0; f < half; ++f) {
    const double part = R(f) * g(f) + R(half + f) * g(half + f);
    if (f < shown) {
      parts.push_back(part);
    } else if (f == shown) {
      parts.push_back(part);
    } else {
      parts.back() += part;
    }
  }
  const PrintedSum printed = printed_sum(parts);
  for (std::size_t f = 0; f < parts.size(); ++f) {
    const auto at = static_cast<Index>(f);
    std::string what = at < shown ? fmt::format("{:.2f}·({:.2f}) + {:.2f}·({:.2f})", R(at), g(at),
                                                R(half + at), g(half + at))
                                  : scene.w.format("… {} slower waves", half - shown);
    lines.push_back(
        {"",
         {dim(f == 0 ? "  " : "+ "), plain(std::move(what)), dim(" → "), plain(printed.parts[f])}});
  }
  lines.push_back({"", {plain("= " + printed.sum)}});
}

void distance_xl(const Scene& scene, Index r, Lines& lines) {
  const Sinusoids& s = *scene.scheme().sinusoids;
  const VectorD R = s.rows(VectorD::Constant(1, static_cast<double>(r))).row(0).transpose();
  const VectorD q = scene.model.content->Q.row(scene.model.query).transpose();
  const double by_query = q.dot(s.W.transpose() * R), by_v = s.v.dot(s.W.transpose() * R);
  lines.push_back({"t", {plain(fmt::format("= i - j = {}", -r))}});
  lines.push_back(
      {"R", {plain(fmt::format("= sin, cos({} · {:g}^(-2f/{}))", -r, scene.p.base, s.width))}});
  lines.push_back({"(d)", {plain("= v·(R W) = Σ R·(W v)"), dim("  " + scene.w("sine + cosine"))}});
  write_waves(scene, R, s.W * s.v, lines);
  lines.push_back({"(b)", {plain("= q·(R W) = Σ R·(W q)")}});
  write_waves(scene, R, s.W * q, lines);
  const double factor = scene.scheme().terms[0].factor;
  const PrintedSum sum = printed_sum({by_query, by_v});
  lines.push_back(
      {"b + d", {plain(fmt::format("= {} + {} = {}", sum.parts[0], sum.parts[1], sum.sum))}});
  lines.push_back({"/ √d",
                   {plain(fmt::format("= {} / √{} = ", sum.sum, scene.model.content->d())),
                    {fixed(factor * (by_query + by_v)), Role::accent}}});
}

void distance_deberta(const Scene& scene, Index r, Lines& lines) {
  const Index k = scene.p.span, here = deberta_row(-r, k), there = deberta_row(r, k);
  lines.push_back(
      {"δ(i,j)", {plain(fmt::format("= clip({} + {}, 0, {}) = {}", -r, k, 2 * k - 1, here))}});
  lines.push_back(
      {"δ(j,i)", {plain(fmt::format("= clip({} + {}, 0, {}) = {}", r, k, 2 * k - 1, there))}});
  lines.push_back(sentence_line(scene.w(
      "δ counts query minus key; the third term looks from the key, so it takes the other one")));
  const Content& content = *scene.model.content;
  const Factors to{content.Q.row(scene.model.query).transpose(),
                   scene.scheme().keys->row(here).transpose(), figure::Role::query};
  const Factors from{scene.scheme().queries->row(there).transpose(),
                     content.K.row(scene.model.key).transpose(), figure::Role::text,
                     figure::Role::key};
  lines.push_back({fmt::format("q·k_{}", here), {plain("= Σ")}});
  write_products(scene, to, lines);
  lines.push_back({fmt::format("k·q_{}", there), {plain("= Σ")}});
  write_products(scene, from, lines);
  const PrintedSum sum = printed_sum({to.left.dot(to.right), from.left.dot(from.right)});
  const double total = to.left.dot(to.right) + from.left.dot(from.right);
  lines.push_back(
      {"Σ", {plain(fmt::format("= {} + {} = {}", sum.parts[0], sum.parts[1], sum.sum))}});
  lines.push_back({"/ √(3d)",
                   {plain(fmt::format("= {} / √{} = ", sum.sum, 3 * content.d())),
                    {fixed(total * scene.scheme().terms[0].factor), Role::accent}}});
}

void distance_alibi(const Scene& scene, Index r, Lines& lines) {
  write_slope(scene, lines);
  const double slope = scene.scheme().slope;
  const bool by_key = scene.p.alibi_bias == AlibiBias::key_only;
  const Index place = by_key ? r : -std::abs(r);
  const double bias = slope * static_cast<double>(place);
  lines.push_back(
      {"bias",
       {plain(fmt::format("= {:.6g} × ({}) = ", slope, place)), {fixed(bias), Role::accent}}});
  lines.push_back({"exp", {plain(fmt::format("= {:.4g}", std::exp(bias)))}});
  lines.push_back(sentence_line(
      by_key ? scene.w("m j less m i, which is the same for all keys of a query")
             : scene.w("an equal key there has this share of the weight of one beside the query")));
}

void distance_urpe(const Scene& scene, Index r, Lines& lines) {
  const Index reach = std::abs(r);
  const double c = urpe_factors(scene.p, reach)(reach + r);
  const double fall = std::exp(-scene.p.urpe_fall * static_cast<double>(reach));
  lines.push_back(
      {"c", {plain(fmt::format("= exp(-{:g} × {}) (1 + ε)", scene.p.urpe_fall, reach))}});
  lines.push_back(
      {"", {plain(fmt::format("= {} × (1 + ({}))", fixed(fall), fixed(c / fall - 1)))}});
  lines.push_back({"", {plain("= "), {fixed(c), Role::accent}}});
  lines.push_back(sentence_line(
      scene.w("the softmax weight of every pair at this distance is multiplied by it")));
}

}  // namespace

void write_slope(const Scene& scene, Lines& lines) {
  const Index h = scene.p.heads, head = std::clamp(scene.p.head, 1, scene.p.heads);
  const auto power = static_cast<Index>(std::bit_floor(static_cast<unsigned>(h)));
  // The k-th of `of` slopes in the geometric sequence.
  Index k = head, of = h;
  if (scene.p.rule == core::AlibiSlopeRule::released && head > power) {
    k = 2 * (head - power) - 1;
    of = 2 * power;
    lines.push_back(sentence_line(scene.w.format(
        "{} is no power of two: after {} slopes come every other one of {}", h, power, of)));
  } else if (scene.p.rule == core::AlibiSlopeRule::released) {
    of = power;
  }
  lines.push_back({"m",
                   {plain(fmt::format("= 2^(-8·{}/{}) = 2^({:.4g}) = {:.6g}", k, of,
                                      -8 * static_cast<double>(k) / static_cast<double>(of),
                                      scene.scheme().slope))}});
}

void write_bucket(const Scene& scene, Index relative, Lines& lines) {
  const core::T5Buckets& buckets = *scene.scheme().buckets;
  const core::T5BucketSpec& spec = buckets.spec();
  const Index side = spec.bidirectional ? spec.buckets / 2 : spec.buckets;
  const Index exact = buckets.max_exact(), bucket = buckets(relative);
  const Index begin = spec.bidirectional && relative > 0 ? side : 0;
  const bool masked_side = !spec.bidirectional && relative > 0;
  const Index t = masked_side ? 0 : std::abs(relative);
  lines.push_back({"t",
                   {plain(masked_side ? fmt::format("= max(-({}), 0) = 0", relative)
                                      : fmt::format("= |{}| = {}", relative, t))}});
  lines.push_back({"max_exact", {plain(fmt::format("= {} / 2 = {}", side, exact))}});
  Index own = t;
  if (t < exact) {
    lines.push_back(sentence_line(scene.w.format("{} is below {}: a bucket of its own", t, exact)));
  } else {
    const double range =
        std::log(static_cast<double>(spec.max_distance) / static_cast<double>(exact));
    const double ratio = std::log(static_cast<double>(t) / static_cast<double>(exact));
    const double steps = ratio / range * static_cast<double>(side - exact);
    own = bucket - begin;
    lines.push_back({"",
                     {plain(fmt::format("{} + ⌊{} ln({}/{}) / ln({}/{})⌋", exact, side - exact, t,
                                        exact, spec.max_distance, exact))}});
    lines.push_back({"",
                     {plain(fmt::format("= {} + ⌊{} × {} / {}⌋ = {} + ⌊{}⌋", exact, side - exact,
                                        fixed(ratio), fixed(range), exact, fixed(steps)))}});
    if (t >= spec.max_distance) {
      lines.push_back(sentence_line(
          scene.w.format("{} or more: the last of the side, {}", spec.max_distance, side - 1)));
    }
    lines.push_back({"", {plain(fmt::format("= {}", own))}});
  }
  lines.push_back({"bucket",
                   {plain(fmt::format("= {} + {} = ", begin, own)),
                    {fmt::format("{}", bucket), Role::accent}}});
  if (spec.bidirectional) {
    lines.push_back(sentence_line(begin > 0 ? scene.w.format("keys ahead begin at bucket {}", side)
                                            : scene.w("keys before begin at bucket 0")));
  }
  const Index in_float = core::t5_bucket_by_logarithm<float>(spec, relative);
  if (in_float != bucket) {
    lines.push_back(sentence_line(scene.w.format(
        "computed in float with logarithms, as published code does, it would be {}", in_float)));
  }
  lines.push_back({fmt::format("b[{}]", bucket),
                   {{"= " + fixed(scene.scheme().scalars(bucket)), Role::accent}}});
}

Explanation explain_distance(const Scene& scene) {
  const Index r = scene.p.distance;
  Explanation result{
      scene.w.format("Distance j - i = {}: {}", signed_text(r), distance_words(scene, r)), {}};
  switch (scene.p.scheme) {
    case SchemeName::shaw:
      distance_shaw(scene, r, result.lines);
      break;
    case SchemeName::transformer_xl:
    case SchemeName::xlnet:
      distance_xl(scene, r, result.lines);
      break;
    case SchemeName::t5:
      write_bucket(scene, r, result.lines);
      break;
    case SchemeName::deberta:
      distance_deberta(scene, r, result.lines);
      break;
    case SchemeName::urpe:
      distance_urpe(scene, r, result.lines);
      break;
    case SchemeName::alibi:
      distance_alibi(scene, r, result.lines);
      break;
  }
  if (scene.model.pairs->causal && r > 0) {
    result.lines.push_back(sentence_line(scene.w("the mask hides keys ahead")));
  }
  return result;
}

}  // namespace lab::relative
