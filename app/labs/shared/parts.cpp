#include "app/labs/shared/parts.h"

namespace lab {

Plot strip(std::string id, std::string lead, figure::Numbers values, Color color, double largest) {
  const double reach = largest > 0 && std::isfinite(largest) ? largest : 1;
  Axis x = cell_axis("", to_index(values.size()));
  x.visible = false;
  return {.id = std::move(id),
          .x = std::move(x),
          .y = hidden_axis(-reach, reach),
          .marks = {Bars{.values = std::move(values), .color = color}},
          .lead = std::move(lead),
          .lead_color = color};
}

std::vector<std::string> typed_words(std::string_view text) {
  constexpr std::string_view kBetween = " \t\r\n";
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(kBetween); at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBetween, end);
  }
  return words;
}

std::string quoted(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "\"" : ", \"") + word + "\"";
  return all;
}

}  // namespace lab
