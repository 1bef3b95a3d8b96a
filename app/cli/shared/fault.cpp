#include "app/cli/shared/fault.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/words/sentence.h"

namespace cli {

std::string fault(const CLI::App& app, const CLI::ParseError& error, const words::Words& w) {
  const std::string said = error.what();
  const auto before = [&](std::string_view end) { return said.substr(0, said.find(end)); };
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    return w.format(N_("expected nothing more, got {}"),
                    fmt::format("{}", fmt::join(app.remaining(true), " ")));
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    return w.format(N_("expected {}, got nothing"), before(" is required"));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    const std::string option = before(":");
    if (said.find(": At Most ") != std::string::npos) {  // CLI11's words
      return w.format(N_("expected {} once, got it twice"), option);
    }
    return w.format(N_("expected a value of {}, got nothing"), option);
  }
  return said;
}

std::string as_typed(const std::string& said, const std::vector<std::string>& typed) {
  const std::size_t end = said.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  if (end == 0 || end == said.npos) return said;
  if (said[end] != ':' && said.compare(end, 3, "：") != 0) return said;
  std::string option = "--" + said.substr(0, end);
  std::ranges::replace(option, '_', '-');
  const auto is_it = [&](const std::string& word) {
    return word == option || word.starts_with(option + "=");
  };
  return std::ranges::any_of(typed, is_it) ? option + said.substr(end) : said;
}

}  // namespace cli
