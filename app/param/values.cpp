#include "app/param/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "app/param/match.h"
#include "app/param/reading.h"
#include "app/param/renamed.h"

namespace param {
namespace {

// A live value without its kind, to put back what was.
using Raw = std::variant<bool, int, double, std::string, PointList, StackItems, CellSet>;

Raw raw(const Parameter& parameter) {
  return std::visit(Match{[](const Flag& k) -> Raw { return *k.value; },
                          [](const Integer& k) -> Raw { return *k.value; },
                          [](const Real& k) -> Raw { return *k.value; },
                          [](const Choice& k) -> Raw { return k.get(); },
                          [](const Text& k) -> Raw { return *k.value; },
                          [](const File& k) -> Raw { return *k.value; },
                          [](const Points& k) -> Raw { return *k.value; },
                          [](const Name& k) -> Raw { return *k.value; },
                          [](const Stack& k) -> Raw { return *k.value; },
                          [](const Painted& k) -> Raw { return *k.value; }},
                    parameter.kind);
}

void put_back(const Parameter& parameter, const Raw& value) {
  std::visit(Match{[&](const Flag& k) { *k.value = std::get<bool>(value); },
                   [&](const Integer& k) { *k.value = std::get<int>(value); },
                   [&](const Real& k) { *k.value = std::get<double>(value); },
                   [&](const Choice& k) { k.set(std::get<int>(value)); },
                   [&](const Text& k) { *k.value = std::get<std::string>(value); },
                   [&](const File& k) { *k.value = std::get<std::string>(value); },
                   [&](const Points& k) { *k.value = std::get<PointList>(value); },
                   [&](const Name& k) { *k.value = std::get<std::string>(value); },
                   [&](const Stack& k) { *k.value = std::get<StackItems>(value); },
                   [&](const Painted& k) { *k.value = std::get<CellSet>(value); }},
             parameter.kind);
}

void require_known(const List& list, const Values& wanted) {
  for (const auto& [id, value] : wanted) {
    const auto same = [&id = id](const Parameter& p) { return p.info.id == id; };
    if (std::any_of(list.items().begin(), list.items().end(), same)) continue;
    std::string names;
    for (const Parameter& p : list.items()) {
      if (!names.empty()) names += ", ";
      names += p.info.id;
    }
    words::refuse<core::InputError>(N_("expected a parameter (one of {}), got {}"), names,
                                    shown(id));
  }
}

// Puts every value back when `change` throws.
template <class Change>
void all_or_nothing(const Describe& describe, const Change& change) {
  std::vector<Raw> before;
  const List list = describe();
  for (const Parameter& parameter : list.items()) before.push_back(raw(parameter));
  try {
    change();
  } catch (...) {
    const List now = describe();
    for (std::size_t k = 0; k < before.size(); ++k) put_back(now.items()[k], before[k]);
    throw;
  }
}

// The value wanted for `id`; when there are several the last one counts, as on a command line.
const std::string* last_wanted(const Values& wanted, std::string_view id) {
  for (auto at = wanted.rbegin(); at != wanted.rend(); ++at) {
    if (at->first == id) return &at->second;
  }
  return nullptr;
}

// What `settle` makes of one number; true when it changed. Reals are only brought into the range.
bool settle_one(const Parameter& parameter) {
  const Info& info = parameter.info;
  if (const auto* integer = std::get_if<Integer>(&parameter.kind)) {
    const int settled = static_cast<int>(nearest(parameter, *integer->value));
    return std::exchange(*integer->value, settled) != settled;
  }
  if (const auto* real = std::get_if<Real>(&parameter.kind)) {
    const double settled = std::max(info.min, std::min(*real->value, info.max));
    return std::exchange(*real->value, settled) != settled;
  }
  return false;
}

}  // namespace

Values read_settings(std::string_view text) {
  constexpr std::string_view kBar = " | ";
  Values values;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(kBar));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) {
      throw core::InputError(fmt::format("settings: expected id=value, got \"{}\"", one));
    }
    values.emplace_back(one.substr(0, equals), one.substr(equals + 1));
    text.remove_prefix(std::min(text.size(), one.size() + kBar.size()));
  }
  return values;
}

Values values(const Describe& describe) {
  Values result;
  const List list = describe();
  for (const Parameter& parameter : list.items()) {
    result.emplace_back(parameter.info.id, serialize(parameter));
  }
  return result;
}

Values difference(const Values& some, const Values& others) {
  Values result;
  for (std::size_t k = 0; k < some.size(); ++k) {
    // As a rule both hold the same ids in one order.
    if (k < others.size() && others[k].first == some[k].first) {
      if (others[k] != some[k]) result.push_back(some[k]);
    } else if (std::find(others.begin(), others.end(), some[k]) == others.end()) {
      result.push_back(some[k]);
    }
  }
  return result;
}

namespace {

Values by_their_ids_now(const List& list, Values wanted) {
  for (auto& [id, value] : wanted) {
    const auto renamed = renamed_to(id, list);
    if (!renamed) continue;
    id = renamed->is;
    if (const auto number = whole<int>(value)) value = fmt::format("{}", *number + renamed->more);
  }
  return wanted;
}

}  // namespace

void assign(const Describe& describe, const Values& given) {
  List list = describe();
  const Values wanted = by_their_ids_now(list, given);
  require_known(list, wanted);
  all_or_nothing(describe, [&] {
    // What was found may hold no more once what is described later is set, too.
    std::vector<std::size_t> later;
    const auto take = [&](std::size_t k) {
      parse(list.items()[k], *last_wanted(wanted, list.items()[k].info.id));
      list = describe();  // what follows may have another range now
    };
    for (std::size_t k = 0; k < list.items().size(); ++k) {
      if (!last_wanted(wanted, list.items()[k].info.id)) continue;
      try {
        take(k);
      } catch (const Refusal&) {
        if (list.items()[k].found_in.empty()) throw;
        later.push_back(k);
      }
    }
    for (const std::size_t k : later) take(k);
    settle(describe);
  });
}

void assign_near(const Describe& describe, const Values& exact, const Numbers& near) {
  all_or_nothing(describe, [&] {
    assign(describe, exact);
    for (const auto& [id, wanted] : near) {
      List list = describe();
      require_known(list, {{id, ""}});
      const Parameter& parameter = *list.find(id);
      if (!number(parameter)) {
        words::refuse<core::InputError>(N_("expected a number parameter, got {}"), shown(id));
      }
      const bool whole_number = std::holds_alternative<Integer>(parameter.kind);
      const double fit = nearest(parameter, wanted);
      assign(describe,
             {{id, whole_number ? fmt::format("{}", std::llround(fit)) : fmt::format("{}", fit)}});
    }
  });
}

void settle(const Describe& describe) {
  List list = describe();
  for (std::size_t k = 0; k < list.items().size(); ++k) {
    if (settle_one(list.items()[k])) list = describe();
  }
}

std::vector<Refusal> settle_found(const Describe& describe) {
  std::vector<Refusal> beyond;
  List list = describe();
  for (std::size_t k = 0; k < list.items().size(); ++k) {
    const Parameter& parameter = list.items()[k];
    if (!beyond_found(parameter)) continue;
    beyond.push_back(refusal_found(parameter));
    if (const auto* text = std::get_if<Text>(&parameter.kind)) {
      leave_out_beyond(*text);
    } else {
      settle_one(parameter);
    }
    list = describe();
  }
  return beyond;
}

}  // namespace param
