#include "app/state/desk/knobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/param/reading.h"
#include "app/session/pick.h"
#include "app/words/sentence.h"
#include "core/types.h"

namespace state {

bool Knobs::set(const std::string& id, const std::string& text, const std::string& gesture) {
  const param::Describe describe = desk_.state().describe();
  // A gesture is one change, from where it began: what had to give way on its way comes back.
  const param::Values* begun = desk_.history().before_gesture(gesture);
  const auto refuse = [&](std::string why) {
    if (begun) param::assign(describe, desk_.now().values);
    errors_[id] = std::move(why);
    return false;
  };
  try {
    if (begun) param::assign(describe, *begun);
    param::assign(describe, {{id, text}});
  } catch (const param::Refusal& refused) {
    return refuse(
        words::Sentence(N_("expected {}, got {}"), refused.expected, refused.got).in(words_));
  } catch (const core::InputError& e) {
    return refuse(words::translated(e, words_));
  }
  errors_.erase(id);
  desk_.take_values(gesture);
  return true;
}

void Knobs::set_all(const param::Values& values, const std::string& gesture) {
  desk_.assign(values);
  errors_.clear();
  desk_.take_values(gesture);
}

void Knobs::pick(const figure::Pick& pick, const std::string& gesture) {
  if (pick.empty()) return;
  try {
    session::apply(desk_.state().describe(), pick);
  } catch (const core::InputError& e) {
    return messages_.say(words::translated(e, words_), true);
  }
  desk_.take_values(gesture);
  if (!pick.said.empty()) messages_.say(pick.said);
}

bool Knobs::unpin() {
  figure::Assignments back;
  const param::List all = desk_.list();
  for (const param::Parameter& p : all.items()) {
    const auto now = param::number(p);
    if (!p.info.unpinned || !now || *now == *p.info.unpinned) continue;
    back.emplace_back(p.info.id, fmt::format("{}", *p.info.unpinned));
  }
  apply(back);
  return !back.empty();
}

const lab::Preset* Knobs::apply_preset(std::string_view id) {
  const lab::Lab& lab = desk_.lab();
  const auto preset = std::find_if(lab.presets.begin(), lab.presets.end(),
                                   [&](const lab::Preset& p) { return p.id == id; });
  if (preset == lab.presets.end()) {
    messages_.say(words_.format(N_("this lab has no preset called \"{}\""), id), true);
    return nullptr;
  }
  auto fresh = lab.make();
  param::assign(fresh->describe(), preset->values);
  desk_.replace(lab, std::move(fresh), {});
  return &*preset;
}

const lab::Preset* Knobs::preset() const {
  const lab::Lab& lab = desk_.lab();
  for (const lab::Preset& preset : lab.presets) {
    auto fresh = lab.make();
    param::assign(fresh->describe(), preset.values);
    if (param::values(fresh->describe()) == desk_.now().values) return &preset;
  }
  return nullptr;
}

void Knobs::set_defaults() {
  set_all(desk_.untouched());
  desk_.end_gesture();
}

std::string Knobs::value(std::string_view id) const {
  param::List all = desk_.list();
  const param::Parameter* p = all.find(id);
  return p ? param::serialize(*p) : std::string();
}

bool Knobs::changed(std::string_view id) const {
  const param::Values &values = desk_.now().values, &untouched = desk_.untouched();
  const auto is_it = [&](const auto& value) { return value.first == id; };
  const auto now = std::find_if(values.begin(), values.end(), is_it);
  const auto was = std::find_if(untouched.begin(), untouched.end(), is_it);
  return now != values.end() && was != untouched.end() && *now != *was;
}

const std::string& Knobs::error_of(const std::string& id) const {
  static const std::string none;
  const auto found = errors_.find(id);
  return found == errors_.end() ? none : found->second;
}

namespace {

// Nobody did anything wrong: what a knob points into became another, or shorter.
words::Sentence settled(const param::Parameter& p, const words::Sentence& before) {
  const words::Sentence label(p.info.label);
  const words::Sentence now = param::shown(param::serialize(p));
  const auto number = param::number(p);
  if (!number) {
    return words::Sentence(N_("{}: there is no {} in {}; it is {} now."), label, before, p.found_in,
                           now);
  }
  return *number < p.info.max ? words::Sentence(N_("{}: {} now, the least in {}; it was {}."),
                                                label, now, p.found_in, before)
                              : words::Sentence(N_("{}: {} now, the most in {}; it was {}."), label,
                                                now, p.found_in, before);
}

}  // namespace

// That of a session whose file is another now, or of the file before. The step that led here takes
// it back. Nobody asked for a default, so that nothing is said of one. A drag or a text that is
// being typed comes to its end first: what is beyond a half of the text may be within all of it.
bool Knobs::bring_into_range() {
  if (desk_.history().is_changing()) return false;
  const param::Describe describe = desk_.state().describe();
  const std::vector<param::Refusal> beyond = param::settle_found(describe);
  if (beyond.empty()) return false;
  std::string text;
  param::List now = describe();
  for (const param::Refusal& one : beyond) {
    if (!changed(one.id)) continue;
    const param::Parameter& p = *now.find(one.id);
    text += (text.empty() ? "" : " ") + settled(p, one.got).in(words_);
  }
  if (!text.empty()) messages_.say_too(text);
  brought_ = beyond;
  desk_.amend_values();
  return true;
}

void Knobs::follow(const Desk::Change& change) {
  if (change.kind == Desk::Change::Kind::scene) errors_.clear();
}

}  // namespace state
