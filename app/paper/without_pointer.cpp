#include "app/paper/without_pointer.h"

#include <algorithm>
#include <array>

namespace paper {

std::string without_pointer(const std::string& text) {
  constexpr std::array kWords = {
      "click",  "Click",  "drag",   "Drag", "pointer",         "点击",      "拖动",
      "指针所", "press ", "Press ", "按“",  "\"Measure now\"", "“立即测量”"};
  std::string kept;
  for (std::size_t from = 0; from < text.size();) {
    const auto after = [&](std::string_view end) {
      const std::size_t at = text.find(end, from);
      return at == std::string::npos ? text.size() : at + end.size();
    };
    const std::size_t to = std::min({after(". "), after("。"), after("? "), after("？")});
    const std::string sentence = text.substr(from, to - from);
    const bool tells = std::any_of(kWords.begin(), kWords.end(), [&](const char* word) {
      return sentence.find(word) != std::string::npos;
    });
    if (!tells) kept += sentence;
    from = to;
  }
  while (kept.ends_with(' ')) kept.pop_back();
  return kept;
}

}  // namespace paper
