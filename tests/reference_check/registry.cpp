#include "registry.h"

namespace core_check {

std::map<std::string, std::vector<Entry>>& Topic::all() {
  static std::map<std::string, std::vector<Entry>> topics;
  return topics;
}

const Handler* Topic::find(const std::string& topic, const std::string& case_name) {
  const auto it = all().find(topic);
  if (it == all().end()) return nullptr;
  for (const Entry& entry : it->second) {
    const std::string& pattern = entry.pattern;
    const bool prefix = pattern.ends_with('*');
    const std::string beginning = prefix ? pattern.substr(0, pattern.size() - 1) : pattern;
    if (prefix ? case_name.starts_with(beginning) : case_name == pattern) return &entry.handler;
  }
  return nullptr;
}

const ReferenceCase& sibling(const ReferenceFile& file, std::string_view name) {
  for (const ReferenceCase& one : file.cases) {
    if (one.name == name && one.broken.empty()) return one;
  }
  throw NotCovered{"it goes on from " + std::string(name) + ", which this file does not have"};
}

}  // namespace core_check
