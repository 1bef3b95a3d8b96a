#include "app/labs/shared/over_texts/over_texts.h"

#include "app/labs/shared/over_texts/kept_values.h"

namespace lab {

namespace published = core::checkpoint;

OverTexts over_texts(const OverTextsKey& key, const Run& run) {
  using What = OverTexts::What;
  const PublishedModel& opened = *key.opened;
  const std::string name = fmt::format("{} {}", opened.name, static_cast<int>(key.what));
  return kept_value<OverTexts>(name, [&] {
    OverTexts out{.what = key.what,
                  .most = key.what == What::sinks     ? 96
                          : key.what == What::ablated ? 32
                                                      : 20};
    const auto texts =
        published::token_texts(*opened.tokenizer, opened.held_out, out.most, run.cancel);
    const published::Model& model = *opened.model;
    switch (key.what) {
      case What::sinks:
        out.windows =
            published::window_losses(model, texts, {2, 4, 8, 16, 32, 64}, run.threads, run.cancel);
        break;
      case What::ablated:
        out.cells = published::ablated_losses(model, texts, run.threads, run.cancel);
        break;
      case What::explained:
        out.explained = published::attention_explains(model, texts, run.threads, run.cancel);
        out.cells = out.explained.rho;
        break;
    }
    return out;
  });
}

Precision measure_precision(const PrecisionKey& key, const Run& run) {
  const PublishedModel& opened = *key.opened;
  const std::string name = fmt::format("{} {}", opened.name, key.offset);
  return kept_value<Precision>(name, [&] {
    std::vector<std::string> some;
    for (std::size_t k = 0; k < opened.held_out.size(); k += 2) some.push_back(opened.held_out[k]);
    const auto texts =
        published::token_texts(*opened.tokenizer, some, kPrecisionTokens, run.cancel);
    return Precision{
        to_index(texts.size()),
        published::rounded_losses(*opened.model, texts, key.offset, run.threads, run.cancel)};
  });
}

}  // namespace lab
