// The page of the lab of published models: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/checkpoint/model.h"

namespace lab::checkpoint {

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  std::string name(std::int32_t id) const { return model.opened->shown(id); }
  Labels names(const std::vector<std::int32_t>& ids) const;
  std::string head_name() const;
};

// "rotary, base 10000, yarn", in the reader's words.
std::string scheme_text(const Scene& scene);

// The number that is listed as `rank` as logits are made: a row of the head and what it is
// multiplied by; none where that is not all there is to it.
struct HeadProduct {
  VectorD row, given;
  double factor = 1;
};
std::optional<HeadProduct> head_product(const Scene& scene, std::int32_t id);

Figure text_figure(const Scene& scene);
Figure sheet_figure(const Scene& scene);
Figure map_figure(const Scene& scene);
Figure statistics_figure(const Scene& scene);

Figure next_figure(const Scene& scene);
Figure lens_figure(const Scene& scene);
Figure continuation_figure(const Scene& scene);
Figure pooled_figure(const Scene& scene);

std::vector<Figure> position_figures(const Scene& scene);
std::vector<Figure> rounding_figures(const Scene& scene);
std::vector<Figure> file_figures(const Scene& scene);

// Ways to other labs: with its positions, or with the folder and the text.
std::vector<Jump> jumps(const Scene& scene);
std::vector<Jump> decoder_jumps(const Scene& scene);
// With the attention that is shown; none while it is computed, or where it is too long a file.
std::optional<Jump> tensors_jump(const Scene& scene);
Explanation explain(const Scene& scene);
Page compute(const Parameters& p, const Context& context);

}  // namespace lab::checkpoint
