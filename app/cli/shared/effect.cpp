#include "app/cli/shared/effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/param/match.h"
#include "app/words/sentence.h"
#include "core/text/printable.h"

namespace cli {
namespace {

using words::Sentence;

// A value to try, and how a sentence writes it: of a path or a text any will do.
struct Trial {
  std::string value, shown;
};

constexpr const char* kNothing = "\"\"";

std::vector<Trial> numbers(const param::Parameter& p, double now) {
  std::vector<Trial> all;
  const double step =
      std::max(p.info.step, std::holds_alternative<param::Integer>(p.kind) ? 1.0 : 0);
  for (const double wanted : {now + step, now - step, p.info.min, p.info.max}) {
    const double value = param::nearest(p, wanted);
    const std::string text = fmt::format("{}", value);
    if (value != now) all.push_back({text, text});
  }
  return all;
}

std::vector<Trial> written(const std::string& now, const char* shown) {
  if (now.empty()) return {{"x", shown}};
  return {{"", kNothing}};
}

// The other values of a parameter.
std::vector<Trial> others(const param::Parameter& p) {
  using param::Match;
  return std::visit(Match{[](const param::Choice& k) {
                            std::vector<Trial> all;
                            for (std::size_t at = 0; at < k.options.size(); ++at) {
                              const std::string id(k.options[at].id);
                              if (static_cast<int>(at) != k.get()) all.push_back({id, id});
                            }
                            return all;
                          },
                          [](const param::Flag& k) {
                            const std::string value = *k.value ? "false" : "true";
                            return std::vector<Trial>{{value, value}};
                          },
                          [&](const param::Integer& k) { return numbers(p, *k.value); },
                          [&](const param::Real& k) { return numbers(p, *k.value); },
                          [](const param::File& k) { return written(*k.value, "FILE"); },
                          [](const param::Text& k) { return written(*k.value, "TEXT"); },
                          [](const auto&) { return std::vector<Trial>{}; }},
                    p.kind);
}

bool is_active(lab::State& state, std::string_view id) {
  param::List list = state.list();
  const param::Parameter* p = list.find(id);
  return p && p->info.active;
}

std::unique_ptr<lab::State> with(const lab::State& state, std::string_view id,
                                 const std::string& value) {
  auto changed = state.clone();
  try {
    param::assign(changed->describe(), {{std::string(id), value}});
  } catch (const core::InputError&) {
    return nullptr;  // it does not fit the others
  }
  return changed;
}

Sentence setting(std::string_view id, const std::string& value) {
  return Sentence::plain(
      fmt::format("{}={}", id, value.empty() ? kNothing : core::printable(value, 60)));
}

Sentence either(const Sentence& one, const Sentence& other) {
  return one.empty() ? other : Sentence(N_("{} or {}"), one, other);
}

Sentence both(const Sentence& one, const Sentence& other) {
  return one.empty() ? other : Sentence(N_("{} and {}"), one, other);
}

// What stands now, and what it would have to be.
struct Fix {
  Sentence now, then;
};

bool is_number(const param::Parameter& p) { return param::number(p).has_value(); }

// The first parameter of which some values give `id` an effect: choices and the like before
// numbers, whose nearest such value is named alone.
std::optional<Fix> one_setting(const lab::State& state, std::string_view id) {
  const auto mine = state.clone();
  const param::List list = mine->list();
  for (const bool numeric : {false, true}) {
    for (const param::Parameter& p : list.items()) {
      if (p.info.id == id || is_number(p) != numeric) continue;
      Sentence then;
      for (const Trial& trial : others(p)) {
        const auto changed = with(*mine, p.info.id, trial.value);
        if (!changed || !is_active(*changed, id)) continue;
        then = either(then, setting(p.info.id, trial.shown));
        if (numeric) break;
      }
      if (!then.empty()) return Fix{setting(p.info.id, param::serialize(p)), then};
    }
  }
  return std::nullopt;
}

// The same of two parameters that are no numbers.
std::optional<Fix> two_settings(const lab::State& state, std::string_view id) {
  const auto mine = state.clone();
  const param::List list = mine->list();
  for (const param::Parameter& p : list.items()) {
    if (p.info.id == id || is_number(p)) continue;
    for (const Trial& trial : others(p)) {
      const auto changed = with(*mine, p.info.id, trial.value);
      if (!changed) continue;
      if (const auto rest = one_setting(*changed, id)) {
        return Fix{both(setting(p.info.id, param::serialize(p)), rest->now),
                   both(setting(p.info.id, trial.shown), rest->then)};
      }
    }
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const lab::State& state, const std::string& id) {
  auto fix = one_setting(state, id);
  if (!fix) fix = two_settings(state, id);
  if (!fix) {
    words::refuse<core::InputError>(N_("{} has no effect at the current settings"), id);
  }
  words::refuse<core::InputError>(N_("{} has no effect with {}; set {} to use it"), id, fix->now,
                                  fix->then);
}

}  // namespace

void require_effect(const std::vector<const lab::State*>& states,
                    const std::vector<std::string>& given) {
  for (const std::string& id : given) {
    const auto has_effect = [&](const lab::State* state) { return is_active(*state->clone(), id); };
    if (std::none_of(states.begin(), states.end(), has_effect)) refuse(*states.front(), id);
  }
}

}  // namespace cli
