// All values of a live struct at once: read, set together or not at all, and brought into range.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/param/param.h"

namespace param {

// Values by id, as text, in the order of description: what undo keeps and presets hold.
using Values = std::vector<std::pair<std::string, std::string>>;

// Values written in one line, "m=36 | text=a few words | draws=64", as they stand between the bars.
// Throws core::InputError where there is no "=".
Values read_settings(std::string_view text);

// Describes the live parameters anew at any time.
using Describe = std::function<List()>;

Values values(const Describe& describe);

// The values of `some` that `others` has not, in their order.
Values difference(const Values& some, const Values& others);

// Sets several values, in the order of description (a range may depend on an earlier value), then
// settles. Throws core::InputError on an unknown id or a refused value; nothing has changed then.
void assign(const Describe& describe, const Values& wanted);

// Sets `exact` as assign does, and then each number of `near` to the nearest permitted value, one
// after the other (a range may depend on an earlier value). Throws core::InputError as assign does,
// and for what is no number; nothing has changed then.
using Numbers = std::vector<std::pair<std::string, double>>;
void assign_near(const Describe& describe, const Values& exact, const Numbers& near);

// Brings every number back into its range after others changed.
void settle(const Describe& describe);
// Brings numbers into the range that was found for them; returns those that were beyond it, as they
// were before, in the order of description.
std::vector<Refusal> settle_found(const Describe& describe);

}  // namespace param
