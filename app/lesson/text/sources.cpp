#include "app/lesson/text/sources.h"

#include <algorithm>

#include "app/labs/labs.h"
#include "app/lesson/text/fault.h"

namespace lesson {

const lab::Source* find_source(const lab::Lab& lab, std::string_view begins) {
  const lab::Source* found = nullptr;
  for (const lab::Source& one : lab.sources) {
    if (!one.citation.starts_with(begins)) continue;
    if (found) return nullptr;
    found = &one;
  }
  return found;
}

std::vector<const lab::Source*> sources_of(const Lesson& lesson) {
  std::vector<const lab::Source*> named, all;
  const auto add = [](std::vector<const lab::Source*>& to, const lab::Source* one) {
    if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
  };
  for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
    const lab::Lab& lab = lab::find(scene(lesson, k).lab);
    for (const lab::Source& one : lab.sources) add(all, &one);
    for (const Cited& cited : lesson.stops[k].cites) {
      const lab::Source* one = find_source(lab, cited.begins);
      if (!one) {
        std::vector<std::string> known;
        for (const lab::Source& source : lab.sources) known.emplace_back(source.citation);
        refuse_unknown({lesson.file, cited.line},
                       words::Sentence(N_("the beginning of one source of {}"), lab.id),
                       cited.begins, known);
      }
      add(named, one);
    }
  }
  return named.empty() ? all : named;
}

}  // namespace lesson
