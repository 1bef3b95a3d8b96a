#include "app/labs/labs.h"
#include "app/lesson/lesson.h"
#include "core/text/printable.h"

namespace lesson {
namespace {

std::vector<std::string> knob_names(lab::State& state) {
  std::vector<std::string> names;
  const param::List list = state.list();
  for (const param::Parameter& p : list.items()) names.emplace_back(p.info.id);
  return names;
}

const lab::Lab& lab_named(std::string_view id, const Where& where) {
  std::vector<std::string> known;
  for (const lab::Lab& one : lab::all()) {
    if (one.id == id) return one;
    known.emplace_back(one.id);
  }
  refuse_unknown(where, words::Sentence(N_("a lab")), id, known);
}

const lab::Preset& preset_named(const lab::Lab& lab, std::string_view id, const Where& where) {
  std::vector<std::string> known;
  for (const lab::Preset& one : lab.presets) {
    if (one.id == id) return one;
    known.emplace_back(one.id);
  }
  refuse_unknown(where, words::Sentence(N_("a preset of {}"), lab.id), id, known);
}

void assign(lab::State& state, const lab::Lab& lab, const Settings& settings,
            const std::string& file) {
  const Where where{file, settings.line};
  const std::vector<std::string> known = knob_names(state);
  for (const auto& [id, value] : settings.values) {
    if (std::find(known.begin(), known.end(), id) != known.end()) continue;
    refuse_unknown(where, words::Sentence(N_("a knob of {}"), lab.id), id, known);
  }
  try {
    param::assign(state.describe(), settings.values);
  } catch (const core::InputError& error) {
    refuse(where, core::message_of(error));
  }
}

}  // namespace

session::Session scene(const Lesson& lesson, std::size_t stop, bool revealed) {
  const lab::Lab* lab = nullptr;
  if (!lesson.lab.empty()) lab = &lab_named(lesson.lab, {lesson.file, lesson.lab_line});
  std::unique_ptr<lab::State> state = lab ? lab->make() : nullptr;
  for (std::size_t k = 0; k <= stop; ++k) {
    const Stop& now = lesson.stops.at(k);
    if (!now.lab.empty()) {
      lab = &lab_named(now.lab, {lesson.file, now.lab_line});
      state = lab->make();
    }
    if (!now.preset.empty()) {
      const Where where{lesson.file, now.preset_line};
      state = lab->make();
      param::assign(state->describe(), preset_named(*lab, now.preset, where).values);
    }
    assign(*state, *lab, now.sets, lesson.file);
    const bool done = k < stop || revealed;
    if (done && now.question) assign(*state, *lab, now.question->reveals, lesson.file);
    if (k < stop) assign(*state, *lab, now.does, lesson.file);
  }
  return {.lab = std::string(lab->id), .values = param::values(state->describe()), .views = {}};
}

}  // namespace lesson
