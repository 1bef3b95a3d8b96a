// The settings that every lab is tried in, and what it computes in them.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/labs.h"
#include "core/random.h"
#include "page_hash.h"

namespace contract {

using lab::Lab;
using lab::Page;
using lab::State;
using param::Parameter;

// In a copy of `memo`: that of another setting spares what both share, and warm_memo_test.cpp holds
// every lab to give the same page.
inline Page compute(const State& state, lab::Memo memo = {}) {
  static const words::Words english;
  return state.compute({{}, english, memo, {}, 0});
}

inline std::uint64_t hash(const State& state, const lab::Memo& memo = {}) {
  return PageHash().of(compute(state, memo));
}

// What a lab shows in a setting, and the memo that it leaves behind; computed once for all cases,
// each setting in the memo of the one before.
struct Seen {
  Page page;
  lab::Memo memo;
  std::uint64_t hash = 0;
};
const Seen& seen(const Lab& lab, const param::Values& values);

// All labs, or the one that the environment's ATTNSCOPE_LAB names: while a lab is made, and to see
// what it takes. ATTNSCOPE_LAB=every tries all of them as a lab alone is tried: in more settings.
// ATTNSCOPE_LAB=example tries the example of the guide, which is no lab of the program.
std::span<const Lab> tried_labs();
inline constexpr std::string_view kExample = "example";
const Lab& example();
// Of what is not, there is no Chinese.
inline bool is_in_program(const Lab& lab) { return lab.id != kExample; }

// ATTNSCOPE_LAB asks for more than a run of all labs has time for; ./dev check sets it, too.
bool tried_wholly();

// Whether the k-th thing is tried in the n-th setting: in the first always, in every fifth of the
// others, in all if it is tried wholly.
bool has_its_turn(std::size_t n, std::size_t k);

inline std::string named(const Lab& lab) { return std::string(lab.id); }

inline std::string number_text(const Parameter& p, double value) {
  const bool whole = std::holds_alternative<param::Integer>(p.kind);
  return whole ? std::to_string(std::lround(value)) : nlohmann::json(value).dump();
}

// How long a training is or how often a stopwatch is read: at its greatest the lab computes for a
// while.
inline bool takes_long(const Parameter& p) {
  return p.info.id == "steps" || p.info.id == "measurement";
}

// A file that a lab which reads such files can read: what a person would open.
std::string sample_file(const Parameter& p);

// Another permitted value of a parameter, as text; several to choose from. At least one.
std::vector<std::string> other_values(const Parameter& p);

// The same with trainings, now or when another knob asks for one, that are cut down to a few steps.
param::Values with_short_training(const Lab& lab, param::Values values);

// Settings that a lab should be tried in: the defaults, every preset that is quick to compute, and
// each file that it can read. Trainings are short: all that is tried is there after a few steps.
std::vector<param::Values> settings(const Lab& lab);

inline void set(State& state, std::string_view id, const std::string& value) {
  param::assign(state.describe(), {{std::string(id), value}});
}

// Another value for one active parameter, by chance: near to what it is, or anywhere for a real.
void change_one(State& state, core::Random& random);

// A name and the values to assign to a fresh state.
struct Setting {
  std::string name;
  param::Values values;
};

// "random1" and so on: settings(lab) in turn with four things changed, always the same for a lab.
std::vector<Setting> random_settings(const Lab& lab, int count);

// "default", every preset by its id, and twelve random ones.
std::vector<Setting> presets_and_random(const Lab& lab);

}  // namespace contract
