#include "app/lesson/files.h"

#include <algorithm>
#include <variant>

#include "app/labs/labs.h"
#include "app/session/session_files.h"

namespace lesson {
namespace {

// The knobs of a lab that name files; of an unknown one none: checking its scenes says so.
std::vector<std::string> file_knobs(std::string_view lab) {
  std::vector<std::string> ids;
  for (const lab::Lab& one : lab::all()) {
    if (one.id != lab) continue;
    const auto state = one.make();
    const param::List list = state->list();
    for (const param::Parameter& p : list.items()) {
      if (std::holds_alternative<param::File>(p.kind)) ids.emplace_back(p.info.id);
    }
  }
  return ids;
}

template <class Name>
void name_files(const std::vector<std::string>& knobs, param::Values& values, Name name) {
  for (auto& [id, value] : values) {
    const bool is_file = std::find(knobs.begin(), knobs.end(), id) != knobs.end();
    if (is_file && !value.empty()) value = name(value);
  }
}

}  // namespace

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

void find_files(Lesson& lesson, const std::filesystem::path& folder) {
  std::vector<std::string> knobs = file_knobs(lesson.lab);
  const auto find = [&](Settings& settings) {
    name_files(knobs, settings.values,
               [&](const std::string& name) { return session::found_from(folder, name); });
  };
  for (Stop& stop : lesson.stops) {
    if (!stop.lab.empty()) knobs = file_knobs(stop.lab);
    find(stop.sets);
    find(stop.does);
    if (stop.question) find(stop.question->reveals);
  }
}

param::Values with_named_files(std::string_view lab, const param::Values& values,
                               const std::filesystem::path& folder) {
  param::Values named = values;
  name_files(file_knobs(lab), named,
             [&](const std::string& path) { return session::named_from(folder, path); });
  return named;
}

}  // namespace lesson
