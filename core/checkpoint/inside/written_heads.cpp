#include "core/checkpoint/inside/written_heads.h"

#include <algorithm>

#include "core/checkpoint/generation.h"
#include "core/tile.h"

namespace core::checkpoint {
namespace {

bool two_texts(const Model& model) { return model.facts().kind == Kind::encoder_decoder; }

Index size_of(const std::vector<std::int32_t>& ids) { return static_cast<Index>(ids.size()); }

Generation begun(const std::shared_ptr<const Model>& model, const Continuation& text, int threads) {
  const GenerationOptions options{.threads = threads};
  return two_texts(*model) ? Generation::across(model, text.encoded, options)
                           : Generation(model, options);
}

// The last rows of what was read last become those from `to` on; what came later is absent.
void take(const Model& model, const Continuation& text, const Trace<float>& newest, Index rows,
          Index to, std::vector<std::vector<Matrix>>& all) {
  for (std::size_t l = 0; l < all.size(); ++l) {
    const Layer<float>& layer = *newest.decoder.layers[l];
    const Attending<float>& looks = text.cross ? layer.cross : layer.self;
    for (std::size_t h = 0; h < all[l].size(); ++h) {
      const auto from = looks.weights[h].matrix();
      for (Index i = 0; i < rows; ++i) {
        const Index query = from.cols() - rows + i;
        for (Index j = 0; j < from.cols(); ++j) {
          const bool seen =
              text.cross || model.facts().positions.sees(static_cast<Index>(l), query, j);
          if (seen) all[l][h](to + i, j) = from(from.rows() - rows + i, j);
        }
      }
    }
  }
}

// Whether keys are turned otherwise as the text grows: each token is then read when it was read.
bool one_by_one(const Model& model) {
  const auto& rotary = model.facts().positions.rotary;
  return rotary && rotary->depends_on_length();
}

}  // namespace

std::vector<std::int32_t> Continuation::given() const {
  std::vector<std::int32_t> all = prompt;
  all.insert(all.end(), written.begin(), written.end() - 1);
  return all;
}

WrittenHeads written_heads(const std::shared_ptr<const Model>& model, const Continuation& text,
                           int threads, const Cancel& cancel, Index most_bytes) {
  const ModelFacts& facts = model->facts();
  const Index layers = two_texts(*model) ? facts.decoder_layers : facts.layers;
  const auto given = text.given();
  const Index cols = size_of(text.read()), written = size_of(text.written);
  const Index most = most_bytes / std::max<Index>(1, 4 * cols * layers * facts.heads);
  const Index rows = std::min(written, std::max<Index>(1, most));
  WrittenHeads made{.first = written - rows, .weights = {}};
  made.weights.assign(static_cast<std::size_t>(layers),
                      std::vector<Matrix>(static_cast<std::size_t>(facts.heads),
                                          Matrix::Constant(rows, cols, kMasked)));
  Generation generation = begun(model, text, threads);
  const auto before = given.end() - rows;
  if (before != given.begin()) generation.read({given.begin(), before}, cancel);
  generation.keep_weights(true);
  const Index step = one_by_one(*model) ? 1 : rows;
  for (Index row = 0; row < rows; row += step) {
    generation.read({before + row, before + row + step}, cancel);
    take(*model, text, generation.newest(), step, row, made.weights);
  }
  return made;
}

}  // namespace core::checkpoint
