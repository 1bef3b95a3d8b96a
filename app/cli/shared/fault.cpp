#include "app/cli/shared/fault.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

}  // namespace cli
