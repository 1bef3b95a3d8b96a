// Numbers and the nouns behind them: "2 heads", but not "1 heads".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/lab.h"

namespace contract {

// The first place of an English text that counts one of something in the plural, as "1 heads".
std::optional<std::string> plural_of_one(std::string_view text);

// Every text of a page: titles, captions, notes, names of axes, lines of the explanation.
std::vector<std::string> texts_of(const lab::Page& page);

}  // namespace contract
