// What the labs of this build ask.
#include "folder.h"

#ifdef ATTNSCOPE_LABS
#include "app/labs/labs.h"

namespace core_check {

namespace {

lab::Page page_of(const lab::Lab& lab, const lab::Preset& preset) {
  const auto state = lab.make();
  param::assign(state->describe(), preset.values);
  const words::Words english;
  lab::Memo memo;
  return state->compute({{}, english, memo});
}

}  // namespace

std::string card_fault(const std::string& lab, const std::string& preset, const std::string& card) {
  const lab::Lab& asked = lab::find(lab);
  for (const lab::Preset& one : asked.presets) {
    if (one.id != preset) continue;
    for (const lab::Card& told : page_of(asked, one).cards) {
      if (told.id == card) return {};
    }
    return "expected " + lab + " to ask " + card + " with preset " + preset + ", got no such card";
  }
  return "expected a preset " + preset + " of " + lab + ", got none";
}

}  // namespace core_check

#else

namespace core_check {

std::string card_fault(const std::string&, const std::string&, const std::string&) {
  throw NotCovered{"a statement of words, which a lab asks; this build has no labs"};
}

}  // namespace core_check

#endif
