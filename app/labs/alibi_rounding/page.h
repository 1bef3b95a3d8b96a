// The page of the lab of rounded ALiBi biases: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/alibi_rounding/model.h"
#include "app/labs/shared/parts.h"

namespace lab::alibi_rounding {

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  std::string format_name() const { return lab::format_name(p.format); }
  std::string rounding_name() const { return w(lab::rounding_name(p.rounding.rounding)); }
  // From the picked query to its key; negative when the key comes after the query.
  Index pair_distance() const { return p.pair_distance(p.query, p.key); }
  double score() const { return model.content->scores(p.query, p.key); }
  // pair_distance() >= 0.
  Sum sum() const { return Adder(p.adding(), model.rounder)(score(), pair_distance()); }
};

// Nine significant digits; "∞", "NaN".
inline std::string value_text(double value) {
  return std::isfinite(value) ? significant(value == 0 ? 0 : value, 9) : fixed(value);
}

Figure bias_figure(const Scene& scene);
Figure heads_figure(const Scene& scene);
Figure counts_figure(const Scene& scene);
Figure table_figure(const Scene& scene);
Figure matrices_figure(const Scene& scene);
Figure strips_figure(const Scene& scene);
Figure bits_figure(const Scene& scene);

Explanation explain(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::alibi_rounding
