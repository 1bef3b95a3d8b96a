// The page of the cache lab: figures, readouts, explanation, as data. Each view has a file.
#pragma once

#include "app/labs/cache/model.h"
#include "app/labs/shared/derivation/derivation.h"
#include "app/labs/shared/readouts.h"

namespace lab::cache {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  const Story& story() const { return *model.story; }
  const core::model::DecoderForm& form() const { return story().form(); }
  Index token() const { return model.token; }
  Index n() const { return story().n(); }
  // Index of the picked head among all heads of all layers, and of the key head that it shares.
  std::size_t head_at() const { return to_size(model.layer * form().layer.heads + model.head); }
  std::size_t key_head_at() const {
    return to_size(model.layer * form().layer.key_heads + model.head / story().group());
  }
  std::string head_name() const {
    return w.format("layer {}, head {}", model.layer + 1, model.head + 1);
  }
};

// --- parts that several views have

inline constexpr int kWholeColor = 0, kWindowColor = 1, kSinkColor = 4, kOtherColor = 9;

// Tokens of the text along an axis; a click sets the token.
Axis token_axis(const Scene& scene, std::string label);
// A line with a value for each token, over a token axis.
Line token_line(const std::vector<double>& values, Color color, std::string label = {});
// The token that is being read.
Rule token_rule(const Scene& scene);
// Weights of the picked head, row by row of tokens; a click sets the token, and `key_param`.
// `unseen`: why a cell has none.
Plot weights_plot(const Scene& scene, const std::string& id, std::string title,
                  const Matrix& weights, std::string unseen, const std::string& key_param = {},
                  const Assignments& also = {});
// The likeliest next tokens after the picked one, as bars: those of `first`, by its order.
Plot next_plot(const Scene& scene, const std::string& id, std::string title, const Reading& first,
               const Reading& shown, Color color);
// Such bars of the exact reading, and of the other one by its order, side by side.
Figure compared_next(const Scene& scene, Figure figure, std::string exact, std::string other,
                     int color = kWindowColor);
std::string story_status(const Scene& scene);
// Over which tokens mean losses are.
std::string counted(const Scene& scene);

// A count of bytes: all digits where there are few, else "75.5 MB".
std::string exact_bytes(Index bytes);

// The bytes that the keys and values of `tokens` tokens of each of `texts` texts take, `numbers`
// a token, each in the bits of the format. Its result is the derivation's.
void write_cache_bytes(const Scene& scene, Index numbers, Index texts, Index tokens,
                       const std::string& name, Derivation& d);

// A row of a table.
figure::Table::Cell cell(std::string text, Color color = Role::text,
                         TextStyle style = TextStyle::mono_small);
figure::Table::Cell named_cell(std::string text);

// --- the views

Page tokens_page(const Scene& scene);
Page memory_page(const Scene& scene);
Page rounding_page(const Scene& scene);
Page eviction_page(const Scene& scene);
Page online_page(const Scene& scene);
Page tiles_page(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::cache
